"""pytrec_eval: trec_eval 9's code inside Python, from the package pytrec-eval-terrier.

It answers only for queries that are both judged and in the run, compares scores as 32-bit floats, breaks ties by document
id descending, and leaves the mean to its caller.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from irbridge.conventions import LINEAR, Convention, get_convention
from irbridge.oracles.base import Answer, Asked, Material, Oracle, Unavailable, module
from irbridge.oracles.guards import endless_ndcg, high_level, undefined_precision, unset_memory
from irbridge.oracles.trec_names import batches, trec_name, uncovered

# It makes tables of the whole run that it is given, so it is given that many queries at a time; each stands for itself.
_QUERIES = 500


def _probe() -> str:
    """The version of the package.

    Raises:
        Unavailable: not installed, or the package of 2020 that is too old to be called safely.
    """
    found = module("pytrec_eval", "pip install pytrec-eval-terrier")
    version = getattr(found, "__version__", None)
    if version is None:
        raise Unavailable("this pytrec_eval is the one of 2020", hint="pip install pytrec-eval-terrier")
    return str(version)


def _uncovered(measure: Asked) -> str | None:
    if measure.family.name == "yaap":
        return "has no yaap"
    if any(isinstance(value, tuple) and min(value) < 0 for value in measure.options.values()):
        return "reads no negative parameters"
    return uncovered(measure) or high_level(measure)


def _convention(measure: Asked) -> Convention:
    return get_convention("trec_eval-9").changed(duplicates="last", gain=LINEAR)


def _call(material: Material, measures: Sequence[Asked]) -> Answer:
    qrels, run = material.plain()
    found: dict[str, dict[str, float]] = {}
    for (level, judged_only, _), batch in batches(measures).items():
        names = {measure.asked: trec_name(measure) or ("", "") for measure in batch}
        wanted = sorted({name for name, _ in names.values()})
        answers: dict[str, Mapping[str, Any]] = {}
        for query_ids in _pieces(run):
            judged = {query_id: qrels[query_id] for query_id in query_ids}
            ranked = {query_id: run[query_id] for query_id in query_ids}
            answers |= _evaluate(judged, ranked, wanted, level, judged_only=judged_only)
        for asked, (name, key) in names.items():
            # A parameter that is no cutoff does not come back in the name.
            spelled = key if any(key in own for own in answers.values()) else name.split(".", 1)[0]
            found[asked] = {query_id: float(own[spelled]) for query_id, own in answers.items()}
            if spelled in _LOGARITHMS:
                found[asked] = {query_id: _without_floor(value) for query_id, value in found[asked].items()}
    return Answer(found)


# Geometric means: for a query it gives the logarithm, of 0.00001 where the value is less.
_LOGARITHMS = frozenset({"gm_map", "gm_bpref"})
_FLOOR = math.log(0.00001)


def _without_floor(logarithm: float) -> float:
    return 0.0 if logarithm <= _FLOOR else math.exp(logarithm)


def _pieces(run: Mapping[str, object]) -> Iterator[list[str]]:
    names = iter(run)
    while piece := list(islice(names, _QUERIES)):
        yield piece


def _evaluate(
    qrels: dict[str, dict[str, int]],
    run: dict[str, dict[str, float]],
    names: list[str],
    level: int,
    *,
    judged_only: bool,
) -> Mapping[str, Mapping[str, Any]]:
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, set(names), relevance_level=level, judged_docs_only_flag=judged_only
    )
    answers: Mapping[str, Mapping[str, Any]] = evaluator.evaluate(run)
    return answers


def _declines(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    return endless_ndcg(material, measures) | undefined_precision(material, measures)


ORACLE = Oracle(
    name="pytrec_eval",
    summary="trec_eval 9's code in Python (pytrec-eval-terrier)",
    probe=_probe,
    covers=_uncovered,
    convention=_convention,
    call=_call,
    refuses=unset_memory,
    declines=_declines,
)
