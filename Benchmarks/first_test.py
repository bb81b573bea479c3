"""Measures the first test of a new package: follows docs/testing.md up to its test, and runs `swift test` once. Then does the
same with a package whose code imports CryptoKit.

Nothing is built before. The package depends on a copy of this checkout, and its build has a module cache of its own. Prints the
median of its runs as lines of JSON, and the machine's load on standard error, because the time depends on it. With "plain" or
"cryptokit", it measures only that package.
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

# The build of a developer of this package optimizes some modules. That of a package that depends on it does not.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "LATCHKEY_OPTIMIZES_LAWS"}

# The additions of docs/swift.md to the page's first target, and a file that needs them.
PRODUCT = '.product(name: "LatchkeyCryptoKit", package: "latchkey", condition: onLinux),'
FLAG = 'swiftSettings: [.unsafeFlags(["-module-alias", "CryptoKit=LatchkeyCryptoKit"], .when(platforms: [.linux]))],'
SIGNER = """import CryptoKit
import Foundation

struct Signer {
    let key: SecureEnclave.P256.Signing.PrivateKey

    func sign(_ data: Data) throws -> Data {
        try key.signature(for: SHA256.hash(data: data)).derRepresentation
    }
}
"""


def blocks(page, *beginnings):
    """Returns the first block of Swift on the page with each of these beginnings."""
    found = [block.split("```")[0] for block in page.split("```swift\n")[1:]]
    for beginning in beginnings:
        block = next((block for block in found if block.startswith(beginning)), None)
        if block is None:
            sys.exit(f"docs/testing.md has no block of Swift that begins with {beginning!r}")
        yield block


def with_cryptokit(targets):
    """Returns the page's targets with the product and the flag for CryptoKit in the first one."""
    product = re.sub(r"(\n +)\]", lambda found: f"{found[1]}    {PRODUCT}{found[0]}", targets, count=1)
    text = product.replace("plugins:", f"{FLAG}\n    plugins:", 1)
    if text.count(PRODUCT) != 1 or text.count(FLAG) != 1:
        sys.exit("docs/testing.md has other targets than this program knows")
    return text


def write_package(place, has_cryptokit):
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
        subprocess.run(["swift", "package", *command], cwd=package, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    condition, targets, store, test = blocks(
        (ROOT / "docs/testing.md").read_text(encoding="utf-8"),
        "let onLinux", ".target(", "import Foundation\nimport Security\n\nstruct TokenStore", "import LatchkeyTesting")
    if has_cryptokit:
        targets = with_cryptokit(targets)
    manifest = (package / "Package.swift").read_text(encoding="utf-8")
    manifest = manifest.replace("let package", condition + "let package", 1)
    manifest, count = re.subn(r"(\n    targets: \[\n).*?(\n    \])", lambda found: found[1] + targets + found[2], manifest, flags=re.S)
    if count != 1:
        sys.exit("swift package init writes another manifest than this program knows")
    (package / "Package.swift").write_text(manifest, encoding="utf-8")
    for path, text in (("Sources/Notes/TokenStore.swift", store), ("Tests/NotesTests/TokenStoreTests.swift", test)):
        (package / path).write_text(text, encoding="utf-8")
    if has_cryptokit:
        (package / "Sources/Notes/Signer.swift").write_text(SIGNER, encoding="utf-8")
    (package / "Tests/NotesTests/NotesTests.swift").unlink(missing_ok=True)
    return package


def measure(has_cryptokit):
    """Returns the seconds, the seconds of processor time and the build steps of one first test."""
    with tempfile.TemporaryDirectory(prefix="latchkey-first-test-") as folder:
        package = write_package(pathlib.Path(folder), has_cryptokit)
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        run = subprocess.run(
            ["swift", "test"], cwd=package, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT)
        seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    # The page's test fails on purpose: a new finger has ended the session.
    if "Failure(status: -25300)" not in run.stdout or "with 1 issue" not in run.stdout:
        sys.exit(f"the test of docs/testing.md did not fail as the page says:\n{run.stdout[-4000:]}")
    steps = max(int(number) for number in re.findall(r"^\[\d+/(\d+)\]", run.stdout, re.M))
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, steps


def main():
    variants = {"plain": (False, ""), "cryptokit": (True, "cryptokit_")}
    for variant in sys.argv[1:] or variants:
        has_cryptokit, prefix = variants[variant]
        runs = []
        for _ in range(RUNS):
            load = os.getloadavg()[0]
            runs.append(measure(has_cryptokit))
            print(f"a first test, {variant}: {runs[-1][0]:.1f} s, {runs[-1][1]:.1f} s of processor time, {runs[-1][2]} steps; "
                  f"load {load:.1f} before, {os.cpu_count()} cores", file=sys.stderr)
        for name, unit, index in (("s", "s", 0), ("cpu_s", "s", 1), ("steps", "steps", 2)):
            value = statistics.median(run[index] for run in runs)
            figure = {"name": f"adopter.first_test.{prefix}{name}", "value": value, "unit": unit, "runs": RUNS}
            print(json.dumps(figure), flush=True)


main()
