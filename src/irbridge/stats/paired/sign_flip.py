"""The sign-flip (randomisation) test of the mean difference: exact up to 20 differences that are not 0, seeded beyond."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irbridge.stats.paired.base import PairedResult, PairedTest

if TYPE_CHECKING:
    from irbridge.stats.units import Units


def _test(of: Units, seed: int) -> PairedResult:
    from irbridge.stats.flips import flipped

    found = flipped(of.sums[of.sums != 0], float(of.sums.sum()), seed)
    how = f"all {found.patterns:,} sign patterns" if found.exact else f"{found.patterns:,} sign patterns, seed {seed}"
    return PairedResult(found.p, how, least=found.least)


TEST = PairedTest(
    "sign-flip",
    "randomisation test of the mean difference, exact for few queries",
    null="each query's difference might as well have had the other sign; nothing is assumed of their distribution",
    source="Fisher, The Design of Experiments (1935); Smucker, Allan and Carterette, CIKM 2007",
    test=_test,
    clusters=True,
    aliases=("randomisation", "randomization", "permutation", "fisher"),
)
