"""The owner's other things, for tests of a sandbox: outside.py SECRET FOLDER

Each of them gives SECRET to whoever reaches it: a port of loopback, an abstract socket, sockets in FOLDER, a key of the user, a file, the
environment and the memory of this process. It prints where they are, as JSON, and a line for each connection.
"""
import ctypes
import json
import os
import socket
import sys
import threading

secret, folder = sys.argv[1:3]
if "OWNER_TOKEN" not in os.environ:
    os.execve(sys.executable, [sys.executable, "-B", *sys.argv], {**os.environ, "OWNER_TOKEN": secret})


def serve(name, family, address):
    listener = socket.socket(family)
    listener.bind(address)
    listener.listen(64)

    def accept():
        while True:
            client, _ = listener.accept()
            print("reached", name, flush=True)
            try:
                client.sendall(secret.encode())
                client.close()
            except OSError:
                pass

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()


def key():
    """Returns a key that every program of the user may read; None if the system has none."""
    add_key, keyctl, all_of_the_user = 248, 250, 0x3F3F0000
    call = ctypes.CDLL(None, use_errno=True).syscall
    user_keyring, set_permissions, set_timeout, seconds = -4, 5, 15, 900
    number = call(add_key, b"user", name.encode(), secret.encode(), len(secret), user_keyring)
    if number < 0:
        return None
    call(keyctl, set_timeout, number, seconds)
    return number if call(keyctl, set_permissions, number, all_of_the_user) == 0 else None


name = "latchkey-test-" + os.urandom(8).hex()
os.makedirs(f"{folder}/.ssh", mode=0o700)
with open(f"{folder}/.ssh/token", "w") as file:
    file.write(secret)
targets = {
    "port": serve("port", socket.AF_INET, ("127.0.0.1", 0))[1],
    "port6": None,
    "abstract": name,
    "sockets": [f"{folder}/.ssh/agent.sock", f"{folder}/bus"],
    "files": [f"{folder}/.ssh/token"],
    "processes": [os.getpid()],
    "key": key() if os.uname().machine == "x86_64" else None,
}
try:
    targets["port6"] = serve("port6", socket.AF_INET6, ("::1", 0))[1]
except OSError:
    pass  # The machine has no such addresses.
serve("abstract", socket.AF_UNIX, "\0" + name)
for path in targets["sockets"]:
    serve(path, socket.AF_UNIX, path)
print(json.dumps(targets), flush=True)
sys.stdin.readline()
if targets["key"]:
    ctypes.CDLL(None).syscall(250, 3, targets["key"])
