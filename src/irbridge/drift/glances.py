"""The first look at many chunks at once: which of them some label asks for by id or by text, and where documents begin.

Most chunks are never looked at again. Where a piece of the corpus is columns of a file, nothing is decoded for that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING

from irbridge.drift.wanted import Wanted
from irbridge.formats.chunk_columns import ChunkColumns
from irbridge.identity import normalized
from irbridge.model import ChunkRow

if TYPE_CHECKING:
    from irbridge.jsoncolumns import JsonColumns
    from irbridge.knowntexts import Known


class Ids:
    """Ids of chunks that are looked for in the pieces of a corpus."""

    def __init__(self, ids: Collection[str]) -> None:
        self.ids = frozenset(ids)

    def __call__(self, rows: Sequence[ChunkRow]) -> Iterable[str]:
        """Those that a piece has."""
        if isinstance(rows, ChunkColumns):
            return (chunk_id for _, chunk_id in rows.columns.standing("chunk_id", self._known))
        return self.ids.intersection([row.chunk_id for row in rows])

    @cached_property
    def _known(self) -> Known:
        return _known(self.ids)


class Glance:
    """What some labels ask of each piece of a corpus."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self._ids = Ids(wanted.ids)

    def __call__(self, rows: Sequence[ChunkRow]) -> None:
        """Take note of the ids and the texts that are there; pieces come in the order of the corpus."""
        self.wanted.live.update(self._ids(rows))
        if isinstance(rows, ChunkColumns):
            self._equal_columns(rows)
        else:
            self._equal(rows)

    def _equal(self, rows: Sequence[ChunkRow]) -> None:
        wanted = self.wanted
        if not wanted.shas:
            return
        named = [row.text_sha for row in rows]
        if all(named):
            rows = list(compress(rows, map(wanted.shas.__contains__, named)))
        texts = None if any(named) else normalized([row.text for row in rows])
        digests = map(wanted.digest, rows) if texts is None else wanted.digests_of(texts)
        for row, sha in zip(rows, digests, strict=True):
            if sha is not None:
                wanted.offer(sha, row.chunk_id, row.doc_uri)

    def _equal_columns(self, rows: ChunkColumns) -> None:
        columns = rows.columns
        if not self.wanted.shas or not columns.places.keys() & {"text_sha", "text"}:
            return
        if "text_sha" in columns.places and not columns.has_empty("text_sha"):
            self._offer(columns.standing("text_sha", self._digests), columns)
        elif "text_sha" not in columns.places and "text" in columns.places and self.wanted.by_text:
            self._offer(self._equal_texts(rows, columns), columns)
        else:
            self._equal(list(rows))

    def _equal_texts(self, rows: ChunkColumns, columns: JsonColumns) -> list[tuple[int, str]]:
        """Plain texts are their own normal form; the others have to be decoded."""
        plain = columns.plain("text")
        found = {
            number: self.wanted.by_text[text] for number, text in columns.standing("text", self._texts) if plain[number]
        }
        others = (~plain).nonzero()[0].tolist()
        decoded = rows if 2 * len(others) < len(rows) else list(rows)
        for number in others:
            sha = self.wanted.digest(decoded[number])
            if sha is not None:
                found[number] = sha
        return sorted(found.items())

    def _offer(self, found: Sequence[tuple[int, str]], columns: JsonColumns) -> None:
        numbers = [number for number, _ in found]
        if numbers:
            names = zip(columns.texts("chunk_id", numbers), columns.texts("doc_uri", numbers), strict=True)
            for (_, sha), (chunk_id, doc_uri) in zip(found, names, strict=True):
                self.wanted.offer(sha, chunk_id, doc_uri)

    @cached_property
    def _digests(self) -> Known:
        return _known(self.wanted.shas)

    @cached_property
    def _texts(self) -> Known:
        return _known(self.wanted.by_text)


def _known(values: Collection[str]) -> Known:
    from irbridge.knowntexts import Known  # numpy takes long to load

    return Known(values)


def chunks_called(ids: Collection[str], pieces: Iterable[Sequence[ChunkRow]]) -> Iterator[ChunkRow]:
    """The chunks of a corpus that have one of these ids."""
    known: Known | None = None
    for rows in pieces if ids else ():
        if isinstance(rows, ChunkColumns):
            known = known or _known(ids)
            for number, _ in rows.columns.standing("chunk_id", known):
                yield rows[number]
        else:
            yield from (row for row in rows if row.chunk_id in ids)


def runs(rows: Sequence[ChunkRow]) -> Iterable[tuple[str, int, int]]:
    """(document, first chunk, chunk after the last) of each run of chunks of one document."""
    if isinstance(rows, ChunkColumns):
        return rows.columns.runs("doc_uri")
    documents = [row.doc_uri for row in rows]
    found = []
    start = 0
    while start < len(rows):
        stop = start + 1
        while stop < len(rows) and documents[stop] == documents[start]:
            stop += 1
        found.append((documents[start], start, stop))
        start = stop
    return found
