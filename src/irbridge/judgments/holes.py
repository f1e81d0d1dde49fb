"""What a score does not know: unjudged documents among the first of each ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from irbridge.errors import UsageError
from irbridge.inputs import qrels_of
from irbridge.judging import nothing_in_common
from irbridge.judgments.tops import tops
from irbridge.qrels import Qrels


class QueryHoles(NamedTuple):
    """The holes of one ranking.

    Attributes:
        looked_at: how many documents the first k hold; fewer than k where the ranking is shorter.
        holes: the unjudged among them: (rank from 1, document).
    """

    query_id: str
    looked_at: int
    holes: tuple[tuple[int, str], ...]

    @property
    def judged(self) -> float:
        """The judged share of what was looked at, 0 to 1; 0 where nothing was retrieved."""
        return (self.looked_at - len(self.holes)) / self.looked_at if self.looked_at else 0.0


class RunHoles(NamedTuple):
    """The holes of one run.

    Attributes:
        queries: every judged query, in the order of the judgments; one that the run does not answer has nothing to look at.
        unjudged_queries: how many queries of the run have no label at all; they are not looked at.
    """

    run: str
    queries: tuple[QueryHoles, ...]
    unjudged_queries: int

    @property
    def judged(self) -> float:
        """Judged@k: the mean of the judged shares over all judged queries."""
        return sum(query.judged for query in self.queries) / len(self.queries)

    @property
    def holes(self) -> int:
        """How many unjudged documents there are."""
        return sum(len(query.holes) for query in self.queries)


class Holes(NamedTuple):
    """The holes of several runs under one set of judgments."""

    k: int
    runs: tuple[RunHoles, ...]

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "k": self.k,
            "runs": [
                {
                    "run": run.run,
                    "judged": run.judged,
                    "holes": run.holes,
                    "unjudged_queries": run.unjudged_queries,
                    "queries": [
                        {
                            "query_id": query.query_id,
                            "looked_at": query.looked_at,
                            "judged": query.judged,
                            "holes": [{"rank": rank, "doc_uri": doc_id} for rank, doc_id in query.holes],
                        }
                        for query in run.queries
                    ],
                }
                for run in self.runs
            ],
        }


def holes(judgments: Any, runs: Sequence[Any], k: int) -> Holes:
    """The unjudged documents among the first k of each ranking.

    Args:
        judgments: anything that `irbridge.load` takes, or `Qrels`.
        runs: likewise, one or more.
        k: how many documents of each ranking count, from 1.

    Raises:
        UsageError: no run, or k below 1.
        InputError: an input cannot be read, or a run and the judgments have no query in common.
    """
    if not runs or k < 1:
        raise UsageError("holes are looked for in a run, among its first 1 or more documents")
    qrels = qrels_of(judgments)
    return Holes(k, tuple(_of_run(qrels, run, k) for run in runs))


def _of_run(qrels: Qrels, run: Any, k: int) -> RunHoles:
    rankings, source = tops(run, k)
    if rankings.keys().isdisjoint(qrels.index):
        raise nothing_in_common(qrels, list(rankings), source.reading)
    found: list[QueryHoles] = []
    for query_id, known in zip(qrels.query_ids, qrels.labels, strict=True):
        doc_ids = rankings.get(query_id, [])
        unknown = tuple((rank, doc_id) for rank, doc_id in enumerate(doc_ids, 1) if doc_id not in known)
        found.append(QueryHoles(query_id, len(doc_ids), unknown))
    return RunHoles(source.label, tuple(found), sum(query_id not in qrels.index for query_id in rankings))
