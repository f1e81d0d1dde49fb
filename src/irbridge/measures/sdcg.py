"""SDCG: discounted gain, scaled as if k fully relevant documents were there."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure
from irbridge.measures.extremes import monotone
from irbridge.measures.reading_models import CONVENTION, DEPTH, SCALE, SCALE_BOUNDS, SOURCE, WHOLE, scaled


def scaled_dcg(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: as cwl_eval's cwl_dcg.py.

    Raises:
        UsageError: max_rel is not above min_rel.
    """
    depth = min(measure.cutoff or 1, DEPTH)
    values = np.where(hits.rank <= depth, scaled(hits, measure) / np.log2(hits.rank + 1.0), 0.0)
    return hits.sum(values) / float((1.0 / np.log2(np.arange(2.0, depth + 2))).sum())


MEASURES = (
    Family(
        name="SDCG",
        compute=scaled_dcg,
        extremes=monotone,
        unreturned="nothing",
        takes=frozenset({"cutoff"}),
        needs_cutoff=True,
        options=SCALE,
        bounds=SCALE_BOUNDS,
        whole=WHOLE,
        fixed={"dcg": "log2"},
        summary="discounted cumulative gain as a share of that of k documents of the highest grade",
        formula="SDCG@k = (sum over ranks i <= k of gain / log2(i + 1)) / (sum over ranks i <= k of 1 / log2(i + 1))",
        range="0 to 1; 1 only where k documents have the highest grade",
        convention=CONVENTION,
        source="Järvelin & Kekäläinen, ACM TOIS 20(4), 2002; " + SOURCE,
        traps=("not nDCG: a query with few relevant documents cannot come near 1",),
        elsewhere={"ir_measures": "SDCG(max_rel=2)@10, SDCG(dcg='log2',max_rel=2)@10"},
    ),
)
