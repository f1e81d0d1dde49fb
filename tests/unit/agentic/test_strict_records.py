from __future__ import annotations

import json

import pytest
from support.receipts import receipt

from irbridge.agentic import strict_records
from irbridge.agentic.records import record
from irbridge.agentic.strict_records import strict_record
from irbridge.agentic.trajectory import TrajectoryReceipt
from irbridge.errors import InputError

RIGHT = record(TrajectoryReceipt, receipt())


def slow(monkeypatch):
    """Count how often the slow way is taken."""
    taken = []

    def watched(data, where=None):
        taken.append(where)
        return json.loads(data)

    monkeypatch.setattr(strict_records, "strict_json", watched)
    return taken


@pytest.mark.parametrize("indent", [None, 0, 2, "\t"])
@pytest.mark.parametrize("escaped", [True, False])
@pytest.mark.parametrize("kind", [bytes, str])
def test_usual_json_takes_the_fast_way(monkeypatch, indent, escaped, kind):
    taken = slow(monkeypatch)
    of = receipt()
    of["canonical"]["calls"][0]["arguments"]["query"] = 'an escaped "quote": here, {"a":1}'
    of["canonical"]["calls"][0]["arguments"]["author"] = "un auteur : \\"
    text = json.dumps(of, indent=indent, ensure_ascii=escaped).replace("an escaped", "an \\u0022: escaped")
    text = text.replace('"seed":', '"seed"\t \n :')
    of["canonical"]["calls"][0]["arguments"]["query"] = 'an ": escaped "quote": here, {"a":1}'
    assert strict_record(TrajectoryReceipt, text if kind is str else text.encode()) == record(TrajectoryReceipt, of)
    assert taken == []


@pytest.mark.parametrize(
    "old, new",
    [
        ('"query": "launch"', '"query": "a\\u003ab"'),
        ('"query": "launch"', '"query\\u003A": "launch"'),
        ('"query": "launch"', '"query": "\\\\u003a"'),  # a backslash, then no escape: it only looks like one
    ],
)
def test_what_a_look_does_not_tell_takes_the_slow_way(monkeypatch, old, new):
    taken = slow(monkeypatch)
    text = json.dumps(receipt()).replace(old, new)
    assert text != json.dumps(receipt())
    assert strict_record(TrajectoryReceipt, text, "a.json") == record(TrajectoryReceipt, json.loads(text))
    assert taken == ["a.json"]


@pytest.mark.parametrize(
    "old, new, key",
    [
        ('"seed": 0', '"seed": 0, "seed": 0', "seed"),
        ('"seed": 0', '"seed": 0, "\\u0073eed": 0', "seed"),
        ('"seed": 0', '"seed": 0, "seed" : 0', "seed"),
        ('"year": 2026', '"year": 2026, "year": 2026', "year"),
        ('"year": 2026', '"a\\"": 1, "a\\u0022": 2', 'a"'),
        ('"year": 2026', '"a\\\\": 1, "a\\u005c": 2', "a"),
        ('"query": "launch"', '"query": {"b": {"c": 1, "c": 1}}', "c"),
        ('"query": "launch"', '"query": "\\":", "x": 1, "x": 1', "x"),
        ('"query": "launch"', '"query": 1, "query": "a\\u003a"', "query"),  # makes up for the lost colon
        ('"query": "launch"', '"query": 1, "query": "a\\u003A"', "query"),
    ],
)
def test_a_key_twice_is_found(old, new, key):
    text = json.dumps(receipt()).replace(old, new)
    with pytest.raises(InputError, match="stands twice in one object") as raised:
        strict_record(TrajectoryReceipt, text.encode(), "a.json")
    assert key in str(raised.value)
    assert raised.value.path == "a.json"


def test_the_last_of_two_keys_would_have_won():
    text = json.dumps(receipt()).replace('"seed": 0', '"seed": 7, "seed": 0')
    assert record(TrajectoryReceipt, json.loads(text)) == RIGHT


@pytest.mark.parametrize(
    "data", [b"", b"\xff", "\ud800", b"[" * 100_000, b'{"schemaVersion": NaN}', b"\xef\xbb\xbf{}", b"{},"]
)
def test_what_is_no_json_is_an_input_error(data):
    with pytest.raises(InputError):
        strict_record(TrajectoryReceipt, data)
