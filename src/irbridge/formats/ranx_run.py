"""ranx's runs: JSON {query: {document: score}}, and its LZ4 layout (read only)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from irbridge.formats import nested, ranx_json
from irbridge.formats.base import Format, Head
from irbridge.formats.ranx_lz4 import LZ4_MAGIC
from irbridge.model import Ranking
from irbridge.reading import Reading
from irbridge.source import Source


def _sniff(head: Head) -> int:
    if head.start.startswith(LZ4_MAGIC):
        return 90  # an LZ4 frame inside an LZ4 frame
    numbers = ranx_json.numbers(head)
    if numbers is None:
        return 0
    # Grades are whole numbers, scores may be; what is asked for decides then.
    return 60 if ranx_json.all_whole(numbers) else 90


def _read(source: Source, reading: Reading) -> Iterator[Ranking]:
    yield from nested.rankings(ranx_json.load(source, grades=False), reading)


def _write(run: Iterable[Ranking], stream: BinaryIO) -> int:
    return ranx_json.write(((ranking.query_id, nested.of_ranking(ranking)) for ranking in run), stream)


FORMAT = Format(
    name="ranx-run",
    shape="file",
    summary="ranx's runs: JSON {query: {document: score}}, or its LZ4 layout; read whole, memory follows the file",
    sniff=_sniff,
    read_run=_read,
    write_run=_write,
    keeps=frozenset({"scores", "empty"}),
    suffix=".json",
    binary=True,
)
