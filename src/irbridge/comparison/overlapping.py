"""Run against run, without any label: how alike their rankings are, and which documents moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from irbridge.arguments import whole
from irbridge.comparison.rankings import Held, order_of
from irbridge.errors import InputError, UsageError, quoted
from irbridge.inputs import opened
from irbridge.stats.rbo import PERSISTENCE, overlap, rbo

#: The depths at which overlap is taken where nobody says it.
DEPTHS = (1, 10, 100)


class Alike(NamedTuple):
    """One query in both runs.

    Attributes:
        rbo: extrapolated, 0 to 1; None where both rankings are empty.
        overlap: at each depth, 0 to 1.
        common: documents that both have.
        sizes: documents of either.
        same: the rankings are the same, document by document.
    """

    query_id: str
    rbo: float | None
    overlap: tuple[float, ...]
    common: int
    sizes: tuple[int, int]
    same: bool


class Moved(NamedTuple):
    """A document's rank in both runs, from 1; None where a run does not have it. `up` is how far it rose in the second."""

    query_id: str
    doc_id: str
    first: int | None
    second: int | None
    up: int | None


class Overlap(NamedTuple):
    """Two runs beside each other.

    Attributes:
        p: the persistence of RBO.
        depths: at which overlap was taken.
        queries: those that both answer, in the order of the first run.
        only: how many queries one of them answers alone.
    """

    first: Held
    second: Held
    p: float
    depths: tuple[int, ...]
    queries: list[Alike]
    only: tuple[int, int]

    def mean(self, number: int | None = None) -> float | None:
        """The mean over queries of overlap at depth `number`, or of RBO; None where there is none."""
        found = [each.rbo if number is None else each.overlap[number] for each in self.queries]
        known = [value for value in found if value is not None]
        return sum(known) / len(known) if known else None

    def moved(self) -> Iterator[Moved]:
        """Every document of every query that both answer, in the order of the first run, then of the second."""
        for each in self.queries:
            one = self.first.rankings[each.query_id].doc_ids
            other = self.second.rankings[each.query_id].doc_ids
            before = {doc_id: rank for rank, doc_id in enumerate(one, 1)}
            after = {doc_id: rank for rank, doc_id in enumerate(other, 1)}
            for doc_id in dict.fromkeys((*one, *other)):
                at, to = before.get(doc_id), after.get(doc_id)
                yield Moved(each.query_id, doc_id, at, to, None if at is None or to is None else at - to)

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "first": self.first.source.label,
            "second": self.second.source.label,
            "p": self.p,
            "queries": len(self.queries),
            "only_first": self.only[0],
            "only_second": self.only[1],
            "rbo": self.mean(),
            "overlap": {str(depth): self.mean(number) for number, depth in enumerate(self.depths)},
            "same": sum(each.same for each in self.queries),
            "tied": [self.first.tied, self.second.tied],
            "per_query": [
                {
                    "query_id": each.query_id,
                    "rbo": each.rbo,
                    "overlap": dict(zip(map(str, self.depths), each.overlap, strict=True)),
                    "common": each.common,
                    "sizes": list(each.sizes),
                }
                for each in self.queries
            ],
        }


def overlap_of(
    first: Any,
    second: Any,
    *,
    p: Any = PERSISTENCE,
    k: Sequence[int] = DEPTHS,
    depth: int | None = None,
    ties: str = "docid-desc",
) -> Overlap:
    """Hold one run against another.

    Args:
        first: anything that `irbridge.load` takes as a run, or an `Input`.
        second: likewise.
        p: the persistence of RBO, between 0 and 1.
        k: depths for the overlap.
        depth: look at the top so many of each ranking only.
        ties: how equal scores are ordered, as in a convention; RBO itself knows no ties.

    Raises:
        UsageError: a number out of its range.
        InputError: a run cannot be used, or there is no query in common.
    """
    if isinstance(p, bool) or not isinstance(p, int | float) or not 0 < p < 1:
        raise UsageError(f"the persistence p is a number between 0 and 1, not {quoted(p, 40)}")
    depths = tuple(dict.fromkeys(whole("k", each) for each in k))
    order = order_of(ties, None if depth is None else whole("depth", depth))
    one, other = Held(opened(first, "run"), order), Held(opened(second, "run"), order)
    both = [query_id for query_id in one.rankings if query_id in other.rankings]
    if not both:
        raise InputError(
            f"no query in common with {one.source.label}", path=other.source.label,
            hint="check that both are of the same collection and that the query ids are written alike",
        )  # fmt: skip
    only = len(one.rankings) - len(both), len(other.rankings) - len(both)
    return Overlap(one, other, float(p), depths, [_alike(one, other, query_id, p, depths) for query_id in both], only)


def _alike(one: Held, other: Held, query_id: str, p: float, depths: Sequence[int]) -> Alike:
    here, there = list(one.rankings[query_id].doc_ids), list(other.rankings[query_id].doc_ids)
    return Alike(
        query_id,
        rbo(here, there, p),
        tuple(overlap(here, there, depth) for depth in depths),
        len(set(here) & set(there)),
        (len(here), len(there)),
        here == there,
    )
