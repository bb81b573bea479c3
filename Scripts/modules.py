"""The compiler's arguments for each module in the last build, for checks that run the compiler again."""

import json
import pathlib
import re

root = pathlib.Path(__file__).resolve().parent.parent

_ALONE = {"-emit-dependencies", "-emit-module", "-c", "-parseable-output", "-emit-objc-header", "-serialize-diagnostics"}
_WITH_VALUE = {
    "-emit-module-path", "-output-file-map", "-emit-objc-header-path", "-num-threads", "-index-store-path",
}


class Module:
    """A module of the package: its name, its folder, and the compiler's arguments without sources and results."""

    def __init__(self, arguments, sources, embedded=()):
        self.name = arguments[arguments.index("-module-name") + 1]
        self.arguments = [arguments[0]]
        rest = iter(arguments[1:])
        for argument in rest:
            if argument in _WITH_VALUE:
                next(rest)
            elif argument not in _ALONE and not argument.startswith("@"):
                self.arguments.append(argument)
        # The build has generated Swift files for embedded resources.
        self.arguments += embedded
        self.sources = sources

    @property
    def imports(self):
        """Returns the names of the modules that the sources import."""
        found = set()
        for source in self.sources:
            text = (root / source).read_text(encoding="utf-8")
            found |= set(re.findall(r"^(?:\w+ )*import (\w+)", text, re.M))
        return found - {self.name}


def modules(configuration="release"):
    """Returns the modules of Sources and Tests by name."""
    manifest = (root / ".build" / f"{configuration}.yaml").read_text(encoding="utf-8")
    found = {}
    for block in re.split(r'^  (?="C\.)', manifest, flags=re.M)[1:]:
        block = block.split("\n\n")[0]
        arguments = re.search(r'^    args: (\[.*"-module-name".*\])$', block, re.M)
        inputs = re.search(r"^    inputs: (\[.*\])$", block, re.M)
        if not arguments or not inputs:
            continue
        paths = json.loads(inputs[1])
        sources = [
            str(pathlib.Path(path).relative_to(root)) for path in paths
            if path.endswith(".swift") and re.match(rf"{re.escape(str(root))}/(Sources|Tests)/", path)]
        embedded = [path for path in paths if path.endswith("/embedded_resources.swift")]
        if sources:
            module = Module(json.loads(arguments[1]), sources, embedded)
            found[module.name] = module
    return found
