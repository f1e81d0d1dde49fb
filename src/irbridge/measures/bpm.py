"""BPM: the Bejeweled player model, a reader with a goal and a budget."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure
from irbridge.measures.reading_models import CONVENTION, SCALE, SCALE_BOUNDS, SOURCE, WHOLE, gain_per_document, scaled


def bejeweled_player(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: as cwl_eval's cwl_bpm.py, static.

    Raises:
        UsageError: max_rel is not above min_rel.
    """
    wanted, budget = measure.option("T"), float(measure.cutoff or 1)

    def goes_on(gains: Floats, rank: Floats) -> Floats:
        return np.asarray((np.cumsum(gains, axis=1) < wanted) & (rank < budget), np.float64)

    return gain_per_document(hits, scaled(hits, measure), goes_on)


MEASURES = (
    Family(
        name="BPM",
        compute=bejeweled_player,
        takes=frozenset({"cutoff"}),
        needs_cutoff=True,
        options={"T": 1.0, **SCALE},
        bounds={"T": (0.0, 1e6), **SCALE_BOUNDS},
        whole=WHOLE,
        summary="gain per document for a reader who stops at a gain of T or at rank k",
        formula="BPM@k = (gain down to rank n) / n, n the first rank where the gain reaches T, at most k",
        range="0 to 1",
        convention=CONVENTION,
        source="Zhang et al., SIGIR 2017 (the static model); " + SOURCE,
        traps=("with T = 1 and binary labels it is RR@k where there is a hit among the top k",),
        elsewhere={"ir_measures": "BPM(max_rel=2)@10, BPM(T=2.5,max_rel=2)@10"},
    ),
)
