"""How much of what was judged relevant a run can find at all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import fsum

from irbridge.judgments.base import Check, Issue, Watcher
from irbridge.model import Chunk


class _Reach(Watcher):
    @cached_property
    def _absent(self) -> set[str]:
        """The judged keys that the corpus has not shown so far; asked for when the last label was seen."""
        return {key for own in self.tally.keys.values() for key in own}

    def chunk(self, chunk: Chunk) -> None:
        self._absent.discard(chunk.chunk_id)
        self._absent.discard(chunk.doc_uri)

    def end(self) -> Iterator[Issue]:
        shares: list[float] = []
        relevant = unreachable = 0
        for own in self.tally.keys.values():
            keys = [key for key, row in own.items() if self.tally.grades[row] >= 1]
            if keys:
                gone = sum(key in self._absent for key in keys)
                shares.append(1 - gone / len(keys))
                relevant, unreachable = relevant + len(keys), unreachable + gone
        if unreachable:
            bound = fsum(shares) / len(shares)
            yield self.issue(
                f"{unreachable} of {relevant} relevant labels name what the corpus does not hold: "
                f"recall and AP of a perfect run are {bound:.4f}",
                bound=bound,
                unreachable=unreachable,
                relevant=relevant,
            )


CHECK = Check(
    name="recall-bound",
    severity="info",
    order=115,
    summary="labels of grade 1 or more whose document or chunk the given corpus does not hold, and what that leaves",
    why="it is the highest recall, and the highest AP, that any run over this corpus can have",
    certainty="certain, if this is the right corpus",
    watch=_Reach,
    needs="corpus",
)
