"""Adds derived figures, prints the table and writes .build/bench.json."""

import json
import os
import statistics
import subprocess
import sys
import time

COMMAND = "make bench"

# The bound of each figure, and whether it is an upper or a lower one.
REACH = {
    "decide.untraced.ns": ("<", 200),
    "decide.traced.ns": ("<", 1000),
    "decide.allocations": ("=", 0),
    "decide.vs_cedarpy.ratio": (">=", 50),
    "decide.vs_casbin.ratio": (">=", 50),
    "cli.coldstart.ms": ("<", 20),
    "read.keychain.vs_floor.ratio": (">=", 0.66),
    "copymatching.vs_floor.ratio": (">=", 0.3),
    "device.create.us": ("<", 500),
    "device.create.account.us": ("<=", 500),
    "vault.read.vs_floor.ratio": (">=", 0.70),
    "read.million.vs_floor.ratio": (">=", 0.65),
    "keykit.sign.vs_floor.ratio": (">=", 0.7),
    "keykit.ecies.open.vs_floor.ratio": (">=", 0.7),
    "adopter.first_test.s": ("<", 60),
    "adopter.first_test.cryptokit_cpu_s": ("<=", 60),
    "key.sign.vs_floor.ratio": (">=", 0.7),
    "ecies.open.vs_floor.ratio": (">=", 0.7),
    "prover.states_per_s": (">=", 1_500_000),
    "prover.two_devices.states_per_s": (">=", 1_500_000),
    "prover.claim.slowest.ms": ("<", 100),
    "prover.threats.ms": ("<", 1000),
    "prover.everything.s": ("<", 60),
    "play.wasm.gzip.kb": ("<=", 200),
    "play.page.kb": ("<", 600),
    "play.verdict.ms": ("<", 50),
    "play.first_verdict.ms": ("<", 300),
    "play.vs_native.ratio": ("<=", 5),
    "agent.read.p50_us": ("<", 150),
    "agent.read.vs_echo.ratio": ("<=", 2),
    "agent.clients.8.vs_1.ratio": (">=", 1.8),
    "agent.clients.64.vs_8.ratio": (">=", 0.9),
    "lock.contended.ms": ("<", 50),
    "log.last5.million.ms": ("<", 50),
    "agent.read.vs_secret_tool.ratio": (">=", 10),
    "agent.read.vs_libsecret.ratio": (">=", 5),
    "cli.get.vs_secret_tool.ratio": (">=", 2),
}

PUBLISHED = """
The peers' figures include their Python binding. Published native figures, on other machines and other policies:
  Casbin in Go: 7.5 µs for one ABAC rule, 23 µs for deny-override with 6 rules (casbin.org/docs/benchmark)
  Cedar in Rust: no absolute figure found; a reproduction of the Cedar paper's scenarios has an engine with a median under
  1 µs that is ten times faster than Cedar (sapl.io/guides/comparison), so some microseconds
"""


def coldstart(binary):
    """Returns the median wall time of a new process that prints its version."""
    times = []
    for _ in range(41):
        start = time.perf_counter_ns()
        subprocess.run([binary, "--version"], stdout=subprocess.DEVNULL, check=True)
        times.append((time.perf_counter_ns() - start) / 1e6)
    return {"name": "cli.coldstart.ms", "value": statistics.median(times), "unit": "ms", "runs": 41}


def ratios(by_name):
    """Returns how many times as long as Latchkey each measured peer takes."""
    compared = [
        ("decide.vs_cedarpy", "decide.cedarpy.ns", "decide.untraced.ns", 1),
        ("decide.vs_casbin", "decide.casbin.ns", "decide.untraced.ns", 1),
        ("agent.read.vs_secret_tool", "peer.secret_tool.ms", "agent.read.p50_us", 1000),
        ("agent.read.vs_libsecret", "peer.libsecret.us", "agent.read.p50_us", 1),
        ("cli.get.vs_secret_tool", "peer.secret_tool.ms", "cli.get.ms", 1),
    ]
    for name, peer, own, scale in compared:
        if peer in by_name and own in by_name:
            theirs, ours = by_name[peer], by_name[own]
            yield {
                "name": f"{name}.ratio", "value": theirs["value"] * scale / ours["value"], "unit": "times faster",
                "runs": min(ours["runs"], theirs["runs"]),
            }


def main():
    figures = [json.loads(line) for line in sys.stdin]
    by_name = {figure["name"]: figure for figure in figures}
    figures += ratios(by_name)
    figures.append(coldstart(sys.argv[1]))

    path = ".build/bench.json"
    kept = {}
    if os.path.exists(path):
        with open(path) as file:
            kept = json.load(file)
    missed = []
    print(f"{'figure':<32}{'value':>12}  {'unit':<14}{'reach':<10}")
    for figure in figures:
        name = figure.pop("name")
        kept[name] = {**figure, "command": COMMAND}
        sign, bound = REACH.get(name, ("", ""))
        value = figure["value"]
        met = {
            "<": lambda: value < bound, "<=": lambda: value <= bound, ">=": lambda: value >= bound,
            "=": lambda: value == bound,
        }.get(sign)
        if met and not met():
            missed.append(name)
        print(f"{name:<32}{value:>12.4g}  {figure['unit']:<14}{sign} {bound}")
    with open(path, "w") as file:
        json.dump(kept, file, indent=1, sort_keys=True)
    if "decide.untraced.ns" in by_name:
        print(PUBLISHED)
    print(f"written to {path}; " + (f"not reached: {', '.join(missed)}" if missed else "every bound is met"))


main()
