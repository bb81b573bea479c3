"""Measures the Secret Service of an agent beside gnome-keyring, each on a bus of its own: a whole `secret-tool lookup`, and
a search among 10,000 items. Prints one figure a line as JSON.

Arguments: the latchkey command, the program of libsecret_lookup.c, and optionally the number of items.
"""

import json
import os
import pty
import random
import select
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
from agent_peers import BUS, Home, name, secret  # noqa: E402

ROUNDS = 41
SEARCHES = 201
PASSCODE = "bench passcode"


def bus(home):
    configuration = os.path.join(home.path, "bus.conf")
    with open(configuration, "w") as file:
        file.write(BUS.format(folder=home.environment["XDG_RUNTIME_DIR"]))
    daemon = home.start(["dbus-daemon", f"--config-file={configuration}", "--nofork", "--print-address"])
    home.environment["DBUS_SESSION_BUS_ADDRESS"] = daemon.stdout.readline().strip()


def at_terminal(home, command):
    """Runs a command at a terminal of its own, and types the passcode wherever it asks for one."""
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(command[0], command, home.environment)
    said, answered = "", 0
    while True:
        ready, _, _ = select.select([terminal], [], [], 60)
        if not ready:
            sys.exit(f"{command} hangs: {said}")
        try:
            chunk = os.read(terminal, 4096)
        except OSError:
            break
        if not chunk:
            break
        said += chunk.decode(errors="replace")
        asked = said.lower().count("passcode:") + said.count("again:")
        while answered < asked:
            answered += 1
            os.write(terminal, (PASSCODE + "\n").encode())
    if os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) != 0:
        sys.exit(f"{command} fails: {said}")


def latchkey(home, binary):
    """A vault whose agent serves the bus."""
    bus(home)
    home.environment["LATCHKEY_HOME"] = os.path.join(home.path, "vault")
    at_terminal(home, [binary, "init", "--own-passcode", "--no-recovery", "--default-policy", "open"])
    at_terminal(home, [binary, "secret-service", "enable"])


def keyring(home):
    bus(home)
    daemon = home.start(["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"])
    daemon.stdin.write("123456")
    daemon.stdin.close()
    daemon.stdout.readline()  # It prints where it listens once it does.


def timed_lookup(home, number):
    start = time.perf_counter_ns()
    done = subprocess.run(
        ["secret-tool", "lookup", "name", name(number)], env=home.environment, capture_output=True, text=True)
    taken = (time.perf_counter_ns() - start) / 1e6
    if done.stdout.strip() != secret(number):
        sys.exit(f"secret-tool brings out something else: {done.stdout}{done.stderr}")
    return taken


def searches(home, items):
    """Returns the times of calls of SearchItems for one item, over one connection, in milliseconds."""
    script = f"""
import random, time
from gi.repository import Gio, GLib
bus = Gio.bus_get_sync(Gio.BusType.SESSION)
for number in [random.randrange({items}) for _ in range({SEARCHES})]:
    query = GLib.Variant("(a{{ss}})", ({{"name": f"bench/account-{{number}}"}},))
    start = time.perf_counter_ns()
    found = bus.call_sync("org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service",
        "SearchItems", query, GLib.VariantType("(aoao)"), 0, 60000)
    print((time.perf_counter_ns() - start) / 1e6)
    assert len(found[0]) + len(found[1]) == 1, found
"""
    return [float(line) for line in home.run(["/usr/bin/python3", "-c", script]).split()]


def say(figure, value, unit, runs):
    print(json.dumps({"name": figure, "value": value, "unit": unit, "runs": runs}), flush=True)


def main():
    binary, lookup = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    items = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    missing = [
        program for program in ["dbus-daemon", "gnome-keyring-daemon", "secret-tool"] if not shutil.which(program)]
    if missing:
        print(f"  the Secret Service is not measured, without {', '.join(missing)}", file=sys.stderr)
        return
    ours, theirs = Home(), Home()
    try:
        latchkey(ours, binary)
        keyring(theirs)
        for home in (ours, theirs):
            home.run([lookup, "fill", "1000", "0"])
        times = {ours: [], theirs: []}
        for _ in range(ROUNDS):
            # In turn, so that both meet the same state of the machine.
            number = random.randrange(1000)
            for home in (ours, theirs):
                times[home].append(timed_lookup(home, number))
        say("secretservice.lookup.ms", statistics.median(times[ours]), "ms", ROUNDS)
        say("peer.gnome_keyring.lookup.ms", statistics.median(times[theirs]), "ms", ROUNDS)
        ours.run([lookup, "fill", str(items), "0"])
        found = searches(ours, items)
        say("secretservice.search.10k.ms", statistics.median(found), "ms", len(found))
    finally:
        subprocess.run([binary, "agent", "stop"], env=ours.environment, check=False, capture_output=True)
        for home in (ours, theirs):
            home.end()


main()
