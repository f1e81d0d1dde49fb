"""How alike two rankings are: rank-biased overlap, extrapolated, and overlap at a depth.

Source: Webber, Moffat and Zobel, "A Similarity Measure for Indefinite Rankings", ACM Transactions on Information Systems 28
(2010), article 20, equation 32: the agreement that was seen is taken to go on below what was seen, for lists of any two
lengths. Ties are not in the formula: the rankings are in their final order, as measures see them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irbridge.arrays import Ints

#: The first ten ranks have 86% of the weight.
PERSISTENCE = 0.9


def common_by_depth(first: Sequence[str], second: Sequence[str]) -> Ints:
    """int64 per depth from 1 to the longer one's length: how many documents both have within it.

    Args:
        first: document ids best first, each once.
        second: likewise.
    """
    place = {doc_id: rank for rank, doc_id in enumerate(first)}
    deepest = [max(place[doc_id], rank) for rank, doc_id in enumerate(second) if doc_id in place]
    return np.cumsum(np.bincount(deepest, minlength=max(len(first), len(second)))).astype(np.int64)


def rbo(first: Sequence[str], second: Sequence[str], p: float = PERSISTENCE) -> float | None:
    """RBO_ext of two rankings, from 0 (nothing in common) to 1 (the same).

    Args:
        first: document ids best first, each once.
        second: likewise.
        p: between 0 and 1: the probability that a reader goes on to the next rank.

    Returns:
        None where both are empty; 0 where one is.
    """
    longest, shortest = max(len(first), len(second)), min(len(first), len(second))
    if not longest:
        return None
    if not shortest:
        return 0.0
    common = common_by_depth(first, second).astype(np.float64)
    depth = np.arange(1, longest + 1)
    weight = p ** depth.astype(np.float64)
    seen, beyond = common[shortest - 1], depth[shortest:]
    agreement = (common / depth * weight).sum()
    agreement += (seen * (beyond - shortest) / (shortest * beyond) * weight[shortest:]).sum()
    extrapolated = ((common[-1] - seen) / longest + seen / shortest) * weight[-1]
    # The sum of a geometric series, so that rounding alone may reach beyond 1.
    return float(min(1.0, (1 - p) / p * agreement + extrapolated))


def overlap(first: Sequence[str], second: Sequence[str], k: int) -> float:
    """The documents that the top `k` of both share, over `k`; from 0 to 1."""
    return len(set(first[:k]) & set(second[:k])) / k
