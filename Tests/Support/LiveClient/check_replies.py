#!/usr/bin/python3
"""Checks replies of the live protocol with a validator that is not ours: check_replies.py SCHEMA REPLIES"""
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1], encoding="utf-8"))
jsonschema.Draft7Validator.check_schema(schema)
replies = json.load(open(sys.argv[2], encoding="utf-8"))
for name, reply in replies:
    part = {"$ref": "#/definitions/" + name, "definitions": schema["definitions"]}
    jsonschema.Draft7Validator(part).validate(reply)
    jsonschema.Draft7Validator(schema).validate(reply)
    # Validation of what is missing and of what is unknown works.
    for wrong in ({**reply, "more": 1}, {key: reply[key] for key in list(reply)[1:]}):
        if not list(jsonschema.Draft7Validator(part).iter_errors(wrong)):
            sys.exit(f"{name} accepts anything")
names = ", ".join(sorted({name for name, _ in replies}))
print(f"{len(replies)} replies are valid; used: {names}")
