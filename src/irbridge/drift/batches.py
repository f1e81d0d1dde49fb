"""The chunks of several documents as one text, each document a stretch of it, so that much is done to all of them at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from irbridge.drift.joining import Joined, bodies_of, encoded, put
from irbridge.drift.needles import SEPARATOR
from irbridge.drift.stretches import Padded
from irbridge.model import ChunkRow

if TYPE_CHECKING:
    from irbridge.arrays import Ints


class Laid:
    """Texts one after the other as UTF-8, a separator after each.

    Args:
        texts: those of one document after the other.
        homes: the number of the document of each.
        documents: how many there are.

    Attributes:
        texts: none of them None any more.
        edges: where each begins, and the last one ends.
        stretches: where the texts of each document begin, and those of the last one end.
    """

    def __init__(self, texts: Iterable[str | None], homes: Ints, documents: int) -> None:
        self.texts = [text or "" for text in texts]
        self.homes = homes
        self.text, plain = encoded(self.texts)
        sizes = map(len, self.texts if plain else [text.encode() for text in self.texts])
        self.sizes = np.fromiter(sizes, np.int64, len(self.texts))
        self.edges = np.concatenate(([0], np.cumsum(self.sizes + 1)))
        self.stretches = self.edges[np.searchsorted(homes, np.arange(documents + 1))]

    @cached_property
    def padded(self) -> Padded:
        return Padded(self.text)


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

    def of(self, numbers: Collection[int]) -> Batch:
        """Some of the labels, and of the documents those that they are lost in; chunks have other numbers there."""
        homes = sorted({self.homes[number] for number in numbers})
        rows, chunks, firsts = list[ChunkRow](), list[str | None](), [0]
        for home in homes:
            first, last = self.firsts[home], self.firsts[home + 1]
            rows += self.rows[first:last]
            chunks += self.chunks[first:last]
            firsts.append(len(rows))
        places = {home: place for place, home in enumerate(homes)}
        return Batch(
            rows, chunks, firsts, {number: self.texts[number] for number in numbers},
            {number: places[self.homes[number]] for number in numbers},
        )  # fmt: skip

    def laid(self) -> Laid:
        """The chunks as they are."""
        documents = len(self.firsts) - 1
        return Laid(self.chunks, np.repeat(np.arange(documents), np.diff(self.firsts)), documents)

    def laid_texts(self) -> tuple[list[int], Laid]:
        """The labels in the order of their documents, and their texts."""
        numbers = sorted(self.texts, key=self.homes.__getitem__)
        homes = np.fromiter(map(self.homes.__getitem__, numbers), np.int64, len(numbers))
        return numbers, Laid([self.texts[number] for number in numbers], homes, len(self.firsts) - 1)

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
        return bodies_of(self.chunks[self.firsts[document] : self.firsts[document + 1]])

    @cached_property
    def _joined(self) -> tuple[Joined, list[int], set[int]]:
        bodies = bodies_of(self.chunks)
        found, doubtful, begins = Joined(), set(), [0]
        for document, (first, last) in enumerate(pairwise(self.firsts)):
            if put(found, self.rows[first:last], bodies[first:last], first):
                doubtful.add(document)
            begins[document] += found.text.startswith(SEPARATOR, begins[document])
            begins.append(len(found.text))
        return found.seal(), begins, doubtful
