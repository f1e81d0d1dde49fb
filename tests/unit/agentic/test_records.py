"""Closed records: what is missing, unknown or of another type is refused with its place."""

from __future__ import annotations

import copy
import json
import re

import msgspec
import pytest
from support import agentic_schemas
from support.receipts import receipt

from irbridge.agentic.records import AgentTask, FinalEnvelope, HiddenOracle, NumberValue, TextsValue, plain, record
from irbridge.agentic.trajectory import TrajectoryReceipt
from irbridge.errors import InputError

HASH = "0123456789abcdef" * 4
TASK = {
    "schemaVersion": "1.0",
    "taskId": "t0a1b2c3",
    "category": "temporal",
    "brief": {"goal": "When?", "instructions": ["Look."]},
    "claims": [{"claimKey": "launchDate", "valueType": "date", "substantive": True, "required": True}],
    "allowedTools": ["search", "get"],
    "budgets": {"maxAgentCalls": 3, "maxModelVisibleBytes": 12000},
    "corpus": {"collections": ["c0a1"]},
}
COORDINATE = {
    "uri": "corpus://c0a1/n.md",
    "sourceHash": HASH,
    "startLine": 1,
    "endLine": 2,
    "spanHash": HASH,
    "sourceHashProvenance": "harness_observed",
    "spanHashProvenance": "backend_provided",
}
ENVELOPE = {
    "schemaVersion": "1.0",
    "claims": [
        {
            "claimKey": "launchDate",
            "value": {"type": "date", "value": "2026-09-14"},
            "citations": [COORDINATE],
        }
    ],
    "gaps": [{"claimKey": "owner", "reason": "conflicting_evidence"}],
    "abstained": False,
    "stopReason": "complete",
}
ORACLE = {
    "schemaVersion": "1.0",
    "taskId": "t0a1b2c3",
    "claims": [
        {
            "claimKey": "launchDate",
            "expectedValue": {"type": "date", "value": "2026-09-14"},
            "normalizer": {"id": "iso-date-v1", "version": 1},
            "requiredEvidence": [COORDINATE],
            "optionalEvidence": [],
            "forbiddenEvidence": [],
        }
    ],
    "expectedMissing": ["owner"],
    "expectedScope": {"collection": None, "filters": {"status": "final", "year": 2025, "open": True}},
    "completion": {
        "expectAbstention": False,
        "maxAgentCalls": 3,
        "maxModelVisibleBytes": 12000,
        "failOnUnexpectedEvidence": False,
    },
    "leakCanaries": ["canary-1234"],
}
VALUES = {AgentTask: TASK, FinalEnvelope: ENVELOPE, HiddenOracle: ORACLE}


@pytest.mark.parametrize("kind", VALUES)
def test_a_record_is_written_as_it_was_read(kind):
    assert plain(record(kind, VALUES[kind])) == VALUES[kind]


def at(value, path):
    for step in path:
        value = value[step]
    return value


def objects(value, path=()):
    if isinstance(value, dict):
        yield path
    for step, each in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(each, dict | list):
            yield from objects(each, (*path, step))


OBJECTS = [(kind, path) for kind, value in VALUES.items() for path in objects(value) if path[-1:] != ("filters",)]


@pytest.mark.parametrize("kind, path", OBJECTS, ids=str)
def test_every_object_is_closed_and_every_member_must_be_there(kind, path):
    more = copy.deepcopy(VALUES[kind])
    at(more, path)["answer"] = "prose"
    with pytest.raises(InputError, match="unknown field `answer`"):
        record(kind, more)
    for member in at(VALUES[kind], path):
        less = copy.deepcopy(VALUES[kind])
        del at(less, path)[member]
        with pytest.raises(InputError, match=f"missing required field `{member}`"):
            record(kind, less)


