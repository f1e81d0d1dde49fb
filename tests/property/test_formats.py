"""Laws of the text formats: both ways of reading agree, and what was written comes back."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.errors import InputError
from irbridge.formats import judgments, msmarco_run, run_jsonl, trec_qrels, trec_run
from irbridge.formats.columns import rankings
from irbridge.formats.jsonlines import decoder
from irbridge.model import Judgment, Ranking
from irbridge.reading import Reading
from irbridge.source import Source

Reader = Callable[[Source, Reading], Iterator[Any]]

# ------------------------------------------------------------------------------------------------------------- inputs

SCALARS = st.characters(exclude_categories=["Cs"])
ID = st.text(SCALARS.filter(lambda char: char not in " \t\n\v\f\r\0"), min_size=1, max_size=8)
FIRST_ID = ID.filter(lambda text: text[0] not in "#\ufeff")
ANY_ID = st.text(SCALARS.filter(lambda char: char != "\0"), min_size=1, max_size=8)
SCORE = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(-(10**14), 10**14))
TEXT = st.none() | st.text(SCALARS, max_size=8)

SPACES = [" "] * 8 + ["  ", "\t", " \t", "\v", "\f", "\r"]
TOKENS = ["q1", "q1", "q2", "Q0", "0", "d#1", "#x", "a\u00a0b", "\u2028", "\x1c", "1", "t"]
PLAIN = ["1", "2", "3", "10"]
ODD = [
    "0",
    "-1",
    "007",
    "2.5",
    "1e3",
    "-.5",
    "1.0",
    "2.",
    "0.9",
    "nan",
    "inf",
    "1e999",
    "1_0",
    "٣",
    "+1",
    "yes",
    "9" * 20,
]
NO_ROWS = ["# c", "#", "", "  ", "\t", " # d"]


def row(random: Random, width: int, numbers: tuple[int, ...]) -> str:
    """A row that is regular more often than not."""
    kind = random.randrange(20)
    if kind == 0:
        return random.choice(NO_ROWS)
    count = random.randrange(1, 10) if kind == 1 else width
    odd = random.choice(numbers) if kind < 6 else -1
    cells = [random.choice(PLAIN if column in numbers else TOKENS) for column in range(count)]
    if 0 <= odd < count:
        cells[odd] = random.choice(ODD)
    spaces = [random.choice(SPACES if kind > 15 else " ") for _ in cells]
    spaces[-1] = random.choice(SPACES) if kind == 2 else ""
    return (random.choice(SPACES) if kind == 3 else "") + "".join(map("".join, zip(cells, spaces, strict=True)))


def block(random: Random, width: int, *numbers: int) -> str:
    """Some lines; many of them repeat, as query ids and tags do."""
    lines = [[row(random, width, numbers)] * random.randrange(1, 6) for _ in range(random.randrange(1, 8))]
    # CR before LF would be the line's end, not white space in it.
    return "".join(f"{line}\n" for group in lines for line in group).replace("\r\n", " \n")


SEEDS = st.integers(0, 2**32)


class Held(Source):
    """An input that is in memory."""

    def __init__(self, data: bytes) -> None:
        super().__init__("held")
        self._data = data

    def open(self) -> BinaryIO:
        return io.BytesIO(self._data)


def outcome(read_: Callable[[], Iterable[Any]], reading: Reading) -> tuple[Any, ...]:
    """All that a reader tells: its records, problems, notes and counts."""
    found: list[Any] = []
    try:
        for record in read_():
            if isinstance(record, Ranking):
                record = record._replace(ranks=None if record.ranks is None else list(record.ranks))
            found.append((record, reading.line))
        reading.finish()
        problems = None
    except InputError as error:
        found, problems = [], error.lines()
    notes = {code: note.count for code, note in reading.notes.items()}
    rows_ = reading.rows if problems is None else None
    return repr(found), problems, notes, rows_, sorted(str(error) for error in reading.dropped)


def read(reader: Reader, data: bytes, **options: Any) -> tuple[list[Any], Reading]:
    reading = Reading("input", **options)
    return list(reader(Held(data), reading)), reading


def written(writer: Callable[[Iterable[Any], BinaryIO], int], records: Iterable[Any]) -> bytes:
    stream = io.BytesIO()
    writer(records, stream)
    return stream.getvalue()


# ------------------------------------------------------------------------------------------------ both ways of reading


@given(SEEDS, st.booleans(), st.booleans())
def test_trec_runs_are_read_alike_both_ways(seed: int, allow_infinite: bool, drop: bool) -> None:
    text = block(Random(seed), 6, 3, 4)
    options: dict[str, Any] = {"allow_infinite": allow_infinite, "drop_bad_rows": drop}
    fast, careful = Reading("run", **options), Reading("run", **options)
    expected = outcome(lambda: rankings(trec_run.careful(text, 1, careful).pieces(), careful), careful)
    assert outcome(lambda: trec_run.read(Held(text.encode()), fast), fast) == expected


@given(SEEDS, st.booleans())
def test_msmarco_runs_are_taken_apart_alike_both_ways(seed: int, drop: bool) -> None:
    text = block(Random(seed), 3, 2)
    fast, careful = Reading("run", drop_bad_rows=drop), Reading("run", drop_bad_rows=drop)
    expected = outcome(lambda: rankings(msmarco_run.careful(text, 1, careful).pieces(), careful), careful)
    assert outcome(lambda: rankings(msmarco_run._pieces(Held(text.encode()), fast), fast), fast) == expected


@given(SEEDS, st.booleans())
def test_trec_qrels_are_read_alike_both_ways(seed: int, drop: bool) -> None:
    text = block(Random(seed), 4, 3)
    fast, careful = Reading("qrels", drop_bad_rows=drop), Reading("qrels", drop_bad_rows=drop)
    expected = outcome(
        lambda: trec_qrels._careful(*trec_qrels.data_lines(text, 1, careful, note_blank=True), careful), careful
    )
    assert outcome(lambda: trec_qrels.read(Held(text.encode()), fast), fast) == expected


@pytest.mark.parametrize("module, width", [(trec_run, 6), (trec_qrels, 4), (msmarco_run, 3)])
@given(seed=SEEDS, size=st.integers(1, 80))
def test_the_size_of_a_block_changes_nothing(module: Any, width: int, seed: int, size: int) -> None:
    text = block(Random(seed), width, *((3, 4) if width == 6 else (width - 1,)))
    found = []
    with pytest.MonkeyPatch.context() as patch:
        for block_bytes in (1 << 16, size):
            patch.setattr(module, "BLOCK_BYTES", block_bytes)
            reading = Reading("x", drop_bad_rows=True)
            found.append(outcome(lambda reading=reading: module.read(Held(text.encode()), reading), reading))
    assert found[0] == found[1]


def test_the_rows_of_these_tests_take_both_ways() -> None:
    """The laws above say something only if many blocks are regular and many are not."""
    texts = [block(Random(seed), 6, 3, 4) for seed in range(400)]
    ways = [trec_run._regular(text, range(text.count("\n"))) is not None for text in texts]
    assert 40 < sum(ways) < 360


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | st.text(SCALARS, max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(SCALARS, max_size=4), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip
NAMES = st.sampled_from([*judgments.FIELDS, "ranking", "scores", "tag", "grade", "iteration", "x"])
VALUES = JSON | st.sampled_from(
    ["q", 'a":b', "", "\0", 1, 0, -1, 2**53, 2**53 + 1, 1.0, ["a", "b"], ["a", ""], [2, 1.5]]
)


@st.composite
def objects(draw: st.DrawFn, *required: tuple[str, st.SearchStrategy[Any]]) -> str:
    """A line with one object; a key may stand twice, white space anywhere."""
    pairs = [(name, draw(values if draw(st.integers(0, 9)) else VALUES)) for name, values in required]
    pairs += draw(st.lists(st.tuples(NAMES, VALUES), max_size=2))
    pairs = draw(st.permutations(pairs))
    blank = st.sampled_from(["", "", "", " ", "\t"])
    ascii_ = draw(st.booleans())
    members = (
        draw(blank)
        + json.dumps(name)
        + draw(blank)
        + ":"
        + draw(blank)
        + json.dumps(value, ensure_ascii=ascii_)
        + draw(blank)
        for name, value in pairs
    )
    return "{" + ",".join(members) + "}"


LABEL = objects(("query_id", ANY_ID), ("doc_uri", ANY_ID), ("relevance", st.integers(0, 3)))


@given(
    st.lists(
        LABEL | st.sampled_from(["", "// said", "[1]", '{"query_id":"q"}{"query_id":"q"}']), min_size=1, max_size=4
    )
)
def test_judgments_are_decoded_alike_both_ways(lines: list[str]) -> None:
    """Many lines at once, or line by line."""
    plain = judgments._typed()("".join(f"{line}\n" for line in lines), len(lines))
    if plain is None:
        return
    assert len(plain) == len(lines)
    for line, label in zip(lines, plain, strict=True):
        value, reading = decoder()(line), Reading()
        assert isinstance(value, dict)
        assert judgments._label(value, line, reading) == label
        assert reading.notes == {}


@given(st.lists(ANY_ID, min_size=1, max_size=4))
def test_plain_judgments_take_the_fast_way(ids: list[str]) -> None:
    """Else the test above would prove nothing."""
    rows = [json.dumps({"query_id": each, "doc_uri": "d", "relevance": 1}, separators=(",", ":")) for each in ids]
    quick = judgments._typed()("".join(f"{row}\n" for row in rows), len(rows))
    if all("\0" not in each and '"' not in each and each.isascii() and each for each in ids):
        assert quick is not None


@given(objects(("query_id", ANY_ID), ("ranking", st.lists(ANY_ID, max_size=3))))
def test_rankings_are_decoded_alike_both_ways(line: str) -> None:
    plain = run_jsonl._typed()(line)
    value = decoder()(line)
    if plain is not None:
        assert isinstance(value, dict)
        other = run_jsonl._ranking(value, line, Reading())
        assert other is not None
        assert repr(other) == repr(plain)


@given(objects(("query_id", ANY_ID)))
def test_the_strict_decoder_agrees_with_python_s_on_what_it_takes(line: str) -> None:
    found = decoder()(line)
    if isinstance(found, dict):
        pairs: list[Any] = json.loads(line, object_pairs_hook=list)
        assert len({name for name, _ in pairs}) == len(pairs)
        assert found == json.loads(line)


# --------------------------------------------------------------------------------------------------------- round trips


@st.composite
def trec_runs(draw: st.DrawFn) -> str:
    found = []
    for query_id in draw(st.lists(FIRST_ID, max_size=4, unique=True)):
        scores = sorted(draw(st.lists(SCORE, min_size=1, max_size=4)), reverse=True)
        tag = draw(ID)
        found += [f"{query_id} Q0 {draw(ID)} {rank} {score!r} {tag}\n" for rank, score in enumerate(scores, 1)]
    return "".join(found)


@given(trec_runs())
def test_trec_runs_survive_the_way_through_jsonl(text: str) -> None:
    run, reading = read(trec_run.read, text.encode())
    assert reading.notes == {}
    lines = written(run_jsonl.write, run)
    again, _ = read(run_jsonl.read, lines)
    assert written(trec_run.write, again) == text.encode()
    assert written(run_jsonl.write, again) == lines


@given(st.lists(st.tuples(FIRST_ID, ID, ID, st.integers(-(2**53), 2**53)), max_size=6))
def test_trec_qrels_survive_the_way_through_jsonl(found: list[tuple[str, str, str, int]]) -> None:
    text = "".join(f"{query_id} {iteration} {doc_id} {grade}\n" for query_id, iteration, doc_id, grade in found)
    labels, reading = read(trec_qrels.read, text.encode())
    assert reading.notes == {}
    lines = written(judgments.write, labels)
    again, _ = read(judgments.read, lines)
    assert again == labels
    assert written(trec_qrels.write, again) == text.encode()


LABELS = st.builds(
    Judgment, ANY_ID, ANY_ID, st.integers(-5, 2**53), TEXT, st.none() | ANY_ID, *[TEXT] * 7, st.sampled_from(["0", "1", "é"]),
    st.dictionaries(st.text(SCALARS, max_size=4).filter(lambda name: name not in {*judgments.FIELDS, "grade", "iteration"}), JSON, max_size=3),
)  # fmt: skip


@given(st.lists(LABELS, max_size=4))
def test_judgments_come_back_with_every_field(labels: list[Judgment]) -> None:
    lines = written(judgments.write, labels)
    again, reading = read(judgments.read, lines)
    assert [label._replace(extra=dict(label.extra)) for label in again] == labels
    assert [list(label.extra) for label in again] == [list(label.extra) for label in labels]
    assert reading.notes == {}
    assert written(judgments.write, again) == lines


@given(objects(("query_id", ANY_ID), ("doc_uri", ANY_ID), ("relevance", st.just(0)), ("grade", st.integers(-3, 1))))
def test_a_second_rewriting_changes_no_byte(line: str) -> None:
    try:
        labels, _ = read(judgments.read, line.encode())
    except InputError:
        return
    once = written(judgments.write, labels)
    again, _ = read(judgments.read, once)
    assert again == labels
    assert written(judgments.write, again) == once


@given(
    st.lists(
        st.builds(
            lambda query_id, entries, scored, tag: Ranking(
                query_id,
                [doc_id for doc_id, _ in entries],
                sorted((score for _, score in entries), reverse=True) if scored else None,
                None,
                tag,
            ),
            ANY_ID,
            st.lists(st.tuples(ANY_ID, SCORE), max_size=4),
            st.booleans(),
            TEXT,
        ),
        max_size=4,
        unique_by=lambda ranking: ranking.query_id,
    )
)
def test_run_jsonl_comes_back(run: list[Ranking]) -> None:
    lines = written(run_jsonl.write, run)
    again, reading = read(run_jsonl.read, lines)
    assert again == run
    assert reading.rows == sum(len(ranking.doc_ids) for ranking in run)
    assert written(run_jsonl.write, again) == lines


@given(st.dictionaries(FIRST_ID, st.lists(ID, min_size=1, max_size=4), max_size=4))
def test_msmarco_runs_come_back(found: dict[str, list[str]]) -> None:
    text = "".join(
        f"{query_id}\t{doc_id}\t{rank}\n" for query_id, ids in found.items() for rank, doc_id in enumerate(ids, 1)
    )
    run, reading = read(msmarco_run.read, text.encode())
    assert {ranking.query_id: list(ranking.doc_ids) for ranking in run} == found
    assert reading.notes == {}
    assert written(msmarco_run.write, run) == text.encode()


@given(
    st.dictionaries(ANY_ID, st.lists(st.tuples(ANY_ID, SCORE | st.just(math.nan)), min_size=1, max_size=3), max_size=3)
)
def test_a_trec_writer_refuses_what_its_reader_would_not_give_back(found: dict[str, list[tuple[str, float]]]) -> None:
    run = [
        Ranking(query_id, [doc_id for doc_id, _ in entries], [score for _, score in entries], None, "t")
        for query_id, entries in found.items()
    ]
    try:
        text = written(trec_run.write, run)
    except InputError:
        return
    again, reading = read(trec_run.read, text)
    assert [(ranking.query_id, ranking.doc_ids, ranking.scores) for ranking in again] == [
        (ranking.query_id, ranking.doc_ids, ranking.scores) for ranking in run
    ]
    assert reading.notes == {}
