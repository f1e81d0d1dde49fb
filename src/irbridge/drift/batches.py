"""The chunks of several documents as one text, each document a stretch of it, so that much is done to all of them at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from irbridge.drift.joining import CERTAIN, LIKELY, Joined, put, unspaced
from irbridge.drift.needles import SEPARATOR
from irbridge.drift.stretches import Crowded, Padded, standing
from irbridge.model import ChunkRow

if TYPE_CHECKING:
    from irbridge.arrays import Bools, Ints


_LAST = SEPARATOR.decode("latin-1")


class Laid:
    """Texts one after the other as UTF-8, a separator after each.

    Attributes:
        plain: all of them are ASCII.
        edges: where each begins, and the last one ends.
    """

    def __init__(self, texts: Sequence[str | None]) -> None:
        found = [text or "" for text in texts]
        self.plain = all(map(str.isascii, found))
        if self.plain:  # one call for all of them
            sizes = np.fromiter(map(len, found), np.int64, len(found))
            self.text = _LAST.join([*found, ""]).encode("latin-1")
        else:
            encoded = [text.encode() for text in found]
            sizes = np.fromiter(map(len, encoded), np.int64, len(encoded))
            self.text = SEPARATOR.join([*encoded, b""])
        self.edges = np.concatenate(([0], np.cumsum(sizes + 1)))

    @property
    def sizes(self) -> Ints:
        """Bytes of each."""
        found: Ints = np.diff(self.edges) - 1
        return found


class Batch:
    """Some documents and the labels that are lost in them.

    Attributes:
        rows: the chunks of one document after the other, each document's in the order of their ordinals.
        chunks: their normalised texts, None where there is none.
        firsts: by document, the number of its first chunk; and at the end the number of all chunks.
        texts: normalised texts by label number.
        homes: by label number, the number of its document.
    """

    def __init__(
        self,
        rows: Sequence[ChunkRow],
        chunks: Sequence[str | None],
        firsts: Sequence[int],
        texts: Mapping[int, str],
        homes: Mapping[int, int],
    ) -> None:
        self.rows = rows
        self.chunks = chunks
        self.firsts = firsts
        self.texts = texts
        self.homes = homes

    @cached_property
    def laid(self) -> Laid:
        """The chunks as they are."""
        return Laid(self.chunks)

    @cached_property
    def _squeezed(self) -> tuple[bytes, Ints]:
        """The chunks without white space, a separator after each; and where each begins, and the last one ends."""
        text = unspaced(self.laid.text, plain=self.laid.plain)
        ends = np.flatnonzero(np.frombuffer(text, np.uint8) == SEPARATOR[0]) + 1
        return text, np.concatenate(([0], ends))

    @cached_property
    def joined(self) -> Joined:
        """The likeliest reading of all documents, one after the other."""
        return self._joined[0]

    @cached_property
    def edges(self) -> list[int]:
        """Where each document begins in the joined text, and where the last one ends."""
        return self._joined[1]

    @cached_property
    def doubtful(self) -> set[int]:
        """The documents that have another reading."""
        return self._joined[2]

    def bodies(self, document: int) -> list[bytes]:
        """A document's chunks without white space."""
        text, edges = self._squeezed
        first, last = self.firsts[document], self.firsts[document + 1]
        return text[edges[first] : edges[last] - 1].split(SEPARATOR) if last > first else []

    @cached_property
    def _joined(self) -> tuple[Joined, list[int], set[int]]:
        text, edges = self._squeezed
        starts, plain = edges.tolist(), self._plain()
        found, doubtful = Joined(), set()
        begins = [0]
        for document, first in enumerate(self.firsts[:-1]):
            last = self.firsts[document + 1]
            if plain[document]:
                if found.text:
                    found.text += SEPARATOR
                begins[document] = base = len(found.text)
                base -= starts[first] - first
                found.text += text[starts[first] : starts[last]].replace(SEPARATOR, b"")
                found.chunks += range(first, last)
                found.starts += [start + base - at for at, start in enumerate(starts[first:last], first)]
                found.ends += [end + base - at for at, end in enumerate(starts[first + 1 : last + 1], first + 1)]
            else:
                if self._put(found, document):
                    doubtful.add(document)
                begins[document] += found.text.startswith(SEPARATOR, begins[document])
            begins.append(len(found.text))
        return found.seal(), begins, doubtful

    def _put(self, found: Joined, document: int) -> bool:
        first, last = self.firsts[document], self.firsts[document + 1]
        return put(found, self.rows[first:last], self.bodies(document), first)

    def _plain(self) -> list[bool]:
        """By document, whether its chunks certainly stand one after the other, in one revision, none of them empty."""
        _, edges = self._squeezed
        sizes = np.diff(edges) - 1
        firsts = np.array(self.firsts)
        found = []
        empty = np.concatenate(([0], np.cumsum(sizes == 0)))[firsts]
        short, long = (np.concatenate(([0], np.cumsum(each)))[firsts] for each in self._overlaps(sizes))
        apart = 2 * (np.diff(short) + np.diff(long)) <= np.diff(firsts) - 1
        sure = (np.diff(empty) == 0) & (np.diff(long) == 0) & apart & (np.diff(firsts) > 0)
        for document, is_sure in enumerate(sure.tolist()):
            rows = self.rows[self.firsts[document] : self.firsts[document + 1]]
            revision = rows[0].doc_revision if is_sure else None
            found.append(
                is_sure and (rows[0].start is None or rows[0].end is None)
                and all(row.doc_revision == revision for row in rows)
            )  # fmt: skip
        return found

    def _overlaps(self, sizes: Ints) -> tuple[Bools, Bools]:
        """Of each chunk, whether it may overlap the next of its document by `LIKELY` bytes and more; and by `CERTAIN` and more."""
        text, edges = self._squeezed
        padded = Padded(text)
        heads, tails = edges[1:-1], edges[1:-1] - 1
        inner = np.ones(len(sizes), bool)
        inner[np.array(self.firsts[1:]) - 1] = False
        short, long = np.zeros((2, len(sizes)), bool)
        lengths = np.arange(LIKELY, CERTAIN)
        masks = (~np.uint64(0)) >> (np.uint64(64) - np.minimum(lengths, 8).astype(np.uint64) * np.uint64(8))
        # As many bytes as each length has, up to eight from the start and eight from the end.
        one, other = padded.at(tails[:, None] - lengths) & masks, padded.at(heads)[:, None] & masks
        alike = one == other
        wide = lengths[lengths > 8]
        alike[:, lengths > 8] &= padded.at(tails - 8)[:, None] == padded.at(heads[:, None] + wide - 8)
        short[:-1] = alike.any(axis=1)
        short &= inner
        size = CERTAIN - 1
        ending = np.flatnonzero(inner[:-1] & (sizes[:-1] >= CERTAIN) & (sizes[1:] >= CERTAIN))
        try:
            piece, _ = standing(padded, edges[ending + 1] - 1 - size, ending + 1, size, padded, edges)
        except Crowded:
            long = inner
        else:
            long[ending[piece]] = True
        return short, long
