"""Means over all orders of tied documents, in closed form (McSherry & Najork, ECIR 2008)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irbridge.arrays import Bools, Floats, Ints
from irbridge.hits import Hits


def tied_ranks(hits: Hits) -> tuple[Ints, Ints]:
    """int64 per hit: the first and the last rank that it can have."""
    if hits.tied is None:
        raise ValueError("these hits do not tell what is tied")
    return hits.tied


def summed(hits: Hits, gains: Floats, discounts: Floats, cutoff: int | None) -> Floats:
    """float64 per query: the mean over ties of the sum of gain * discount at its rank.

    Args:
        hits: they tell what is tied.
        gains: float64 per hit.
        discounts: float64 per rank from 1, at least as many as the longest ranking has.
        cutoff: ranks beyond it add nothing.
    """
    first, last = tied_ranks(hits)
    reach = np.concatenate(([0.0], np.cumsum(discounts)))
    end = len(discounts) if cutoff is None else min(cutoff, len(discounts))
    share = (reach[np.minimum(last, end)] - reach[np.minimum(first - 1, end)]) / (last - first + 1)
    return hits.sum(gains * share)


def deepest(hits: Hits) -> int:
    """The length of the longest ranking, at least 1."""
    return max(1, int(hits.retrieved.max(initial=1)))


class Groups(NamedTuple):
    """Groups of tied documents with a relevant one among them, by query, then rank.

    Attributes:
        query: int64 per group.
        above: int64 per group, the documents above it.
        size: int64 per group.
        relevant: int64 per group, how many of it are relevant.
        before: int64 per group, relevant documents above it.
    """

    query: Ints
    above: Ints
    size: Ints
    relevant: Ints
    before: Ints


def groups(hits: Hits, relevant: Bools) -> Groups:
    """The groups of these hits."""
    first, last = tied_ranks(hits)
    table = np.stack([hits.query[relevant], first[relevant], last[relevant]])
    (query, begin, end), count = np.unique(table, axis=1, return_counts=True)
    start = np.searchsorted(query, query, side="left")
    running = np.concatenate(([0], np.cumsum(count)))
    return Groups(query, begin - 1, end - begin + 1, count, running[:-1] - running[start])


def first_relevant(hits: Hits, relevant: Bools, worth: Floats, cutoff: int | None) -> Floats:
    """float64 per query: the mean over ties of the worth of the rank of its first relevant document (float64 per rank)."""
    found = groups(hits, relevant)
    top = np.ones(len(found.query), np.bool_)
    top[1:] = found.query[1:] != found.query[:-1]
    query, above, size, count = found.query[top], found.above[top], found.size[top], found.relevant[top]
    values = np.zeros(hits.queries)
    # The chance that the first relevant one of the group stands at its place 1, 2, ...
    chance = count / size
    place = 0
    end = len(worth) if cutoff is None else min(cutoff, len(worth))
    while len(query):
        seen = above + place < end
        values[query[seen]] += chance[seen] * worth[above[seen] + place]
        place += 1
        alive = (place <= size - count) & seen
        query, above, size, count = query[alive], above[alive], size[alive], count[alive]
        chance = chance[alive]
        # Place p was no relevant one: (n - p + 1 - r) / (n - p) of the chance moves on.
        chance = chance * (size - place + 1 - count) / (size - place)
    return values


def precision_sum(hits: Hits, relevant: Bools, cutoff: int | None) -> Floats:
    """float64 per query: the mean over ties of the sum of precision at its relevant ranks."""
    found = groups(hits, relevant)
    depth = deepest(hits)
    harmonic = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1.0, depth + 1))))
    end = depth if cutoff is None else min(cutoff, depth)
    looked_at = np.clip(end - found.above, 0, found.size)
    reciprocals = harmonic[found.above + looked_at] - harmonic[np.minimum(found.above, depth)]
    places = looked_at - (found.above + 1) * reciprocals  # the sum of (i - 1) / (above + i)
    others = (found.relevant - 1) / np.maximum(found.size - 1, 1)
    return hits.sum(found.relevant / found.size * ((found.before + 1) * reciprocals + others * places), found.query)
