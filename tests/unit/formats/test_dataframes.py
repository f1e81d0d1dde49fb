from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support.formats import LABELS, RUN, labels, rankings, read

from irbridge.errors import InputError, InputErrors, MissingDependency
from irbridge.formats.base import Format
from irbridge.formats.dataframes import FORMAT
from irbridge.model import Judgment, Ranking

BY_NAME = {entry.name: entry for entry in FORMAT}
PANDAS, POLARS, ARROW, PYTERRIER = (BY_NAME[name] for name in ("pandas", "polars", "pyarrow", "pyterrier"))
MAKERS: dict[str, Callable[[Any], Any]] = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}

every_library = pytest.mark.parametrize("name", MAKERS)


@every_library
@pytest.mark.parametrize(
    "names",
    ["query_id doc_id relevance", "qid docno label", "query-id corpus-id score", "q_id doc_id score", "qid docno rel"],
)
def test_labels_under_the_names_of_every_tool(name: str, names: str) -> None:
    query, doc, grade = names.split()
    frame = MAKERS[name]({doc: ["d1", "d2", "d1"], grade: [1, 0, -2], query: ["q1", "q1", "q2"]})
    found, reading = read(BY_NAME[name], "judgments", frame)
    assert found == [Judgment("q1", "d1", 1), Judgment("q1", "d2", 0), Judgment("q2", "d1", -2)]
    assert {type(part) for part in found[0][:3]} == {str, int}
    assert (reading.rows, reading.notes) == (3, {})


@every_library
@pytest.mark.parametrize("names", ["query_id doc_id score", "qid docno score", "query-id corpus-id score"])
def test_a_run_is_gathered_by_query(name: str, names: str) -> None:
    query, doc, score = names.split()
    frame = MAKERS[name]({query: ["q1", "q2", "q1"], doc: ["d1", "d2", "d3"], score: [0.5, 1.0, 2.5]})
    found, reading = read(BY_NAME[name], "run", frame)
    assert found == [Ranking("q1", ["d1", "d3"], [0.5, 2.5]), Ranking("q2", ["d2"], [1.0])]
    assert {type(value) for value in found[0].scores} == {float}
    assert reading.rows == 3


@every_library
def test_ranks_are_kept_beside_scores_and_are_the_order_without(name: str) -> None:
    columns = {"qid": ["q"] * 3, "docno": ["c", "a", "b"], "rank": [2, 0, 1]}
    found, _ = read(BY_NAME[name], "run", MAKERS[name]({**columns, "score": [1.0, 3.0, 2.0]}))
    assert found == [Ranking("q", ["c", "a", "b"], [1.0, 3.0, 2.0], [2, 0, 1])]
    found, _ = read(BY_NAME[name], "run", MAKERS[name](columns))
    assert found == [Ranking("q", ["a", "b", "c"], None, [0, 1, 2])]


@every_library
def test_the_iteration_and_further_columns_are_kept(name: str) -> None:
    columns = {
        "query_id": ["q", "q"], "doc_id": ["a", "b"], "relevance": [1, 0], "iteration": ["0", "7"],
        "stratum": ["s", None], "note": [None, "n"],
    }  # fmt: skip
    found, _ = read(BY_NAME[name], "judgments", MAKERS[name](columns))
    assert found == [Judgment("q", "a", 1, stratum="s"), Judgment("q", "b", 0, iteration="7", extra={"note": "n"})]


@every_library
def test_whole_number_ids_are_their_digits(name: str) -> None:
    found, reading = read(BY_NAME[name], "judgments", MAKERS[name]({"qid": [1, 1], "docno": [10, 20], "label": [1, 0]}))
    assert found == [Judgment("1", "10", 1), Judgment("1", "20", 0)]
    assert sorted(reading.notes) == ["numeric-document-ids", "numeric-query-ids"]
    assert reading.notes["numeric-query-ids"].count == 2


@every_library
def test_missing_values_are_named_by_row(name: str) -> None:
    frame = MAKERS[name]({"qid": ["q", "q", None], "docno": ["a", "b", "c"], "score": [1.0, None, 3.0]})
    with pytest.raises(InputErrors) as caught:
        read(BY_NAME[name], "run", frame)
    second, third = (error.message for error in caught.value.errors)
    assert second.startswith("row 2, query q, document b: the score is ")
    assert "document c: the query id is missing (" in third
    assert rankings(BY_NAME[name], frame, drop_bad_rows=True) == [("q", ["a"], [1.0])]


