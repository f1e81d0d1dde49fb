"""Input that an engine must not see: each check says why in words, or None.

What each of these does to an engine was seen on trec_eval 9.0.8 and 10.0, pytrec-eval-terrier 0.5.11, ir_measures 0.4.3
and BEIR 2.2; spec/conventions.md lists it.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterator, Sequence
from typing import cast

from irbridge.errors import shown
from irbridge.oracles.base import Asked, Material

# trec_eval's and pytrec_eval's tables grow with the highest grade, and uncut nDCG takes time with its square.
GRADE_LIMIT = 100_000
# pytrec_eval hands the relevance level on as a C int.
_LEVEL_LIMIT = 2**31 - 1
_STEPS_LIMIT = 2e10  # about ten seconds
_SPACE = re.compile(r"\s", re.ASCII)


def malformed(material: Material, measures: Sequence[Asked]) -> str | None:
    """What no engine can be given: nothing to score, wrong types, NaN, ids that are no text for C, cutoffs below 1."""
    if not material.qrels:
        return "no query has a label"
    for measure in measures:
        if measure.cutoff is not None and measure.cutoff < 1:
            return f"{measure.asked} has a cutoff below 1, which aborts the process"
    for query_id, own in _all(material):
        for key in (query_id, *own):
            if not isinstance(key, str):
                return f"the id {shown(repr(key), 40)} is not text"
    return _bad_values(material) or _unsafe_ids(material)


def _bad_values(material: Material) -> str | None:
    # What the types promise is just what is checked here.
    all_grades = cast("dict[str, dict[str, object]]", material.qrels)
    all_scores = cast("dict[str, dict[str, object]]", material.run)
    for query_id, grades in all_grades.items():
        for doc_id, grade in grades.items():
            if not isinstance(grade, numbers.Integral):
                return f"the grade {shown(grade, 20)} of {_place(query_id, doc_id)} is not a whole number"
    for query_id, scores in all_scores.items():
        for doc_id, score in scores.items():
            if not isinstance(score, numbers.Real):
                return f"the score {shown(score, 20)} of {_place(query_id, doc_id)} is not a number"
            try:
                value = float(score)
            except OverflowError:
                return f"the score of {_place(query_id, doc_id)} is beyond a double"
            if math.isnan(value):
                return f"the score of {_place(query_id, doc_id)} is NaN, which is ordered by the document's id"
    return None


def _all(material: Material) -> Iterator[tuple[str, dict[str, int] | dict[str, float]]]:
    yield from material.qrels.items()
    yield from material.run.items()


def _place(query_id: str, doc_id: str) -> str:
    return f"query {shown(query_id, 30)} document {shown(doc_id, 30)}"


def _unsafe_ids(material: Material) -> str | None:
    for query_id, own in _all(material):
        together = "\n".join((query_id, *own))
        if "\0" in together:
            return f"an id of query {shown(query_id, 30)} holds a NUL character, which ends a text in C"
        try:
            together.encode("utf-8")
        except UnicodeEncodeError:
            return f"an id of query {shown(query_id, 30)} holds half a surrogate pair, which is no UTF-8"
    return None


def high_grades(material: Material, measures: Sequence[Asked], limit: int = GRADE_LIMIT) -> str | None:
    """Grades so high that trec_eval's tables would take all memory."""
    for query_id, grades in material.qrels.items():
        top = max(grades.values(), key=abs)
        if abs(top) > limit:
            return f"query {shown(query_id, 30)} has grade {top}; trec_eval's tables are as long as that"
    return None


def high_level(measure: Asked) -> str | None:
    """A relevance level that pytrec_eval cannot be told."""
    return f"its relevance levels end at {_LEVEL_LIMIT:,}" if measure.level > _LEVEL_LIMIT else None


def unset_memory(material: Material, measures: Sequence[Asked]) -> str | None:
    """Why trec_eval's code, called from Python, must not be given this, or None.

    Where all grades of a query are negative, and where a ranking is empty, it uses tables that it never filled: it answers
    0 for a while, and then crashes or does not return.
    """
    negative = all_negative(material)
    if negative is not None:
        return f"all grades of query {shown(negative, 30)} are negative, at which it may crash or never end"
    empty = next((query_id for query_id, own in material.run.items() if not own), None)
    if empty is not None:
        return f"the ranking of query {shown(empty, 30)} is empty, at which it may crash"
    return high_grades(material, measures)


def endless_ndcg(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    """NDCG without a cutoff, by asked name, where trec_eval's code would take forever (m_ndcg.c).

    Its ideal takes time with the square of the highest grade.
    """
    uncut = [measure.asked for measure in measures if measure.gain is not None and measure.cutoff is None]
    if not uncut:
        return {}
    if sum(max(grades.values()) ** 2 for grades in material.qrels.values()) > _STEPS_LIMIT:
        return dict.fromkeys(
            uncut, "uncut nDCG takes trec_eval time with the square of the grades; these would take minutes"
        )
    return {}


def undefined_precision(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    """Interpolated precision, by asked name, where judged-only leaves nothing of a ranking: trec_eval divides 0 by 0."""
    found: dict[str, str] = {}
    for measure in measures:
        if measure.judged_only and measure.family.name in {"IPrec", "11pt_avg"}:
            for query_id, own in material.run.items():
                if all(material.qrels[query_id].get(doc_id, -1) < 0 for doc_id in own):
                    found[measure.asked] = f"it divides 0 by 0 where nothing of query {shown(query_id, 30)} is judged"
    return found


def spaced_ids(material: Material) -> str | None:
    """Ids that no file of columns can hold."""
    for query_id, own in _all(material):
        for key in (query_id, *own):
            if not key or _SPACE.search(key):
                return f"the id '{shown(key, 40)}' cannot stand in a file of columns"
    return None


def all_negative(material: Material) -> str | None:
    """An answered query whose grades are all negative: trec_eval 9 and 10 stop at it, pytrec_eval goes on."""
    for query_id, grades in material.qrels.items():
        if query_id in material.run and max(grades.values()) < 0:
            return query_id
    return None


def repeats(material: Material) -> str | None:
    """A document twice in a ranking, at which trec_eval stops."""
    if material.repeated:
        return f"query {shown(material.repeated[0], 30)} has a document twice in its ranking, at which trec_eval stops (exit 4)"
    return None


def rows(material: Material) -> int:
    """How many rows the run has."""
    return sum(map(len, material.run.values()))
