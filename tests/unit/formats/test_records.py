from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import ir_measures
import msgspec
import numpy as np
import pandas as pd
import pytest
from support.formats import LABELS, RUN, labels, rankings, read

from irbridge.errors import InputError, InputErrors
from irbridge.formats import identify
from irbridge.formats.records import FORMAT
from irbridge.model import Judgment, Qrel, Ranking, ScoredDoc
from irbridge.reading import Reading


@dataclass
class Label:
    query_id: str
    doc_id: str
    relevance: int
    note: str = "n"


class Struct(msgspec.Struct):
    qid: str
    docno: str
    label: int


class SubQrel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    subtopic_id: str


class Prel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    method: int
    iprob: float


@pytest.mark.parametrize(
    "record",
    [
        ir_measures.Qrel("q", "d", 1),
        Qrel("q", "d", 1),
        {"query_id": "q", "doc_id": "d", "relevance": 1},
        {"qid": "q", "docno": "d", "label": 1},
        {"query-id": "q", "corpus-id": "d", "score": 1},
        {"query_id": "q", "doc_uri": "d", "relevance": 1},
        SimpleNamespace(query_id="q", doc_id="d", relevance=1),
        Struct("q", "d", 1),
    ],
)
def test_a_label_by_any_name(record: Any) -> None:
    assert read(FORMAT, "judgments", [record])[0] == [Judgment("q", "d", 1)]


@pytest.mark.parametrize(
    "record",
    [
        ir_measures.ScoredDoc("q", "d", 0.5),
        ScoredDoc("q", "d", 0.5),
        {"qid": "q", "docno": "d", "score": 0.5},
        SimpleNamespace(query_id="q", doc_id="d", score=0.5),
    ],
)
def test_a_scored_document_by_any_name(record: Any) -> None:
    assert read(FORMAT, "run", [record])[0] == [Ranking("q", ["d"], [0.5])]


def test_fields_of_irds_classes_are_kept() -> None:
    found, _ = read(FORMAT, "judgments", [SubQrel("q", "d", 1, "3")])
    assert found == [Judgment("q", "d", 1, iteration="3")]
    found, _ = read(FORMAT, "judgments", [Prel("q", "d", 1, 2, 0.25)])
    assert found == [Judgment("q", "d", 1, extra={"method": 2, "iprob": 0.25})]
    found, _ = read(FORMAT, "judgments", [Label("q", "d", 1)])
    assert found == [Judgment("q", "d", 1, extra={"note": "n"})]


def test_fields_of_our_own_rows_find_their_place() -> None:
    row = {
        "query_id": "q",
        "doc_uri": "d",
        "relevance": 1,
        "stratum": "s",
        "labeled_by": "human:me",
        "mood": ["ok"],
        "x": None,
    }
    found, _ = read(FORMAT, "judgments", [row])
    assert found == [Judgment("q", "d", 1, stratum="s", labeled_by="human:me", extra={"mood": ["ok"]})]


def test_rows_of_several_kinds_may_follow_each_other() -> None:
    given = [
        Qrel("q", "a", 1),
        {"query_id": "q", "doc_id": "b", "relevance": 0, "notes": "late"},
        Judgment("q", "c", 2),
    ]
    assert [label.notes for label in read(FORMAT, "judgments", given[:2])[0]] == [None, "late"]
    with pytest.raises(InputErrors, match="row 3, query q: the document id is missing"):
        read(FORMAT, "judgments", given)


def test_our_own_judgments_pass_through_whole() -> None:
    given = [Judgment("q", "d", 1, chunk_id="c1:" + "0" * 32, stratum="s", extra={"x": None})]
    assert read(FORMAT, "judgments", given)[0] == given


