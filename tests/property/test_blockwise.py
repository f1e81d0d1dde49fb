"""Judging by block gives what judging ranking by ranking gives, under every convention, on every kind of oddness."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.bytecolumns import Columns, mix, repeated
from irbridge.conventions import PRESETS, Convention
from irbridge.errors import InputError
from irbridge.inputs import Input, labels_of
from irbridge.judging import Judged, judge
from irbridge.model import Judgment, Ranking
from irbridge.qrels import Qrels
from irbridge.rows import RunRows, whole_queries

IDS = st.sampled_from(
    ["a", "b", "B", "aa", "d1", "d2", "d10", "12345678", "123456789", "x" * 17, "é", "漢字文書", "z\x7f", "q1", "q2"]
)
SCORES = st.sampled_from([1.0, 1.0, 0.5, 0.5000000001, 16777216.0, 16777217.0, -1.0, 0.0, 2.25, 1e-9])
ROWS = st.lists(st.tuples(IDS, SCORES, st.integers(1, 9)), max_size=12)
RUN = st.lists(
    st.tuples(st.sampled_from(["q1", "q2", "q3", "Q-4", "unjudged"]), ROWS),
    max_size=5,
    unique_by=lambda entry: entry[0],
)
QRELS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "Q-4"]), st.dictionaries(IDS, st.integers(-2, 4), min_size=1), min_size=1
)


def qrels_of(labels: dict[str, dict[str, int]]) -> Qrels:
    return Qrels.from_judgments(Judgment(q, d, grade) for q, own in labels.items() for d, grade in own.items())


def rankings(run: list) -> list[Ranking]:
    return [Ranking(q, [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows]) for q, rows in run if rows]


def pieces(run: list, size: int) -> list[RunRows]:
    rows = [(q, *row) for q, own in run for row in own]
    found = []
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        found.append(
            RunRows.of_lists(
                [r[0] for r in part],
                [r[1] for r in part],
                [r[2] for r in part],
                [r[3] for r in part],
                range(start, start + len(part)),
            )
        )
    return found


def seen(judged: Judged) -> tuple:
    hits = judged.hits
    per_query = [
        (query_id, list(zip(hits.rank[hits.query == n].tolist(), hits.label[hits.query == n].tolist(), strict=True)))
        for n, query_id in enumerate(hits.qrels.query_ids)
    ]
    return (
        per_query, hits.retrieved.tolist(), hits.answered.tolist(), judged.extra_count,
        sorted(judged.repeated), sorted(judged.contradicting), judged.documents,
    )  # fmt: skip


def outcome(make) -> tuple:
    try:
        return ("judged", seen(make()))
    except InputError as error:
        return ("refused", error.message.split(":")[0])


CONVENTIONS = [
    *PRESETS.values(),
    Convention("last", duplicates="last"),
    Convention("asc", ties="docid-asc", duplicates="first"),
]


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda convention: convention.name)
@given(labels=QRELS, run=RUN, size=st.integers(1, 14))
def test_block_by_block_equals_ranking_by_ranking(convention, labels, run, size):
    qrels = qrels_of(labels)
    one = outcome(lambda: judge(qrels, lambda: rankings(run), convention))
    other = outcome(lambda: judge(qrels, list, convention, pieces=lambda: whole_queries(pieces(run, size))))
    assert one == other


@given(
    st.lists(
        st.one_of(
            st.floats(-1e6, 1e6).map(lambda x: f"{x:.4f}"),
            st.text("0123456789.-", min_size=1, max_size=18),
            st.integers(-(10**17), 10**17).map(str),
            st.floats(allow_nan=False, allow_infinity=False).map(repr),
        ),
        min_size=1,
        max_size=30,
    )
)
def test_numbers_are_what_float_reads_or_left_alone(fields):
    columns = Columns.split("".join(f"x {field}\n" for field in fields).encode(), 2)
    assert columns is not None
    values, understood = columns.numbers(1)
    for field, value, good in zip(fields, values.tolist(), understood.tolist(), strict=True):
        if good:
            assert np.float64(value) == float(field)
            assert set(field) <= set("0123456789.-")


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=30), min_size=1, max_size=20
    )
)
def test_hashes_and_changes_see_what_equality_sees(texts):
    columns = Columns.of_texts(texts)
    hashes = columns.hashes(0).tolist()
    for one, its in zip(texts, hashes, strict=True):
        for other, others in zip(texts, hashes, strict=True):
            assert (one == other) == (its == others)
    for text, own in zip(texts, hashes, strict=True):
        assert Columns.of_texts([text]).hashes(0).tolist() == [own], "a hash depends on the field alone"
    expected = [n for n, text in enumerate(texts) if n == 0 or text != texts[n - 1]]
    assert columns.changes(0).tolist() == expected
    assert columns.equal(0, columns, 0).all()


@pytest.mark.parametrize(
    "block",
    ["a b\n\nc d\n", "a  b\n", " a b\n", "a b c\nd\n", "#a b\n", "a\tb\x0b\n", "a\n", "a b\n c d\n", "\n", "a b \n"],
)
def test_irregular_blocks_are_left_to_the_careful_parser(block):
    assert Columns.split(block.encode(), 2) is None


@pytest.mark.parametrize("block", ["a b\nc d\n", "a\tb\r\nc d", "a b\nc d"])
def test_regular_blocks(block):
    columns = Columns.split(block.encode(), 2)
    assert columns is not None
    assert columns.texts(0, 0, 2) == ["a", "c"]
    assert columns.texts(1, 0, 2) == ["b", "d"]


@given(st.lists(st.tuples(IDS, IDS, st.integers(-3, 12345678), st.sampled_from([" ", "\t"])), min_size=1, max_size=20))
def test_labels_as_columns_equal_labels_one_by_one(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "labels.txt"
    path.write_text("".join(sep.join((q, "0", d, str(grade))) + "\n" for q, d, grade, sep in rows), encoding="utf-8")

    def outcome(make) -> tuple:
        try:
            return (
                [(query, list(own.items())) for query, own in zip(made.query_ids, made.labels, strict=True)]
                if (made := make())
                else []
            )
        except InputError as error:
            return str(error)

    one = Input(path, "judgments")
    other = Input(path, "judgments")
    assert outcome(lambda: labels_of(one)) == outcome(lambda: Qrels.from_judgments(iter(other), other.reading))


@given(st.lists(st.integers(0, 9) | st.integers(0, 2**64 - 1), max_size=60), st.booleans())
def test_words_that_are_repeated(numbers, alike):
    words = mix(np.array(numbers, np.uint64))
    if alike:  # in the upper halves, which are looked at first
        words &= np.uint64(2**34 - 1)
    again = [word for word in set(words.tolist()) for _ in range(words.tolist().count(word) - 1)]
    assert repeated(words).tolist() == sorted(again)


@given(st.lists(st.text("ab\u00e9", max_size=70), min_size=1, max_size=20))
def test_a_field_s_hash_is_its_own(texts):
    together = Columns.of_texts(texts).hashes(0).tolist()
    assert together == [Columns.of_texts([text]).hashes(0).tolist()[0] for text in texts]
    assert len(set(together)) == len(set(texts))
