"""Laws of the contract's JSON: canonical text against a second implementation, schemas against records, bytes against text."""

from __future__ import annotations

import copy
import functools
import json
import math
import re
import struct
import tempfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st
from support import agentic_fixture, agentic_schemas

from irbridge.agentic.canonical_json import canonical_json, number_text
from irbridge.agentic.fixture import load_fixture
from irbridge.agentic.projection import visible_bytes, visible_result
from irbridge.agentic.records import Evidence, record
from irbridge.agentic.strict_json import strict_json
from irbridge.agentic.strict_records import strict_record
from irbridge.agentic.toolset import TOOLS, check_arguments
from irbridge.agentic.trajectory import ToolResult
from irbridge.errors import InputError

TEXTS = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from('"\\/\b\f\n\r\t\x00\x1f\x7f\x80\u2028\u2029\ud7ff\ue000\uffff\U00010000\U0010ffff'),
    ),
    max_size=8,
)
#: Integer-like names, which a JavaScript object would put first; names on both sides of the surrogates.
KEYS = st.one_of(
    TEXTS,
    st.integers(0, 2**33).map(str),
    st.sampled_from(["01", "-1", "__proto__", "\ue000", "\uffff", "😀", "\U00010000"]),
)
DOUBLES = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(0, 2**64 - 1).map(lambda bits: struct.unpack(">d", bits.to_bytes(8, "big"))[0]).filter(math.isfinite),
    st.integers(-40, 40).map(lambda power: 10.0**power),
)
EXACT = st.integers(-(2**53) + 1, 2**53 - 1)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), EXACT, DOUBLES, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=20,
)


@given(JSON)
@settings(max_examples=200)
def test_canonical_json_is_that_of_another_implementation(value):
    assert canonical_json(value).encode() == rfc8785.dumps(value)


@given(DOUBLES)
@settings(max_examples=200)
def test_a_number_is_printed_as_another_implementation_prints_it_and_reads_back(double):
    text = number_text(double)
    assert text.encode() == rfc8785.dumps(double)
    assert float(text) == double
    assert not re.search(r"\.0$|e0|E|^-0$", text)


@given(JSON)
def test_canonical_json_is_read_strictly_as_the_same_value_and_is_its_own_canonical_form(value):
    def doubles(each: Any) -> Any:
        if isinstance(each, dict):
            return {name: doubles(inner) for name, inner in each.items()}
        if isinstance(each, list):
            return [doubles(inner) for inner in each]
        return float(each) if type(each) is int else each

    text = canonical_json(value)
    assert doubles(strict_json(text)) == doubles(value)
    assert canonical_json(strict_json(text.encode())) == text


@given(JSON, st.randoms(use_true_random=False))
def test_the_order_of_members_does_not_matter(value, random):
    def shuffled(each: Any) -> Any:
        if isinstance(each, dict):
            names = list(each)
            random.shuffle(names)
            return {name: shuffled(each[name]) for name in names}
        return [shuffled(inner) for inner in each] if isinstance(each, list) else each

    assert canonical_json(shuffled(value)) == canonical_json(value)


# ------------------------------------------------------------------------------------------------ schemas and records


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Any:
    # `$` of ECMA-262 is the end of the text; Python's also matches before a last line end.
    ended = pattern.removesuffix("$") + r"\Z" if pattern.endswith("$") else pattern
    if isinstance(instance, str) and not re.search(ended, instance):
        yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")


Validator = jsonschema.validators.extend(jsonschema.Draft7Validator, {"pattern": _pattern})


@functools.cache
def validator(name: str) -> Any:
    found = json.loads(agentic_schemas.path(name).read_text(encoding="utf-8"))
    Validator.check_schema(found)
    return Validator(found)


