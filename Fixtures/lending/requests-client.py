"""What a program does with the package requests, in the sandbox of a test."""
import os

import requests

url = os.environ["API_URL"]
session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['API_TOKEN']}"
print(session.get(f"{url}/v1/things", params={"q": "a b&c"}).json())
for size in (0, 5, 2_000_000):
    print(session.post(f"{url}/v1/things", data=b"x" * size).json())
print(session.post(f"{url}/v1/things", data=(b"part" for _ in range(3))).json())
print("cookies", len(session.cookies))
with session.get(f"{url}/v1/stream", stream=True) as answer:
    seen = 0
    for line in answer.iter_lines(chunk_size=1):
        if line:
            print("streamed", line.decode())
            open(f"seen-{seen}", "w").close()
            seen += 1
refused = session.delete(f"{url}/v1/things")
print("refused", refused.status_code, refused.text.strip())
