"""qrels x run -> hits. The run is streamed, so memory follows the labels; see `collect` and `blockwise` for how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from irbridge.budgets import Budgets
from irbridge.collect import Collector, Judged, Scattered
from irbridge.conventions import Convention
from irbridge.errors import InputError
from irbridge.model import Ranking
from irbridge.qrels import Qrels
from irbridge.ranking import regrouped
from irbridge.reading import Reading
from irbridge.rows import RunRows
from irbridge.wording import some

Rankings = Callable[[], Iterable[Ranking]]
Pieces = Callable[[], Iterable[RunRows | Ranking]]

__all__ = ["Judged", "Rankings", "judge"]


def judge(
    qrels: Qrels,
    rankings: Rankings,
    convention: Convention,
    reading: Reading | None = None,
    *,
    pieces: Pieces | None = None,
    budgets: Budgets | None = None,
) -> Judged:
    """Rank a run under a convention and keep its judged hits.

    Args:
        qrels: the judgments.
        rankings: called for an iterable of rankings; called again if a query's rows turn out to be scattered.
        convention: order, precision, duplicates and self-retrieval are applied here; depth and judged-only later.
        reading: for labels and lines in errors.
        pieces: called instead of `rankings` where the source can be read as columns, which is many times faster.
        budgets: cutoffs by the length of documents; each gives a depth for every ranking.

    Raises:
        InputError: the run and the qrels have no query in common; a ranking that the convention refuses; a document that a
            budget needs the length of and that has none.
    """
    reading = reading or Reading("run")
    try:
        collector = _collected(qrels, rankings, pieces, convention, reading, budgets)
    except Scattered:
        collector = _collected(qrels, rankings, pieces, convention, reading, budgets, scattered=True)
        reading.note("interleaved", "rows of one query are scattered through the file; they were gathered")
    if not collector.answered.any():
        raise nothing_in_common(qrels, list(collector.extra), reading)
    return collector.result()


def _collected(
    qrels: Qrels,
    rankings: Rankings,
    pieces: Pieces | None,
    convention: Convention,
    reading: Reading,
    budgets: Budgets | None,
    *,
    scattered: bool = False,
) -> Collector:
    """All of a run; `scattered`: its queries have their rows apart, and are gathered first."""
    if pieces is None or _needs_whole(qrels, convention, budgets):
        collector = Collector(qrels, convention, reading, budgets)
        for ranking in regrouped(rankings(), reading, collector.wants) if scattered else rankings():
            collector.add(ranking)
        return collector
    from irbridge.blockwise import BlockCollector

    by_block = BlockCollector(qrels, convention, reading)
    found = pieces()
    if scattered:
        from irbridge.scattered import whole

        # A format with rankings among its columns has each query once, and is never scattered.
        found = whole((piece for piece in found if isinstance(piece, RunRows)), reading, by_block.wants)
    for piece in found:
        if isinstance(piece, RunRows):
            by_block.add_rows(piece)
        else:
            by_block.add(piece)
    return by_block


def _needs_whole(qrels: Qrels, convention: Convention, budgets: Budgets | None) -> bool:
    """Whether rankings have to be seen whole: which documents are tied, how long they are, which have labels elsewhere."""
    return convention.tied != "ordered" or qrels.pool is not None or budgets is not None


def nothing_in_common(qrels: Qrels, answered: Sequence[str], reading: Reading) -> InputError:
    """What to raise for a run that answers none of the judged queries, but these."""
    if not answered:
        return InputError(
            "holds no ranking", path=reading.label, hint="an empty run is no result; check what should have written it"
        )
    return InputError(
        f"no query in common: the judgments have {some(qrels.query_ids, 3)}; the run has {some(answered, 3)}",
        path=reading.label,
        hint="check that both are of the same collection and that the query ids are written alike",
    )
