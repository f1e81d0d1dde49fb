"""A run that was computed, on its way into a file: what the format cannot hold is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from irbridge.atomic import atomic_write
from irbridge.errors import UsageError

if TYPE_CHECKING:
    from irbridge.formats import Format
    from irbridge.model import Ranking


def write_run(found: Iterable[Ranking], target: Format, out: str) -> dict[str, int]:
    """Write rankings; returns what the format cannot hold -> in how many rows.

    Raises:
        UsageError: the format holds no run.
        IrbridgeError: as iterating `found`; nothing was written.
    """
    if target.write_run is None:
        raise UsageError(f"{target.name} cannot hold a run", hint="irbridge formats lists those that can")
    losses: dict[str, int] = {}
    writer = cast("Callable[[Iterable[Ranking], Any], int]", target.write_run)
    with atomic_write(out) as stream:
        writer(_watched(found, target, losses), stream)
    return losses


def lost_of(ranking: Ranking, target: Format) -> Iterator[tuple[str, int]]:
    """What a format cannot hold of a ranking, and in how many rows."""
    if not ranking.doc_ids and "empty" not in target.keeps:
        yield "queries with an empty ranking", 1
    if ranking.scores is not None and "scores" not in target.keeps:
        yield "scores (only the order is kept)", len(ranking.doc_ids)
    if ranking.tag is not None and "tag" not in target.keeps:
        yield "run tag", 1


def _watched(rankings: Iterable[Ranking], target: Format, losses: dict[str, int]) -> Iterator[Ranking]:
    for ranking in rankings:
        for what, count in lost_of(ranking, target):
            if count:
                losses[what] = losses.get(what, 0) + count
        yield ranking
