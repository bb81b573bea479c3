"""A git server behind TLS for tests: git-server.py CERTIFICATE KEY FOLDER USER:PASSWORD

It serves the bare repositories of FOLDER by `git http-backend` to clients with this Basic credential. It prints its port, and a line
for each request.
"""
import base64
import os
import subprocess
import sys

import tls_server

FOLDER = sys.argv[3]
CREDENTIAL = "Basic " + base64.b64encode(sys.argv[4].encode()).decode()


class Handler(tls_server.Handler):
    def answer(self):
        sent = self.body()
        is_known = self.headers["authorization"] == CREDENTIAL
        print(self.command, self.path, "known" if is_known else "unknown", flush=True)
        if not is_known:
            self.send_response(401)
            self.send_header("www-authenticate", 'Basic realm="git"')
            self.send_header("content-length", "0")
            return self.end_headers()
        path, _, query = self.path.partition("?")
        environment = {
            "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": FOLDER, "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
            "QUERY_STRING": query, "REQUEST_METHOD": self.command, "REMOTE_USER": "alice", "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": self.headers.get("content-type") or "", "CONTENT_LENGTH": str(len(sent)),
            "HTTP_CONTENT_ENCODING": self.headers.get("content-encoding") or "",
            "GIT_PROTOCOL": self.headers.get("git-protocol") or "", "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
        }
        found = subprocess.run(["git", "http-backend"], input=sent, env=environment, stdout=subprocess.PIPE).stdout
        head, _, answer = found.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if line)
        self.send_response(int(fields.pop("Status", "200").split()[0]))
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_PUT = do_DELETE = answer


tls_server.serve(Handler)
