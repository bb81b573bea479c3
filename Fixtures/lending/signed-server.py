"""A server behind TLS that takes signed requests alone, for tests: signed-server.py CERTIFICATE KEY SECRET

It prints its port, and a line for each request: its method, its target, the key, the scope, the size of its body, and the fault of its
signature.
"""
import http.server
import ssl
import sys

import sigv4


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        fault = sigv4.fault(self.command, self.path, self.headers.items(), body, sys.argv[3]) or "right"
        credential = (self.headers["authorization"] or "").partition("Credential=")[2].partition(",")[0].split("/")
        scope = "/".join(credential[:1] + credential[2:])
        print(self.command, self.path, scope, self.headers["x-amz-security-token"], len(body), fault, flush=True)
        text = f"{fault}\n{self.headers}".encode()
        self.send_response(200 if fault == "right" else 403)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_PUT = do_POST = do_DELETE = answer

    def log_message(self, *words):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass


server = Server(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_address[1], flush=True)
server.serve_forever()