def test_our_own_judgments_are_checked_all_the_same() -> None:
    found, _ = read(FORMAT, "judgments", [Judgment("q", 7, np.int64(1))])
    assert found == [Judgment("q", "7", 1)]
    assert type(found[0].relevance) is int
    with pytest.raises(InputErrors, match=r"row 2, query q, document d: relevance 0\.5 is not a whole number"):
        read(FORMAT, "judgments", [Judgment("q", "c", 1), Judgment("q", "d", 0.5)])


def test_rows_of_a_run_are_gathered_by_query() -> None:
    given = [ScoredDoc("q2", "a", 1.0), ScoredDoc("q1", "b", 2.0), ScoredDoc("q2", "c", 3.0), ScoredDoc("q1", "a", 2.0)]
    found, reading = read(FORMAT, "run", given)
    assert found == [Ranking("q2", ["a", "c"], [1.0, 3.0]), Ranking("q1", ["b", "a"], [2.0, 2.0])]
    assert reading.rows == 4


def test_without_scores_the_rank_is_the_order() -> None:
    given = [{"qid": "q", "docno": name, "rank": rank} for name, rank in (("c", 3), ("a", 1), ("b", 2))]
    assert rankings(FORMAT, given) == [("q", ["a", "b", "c"], None)]


def test_more_rows_than_one_batch() -> None:
    given = [ScoredDoc(f"q{number % 3}", f"d{number}", float(number)) for number in range(2500)]
    found = rankings(FORMAT, given)
    # 2500 = 3 * 833 + 1: q0 has one more.
    assert [(query_id, len(doc_ids)) for query_id, doc_ids, _ in found] == [("q0", 834), ("q1", 833), ("q2", 833)]
    assert found[1][1][:2] == ["d1", "d4"]
    with pytest.raises(InputErrors, match="row 2,501, query q, document d: the score is not a number"):
        read(FORMAT, "run", [*given, ScoredDoc("q", "d", float("nan"))])


def test_rankings_pass_through_and_stream() -> None:
    asked: list[str] = []

    def answers() -> Iterator[Ranking]:
        for query_id in ("q1", "q2"):
            asked.append(query_id)
            yield Ranking(query_id, ["a"], None, None, "tag")

    reader = FORMAT.read_run
    assert reader is not None
    found = reader(answers(), Reading())
    assert next(found) == Ranking("q1", ["a"], None, None, "tag")
    assert asked == ["q1"]


def test_a_generator_is_consumed_once() -> None:
    given = iter([Qrel("q", "a", 1), Qrel("q", "b", 0)])
    entry, source = identify(given, "judgments", Reading())
    assert entry is FORMAT
    assert source is given
    assert labels(FORMAT, source) == [("q", "a", 1), ("q", "b", 0)]
    assert next(given, None) is None


def test_a_generator_cannot_be_regrouped_later() -> None:
    given = [Ranking("q", ["a"]), Ranking("p", ["b"]), Ranking("q", ["c"])]
    with pytest.raises(InputError, match="query q comes back after others, and a generator can be read only once"):
        read(FORMAT, "run", iter(given))
    # A list can be read again, so its pieces may be put together by who reads them.
    assert [found.query_id for found in read(FORMAT, "run", given)[0]] == ["q", "p", "q"]


@pytest.mark.parametrize("scores", [np.array([2.0, 1.0]), np.array([2, 1], np.float32), (2, 1), [np.float64(2), 1]])
def test_arrays_in_rankings_are_lists_afterwards(scores: Any) -> None:
    (found,), _ = read(FORMAT, "run", [Ranking(np.str_("q"), np.array(["a", "b"]), scores)])
    assert found == Ranking("q", ["a", "b"], [2.0, 1.0])
    assert [type(part) for part in (found.query_id, found.doc_ids[0], found.scores[0])] == [str, str, float]


