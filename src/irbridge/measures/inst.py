"""INST and INSQ: a reader who wants T documents' worth of gain."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure
from irbridge.measures.reading_models import CONVENTION, SCALE, SCALE_BOUNDS, SOURCE, WHOLE, gain_per_document, scaled


def inst(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: as cwl_eval's cwl_inst.py.

    Raises:
        UsageError: max_rel is not above min_rel.
    """
    wanted = measure.option("T")

    def goes_on(gains: Floats, rank: Floats) -> Floats:
        still = rank + 2.0 * wanted - np.cumsum(gains, axis=1)
        return np.asarray(((still - 1.0) / still) ** 2, np.float64)

    return gain_per_document(hits, scaled(hits, measure), goes_on)


def insq(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: as cwl_eval's cwl_insq.py.

    Raises:
        UsageError: max_rel is not above min_rel.
    """
    wanted = measure.option("T")

    def goes_on(gains: Floats, rank: Floats) -> Floats:
        still = rank + 2.0 * wanted
        return np.broadcast_to(((still - 1.0) / still) ** 2, gains.shape)

    return gain_per_document(hits, scaled(hits, measure), goes_on)


_OPTIONS = {"T": 1.0, **SCALE}
_BOUNDS = {"T": (1e-6, 1e6), **SCALE_BOUNDS}
_TRAP = (
    "the weights are cut off at 1,000 ranks and scaled up; over endless ranks they would be some 0.2% smaller at T = 1"
)

MEASURES = (
    Family(
        name="INST",
        compute=inst,
        options=_OPTIONS,
        bounds=_BOUNDS,
        whole=WHOLE,
        summary="gain per document for a reader who wants T documents' worth and gives up sooner the more was found",
        formula="INST = sum of w_i g_i, w_(i+1) / w_i = ((i + 2T - G_i - 1) / (i + 2T - G_i))^2, G_i the gain down to rank i",
        range="0 to 1",
        convention=CONVENTION,
        source="Bailey, Moffat, Scholer & Thomas, SIGIR 2015; " + SOURCE,
        traps=(_TRAP, "max_rel has no default: a scale that the judgments do not use up lowers every value"),
        elsewhere={"ir_measures": "INST(max_rel=2), INST(T=2.5,max_rel=2)"},
    ),
    Family(
        name="INSQ",
        compute=insq,
        options=_OPTIONS,
        bounds=_BOUNDS,
        whole=WHOLE,
        summary="gain per document for a reader who wants T documents' worth, whatever was found",
        formula="INSQ = sum of w_i g_i, w_(i+1) / w_i = ((i + 2T - 1) / (i + 2T))^2",
        range="0 to 1",
        convention=CONVENTION,
        source="Moffat, Scholer & Thomas, ADCS 2012; " + SOURCE,
        traps=(_TRAP,),
        elsewhere={"ir_measures": "INSQ(max_rel=2), INSQ(T=2.5,max_rel=2)"},
    ),
)