@every_library
@pytest.mark.parametrize(
    "part, columns, message",
    [
        ("judgments", "qid docno", "has no column for the relevance grade; its columns are qid, docno"),
        ("judgments", "qid label", "has no column for the document id; its columns are qid, label"),
        ("run", "docno score", "has no column for the query id; its columns are docno, score"),
        ("run", "qid docno label", "has no column for the score; its columns are qid, docno, label"),
        ("judgments", "qid docno score rank", "is a run: it has score and rank, and no grades"),
    ],
)
def test_a_missing_column_is_named_with_those_that_are_there(name: str, part: Any, columns: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(BY_NAME[name], part, MAKERS[name]({column: [1] for column in columns.split()}))
    assert str(caught.value) == f"mine: {message}"


@every_library
def test_an_empty_frame_has_no_records(name: str) -> None:
    entry = BY_NAME[name]
    assert entry.to_object is not None
    assert read(entry, "judgments", entry.to_object("judgments", []))[0] == []
    assert read(entry, "run", entry.to_object("run", []))[0] == []


def test_grades_that_are_whole_fractions_are_noted() -> None:
    # A column of integers in which one value is missing is a column of floats in pandas.
    frame = pd.DataFrame({"qid": ["q", "q"], "docno": ["a", "b"], "label": [1.0, np.nan]})
    with pytest.raises(InputErrors, match=r"row 2, query q, document b: relevance is missing \(nan\)"):
        read(PANDAS, "judgments", frame)
    found, reading = read(PANDAS, "judgments", frame[:1])
    assert found == [Judgment("q", "a", 1)]
    assert reading.notes["whole-grades"].count == 1


def test_ids_that_pandas_made_floats_are_refused_with_the_reason() -> None:
    frame = pd.DataFrame({"qid": [1, None], "docno": ["a", "b"], "label": [1, 1]})
    with pytest.raises(InputErrors) as caught:
        read(PANDAS, "judgments", frame)
    assert caught.value.message == "row 1, query 1.0, document a: the query id 1.0 is a float, not text"
    assert "pandas turns whole numbers into floats where a value of the column is missing" in str(caught.value.hint)


@pytest.mark.parametrize("kind", ["object", "string", "category", "str"])
def test_every_way_of_pandas_to_hold_text(kind: str) -> None:
    frame = pd.DataFrame({"qid": ["q", "q"], "docno": ["a", "b"], "label": [1, 0]}).astype({"qid": kind, "docno": kind})
    assert labels(PANDAS, frame) == [("q", "a", 1), ("q", "b", 0)]


@pytest.mark.parametrize("kind", ["int8", "uint8", "int32", "Int64", "object"])
def test_every_way_of_pandas_to_hold_whole_numbers(kind: str) -> None:
    frame = pd.DataFrame({"qid": ["q"], "docno": ["a"], "label": pd.array([1], dtype=kind)})
    found, reading = read(PANDAS, "judgments", frame)
    assert found == [Judgment("q", "a", 1)]
    assert type(found[0].relevance) is int
    assert reading.notes == {}


def test_a_mixed_column_never_merges_a_number_and_its_text() -> None:
    frame = pd.DataFrame({"qid": pd.Series([1, "1"], dtype=object), "docno": ["a", "b"], "label": [1, 0]})
    with pytest.raises(InputError, match="query ids are text here and numbers there"):
        read(PANDAS, "judgments", frame)


def test_two_columns_of_one_name_are_refused() -> None:
    frame = pd.DataFrame([["q", "a", 1, 2]], columns=["qid", "docno", "label", "label"])
    with pytest.raises(InputError, match="has two columns called label"):
        read(PANDAS, "judgments", frame)


def test_the_first_of_several_names_counts() -> None:
    # What PyTerrier's pipelines hold: docid is an internal number, label comes from joined qrels.
    frame = pd.DataFrame(
        {"qid": ["q"], "docid": [17], "docno": ["a"], "rank": [0], "score": [2.5], "label": [1], "query": ["what"]}
    )
    assert read(PANDAS, "run", frame)[0] == [Ranking("q", ["a"], [2.5], [0])]
    found, _ = read(PANDAS, "judgments", frame)
    assert found == [Judgment("q", "a", 1, query="what", extra={"docid": 17, "rank": 0, "score": 2.5})]


def test_an_index_does_not_matter_and_nothing_is_changed() -> None:
    frame = pd.DataFrame({"qid": ["q", "p"], "docno": ["a", "b"], "score": [1.0, 2.0]}, index=[7, 7])
    before = frame.copy(deep=True)
    assert rankings(PANDAS, frame) == [("q", ["a"], [1.0]), ("p", ["b"], [2.0])]
    pd.testing.assert_frame_equal(frame, before)


def test_a_lazy_frame_is_collected() -> None:
    frame = pl.DataFrame({"qid": ["q"], "docno": ["a"], "label": [1]}).lazy()
    assert POLARS.accepts is not None
    assert POLARS.accepts(frame, "judgments")
    assert labels(POLARS, frame) == [("q", "a", 1)]


def test_a_record_batch_is_a_table() -> None:
    batch = pa.record_batch({"qid": ["q"], "docno": ["a"], "score": pa.array([0.5], pa.float32())})
    assert ARROW.accepts is not None
    assert ARROW.accepts(batch, "run")
    assert rankings(ARROW, batch) == [("q", ["a"], [0.5])]


def test_a_dictionary_encoded_column_is_text() -> None:
    table = pa.table({"qid": pa.array(["q", "q"]).dictionary_encode(), "docno": ["a", "b"], "label": [1, 0]})
    assert labels(ARROW, table) == [("q", "a", 1), ("q", "b", 0)]


class Frame(pd.DataFrame):
    """Somebody's subclass."""


@pytest.mark.parametrize(
    "given, name",
    [
        (pd.DataFrame(), "pandas"),
        (Frame(), "pandas"),
        (pl.DataFrame(), "polars"),
        (pa.table({}), "pyarrow"),
        (pd.Series(dtype=object), None),
        ([], None),
        ({}, None),
    ],
)
def test_each_is_recognised_by_its_class(given: Any, name: str | None) -> None:
    assert [entry.name for entry in FORMAT if entry.accepts is not None and entry.accepts(given, "run")] == (
        [name] if name else []
    )


def test_recognising_loads_no_library() -> None:
    code = (
        "from irbridge.formats.dataframes import FORMAT; import sys\n"
        "[e.accepts([], 'run') for e in FORMAT if e.accepts]\n"
        "print(sorted({'pandas', 'polars', 'pyarrow', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def made(entry: Format, part: Any, records: Any) -> Any:
    assert entry.to_object is not None
    return entry.to_object(part, records)


ROWS = {
    "judgments": {"query_id": ["q1", "q1", "q2"], "doc_id": ["d1", "d2", "d1"], "relevance": [1, 0, -2], "iteration": ["0"] * 3},
    "run": {"query_id": ["q1", "q1", "q2"], "doc_id": ["d2", "d1", "d3"], "score": [1.5, 0.25, -1e-9]},
}  # fmt: skip


@every_library
@pytest.mark.parametrize("part", ROWS)
def test_frames_have_the_columns_of_ir_measures(name: str, part: str) -> None:
    frame = made(BY_NAME[name], part, LABELS if part == "judgments" else RUN)
    expected = MAKERS[name](ROWS[part])
    assert type(frame) is type(expected)
    assert (list(frame.to_dict("list").items()) if name == "pandas" else list(_dict(frame).items())) == list(
        ROWS[part].items()
    )


def _dict(frame: Any) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = frame.to_pydict() if isinstance(frame, pa.Table) else frame.to_dict(as_series=False)
    return found


@every_library
def test_the_types_do_not_depend_on_the_rows(name: str) -> None:
    entry = BY_NAME[name]
    for part, records in (("judgments", LABELS), ("run", RUN)):
        some, none = made(entry, part, records), made(entry, part, [])
        numbers = "relevance" if part == "judgments" else "score"
        assert str(some[numbers].dtype if name != "pyarrow" else some[numbers].type).lower() in {
            "int64",
            "float64",
            "double",
        }
        assert (some[numbers].type if name == "pyarrow" else some[numbers].dtype) == (
            none[numbers].type if name == "pyarrow" else none[numbers].dtype
        )


def test_pyterriers_columns() -> None:
    frame = made(PYTERRIER, "judgments", LABELS)
    assert frame.to_dict("list") == {"qid": ["q1", "q1", "q2"], "docno": ["d1", "d2", "d1"], "label": [1, 0, -2]}
    run = [Ranking("q1", ["a", "b", "c"], [1.0, 3.0, 1.0]), Ranking("q2", ["y", "x"])]
    frame = made(PYTERRIER, "run", run)
    assert list(frame.columns) == ["qid", "docno", "rank", "score"]
    # Its ranks begin at 0 (pyterrier/model.py: FIRST_RANK).
    assert frame["rank"].tolist() == [1, 0, 2, 0, 1]
    assert frame["score"].tolist() == [1.0, 3.0, 1.0, 2.0, 1.0]
    assert read(PYTERRIER, "run", frame)[0][0] == Ranking("q1", ["a", "b", "c"], [1.0, 3.0, 1.0], [1, 0, 2])


@pytest.mark.parametrize(
    "name, package", [("pandas", "pandas"), ("polars", "polars"), ("pyarrow", "parquet"), ("pyterrier", "pandas")]
)
def test_without_the_library_the_pip_line_is_named(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("pandas", "polars", "pyarrow"):
        monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingDependency) as caught:
        made(BY_NAME[name], "run", RUN)
    assert caught.value.hint == f"pip install 'irbridge[{package}]'"


@every_library
def test_two_documents_at_one_rank_have_no_order(name: str) -> None:
    """As in an MS MARCO file, where the script would keep the later one."""
    columns = {"qid": ["q", "q", "q"], "docno": ["a", "b", "c"], "rank": [1, 1, 2]}
    with pytest.raises(InputErrors, match=r"^mine: query q has two documents at rank 1: a and b$"):
        read(BY_NAME[name], "run", MAKERS[name](columns))
    with_scores = MAKERS[name]({**columns, "score": [3.0, 2.0, 1.0]})
    assert rankings(BY_NAME[name], with_scores) == [("q", ["a", "b", "c"], [3.0, 2.0, 1.0])]


@every_library
def test_gaps_in_ranks_are_noted_wherever_they_count_from(name: str) -> None:
    for ranks, gaps in (([0, 1, 2], 0), ([1, 2, 3], 0), ([3, 1, 2], 0), ([0, 1, 3], 1), ([2, 3, 4], 1), ([1, 2, 4], 1)):
        frame = MAKERS[name]({"qid": ["q"] * 3, "docno": ["a", "b", "c"], "rank": ranks})
        found, reading = read(BY_NAME[name], "run", frame)
        assert list(found[0].ranks) == sorted(ranks)
        assert len(reading.notes) == gaps


def test_ranks_that_pandas_made_floats_can_contradict_the_scores() -> None:
    frame = pd.DataFrame({"qid": ["q", "q"], "docno": ["a", "b"], "rank": [1.0, 2.0], "score": [1.0, 2.0]})
    (found,), _ = read(PANDAS, "run", frame)
    assert found.ranks == [1, 2]
    frame["rank"] = [1.0, None]
    assert read(PANDAS, "run", frame)[0][0].ranks is None


def test_values_that_arrow_holds_and_python_does_not() -> None:
    offsets = pa.py_buffer(np.array([0, 2], np.int32).tobytes())
    broken = pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(b"q\xff")])
    with pytest.raises(InputError, match=r"^mine: the column query_id cannot be read: 'utf-8' codec"):
        read(ARROW, "judgments", pa.table({"query_id": broken, "doc_id": ["d"], "relevance": [1]}))
    far = pa.array([10**8], pa.int32()).cast(pa.date32())  # in the year 275760; Python's dates end in 9999
    table = pa.table({"query_id": ["q"], "doc_id": ["d"], "relevance": [1], "seen": far})
    with pytest.raises(InputError, match=r"^mine: the column seen cannot be read: date value out of range"):
        read(ARROW, "judgments", table)


def test_a_lazy_frame_that_cannot_be_collected() -> None:
    frame = pl.LazyFrame({"query_id": ["q"]}).select(pl.col("absent"))
    with pytest.raises(InputError, match=r"^mine: the lazy frame cannot be collected: "):
        read(POLARS, "judgments", frame)


def test_a_chunk_id_is_an_id() -> None:
    frame = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["d", "e"], "relevance": [1, 1], "chunk_id": [None, "c\0"]})
    with pytest.raises(InputErrors, match=r"row 2, query q, document e: the chunk id c\\x00 holds a NUL character"):
        read(PANDAS, "judgments", frame)
