"""Ways from a program to the things of another one of its user.

boundary.py victim FOLDER   has things to reach, prints where they are, and waits for a line
boundary.py try PLACES      tries each way, and prints those that are open
"""
import ctypes, json, os, secrets, socket, sys

CANARY = b"canary-in-memory-" + b"5e1f"
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def listening(family, address):
    made = socket.socket(family)
    made.bind(address)
    made.listen(64)
    return made


def victim(folder):
    libc.prctl(0x59616D61, ctypes.c_long(-1), 0, 0, 0)  # Yama: any process of the user may trace this one
    name = "\0latchkey-victim-" + secrets.token_hex(8)
    os.umask(0o077)
    kept = [
        listening(socket.AF_UNIX, folder + "/bus"), listening(socket.AF_UNIX, folder + "/agent"),
        listening(socket.AF_UNIX, name), listening(socket.AF_INET, ("127.0.0.1", 0)),
    ]
    memory = ctypes.create_string_buffer(CANARY)
    print(json.dumps({
        "pid": os.getpid(), "folder": folder, "name": name, "port": kept[3].getsockname()[1],
        "file": kept[0].fileno(), "memory": ctypes.addressof(memory),
    }), flush=True)
    sys.stdin.readline()


def connects(family, address):
    with socket.socket(family) as made:
        made.settimeout(60)
        made.connect(address)
        return True


def reads_memory(places):
    with open("/proc/%d/mem" % places["pid"], "rb", 0) as memory:
        memory.seek(places["memory"])
        return memory.read(len(CANARY)) == CANARY


def traces(places):
    if libc.ptrace(16, places["pid"], 0, 0) != 0:
        return False
    os.waitpid(places["pid"], 0x40000000)
    libc.ptrace(17, places["pid"], 0, 0)
    return True


def takes_file(places):
    process = libc.syscall(434, places["pid"], 0)
    return process >= 0 and libc.syscall(438, process, places["file"], 0) >= 0


def reads_key(places):
    number = {"x86_64": 250, "aarch64": 219}[os.uname().machine]
    return libc.syscall(number, 11, places["key"], 0, 0) >= 0


WAYS = {
    "ptrace": traces,
    "environ": lambda places: b"VICTIM=" in open("/proc/%d/environ" % places["pid"], "rb").read(),
    "mem": reads_memory,
    "pidfd_getfd": takes_file,
    "signals": lambda places: os.kill(places["pid"], 0) is None,
    "bus": lambda places: connects(socket.AF_UNIX, places["folder"] + "/bus"),
    "agent": lambda places: connects(socket.AF_UNIX, places["folder"] + "/agent"),
    "abstract": lambda places: connects(socket.AF_UNIX, places["name"]),
    "loopback": lambda places: connects(socket.AF_INET, ("127.0.0.1", places["port"])),
    "keyring": reads_key,
}


def attempts(places):
    if places["login"]:
        # Another user has a session keyring of an own login.
        libc.syscall({"x86_64": 250, "aarch64": 219}[os.uname().machine], 1, 0)
    for name, way in WAYS.items():
        try:
            if way(places):
                print(name)
        except OSError:
            pass
    print("over")


if sys.argv[1] == "victim":
    victim(sys.argv[2])
else:
    attempts(json.loads(sys.argv[2]))
