"""A second evaluator of AWS's Signature Version 4, made from its documentation and not from the code of Latchkey.

sigv4.py SECRET FILE reads requests, one a line, as JSON: method, target, fields (a list of names and values as they are sent), body. It
prints the fault of each, or "right".
"""
import hashlib
import hmac
import json
import re
import sys
from urllib.parse import quote, unquote_to_bytes


def encoded(text):
    return quote(unquote_to_bytes(text), safe="-_.~")


def canonical_path(path, service):
    if service == "s3":
        return "/".join(encoded(part) for part in path.split("/"))
    parts = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    normal = "/" + "/".join(parts) + ("/" if parts and path.endswith("/") else "")
    return quote(normal, safe="/-_.~")


def canonical_query(query):
    pairs = [piece.partition("=") for piece in query.split("&") if piece]
    return "&".join(f"{name}={value}" for name, value in sorted((encoded(n), encoded(v)) for n, _, v in pairs))


def fault(method, target, fields, body, secret):
    """Returns the reason for which a server refuses a request; None if the signature is right."""
    found = {}
    for name, value in fields:
        found.setdefault(name.lower(), []).append(" ".join(value.split()))
    form = re.fullmatch(
        r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/([^/]+)/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})",
        ",".join(found.get("authorization", [])))
    if not form:
        return "no signature"
    _, day, region, service, names, signature = form.groups()
    needed = [n for n in found if n == "host" or n == "content-type" or n.startswith("x-amz-")]
    if sorted(needed) != names.split(";"):
        return f"signed are {names}, and not {';'.join(sorted(needed))}"
    stated = found.get("x-amz-content-sha256", [""])[0]
    if stated != hashlib.sha256(body).hexdigest():
        return "the body has another hash"
    date = found["x-amz-date"][0]
    path, _, query = target.partition("?")
    canonical = "\n".join(
        [method, canonical_path(path, service), canonical_query(query)]
        + [f"{n}:{','.join(found[n])}" for n in names.split(";")] + ["", names, stated])
    scope = f"{day}/{region}/{service}/aws4_request"
    if not date.startswith(day):
        return "another day"
    text = "\n".join(["AWS4-HMAC-SHA256", date, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + secret).encode()
    for step in scope.split("/") + [text]:
        key = hmac.new(key, step.encode(), "sha256").digest()
    return None if key.hex() == signature else "the signature does not match: " + repr(canonical)


if __name__ == "__main__":
    for line in open(sys.argv[2]):
        request = json.loads(line)
        print(fault(request["method"], request["target"], request["fields"], request["body"].encode(), sys.argv[1]) or "right")
