"""gm_map, gm_bpref: AP and Bpref whose aggregate over queries is the geometric mean."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.measures.ap import average_precision, extremes
from irbridge.measures.base import Family
from irbridge.measures.bpref import binary_preference

# trec_eval's MIN_GEO_MEAN: one query at 0 would make the whole mean 0.
_FLOOR = 0.00001


def geometric_mean(values: Floats) -> float:
    """The geometric mean, each value at least 0.00001 (trec_eval's meas_avg.c)."""
    return float(np.exp(np.log(np.maximum(values, _FLOOR)).mean()))


_FORMULA = "exp of the mean over queries of ln max({}, 0.00001); each query's own value is {}"
_RANGE = "0.00001 to 1; the values of queries from 0"
_CONVENTION = "a query that the run does not answer counts as 0.00001 where missing queries count"
_TRAPS = (
    "poor queries rule: halving a value of 0.02 costs as much as halving one of 0.8",
    "trec_eval prints it for all queries together, never for one; pytrec_eval gives the logarithm for a query",
    "no interval or significance test for an arithmetic mean applies to it",
)

MEASURES = (
    Family(
        name="gm_map",
        compute=average_precision,
        extremes=extremes,
        unreturned="lowers",
        takes=frozenset({"rel", "judged_only"}),
        trec_eval={"gm_map": ()},
        mean=geometric_mean,
        summary="geometric mean over queries of average precision",
        formula="gm_map = " + _FORMULA.format("AP", "AP"),
        range=_RANGE,
        convention=_CONVENTION,
        source="Robertson, On GMAP and Other Transformations, CIKM 2006; trec_eval m_gm_map.c and meas_avg.c",
        traps=_TRAPS,
        elsewhere={"trec_eval": "gm_map"},
    ),
    Family(
        name="gm_bpref",
        compute=binary_preference,
        takes=frozenset({"rel"}),
        trec_eval={"gm_bpref": ()},
        mean=geometric_mean,
        summary="geometric mean over queries of binary preference",
        formula="gm_bpref = " + _FORMULA.format("Bpref", "Bpref"),
        range=_RANGE,
        convention=_CONVENTION,
        source="trec_eval m_gm_bpref.c and meas_avg.c",
        traps=_TRAPS,
        elsewhere={"trec_eval": "gm_bpref"},
    ),
)
