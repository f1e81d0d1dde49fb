"""What the statistics promise, held against drawn experiments: equal systems are called different at most as often as the level
says, and intervals hold the truth as often as they say. Seeded: the same draws on every run.

A share of 2,000 draws that is truly 0.05 stays below 0.05 + 3 * sqrt(0.05 * 0.95 / 2000) = 0.0646, one that is truly 0.95
above 0.9354, but for one time in a thousand.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from irbridge.arrays import Floats
from irbridge.stats.bounds import bounds
from irbridge.stats.corrections import CORRECTIONS
from irbridge.stats.flips import flipped
from irbridge.stats.paired import PAIRED_TESTS, paired_result
from irbridge.stats.power import detectable
from irbridge.stats.units import differences, standard_error, units

DRAWS = 2000
HIGHEST, LOWEST = 0.0646, 0.9354
Random = np.random.Generator


def equal_systems(random: Random, queries: int) -> Floats:
    """Two systems of one kind on the same queries, some hard and some easy, by a measure that often gives 0, 1/3, 1/2 or 1."""
    hardness = random.uniform(0, 1, queries)
    steps = np.array([0.0, 0.0, 1 / 3, 0.5, 1.0])
    a, b = (
        steps[np.minimum(4, (5 * (1 - hardness + random.normal(0, 0.4, queries)) / 2).astype(int).clip(0))]
        for _ in "ab"
    )
    return differences(a, b)


def test_the_experiment_has_ties_and_differences() -> None:
    found = equal_systems(np.random.default_rng(0), 1000)
    assert 0.2 < (found == 0).mean() < 0.8
    assert abs(found.mean()) < 0.05


@pytest.mark.parametrize("name", ["t", "sign-flip", "wilcoxon"])
@pytest.mark.parametrize("queries", [12, 20])
def test_equal_systems_are_called_different_at_most_at_the_level(name: str, queries: int) -> None:
    random = np.random.default_rng(20)
    test = PAIRED_TESTS.get(name)
    called = 0
    for _ in range(DRAWS):
        p = paired_result(test, units(equal_systems(random, queries))).p
        called += p is not None and p <= 0.05
    assert 0 < called / DRAWS <= HIGHEST


def test_so_are_they_by_a_sample_of_sign_patterns() -> None:
    random = np.random.default_rng(21)
    called = 0
    for draw in range(DRAWS):
        found = random.normal(0, 0.3, 40)
        called += flipped(found, found.sum(), seed=draw, draws=199).p <= 0.05
    assert 0.03 < called / DRAWS <= HIGHEST


@pytest.mark.parametrize("name", ["holm", "bonferroni"])
def test_among_many_comparisons_one_false_difference_is_as_rare(name: str) -> None:
    """Six systems against one baseline, which they all share: the comparisons depend on each other."""
    random = np.random.default_rng(22)
    test, correction = PAIRED_TESTS.get("t"), CORRECTIONS.get(name)
    families = uncorrected = 0
    for _ in range(1000):
        systems = random.normal(0, 0.3, (7, 30)) + random.normal(0, 0.3, 30)
        p = [paired_result(test, units(system - systems[0])).p or 0.0 for system in systems[1:]]
        families += min(correction.adjust(p)) <= 0.05
        uncorrected += min(p) <= 0.05
    assert families / 1000 <= 0.05 + 3 * (0.05 * 0.95 / 1000) ** 0.5
    assert uncorrected / 1000 > 0.12  # what the correction is for


def test_false_discoveries_are_as_rare_as_promised() -> None:
    """Ten true differences among forty: of what is called different, a share of at most 0.05 * 30 / 40 is false on average."""
    random = np.random.default_rng(23)
    test, correction = PAIRED_TESTS.get("t"), CORRECTIONS.get("bh")
    shares = []
    for _ in range(300):
        shift = np.repeat([0.3, 0.0], [10, 30])
        p = [paired_result(test, units(random.normal(each, 0.3, 25))).p or 0.0 for each in shift]
        called = np.array(correction.adjust(p)) <= 0.05
        shares.append(called[10:].sum() / max(1, called.sum()))
    assert np.mean(shares) <= 0.05


def in_clusters(random: Random, clusters: int, size: int) -> tuple[Floats, list[str]]:
    """Differences that queries of a cluster share half of."""
    found = np.repeat(random.normal(0, 0.2, clusters), size) + random.normal(0, 0.2, clusters * size)
    return found, [str(number // size) for number in range(clusters * size)]


@pytest.mark.parametrize("name", ["t", "sign-flip"])
def test_clusters_that_are_told_keep_the_level_and_others_do_not(name: str) -> None:
    random = np.random.default_rng(24)
    test = PAIRED_TESTS.get(name)
    told = untold = 0
    draws = 1000
    for _ in range(draws):
        found, clusters = in_clusters(random, 15, 6)
        told += (paired_result(test, units(found, clusters)).p or 0.0) <= 0.05
        if name == "t":
            untold += (paired_result(test, units(found)).p or 0.0) <= 0.05
    assert told / draws <= 0.05 + 3 * (0.05 * 0.95 / draws) ** 0.5
    assert name != "t" or untold / draws > 0.2


def normal(random: Random, queries: int) -> Floats:
    return random.normal(0, 0.2, queries)


def skewed(random: Random, queries: int) -> Floats:
    return random.exponential(0.2, queries) - 0.2


def half_ties(random: Random, queries: int) -> Floats:
    return random.normal(0, 0.3, queries) * (random.random(queries) < 0.5)


def most_tie(random: Random, queries: int) -> Floats:
    return random.normal(0, 0.3, queries) * (random.random(queries) < 0.2)


def most_tie_and_none_loses(random: Random, queries: int) -> Floats:
    return random.exponential(0.2, queries) * (random.random(queries) < 0.2)


# What falls short of 0.9354 is said in spec/statistics.md: skewed values of few queries, and many ties.
@pytest.mark.parametrize(
    "draw, queries, lowest",
    [
        (normal, 10, LOWEST),
        (half_ties, 10, LOWEST),
        (normal, 30, LOWEST),
        (half_ties, 30, LOWEST),
        (skewed, 30, 0.90),
        (normal, 60, LOWEST),
        (skewed, 60, LOWEST),
        (half_ties, 60, LOWEST),
        (most_tie, 60, LOWEST),
        (most_tie, 100, LOWEST),
        (most_tie_and_none_loses, 50, 0.91),
        (most_tie_and_none_loses, 100, LOWEST),
    ],
)
def test_intervals_hold_the_truth_as_often_as_they_say(
    draw: Callable[[Random, int], Floats], queries: int, lowest: float
) -> None:
    random = np.random.default_rng(25)
    truth = 0.2 * 0.2 if draw is most_tie_and_none_loses else 0.0
    held = 0
    for number in range(DRAWS):
        found = bounds(units(draw(random, queries)), seed=number, resamples=500)
        held += found is not None and found.low <= truth <= found.high
    assert lowest <= held / DRAWS <= 0.985


def test_what_could_be_shown_is_shown_four_times_in_five() -> None:
    random = np.random.default_rng(26)
    test = PAIRED_TESTS.get("t")
    queries, spread = 25, 0.3
    true = detectable(spread / queries**0.5, queries - 1)
    shown = 0
    for _ in range(DRAWS):
        shown += (paired_result(test, units(random.normal(true, spread, queries))).p or 0.0) <= 0.05
    assert shown / DRAWS == pytest.approx(0.8, abs=3 * (0.8 * 0.2 / DRAWS) ** 0.5)
    # And what one set of queries says it could show is about that.
    said = [
        detectable(standard_error(units(random.normal(0, spread, queries))) or 0.0, queries - 1) for _ in range(500)
    ]
    assert np.median(said) == pytest.approx(true, rel=0.05)
