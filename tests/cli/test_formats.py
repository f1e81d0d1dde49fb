from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from irbridge.formats import FORMATS

Irbridge = Callable[..., Any]


def test_the_table_says_what_is_read_and_written(irbridge: Irbridge) -> None:
    done = irbridge("formats")
    assert done.code == 0
    rows = {line.split()[0]: line.split()[1:3] for line in done.out.splitlines() if line.startswith("  ")}
    assert rows["format"] == ["judgments", "run"]
    assert rows["trec-qrels"][0] == "rw"
    assert rows["irds"] == ["r", "r"]
    assert set(FORMATS.names()) < set(rows)


def test_aliases_are_understood(irbridge: Irbridge) -> None:
    assert irbridge("formats", "qrels") == irbridge("formats", "trec-qrels")


@pytest.mark.parametrize("name", FORMATS.names())
def test_every_format_can_be_explained(irbridge: Irbridge, name: str) -> None:
    done = irbridge("formats", name)
    assert done.code == 0
    assert done.out.split()[0] == name
    made = json.loads(irbridge("formats", name, "--json").out)
    assert made["name"] == name
    assert made["reads"]


def test_what_a_record_needs_is_told_with_an_example(irbridge: Irbridge) -> None:
    rows = dict(line.split(None, 1) for line in irbridge("formats", "judgments").out.splitlines())
    assert rows["required"] == "query_id · doc_uri · relevance"
    assert rows["example"] == '{"query_id":"q1","query":"who?","doc_uri":"d1","relevance":1}'
    assert json.loads(irbridge("formats", "texts", "--json").out)["required"] == ["_id"]
    assert "required" not in irbridge("formats", "irds").out


def test_json_lists_all(irbridge: Irbridge) -> None:
    assert {each["name"] for each in json.loads(irbridge("formats", "--json").out)} == set(FORMATS.names())


def test_an_unknown_name_gets_a_neighbour(irbridge: Irbridge) -> None:
    done = irbridge("formats", "trec-qrel")
    assert done.code == 2
    assert "did you mean trec-qrels" in done.err
