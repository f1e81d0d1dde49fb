"""Texts that left their document, looked for in all others (spec/drift.md, "Evidence").

The corpus is read again, and pieces of the lost texts are looked for in it; where a third of a text's pieces stand in one
document, that document is put together and the whole text looked for. Short texts are not looked for: what stands
somewhere else may be something else.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from irbridge.corpora import Corpus
from irbridge.drift.anchors import Anchors
from irbridge.drift.evidence import MAX_PLACES, Needle, held, merged_overlaps, whole
from irbridge.drift.findings import Evidence, Overlap
from irbridge.drift.glances import runs
from irbridge.drift.joining import joined, squeezed
from irbridge.drift.needles import SEPARATOR
from irbridge.drift.resolving import in_order
from irbridge.identity import normalize
from irbridge.model import ChunkRow, Judgment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Shorter texts, in bytes without white space, are not looked for.
SHORTEST = 32
#: A piece that stands at more places than this tells nothing.
_COMMON = 1000

#: By label number the documents that may hold its text, the likeliest first.
Candidates = dict[int, list[str]]


def moved(texts: Mapping[int, str], labels: Sequence[Judgment], corpus: Corpus) -> dict[int, Evidence]:
    """Evidence for texts that stand whole in other documents than their own.

    Args:
        texts: normalised texts by label number.
        labels: all labels.
        corpus: is read again, and once more if anything seems to be there.
    """
    wanted = looked_for(texts)
    if not wanted:
        return {}
    anchors = pieces_of(wanted)
    sightings = Sightings(anchors)
    for rows in corpus.pieces(anchors if anchors.plain else None):
        sightings.look([row.doc_uri for row in rows], [row.text for row in rows])
    candidates = sightings.candidates(labels)
    return standing_in(candidates, wanted, corpus) if candidates else {}


def looked_for(texts: Mapping[int, str]) -> dict[int, str]:
    """The normalised texts, by label number, that are long enough to be looked for."""
    return {number: text for number, text in texts.items() if _is_long(text[: 2 * SHORTEST]) or _is_long(text)}


def _is_long(text: str) -> bool:
    return len(squeezed(text).encode()) >= SHORTEST


def pieces_of(texts: Mapping[int, str]) -> Anchors:
    """The pieces of texts that are looked for."""
    return Anchors({number: text.encode() for number, text in texts.items()})


class Sightings:
    """The documents in which pieces of lost texts stand, gathered while chunks pass by, in whatever order.

    Args:
        anchors: the pieces.

    Attributes:
        stood: by piece, at how many places it stands.
        seen: by piece, the documents where; none of a piece that stands at too many places to tell anything.
    """

    def __init__(self, anchors: Anchors) -> None:
        self.anchors = anchors
        self.stood: Counter[int] = Counter()
        self.seen: dict[int, set[str]] = {}
        self._common: set[int] = set()

    def look(self, doc_uris: Sequence[str], texts: Sequence[str | None]) -> None:
        """Chunks pass by: the document and the text of each."""
        bodies = [normalize(text or "").encode() for text in texts]
        ends = list(accumulate(len(body) + 1 for body in bodies))
        for position, piece in self.anchors.standing(SEPARATOR.join(bodies), self._ignored()):
            self.add(piece, 1, (doc_uris[bisect_right(ends, position)],))

    def add(self, piece: int, times: int, doc_uris: Iterable[str]) -> None:
        """A piece stands so many times more, in these documents."""
        self.stood[piece] += times
        if self.stood[piece] <= _COMMON:
            self.seen.setdefault(piece, set()).update(doc_uris)
        elif piece not in self._common:
            self._common.add(piece)
            self.seen.pop(piece, None)

    def _ignored(self) -> NDArray[np.bool_] | None:
        """The pieces that stood at too many places already, so that no more of them are counted."""
        import numpy as np

        if not self._common:
            return None
        found = np.zeros(len(self.anchors.owners), bool)
        found[list(self._common)] = True
        return found

    def candidates(self, labels: Sequence[Judgment]) -> Candidates:
        """The documents that may hold a label's text, other than its own."""
        owners = self.anchors.owners
        documents: dict[int, Counter[str]] = {}
        for piece, doc_uris in self.seen.items():
            for number in owners[piece]:
                documents.setdefault(number, Counter()).update(doc_uris)
        common = Counter(number for piece in self._common for number in owners[piece])
        found: Candidates = {}
        for number in sorted(documents):
            told = self.anchors.count[number] - common[number]
            least = max(min(2, told), -(-told // 3))
            likely = [
                (-pieces, doc_uri) for doc_uri, pieces in documents[number].items()
                if pieces >= least and doc_uri != labels[number].doc_uri
            ]  # fmt: skip
            if likely:
                found[number] = [doc_uri for _, doc_uri in sorted(likely)[:MAX_PLACES]]
        return found


def standing_in(candidates: Candidates, texts: Mapping[int, str], corpus: Corpus) -> dict[int, Evidence]:
    """Evidence for those of the texts that do stand in their candidates.

    Args:
        candidates: by label number the documents to look at.
        texts: the texts.
        corpus: chunks, with all of these documents.
    """
    wanted: dict[str, list[int]] = {}
    for number, documents in candidates.items():
        for doc_uri in documents:
            wanted.setdefault(doc_uri, []).append(number)
    needles = {number: Needle(texts[number]) for number in candidates}
    standing: dict[int, dict[str, list[tuple[Overlap, ...]]]] = {}
    for doc_uri, rows in _documents(wanted, corpus):
        for number, places in _within({number: needles[number] for number in wanted[doc_uri]}, rows).items():
            standing.setdefault(number, {})[doc_uri] = places
    return {number: _evidence(documents) for number, documents in standing.items()}


def _documents(wanted: Iterable[str], corpus: Corpus) -> Iterable[tuple[str, list[ChunkRow]]]:
    rows: dict[str, list[ChunkRow]] = {doc_uri: [] for doc_uri in wanted}
    for piece in corpus.pieces():
        for doc_uri, start, stop in runs(piece):
            if doc_uri in rows:
                rows[doc_uri] += piece[start:stop]
    return ((doc_uri, in_order(found)) for doc_uri, found in rows.items())


def _within(needles: Mapping[int, Needle], rows: Sequence[ChunkRow]) -> dict[int, list[tuple[Overlap, ...]]]:
    found: dict[int, list[tuple[Overlap, ...]]] = {}
    chunks = [None if row.text is None else normalize(row.text) for row in rows]
    for reading in joined(rows, chunks):
        missing = {number: needle for number, needle in needles.items() if number not in found}
        for number, starts in whole(missing, reading).items():
            places = [held(needles[number], start, reading, rows)[1] for start in starts]
            found[number] = list(dict.fromkeys(places))
    return found


def _evidence(documents: Mapping[str, list[tuple[Overlap, ...]]]) -> Evidence:
    if len(documents) == 1:
        ((doc_uri, places),) = documents.items()
        if len(places) == 1:
            return Evidence("moved", 1.0, places[0], doc_uri=doc_uri)
    named = [
        tuple(each._replace(doc_uri=doc_uri) for each in chunks)
        for doc_uri, places in sorted(documents.items())
        for chunks in places
    ]
    return Evidence("ambiguous", 1.0, merged_overlaps(named))
