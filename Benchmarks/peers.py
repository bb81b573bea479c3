"""Has the peers make the same decisions as `decide`, checks that the answers are equal, and times them.

Reads the workload on standard input, prints one figure a line as JSON. Both peers are called from Python, as their users
here would call them, so the cost of the binding is in their figures.
"""

import json
import statistics
import sys
import time
from types import SimpleNamespace

import casbin
import cedarpy

# The rules, translated for each peer. Biometry or the passcode satisfies presence. A changed set closes the biometric way. The
# application password is needed in addition.
FORBID = [
    "c.invalidated",
    "!c.inGroup",
    "!c.classOpen",
    "c.asksPassword && !c.hasPassword",
]
BIOMETRY = "(c.asksBiometry || (c.asksCurrentSet && !c.setChanged)) && c.hasBiometry"
PERMIT = [
    "!c.asksPresence && !c.asksBiometry && !c.asksCurrentSet && !c.asksCompanion && !c.asksPasscode",
    "c.asksPresence && (c.hasBiometry || c.hasPasscode)",
    f"c.anyDoes && (({BIOMETRY}) || (c.asksCompanion && c.hasCompanion) || (c.asksPasscode && c.hasPasscode))",
    "!c.anyDoes && !c.asksPresence && (!c.asksBiometry || c.hasBiometry)"
    " && (!c.asksCurrentSet || (!c.setChanged && c.hasBiometry))"
    " && (!c.asksCompanion || c.hasCompanion) && (!c.asksPasscode || c.hasPasscode)",
]


def cedar(questions):
    def policy(effect, condition):
        return f"{effect}(principal, action, resource) when {{ {condition.replace('c.', 'context.')} }};"

    text = [policy("forbid", rule) for rule in FORBID] + [policy("permit", rule) for rule in PERMIT]
    policies = cedarpy.PolicySet.from_str("\n".join(text))
    requests = [
        {"principal": 'App::"a"', "action": 'Action::"read"', "resource": 'Item::"i"', "context": question["context"]}
        for question in questions
    ]
    one = lambda: [cedarpy.is_authorized(request, policies, []).allowed for request in requests]
    batch = lambda: [result.allowed for result in cedarpy.is_authorized_batch(requests, policies, [])]
    return {"one at a time": one, "in a batch": batch}


MODEL = """
[request_definition]
r = ctx
[policy_definition]
p = rule, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = eval(p.rule)
"""


def pycasbin(questions):
    model = casbin.Enforcer.new_model(text=MODEL)
    enforcer = casbin.Enforcer(model)
    for effect, rules in (("deny", FORBID), ("allow", PERMIT)):
        for rule in rules:
            enforcer.add_policy(rule.replace("c.", "r.ctx."), effect)
    contexts = [SimpleNamespace(**question["context"]) for question in questions]
    return {"one at a time": lambda: [enforcer.enforce(context) for context in contexts]}


def main():
    questions = json.load(sys.stdin)
    expected = [question["granted"] for question in questions]
    for name, make, count in (("cedarpy", cedar, 4096), ("casbin", pycasbin, 512)):
        best = None
        for how, ask in make(questions[:count]).items():
            if ask() != expected[:count]:
                sys.exit(f"{name} {how} does not give our answers; the comparison would mean nothing")
            times = []
            for _ in range(5):
                start = time.perf_counter_ns()
                ask()
                times.append((time.perf_counter_ns() - start) / count)
            print(f"  {name} {how}: {count} equal answers, {statistics.median(times):.0f} ns", file=sys.stderr)
            best = min(statistics.median(times), best or float("inf"))
        print(json.dumps({"name": f"decide.{name}.ns", "value": best, "unit": "ns", "runs": 5}))


main()
