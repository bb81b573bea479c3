#!/usr/bin/env python3
"""A client of the agent of a Latchkey vault, written from docs/agent.md. It needs only the standard library.

    python3 latchkey_agent.py [--vault DIR] status | list | log | unlock | get NAME | add NAME < SECRET

It shows prompts at the terminal, or takes the answers line by line from the descriptor that --answers names.
"""

import argparse
import fcntl
import getpass
import hashlib
import json
import os
import socket
import stat
import struct
import sys

VERSION = 1
HEAD_FROM_AGENT = 1048576
SECRET = 16777216
EXIT = {
    "request": 2, "denied": 3, "not-found": 4, "locked": 5, "dismissed": 6, "wrong": 7, "nobody-there": 8,
    "exists": 9, "unavailable": 10, "damaged": 11, "vault": 12, "agent": 13,
}


class AgentError(Exception):
    """The reason why a request failed: a kind for programs, and a message for people."""

    def __init__(self, kind, message, rule=None):
        super().__init__(message)
        self.kind, self.rule = kind, rule


def usual_vault():
    data = os.environ.get("XDG_DATA_HOME", "")
    return data + "/latchkey" if data.startswith("/") else os.path.expanduser("~/.local/share/latchkey")


def path_of(text):
    """Returns the path that a text of the agent stands for: a private character for each byte that is not UTF-8."""
    scalars = ((ord(letter), letter) for letter in text)
    return os.fsdecode(b"".join(bytes([n - 0x10F700]) if 0x10F780 <= n <= 0x10F7FF else c.encode() for n, c in scalars))