CHANGES = [
    (AgentTask, ("schemaVersion",), "1.1"),
    (AgentTask, ("taskId",), "../t0a1b2c3"),
    (AgentTask, ("taskId",), "t0a1b2c3\n"),
    (AgentTask, ("category",), "trivia"),
    (AgentTask, ("brief", "goal"), ""),
    (AgentTask, ("brief", "instructions"), []),
    (AgentTask, ("claims",), []),
    (AgentTask, ("claims", 0, "claimKey"), "LaunchDate"),
    (AgentTask, ("claims", 0, "claimKey"), "launch.date"),
    (AgentTask, ("claims", 0, "valueType"), "text"),
    (AgentTask, ("claims", 0, "required"), 1),
    (AgentTask, ("allowedTools",), []),
    (AgentTask, ("allowedTools",), ["get", "get"]),
    (AgentTask, ("allowedTools", 0), "Search"),
    (AgentTask, ("budgets", "maxAgentCalls"), 0),
    (AgentTask, ("budgets", "maxAgentCalls"), True),
    (AgentTask, ("budgets", "maxAgentCalls"), 2.5),
    (AgentTask, ("corpus", "collections"), ["c0a1", "c0a1"]),
    (FinalEnvelope, ("claims", 0, "value"), {"type": "date", "value": "14.09.2026"}),
    (FinalEnvelope, ("claims", 0, "value"), {"type": "date", "value": "2026-09-14\n"}),
    (FinalEnvelope, ("claims", 0, "value"), {"type": "number", "value": "5"}),
    (FinalEnvelope, ("claims", 0, "value"), {"type": "number", "value": True}),
    (FinalEnvelope, ("claims", 0, "value"), {"type": "boolean", "value": 1}),
    (FinalEnvelope, ("claims", 0, "value"), {"type": "identifier", "value": ""}),
    (FinalEnvelope, ("claims", 0, "value"), {"type": "string[]", "value": ["a", "a"]}),
    (FinalEnvelope, ("claims", 0, "value"), {"type": "string[]", "value": "a"}),
    (FinalEnvelope, ("claims", 0, "value"), {"type": "list", "value": []}),
    (FinalEnvelope, ("claims", 0, "value"), {"value": 5}),
    (FinalEnvelope, ("claims", 0, "value"), 5),
    (FinalEnvelope, ("claims", 0, "citations", 0, "sourceHash"), HASH.upper()),
    (FinalEnvelope, ("claims", 0, "citations", 0, "spanHash"), HASH[1:]),
    (FinalEnvelope, ("claims", 0, "citations", 0, "startLine"), 0),
    (FinalEnvelope, ("claims", 0, "citations", 0, "uri"), "/etc/passwd"),
    (FinalEnvelope, ("claims", 0, "citations", 0, "sourceHashProvenance"), "guessed"),
    (FinalEnvelope, ("gaps", 0, "reason"), "tired"),
    (FinalEnvelope, ("stopReason",), "done"),
    (FinalEnvelope, ("abstained",), None),
    (HiddenOracle, ("claims", 0, "normalizer", "version"), 2),
    (HiddenOracle, ("claims", 0, "normalizer", "id"), "fuzzy-v1"),
    (HiddenOracle, ("expectedMissing",), ["owner", "owner"]),
    (HiddenOracle, ("expectedScope", "filters"), {"status": None}),
    (HiddenOracle, ("expectedScope", "filters"), {"Status": "final"}),
    (HiddenOracle, ("leakCanaries",), ["short"]),
    (HiddenOracle, ("leakCanaries",), ["canary-1234", "canary-1234"]),
]


@pytest.mark.parametrize("kind, path, value", CHANGES, ids=str)
def test_another_value_is_refused(kind, path, value):
    changed = copy.deepcopy(VALUES[kind])
    at(changed, path[:-1])[path[-1]] = value
    with pytest.raises(InputError) as caught:
        record(kind, changed, "some.json")
    assert str(caught.value).startswith(f"some.json: not {'an' if kind is AgentTask else 'a'} {kind.__name__}: ")


