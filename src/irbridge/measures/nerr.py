"""NERR8 to NERR11: four measures of the C/W/L framework that are nearly ERR."""

from __future__ import annotations

from functools import partial

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure
from irbridge.measures.reading_models import (
    CONVENTION,
    SCALE,
    SCALE_BOUNDS,
    SOURCE,
    WHOLE,
    GoesOn,
    gain_per_document,
    scaled,
)


def _stopping_by_gain(hits: Hits, measure: Measure, patience: GoesOn) -> Floats:
    """The reader stops at a document with its gain as the chance; `patience` is the rest of the chance to go on."""

    def goes_on(gains: Floats, rank: Floats) -> Floats:
        return np.asarray((1.0 - gains) * patience(gains, rank), np.float64)

    return gain_per_document(hits, scaled(hits, measure), goes_on)


def _within(measure: Measure, rank: Floats) -> Floats:
    return np.asarray(rank < float(measure.cutoff or 1), np.float64)


def equation_8(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: c_i = 1 - g_i above rank k (cwl_eval's cwl_nerr.py).

    Raises:
        UsageError: max_rel is not above min_rel.
    """
    return _stopping_by_gain(hits, measure, lambda _, rank: _within(measure, rank))


def equation_9(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: c_i = (1 - g_i) * i / (i + 1) above rank k.

    Raises:
        UsageError: max_rel is not above min_rel.
    """
    return _stopping_by_gain(hits, measure, lambda _, rank: _within(measure, rank) * rank / (rank + 1.0))


def equation_10(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: c_i = p * (1 - g_i).

    Raises:
        UsageError: max_rel is not above min_rel.
    """
    return _stopping_by_gain(hits, measure, lambda gains, _: np.full_like(gains, measure.option("p")))


def equation_11(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: c_i = (1 - g_i) * ((i + 2T - 1) / (i + 2T))^2.

    Raises:
        UsageError: max_rel is not above min_rel.
    """
    wanted = 2.0 * measure.option("T")
    return _stopping_by_gain(
        hits, measure, lambda _, rank: np.asarray(((rank + wanted - 1.0) / (rank + wanted)) ** 2, np.float64)
    )


_family = partial(
    Family,
    range="0 to 1",
    whole=WHOLE,
    convention=CONVENTION,
    source="Azzopardi, Mackenzie & Moffat, ERR is not C/W/L, ICTIR 2021; " + SOURCE,
    traps=("nearly, not equal to ERR; and in ir_measures a scale (max_rel) that ERR does not take",),
)

MEASURES = (
    _family(
        name="NERR8",
        compute=equation_8,
        takes=frozenset({"cutoff"}),
        needs_cutoff=True,
        options=SCALE,
        bounds=SCALE_BOUNDS,
        summary="nearly ERR: gain per document for a reader who stops at a document as likely as it gains, or at rank k",
        formula="NERR8@k = sum of w_i g_i, w_(i+1) / w_i = 1 - g_i for i < k, and 0 from there on",
        elsewhere={"ir_measures": "NERR8(max_rel=2)@10"},
    ),
    _family(
        name="NERR9",
        compute=equation_9,
        takes=frozenset({"cutoff"}),
        needs_cutoff=True,
        options=SCALE,
        bounds=SCALE_BOUNDS,
        summary="nearly ERR: as NERR8, with a patience that falls as the reciprocal rank",
        formula="NERR9@k = sum of w_i g_i, w_(i+1) / w_i = (1 - g_i) * i / (i + 1) for i < k, and 0 from there on",
        elsewhere={"ir_measures": "NERR9(max_rel=2)@10"},
    ),
    _family(
        name="NERR10",
        compute=equation_10,
        options={"p": 0.9, **SCALE},
        bounds={"p": (0.0, 1.0), **SCALE_BOUNDS},
        summary="nearly ERR: as NERR8, with the patience of RBP in place of a cutoff",
        formula="NERR10 = sum of w_i g_i, w_(i+1) / w_i = p * (1 - g_i)",
        elsewhere={"ir_measures": "NERR10(max_rel=2), NERR10(p=0.8,max_rel=2)"},
    ),
    _family(
        name="NERR11",
        compute=equation_11,
        options={"T": 1.0, **SCALE},
        bounds={"T": (1e-6, 1e6), **SCALE_BOUNDS},
        summary="nearly ERR: as NERR8, with the patience of INSQ in place of a cutoff",
        formula="NERR11 = sum of w_i g_i, w_(i+1) / w_i = (1 - g_i) * ((i + 2T - 1) / (i + 2T))^2",
        elsewhere={"ir_measures": "NERR11(max_rel=2), NERR11(T=2.5,max_rel=2)"},
    ),
)