HASH = "0123456789abcdef" * 4
COORDINATE = agentic_fixture.NEW
TOOL_EVIDENCE = {
    **COORDINATE,
    "text": "Launch date: 2026-09-14",
    "backendSourceHash": None,
    "backendSpanHash": HASH,
    "backendHashUnavailableReason": "none given",
}
VALUES = [
    {"type": "string", "value": ""},
    {"type": "number", "value": -2.5},
    {"type": "boolean", "value": False},
    {"type": "string[]", "value": ["a", "b"]},
    {"type": "date", "value": "2026-09-14"},
    {"type": "identifier", "value": "LX-1"},
]
ENVELOPE = {
    "schemaVersion": "1.0",
    "claims": [{"claimKey": "launchDate", "value": value, "citations": [COORDINATE]} for value in VALUES],
    "gaps": [{"claimKey": "owner", "reason": "missing_evidence"}],
    "abstained": False,
    "stopReason": "complete",
}
TIMING = {"valueMs": 1.5, "unavailableReason": None}
RECEIPT = {
    "schemaVersion": "1.0",
    "canonical": {
        "schemaVersion": "1.0",
        "taskId": "t0000001",
        "adapterId": "lexical",
        "trialId": "fixture-01",
        "seed": 0,
        "lifecycle": "cold",
        "agentId": "fixture",
        "capabilities": {
            "backendInvocationAccounting": True,
            "startupTiming": True,
            "modelLoadTiming": False,
            "toolTiming": True,
            "tools": {"search": "supported", "get": "supported", "multi_get": "unavailable"},
            "exactLineSpans": "supported",
            "measuredTokens": "unavailable",
            "backendHashes": "unsupported",
            "lifecycle": {"cold": "supported", "warm": "supported"},
        },
        "calls": [
            {
                "callIndex": 0,
                "toolName": "search",
                "arguments": {"query": "launch", "filters": {"a": 1.5, "b": [None]}},
                "result": {
                    "status": "ok",
                    "resultRole": "candidates",
                    "content": "{}",
                    "evidence": [TOOL_EVIDENCE],
                    "errorCode": None,
                },
                "deliveredToAgent": True,
                "failureCode": None,
                "modelVisibleUtf8Bytes": 500,
                "measuredTokens": 3,
                "tokenizerFingerprint": HASH,
                "backendInvocations": 1,
            }
        ],
        "agentCalls": 1,
        "backendInvocations": 1,
        "modelVisibleUtf8Bytes": 500,
        "measuredTokens": None,
        "finalEnvelope": ENVELOPE,
        "stopReason": "complete",
        "failure": {"class": "none", "code": None, "redactedMessage": None},
        "fingerprints": dict.fromkeys(["corpus", "prompt", "tools", "model", "runtime", "config", "index"], HASH),
    },
    "observations": {
        "recordedAt": "2026-01-01T00:00:00Z",
        "platform": {"python": "3.12"},
        "timings": dict.fromkeys(["preparation", "startup", "modelLoad", "tool", "driver", "endToEnd"], TIMING),
        "process": {"peakRssBytes": 1, "unavailableReason": None},
        "tempPaths": ["<temp>"],
        "diagnostics": [],
    },
}
MANIFEST = {
    "schemaVersion": "1.0",
    "fixtureVersion": "1",
    "license": "CC0-1.0",
    "provenance": "typed",
    "uriScheme": "corpus",
    "taskCount": 1,
    "files": [
        {"path": "tasks/t0000001.json", "kind": "task", "sha256": HASH, "taskId": "t0000001", "collection": None}
    ],
    "corpusFingerprint": HASH,
}
ORACLE = copy.deepcopy(agentic_fixture.FILES["oracles/t0000001.json"])
ORACLE["expectedScope"] = {"collection": "c001", "filters": {"year": 2025, "final": True, "lang": "de"}}
ORACLE["expectedMissing"] = ["owner", "place"]
SEEDS = {
    "agent-task": agentic_fixture.FILES["tasks/t0000001.json"],
    "hidden-oracle": ORACLE,
    "final-envelope": ENVELOPE,
    "trajectory-receipt": RECEIPT,
    "fixture-manifest": MANIFEST,
}

#: What may stand in the place of anything; much of it is right in some places and wrong in others.
JUNK = st.one_of(
    st.sampled_from([
        None, True, False, 0, 1, -1, 2, 1.0, 0.0, -0.0, 2.5, 1e300, 2**70, -(2**70), "", "x", "a\n", "t0000001\n", "2026-09-14", "2026-9-4",
        "2026-09-14\n", HASH, HASH.upper(), HASH + "\n", "corpus://c001/a.md", "://", "c001", "C001", "ü", "-c", "x" * 64, "x" * 65, "x" * 201,
        "search", "complete", "cold", "number", "string[]", "1.0", "1", [], {}, [[]], ["a", "a"], ["owner", "owner"], ["x", "y"], [1], {"a": 1},
        {"type": "number", "value": 1}, {"type": "boolean", "value": 1}, {"type": "string[]", "value": ["a", "a"]}, {"type": "x", "value": 1},
        {"type": "date", "value": "2026-02-31"}, {"value": 1}, {"type": "number"}, {"A": "x"}, {"a" * 65: 1}, {"a": None},
    ]),
    JSON,
)  # fmt: skip


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in steps:
        found += _places(each, (*path, step))
    return found


@st.composite
def mutated(draw: Any, seed: Any) -> Any:
    """The seed with up to three changes: another value, a member less, a member more, an item twice."""
    value = copy.deepcopy(seed)
    for _ in range(draw(st.integers(0, 3))):
        places = _places(value)
        if not places:
            break
        path = draw(st.sampled_from(places))
        holder = functools.reduce(lambda each, step: each[step], path[:-1], value)
        change = draw(st.sampled_from(["replace", "replace", "replace", "delete", "add", "repeat"]))
        if change == "replace":
            holder[path[-1]] = copy.deepcopy(draw(JUNK))
        elif change == "delete":
            del holder[path[-1]]
        elif isinstance(holder, list):
            holder.append(copy.deepcopy(holder[path[-1]] if change == "repeat" else draw(JUNK)))
        else:
            holder[draw(KEYS)] = copy.deepcopy(draw(JUNK))
    return value