def expected_socket(vault):
    """Returns the socket of an agent that was started with the same environment."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if not runtime.startswith("/"):
        runtime = f"/run/user/{os.geteuid()}"
        try:
            status = os.lstat(runtime)
        except OSError:
            return vault + "/agent.socket"
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
            return vault + "/agent.socket"
    if vault == os.path.realpath(usual_vault()):
        return runtime + "/latchkey/agent.socket"
    return f"{runtime}/latchkey/{hashlib.blake2b(os.fsencode(vault), digest_size=8).hexdigest()}.socket"


def locked_socket(vault):
    """Returns the socket that the agent has published; None if there is no agent."""
    try:
        file = os.open(vault + "/agent.lock", os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return None
        except BlockingIOError:
            lines = os.fsdecode(os.read(file, 8192)).split("\n")
            return lines[1] if len(lines) == 3 else None
    finally:
        os.close(file)


def connected(path):
    """Returns a socket that is connected to the agent at a path; None if no agent listens there."""
    folder = os.path.dirname(path)
    try:
        status = os.lstat(folder)
    except FileNotFoundError:
        return None
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise AgentError("agent", f"{folder} is not a folder that only you can use: check who owns it, and run `chmod go=` on it")
    one = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        one.connect(path)
    except (FileNotFoundError, ConnectionRefusedError):
        one.close()
        return None
    _, user, _ = struct.unpack("3i", one.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    if user != os.geteuid():
        one.close()
        raise AgentError("agent", f"another user listens at {path}: nothing was sent there")
    return one


class Agent:
    """A connection to the agent of a vault.

    `answer` is called with each prompt and returns one of ("typed", bytes), ("touch", name or None), ("confirm", None),
    ("fallback", None), ("cancel", None). Without it, the agent can show no prompts.
    """

    def __init__(self, vault=None, answer=None):
        vault = os.path.realpath(vault or os.environ.get("LATCHKEY_HOME") or usual_vault())
        self.answer = answer
        self.socket = None
        for path in (expected_socket(vault), locked_socket(vault)):
            if self.socket is None and path:
                self.socket = connected(path)
        if self.socket is None:
            raise AgentError("agent", f"the vault {vault} has no agent: run `latchkey status` to start one")
        greeting, _ = self._receive()
        if "error" in greeting:
            raise self._error(greeting["error"])
        if greeting["latchkey"] != VERSION or "knows" in greeting:
            raise AgentError("agent", "another version of Latchkey started the agent that runs: run `latchkey agent stop`")
        if path_of(greeting["vault"]) != vault:
            raise AgentError("agent", f"the agent holds another vault, {greeting['vault']}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _send(self, head, secret=b""):
        head = json.dumps(head).encode()
        try:
            self.socket.sendall(struct.pack(">II", len(head), len(secret)) + head)
            self.socket.sendall(secret)
        except BrokenPipeError:
            pass  # Read what the agent sent before it closed the connection.

    def _take(self, count):
        taken = bytearray(count)
        view = memoryview(taken)
        while view:
            got = self.socket.recv_into(view)
            if got == 0:
                raise AgentError("agent", "the agent ended before it answered, and may have done it or not")
            view = view[got:]
        return taken

    def _receive(self):
        head, secret = struct.unpack(">II", self._take(8))
        if not 2 <= head <= HEAD_FROM_AGENT or secret > SECRET:
            raise AgentError("agent", "the agent sent a frame that is not valid")
        return json.loads(self._take(head).decode()), self._take(secret)

    @staticmethod
    def _error(error):
        return AgentError(error["kind"], error["message"], error.get("rule"))

    def ask(self, request, secret=b"", **fields):
        """Returns the fields of the answer, its secret, and the parts of a long answer."""
        head = {"do": request, **{name.replace("_", "-"): value for name, value in fields.items()}}
        if self.answer is None:
            head["ask"] = False
        self._send(head, secret)
        parts = {}
        while True:
            head, secret = self._receive()
            if "done" in head:
                return head["done"], secret, parts
            if "error" in head:
                raise self._error(head["error"])
            for name, values in head.get("more", {}).items():
                parts.setdefault(name, []).extend(values)
            if "ask" in head:
                self._answer(head["ask"])

    def _answer(self, prompt):
        kind, what = self.answer(prompt) if self.answer else ("cancel", None)
        head = {"answer": kind, "number": prompt["number"]}
        if kind == "touch" and what is not None:
            head["showing"] = what
        self._send(head, what if kind == "typed" else b"")

    def status(self):
        return self.ask("status")[0]

    def unlock(self):
        self.ask("unlock")

    def get(self, name, reason=None):
        return self.ask("read", name=name, **({"reason": reason} if reason else {}))[1]

    def add(self, name, secret, replace=False):
        self.ask("add", secret, name=name, **({"replace": True} if replace else {}))

    def list(self):
        return self.ask("list")[2].get("items", [])

    def log(self, latest=None):
        return self.ask("log", **({} if latest is None else {"latest": latest}))[2].get("records", [])


def at_terminal(prompt):
    print(f"{prompt['wish']}: {prompt['reason']}", *prompt["notes"], sep="\n", file=sys.stderr)
    try:
        if prompt["wish"] == "biometry":
            return "touch", input("shown: ") if prompt["fake"] else None
        if prompt["wish"] in ("companion", "permission"):
            return ("confirm" if input("yes or no? ") == "yes" else "cancel"), None
        return "typed", getpass.getpass("> ").encode()
    except (EOFError, KeyboardInterrupt):
        return "cancel", None


def from_descriptor(number):
    lines = os.fdopen(number, "rb")

    def answer(prompt):
        line = lines.readline()
        return ("typed", line.rstrip(b"\n")) if line else ("cancel", None)

    return answer


def main():
    parser = argparse.ArgumentParser(description="A client of the agent of a Latchkey vault.")
    parser.add_argument("--vault")
    parser.add_argument("--answers", type=int, help="a descriptor with the answers to prompts")
    parser.add_argument("do", choices=["get", "add", "list", "log", "status", "unlock"])
    parser.add_argument("name", nargs="?")
    given = parser.parse_args()
    if given.do in ("get", "add") and given.name is None:
        parser.error("the name of a secret is missing")
    answer = None
    if given.answers is not None:
        answer = from_descriptor(given.answers)
    elif sys.stderr.isatty():
        answer = at_terminal
    try:
        with Agent(given.vault, answer) as agent:
            if given.do == "get":
                sys.stdout.buffer.write(agent.get(given.name))
            elif given.do == "add":
                agent.add(given.name, sys.stdin.buffer.read())
            elif given.do == "list":
                for item in agent.list():
                    print(item["name"])
            elif given.do == "log":
                for record in agent.log():
                    print(record["number"], record["verdict"], record["action"], record["count"])
            elif given.do == "status":
                print(json.dumps(agent.status(), indent=2))
            else:
                agent.unlock()
    except AgentError as error:
        print(error, file=sys.stderr)
        return EXIT.get(error.kind, 1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
