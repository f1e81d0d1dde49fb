"""What to judge next: the documents that any of several runs has among its first, and that nobody has judged yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from irbridge.errors import UsageError
from irbridge.inputs import qrels_of
from irbridge.judgments.tops import tops


class Pooled(NamedTuple):
    """A document that is to be judged.

    Attributes:
        best_rank: its best rank in any run, from 1.
        runs: the runs that have it in their first `depth`, by number, from 0.
    """

    query_id: str
    doc_id: str
    best_rank: int
    runs: tuple[int, ...]


class Pool(NamedTuple):
    """What is to be judged.

    Attributes:
        rows: by query, in the order of their first appearance in the runs; within a query by id, so that the order tells the
            annotator nothing of what the runs think.
        queries: query -> (documents in the pool, of them judged already).
    """

    rows: tuple[Pooled, ...]
    depth: int
    runs: tuple[str, ...]
    queries: dict[str, tuple[int, int]]

    @property
    def judged(self) -> int:
        """How many documents of the pool are judged already."""
        return sum(judged for _, judged in self.queries.values())

    def records(self) -> Iterator[dict[str, Any]]:
        """The rows as JSON values."""
        for row in self.rows:
            yield {
                "query_id": row.query_id,
                "doc_uri": row.doc_id,
                "best_rank": row.best_rank,
                "runs": [self.runs[number] for number in row.runs],
            }

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "depth": self.depth,
            "runs": list(self.runs),
            "to_judge": len(self.rows),
            "judged": self.judged,
            "queries": {
                query_id: {"pool": size, "judged": judged} for query_id, (size, judged) in self.queries.items()
            },
            "pool": list(self.records()),
        }


def pool(runs: Sequence[Any], depth: int, judgments: Any = None) -> Pool:
    """The depth-k pool of runs without what is judged.

    Args:
        runs: anything that `irbridge.load` takes, one or more.
        depth: how many documents of each ranking count, from 1.
        judgments: labels that need not be made again, or None.

    Raises:
        UsageError: no run, or a depth below 1.
        InputError: a run or the judgments cannot be read.
    """
    if not runs or depth < 1:
        raise UsageError("a pool needs a run and a depth of 1 or more")
    found: dict[str, dict[str, tuple[int, list[int]]]] = {}
    names: list[str] = []
    for number, run in enumerate(runs):
        rankings, source = tops(run, depth)
        names.append(source.label)
        for query_id, doc_ids in rankings.items():
            own = found.setdefault(query_id, {})
            for rank, doc_id in enumerate(doc_ids, 1):
                best, places = own.get(doc_id, (rank, []))
                own[doc_id] = (min(best, rank), [*places, number])
    table = None if judgments is None else qrels_of(judgments)
    rows: list[Pooled] = []
    queries: dict[str, tuple[int, int]] = {}
    for query_id, own in found.items():
        known = {} if table is None or query_id not in table.index else table.labels[table.index[query_id]]
        queries[query_id] = (len(own), sum(doc_id in known for doc_id in own))
        rows.extend(
            Pooled(query_id, doc_id, best, tuple(places))
            for doc_id, (best, places) in sorted(own.items())
            if doc_id not in known
        )
    return Pool(tuple(rows), depth, tuple(names), queries)
