#!/usr/bin/python3
"""A client of Latchkey's live protocol, written from docs/live.md alone.

Usage: latchkey_live.py ADDRESS REPLIES plays a story on a device that may be driven, prints what came of each step, and writes every
reply to the file REPLIES: a list of pairs, the name of the definition and the reply.
"""
import json
import sys
import urllib.error
import urllib.request


class LiveDevice:
    def __init__(self, address):
        self.address = address
        self.replies = []

    def ask(self, path, definition, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"})
        try:
            reply = json.load(urllib.request.urlopen(request))
        except urllib.error.HTTPError as error:
            definition, reply = "error", json.load(error)
        self.replies.append((definition, reply))
        return reply

    def events(self):
        """Yields every event with its name, beginning with the whole history."""
        name = None
        for line in urllib.request.urlopen(self.address + "events"):
            key, _, value = line.decode().rstrip("\n").partition(": ")
            if key == "event":
                name = value
            elif key == "data":
                yield name, json.loads(value)


def main(address, replies):
    device = LiveDevice(address)
    events = device.events()
    device.replies.append(next(events))

    begun = device.ask("device", "history", {
        "name": "a device of Python", "device": "iPhoneWithTouchID",
        "people": {"thief": {"fingers": ["left thumb"], "passcode": "1234"}},
        "items": {"token": {"accessible": "whenPasscodeSetThisDeviceOnly", "require": "biometryCurrentSet"}},
        "files": {"journal": "complete"},
    })
    print(begun["title"])
    played = device.ask("steps", "played", [
        {"read": "token"}, {"read": "token", "by": "thief"}, {"enroll": ["left thumb"], "by": "thief"},
        {"read": "token", "by": "thief", "expect": "granted"}, {"open": "journal"}, "lock", {"wait": "11s"},
        {"append": "journal"}, {"exists": {"class": "genericPassword"}},
    ])["steps"]
    for step in played:
        rules = [rule["id"] for decision in step["decisions"] for rule in decision["rules"]]
        print(f"{step['number']}. {step['words']}: {step['outcome']}; {' '.join(rules)}")
        for finding in step["findings"]:
            print(f"   expected {finding['expected']}, got {finding['actual']}")
    state = device.ask("state", "state")
    print("locked" if state["device"]["locked"] else "unlocked", state["device"]["clock"], state["items"][0]["state"])
    print(device.ask("steps", "played", [{"raed": "token"}])["error"])
    print(device.ask("device", "history", {"include": "/etc/passwd"})["error"])
    print(device.ask("nothing", "error")["error"])
    claim = {"accessible": "whenPasscodeSetThisDeviceOnly", "require": "biometryAny", "never": "read", "against": "passcode-thief"}
    proof = device.ask("prove", "proof", claim)
    print(proof["answer"], proof["situations"], proof["moves"], "; ".join(proof["steps"]), json.dumps(proof["assumptions"]))
    print(device.ask("prove", "proof", {**claim, "require": "biometryCurrentSet"})["answer"])
    print(device.ask("prove", "proof", {**claim, "against": "passcode-thieff"})["error"])
    device.ask("history", "history")
    for name, event in events:
        device.replies.append(("step-played" if name == "step" else name, event))
        if event.get("number") == played[-1]["number"]:
            break
    with open(replies, "w", encoding="utf-8") as file:
        json.dump(device.replies, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
