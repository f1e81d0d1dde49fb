"""The values of measures over the queries that count, and why others do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, cycle, islice, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from irbridge.conventions import Convention
from irbridge.errors import UnknownName
from irbridge.measures.base import Measure
from irbridge.registry import nearest
from irbridge.wording import worded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Extremes = tuple["NDArray[np.float64]", "NDArray[np.float64]"]
# How many measures `repr` names.
_SHOWN = 6


class Coverage(NamedTuple):
    """Which queries count, and why others do not.

    Attributes:
        judged: number of judged queries.
        answered: of these, how many the run answers.
        scored: how many count in the aggregates.
        missing: judged queries that the run does not answer.
        no_positives: judged queries without a label at the relevance level.
        extra: number of answered queries without judgments.
        repeated: queries whose ranking holds a document twice.
        contradicting: queries whose rank column contradicts the scores.
        judged_hits: retrieved documents that are judged.
        judged_at_10: share of the documents in the top 10 that are judged, 0 to 1; None where nothing was retrieved.
    """

    judged: int
    answered: int
    scored: int
    missing: list[str]
    no_positives: list[str]
    extra: int
    repeated: list[str]
    contradicting: list[str]
    judged_hits: int
    judged_at_10: float | None


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """Values of measures over the queries that count. Nothing is rounded.

    Attributes:
        measures: as resolved under the convention, in the order asked.
        query_ids: the queries that count, in qrels order.
        values: float64 of shape (measures, queries).
        overall: number of a measure -> its aggregate, where that is not made of its values.
        bounds: number of a measure -> (worst, best), float64 per query, over all grades of the unjudged documents, where the
            convention asks for them and they are known.
    """

    measures: tuple[Measure, ...]
    query_ids: list[str]
    values: NDArray[np.float64]
    convention: Convention
    coverage: Coverage
    overall: Mapping[int, float] = field(default_factory=dict)
    bounds: Mapping[int, Extremes] = field(default_factory=dict)

    def aggregate(self, number: int) -> float | None:
        """The mean (the sum for counts) of measure `number`; None if no query counts."""
        row = self.values[number]
        if len(row) == 0:
            return None
        return self.overall[number] if number in self.overall else self.measures[number].family.aggregate(row)

    def bound(self, number: int) -> tuple[float, float] | None:
        """The worst and the best mean of measure `number`; each query's documents have grades of their own."""
        if number not in self.bounds or not len(self.query_ids):
            return None
        worst, best = (self.measures[number].family.aggregate(row) for row in self.bounds[number])
        return worst, best

    def aggregates(self) -> dict[str, float]:
        """{asked name: aggregate}; empty if no query counts."""
        found = ((measure.asked, self.aggregate(number)) for number, measure in enumerate(self.measures))
        return {name: value for name, value in found if value is not None}

    def per_query(self) -> Iterator[tuple[str, str, float]]:
        """(query_id, asked name, value), by query, then measure."""
        names = [measure.asked for measure in self.measures]
        # Without a line of Python for each value: of 100,000 queries there are many.
        each = chain.from_iterable(map(repeat, self.query_ids, repeat(len(names))))
        return zip(each, cycle(names), self.values.T.ravel().tolist(), strict=False)

    def __repr__(self) -> str:
        """What a person wants to see of it: the means, over how many queries, under which convention."""
        said = [f"{name}={value:.4f}" for name, value in islice(self.aggregates().items(), _SHOWN)]
        more = len(self.measures) - _SHOWN
        said += [f"and {more:,} more"] if more > 0 else []
        queries = worded("{n} {query|queries}", len(self.query_ids))
        return f"<Scores {', '.join(said) or 'of nothing'}; {queries}; {self.convention.name}>"

    def of(self, measure: Any) -> dict[str, float]:
        """{query_id: value} of a measure: the name that was asked for, or an object.

        Raises:
            UnknownName: it was not asked for.
        """
        from irbridge.measures.names import asked_name

        name = asked_name(measure)
        for number, each in enumerate(self.measures):
            if each.asked == name:
                return dict(zip(self.query_ids, self.values[number].tolist(), strict=True))
        asked = [each.asked for each in self.measures]
        raise UnknownName(
            "measure of these scores", name, nearest(str(name), asked), hint=f"one of: {', '.join(asked)}"
        )
