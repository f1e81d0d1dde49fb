"""What a format makes of an input, in short."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from irbridge.formats.base import Format, Part
from irbridge.model import Judgment, Ranking
from irbridge.reading import Reading
from irbridge.source import Source


def read(entry: Format, part: Part, given: Any, **options: Any) -> tuple[list[Any], Reading]:
    """The records in `given`, a path or an object, and the reading; called `mine` in messages."""
    reading = Reading("mine", **options)
    reader = entry.reader(part)
    assert reader is not None
    return list(reader(Source(given, "mine") if isinstance(given, Path) else given, reading)), reading


def labels(entry: Format, given: Any, **options: Any) -> list[tuple[str, str, int]]:
    """(query_id, doc_uri, relevance) of each label."""
    return [(label.query_id, label.doc_uri, label.relevance) for label in read(entry, "judgments", given, **options)[0]]


def rankings(entry: Format, given: Any, **options: Any) -> list[tuple[str, list[str], list[float] | None]]:
    """(query_id, doc_ids, scores) of each ranking."""
    return [
        (found.query_id, list(found.doc_ids), None if found.scores is None else list(found.scores))
        for found in read(entry, "run", given, **options)[0]
    ]


def written(entry: Format, part: Part, records: Iterable[Any]) -> bytes:
    """The bytes of a file with these records."""
    writer = entry.write_judgments if part == "judgments" else entry.write_run
    assert writer is not None
    stream = io.BytesIO()
    writer(records, stream)
    return stream.getvalue()


LABELS = [Judgment("q1", "d1", 1), Judgment("q1", "d2", 0), Judgment("q2", "d1", -2)]
RUN = [Ranking("q1", ["d2", "d1"], [1.5, 0.25]), Ranking("q2", ["d3"], [-1e-9])]
