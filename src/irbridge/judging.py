"""qrels x run -> hits. The run is streamed, so memory follows the labels; see `collect` and `blockwise` for how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from irbridge.collect import Collector, Judged, Scattered
from irbridge.conventions import Convention
from irbridge.errors import InputError, shown
from irbridge.model import Ranking
from irbridge.qrels import Qrels
from irbridge.ranking import regrouped
from irbridge.reading import Reading
from irbridge.rows import RunRows

Rankings = Callable[[], Iterable[Ranking]]
Pieces = Callable[[], Iterable[RunRows]]

__all__ = ["Judged", "Rankings", "judge"]


def judge(
    qrels: Qrels,
    rankings: Rankings,
    convention: Convention,
    reading: Reading | None = None,
    *,
    pieces: Pieces | None = None,
) -> Judged:
    """Rank a run under a convention and keep its judged hits.

    Args:
        qrels: the judgments.
        rankings: called for an iterable of rankings; called again if a query's rows turn out to be scattered.
        convention: order, precision, duplicates and self-retrieval are applied here; depth and judged-only later.
        reading: for labels and lines in errors.
        pieces: called instead of `rankings` where the source can be read as columns, which is many times faster.

    Raises:
        InputError: the run and the qrels have no query in common; a ranking that the convention refuses.
    """
    reading = reading or Reading("run")
    try:
        collector = _collected(qrels, rankings, pieces, convention, reading)
    except Scattered:
        collector = Collector(qrels, convention, reading)
        for ranking in regrouped(rankings(), reading, collector.wants):
            collector.add(ranking)
        reading.note("interleaved", "rows of one query are scattered through the file; they were gathered")
    if not collector.answered.any():
        raise _nothing_in_common(qrels, collector, reading)
    return collector.result()


def _collected(
    qrels: Qrels, rankings: Rankings, pieces: Pieces | None, convention: Convention, reading: Reading
) -> Collector:
    # The careful way sees each ranking whole: which documents are tied, and those that other queries have labels for.
    if pieces is None or convention.tied != "ordered" or qrels.pool is not None:
        collector = Collector(qrels, convention, reading)
        for ranking in rankings():
            collector.add(ranking)
        return collector
    from irbridge.blockwise import BlockCollector

    by_block = BlockCollector(qrels, convention, reading)
    for rows in pieces():
        by_block.add_rows(rows)
    return by_block


def _nothing_in_common(qrels: Qrels, collector: Collector, reading: Reading) -> InputError:
    def some(ids: Sequence[str]) -> str:
        return ", ".join(shown(query_id, 30) for query_id in ids[:3]) + (", ..." if len(ids) > 3 else "")

    if not collector.extra:
        return InputError(
            "holds no ranking", path=reading.label, hint="an empty run is no result; check what should have written it"
        )
    return InputError(
        f"no query in common: the judgments have {some(qrels.query_ids)}; the run has {some(list(collector.extra))}",
        path=reading.label,
        hint="check that both are of the same collection and that the query ids are written alike",
    )