@pytest.mark.parametrize(
    "ranking, message",
    [
        (Ranking("q", ["a", "b"], [1.0]), "row 1, query q: 2 documents and 1 scores"),
        (Ranking("q", ["a", None], [1.0, 0.5]), "row 1, query q: the document id is missing (None)"),
        (Ranking("q", ["a", ""]), "row 1, query q, document : the document id is empty"),
        (Ranking("q", ["a", "b"], [1.0, float("nan")]), "row 1, query q, document b: the score is not a number (NaN)"),
        (Ranking(None, ["a"]), "row 1: the query id is missing (None)"),
    ],
)
def test_an_unusable_ranking_is_named(ranking: Ranking, message: str) -> None:
    with pytest.raises(InputErrors) as caught:
        read(FORMAT, "run", [ranking])
    assert caught.value.message == message


def test_unusable_documents_can_be_left_out_of_a_ranking() -> None:
    given = [Ranking("q", ["a", "b", "c"], [3.0, float("nan"), 1.0], [1, 2, 3], "t")]
    found, reading = read(FORMAT, "run", given, drop_bad_rows=True)
    assert found == [Ranking("q", ["a", "c"], [3.0, 1.0], None, "t")]
    assert str(reading.notes["dropped"]) == "1 unusable row dropped"


