"""A server with the interfaces of two vendors of models, behind TLS, for tests: model-server.py CERTIFICATE KEY FOLDER

After each event of a stream it waits until its client says in FOLDER that it has seen it. It prints its port, and a line for each
request: its method, its path, its credential and the size of its body.
"""
import json
import os
import sys
import time

import tls_server

FOLDER = sys.argv[3]
WORDS = ["one ", "two ", "three ", "four"]


def chat(text, kind="chat.completion", part="message"):
    choice = {"index": 0, "finish_reason": None if part == "delta" else "stop", part: {"role": "assistant", "content": text}}
    return {"id": "chat-1", "object": kind, "created": 1, "model": "m", "choices": [choice]}


def message(content):
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": None, "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


class Handler(tls_server.Handler):
    overloads = 0

    def send_json(self, value, status=200, **fields):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        for name, text in fields.items():
            self.send_header(name.replace("_", "-"), text)
        self.end_headers()
        self.wfile.write(body)

    def stream(self, events):
        """Sends events. Each one with a text has to be seen before the next is sent."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        seen = 0
        for name, value, is_awaited in events:
            text = (f"event: {name}\n" if name else "") + f"data: {value if isinstance(value, str) else json.dumps(value)}\n\n"
            self.wfile.write(b"%x\r\n%s\r\n" % (len(text), text.encode()))
            self.wfile.flush()
            if is_awaited:
                end = time.monotonic() + 120
                while not os.path.exists(f"{FOLDER}/seen-{seen}"):
                    if time.monotonic() > end:
                        print("held back", flush=True)
                        return
                    time.sleep(0.005)
                os.unlink(f"{FOLDER}/seen-{seen}")
                seen += 1
        self.wfile.write(b"0\r\n\r\n")

    def answer(self):
        body = self.body()
        given = [f"{name}={self.headers[name]}" for name in ("authorization", "x-api-key", "cookie") if self.headers[name]]
        print(self.command, self.path, *given, len(body), flush=True)
        path = self.path.partition("?")[0]
        is_json = self.headers.get("content-type", "").startswith("application/json")
        asked = json.loads(body) if body and is_json else {}
        if path == "/v1/chat/completions" and asked.get("stream"):
            events = [(None, chat(word, "chat.completion.chunk", "delta"), True) for word in WORDS]
            self.stream(events + [(None, "[DONE]", False)])
        elif path == "/v1/chat/completions":
            self.send_json(chat(f"answer to {asked['messages'][0]['content']}"))
        elif path == "/v1/messages" and asked.get("stream"):
            start = [
                ("message_start", {"type": "message_start", "message": message([])}, False),
                ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}, False),
            ]
            deltas = [
                ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}}, True)
                for word in WORDS
            ]
            end = [
                ("content_block_stop", {"type": "content_block_stop", "index": 0}, False),
                ("message_delta", {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 4}}, False),
                ("message_stop", {"type": "message_stop"}, False),
            ]
            self.stream(start + deltas + end)
        elif path == "/v1/messages" and Handler.overloads == 0:
            # The clients of the vendor try again.
            Handler.overloads += 1
            self.send_json({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}, 529, retry_after="0")
        elif path == "/v1/messages":
            self.send_json(message([{"type": "text", "text": f"answer to {asked['messages'][0]['content']}"}]))
        elif path == "/v1/models":
            self.send_json({"object": "list", "data": [{"id": "m", "object": "model", "created": 1, "owned_by": "o"}]})
        elif path == "/v1/stream":
            self.stream([(None, word.strip(), True) for word in WORDS])
        else:
            self.send_json({"size": len(body), "query": self.path.partition("?")[2]}, set_cookie="session=1")

    do_GET = do_POST = do_PUT = do_DELETE = answer


tls_server.serve(Handler)
