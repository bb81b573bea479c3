"""A borrower that tries everything, for tests: borrower.py TARGETS SINCE

It looks for secrets, which it knows by their form alone, in all that it can reach, and tries the ways to the owner's things that TARGETS
(a file of JSON) names. Files that were last changed before SINCE cannot have one. It prints a line of JSON for each way: what it looked at,
whether it reached it, and the secrets that it found. Beside each place it puts a decoy of the same form, which the same code has to find.
"""
import base64
import ctypes
import errno
import json
import os
import re
import socket
import stat
import sys
import threading
import urllib.error
import urllib.request

FORM = rb"canary-[0-9a-z]{25}"
targets = json.load(open(sys.argv[1]))
since = float(sys.argv[2])
here = os.getcwd()
libc = ctypes.CDLL(None, use_errno=True)


def decoy(number):
    # Made when it is needed, so that neither this file nor the memory for it has one.
    return "canary-" + "decoy" * 4 + f"{number:05d}"


def encoded_forms():
    """Returns patterns of a secret in other forms, each with the way to read it."""
    yield FORM, bytes
    yield rb"63616e6172792d(?:[0-9a-fA-F]{2}){25}", lambda found: bytes.fromhex(found.decode())
    yield rb"%63%61%6[eE]%61%72%79%2[dD](?:%[0-9a-fA-F]{2}){25}", lambda found: bytes.fromhex(found.decode().replace("%", ""))
    yield FORM.replace(b"canary-", b"c\0a\0n\0a\0r\0y\0-\0").replace(b"[0-9a-z]", rb"(?:[0-9a-z]\0)"), lambda found: found[::2]
    for before in range(3):
        # The characters that depend on the first bytes of a secret alone, and then those of the others.
        whole = base64.b64encode(b"." * before + b"canary-").rstrip(b"=")
        sure = whole[(before * 8 + 5) // 6:(before + 7) * 8 // 6]
        skipped = ((before * 8 + 5) // 6) * 6 - before * 8

        def read(found, before=before, whole=whole):
            text = whole[:(before * 8 + 5) // 6] + found.replace(b"-", b"+").replace(b"_", b"/")
            text = text[:-1] if len(text) % 4 == 1 else text
            return base64.b64decode(text + b"=" * (-len(text) % 4))

        yield re.escape(sure) + rb"[A-Za-z0-9+/_-]{34,46}", read


PATTERNS = [(re.compile(pattern), read) for pattern, read in encoded_forms()]


def secrets_in(data):
    found = set()
    for text in (data, data[::-1]):
        for pattern, read in PATTERNS:
            for match in pattern.findall(text):
                found.update(re.findall(FORM, read(match)))
    return {text.decode() for text in found}


def report(way, looked, found=(), reached=None, **more):
    print(json.dumps({"way": way, "looked": looked, "reached": reached, "found": sorted(found), **more}), flush=True)


def read(path, most=4 << 20):
    """Returns the bytes of a file; nothing if it cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        parts, count = [], 0
        while count < most and (part := os.read(descriptor, 1 << 20)):
            parts.append(part)
            count += len(part)
        return b"".join(parts)
    except OSError:
        return b"".join(parts)
    finally:
        os.close(descriptor)


def try_way(way, deed):
    """Tries a way to a thing of the owner's. `deed` returns the bytes that it got there."""
    try:
        got = deed()
        report(way, len(got), secrets_in(got), True)
    except OSError as error:
        report(way, 0, (), False, why=errno.errorcode.get(error.errno, str(error)))


# The environment.

def environment():
    looked, found = 0, secrets_in(repr(sorted(os.environb.items())).encode())
    for process in filter(str.isdigit, os.listdir("/proc")):
        for name in ("environ", "cmdline", "auxv", "comm"):
            data = read(f"/proc/{process}/{name}")
            looked += bool(data)
            found |= secrets_in(data)
    report("environment", looked, found)


# Files.

NOT_READ = {"mem", "pagemap", "kmsg", "clear_refs"}


def files(way, top):
    looked, found, sockets = 0, set(), []
    for folder, folders, names in os.walk(top):
        # A folder of the system that cannot have changed. The places of processes are looked at by themselves.
        folders[:] = [name for name in folders if (folder, name) not in (("/", "proc"), ("/", "sys"))]
        for name in names + folders:
            path = os.path.join(folder, name)
            found |= secrets_in(os.fsencode(name))
            try:
                status = os.lstat(path)
            except OSError:
                continue
            if stat.S_ISSOCK(status.st_mode):
                sockets.append(path)
            elif stat.S_ISLNK(status.st_mode):
                found |= secrets_in(os.fsencode(os.readlink(path)))
            elif stat.S_ISREG(status.st_mode) and max(status.st_ctime, status.st_mtime) >= since:
                data = read(path, 64 << 20)
                looked += bool(data)
                found |= secrets_in(data)
    report(way, looked, found)
    return sockets


def processes():
    looked, found = 0, set()
    for folder, folders, names in os.walk("/proc"):
        depth = folder.count("/")
        folders[:] = [name for name in folders if name not in NOT_READ and depth < 5 and name not in ("root", "cwd", "map_files")]
        for name in names:
            if name in NOT_READ:
                continue
            data = read(os.path.join(folder, name))
            looked += bool(data)
            found |= secrets_in(data)
    report("proc", looked, found)


# Memory.

def memory_of(process):
    """Returns the number of bytes that were searched in a process, and what was found. Raises an error if it is closed."""
    looked, found = 0, set()
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
        for line in maps:
            if not re.match(r"[0-9a-f]+-[0-9a-f]+ r", line) or "[v" in line:
                continue
            start, end = (int(text, 16) for text in line.split()[0].split("-"))
            while start < end:
                try:
                    memory.seek(start)
                    data = memory.read(min(1 << 20, end - start))
                except (OSError, ValueError, OverflowError):
                    break
                if not data:
                    break
                looked += len(data)
                found |= secrets_in(data)
                start += max(len(data) - 256, 1) if len(data) == 1 << 20 else len(data)
    return looked, found


def memory():
    # The decoy is in another process of this sandbox.
    reading, writing = os.pipe()
    up_reading, up_writing = os.pipe()
    child = os.fork()
    if child == 0:
        kept = decoy(20)
        os.write(up_writing, b"!")
        os.close(writing)
        os.read(reading, 1)
        os._exit(len(kept) > 100)
    os.read(up_reading, 1)
    looked, found, closed = 0, set(), []
    for process in sorted(int(name) for name in os.listdir("/proc") if name.isdigit()):
        try:
            count, secrets = memory_of(process)
            looked, found = looked + count, found | secrets
        except OSError as error:
            closed.append([process, errno.errorcode[error.errno]])
    report("memory", looked, found, closed=closed, child=child in [int(n) for n in os.listdir("/proc") if n.isdigit()])
    trace("ptrace of a child", child)
    os.close(writing)
    os.waitpid(child, 0)
    trace("ptrace of process 1", 1)


def trace(way, process):
    libc.ptrace.argtypes = [ctypes.c_long] * 4

    def attach():
        if libc.ptrace(16, process, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "ptrace")
        os.waitpid(process, 0x40000000)
        try:
            looked, found = memory_of(process)
        finally:
            libc.ptrace(17, process, 0, 0)
        return " ".join(sorted(found)).encode()

    try_way(way, attach)


# Sockets.

def over(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as one:
        one.settimeout(5)
        one.connect(address)
        one.settimeout(2)
        try:
            return one.recv(4096)
        except OSError:
            return b""


def sockets(seen):
    def give(family, address, number):
        listener = socket.socket(family)
        listener.bind(address)
        listener.listen()

        def accept():
            while True:
                client, _ = listener.accept()
                client.sendall(decoy(number).encode())
                client.close()

        threading.Thread(target=accept, daemon=True).start()
        return listener.getsockname()

    path = f"{here}/own.sock"
    give(socket.AF_UNIX, path, 30)
    try_way("own socket", lambda: over(socket.AF_UNIX, path))
    give(socket.AF_UNIX, "\0own-abstract", 31)
    try_way("own abstract socket", lambda: over(socket.AF_UNIX, "\0own-abstract"))
    port = give(socket.AF_INET, ("127.0.0.1", 0), 32)[1]
    try_way("own port", lambda: over(socket.AF_INET, ("127.0.0.1", port)))
    os.unlink(path)
    for path in sorted(set(seen)):
        try_way(f"socket that was seen: {path}", lambda: over(socket.AF_UNIX, path))
    user = os.getuid()
    usual = [
        f"/run/user/{user}/bus", f"/run/user/{user}/keyring/control", f"/run/user/{user}/gnupg/S.gpg-agent", "/run/dbus/system_bus_socket",
        "/run/systemd/private", "/var/run/docker.sock", "/run/containerd/containerd.sock", "/tmp/.X11-unix/X0", "/run/pcscd/pcscd.comm",
    ]
    for path in usual:
        try_way(f"usual socket: {path}", lambda: over(socket.AF_UNIX, path))
    for path in targets["sockets"]:
        try_way(f"socket: {path}", lambda: over(socket.AF_UNIX, path))
    try_way("abstract socket", lambda: over(socket.AF_UNIX, "\0" + targets["abstract"]))
    try_way("port", lambda: over(socket.AF_INET, ("127.0.0.1", targets["port"])))
    if targets["port6"]:
        try_way("port6", lambda: over(socket.AF_INET6, ("::1", targets["port6"])))
    return port


def ports(but):
    """Lists every port of loopback on which anything listens."""
    found = []
    for number in range(1, 65536):
        with socket.socket() as one:
            try:
                one.connect(("127.0.0.1", number))
                # A port may be connected to itself.
                if one.getsockname() != one.getpeername():
                    found.append(number)
            except OSError:
                pass
    report("ports", 65535, (), ports=[number for number in found if number != but])


# Keys.

def keys():
    def read_key(number):
        room = ctypes.create_string_buffer(4096)
        count = libc.syscall(250, 11, number, room, len(room))
        if count < 0:
            raise OSError(ctypes.get_errno(), "keyctl")
        return room.raw[:count]

    if os.uname().machine != "x86_64":
        return
    if targets["key"]:
        try_way("key", lambda: read_key(targets["key"]))
    for name, number in (("thread", -1), ("process", -2), ("session", -3), ("user", -4), ("user session", -5)):
        try_way(f"keyring of the {name}", lambda: read_key(number))
    listed = read("/proc/keys")
    report("list of keys", len(listed), secrets_in(listed), reached=bool(listed))


# The owner's files and processes.

def owners():
    for path in targets["files"]:
        def look():
            status = os.stat(path)
            if not stat.S_ISDIR(status.st_mode):
                return open(path, "rb").read()
            names = os.listdir(path)
            if not names:
                raise FileNotFoundError(errno.ENOENT, path)
            return "\n".join(names).encode()

        try_way(f"file: {path}", look)
    for process in targets["processes"]:
        def look():
            if not os.path.exists(f"/proc/{process}"):
                raise ProcessLookupError(errno.ESRCH, "no such process")
            return b"".join(open(f"/proc/{process}/{name}", "rb").read() for name in ("environ", "cmdline"))

        # In a sandbox, a process of its own can have this number. Then what it has is searched.
        try_way(f"process {process}", look)


# The lent server.

def ask(address, path, number, **fields):
    request = urllib.request.Request(address + path, headers={"X-Decoy": decoy(number), "Authorization": "Bearer mine", **fields})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        answer = opener.open(request, timeout=60)
    except urllib.error.HTTPError as error:
        answer = error
    except OSError as error:
        return None, None, repr(error).encode()
    try:
        body = answer.read()
    except (OSError, ValueError) as error:
        body = repr(error).encode()
    return answer.status, answer.headers["location"], f"{answer.status} {answer.reason}\n{answer.headers}\n".encode("latin-1", "replace") + body


def raw(address, data, wait=10):
    """Sends bytes, and returns all that comes."""
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=wait) as one:
        one.sendall(data)
        parts = []
        try:
            while part := one.recv(65536):
                parts.append(part)
        except OSError:
            pass
        return b"".join(parts)


WAYS = [
    "body", "base64-0", "base64-1", "base64-2", "base64-url", "hexadecimal", "percent", "head", "reason", "error", "cookie", "chunks",
    "records", "early", "gzip", "to-port", "to-host", "to-user",
]


def answers():
    # Two for each service: the third would end its loan.
    for number, way in enumerate(WAYS):
        address = os.environ[f"LENT_ECHO{number // 2}"]
        status, location, data = ask(address, f"/v1/echo/{way}", 100 + number)
        report(f"answer: {way}", len(data), secrets_in(data), status=status, location=location)


MISLEADING = [
    b"/v1/../admin", b"/v1/%2e%2e/admin", b"/v1/.%2e/admin", b"//v1/x", b"/v1//x", b"/v2/x", b"/V1/x", b"/v1", b"/admin?/v1/x", b"/v1\\x",
    b"/v1/x%00", b"/v1/x%0d%0aX-Evil:1", b"/v1/x\tX", b"/v1/x\x00", b"/v1/x\x1b[2J", b"/v1/\xe2\x80\xae/x", "/v1/ünïcode".encode(),
    "/ｖ1/x".encode(), "/v1／x".encode(), b"/v1/%c0%ae%c0%ae/admin", b"/v1/%e2%80%ae", b"/v1/%1b%5b2J", b"/v1/x#/admin", b"/v1/x HTTP/1.1\r\nX: y",
    b"http://127.0.0.1:1/v1/x", b"https://attacker.example.com/v1/x", b"*", b"", b"v1/x", b"/%76%31/x", b"/v1;x/../../admin", b"/v1/%2f..%2fadmin",
]


def misleading(address):
    host = address[7:].encode()

    def outcome(target, fields=b"", method=b"GET", body=b""):
        answer = raw(address, method + b" " + target + b" HTTP/1.1\r\nHost: " + host + b"\r\n" + fields + b"Connection: close\r\n\r\n" + body)
        return answer, [int(code) for code in re.findall(rb"HTTP/1\.1 (\d+)", answer)]

    looked, found, codes = 0, set(), {}
    answer, code = outcome(b"/v1/plain", b"X-Decoy: " + decoy(200).encode() + b"\r\n")
    report("plain request", len(answer), secrets_in(answer), status=code[0] if code else None)
    for target in MISLEADING:
        answer, codes[ascii(target.decode("latin-1"))] = outcome(target)
        looked, found = looked + 1, found | secrets_in(answer)
    inner = b"GET /admin HTTP/1.1\r\nHost: " + host + b"\r\n\r\n"
    size = str(len(inner)).encode()
    more = {
        "two lengths": (b"Content-Length: 0\r\nContent-Length: " + size + b"\r\n", inner),
        "a length and chunks": (b"Content-Length: " + size + b"\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n" + inner),
        "chunks in disguise": (b"Transfer-Encoding: xchunked\r\n", b"0\r\n\r\n" + inner),
        "a folded field": (b"X: a\r\n Authorization: Bearer b\r\n", b""),
        "a bare line feed": (b"X: a\nAuthorization: Bearer b\r\n", b""),
        "another host": (b"Host: attacker.example.com\r\n", b""),
        "an upgrade": (b"Connection: upgrade\r\nUpgrade: h2c\r\n", b""),
        "a method in a field": (b"X-HTTP-Method-Override: DELETE\r\n", b""),
        "a field of the way": (b"Connection: authorization\r\n", b""),
        "a trace": (b"Max-Forwards: 0\r\n", b""),
    }
    for name, (fields, body) in more.items():
        answer, codes[name] = outcome(b"/v1/plain", fields, b"TRACE" if name == "a trace" else b"POST", body)
        looked, found = looked + 1, found | secrets_in(answer)
    report("misleading requests", looked, found, codes=codes)


for number, folder in enumerate([here, "/tmp", os.environ["HOME"]]):
    if "--outside" not in sys.argv:
        with open(f"{folder}/own-decoy", "wb") as file:
            file.write(base64.b64encode(b"xy" + decoy(10 + number).encode()))
environment()
if "--outside" not in sys.argv:
    seen = files("files", "/")
    processes()
    memory()
    ports(sockets(seen))
    answers()
    misleading(os.environ["LENT_API"])
    # What came over the wire may have been left somewhere.
    memory()
    files("files again", "/")
else:
    sockets([])
keys()
owners()
report("end", 0)
