"""A measure of one's own: a function of one query's ranking, and what there is to know of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irbridge.arrays import Floats
from irbridge.errors import UsageError, quoted, shown
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure, Value
from irbridge.measures.foreign import Guarded, vetted
from irbridge.measures.gains import worth_of


@dataclass(frozen=True, eq=False)
class Seen:
    """One query's ranking, as its labels see it.

    Attributes:
        query_id: the query.
        grades: of the retrieved documents, best first, down to the cutoff where there is one; None for a document that
            the query has no label for.
        retrieved: how many documents were retrieved, with or without a label, below the cutoff too.
        labels: the grades of all labels of the query, highest first, whether retrieved or not.
        measure: what is asked for, everything decided.
    """

    query_id: str
    grades: list[int | None]
    retrieved: int
    labels: list[int]
    measure: Measure

    @property
    def cutoff(self) -> int | None:
        """The cutoff, or None."""
        return self.measure.cutoff

    @property
    def rel(self) -> int:
        """The lowest grade that counts as relevant."""
        return self.measure.level

    @cached_property
    def relevant(self) -> list[bool]:
        """Of each of `grades`, whether it is relevant; an unjudged document is not."""
        return [grade is not None and grade >= self.rel for grade in self.grades]

    @cached_property
    def gains(self) -> list[float]:
        """Of each of `grades` its gain, 0 for an unjudged document; linear but for a measure that takes "gain"."""
        worth: list[float] = worth_of(
            np.array([0 if grade is None else grade for grade in self.grades], np.int64), self.measure
        ).tolist()
        return [0.0 if grade is None else gain for grade, gain in zip(self.grades, worth, strict=True)]

    def option(self, name: str) -> float:
        """The value of one of the measure's options."""
        return self.measure.option(name)


class ByQuery(Guarded):
    """The `compute` that a function of one query makes."""

    def __call__(self, hits: Hits, measure: Measure) -> Floats:
        values = np.zeros(hits.queries)
        bounds = np.searchsorted(hits.query, np.arange(hits.queries + 1)).tolist()
        for number in np.flatnonzero(hits.answered).tolist():
            values[number] = self._of(_seen(hits, measure, number, slice(*bounds[number : number + 2])))
        return values

    def _of(self, seen: Seen) -> float:
        query = f" on query {shown(seen.query_id, 40)}"
        return self.number(self.called(query, seen), query)


def _seen(hits: Hits, measure: Measure, number: int, own: slice) -> Seen:
    retrieved = int(hits.retrieved[number])
    grades: list[int | None] = [None] * (retrieved if measure.cutoff is None else min(retrieved, measure.cutoff))
    for rank, grade in zip(hits.rank[own].tolist(), hits.grade[own].tolist(), strict=True):
        if rank <= len(grades):
            grades[rank - 1] = grade
    labels = hits.qrels.grades[hits.qrels.offsets[number] : hits.qrels.offsets[number + 1]]
    return Seen(hits.qrels.query_ids[number], grades, retrieved, sorted(labels.tolist(), reverse=True), measure)


def own_measure(
    function: Callable[[Seen], float],
    name: str,
    summary: str,
    *,
    takes: Iterable[str] = ("cutoff",),
    options: Mapping[str, Value] | None = None,
    formula: str | None = None,
    range: str = "not said",  # noqa: A002 - the descriptor's word
    source: str = "not said",
    **more: Any,
) -> Family:
    """The descriptor of a measure that a function computes, query by query.

    Args:
        function: `Seen` -> a finite number; called for each judged query that the run answers. The others have 0.
        name: what it is called: letters, digits, underscores; none of irbridge's names.
        summary: one line that says what it measures.
        takes: what its name may carry: "cutoff", "rel", "gain", "judged_only".
        options: further numbers with their defaults, {"weight": 0.5} for Mine(weight=0.8).
        formula: how it is computed; None: the first line of the function's docstring.
        range: which values there are.
        source: where it comes from.
        more: any other field of `irbridge.Family`, such as total=True for a sum over queries.

    Returns:
        A descriptor: `MINE` or `MINE @ 10` in a list of measures, the value of MEASURE in a file for --measures-from, or
        what an entry point of the group `irbridge.measures` names.

    Raises:
        UsageError: the function is none, or the name is taken or none.
    """
    if not callable(function):
        raise UsageError(
            f"{quoted(function, 40)} is no function of one query", hint="own_measure(f, 'Name', 'what it is')"
        )
    if type(summary) is not str or not summary:
        raise UsageError(f"{shown(name, 40)}: the summary is one line of text, not {quoted(summary, 40)}")
    carried = frozenset([takes] if isinstance(takes, str) else takes)
    unknown = carried - {"cutoff", "rel", "gain", "judged_only"}
    if unknown:
        raise UsageError(f"{shown(name, 40)}: a name cannot carry {', '.join(sorted(map(quoted, unknown)))}")
    first = (getattr(function, "__doc__", None) or "see the function").strip().split("\n")[0]
    fields: dict[str, Any] = {
        "compute": ByQuery(function, name), "summary": summary, "formula": formula or first, "range": range,
        "source": source, "takes": carried, "options": dict(options or {}),
    }  # fmt: skip
    try:
        return vetted(Family(name, **fields, **more))
    except TypeError as error:
        raise UsageError(f"{shown(name, 40)}: {shown(error)}", hint="the fields of irbridge.Family") from None
