"""SetP, SetR, SetF, SetAP: everything that was retrieved, as a set without an order."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import Family, Measure
from irbridge.measures.extremes import monotone


def _found(hits: Hits, measure: Measure) -> Floats:
    return hits.sum(hits.relevant(measure.level))


def set_precision(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: relevant retrieved / retrieved (trec_eval's m_set_P.c)."""
    return ratio(_found(hits, measure), hits.retrieved)


def set_recall(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: relevant retrieved / relevant (trec_eval's m_set_recall.c)."""
    return ratio(_found(hits, measure), hits.count_labels(measure.level))


def set_f(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: (x + 1) P R / (x P + R) with x the option beta, as it is, not squared (trec_eval's m_set_F.c)."""
    beta = measure.option("beta")
    precision, recall = set_precision(hits, measure), set_recall(hits, measure)
    return ratio((beta + 1.0) * precision * recall, beta * precision + recall)


def set_average_precision(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: relevant retrieved squared / (retrieved * relevant) (trec_eval's m_set_map.c)."""
    found = _found(hits, measure)
    return ratio(found * found, hits.retrieved.astype(np.float64) * hits.count_labels(measure.level))


_CONVENTION = "the whole ranking counts, whatever its length; cut it with --depth (trec_eval's -M)"
_SOURCE = "van Rijsbergen, Information Retrieval, 2nd ed. 1979, ch. 7; "

MEASURES = (
    Family(
        name="SetP",
        compute=set_precision,
        extremes=monotone,
        unreturned="nothing",
        ordered=False,
        takes=frozenset({"rel", "judged_only"}),
        switches={"relative": "SetRelP"},
        aliases=("IDBasedContextPrecision", "id_based_context_precision", "llama_index_precision"),
        trec_eval={"set_P": ()},
        summary="precision of everything retrieved",
        formula="SetP = (relevant retrieved) / (retrieved)",
        range="0 to 1",
        convention=_CONVENTION,
        source=_SOURCE + "trec_eval m_set_P.c",
        traps=(
            "depends on how many documents a system chooses to return: P@k fills a short ranking up, this does not",
        ),
        elsewhere={
            "trec_eval": "set_P",
            "ir_measures": "SetP",
            "ranx": "precision (without a cutoff)",
            "LlamaIndex": "precision",
            "Ragas": "IDBasedContextPrecision, id_based_context_precision",
        },
    ),
    Family(
        name="SetR",
        compute=set_recall,
        extremes=monotone,
        unreturned="lowers",
        ordered=False,
        takes=frozenset({"rel"}),
        aliases=(
            "IDBasedContextRecall",
            "id_based_context_recall",
            "llama_index_recall",
            "llama_index_hit_rate_granular",
        ),
        trec_eval={"set_recall": ()},
        summary="recall of everything retrieved",
        formula="SetR = (relevant retrieved) / (relevant)",
        range="0 to 1",
        convention=_CONVENTION,
        source=_SOURCE + "trec_eval m_set_recall.c",
        traps=("a system that returns more documents can only gain",),
        elsewhere={
            "trec_eval": "set_recall",
            "ir_measures": "SetR",
            "ranx": "recall (without a cutoff)",
            "LlamaIndex": "recall, hit_rate with use_granular_hit_rate",
            "Ragas": "IDBasedContextRecall, id_based_context_recall",
        },
    ),
    Family(
        name="SetF",
        compute=set_f,
        extremes=monotone,
        unreturned="lowers",
        ordered=False,
        takes=frozenset({"rel", "judged_only"}),
        options={"beta": 1.0},
        trec_eval={"set_F": ()},
        summary="weighted harmonic mean of SetP and SetR",
        formula="SetF = (beta + 1) * P * R / (beta * P + R), P and R of everything retrieved",
        range="0 to 1",
        convention=_CONVENTION + "; beta is trec_eval's and ir_measures' weight, which is not squared",
        source=_SOURCE + "trec_eval m_set_F.c",
        traps=(
            "textbooks square beta: their F2 is SetF(beta=4) here, in trec_eval and in ir_measures",
            "trec_eval uses the first parameter only: set_F.0.5,2 is beta 0.5",
        ),
        elsewhere={
            "trec_eval": "set_F, set_F.0.5 (printed as set_F_0.5)",
            "ir_measures": "SetF, SetF(beta=0.5)",
            "ranx": "f1 (without a cutoff)",
        },
    ),
    Family(
        name="SetAP",
        compute=set_average_precision,
        extremes=monotone,
        unreturned="lowers",
        ordered=False,
        takes=frozenset({"rel", "judged_only"}),
        trec_eval={"set_map": ()},
        summary="SetP times SetR: average precision of a ranking whose order is not known",
        formula="SetAP = (relevant retrieved)^2 / (retrieved * relevant)",
        range="0 to 1",
        convention=_CONVENTION,
        source="trec_eval m_set_map.c (formerly exact_unranked_avg_prec)",
        traps=("not an average over ranks; for a ranked list use AP",),
        elsewhere={"trec_eval": "set_map", "ir_measures": "SetAP"},
    ),
)
