"""ir_measures, each of its providers for itself: in one report of its own they order ties differently.

Measures are built as objects (its parser fails on Python 3.14) and asked for in small calls, one for each mapping of
gains, relevance level and choice of judged-only, because its pytrec_eval provider mixes them up within one call.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from irbridge.conventions import EXPONENTIAL, LINEAR, Convention, Gain, get_convention
from irbridge.errors import shown
from irbridge.oracles.base import Answer, Asked, Material, Oracle, Unavailable, module
from irbridge.oracles.guards import (
    endless_ndcg,
    high_grades,
    high_level,
    rows,
    spaced_ids,
    undefined_precision,
    unset_memory,
)

Refuses = Callable[[Material, Sequence[Asked]], str | None]
Declines = Callable[[Material, Sequence[Asked]], dict[str, str]]

# perl sorts the run by calling a function that splits both lines, and does it again for every cutoff.
_GDEVAL_ROWS = 500_000
_GDEVAL_GRADE = 4
# cwl_eval looks at that many documents, and fills shorter rankings up to them: its AP takes 0.1 s for every query. For P@k
# it makes an array of k numbers, 7.5 GB at a billion, and then cannot use one that is longer than the ranking.
_CWL_DEPTH = 1000
_CWL_QUERIES = 2_000
_NDEVAL_DEPTH = 20
_CWL_AP_QUERIES = 10


def _irm() -> Any:
    return module("ir_measures", "pip install ir_measures")


def _probe(provider: str) -> str:
    irm = _irm()
    found = irm.providers.registry.get(provider)
    if found is None:
        raise Unavailable(f"this ir_measures ({irm.__version__}) has no provider {provider}")
    # It remembers its first answer for as long as the process lives, though a PATH may change.
    found._is_available = None  # noqa: SLF001
    if not found.is_available():
        if provider == "gdeval":
            raise Unavailable("perl is not installed", hint="a perl on the PATH, https://www.perl.org")
        # In quotes, for shells that expand brackets.
        raise Unavailable(f"{provider} is not installed", hint=f"pip install 'ir-measures[{provider}]'")
    return str(irm.__version__)


def _built(provider: str, measure: Asked, grades: Iterable[int] = ()) -> Any:
    """ir_measures' object for a measure, or the reason (a str) why this provider has none."""
    base = _irm().measures.registry.get(measure.family.name)
    if base is None:
        return f"has no {measure.family.name}"
    wanted: dict[str, Any] = {
        name: int(value) if name in measure.family.whole and isinstance(value, float) else value
        for name, value in measure.options.items()
    }
    if measure.cutoff is not None:
        wanted["cutoff"] = measure.cutoff
    if "rel" in measure.family.takes:
        wanted["rel"] = measure.level
    if measure.judged_only:
        wanted["judged_only"] = True
    spelled = measure.gain if measure.gain_spelled else None
    if measure.gain is not None and provider == "gdeval":
        if measure.gain != EXPONENTIAL:
            return "its nDCG has exponential gain"
        wanted["dcg"] = "exp-log2"
    elif spelled not in {None, LINEAR} and spelled is not None:
        if provider != "pytrec_eval":
            return "its nDCG has linear gain"
        if any(worth != int(worth) for _, worth in spelled.table):
            return "its gains are whole numbers"
        wanted["gains"] = {grade: _worth(grade, spelled) for grade in grades}
    built = base(**wanted) if wanted.keys() <= base.SUPPORTED_PARAMS.keys() else None
    if built is None or not _supports(provider, built):
        return f"has no {measure.family.name} of this kind"
    return built


def _supports(provider: str, built: Any) -> bool:
    try:
        return bool(_irm().providers.registry[provider].supports(built))
    except AssertionError:  # a parameter that it requires is not there
        return False


def _worth(grade: int, gain: Gain) -> int:
    if grade < 0:
        return grade  # gains nothing, and stays told apart from grade 0 for judged-only
    if gain.kind == "exp":
        return int(2 ** min(grade, 60)) - 1  # more is refused before the call
    return int(dict(gain.table).get(grade, grade))


def _uncovered(provider: _Provider, measure: Asked) -> str | None:
    built = _built(provider.name, measure)
    return built if isinstance(built, str) else provider.lacks(measure)


# -------------------------------------------------------------------------------------------------------------- asking


def _grades(material: Material) -> list[int]:
    return sorted({int(grade) for own in material.qrels.values() for grade in own.values()})


def _call(provider: str, material: Material, measures: Sequence[Asked]) -> Answer:
    grades = _grades(material)
    batches: dict[tuple[str, int, bool], dict[Any, list[str]]] = {}
    for measure in measures:
        built = _built(provider, measure, grades)
        gains = str(built.params.get("gains", "")) + str(sorted(measure.options.items()))
        batch = batches.setdefault((gains, measure.level, measure.judged_only), {})
        batch.setdefault(built, []).append(measure.asked)
    found = Answer()
    for batch in batches.values():
        with _quiet():
            found = found.joined(_asked(provider, material, batch))
    return found


