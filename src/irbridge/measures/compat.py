"""Compat: compatibility, the rank-biased overlap of the ranking with the nearest ideal one."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import Family, Measure


def compatibility(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: as ir_measures' compat provider."""
    qrels = hits.qrels
    rank = np.full(len(qrels.grades), np.iinfo(np.int64).max)
    rank[hits.label] = hits.rank
    ideal = np.flatnonzero(qrels.grades > 0)
    ideal = ideal[np.lexsort((rank[ideal], -qrels.grades[ideal], qrels.query_of[ideal]))]
    query = qrels.query_of[ideal]
    place = np.arange(len(ideal)) - np.searchsorted(query, query, side="left") + 1
    depth = np.maximum(hits.retrieved, np.bincount(query, minlength=hits.queries))
    # What a document that both lists hold from depth d on adds, by d: the tail of p^(d-1) / d down to the common depth.
    steps = np.arange(1, int(depth.max(initial=0)) + 1)
    weight = np.power(measure.option("p"), steps - 1.0)
    agreed = np.concatenate(([0.0], np.cumsum(weight / steps)))
    common = np.maximum(place, rank[ideal])
    held = common <= depth[query]
    score = hits.sum(agreed[depth[query[held]]] - agreed[common[held] - 1], query[held])
    best = hits.sum(agreed[depth[query]] - agreed[place - 1], query)
    whole = np.concatenate(([0.0], np.cumsum(weight)))[depth]
    # Rounding must not carry a perfect ranking above 1.
    return np.minimum(ratio(score, best if measure.options.get("normalize", True) else whole), 1.0)


MEASURES = (
    Family(
        name="Compat",
        compute=compatibility,
        options={"p": 0.95, "normalize": True},
        bounds={"p": (0.0, 1.0)},
        summary="rank-biased overlap of the ranking with the ideal one that is nearest to it",
        formula="Compat = RBO(ranking, ideal) / RBO(ideal, ideal), RBO = sum over depths d of p^(d-1) * |both lists hold down to d| / "
        "d, divided by the sum of p^(d-1), down to the longer list's end",
        range="0 to 1",
        convention="the ideal holds all labels above 0 by grade, equal grades in the order of the ranking and those not retrieved "
        "last; normalize=False leaves the division by the ideal's own value out",
        source="Clarke, Vtyurina & Smucker, Assessing Top-k Preferences, ACM TOIS 39(3), 2021; ir_measures 0.4.3, "
        "providers/compat_provider.py",
        traps=(
            "ir_measures takes a document that was not retrieved for one with score 0, above retrieved ones with scores below 0",
            "ir_measures orders equal scores by ascending id in the ranking, and as the qrels have them in the ideal",
            "the relevance level does not apply",
        ),
        elsewhere={"ir_measures": "Compat, Compat(p=0.8), Compat(normalize=False)"},
    ),
)
