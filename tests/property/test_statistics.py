"""Laws of the statistics: the systems in each other's place, the queries in another order, rankings and themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from irbridge.comparison.fusing import fuse
from irbridge.fusion import NORMALISATIONS
from irbridge.stats.bca import bca
from irbridge.stats.bounds import bounds
from irbridge.stats.corrections import CORRECTIONS
from irbridge.stats.effect_size import effect_size
from irbridge.stats.paired import PAIRED_TESTS, paired_result
from irbridge.stats.rank_correlation import tau, tau_ap
from irbridge.stats.rbo import rbo
from irbridge.stats.units import differences, record, standard_error, units

VALUES = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.6309297535714575, 1.0])
PAIRS = st.lists(st.tuples(VALUES, VALUES, st.sampled_from("abcdefg")), min_size=2, max_size=40)
RANKING = st.lists(st.integers(0, 30).map(str), unique=True, max_size=25)
TESTS = list(PAIRED_TESTS)


def split(pairs: list[tuple[float, float, str]]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    one, other, clusters = zip(*pairs, strict=True)
    return np.array(one), np.array(other), list(clusters)


@given(PAIRS, st.booleans())
def test_systems_in_each_other_s_place(pairs: list[tuple[float, float, str]], clustered: bool) -> None:
    one, other, clusters = split(pairs)
    groups = clusters if clustered else None
    there, back = differences(one, other), differences(other, one)
    assert record(there) == record(back)[::-1]
    for test in TESTS:
        assert paired_result(test, units(there, groups)) == paired_result(test, units(back, groups))
    ahead, behind = effect_size(there), effect_size(back)
    assert (ahead is None) == (behind is None)
    if ahead is not None and behind is not None:
        assert ahead.d_z == pytest.approx(-behind.d_z, abs=1e-12)
    low_high, mirrored = bca(units(there, groups), resamples=200), bca(units(back, groups), resamples=200)
    assert low_high == (None if mirrored is None else (-mirrored[1], -mirrored[0]))


@given(PAIRS, st.randoms(use_true_random=False), st.booleans())
def test_queries_in_another_order(pairs: list[tuple[float, float, str]], random: object, clustered: bool) -> None:
    shuffled = list(pairs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    found = []
    for each in (pairs, shuffled):
        one, other, clusters = split(each)
        of = units(differences(one, other), clusters if clustered else None)
        found.append(
            ([paired_result(test, of) for test in TESTS], standard_error(of), bounds(of, resamples=100), of.mean)
        )
    assert found[0] == found[1]


@given(PAIRS)
def test_intervals_hold_the_mean_and_p_is_a_probability(pairs: list[tuple[float, float, str]]) -> None:
    one, other, _ = split(pairs)
    of = units(differences(one, other))
    for test in TESTS:
        p = paired_result(test, of).p
        assert p is None or 0 < p <= 1
    found = bounds(of)
    assert (found is None) == (standard_error(of) is None)
    if found is not None:
        assert found.low <= of.mean <= found.high


@given(st.lists(st.floats(0, 1), max_size=30))
def test_corrections_stand_in_their_order(values: list[float]) -> None:
    adjusted = {name: CORRECTIONS.get(name).adjust(values) for name in ("none", "bh", "holm", "bonferroni")}
    for none, bh, holm, bonferroni in zip(*adjusted.values(), strict=True):
        assert none <= bh + 1e-12
        assert bh <= holm + 1e-12
        assert holm <= bonferroni + 1e-12
        assert bonferroni <= 1


@given(RANKING, RANKING, st.floats(0.05, 0.99))
def test_rbo(first: list[str], second: list[str], p: float) -> None:
    found = rbo(first, second, p)
    assert found == rbo(second, first, p)
    if found is None:
        assert first == second == []
        return
    assert 0 <= found <= 1
    assert (found == 0) == (not set(first) & set(second))
    if first:
        assert rbo(first, first, p) == pytest.approx(1, abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=12))
def test_correlations_of_orders(pairs: list[tuple[int, int]]) -> None:
    one, other = [each[0] for each in pairs], [each[1] for each in pairs]
    found = tau(one, other)
    assert found == tau(other, one)
    assume(found is not None)
    assert found is not None
    assert -1 <= found <= 1 + 1e-12
    turned = tau([-each for each in one], other)
    assert turned == pytest.approx(-found, abs=1e-12)
    ap = tau_ap(one, other)
    if ap is not None:
        assert -1 <= ap <= 1
        assert (ap == 1) == (found == pytest.approx(1))


RUN = st.dictionaries(
    st.sampled_from(["q1", "q2"]),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-5, 5).map(float), min_size=1),
    min_size=1,
)


@given(
    st.lists(RUN, min_size=2, max_size=4),
    st.sampled_from(["rrf", "combsum", "combmnz"]),
    st.sampled_from(NORMALISATIONS.names()),
)
def test_fusion_does_not_care_for_the_order_of_runs(
    runs: list[dict[str, dict[str, float]]], by: str, norm: str
) -> None:
    chosen = None if by == "rrf" else norm
    there = {ranking.query_id: ranking for ranking in fuse(runs, by, chosen)}
    back = {ranking.query_id: ranking for ranking in fuse(runs[::-1], by, chosen)}
    assert there == back
    for query_id, ranking in there.items():
        assert set(ranking.doc_ids) == {doc_id for run in runs for doc_id in run.get(query_id, {})}
        assert ranking.scores is not None
        assert list(ranking.scores) == sorted(ranking.scores, reverse=True)
