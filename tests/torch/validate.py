"""Validates exported notebooks by nbformat's schema, and records in JSON by docs/trace.schema.json.

python3 validate.py SCHEMA A.ipynb B.json ...: exit code 1 at the first file that is not valid.
"""
import json
import sys

import jsonschema
import nbformat


def no_twice(pairs):
    members = dict(pairs)
    assert len(members) == len(pairs), "a member is there twice"
    return members


with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
trace = jsonschema.Draft202012Validator(schema)
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        content = json.load(file, object_pairs_hook=no_twice)
    try:
        if path.endswith(".ipynb"):
            assert (content["nbformat"], content["nbformat_minor"]) == (4, 5)
            nbformat.validate(nbformat.from_dict(content))
        else:
            trace.validate(content)
    except (AssertionError, jsonschema.ValidationError, nbformat.ValidationError) as error:
        sys.exit(f"{path}: {str(error)[:2000]}")
print("valid:", len(sys.argv) - 2)