def accepts(read: Any) -> bool:
    try:
        read()
    except InputError:
        return False
    return True


@pytest.mark.parametrize("name", SEEDS)
def test_the_seeds_are_right(name):
    validator(name).validate(SEEDS[name])
    record(agentic_schemas.KINDS[name], SEEDS[name])


@pytest.mark.parametrize("name", SEEDS)
@given(data=st.data())
@settings(max_examples=120, deadline=None)
def test_schema_and_record_accept_the_same(name, data):
    value = data.draw(mutated(SEEDS[name]))
    text = json.dumps(value)
    # The schema judges what an ordinary reader makes of the text, the record what the strict reader does: 1.0 is an integer for both.
    said = validator(name).is_valid(json.loads(text))
    assert accepts(lambda: record(agentic_schemas.KINDS[name], strict_json(text))) == said
    assert accepts(lambda: strict_record(agentic_schemas.KINDS[name], text)) == said


# ------------------------------------------------------------------------------------------------------ tools and bytes

ARGUMENTS = {
    "get": {"uri": "corpus://c001/a.md", "fromLine": 1, "lineCount": 2},
    "multi_get": {"uris": ["a", "b"], "maxBytes": 10},
    "search": {
        "query": "a", "collection": "c", "collections": ["c"], "limit": 1, "offset": 0, "minScore": 0.5, "intent": "i", "exclude": ["x"],
        "filters": {"a": 1, "b": "x"}, "tagsAll": ["t"], "tagsAny": ["t"], "since": "2026-01-01", "until": "2026-01-02", "author": "a",
        "lang": "de", "pathPrefix": "p", "contentType": "m", "maxBytes": 5, "rerank": True, "fast": False, "explain": True,
    },
}  # fmt: skip
SCHEMAS = {tool.name: Validator(dict(tool.input_schema)) for tool in TOOLS}


@pytest.mark.parametrize("name", ARGUMENTS)
@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_arguments_are_accepted_as_the_announced_schema_says(name, data):
    value = data.draw(mutated(ARGUMENTS[name]))
    assert (check_arguments(name, strict_json(json.dumps(value))) is None) == SCHEMAS[name].is_valid(value)


LINES = st.integers(1, 2**60)
EVIDENCE = st.builds(
    Evidence,
    uri=TEXTS,
    source_hash=TEXTS,
    start_line=LINES,
    end_line=LINES,
    span_hash=TEXTS,
    source_hash_provenance=st.sampled_from(["harness_observed", "backend_provided"]),
    span_hash_provenance=st.sampled_from(["harness_observed", "backend_provided"]),
    text=TEXTS,
    backend_source_hash=st.one_of(st.none(), TEXTS),
    backend_span_hash=st.one_of(st.none(), TEXTS),
    backend_hash_unavailable_reason=st.one_of(st.none(), TEXTS),
)


@given(
    st.sampled_from(["candidates", "source", "evidence_bundle"]),
    TEXTS,
    st.lists(EVIDENCE, max_size=3),
    st.one_of(st.none(), TEXTS),
    st.booleans(),
)
def test_visible_bytes_are_those_of_the_canonical_projection(role, content, evidence, code, carried):
    if carried:  # a bundle may hold its evidence itself
        plain_result = ToolResult(status="ok", result_role="source", content="", evidence=evidence, error_code=None)
        content = canonical_json({"evidence": visible_result(plain_result)["evidence"], "v": 1})
    result = ToolResult(status="ok", result_role=role, content=content, evidence=evidence, error_code=code)
    seen = visible_result(result)
    assert (seen["evidence"] == []) == (not evidence or (carried and role == "evidence_bundle"))
    exact = {"status": "ok", "resultRole": role, "content": content, "evidence": seen["evidence"], "errorCode": code}
    assert seen == exact
    assert visible_bytes(result) == len(canonical_json(exact).encode())
    if all(max(each.start_line, each.end_line) < 2**53 for each in evidence):
        assert visible_bytes(result) == len(rfc8785.dumps(exact))


# ------------------------------------------------------------------------------------------------------------ fixtures


@pytest.mark.parametrize("path", ["tasks/t0000001.json", "oracles/t0000001.json", "manifest.json"])
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_hostile_fixture_is_loaded_or_refused_with_a_file_of_its_own(path, data):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if path == "manifest.json":
            changed = data.draw(mutated(agentic_fixture.write(folder)))
            agentic_fixture.write_manifest(folder, changed)
        else:
            changed = data.draw(mutated(agentic_fixture.FILES[path]))
            agentic_fixture.write(folder, lambda files: files.update({path: json.dumps(changed)}))
        problem = refusal(folder)
        assert problem is None or Path(problem).is_relative_to(folder)


def refusal(folder: Path) -> str | None:
    """The file that a fixture is refused for; None where it loads."""
    try:
        found = load_fixture(folder)
    except InputError as error:
        return str(error.path)
    assert len(found.tasks) == len(found.oracles) == found.manifest.task_count
    return None