@pytest.mark.parametrize(
    "part, given, message",
    [
        ("judgments", ["q 0 d 1"], "row 1: a str is no record"),
        ("judgments", [("q", "d", 1)], "row 1: a tuple is no record"),
        ("judgments", [1], "row 1: a int is no record"),
        ("judgments", [None], "row 1: a NoneType is no record"),
        ("judgments", [ScoredDoc("q", "d", 0.5)], "row 1, query q, document d: relevance 0.5 is not a whole number"),
        ("judgments", [{"query_id": "q", "relevance": 1}], "has no column for the document id; its columns are query_id, relevance"),
        ("run", [Qrel("q", "d", 1)], "has no column for the score; its columns are query_id, doc_id, relevance, iteration"),
        ("run", [Ranking("q", ["a"]), ScoredDoc("q", "b", 1.0)], "row 2: a ScoredDoc among rankings"),
        ("judgments", [Qrel(None, "d", 1)], "row 1, document d: the query id is missing (None)"),
        ("run", [{"qid": "q", "docno": "d", "rank": 1.5}], "row 1, query q, document d: the rank 1.5 is not a whole number"),
    ],
)  # fmt: skip
def test_what_is_no_record_is_named(part: Any, given: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(FORMAT, part, given)
    assert str(caught.value) == f"mine: {message}"


def test_itertuples_of_pandas_are_records() -> None:
    frame = pd.DataFrame({"query_id": ["q"], "doc_id": ["d"], "relevance": [1]})
    assert read(FORMAT, "judgments", frame.itertuples())[0] == [Judgment("q", "d", 1)]


def test_the_input_is_never_changed() -> None:
    given = [{"query_id": "q", "doc_id": 1, "score": "x"}, {"query_id": "q", "doc_id": 2, "score": 1.0}]
    before = copy.deepcopy(given)
    read(FORMAT, "run", given, drop_bad_rows=True)
    assert given == before
    run = [Ranking("q", ["a"], [1.0])]
    (found,), _ = read(FORMAT, "run", run)
    found.doc_ids.append("b")
    assert run == [Ranking("q", ["a"], [1.0])]


def test_an_empty_iterable_has_no_records() -> None:
    assert read(FORMAT, "judgments", [])[0] == []
    assert read(FORMAT, "run", iter(()))[0] == []


def test_labels_become_qrels_of_ir_measures() -> None:
    assert FORMAT.to_object is not None
    found = FORMAT.to_object("judgments", [*LABELS, Judgment("q3", "d", 1, iteration="7")])
    assert found == [
        ir_measures.Qrel("q1", "d1", 1, "0"),
        ir_measures.Qrel("q1", "d2", 0, "0"),
        ir_measures.Qrel("q2", "d1", -2, "0"),
        ir_measures.Qrel("q3", "d", 1, "7"),
    ]
    assert {type(label) for label in found} == {ir_measures.Qrel}


def test_rankings_become_scored_docs_of_ir_measures() -> None:
    assert FORMAT.to_object is not None
    found = FORMAT.to_object("run", [*RUN, Ranking("q3", ["b", "a"])])
    assert found == [
        ir_measures.ScoredDoc("q1", "d2", 1.5),
        ir_measures.ScoredDoc("q1", "d1", 0.25),
        ir_measures.ScoredDoc("q2", "d3", -1e-9),
        ir_measures.ScoredDoc("q3", "b", 2.0),
        ir_measures.ScoredDoc("q3", "a", 1.0),
    ]
    assert {type(row) for row in found} == {ir_measures.ScoredDoc}


@pytest.mark.parametrize(
    "given, expected", [([], True), (iter(()), True), ((), True), ({}, False), ("q", False), (b"q", False), (3, False)]
)
def test_iterables_are_accepted(given: Any, expected: bool) -> None:
    assert FORMAT.accepts is not None
    assert FORMAT.accepts(given, "judgments") is expected


@pytest.mark.parametrize(
    "ranking, message",
    [
        (Ranking("q", None), "the documents are a NoneType, not a list"),  # type: ignore[arg-type]
        (Ranking("q", 5), "the documents are a int, not a list"),  # type: ignore[arg-type]
        (Ranking("q", "abc"), "the documents are a str, not a list"),  # else three documents
        (Ranking("q", {"a", "b"}), "the documents are a set, not a list"),  # type: ignore[arg-type] # it has no order
        (Ranking("q", {"a": 1.0}), "the documents are a dict, not a list"),  # type: ignore[arg-type]
        (Ranking("q", np.array("a")), "the documents are a ndarray of one value, not a list"),  # type: ignore[arg-type]
        (Ranking("q", ["a"], 5), "the scores are a int, not a list"),  # type: ignore[arg-type]
        (Ranking("q", ["a"], [10**5000]), "the score a number of thousands of digits cannot be a float"),
        (Ranking("q", ["a"], None, "1"), "the ranks are a str, not a list"),  # type: ignore[arg-type]
        (Ranking("q", ["a"], None, [1, 2]), "1 documents and 2 ranks"),
        (Ranking("q", ["a"], [1.0], ["x"]), "the rank 'x' is a str, not a whole number"),  # type: ignore[list-item]
        (Ranking("q", ["a"], None, None, 5), "the tag 5 is a int, not text"),  # type: ignore[arg-type]
        (Ranking("q", ["a", "b"], None, [1, 1]), "two documents at rank 1: a and b"),
        (Ranking(10**5000, ["a"]), "the query id is a number of thousands of digits"),  # type: ignore[arg-type]
    ],
)
def test_a_ranking_of_other_things_is_no_crash(ranking: Ranking, message: str) -> None:
    with pytest.raises(InputErrors) as caught:
        read(FORMAT, "run", [ranking])
    assert message in str(caught.value)


def test_ranks_are_the_order_of_a_ranking_without_scores() -> None:
    assert rankings(FORMAT, [Ranking("q", ["a", "b"], None, [2, 1])]) == [("q", ["b", "a"], None)]


@pytest.mark.parametrize(
    "label, message",
    [
        (Judgment("q", "d", 10**5000), "relevance a number of thousands of digits is out of range"),
        (Judgment("q", "d", 1, query=5), "query 5 is a int, not text"),  # type: ignore[arg-type]
        (Judgment("q", "d", 1, iteration=None), "iteration None is a NoneType, not text"),  # type: ignore[arg-type]
        (Judgment("q", "d", 1, extra=None), "extra is a NoneType, not a mapping"),  # type: ignore[arg-type]
        (Judgment("q", "d", 1, chunk_id=""), "the chunk id is empty"),
    ],
)
def test_a_judgment_of_other_things_is_no_crash(label: Judgment, message: str) -> None:
    with pytest.raises(InputErrors) as caught:
        read(FORMAT, "judgments", [label])
    assert message in str(caught.value)
