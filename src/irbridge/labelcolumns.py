"""Labels as columns that look like a dict for each query: of a million labels few are ever asked for by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import numpy as np

from irbridge.arrays import Ints
from irbridge.bytecolumns import PAD, Columns, repeated, salt
from irbridge.rows import Irregular, LabelRows


class LabelColumns(Sequence[dict[str, int]]):
    """Per query, document id -> number of the label.

    Attributes:
        documents: one column, the document of each label.
        offsets: int64, one more than queries: labels of query i are offsets[i]:offsets[i+1].
    """

    def __init__(self, documents: Columns, offsets: Ints) -> None:
        self.documents = documents
        self.offsets = offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, query: int) -> dict[str, int]: ...
    @overload
    def __getitem__(self, query: slice) -> list[dict[str, int]]: ...
    def __getitem__(self, query: int | slice) -> dict[str, int] | list[dict[str, int]]:
        if isinstance(query, slice):
            return [self[number] for number in range(*query.indices(len(self)))]
        number = range(len(self))[query]
        first, last = self.offsets[number : number + 2].tolist()
        return dict(zip(self.documents.texts(0, first, last), range(first, last), strict=True))

    def __iter__(self) -> Iterator[dict[str, int]]:
        return (self[number] for number in range(len(self)))


def gathered(pieces: Iterable[LabelRows]) -> tuple[list[str], LabelColumns, Ints]:
    """(query ids, labels, grades) of labels that come in pieces.

    Raises:
        Irregular: there is none, a label comes twice, or a query's rows are apart.
    """
    query_ids: list[str] = []
    sizes: list[int] = []
    parts = list(pieces)
    for piece in parts:
        own, counts = piece.query_ids, piece.sizes
        if query_ids and own and own[0] == query_ids[-1]:  # cut in two by the end of a piece
            sizes[-1] += counts[0]
            own, counts = own[1:], counts[1:]
        query_ids += own
        sizes += counts
    if not query_ids or len(set(query_ids)) < len(query_ids):
        raise Irregular
    documents = _one_column(parts)
    # Two labels of one hash are most likely the same; whether they are is for the careful reader to say.
    if len(repeated(documents.hashes(0) ^ np.repeat(salt(np.arange(len(sizes))), sizes))):
        raise Irregular
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    return query_ids, LabelColumns(documents, offsets), np.concatenate([piece.grades for piece in parts])


def _one_column(parts: Sequence[LabelRows]) -> Columns:
    before = np.cumsum([PAD, *(len(piece.text) for piece in parts)]).tolist()
    padding = np.full(PAD, 255, np.uint8)
    data = np.concatenate([padding, *(piece.text for piece in parts), padding])
    ends = np.concatenate([piece.ends + start for piece, start in zip(parts, before, strict=False)])
    starts = np.concatenate([np.full(1, PAD), ends[:-1]])
    return Columns(data, starts[None, :], ends[None, :])
