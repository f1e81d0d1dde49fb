"""ranx's qrels as JSON: {query: {document: grade}}."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from irbridge.formats import nested, ranx_json
from irbridge.formats.base import Format, Head
from irbridge.model import Judgment
from irbridge.reading import Reading
from irbridge.source import Source


def _sniff(head: Head) -> int:
    numbers = ranx_json.numbers(head)
    if numbers is None:
        return 0
    # A run whose scores are whole numbers looks the same; what is asked for decides then.
    return 70 if ranx_json.all_whole(numbers) else 0


def _read(source: Source, reading: Reading) -> Iterator[Judgment]:
    yield from nested.judgments(ranx_json.load(source, grades=True), reading)


def _write(labels: Iterable[Judgment], stream: BinaryIO) -> int:
    return ranx_json.write(nested.of_judgments(labels).items(), stream)


FORMAT = Format(
    name="ranx-qrels",
    shape="file",
    summary="ranx's qrels: JSON {query: {document: grade}}; read whole, memory follows the file",
    sniff=_sniff,
    read_judgments=_read,
    write_judgments=_write,
    suffix=".json",
)
