from __future__ import annotations

import copy
from collections import defaultdict
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from support.formats import LABELS, RUN, labels, rankings, read

from irbridge.errors import InputError, InputErrors
from irbridge.formats.pytrec_dicts import FORMAT
from irbridge.model import Judgment, Ranking


def test_a_dict_of_dicts_is_labels() -> None:
    found, reading = read(FORMAT, "judgments", {"q1": {"d1": 1, "d2": -1}, "q2": {"d1": 0}})
    assert found == [Judgment("q1", "d1", 1), Judgment("q1", "d2", -1), Judgment("q2", "d1", 0)]
    assert (reading.rows, reading.notes) == (3, {})


def test_a_dict_of_dicts_is_a_run() -> None:
    found, reading = read(FORMAT, "run", {"q1": {"d2": 1.5, "d1": 2}, "q2": {}})
    assert found == [Ranking("q1", ["d2", "d1"], [1.5, 2.0]), Ranking("q2", [], [])]
    assert (reading.rows, reading.notes) == (2, {})


@pytest.mark.parametrize("ranked", [["b", "a"], ("b", "a")])
def test_a_list_is_a_ranking_best_first(ranked: Any) -> None:
    assert rankings(FORMAT, {"q": ranked, "p": {"c": 0.5}}) == [("q", ["b", "a"], None), ("p", ["c"], [0.5])]


def test_any_mapping_will_do() -> None:
    given: defaultdict[str, Any] = defaultdict(dict)
    given["q"]["d"] = 1
    assert labels(FORMAT, MappingProxyType(given)) == [("q", "d", 1)]
    assert rankings(FORMAT, {"q": MappingProxyType({"d": 1})}) == [("q", ["d"], [1.0])]


def test_numpys_types_are_pythons_afterwards() -> None:
    # Field note B51: pytrec_eval refuses int ids, np.int64 grades and np.float32 scores, and never says where.
    found, reading = read(FORMAT, "judgments", {np.int64(7): {5: np.int64(2), np.int32(6): True}})
    assert found == [Judgment("7", "5", 2), Judgment("7", "6", 1)]
    assert [type(part) for part in found[0][:3]] == [str, str, int]
    assert [str(note) for note in reading.notes.values()] == [
        "1 query id was a number and is read as text",
        "2 document ids were numbers and are read as text",
        "1 grade was True or False and is read as 1 or 0",
    ]
    (ranking,), _ = read(FORMAT, "run", {np.str_("q"): {np.str_("d"): np.float32(0.5)}})
    assert ranking == Ranking("q", ["d"], [0.5])
    assert [type(ranking.query_id), type(ranking.doc_ids[0]), type(ranking.scores[0])] == [str, str, float]


def test_every_unusable_value_is_named_by_query_and_document() -> None:
    with pytest.raises(InputErrors) as caught:
        read(FORMAT, "judgments", {"q1": {"d1": 0.5, "d2": None, None: 1}, None: {"d": 1}, "q2": {"d": "1"}})
    assert [str(error) for error in caught.value.errors] == [
        "mine: query q1, document d1: relevance 0.5 is not a whole number",
        "mine: query q1, document d2: relevance is missing (None)",
        "mine: query q1: the document id is missing (None)",
        "mine: the query id is missing (None)",
        "mine: query q2, document d: relevance '1' is a str, not a number",
    ]


def test_an_unusable_place_in_a_list_is_named() -> None:
    with pytest.raises(InputErrors, match=r"mine: query q, place 2: the document id 0\.5 is a float, not text"):
        read(FORMAT, "run", {"q": ["a", 0.5]})


@pytest.mark.parametrize(
    "given",
    [{"q": {1: 1, "1": 0}}, {"q": {"1": 1}, "p": {1: 1}}, {1: {"d": 1}, "1": {"d": 0}}, {"q": {"1": 1, 1: None}}],
)
def test_a_number_and_the_same_text_never_merge(given: Any) -> None:
    with pytest.raises(InputError, match="ids are text here and numbers there; 1 and '1' would become one id"):
        read(FORMAT, "judgments", given)


@pytest.mark.parametrize(
    "part, given, message",
    [
        ("judgments", {"query_id": "q1", "doc_id": "d1"}, "query query_id has a str where {document: grade} belongs"),
        ("judgments", {"q": ["d"]}, "query q has a list where {document: grade} belongs"),
        ("run", {"q": {"a", "b"}}, "query q has a set where {document: score} or [document, ...] belongs"),
        ("run", {"q": "abc"}, "query q has a str where"),
        ("run", {"q": None}, "query q has a NoneType where"),
    ],
)
def test_another_shape_is_refused(part: Any, given: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(FORMAT, part, given)
    assert message in str(caught.value)


def test_the_input_is_never_changed() -> None:
    # Field note B19: BEIR takes documents out of its caller's run.
    given = {"q1": {"q1": 9.0, "a": 1.0}, "q2": ["b"]}
    before = copy.deepcopy(given)
    (first, second), _ = read(FORMAT, "run", given)
    first.doc_ids.append("x")
    second.doc_ids.append("x")
    assert given == before


def test_records_become_plain_dicts() -> None:
    assert FORMAT.to_object is not None
    assert FORMAT.to_object("judgments", LABELS) == {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": -2}}
    assert FORMAT.to_object("run", iter(RUN)) == {"q1": {"d2": 1.5, "d1": 0.25}, "q2": {"d3": -1e-9}}
    assert FORMAT.to_object("run", [Ranking("q", ["b", "a"]), Ranking("p", [])]) == {"q": {"b": 2.0, "a": 1.0}, "p": {}}


@pytest.mark.parametrize(
    "part, given, message",
    [
        ("judgments", [Judgment("q", "d", 1), Judgment("q", "d", 0)], "query q document d is judged twice, 1 and 0"),
        ("run", [Ranking("q", ["a", "a"], [2.0, 1.0])], "query q has document a twice"),
        ("run", [Ranking("q", ["a"]), Ranking("q", ["b"])], "query q has two rankings"),
    ],
)
def test_what_a_dict_cannot_hold_is_refused(part: Any, given: Any, message: str) -> None:
    assert FORMAT.to_object is not None
    with pytest.raises(InputError, match=message):
        FORMAT.to_object(part, given)


@pytest.mark.parametrize("given, expected", [({}, True), ({"q": {}}, True), ([], False), ("q", False), (None, False)])
def test_mappings_are_accepted(given: Any, expected: bool) -> None:
    assert FORMAT.accepts is not None
    assert FORMAT.accepts(given, "run") is expected
