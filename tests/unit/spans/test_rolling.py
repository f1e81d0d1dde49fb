"""Rolling up, worked out by hand.

chunks   a1 a2 a3 of document A, b1 b2 of B, c1 of C
run      q: b1 9, a1 8, a2 6, c1 6, a3 1, b2 1
max      B 9, A 8, C 6
sum      A 15, B 10, C 6
mean/2   A (8+6)/2 = 7, C 6, B (9+1)/2 = 5     mean/3   C 6, then A and B at 5: B's best chunk stands first
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from irbridge.errors import InputError, UsageError
from irbridge.inputs import Input
from irbridge.model import Chunk, Ranking
from irbridge.spans import rolled_up

CORPUS = [Chunk(f"{name.lower()}{number}", name) for name, count in (("A", 3), ("B", 2), ("C", 1)) for number in range(1, count + 1)]  # fmt: skip
RUN = Ranking("q", ["b1", "a1", "a2", "c1", "a3", "b2"], [9, 8, 6, 6, 1, 1], None, "tag")


def rolled(run: Any = RUN, by: str = "max", **options: Any) -> list[tuple[Any, ...]]:
    rankings = run if isinstance(run, list) else [run]
    return [tuple(each) for each in rolled_up(rankings, CORPUS, by, **options)]


@pytest.mark.parametrize(
    "by, documents, scores",
    [
        ("max", ["B", "A", "C"], [9, 8, 6]),
        ("first", ["B", "A", "C"], [9, 8, 6]),
        ("sum", ["A", "B", "C"], [15, 10, 6]),
        ("mean/1", ["B", "A", "C"], [9, 8, 6]),
        ("mean/2", ["A", "C", "B"], [7, 6, 5]),
        ("mean/3", ["C", "B", "A"], [6, 5, 5]),
        ("mean/9", ["C", "B", "A"], [6, 5, 5]),
    ],
)
def test_ways(by: str, documents: list[str], scores: list[float]) -> None:
    assert rolled(by=by) == [("q", documents, scores, None, "tag")]


def test_order_is_that_of_the_scores_and_ties_that_of_the_source() -> None:
    run = Ranking("q", ["c1", "b1", "a1"], [1.0, 2.0, 2.0])
    assert rolled(run)[0][1:3] == (["B", "A", "C"], [2.0, 2.0, 1.0])
    assert rolled(Ranking("q", ["c1", "a1", "b1"], [1.0, 1.0, 1.0]), "sum")[0][1] == ["C", "A", "B"]


def test_a_repeated_chunk_counts_once_and_the_better_one() -> None:
    run = Ranking("q", ["a1", "b1", "a1", "a2"], [1.0, 5.0, 3.0, 1.0])
    found = rolled_up([run], CORPUS, "sum")
    # b1 5; a1 3 (again at 1); a2 1.
    assert [tuple(each)[1:3] for each in found] == [(["B", "A"], [5.0, 4.0])]
    assert (found.repeated, found.chunks, found.documents, found.queries) == (1, 4, 2, 1)


def test_of_a_repeated_chunk_the_better_row_counts_wherever_it_stands() -> None:
    assert rolled(Ranking("q", ["a1", "b1", "a1"], [5.0, 2.0, 1.0]), "sum")[0][1:3] == (["A", "B"], [5.0, 2.0])
    assert rolled(Ranking("q", ["b1", "a1", "b1"]), "first")[0][1] == ["B", "A"]


def test_a_run_without_scores_has_an_order_only() -> None:
    run = Ranking("q", ["a2", "b1", "a1", "b1", "c1"])
    assert rolled(run, "first") == [("q", ["A", "B", "C"], None, None, None)]
    for by in ("max", "sum", "mean/2"):
        with pytest.raises(InputError, match=f"query q has no scores, and {by} is made of scores") as raised:
            rolled(run, by)
        assert "--by first" in (raised.value.hint or "")
    assert rolled(Ranking("q", []), "max") == [("q", [], None, None, None)]


def test_unknown_chunks_are_refused_by_name_or_counted() -> None:
    run = Ranking("q", ["z1", "a1", *(f"z{number}" for number in range(2, 9))], [9.0 - n for n in range(9)])
    with pytest.raises(InputError, match=r"8 ids of 9 ids in the run are in no chunk of corpus: z1, z2, z3, z4, z5, ...") as raised:  # fmt: skip
        rolled(run)
    assert "--drop-unknown" in (raised.value.hint or "")
    found = rolled_up([run, Ranking("p", ["z1"], [1.0])], CORPUS, drop_unknown=True)
    assert [tuple(each)[:3] for each in found] == [("q", ["A"], [8.0]), ("p", [], [])]
    assert (found.dropped, found.emptied, found.unknown[:2], len(found.unknown)) == (9, 1, ["z1", "z2"], 8)


def test_a_chunk_of_two_documents_is_refused() -> None:
    with pytest.raises(InputError, match="chunk a1 is of two documents, A and B"):
        rolled_up([Ranking("q", ["a1"], [1.0])], [*CORPUS, Chunk("a1", "B")])


def test_ranks_that_contradict_the_scores_are_refused() -> None:
    with pytest.raises(InputError, match="the rank column contradicts the scores"):
        rolled(Ranking("q", ["a1", "b1"], [1.0, 2.0], [1, 2]))


def test_scattered_rows_are_gathered() -> None:
    run = [Ranking("q", ["a1"], [1.0]), Ranking("p", ["b1"], [1.0]), Ranking("q", ["c1", "a2"], [3.0, 2.0])]
    assert [each[:3] for each in rolled(run, "sum")] == [("q", ["C", "A"], [3.0, 3.0]), ("p", ["B"], [1.0])]


def test_sums_are_rounded_once() -> None:
    # From left to right in doubles 1e16 + 1 - 1e16 is 0.
    assert rolled(Ranking("q", ["a1", "a2", "a3"], [1e16, 1.0, -1e16]), "sum")[0][2] == [1.0]


def test_integers_stay_integers(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"query_id":"q","ranking":["a1","b1","a2"],"scores":[3,2,1]}\n')
    (found,) = rolled_up(path, CORPUS, "sum")
    assert [repr(score) for score in found.scores or ()] == ["4", "2"]


@pytest.mark.parametrize("scores", [[1e308, 1e308], [math.inf, -math.inf]])
def test_a_sum_that_is_no_number_is_refused(scores: list[float]) -> None:
    with pytest.raises(InputError, match="query q: the scores of a document's chunks have no sum"):
        list(rolled_up(Input([Ranking("q", ["a1", "a2"], scores)], "run", allow_infinite=True), CORPUS, "sum"))


def test_nan_is_refused() -> None:
    with pytest.raises(InputError, match="NaN"):
        rolled(Ranking("q", ["a1", "a2"], [1.0, math.nan]))


@pytest.mark.parametrize(
    "by", ["", "Max", "mean", "mean/", "mean/0", "mean/-1", "mean/1.5", "mean/\u0662", "median", None, 3]
)
def test_what_is_no_way(by: Any) -> None:
    with pytest.raises(UsageError, match="is no way to roll up"):
        rolled_up([RUN], CORPUS, by)


def test_it_can_be_iterated_again() -> None:
    found = rolled_up(iter([RUN]), CORPUS)
    assert list(found) == list(found)
    assert found.documents == 3
