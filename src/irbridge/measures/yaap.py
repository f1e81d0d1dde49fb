"""yaap: average precision on the scale of log odds."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure


def log_odds_precision(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: ln((1 + s) / (1 + R - s)), s the sum of precision at relevant ranks (trec_eval's m_yaap.c)."""
    relevant = hits.relevant(measure.level)
    found = hits.sum(np.where(relevant, hits.running(relevant) / hits.rank, 0.0))
    return np.log((1.0 + found) / (1.0 + hits.count_labels(measure.level) - found))


MEASURES = (
    Family(
        name="yaap",
        compute=log_odds_precision,
        takes=frozenset({"rel"}),
        trec_eval={"yaap": ()},
        summary="average precision as log odds, smoothed, so that a mean over queries treats both ends alike",
        formula="yaap = ln((1 + s) / (1 + R - s)), s = sum over relevant ranks i of P@i",
        range="-ln(1 + R) to ln(1 + R)",
        convention="a query that the run does not answer has -ln(1 + R), as an empty ranking has",
        source="Robertson, On Smoothing Average Precision, ECIR 2012; trec_eval m_yaap.c",
        traps=(
            "0 is no bad value but the middle; a query without relevant documents is 0",
            "trec_eval 9 -c counts an unanswered query as 0, 10 -c as here",
        ),
        elsewhere={"trec_eval": "yaap"},
    ),
)
