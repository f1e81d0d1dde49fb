"""Wilcoxon's signed-rank test. Differences of 0 are left out, as in Wilcoxon's own paper; equal ones share their mean rank.

Up to 20 differences that are left the distribution is exact, ties included; beyond that it is the normal approximation of
`scipy.stats.wilcoxon`, with its correction for ties and none for continuity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from irbridge.stats.paired.base import PairedResult, PairedTest

if TYPE_CHECKING:
    from irbridge.stats.units import Units


def _test(of: Units, seed: int) -> PairedResult:
    import numpy as np
    from scipy import stats

    from irbridge.stats.flips import EXACT_UP_TO, flipped

    kept = of.sums[of.sums != 0]
    left_out = f", {len(of.sums) - len(kept):,} differences of 0 left out" if len(kept) < len(of.sums) else ""
    if len(kept) <= EXACT_UP_TO:
        ranks = stats.rankdata(np.abs(kept))
        found = flipped(ranks, float((np.sign(kept) * ranks).sum()))
        return PairedResult(found.p, f"exact{left_out}", least=found.least)
    p = float(stats.wilcoxon(kept, zero_method="wilcox", correction=False, method="approx").pvalue)
    return PairedResult(p, f"normal approximation{left_out}")


TEST = PairedTest(
    "wilcoxon",
    "signed-rank test; differences of 0 are left out",
    null="differences are spread symmetrically around 0: it looks at ranks, so that it may call means different that are not",
    source='Wilcoxon, "Individual Comparisons by Ranking Methods", Biometrics Bulletin 1 (1945)',
    test=_test,
    aliases=("signed-rank",),
)
