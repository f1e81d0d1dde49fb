"""What the providers of ir_measures must not be asked, because they would fail, take minutes or answer another question."""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.conventions import LINEAR, Gain
from irbridge.errors import shown
from irbridge.oracles.base import Asked, Material
from irbridge.oracles.guards import (
    endless_ndcg,
    high_grades,
    high_level,
    rows,
    spaced_ids,
    undefined_precision,
    unset_memory,
)

# perl sorts the run by calling a function that splits both lines, and does it again for every cutoff.
_GDEVAL_ROWS = 500_000
_GDEVAL_GRADE = 4
# cwl_eval looks at that many documents, and fills shorter rankings up to them: its AP takes 0.1 s for every query. For P@k
# it makes an array of k numbers, 7.5 GB at a billion, and then cannot use one that is longer than the ranking.
CWL_DEPTH = 1000
_CWL_QUERIES = 2_000
_NDEVAL_DEPTH = 20
_CWL_AP_QUERIES = 10


def whole_worth(grade: int, gain: Gain) -> int:
    """What a grade is worth as a whole number, which its gains are."""
    if grade < 0:
        return grade  # gains nothing, and stays told apart from grade 0 for judged-only
    if gain.kind == "exp":
        return int(2 ** min(grade, 60)) - 1  # more is refused before the call
    return int(dict(gain.table).get(grade, grade))


def grades_in(material: Material) -> list[int]:
    """The grades of all labels, ascending."""
    return sorted({int(grade) for own in material.qrels.values() for grade in own.values()})


def no_refusal(material: Material, measures: Sequence[Asked]) -> str | None:
    """Of a provider that takes any input."""
    return None


def nothing_declined(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    """Of a provider that may be asked whatever it has."""
    return {}


def any_measure(measure: Asked) -> str | None:
    """Of a provider that lacks nothing of what it says that it has."""
    return None


def _mapped(material: Material, measures: Sequence[Asked]) -> list[tuple[Asked, Material]]:
    """The measures whose names spell gains out, each with the labels that its provider hands on for it."""
    return [
        (
            measure,
            Material(
                {
                    query_id: {doc_id: whole_worth(int(grade), measure.gain) for doc_id, grade in own.items()}
                    for query_id, own in material.qrels.items()
                },
                material.run,
            ),
        )
        for measure in measures
        if measure.gain is not None and measure.gain_spelled and measure.gain != LINEAR
    ]


def gdeval_refuses(material: Material, measures: Sequence[Asked]) -> str | None:
    """Why the Web track's script must not be called with this input."""
    high = max(grades_in(material))
    if high > _GDEVAL_GRADE:
        return f"gdeval stops at grades above {_GDEVAL_GRADE}; there is a {high}"
    if rows(material) > _GDEVAL_ROWS:
        return f"gdeval would take minutes for more than {_GDEVAL_ROWS:,} rows"
    return spaced_ids(material)


def cwl_refuses(material: Material, measures: Sequence[Asked]) -> str | None:
    """Why cwl_eval must not."""
    if len(material.run) > _CWL_QUERIES:
        return f"cwl_eval would take minutes for more than {_CWL_QUERIES:,} queries"
    return None


def cwl_declines(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    """By asked name: why cwl_eval is not asked for it."""
    deep = f"cwl_eval looks at {CWL_DEPTH:,} documents of a ranking; it is asked for cutoffs up to that"
    slow = f"cwl_eval's AP takes a tenth of a second for every query; it is asked for {_CWL_AP_QUERIES} at most"
    found = {measure.asked: deep for measure in measures if (measure.cutoff or 0) > CWL_DEPTH}
    if len(material.run) > _CWL_AP_QUERIES:
        found |= {measure.asked: slow for measure in measures if measure.family.name == "AP"}
    return found


def pytrec_lacks(measure: Asked) -> str | None:
    """Why pytrec_eval would compute another measure than this one."""
    for option, value in measure.options.items():
        # ir_measures writes it into trec_eval's name as Python prints it, and pytrec_eval reads digits and a point only.
        if "e" in repr(value):
            return f"of {option}={value!r} it would read the digits before the e"
    return high_level(measure)


def pytrec_refuses(material: Material, measures: Sequence[Asked]) -> str | None:
    """Why pytrec_eval must not be called with this input."""
    # Empty rankings do not reach it: they are left out of the call.
    return unset_memory(
        Material(material.qrels, {query_id: own for query_id, own in material.run.items() if own}), measures
    )


def pytrec_declines(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    """What its C code would drown in, for names that spell gains out with the gains for grades."""
    spelled = _mapped(material, measures)
    own = {measure.asked for measure, _ in spelled}
    found = endless_ndcg(material, [measure for measure in measures if measure.asked not in own])
    found |= undefined_precision(material, measures)
    for measure, gains in spelled:
        high = high_grades(gains, [measure])
        found |= {measure.asked: f"for its gains, {high}"} if high else endless_ndcg(gains, [measure])
    return found


def compat_declines(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    """By asked name: why the ideal of compat would be another one."""
    for query_id, scores in material.run.items():
        found = [scores[doc_id] for doc_id, grade in material.qrels[query_id].items() if grade > 0 and doc_id in scores]
        if len(set(found)) < len(found) or min(found, default=1.0) <= 0:
            why = f"query {shown(query_id, 30)} has relevant documents with equal scores, or none above 0"
            return dict.fromkeys(
                (measure.asked for measure in measures), f"{why}, which its ideal orders in its own way"
            )
    return {}


def ndeval_lacks(measure: Asked) -> str | None:
    """Why ndeval has no measure of this kind."""
    if (measure.cutoff or 0) > _NDEVAL_DEPTH:
        return f"looks at {_NDEVAL_DEPTH} documents"
    if measure.judged_only:
        return "fails with judged_only"
    at_one = measure.cutoff == 1 and measure.family.name in {"ERR_IA", "alpha_DCG"}
    return "does not divide by the best value at cutoff 1" if at_one else None


def ndeval_declines(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    """By asked name: why ndeval is not asked for it."""
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


def accuracy_declines(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    """By asked name: the query at which the accuracy provider fails."""
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
