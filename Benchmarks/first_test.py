"""Measures the first test of a new package: follows docs/testing.md up to its test, and runs `swift test` once.

Nothing is built before. The package depends on a copy of this checkout, and its build has a module cache of its own. Prints the
median of its runs as lines of JSON, and the machine's load on standard error, because the time depends on it.
"""

import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNS = int(os.environ.get("FIRST_TEST_RUNS", "3"))


def blocks(page):
    """Returns the blocks of Swift on the page, in order."""
    return [block.split("```")[0] for block in page.split("```swift\n")[1:]]


def write_package(place):
    """Creates the package as the page says, with its own copy of this checkout beside it. Returns its folder."""
    files = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "Package.swift", "Sources", "Tests"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in files:
        source = ROOT / name
        if name and source.is_file():
            target = place / "latchkey" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    package = place / "Notes"
    package.mkdir()
    for command in (["init"], ["add-dependency", "../latchkey", "--type", "path"]):
        subprocess.run(["swift", "package", *command], cwd=package, check=True, stdout=subprocess.DEVNULL)
    condition, targets, store, test = blocks((ROOT / "docs/testing.md").read_text(encoding="utf-8"))[:4]
    manifest = (package / "Package.swift").read_text(encoding="utf-8")
    manifest = manifest.replace("let package", condition + "let package", 1)
    manifest, count = re.subn(r"(\n    targets: \[\n).*?(\n    \])", lambda found: found[1] + targets + found[2], manifest, flags=re.S)
    if count != 1:
        sys.exit("swift package init writes another manifest than this program knows")
    (package / "Package.swift").write_text(manifest, encoding="utf-8")
    for path, text in (("Sources/Notes/TokenStore.swift", store), ("Tests/NotesTests/TokenStoreTests.swift", test)):
        (package / path).write_text(text, encoding="utf-8")
    (package / "Tests/NotesTests/NotesTests.swift").unlink(missing_ok=True)
    return package


def measure():
    """Returns the seconds, the seconds of processor time and the build steps of one first test."""
    with tempfile.TemporaryDirectory(prefix="latchkey-first-test-") as folder:
        package = write_package(pathlib.Path(folder))
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        run = subprocess.run(["swift", "test"], cwd=package, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    # The page's test fails on purpose: a new finger has ended the session.
    if "Failure(status: -25300)" not in run.stdout or "with 1 issue" not in run.stdout:
        sys.exit(f"the test of docs/testing.md did not fail as the page says:\n{run.stdout}")
    steps = max(int(number) for number in re.findall(r"^\[\d+/(\d+)\]", run.stdout, re.M))
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, steps


def main():
    runs = []
    for _ in range(RUNS):
        load = os.getloadavg()[0]
        runs.append(measure())
        print(f"a first test: {runs[-1][0]:.1f} s, {runs[-1][1]:.1f} s of processor time, {runs[-1][2]} steps; "
              f"load {load:.1f} before, {os.cpu_count()} cores", file=sys.stderr)
    for name, unit, index in (("s", "s", 0), ("cpu_s", "s", 1), ("steps", "steps", 2)):
        value = statistics.median(run[index] for run in runs)
        print(json.dumps({"name": f"adopter.first_test.{name}", "value": value, "unit": unit, "runs": RUNS}), flush=True)


main()
