"""A server behind TLS that takes signed requests alone, for tests: signed-server.py CERTIFICATE KEY SECRET [as-s3]

It prints its port, and a line for each request: its method, its target, the key, the scope, the size of its body, and the fault of its
signature. With as-s3, its answers to PUT are empty, as those of S3.
"""
import sys

import sigv4
import tls_server


class Handler(tls_server.Handler):
    def answer(self):
        body = self.body()
        fault = sigv4.fault(self.command, self.path, self.headers.items(), body, sys.argv[3]) or "right"
        credential = (self.headers["authorization"] or "").partition("Credential=")[2].partition(",")[0].split("/")
        scope = "/".join(credential[:1] + credential[2:])
        print(self.command, self.path, scope, self.headers["x-amz-security-token"], len(body), fault, flush=True)
        is_empty = self.command == "PUT" and sys.argv[4:] == ["as-s3"]
        text = b"" if is_empty else f"{fault}\n{self.headers}".encode()
        self.send_response(200 if fault == "right" else 403)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_PUT = do_POST = do_DELETE = answer


tls_server.serve(Handler)
