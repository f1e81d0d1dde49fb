"""BEIR's EvaluateRetrieval: means rounded to five places; its own measures order ties as the dict does.

It returns means alone, so it is asked once for everything (its means) and once for each query (its values). Every call
gets dicts of its own, because it removes the query's own document from the caller's. `evaluate` (nDCG, AP, R, P) and
`evaluate_custom` (RR, Success) follow different conventions, in ties, in what they divide by and in whether that document
is removed; here neither sees what the other one did.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from irbridge.conventions import LINEAR, Convention, get_convention
from irbridge.errors import shown
from irbridge.oracles.base import Answer, Asked, Material, Oracle, module
from irbridge.oracles.guards import unset_memory

_HINT = "pip install --no-deps beir pytrec-eval-terrier tqdm"
# Family -> where its dict stands in what `evaluate` returns, and how its keys begin.
_PLAIN = {"nDCG": (0, "NDCG"), "AP": (1, "MAP"), "R": (2, "Recall"), "P": (3, "P")}
# Family -> the metric's name for `evaluate_custom`, and how its keys begin.
_CUSTOM = {"RR": ("mrr", "MRR"), "Success": ("accuracy", "Accuracy"), "relative_P": ("recall_cap", "R_cap")}


def _probe() -> str:
    from importlib import metadata

    module("beir.retrieval.evaluation", _HINT)
    return metadata.version("beir")


def _uncovered(measure: Asked) -> str | None:
    family = measure.family.name
    if family not in _PLAIN and family not in _CUSTOM:
        return f"has no {family}"
    if measure.cutoff is None:
        return f"has {family} with a cutoff only"
    if measure.gain_spelled and measure.gain != LINEAR:
        return "its nDCG has linear gain"
    if measure.judged_only:
        return "has no judged-only evaluation"
    if measure.level != 1 and "rel" in measure.family.takes:
        return "has no relevance level"
    return None


def _convention(measure: Asked) -> Convention:
    if measure.family.name in _CUSTOM:
        return get_convention("beir").changed(precision="float64", ties="given", missing="zero", self_retrieval="keep")
    return get_convention("beir").changed(gain=LINEAR)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """BEIR logs through the root logger, which gives itself a handler that nobody asked for unless it has one."""
    import logging

    handler = logging.NullHandler()
    logging.root.addHandler(handler)
    try:
        yield
    finally:
        logging.root.removeHandler(handler)


def _means(material: Material, measures: Sequence[Asked]) -> dict[str, float]:
    """By asked name: BEIR's mean over this material."""
    beir = module("beir.retrieval.evaluation", _HINT).EvaluateRetrieval
    found: dict[str, float] = {}
    plain = [measure for measure in measures if measure.family.name in _PLAIN]
    if plain and material.run:
        qrels, run = _writable(material)
        answers = beir.evaluate(qrels, run, sorted({_cutoff(measure) for measure in plain}))
        for measure in plain:
            place, key = _PLAIN[measure.family.name]
            found[measure.asked] = float(answers[place][f"{key}@{_cutoff(measure)}"])
    for family, (metric, key) in _CUSTOM.items():
        own = [measure for measure in measures if measure.family.name == family]
        if own:
            qrels, run = _writable(material)
            answer: dict[str, Any] = beir.evaluate_custom(
                qrels, run, sorted({_cutoff(measure) for measure in own}), metric
            )
            found.update({measure.asked: float(answer[f"{key}@{_cutoff(measure)}"]) for measure in own})
    return found


def _writable(material: Material) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """The same with a copy of each ranking that BEIR would take a document out of."""
    qrels, run = material.plain()
    return qrels, {query_id: dict(own) if query_id in own else own for query_id, own in run.items()}


def _cutoff(measure: Asked) -> int:
    return measure.cutoff or 1


def _call(material: Material, measures: Sequence[Asked]) -> Answer:
    with _quiet():
        found = Answer({measure.asked: {} for measure in measures}, _means(material, measures))
        for query_id, own in material.qrels.items():
            run = {query_id: material.run[query_id]} if query_id in material.run else {}
            for asked, value in _means(Material({query_id: own}, run), measures).items():
                found.values[asked][query_id] = value
    return found


def _refuses(material: Material, measures: Sequence[Asked]) -> str | None:
    alone = next((query_id for query_id, own in material.run.items() if own.keys() == {query_id}), None)
    if alone is not None:
        # It takes the query's own document out, and then calls trec_eval's code with an empty ranking.
        return (
            f"the ranking of query {shown(alone, 30)} holds its own document alone, which BEIR drops; it may then crash"
        )
    return unset_memory(material, measures)


def _declines(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    if all(max(material.qrels[query_id].values()) > 0 for query_id in material.run):
        return {}
    why = "it divides by zero where a query has no relevant document"
    return {measure.asked: why for measure in measures if measure.family.name == "relative_P"}


ORACLE = Oracle(
    name="beir",
    group="BEIR",
    summary="BEIR's EvaluateRetrieval (evaluate, evaluate_custom)",
    probe=_probe,
    covers=_uncovered,
    convention=_convention,
    call=_call,
    refuses=_refuses,
    declines=_declines,
    # It rounds to five places, which moves a value by half of the last one; the rest is for the rounding itself.
    tolerance=5e-6 + 1e-9,
)
