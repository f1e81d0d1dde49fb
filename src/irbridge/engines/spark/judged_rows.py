"""Judged hits on their way from a task to the driver: one row for each partition, whose cells are lists of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from irbridge.arrays import Ints
from irbridge.collect import Judged
from irbridge.hits import Hits
from irbridge.qrels import Qrels

if TYPE_CHECKING:
    import pyarrow as pa

_NUMBERS = (
    "answered", "retrieved", "label", "rank", "first_tied", "last_tied", "elsewhere_query", "elsewhere_rank",
)  # fmt: skip
_TEXTS = ("extra", "repeated", "contradicting")
_COUNTS = ("extra_count", "documents")
#: The columns, as Spark writes types.
SCHEMA = ", ".join([
    *(f"{name} array<bigint>" for name in _NUMBERS),
    *(f"{name} array<string>" for name in _TEXTS),
    *(f"{name} bigint" for name in _COUNTS),
])  # fmt: skip
_EXTRA = 5


def packed(judged: Judged) -> pa.RecordBatch:
    """The row of one partition."""
    import pyarrow as pa

    hits = judged.hits
    none = hits.label[:0]
    answered = np.flatnonzero(hits.answered)
    numbers = (
        answered, hits.retrieved[answered], hits.label, hits.rank, *(hits.tied or (none, none)),
        *(hits.elsewhere or (none, none)),
    )  # fmt: skip
    texts = (judged.extra, judged.repeated, judged.contradicting)
    columns = [
        *(pa.array([list(each)], pa.list_(pa.int64())) for each in numbers),
        *(pa.array([each], pa.list_(pa.string())) for each in texts),
        *(pa.array([each], pa.int64()) for each in (judged.extra_count, judged.documents)),
    ]
    return pa.RecordBatch.from_arrays(columns, [*_NUMBERS, *_TEXTS, *_COUNTS])


def merged(qrels: Qrels, parts: Iterable[Any]) -> Judged:
    """The hits of all partitions, which share no query. Texts are sorted: partitions have no order.

    Args:
        qrels: what all of them were judged against.
        parts: their rows, as Spark collects them.
    """
    rows = [part.asDict() for part in parts]
    found = {name: np.concatenate([np.zeros(0, np.int64), *(_ints(row[name]) for row in rows)]) for name in _NUMBERS}
    texts = {name: sorted({text for row in rows for text in row[name]}) for name in _TEXTS}
    retrieved, answered = np.zeros(len(qrels.query_ids), np.int64), np.zeros(len(qrels.query_ids), np.bool_)
    retrieved[found["answered"]] = found["retrieved"]
    answered[found["answered"]] = True
    # Hits of one query come from one partition, in the order of their ranks.
    order = np.argsort(qrels.query_of[found["label"]], kind="stable")
    tied = (found["first_tied"][order], found["last_tied"][order]) if len(found["first_tied"]) else None
    elsewhere = None if qrels.pool is None else (found["elsewhere_query"], found["elsewhere_rank"])
    hits = Hits(qrels, found["label"][order], found["rank"][order], retrieved, answered, tied, elsewhere)
    extra_count, documents = (sum(row[name] for row in rows) for name in _COUNTS)
    return Judged(hits, extra_count, texts["extra"][:_EXTRA], texts["repeated"], texts["contradicting"], documents)


def _ints(values: list[int]) -> Ints:
    return np.array(values, np.int64)
