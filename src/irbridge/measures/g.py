"""G and binG: gain discounted by what was wasted above, not by the rank itself."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import Family, Measure
from irbridge.measures.gains import Curve, check_gains, ideal_order, worth_of


def binary_g(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: as trec_eval's m_binG.c."""
    relevant = hits.relevant(measure.level)
    wasted = hits.rank - hits.running(relevant)
    return ratio(hits.sum(np.where(relevant, 1.0 / np.log2(2.0 + wasted), 0.0)), hits.count_labels(measure.level))


def graded_g(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: as trec_eval's m_G.c, where a rank costs what the best document for it is worth, at least 1.

    Raises:
        InputError, UsageError: gains that no double can sum.
    """
    check_gains(hits.qrels, measure)
    query, rank, worth = ideal_order(hits, measure)
    labels = np.diff(hits.qrels.offsets)[hits.query]
    cost = Curve(hits.queries, query, rank, np.maximum(worth, 1.0)).at(hits.query, hits.rank)
    cost += np.maximum(hits.rank - labels, 0)
    own = worth_of(hits.grade, measure)
    gained = Curve(hits.queries, hits.query, hits.rank, own).at(hits.query, hits.rank)
    at_hits = np.zeros(len(own))
    np.divide(own, np.log2(2.0 + cost - gained), out=at_hits, where=own > 0)
    return ratio(hits.sum(at_hits), hits.sum(worth, query))


_SOURCE = "trec_eval {} (Buckley, 2008, experimental)"

MEASURES = (
    Family(
        name="binG",
        compute=binary_g,
        takes=frozenset({"rel"}),
        trec_eval={"binG": ()},
        summary="mean over the relevant documents of a discount that grows with the other documents above",
        formula="binG = (1 / R) * sum over retrieved relevant d of 1 / log2(2 + other documents above d)",
        range="0 to 1",
        convention="an unjudged document above counts as one that is not relevant",
        source=_SOURCE.format("m_binG.c"),
        traps=("experimental; hardly published",),
        elsewhere={"trec_eval": "binG"},
    ),
    Family(
        name="G",
        compute=graded_g,
        takes=frozenset({"gain"}),
        trec_eval={"G": ()},
        summary="graded gain, discounted by how far the ranking lags behind the best one",
        formula="G = (sum over retrieved d of gain(d) / log2(2 + cost to its rank - gain to its rank)) / (sum of all gains); a "
        "rank costs what the best document for it is worth, at least 1",
        range="0 to 1",
        convention="the relevance level does not apply; unjudged documents and negative grades gain 0",
        source=_SOURCE.format("m_G.c"),
        traps=(
            "experimental; its help text leaves out that a rank costs at least 1",
            "trec_eval compares custom gains as whole numbers, so that gains less than 1 apart may be put in a wrong ideal order",
        ),
        elsewhere={"trec_eval": "G, G.1=3,2=9"},
    ),
)
