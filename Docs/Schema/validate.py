#!/usr/bin/env python3
"""Validates what nfctool prints with --json. Needs jsonschema from PyPI.

    nfctool scan --json | python3 Docs/Schema/validate.py scan

The argument is a name in commands.json: a command (provision-status), stderr, or report; or a file, such as record.json; or
several, as in "scan|stderr".
Without an argument, each line must begin with such a name and a tab. If a line does not match, prints the problem and exits 1.
With --unused, also prints for each name the schemas that no line matched.
"""
import json
import pathlib
import sys

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

schemas = {file.name: json.loads(file.read_text()) for file in pathlib.Path(__file__).parent.glob("*.json")}
for schema in schemas.values():
    Draft202012Validator.check_schema(schema)
registry = Registry().with_resources((schema["$id"], Resource.from_contents(schema)) for schema in schemas.values())


def validator(reference):
    return Draft202012Validator({"$ref": reference}, registry=registry)


def files(schema):
    """The schemas of events that a definition in commands.json names."""
    if "$ref" in schema:
        return [schema["$ref"]]
    return [name for part in schema.get("allOf", []) + schema.get("oneOf", []) for name in files(part)]


def without_doubles(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError(f"a member stands there twice: {names}")
    return dict(pairs)


def is_other_event(error):
    return list(error.absolute_path) == ["event"]


def causes(error):
    """What is wrong, of several alternatives with the one that comes closest."""
    if not error.context:
        return [error]
    branches = {}
    for part in error.context:
        branches.setdefault(part.relative_schema_path[0], []).extend(causes(part))
    return min(branches.values(), key=lambda branch: (any(map(is_other_event, branch)), len(branch)))


def problems(name, text):
    """What is wrong with a line; nothing when it fits one of the names."""
    try:
        value = json.loads(text, object_pairs_hook=without_doubles)
    except ValueError as error:
        return [str(error)]
    found = []
    for name in name.split("|"):
        if name not in commands and name not in schemas:
            sys.exit(f"validate.py: {name} is not in commands.json")
        errors = list((commands.get(name) or validator(name)).iter_errors(value))
        if not errors:
            unused.difference_update((name, file) for file in events.get(name, []) if validators[file].is_valid(value))
            return []
        found += [f"{cause.json_path}: {cause.message[:300]}" for error in errors for cause in causes(error)]
    return found


definitions = schemas["commands.json"]["$defs"]
commands = {name: validator(f"commands.json#/$defs/{name}") for name in definitions}
events = {name: files(definition) for name, definition in definitions.items()}
validators = {file: validator(file) for name in events for file in events[name]}
unused = {(name, file) for name in events for file in events[name]}
arguments = [argument for argument in sys.argv[1:] if argument != "--unused"]
status = 0
for number, line in enumerate(sys.stdin, 1):
    name, text = (arguments[0], line) if arguments else line.split("\t", 1)
    for problem in problems(name, text):
        status = 1
        print(f"line {number}, {name}: {problem}\n    {text.strip()[:300]}")
if "--unused" in sys.argv:
    for name, file in sorted(unused):
        print(f"unused: {name} {file}")
sys.exit(status)