def _labels(material: Material) -> list[Any]:
    return [_irm().Qrel(*row) for row in material.subtopics]


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Its cwl_eval provider logs whether the scale of grades fits."""
    logger = logging.getLogger("ir_measures.cwl_eval")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def _asked(provider: str, material: Material, batch: dict[Any, list[str]]) -> Answer:
    """One call. Queries are numbered for gdeval, which takes digits only."""
    qrels, run = material.plain()
    names = {query_id: query_id for query_id in qrels}
    if provider == "gdeval":
        names = {query_id: str(number) for number, query_id in enumerate(qrels, 1)}
    back = {name: query_id for query_id, name in names.items()}
    results = (
        _irm()
        .providers.registry[provider]
        .calc(
            list(batch),
            _labels(material) if provider == "pyndeval" else {names[query_id]: own for query_id, own in qrels.items()},
            # An empty ranking says what none says, and is the one thing that these providers may die of.
            {names[query_id]: own for query_id, own in run.items() if own},
        )
    )
    found = Answer()
    partial_answers = provider == "accuracy"
    for built, asked in batch.items():
        for name in asked:
            # It says nothing of a query without a relevant document, and means over the others.
            found.values[name] = dict.fromkeys(material.qrels, 0.0) if partial_answers else {}
            if not partial_answers:
                found.means[name] = float(results.aggregated[built])
    for metric in results.per_query:
        for name in batch[metric.measure]:
            found.values[name][back[metric.query_id]] = float(metric.value)
    return found


# ----------------------------------------------------------------------------------------------------------- providers


def _nothing(material: Material, measures: Sequence[Asked]) -> str | None:
    return None


def _no_measure(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    return {}


def _all(measure: Asked) -> str | None:
    return None


def _mapped(material: Material, measures: Sequence[Asked]) -> list[tuple[Asked, Material]]:
    """The measures whose names spell gains out, each with the labels that its provider hands on for it."""
    return [
        (
            measure,
            Material(
                {
                    query_id: {doc_id: _worth(int(grade), measure.gain) for doc_id, grade in own.items()}
                    for query_id, own in material.qrels.items()
                },
                material.run,
            ),
        )
        for measure in measures
        if measure.gain is not None and measure.gain_spelled and measure.gain != LINEAR
    ]


def _gdeval_refuses(material: Material, measures: Sequence[Asked]) -> str | None:
    high = max(_grades(material))
    if high > _GDEVAL_GRADE:
        return f"gdeval stops at grades above {_GDEVAL_GRADE}; there is a {high}"
    if rows(material) > _GDEVAL_ROWS:
        return f"gdeval would take minutes for more than {_GDEVAL_ROWS:,} rows"
    return spaced_ids(material)


def _cwl_refuses(material: Material, measures: Sequence[Asked]) -> str | None:
    if len(material.run) > _CWL_QUERIES:
        return f"cwl_eval would take minutes for more than {_CWL_QUERIES:,} queries"
    return None


def _cwl_declines(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    deep = f"cwl_eval looks at {_CWL_DEPTH:,} documents of a ranking; it is asked for cutoffs up to that"
    slow = f"cwl_eval's AP takes a tenth of a second for every query; it is asked for {_CWL_AP_QUERIES} at most"
    found = {measure.asked: deep for measure in measures if (measure.cutoff or 0) > _CWL_DEPTH}
    if len(material.run) > _CWL_AP_QUERIES:
        found |= {measure.asked: slow for measure in measures if measure.family.name == "AP"}
    return found


def _pytrec_lacks(measure: Asked) -> str | None:
    for option, value in measure.options.items():
        # ir_measures writes it into trec_eval's name as Python prints it, and pytrec_eval reads digits and a point only.
        if "e" in repr(value):
            return f"of {option}={value!r} it would read the digits before the e"
    return high_level(measure)


def _pytrec_refuses(material: Material, measures: Sequence[Asked]) -> str | None:
    # Empty rankings do not reach it: they are left out of the call.
    return unset_memory(
        Material(material.qrels, {query_id: own for query_id, own in material.run.items() if own}), measures
    )


def _pytrec_declines(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    """What its C code would drown in, for names that spell gains out with the gains for grades."""
    spelled = _mapped(material, measures)
    own = {measure.asked for measure, _ in spelled}
    found = endless_ndcg(material, [measure for measure in measures if measure.asked not in own])
    found |= undefined_precision(material, measures)
    for measure, gains in spelled:
        high = high_grades(gains, [measure])
        found |= {measure.asked: f"for its gains, {high}"} if high else endless_ndcg(gains, [measure])
    return found


def _compat_declines(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    for query_id, scores in material.run.items():
        found = [scores[doc_id] for doc_id, grade in material.qrels[query_id].items() if grade > 0 and doc_id in scores]
        if len(set(found)) < len(found) or min(found, default=1.0) <= 0:
            why = f"query {shown(query_id, 30)} has relevant documents with equal scores, or none above 0"
            return dict.fromkeys(
                (measure.asked for measure in measures), f"{why}, which its ideal orders in its own way"
            )
    return {}


def _ndeval_lacks(measure: Asked) -> str | None:
    if (measure.cutoff or 0) > _NDEVAL_DEPTH:
        return f"looks at {_NDEVAL_DEPTH} documents"
    if measure.judged_only:
        return "fails with judged_only"
    at_one = measure.cutoff == 1 and measure.family.name in {"ERR_IA", "alpha_DCG"}
    return "does not divide by the best value at cutoff 1" if at_one else None


def _ndeval_declines(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    if not material.subtopics:
        return dict.fromkeys((measure.asked for measure in measures), "the labels have no subtopics")
    best: dict[str, int] = {}
    for query_id, _, grade, _ in material.subtopics:
        best[query_id] = max(grade, best.get(query_id, grade))
    return {
        measure.asked: "it divides 0 by 0 where a query has no relevant document"
        for measure in measures
        if measure.family.name == "nNRBP" and any(best[query_id] < measure.level for query_id in material.run)
    }


def _accuracy_declines(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    found: dict[str, str] = {}
    for measure in measures:
        for query_id, scores in material.run.items():
            own = material.qrels[query_id]
            best = sorted(scores, key=lambda doc_id: (-scores[doc_id], doc_id))[: measure.cutoff]
            if best and all(own.get(doc_id, 0) >= measure.level for doc_id in best):
                found[measure.asked] = (
                    f"query {shown(query_id, 30)} has nothing but relevant documents, at which it fails"
                )
    return found


@dataclass(frozen=True)
class _Provider:
    """What sets one provider apart."""

    name: str
    does: str
    knobs: dict[str, Any]
    refuses: Refuses = _nothing
    declines: Declines = _no_measure
    lacks: Callable[[Asked], str | None] = _all
    tolerance: float = 1e-9


_PROVIDERS = (
    _Provider("pytrec_eval", "trec_eval 9's code", {"gain": LINEAR}, _pytrec_refuses, _pytrec_declines, _pytrec_lacks),
    _Provider("msmarco", "reciprocal rank as in MS MARCO's script", {"precision": "float64", "ties": "docid-asc"}),
    _Provider("judged", "the share of judged documents", {"precision": "float64", "ties": "docid-asc"}),
    _Provider(
        "gdeval",
        "the Web track's perl script",
        {"precision": "float64", "gain": EXPONENTIAL},
        _gdeval_refuses,
        tolerance=1e-5,
    ),
    _Provider(
        "cwl_eval",
        "the C/W/L framework",
        {"precision": "float64", "ties": "given", "depth": _CWL_DEPTH, "gain": LINEAR},
        _cwl_refuses,
        _cwl_declines,
    ),
    _Provider(
        "accuracy",
        "the share of pairs in order",
        {"precision": "float64", "ties": "given"},
        declines=_accuracy_declines,
    ),
    _Provider(
        "compat",
        "compatibility with an ideal ranking",
        {"precision": "float64", "ties": "docid-asc"},
        declines=_compat_declines,
    ),
    _Provider(
        "pyndeval", "diversity measures", {"precision": "float64"}, declines=_ndeval_declines, lacks=_ndeval_lacks
    ),
    _Provider("ranx", "ranx", {"precision": "float64", "ties": "given", "gain": LINEAR}),
    _Provider("trectools", "trectools", {"precision": "float64", "ties": "given", "gain": LINEAR}),
)


def _formula(provider: str, measure: Asked) -> str | None:
    if measure.family.name in {"NumQ", "NumRel"}:
        return "answered"  # an unanswered query has its default value, 0
    if provider == "cwl_eval" and measure.family.name == "RBP":
        return "weights-1000"
    return "ap-found" if provider == "cwl_eval" and measure.family.name == "AP" else None


def _oracle(provider: _Provider) -> Oracle:
    def convention(measure: Asked) -> Convention:
        return get_convention("ir_measures").changed(duplicates="last", **provider.knobs)

    return Oracle(
        name=f"ir_measures:{provider.name}",
        summary=f"ir_measures, provider {provider.name}: {provider.does}",
        probe=partial(_probe, provider.name),
        covers=partial(_uncovered, provider),
        convention=convention,
        call=partial(_call, provider.name),
        refuses=provider.refuses,
        declines=provider.declines,
        formula=partial(_formula, provider.name),
        note=f"its {provider.name} provider",
        tolerance=provider.tolerance,
        group="ir_measures",
    )


ORACLE = tuple(_oracle(provider) for provider in _PROVIDERS)
