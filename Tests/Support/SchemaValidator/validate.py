#!/usr/bin/python3
"""Says which documents are valid under a JSON Schema: validate.py SCHEMA CASES

CASES is a JSON list of texts in YAML. Printed is a JSON list: for each text, a list with what is wrong with each of its
documents, null where nothing is. Scalars mean what YAML 1.2 says, as in editors, where PyYAML by itself keeps to 1.1.
"""
import json
import re
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    yaml_implicit_resolvers = {}


def scalar(tag, pattern, first):
    Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile("^(?:" + pattern + ")$"), first)


digits = list("-+0123456789")
scalar("null", "~|null|Null|NULL|", ["~", "n", "N", ""])
scalar("bool", "true|True|TRUE|false|False|FALSE", list("tTfF"))
scalar("int", "[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", digits)
scalar("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", digits + ["."])


def integer(loader, node):
    text = node.value
    return int(text, 0) if text[:2] in ("0o", "0x") else int(text)


def mapping(loader, node):
    # A key of JSON is a text as it is written.
    return {key.value: loader.construct_object(value, deep=True) for key, value in node.value}


Loader.add_constructor("tag:yaml.org,2002:int", integer)
Loader.add_constructor("tag:yaml.org,2002:map", mapping)

schema = json.load(open(sys.argv[1], encoding="utf-8"))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)


def judge(text):
    documents = [document for document in yaml.load_all(text, Loader=Loader) if document is not None]
    errors = [next(validator.iter_errors(document), None) for document in documents]
    return [error and "/".join(map(str, error.absolute_path)) + ": " + error.message[:200] for error in errors]


print(json.dumps([judge(text) for text in json.load(open(sys.argv[2], encoding="utf-8"))]))
