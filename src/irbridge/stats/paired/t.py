"""The paired t test: the mean difference against its standard error.

Of independent queries it is `scipy.stats.ttest_rel`. Of clusters the standard error is the cluster-robust one and the degrees of
freedom are those of the clusters (Cameron and Miller 2015, section VI), which is the same where each cluster is one query.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from irbridge.stats.paired.base import PairedResult, PairedTest

if TYPE_CHECKING:
    from irbridge.stats.units import Units


def _test(of: Units, seed: int) -> PairedResult:
    from scipy import special

    from irbridge.stats.units import standard_error

    error = standard_error(of)
    if error is None:
        return PairedResult(None, why="all differences are the same, so that there is no spread to hold them against")
    return PairedResult(float(2 * special.stdtr(len(of.sums) - 1, -abs(of.mean) / error)))


TEST = PairedTest(
    "t",
    "paired t test of the mean difference",
    null="the mean difference is 0; the mean of so many differences is about normal",
    source='Student, "The Probable Error of a Mean", Biometrika 6 (1908); in information retrieval: Urbano, Lima and Hanjalic, SIGIR 2019',
    test=_test,
    clusters=True,
    aliases=("paired-t", "ttest"),
)
