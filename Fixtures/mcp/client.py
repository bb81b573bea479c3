"""Calls the tools of a server by the client of the Python package mcp: client.py PROGRAM

It prints a line for each thing that the client got, over standard streams and over HTTP, by the handshake of 2025 and without one.
"""
import asyncio
import http.server
import json
import subprocess
import sys
import threading

import mcp
from mcp.client.stdio import StdioServerParameters

PROGRAM = sys.argv[1]
CALLS = [
    ("latchkey_list", {}),
    ("latchkey_request", {"service": "api", "reason": "run the tests", "uses": 20, "minutes": 30}),
    ("latchkey_status", {"request": "request-1"}),
    ("latchkey_status", {"request": "request-2", "seconds": 0}),
    ("latchkey_request", {"service": "code", "reason": "push the fix", "verb": "push", "target": "agent/fix"}),
    ("latchkey_request", {"service": "free", "reason": "look"}),
    ("latchkey_request", {"service": "elsewhere", "reason": "look"}),
    ("latchkey_request", {"service": "api"}),
]


class Handler(http.server.BaseHTTPRequestHandler):
    """Takes each request to the program, whose standard streams carry them one by one."""

    protocol_version = "HTTP/1.1"
    program = None
    turn = threading.Lock()
    seen = []

    def exchange(self):
        length = int(self.headers.get("content-length") or 0)
        request = {
            "method": self.command,
            "path": self.path,
            "fields": {name.lower(): value for name, value in self.headers.items()},
            "body": self.rfile.read(length).decode(),
        }
        with self.turn:
            self.program.stdin.write(json.dumps(request).encode() + b"\n")
            self.program.stdin.flush()
            answer = json.loads(self.program.stdout.readline())
        self.seen.append((self.command, answer["status"]))
        body = answer["body"].encode()
        self.send_response(answer["status"])
        for name, value in answer["fields"].items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_DELETE = exchange

    def log_message(self, *words):
        pass


async def drive(server, mode, transport):
    async with mcp.Client(server, mode=mode) as client:
        print(transport, mode, client.protocol_version)
        # A client that takes the version for granted asks for nothing of this.
        if mode != "2026-07-28":
            print("  server", client.server_info.name, client.server_info.version)
            assert "latchkey_list" in client.instructions
        if mode == "legacy":
            await client.send_ping()
        tools = (await client.list_tools()).tools
        print("  tools", *[tool.name for tool in tools])
        assert all(tool.input_schema and tool.output_schema and tool.description for tool in tools)
        for name, arguments in CALLS:
            # The client checks the result by the schema that the server declared.
            result = await client.call_tool(name, arguments)
            if result.is_error:
                print("  refused", name, result.content[0].text)
            else:
                assert json.loads(result.content[0].text) == result.structured_content
                print("  done", name, json.dumps(result.structured_content, sort_keys=True))
        for call in [client.call_tool("latchkey_get", {}), client.list_resources(), client.list_prompts()]:
            try:
                await call
                print("  answered")
            except mcp.MCPError as error:
                print("  error", error.code)


async def main():
    for mode in ["legacy", "auto", "2026-07-28"]:
        await drive(StdioServerParameters(command=PROGRAM, args=[]), mode, "stdio")
    Handler.program = subprocess.Popen([PROGRAM, "web"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for mode in ["legacy", "auto", "2026-07-28"]:
        await drive(f"http://127.0.0.1:{server.server_port}/mcp", mode, "http")
    print("statuses", *sorted({f"{method}={status}" for method, status in Handler.seen}))
    Handler.program.stdin.close()
    Handler.program.wait()


asyncio.run(main())
