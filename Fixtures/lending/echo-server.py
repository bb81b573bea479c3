"""A server that works against its clients, behind TLS, for tests: echo-server.py CERTIFICATE KEY PORT

It sends back the credential of each request, and the field x-decoy beside it, in the way that the last part of the path names. A
redirect leads to PORT on loopback. It prints its port, and a line for each request: its path, as Python writes it, its credential, and
its decoy.
"""
import base64
import gzip
import sys

import tls_server

PORT = sys.argv[3]


def inside(text, before):
    return base64.b64encode(b"." * before + text.encode()).decode()


FORMS = {
    "body": str,
    "base64-0": lambda text: inside(text, 0),
    "base64-1": lambda text: inside(text, 1),
    "base64-2": lambda text: inside(text, 2),
    "base64-url": lambda text: base64.urlsafe_b64encode(b"\xff\xfe." + text.encode()).decode(),
    "hexadecimal": lambda text: text.encode().hex(),
    "percent": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
}


class Handler(tls_server.Handler):
    def raw(self, *pieces):
        """Sends pieces, each in a record of its own."""
        for piece in pieces:
            self.connection.sendall(piece if isinstance(piece, bytes) else piece.encode("latin-1"))

    def whole(self, body, status="200 OK", *fields):
        head = "".join(f"{line}\r\n" for line in [f"HTTP/1.1 {status}", f"content-length: {len(body)}", *fields])
        self.raw(head + "\r\n", body)

    def answer(self):
        self.body()
        got = (self.headers["authorization"] or "none").removeprefix("Bearer ")
        decoy = self.headers["x-decoy"] or "none"
        print(ascii(self.path), got, decoy, flush=True)
        words = [got, decoy]
        both = " ".join(words)
        way = self.path.partition("?")[0].rpartition("/")[2]
        if way in FORMS:
            self.whole("".join(f"<{FORMS[way](word)}>\n" for word in words))
        elif way == "head":
            self.whole("head", "200 OK", f"x-got: {both}", f"x-{got}: {decoy}")
        elif way == "reason":
            self.whole("reason " + decoy, f"200 {both}")
        elif way == "error":
            self.whole(f"no such key: {both}", "500 Internal Server Error")
        elif way == "cookie":
            self.whole("cookie " + decoy, "200 OK", f"set-cookie: got={got}", f"alt-svc: h2=\"{got}:443\"")
        elif way == "chunks":
            self.raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
            self.raw(*[f"1\r\n{letter}\r\n" for letter in both], f"0\r\nx-got: {both}\r\n\r\n")
        elif way == "records":
            self.raw(f"HTTP/1.1 200 OK\r\ncontent-length: {len(both)}\r\n", *f"x-got: {both}\r\n\r\n", *both)
        elif way == "early":
            self.raw(f"HTTP/1.1 103 Early Hints\r\nlink: <{both}>\r\n\r\n")
            self.whole("early " + decoy)
        elif way == "gzip":
            self.whole(gzip.compress(both.encode()), "200 OK", "content-encoding: gzip")
        elif way.startswith("to-"):
            places = {"to-port": f"http://127.0.0.1:{PORT}", "to-host": f"//127.0.0.1:{PORT}", "to-user": f"http://{got}@127.0.0.1:{PORT}"}
            self.whole("moved " + decoy, "302 Found", f"location: {places[way]}/{got}?{decoy}")
        else:
            self.whole("plain " + decoy)

    do_GET = do_POST = do_PUT = answer


tls_server.serve(Handler)
