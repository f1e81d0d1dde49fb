"""Decisions as lines: what is written, and what is refused, with its line and a way out."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from irbridge.errors import InputErrors
from irbridge.identity import text_sha
from irbridge.model import Judgment
from irbridge.review.decisions import Choice, Decision, is_of_document, label_sha, latest, read, written
from irbridge.source import Source

CHUNK = "c1:" + "1" * 32
GOOD: dict[str, Any] = {
    "query_id": "q1",
    "key": "c1:" + "0" * 32,
    "label_sha": "l1:" + "a" * 32,
    "action": "choose",
    "choices": [
        {"chunk_id": CHUNK, "doc_uri": "d", "relevance": 2, "text_sha": text_sha("text"), "chunk_text": "text"}
    ],
    "corpus_fingerprint": "new/1",
    "labeled_by": "human:Ana María",
    "labeled_at": "2026-02-28T12:00:00.5+01:00",
}


def choice(**changes: Any) -> dict[str, Any]:
    return {**GOOD, "choices": [{**GOOD["choices"][0], **changes}]}


def refused(tmp_path: Path, line: str) -> str:
    path = tmp_path / "d.jsonl"
    path.write_text("// mine\n\n" + line + "\n", encoding="utf-8", errors="surrogatepass")
    with pytest.raises(InputErrors) as raised:
        list(read(Source(str(path))))
    (error,) = raised.value.errors
    assert error.line == 3
    return "\n".join(error.lines())


def test_the_digest_of_a_label_is_that_of_its_row() -> None:
    row = '{"query_id":"q","doc_uri":"d","relevance":1,"notes":"é"}'
    want = "l1:" + hashlib.sha256(row.encode()).hexdigest()[:32]
    assert label_sha(Judgment("q", "d", 1, notes="é")) == want


def test_a_label_of_a_document_is_one_without_chunk_or_span() -> None:
    assert is_of_document(Judgment("q", "d", 1))
    assert not is_of_document(Judgment("q", "d", 1, chunk_id=CHUNK))
    assert not is_of_document(Judgment("q", "d", 1, extra={"doc_revision": "r", "span": {"start": 0, "end": 2}}))


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    one = Decision(
        "q1", "k", "l1:" + "a" * 32, "choose", (Choice(CHUNK, "d", 0, text_sha("\u2028"), "\u2028"),), "human:a", "2026-01-01T00:00:00Z", "new/1",
    )  # fmt: skip
    other = one._replace(action="none", choices=(), corpus_fingerprint=None)
    path = tmp_path / "d.jsonl"
    path.write_bytes(written(one) + written(other))
    assert list(read(Source(str(path)))) == [one._replace(line=1), other._replace(line=2)]


def test_members_stand_in_the_order_of_the_specification() -> None:
    made = Decision("q", "k", "l1:" + "a" * 32, "skip", (), "human:a", "2026-01-01T00:00:00Z")
    assert written(made) == (
        b'{"query_id":"q","key":"k","label_sha":"l1:' + b"a" * 32 + b'","action":"skip",'
        b'"labeled_by":"human:a","labeled_at":"2026-01-01T00:00:00Z"}\n'
    )


def test_unknown_members_are_allowed(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps({**GOOD, "mood": "good"}), encoding="utf-8")
    (found,) = read(Source(str(path)))
    assert found.labeled_by == "human:Ana María"


def test_the_last_decision_counts() -> None:
    one = Decision("q", "k", "l1:" + "a" * 32, "skip", (), "human:a", "2026-01-01T00:00:00Z")
    other = one._replace(query_id="r")
    last = one._replace(action="none")
    assert list(latest([one, other, last]).values()) == [other, last]


@pytest.mark.parametrize(
    "value, message",
    [
        ({**GOOD, "labeled_by": "ana"}, "labeled_by must begin with human:"),
        ({**GOOD, "labeled_by": "synthetic:gpt"}, "labeled_by must begin with human:"),
        ({**GOOD, "labeled_by": " human:ana"}, "labeled_by must begin with human:"),
        ({**GOOD, "labeled_by": "human:"}, "the name in labeled_by is empty"),
        ({**GOOD, "labeled_by": "human:a\nb"}, "cannot be printed"),
        ({**GOOD, "labeled_by": "human:a\u202eb"}, "cannot be printed"),
        ({**GOOD, "labeled_by": "human: a"}, "white space"),
        ({**GOOD, "labeled_by": "human:" + "a" * 201}, "longer than 200"),
        ({**GOOD, "labeled_by": ["human:a"]}, "labeled_by must begin with human:"),
        ({**GOOD, "labeled_at": "yesterday"}, "labeled_at 'yesterday' is no date and time"),
        ({**GOOD, "labeled_at": "2026-02-30T00:00:00Z"}, "is no date and time"),
        ({**GOOD, "labeled_at": 7}, "is no date and time"),
        ({**GOOD, "query_id": ""}, "query_id is empty"),
        ({**GOOD, "query_id": 1}, "query_id must be"),
        ({**GOOD, "key": "a\0"}, "NUL"),
        ({**GOOD, "label_sha": "l1:XYZ"}, "label_sha must be l1:"),
        ({**GOOD, "action": "accept"}, "action must be choose, none or skip"),
        ({**GOOD, "action": None}, "action must be"),
        ({**GOOD, "action": ["choose"]}, "action must be"),
        ({**GOOD, "choices": []}, "at least one chunk"),
        ({**GOOD, "choices": {}}, "at least one chunk"),
        ({**GOOD, "choices": ["c1"]}, "choices[0] must be an object"),
        ({**GOOD, "choices": GOOD["choices"] * 2}, "is chosen twice"),
        ({**GOOD, "action": "none"}, "choices go with the action choose"),
        ({**GOOD, "corpus_fingerprint": ""}, "corpus_fingerprint"),
        (choice(chunk_id="mine"), "choices[0]: chunk_id must be c1:"),
        (choice(relevance=-1), "choices[0]: relevance must be a non-negative integer"),
        (choice(relevance=True), "relevance must be"),
        (choice(relevance=1.5), "relevance must be"),
        (choice(relevance="2"), "relevance must be"),
        (choice(relevance=2**60), "relevance must be"),
        (choice(text_sha="t1:0"), "text_sha must be t1:"),
        (choice(chunk_text="another"), "is not that of chunk_text"),
        (choice(chunk_text=5), "chunk_text must be a string"),
        (choice(text_sha=None), "chunk_text without text_sha"),
        (choice(doc_uri=None), "choices[0]: doc_uri must be"),
        ([GOOD], "an object is needed"),
    ],
)
def test_what_is_refused(tmp_path: Path, value: Any, message: str) -> None:
    assert message in refused(tmp_path, json.dumps(value))


@pytest.mark.parametrize("name", ["query_id", "key", "label_sha", "labeled_by", "labeled_at"])
def test_what_is_missing_is_named(tmp_path: Path, name: str) -> None:
    assert f"missing {name}" in refused(tmp_path, json.dumps({key: each for key, each in GOOD.items() if key != name}))


@pytest.mark.parametrize(
    "line, message",
    [
        (json.dumps(GOOD).replace('"relevance": 2', '"relevance": NaN'), "invalid JSON"),
        (json.dumps(GOOD).replace('"action"', '"labeled_by": "human:b", "action"'), '"labeled_by" is given twice'),
        (json.dumps(GOOD).replace('"relevance": 2', '"relevance": 1, "relevance": 2'), '"relevance" is given twice'),
        (json.dumps(GOOD)[:-5], "invalid JSON"),
        ('{"query_id":' + "[" * 10_000, "invalid JSON"),
        (json.dumps(GOOD).replace("Ana", "\\ud800"), "invalid JSON"),
    ],
)
def test_what_is_no_json_is_refused(tmp_path: Path, line: str, message: str) -> None:
    assert message in refused(tmp_path, line)
