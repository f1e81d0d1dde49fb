"""A run whose rows are in any order gives what the same run gives query by query, however little memory it may use."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge import gathering, scattered
from irbridge.conventions import PRESETS, Convention
from irbridge.errors import InputError
from irbridge.inputs import Input, judged_run, labels_of

QUERIES = st.sampled_from(["q1", "q2", "q3", "Q-4", "é", "unjudged"])
IDS = st.sampled_from(["a", "b", "aa", "d10", "123456789", "x" * 70, "漢字", "q1"])
ROWS = st.lists(
    st.tuples(QUERIES, IDS, st.sampled_from(["1.5", "1", "0.25", "-3", "2e-3", "16777217"]), st.sampled_from("1239x")),
    max_size=40,
)
QRELS = "".join(
    f"{q} 0 {d} {g}\n" for q in ("q1", "q2", "q3", "Q-4", "é") for g, d in enumerate(("a", "d10", "漢字", "q1"))
)
CONVENTIONS = [
    *PRESETS.values(),
    Convention("given", ties="given", duplicates="first"),
    Convention("last", duplicates="last"),
    Convention("asc", ties="docid-asc", duplicates="first"),
]


def written(rows: list[tuple[str, str, str, str]]) -> str:
    return "".join(f"{query} Q0 {doc} {rank} {score} t\n" for query, doc, score, rank in rows)


def outcome(path, qrels, convention) -> object:
    """What matters of a judged run; of a refusal how its message ends, for the first bad query need not be the same."""
    try:
        judged = judged_run(qrels, path, convention, name="trec-run")
    except InputError as error:
        return error.message[-20:]
    hits = judged.hits
    return (
        hits.label.tolist(), hits.rank.tolist(), hits.retrieved.tolist(), hits.answered.tolist(), judged.extra,
        judged.repeated, judged.contradicting, judged.documents,
    )  # fmt: skip


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda convention: convention.name)
@given(rows=ROWS, held=st.integers(1, 9), packed=st.booleans())
def test_scattered_rows_give_what_rows_by_query_give(tmp_path_factory, convention, rows, held, packed):
    folder = tmp_path_factory.getbasetemp()
    (folder / "qrels").write_text(QRELS, encoding="utf-8")
    qrels = labels_of(Input(folder / "qrels", "judgments"))
    firsts = list(dict.fromkeys(row[0] for row in rows))
    (folder / "sorted").write_text(written(sorted(rows, key=lambda row: firsts.index(row[0]))), encoding="utf-8")
    data = written(rows).encode()
    (folder / "scattered").write_bytes(gzip.compress(data) if packed else data)
    before = scattered.HELD_ROWS, gathering.HELD_ROWS
    scattered.HELD_ROWS = gathering.HELD_ROWS = held
    try:
        found = outcome(folder / "scattered", qrels, convention)
    finally:
        scattered.HELD_ROWS, gathering.HELD_ROWS = before
    assert found == outcome(folder / "sorted", qrels, convention)
