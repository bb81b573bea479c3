"""A host of SSH on loopback for tests: ssh-server.py SETTINGS

It prints its port, and has `sshd -i` with these settings serve each connection, so it needs no root and no fixed port.
"""
import socket
import subprocess
import sys

listening = socket.socket()
listening.bind(("127.0.0.1", 0))
listening.listen()
print(listening.getsockname()[1], flush=True)
while True:
    connection, _ = listening.accept()
    subprocess.Popen(
        ["/usr/sbin/sshd", "-i", "-f", sys.argv[1]], stdin=connection, stdout=connection, stderr=subprocess.DEVNULL)
    connection.close()
