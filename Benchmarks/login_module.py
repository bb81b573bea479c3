"""Measures how much longer a login takes with the module for PAM, and how soon the vault is unlocked.

Usage: Benchmarks/login_module.py COMMAND, as root. Prints results like the other programs here. It creates a user with a vault, whose
passcode is the login password, and removes both. Each pair is a login with the module and one without, in turn; pam_unix checks the
password of both, and the vault is locked before each.
"""

import json
import os
import pathlib
import pty
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAIRS = 40
PASSWORD = "correct horse battery"


def run(*words, given=None):
    return subprocess.run(words, input=given, capture_output=True, text=True, check=True).stdout


class Login:
    """A user of the system with a vault, and a program that logs in."""

    def __init__(self, command, folder):
        self.name = f"lk-bench-{os.getpid()}"
        self.folder = pathlib.Path(folder)
        self.home = self.folder / "home"
        run("useradd", "--no-create-home", "--home-dir", str(self.home), "--shell", "/bin/sh", self.name)
        run("chpasswd", given=f"{self.name}:{PASSWORD}\n")
        for place in (self.home, self.home / "run"):
            place.mkdir(mode=0o700)
            shutil.chown(place, self.name, self.name)
        self.folder.chmod(0o755)
        # Root owns the copies, so the module trusts them.
        for name in ("latchkey", "latchkey-tools", "latchkey-agent"):
            shutil.copy(pathlib.Path(command).parent / name, self.folder)
            (self.folder / name).chmod(0o755)
        self.command = self.folder / "latchkey"
        module = self.folder / "pam_latchkey.so"
        run(str(ROOT / "Scripts/build-pam-module"), str(module), str(self.folder / "latchkey-agent"))
        self.program = self.folder / "login"
        run("gcc", "-O2", "-o", str(self.program), str(ROOT / "Tests/Support/PAMLogin/login.c"), "-lpam")
        self.create_vault()
        socket = (self.home / "vault/agent.lock").read_text().split("\n")[1]
        services = self.folder / "pam.d"
        services.mkdir()
        unix = "auth [success=1 default=ignore] pam_unix.so\nauth requisite pam_deny.so\nauth required pam_permit.so\n"
        session = "account required pam_permit.so\nsession required pam_unix.so\n"
        (services / "without").write_text(unix + session)
        ours = f"optional {module} socket={socket}"
        (services / "with").write_text(unix + f"auth {ours}\n" + session + f"session {ours}\n")

    def words(self, *arguments):
        return ["setpriv", f"--reuid={self.name}", f"--regid={self.name}", "--clear-groups", "env", "-i", "PATH=/usr/bin:/bin",
                f"HOME={self.home}", f"LATCHKEY_HOME={self.home}/vault", f"XDG_RUNTIME_DIR={self.home}/run", str(self.command),
                *arguments]

    def create_vault(self):
        words = self.words("init", "--default-policy", "every-time")
        process, terminal = pty.fork()
        if process == 0:
            os.execvp(words[0], words)
        shown = b""
        while True:
            try:
                part = os.read(terminal, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
            if b"Passcode: " in shown:
                os.write(terminal, PASSWORD.encode() + b"\n")
                shown = b""
            if b"to skip this: " in shown:
                os.write(terminal, b"\n")
                shown = b""
        os.waitpid(process, 0)
        run(*self.words("status"))

    def is_unlocked(self):
        return json.loads(run(*self.words("status", "--json")))["state"] == "unlocked"

    def log_in(self, service):
        """Returns the milliseconds of one login."""
        run(*self.words("lock"))
        said = run(str(self.program), str(self.folder / "pam.d"), service, self.name, "authenticate", "establish", "open",
                   given=PASSWORD + "\n")
        steps = [line.split() for line in said.splitlines()]
        assert [step[1] for step in steps] == ["0"] * 3, said
        return sum(float(step[2]) for step in steps)

    def unlocking(self):
        """Returns the milliseconds from the end of a login until the vault is unlocked."""
        self.log_in("with")
        start = time.monotonic()
        while not self.is_unlocked():
            time.sleep(0.005)
        return (time.monotonic() - start) * 1000

    def remove(self):
        subprocess.run(self.words("agent", "stop"), capture_output=True)
        subprocess.run(["timeout", "60", "sh", "-c", f"until userdel {self.name} 2>/dev/null; do sleep 0.1; done"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        login = Login(sys.argv[1], folder)
        try:
            differences = []
            for _ in range(PAIRS):
                plain = login.log_in("without")
                differences.append(login.log_in("with") - plain)
                while not login.is_unlocked():
                    time.sleep(0.01)
            unlocking = [login.unlocking() for _ in range(5)]
        finally:
            login.remove()
    this = "Benchmarks/run login"
    for name, values in (("login.module.ms", differences), ("login.unlocked.ms", unlocking)):
        print(json.dumps({"name": name, "value": round(statistics.median(values), 1), "unit": "ms", "runs": len(values),
                          "command": this}))


main()
