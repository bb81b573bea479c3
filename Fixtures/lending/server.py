"""A web server behind TLS for tests: server.py CERTIFICATE KEY

It prints its port, and a line for each request: its method, its path, and the fields that carry credentials. The path decides the
answer.
"""
import sys
import time

import tls_server

CREDENTIALS = ["authorization", "x-api-key", "cookie"]


class Handler(tls_server.Handler):
    def answer(self):
        sent = self.body()
        credentials = [f"{name}={self.headers[name]}" for name in CREDENTIALS if self.headers[name]]
        print(self.command, self.path, f"host={self.headers['host']}", *credentials, flush=True)
        path = self.path.split("?")[0]
        if path == "/v1/stream":
            self.send_response(200)
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for number in range(200):
                part = f"data: {number}\n\n".encode()
                try:
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
                    self.wfile.flush()
                except OSError:
                    print("stream cut", flush=True)
                    return
                time.sleep(0.1)
            return
        if path == "/v1/elsewhere":
            self.send_response(302)
            self.send_header("location", "https://elsewhere.example.com/?" + (self.headers["authorization"] or ""))
            self.send_header("content-length", "0")
            self.end_headers()
            return
        body = b"answer to " + self.command.encode() + b" of " + str(len(sent)).encode() + b" bytes\n"
        if path == "/v1/echo":
            body = (str(self.headers) + "\n").encode() + sent
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.send_header("set-cookie", "session=1")
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_DELETE = answer


tls_server.serve(Handler)
