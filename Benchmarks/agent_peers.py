"""Measures reading one secret: by `latchkey get` and the commands of the peers in turn, each in a new process, and by libsecret
in a running process. Prints one figure a line as JSON.

Every store has its own folder and as many secrets of 64 bytes as the vault. Only that of pass has one, because pass opens one
file, however many there are. A peer that is not installed is left out, with a message.
"""

import html
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ITEMS = 1000
ROUNDS = 41
LOOKUPS = 2001

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:dir={folder}</listen>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>
"""


class Home:
    """A home folder of a user, with its environment and the processes that run in it."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="latchkey-peers-")
        self.running = []
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.path, "LC_ALL": "C.UTF-8"}
        for name, folder in {
            "XDG_RUNTIME_DIR": "run", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config", "XDG_CACHE_HOME": "cache",
            "GNUPGHOME": "gnupg", "PASSWORD_STORE_DIR": "pass",
        }.items():
            self.environment[name] = self.folder(folder)

    def folder(self, name):
        path = os.path.join(self.path, name)
        os.mkdir(path, 0o700)
        return path

    def run(self, command, given=""):
        done = subprocess.run(command, env=self.environment, input=given, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{command[0]} ends with {done.returncode}: {done.stderr}")
        return done.stdout

    def start(self, command):
        """Starts a process that runs until the end of the measurement, or of its input."""
        process = subprocess.Popen(
            command, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)
        self.running.append(process)
        return process

    def end(self):
        for process in reversed(self.running):
            process.stdin.close()
            if process.args[-1] != "hold":
                process.terminate()
            process.wait()
        if shutil.which("gpgconf"):
            subprocess.run(["gpgconf", "--kill", "all"], env=self.environment, check=False)
        shutil.rmtree(self.path)


def name(number):
    return f"bench/account-{number}"


def secret(number):
    return f"secret {number} ".ljust(64, "x")


def keyring(home, lookup):
    """gnome-keyring on a private bus without activation, filled by libsecret."""
    configuration = os.path.join(home.path, "bus.conf")
    with open(configuration, "w") as file:
        file.write(BUS.format(folder=home.environment["XDG_RUNTIME_DIR"]))
    bus = home.start(["dbus-daemon", f"--config-file={configuration}", "--nofork", "--print-address"])
    home.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
    daemon = home.start(["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"])
    daemon.stdin.write("123456")
    daemon.stdin.close()
    daemon.stdout.readline()  # It prints where it listens once it does.
    home.run([lookup, "fill", str(ITEMS), "0"])
    return ["secret-tool", "lookup", "name", name(ITEMS // 2)], ""


def password_store(home):
    home.run(["gpg", "--batch", "--passphrase", "", "--quick-generate-key", "bench@example.com", "default", "default"])
    home.run(["pass", "init", "bench@example.com"])
    home.run(["pass", "insert", "--multiline", name(ITEMS // 2)], secret(ITEMS // 2))
    return ["pass", "show", name(ITEMS // 2)], ""


def keepass(home):
    entries = "".join(
        f"<Entry><String><Key>Title</Key><Value>{html.escape(name(number).removeprefix('bench/'))}</Value></String>"
        f"<String><Key>Password</Key><Value>{html.escape(secret(number))}</Value></String></Entry>"
        for number in range(ITEMS))
    export, database = os.path.join(home.path, "export.xml"), os.path.join(home.path, "bench.kdbx")
    with open(export, "w") as file:
        file.write(
            "<KeePassFile><Meta/><Root><Group><Name>Root</Name>"
            f"<Group><Name>bench</Name>{entries}</Group></Group></Root></KeePassFile>")
    home.run(["keepassxc-cli", "import", "--quiet", "--set-password", export, database], "123456\n123456\n")
    return ["keepassxc-cli", "show", "--quiet", "--attributes", "Password", database, name(ITEMS // 2)], "123456\n"


def held_vault(home, binary, bench):
    """A vault that AgentBench keeps unlocked, with as many secrets as the other stores."""
    place = json.loads(home.start([bench, "hold"]).stdout.readline())
    home.environment["XDG_RUNTIME_DIR"] = place["runtime"]
    return [binary, "get", "--vault", place["vault"], name(ITEMS // 2)], ""


def timed(home, command, given):
    """Returns the time of a process until its secret has been read, in milliseconds."""
    start = time.perf_counter_ns()
    done = subprocess.run(command, env=home.environment, input=given, capture_output=True, text=True)
    taken = (time.perf_counter_ns() - start) / 1e6
    if done.stdout.strip() != secret(ITEMS // 2):
        sys.exit(f"{command[0]} brings out something else: {done.stdout}{done.stderr}")
    return taken


def say(name, value, unit, runs):
    print(json.dumps({"name": name, "value": value, "unit": unit, "runs": runs}), flush=True)


def main():
    binary, bench, lookup = sys.argv[1:]
    stores = {
        "cli.get": ([binary, bench], lambda home: held_vault(home, binary, bench)),
        "peer.secret_tool": (
            ["dbus-daemon", "gnome-keyring-daemon", "secret-tool", lookup], lambda home: keyring(home, lookup)),
        "peer.pass": (["gpg", "pass"], password_store),
        "peer.keepassxc_cli": (["keepassxc-cli"], keepass),
    }
    homes, reads = {}, {}
    try:
        for figure, (needed, fill) in stores.items():
            missing = [command for command in needed if not shutil.which(command)]
            if missing:
                print(f"  {figure} is not measured, without {', '.join(missing)}", file=sys.stderr)
                continue
            homes[figure] = Home()
            reads[figure] = fill(homes[figure])
        times = {figure: [] for figure in reads}
        for _ in range(ROUNDS):
            for figure, (command, given) in reads.items():
                times[figure].append(timed(homes[figure], command, given))
        for figure, taken in times.items():
            say(f"{figure}.ms", statistics.median(taken), "ms", len(taken))
        if "peer.secret_tool" in homes:
            median = homes["peer.secret_tool"].run([lookup, "read", str(ITEMS), str(LOOKUPS)])
            say("peer.libsecret.us", float(median), "µs", LOOKUPS)
    finally:
        for home in homes.values():
            home.end()


if __name__ == "__main__":
    main()
