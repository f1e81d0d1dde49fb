"""spec/schemas: every command with --json has one, each describes its own examples, and none takes what is not so."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from support import output_schemas

COMMANDS = sorted(output_schemas.commands())
#: Nothing but what may hold anything takes it: neither as a value nor as a map of counts or texts.
WRONG = {"?": {"!": True}}
# What the specification leaves open: members that tools add to reports, drift and checks.
OPEN = {
    ("drift", "/$defs/drift"): (),
    ("validate", ""): (),
    ("score", "/$defs/report"): ("tool", "corpus", "judgments", "metrics", "verdict", "per_stratum"),
}
# Values of any kind: states that are in conflict, scores then and now, what an earlier report says of itself.
ANYTHING = {
    "qrels merge": [(kind, "[]", side) for kind in ("conflicts", "settled") for side in ("base", "ours", "theirs")],
    "agentic rescore": [("changed", "[]", "changed", "success", "[]")],
    "score": [("baseline", "tool"), ("baseline", "generated_at")],
}


def parts(command: str) -> Iterator[tuple[str, list[Any]]]:
    """(pointer, examples) of each result that a command may have."""
    schema = json.loads(output_schemas.path(command).read_text(encoding="utf-8"))
    if "examples" in schema:
        yield "", schema["examples"]
    for name, each in schema.get("$defs", {}).items():
        if "examples" in each:
            yield f"/$defs/{name}", each["examples"]


PARTS = [(command, pointer) for command in COMMANDS for pointer, _ in parts(command)]


def examples(command: str, pointer: str) -> list[Any]:
    return dict(parts(command))[pointer]


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value in a JSON value, the whole first."""
    yield above
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inner:
        yield from places(each, (*above, name))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def changed(value: Any, path: tuple[Any, ...], to: Any = None) -> Any:
    """A copy with another value at a path; None takes the member away."""
    if not path:
        return to
    made = copy.deepcopy(value)
    target = at(made, path[:-1])
    if to is None:
        del target[path[-1]]
    else:
        target[path[-1]] = to
    return made


def general(path: tuple[Any, ...]) -> tuple[Any, ...]:
    """A path without the numbers of a list's entries."""
    return tuple("[]" if isinstance(step, int) else step for step in path)


def of_any_kind(command: str, path: tuple[Any, ...]) -> bool:
    """Whether the value at a path, or one that it is in, may be anything."""
    return any(general(path)[: len(free)] == free for free in ANYTHING.get(command, ()))


def test_every_command_with_json_has_a_schema() -> None:
    files = {path.name.removesuffix(".schema.json") for path in output_schemas.FOLDER.iterdir()}
    assert files == {command.replace(" ", "-") for command in COMMANDS} | {"shared"}
    assert len(COMMANDS) > 30


@pytest.mark.parametrize("command", COMMANDS)
def test_a_schema_is_one_and_is_told_of(command: str) -> None:
    schema = json.loads(output_schemas.path(command).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["title"] == f"What irbridge {command} --json prints"
    assert list(parts(command))
    page = next(word.rstrip(",.") for word in schema["description"].replace("(", "").split() if ".md" in word)
    text = (output_schemas.SPEC / page).read_text(encoding="utf-8")
    name = f"schemas/{output_schemas.path(command).name}"
    assert name in text, f"{page} does not name {name}"


def test_the_shared_parts_are_all_used() -> None:
    shared = json.loads((output_schemas.FOLDER / "shared.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(shared)
    texts = [path.read_text(encoding="utf-8") for path in Path(output_schemas.FOLDER).iterdir()]
    assert [name for name in shared["$defs"] if not any(f'#/$defs/{name}"' in text for text in texts)] == []


@pytest.mark.parametrize("command, pointer", PARTS)
def test_examples_are_valid(command: str, pointer: str) -> None:
    for example in examples(command, pointer):
        output_schemas.check(command, json.dumps(example))
        output_schemas.validator(command, pointer).validate(example)


@pytest.mark.parametrize("command, pointer", PARTS)
def test_a_member_that_is_not_named_is_refused(command: str, pointer: str) -> None:
    found, tried = output_schemas.validator(command), 0
    opened = OPEN.get((command, pointer))
    for example in examples(command, pointer):
        for path in places(example):
            left_open = opened is not None and (opened == () or path[:1] in {(name,) for name in opened})
            if isinstance(at(example, path), dict) and not left_open and not of_any_kind(command, path):
                assert not found.is_valid(changed(example, (*path, "unheard of"), WRONG)), path
                tried += 1
    assert tried or opened == () or all(isinstance(example, list) for example in examples(command, pointer))


@pytest.mark.parametrize("command, pointer", PARTS)
def test_a_value_of_another_type_is_refused(command: str, pointer: str) -> None:
    found = output_schemas.validator(command)
    for example in examples(command, pointer):
        for path in places(example):
            if not of_any_kind(command, path):
                assert not found.is_valid(changed(example, path, WRONG)), path


@pytest.mark.parametrize("command, pointer", PARTS)
def test_a_member_that_has_to_be_there_is_missed(command: str, pointer: str) -> None:
    """A member may be absent only if an example lacks it; entries of maps are absent where the map is empty."""
    found, tried = output_schemas.validator(command), 0
    given = examples(command, pointer)
    always: dict[tuple[Any, ...], set[str]] = {}
    for example in given:
        for path in places(example):
            if isinstance(value := at(example, path), dict):
                names = always.setdefault(general(path), set(value))
                names &= set(value)
    for example in given:
        for path in places(example):
            if isinstance(value := at(example, path), dict) and not of_any_kind(command, path):
                for name in always[general(path)] & set(value):
                    assert not found.is_valid(changed(example, (*path, name))), (*path, name)
                    tried += 1
    assert tried
