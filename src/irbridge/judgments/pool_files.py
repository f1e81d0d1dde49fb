"""Pools as files that people fill in: JSONL with what is known of each document, or TSV for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.atomic import atomic_write
from irbridge.canonical import dumps
from irbridge.errors import InputError, UsageError, shown
from irbridge.judgments.pooling import Pool
from irbridge.source import Source

HEADER = ("query_id", "doc_uri", "best_rank", "runs")


def write_pool(pool: Pool, path: str) -> None:
    """Write what is to be judged, whole or not at all; `-` is standard output, as JSONL.

    Raises:
        UsageError: the suffix is neither .jsonl nor .tsv; a compression suffix is looked through.
        InputError: it cannot be written, or an id does not fit into a TSV.
    """
    name = "-.jsonl" if path == "-" else Source(path).name.lower()
    if name.endswith(".jsonl"):
        rows: Iterator[str] = (dumps(record) for record in pool.records())
    elif name.endswith(".tsv"):
        rows = _tsv(pool)
    else:
        raise UsageError(
            f"the suffix of '{shown(path)}' does not say how to write it", hint="end its name in .jsonl or .tsv"
        )
    with atomic_write(path) as stream:
        for row in rows:
            stream.write(f"{row}\n".encode())


def _tsv(pool: Pool) -> Iterator[str]:
    yield "\t".join(HEADER)
    for row in pool.rows:
        if any(char in name for name in (row.query_id, row.doc_id) for char in "\t\n\r"):
            raise InputError(
                f"query {shown(row.query_id)} document {shown(row.doc_id)} does not fit into a TSV",
                hint="write .jsonl, which holds every id",
            )
        yield f"{row.query_id}\t{row.doc_id}\t{row.best_rank}\t{len(row.runs)}"
