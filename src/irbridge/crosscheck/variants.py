"""Formulas that go by the same name: what else is published or computed as AP, P, recall, nDCG.

A variant rewrites a measure into one of irbridge's own measures, or into a family that exists only here. They are never
offered as measures; they explain numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures import FAMILIES
from irbridge.measures.base import Measure
from irbridge.qrels import Qrels


@dataclass(frozen=True)
class Variant:
    """One other formula.

    Attributes:
        code: its name among causes.
        words: what it does, as a clause.
        families: the families that it can stand in for.
        rewrite: a measure -> the measure that is meant instead, or None where the two cannot differ.
    """

    code: str
    words: str
    families: frozenset[str]
    rewrite: Callable[[Measure], Measure | None]


def _computed(measure: Measure, compute: Callable[[Hits, Measure], Floats]) -> Measure:
    return replace(measure, family=replace(measure.family, compute=compute))


def _as(family: str, measure: Measure, cutoff: int | None) -> Measure:
    """Another family's formula under this measure's name and parameters."""
    return replace(measure, family=FAMILIES.get(family), cutoff=cutoff, gain=None, options={})


def _found(hits: Hits, measure: Measure) -> Floats:
    return hits.sum(hits.relevant(measure.level, measure.cutoff))


def _ap_sum(hits: Hits, measure: Measure) -> Floats:
    relevant = hits.relevant(measure.level, measure.cutoff)
    return hits.sum(np.where(relevant, hits.running(relevant) / hits.rank, 0.0))


def _ap_found(hits: Hits, measure: Measure) -> Floats:
    return ratio(_ap_sum(hits, measure), _found(hits, measure))


def _capped(hits: Hits, measure: Measure) -> Floats:
    return np.minimum(hits.count_labels(measure.level).astype(np.float64), float(measure.cutoff or np.inf))


def _ap_capped(hits: Hits, measure: Measure) -> Floats:
    return ratio(_ap_sum(hits, measure), _capped(hits, measure))


def _recall_capped(hits: Hits, measure: Measure) -> Floats:
    return ratio(_found(hits, measure), _capped(hits, measure))


def _precision_returned(hits: Hits, measure: Measure) -> Floats:
    return ratio(_found(hits, measure), np.minimum(hits.retrieved, measure.cutoff or np.iinfo(np.int64).max))


def _ndcg_whole_ideal(hits: Hits, measure: Measure) -> Floats:
    return FAMILIES.get("nDCG").compute(hits.cut(measure.cutoff), replace(measure, cutoff=None))


def _ndcg_own_ideal(hits: Hits, measure: Measure) -> Floats:
    # A label that was not retrieved gains nothing in the ideal either.
    found = np.zeros(len(hits.qrels.grades), np.bool_)
    found[hits.label if measure.cutoff is None else hits.label[hits.rank <= measure.cutoff]] = True
    old = hits.qrels
    seen = Qrels(old.query_ids, old.labels, np.where(found, old.grades, 0), old.strata)
    return FAMILIES.get("nDCG").compute(replace(hits, qrels=seen), measure)


def _answered(hits: Hits, measure: Measure) -> Floats:
    return np.where(hits.answered, FAMILIES.get(measure.family.name).compute(hits, measure), 0.0)


def _weights_of_1000(hits: Hits, measure: Measure) -> Floats:
    """RBP whose weights add up to 1 over 1,000 ranks."""
    whole = 1.0 - measure.option("p") ** 1000
    return FAMILIES.get("RBP").compute(hits.cut(1000), measure) / whole if whole else np.zeros(hits.queries)


def _always(compute: Callable[[Hits, Measure], Floats]) -> Callable[[Measure], Measure | None]:
    return lambda measure: _computed(measure, compute)


def _with_cutoff(compute: Callable[[Hits, Measure], Floats]) -> Callable[[Measure], Measure | None]:
    return lambda measure: None if measure.cutoff is None else _computed(measure, compute)


VARIANTS: tuple[Variant, ...] = (
    Variant("uncut", "the cutoff not applied", frozenset({"RR", "AP", "nDCG", "Judged"}), lambda measure: None if measure.cutoff is None else replace(measure, cutoff=None)),
    Variant("hit-rate", "hit rate (any relevant document found) called recall", frozenset({"R"}), lambda measure: _as("Success", measure, measure.cutoff)),
    Variant("recall-capped", "divided by min(R, k)", frozenset({"R"}), _with_cutoff(_recall_capped)),
    Variant("set-recall", "recall of everything retrieved", frozenset({"R"}), lambda measure: _as("SetR", measure, None)),
    Variant("recall", "recall called hit rate", frozenset({"Success"}), lambda measure: _as("R", measure, measure.cutoff)),
    Variant("precision-returned", "divided by the number of documents returned", frozenset({"P"}), _with_cutoff(_precision_returned)),
    Variant("ap-capped", "divided by min(R, k)", frozenset({"AP"}), _with_cutoff(_ap_capped)),
    Variant("ap-found", "divided by the relevant documents found", frozenset({"AP"}), _always(_ap_found)),
    Variant("ideal-uncut", "the ideal not cut at k", frozenset({"nDCG"}), _with_cutoff(_ndcg_whole_ideal)),
    Variant("ideal-found", "the ideal made of the documents found", frozenset({"nDCG"}), _always(_ndcg_own_ideal)),
    Variant("weights-1000", "weights that add up to 1 over 1,000 ranks", frozenset({"RBP"}), _always(_weights_of_1000)),
    Variant("answered", "queries without an answer count nothing", frozenset({"NumQ", "NumRel"}), _always(_answered)),
)  # fmt: skip


def variants(measure: Measure) -> list[Variant]:
    """The other formulas that could go by this measure's name."""
    return [
        variant
        for variant in VARIANTS
        if measure.family.name in variant.families and variant.rewrite(measure) is not None
    ]


def variant(code: str) -> Variant | None:
    """The variant of that code."""
    return next((found for found in VARIANTS if found.code == code), None)
