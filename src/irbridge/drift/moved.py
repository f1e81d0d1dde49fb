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

from irbridge.corpora import Corpus
from irbridge.drift.anchors import Anchors
from irbridge.drift.evidence import MAX_PLACES, Needle, held, merged_overlaps, whole
from irbridge.drift.findings import Evidence, Overlap
from irbridge.drift.joining import joined
from irbridge.drift.needles import SEPARATOR
from irbridge.drift.resolving import in_order
from irbridge.identity import normalize
from irbridge.model import ChunkRow, Judgment

#: Shorter texts, in bytes without white space, are not looked for.
SHORTEST = 32
#: A piece that stands at more places than this tells nothing.
_COMMON = 1000

#: By label number the documents that may hold its text, the likeliest first.
_Candidates = dict[int, list[str]]


def moved(texts: Mapping[int, str], labels: Sequence[Judgment], corpus: Corpus) -> dict[int, Evidence]:
    """Evidence for texts that stand whole in other documents than their own.

    Args:
        texts: normalised texts by label number.
        labels: all labels.
        corpus: is read again, and once more if anything seems to be there.
    """
    needles = {number: Needle(text) for number, text in texts.items()}
    needles = {number: needle for number, needle in needles.items() if len(needle.body) >= SHORTEST}
    if not needles:
        return {}
    candidates = _candidates({number: needle.text.encode() for number, needle in needles.items()}, labels, corpus)
    return _found(needles, candidates, corpus) if candidates else {}


def _candidates(texts: Mapping[int, bytes], labels: Sequence[Judgment], corpus: Corpus) -> _Candidates:
    anchors = Anchors(texts)
    seen: dict[int, dict[str, set[int]]] = {}
    stood: Counter[int] = Counter()
    for rows in corpus.pieces(anchors if anchors.plain else None):
        bodies = [normalize(row.text or "").encode() for row in rows]
        text = SEPARATOR.join(bodies)
        ends = list(accumulate(len(body) + 1 for body in bodies))
        for position, piece in anchors.standing(text):
            stood[piece] += 1
            number = anchors.owners[piece]
            if stood[piece] <= _COMMON:
                doc_uri = rows[bisect_right(ends, position)].doc_uri
                if labels[number].doc_uri != doc_uri:
                    seen.setdefault(number, {}).setdefault(doc_uri, set()).add(piece)
    common = Counter(anchors.owners[piece] for piece, times in stood.items() if times > _COMMON)
    found: _Candidates = {}
    for number, documents in seen.items():
        told = anchors.count[number] - common[number]
        least = max(min(2, told), -(-told // 3))
        likely = [doc_uri for doc_uri, pieces in documents.items() if len(pieces) >= least]
        if likely:
            found[number] = sorted(likely, key=lambda doc_uri: -len(documents[doc_uri]))[:MAX_PLACES]
    return found


def _found(needles: Mapping[int, Needle], candidates: _Candidates, corpus: Corpus) -> dict[int, Evidence]:
    wanted: dict[str, list[int]] = {}
    for number, documents in candidates.items():
        for doc_uri in documents:
            wanted.setdefault(doc_uri, []).append(number)
    standing: dict[int, dict[str, list[tuple[Overlap, ...]]]] = {}
    for doc_uri, rows in _documents(wanted, corpus):
        for number, places in _within({number: needles[number] for number in wanted[doc_uri]}, rows).items():
            standing.setdefault(number, {})[doc_uri] = places
    return {number: _evidence(documents) for number, documents in standing.items()}


def _documents(wanted: Iterable[str], corpus: Corpus) -> Iterable[tuple[str, list[ChunkRow]]]:
    rows: dict[str, list[ChunkRow]] = {doc_uri: [] for doc_uri in wanted}
    for piece in corpus.pieces():
        for row in piece:
            if row.doc_uri in rows:
                rows[row.doc_uri].append(row)
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