def test_an_unknown_name_cannot_send_control_codes():
    with pytest.raises(InputError) as caught:
        record(FinalEnvelope, {**ENVELOPE, "\x1b[31m\u202e": 1})
    assert r"\x1b[31m\u202e" in str(caught.value)
    assert str(caught.value).isprintable()


def test_the_place_is_named():
    changed = copy.deepcopy(ENVELOPE)
    changed["claims"][0]["citations"][0]["endLine"] = 0
    with pytest.raises(InputError, match=r"`\$\.claims\[0\]\.citations\[0\]\.endLine`|`\$\.claims\[\.\.\.\]"):
        record(FinalEnvelope, changed)


def test_what_stands_there_is_shown_and_where_the_form_is_told():
    changed = copy.deepcopy(ENVELOPE)
    changed["claims"][0]["claimKey"] = "\x1b[31m" + "x" * 200
    with pytest.raises(InputError) as caught:
        record(FinalEnvelope, changed, "some.json")
    shown = [line for line in caught.value.lines() if line.startswith("text ")]
    # 80 characters with the dots that stand for the rest; JSON escapes the first.
    assert shown == ['text "\\u001b[31m' + "x" * 66 + "..."]
    assert caught.value.hint == "spec/agentic/final-envelope.schema.json says what it holds"
    with pytest.raises(InputError) as whole:
        record(FinalEnvelope, 5)
    assert whole.value.text is None


def test_an_integer_is_a_number_and_a_text_may_be_empty():
    changed = copy.deepcopy(ENVELOPE)
    changed["claims"][0]["value"] = {"type": "number", "value": 5}
    assert record(FinalEnvelope, changed).claims[0].value == NumberValue(value=5.0)
    changed["claims"][0]["value"] = {"type": "string", "value": ""}
    assert plain(record(FinalEnvelope, changed).claims[0].value) == {"type": "string", "value": ""}
    changed["claims"][0]["value"] = {"type": "string[]", "value": []}
    assert record(FinalEnvelope, changed).claims[0].value == TextsValue(value=[])


def test_nesting_beyond_all_reason_is_an_input_error():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InputError, match="TrajectoryReceipt"):
        record(TrajectoryReceipt, {"schemaVersion": deep})
    while deep:  # taken apart by hand: so deep a list cannot be freed at once everywhere
        deep = deep.pop()


@pytest.mark.parametrize("name", agentic_schemas.KINDS)
def test_no_pattern_takes_a_line_end_behind_the_text(name):
    """`$` of Python matches before one, that of the schemas does not."""
    _, parts = msgspec.json.schema_components([agentic_schemas.KINDS[name]])
    patterns = re.findall(r'"pattern": "((?:[^"\\\\]|\\\\.)*)"', json.dumps(parts))
    assert patterns
    assert [each for each in patterns if each.endswith("$")] == []


@pytest.mark.parametrize("name", agentic_schemas.KINDS)
def test_the_schemas_are_made_from_the_records(name):
    assert agentic_schemas.path(name).read_text(encoding="utf-8") == agentic_schemas.page(name)


@pytest.mark.parametrize("name", agentic_schemas.KINDS)
def test_every_object_of_a_schema_is_closed_and_asks_for_all_it_knows(name):
    found = json.loads(agentic_schemas.path(name).read_text(encoding="utf-8"))
    assert found["$schema"] == "http://json-schema.org/draft-07/schema#"
    count = 0
    for each in [found, *found.get("definitions", {}).values()]:
        if "properties" in each:
            assert each["additionalProperties"] is False
            assert sorted(each["required"]) == sorted(each["properties"])
            count += 1
    assert count >= 2


def test_a_receipt_says_where_it_was_made_or_that_it_does_not_say():
    """Section 15 of the page: a receipt without `observations.platform` is refused, and `{}` is one."""
    of = receipt()
    of["observations"]["platform"] = {}
    assert record(TrajectoryReceipt, of).observations.platform == {}
    del of["observations"]["platform"]
    with pytest.raises(InputError, match="platform"):
        record(TrajectoryReceipt, of)
