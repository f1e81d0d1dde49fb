from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from irbridge.collect import Collector, Judged
from irbridge.conventions import Convention, get_convention
from irbridge.engines.spark.judged_rows import merged, packed
from irbridge.model import Judgment, Ranking
from irbridge.qrels import Qrels
from irbridge.reading import Reading

pytest.importorskip("pyarrow")

QRELS = Qrels.from_judgments(
    Judgment(query_id, doc_id, grade)
    for query_id, doc_id, grade in (("q1", "a", 2), ("q1", "b", 0), ("q2", "a", 1), ("q3", "c", 1))
).with_pool()
RANKINGS = [
    Ranking("q2", ["c", "a"], [2.0, 2.0]),  # c is judged for another query
    Ranking("other", ["a"], [1.0]),
    Ranking("q1", ["b", "x", "a", "b"], [3.0, 3.0, 1.0, 0.0], [1, 2, 4, 3]),  # twice b, ranks against scores
    Ranking("more", ["a"], [1.0]),
]
EXPECTED = get_convention("ir_measures").changed(duplicates="first", tied="expected")


class Row:
    def __init__(self, members):
        self._members = members

    def asDict(self):  # noqa: N802 - as Spark's own row has it
        return self._members


def judged(rankings: list[Ranking], convention: Convention) -> Judged:
    collector = Collector(QRELS, convention, Reading("run"))
    for ranking in rankings:
        collector.add(ranking)
    return collector.result()


def there_and_back(parts: list[list[Ranking]], convention: Convention = EXPECTED) -> Judged:
    return merged(QRELS, [Row(packed(judged(part, convention)).to_pylist()[0]) for part in parts])


@pytest.mark.parametrize("split", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("backwards", [False, True])
def test_parts_make_the_whole(split: int, backwards: bool) -> None:
    parts = [RANKINGS[:split], RANKINGS[split:]]
    found, whole = there_and_back(parts[::-1] if backwards else parts), judged(RANKINGS, EXPECTED)
    for name in ("label", "rank", "retrieved", "answered"):
        assert_array_equal(getattr(found.hits, name), getattr(whole.hits, name), err_msg=name)
    assert found.hits.tied is not None
    assert whole.hits.tied is not None
    assert_array_equal(found.hits.tied, whole.hits.tied)
    assert sorted(zip(*np.array(found.hits.elsewhere).tolist(), strict=True)) == [(1, 1)]
    assert (found.extra, found.extra_count) == (["more", "other"], 2)
    assert found.repeated == found.contradicting == ["q1"]
    assert found.documents == whole.documents == 6


def test_what_is_in_them() -> None:
    hits = there_and_back([RANKINGS]).hits
    # Equal scores by falling id. q1: x, b, a; q2: c, a; q3 is not answered.
    assert hits.label.tolist() == [1, 0, 2]
    assert hits.rank.tolist() == [2, 3, 2]
    assert hits.retrieved.tolist() == [3, 2, 0]
    assert hits.answered.tolist() == [True, True, False]


def test_without_ties_and_without_parts() -> None:
    plain = EXPECTED.changed(tied="ordered")
    assert there_and_back([RANKINGS], plain).hits.tied is None
    empty = merged(QRELS, [])
    assert empty.hits.label.tolist() == []
    assert not empty.hits.answered.any()
