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

from irbridge.conventions import EXPONENTIAL, LINEAR, Convention, get_convention
from irbridge.oracles.base import Answer, Asked, Material, Oracle, Unavailable, module
from irbridge.oracles.ir_measures_limits import (
    CWL_DEPTH,
    accuracy_declines,
    any_measure,
    compat_declines,
    cwl_declines,
    cwl_refuses,
    gdeval_refuses,
    grades_in,
    ndeval_declines,
    ndeval_lacks,
    no_refusal,
    nothing_declined,
    pytrec_declines,
    pytrec_lacks,
    pytrec_refuses,
    whole_worth,
)

Refuses = Callable[[Material, Sequence[Asked]], str | None]
Declines = Callable[[Material, Sequence[Asked]], dict[str, str]]


def _irm() -> Any:
    return module("ir_measures", "pip install ir_measures")


def _probe(provider: str) -> str:
    irm = _irm()
    found = irm.providers.registry.get(provider)
    if found is None:
        raise Unavailable(f"this ir_measures ({irm.__version__}) has no provider {provider}")
    # It remembers its first answer for as long as the process lives, though a PATH may change; so none is left behind.
    found._is_available = None  # noqa: SLF001
    if not found.is_available():
        found._is_available = None  # noqa: SLF001
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
        wanted["gains"] = {grade: whole_worth(grade, spelled) for grade in grades}
    built = base(**wanted) if wanted.keys() <= base.SUPPORTED_PARAMS.keys() else None
    if built is None or not _supports(provider, built):
        return f"has no {measure.family.name} of this kind"
    return built


def _supports(provider: str, built: Any) -> bool:
    try:
        return bool(_irm().providers.registry[provider].supports(built))
    except AssertionError:  # a parameter that it requires is not there
        return False


def _uncovered(provider: _Provider, measure: Asked) -> str | None:
    built = _built(provider.name, measure)
    return built if isinstance(built, str) else provider.lacks(measure)


# -------------------------------------------------------------------------------------------------------------- asking


def _call(provider: str, material: Material, measures: Sequence[Asked]) -> Answer:
    grades = grades_in(material)
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


@dataclass(frozen=True)
class _Provider:
    """What sets one provider apart."""

    name: str
    does: str
    knobs: dict[str, Any]
    refuses: Refuses = no_refusal
    declines: Declines = nothing_declined
    lacks: Callable[[Asked], str | None] = any_measure
    tolerance: float = 1e-9


_PROVIDERS = (
    _Provider("pytrec_eval", "trec_eval 9's code", {"gain": LINEAR}, pytrec_refuses, pytrec_declines, pytrec_lacks),
    _Provider("msmarco", "reciprocal rank as in MS MARCO's script", {"precision": "float64", "ties": "docid-asc"}),
    _Provider("judged", "the share of judged documents", {"precision": "float64", "ties": "docid-asc"}),
    _Provider(
        "gdeval",
        "the Web track's perl script",
        {"precision": "float64", "gain": EXPONENTIAL},
        gdeval_refuses,
        tolerance=1e-5,
    ),
    _Provider(
        "cwl_eval",
        "the C/W/L framework",
        {"precision": "float64", "ties": "given", "depth": CWL_DEPTH, "gain": LINEAR},
        cwl_refuses,
        cwl_declines,
    ),
    _Provider(
        "accuracy",
        "the share of pairs in order",
        {"precision": "float64", "ties": "given"},
        declines=accuracy_declines,
    ),
    _Provider(
        "compat",
        "compatibility with an ideal ranking",
        {"precision": "float64", "ties": "docid-asc"},
        declines=compat_declines,
    ),
    _Provider("pyndeval", "diversity measures", {"precision": "float64"}, declines=ndeval_declines, lacks=ndeval_lacks),
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
