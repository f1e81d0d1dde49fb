"""Kappa against scikit-learn, alpha against the package krippendorff; where they are installed."""

from __future__ import annotations

import math
import random
import warnings

import pytest

from irbridge.judgments.agreement import LEVELS, WEIGHTS, alpha, kappa

pytestmark = pytest.mark.may_skip("scikit-learn and krippendorff are no dependencies")


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("weights", WEIGHTS)
def test_kappa(seed: int, weights: str) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = random.Random(seed)
    top = rng.randint(1, 4)
    one = [rng.randint(0, top) for _ in range(rng.randint(1, 30))]
    other = [grade if rng.random() < 0.6 else rng.randint(0, top) for grade in one]
    # All grades of the scale are named: distances are those of the grades, not of the places of those that were used.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = metrics.cohen_kappa_score(
            one, other, labels=range(top + 1), weights=None if weights == "none" else weights
        )
    ours = kappa(zip(one, other, strict=True), weights)
    if ours is None:
        assert math.isnan(theirs)
    else:
        assert ours == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("level", LEVELS)
def test_alpha(seed: int, level: str) -> None:
    krippendorff = pytest.importorskip("krippendorff")
    rng = random.Random(seed)
    raters, units, top = rng.randint(2, 5), rng.randint(2, 20), rng.randint(1, 4)
    rows = [[rng.randint(0, top) if rng.random() < 0.8 else None for _ in range(units)] for _ in range(raters)]
    ours = alpha([[row[place] for row in rows if row[place] is not None] for place in range(units)], level)
    data = [[math.nan if value is None else float(value) for value in row] for row in rows]
    if ours is not None:
        assert ours == pytest.approx(krippendorff.alpha(data, level_of_measurement=level), abs=1e-12)
