"""What the chunks of one document say of the labels that are lost in it."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from irbridge.drift.containment import merged, split
from irbridge.drift.evidence import of_document
from irbridge.drift.spans import Resolved, projected
from irbridge.drift.wanted import Wanted
from irbridge.identity import normalized
from irbridge.model import ChunkRow

# From so many characters of chunks on they are looked at together; before numpy is loaded more, for that takes long.
_FEW, _MUCH = 1 << 14, 1 << 20


def in_order(rows: Iterable[ChunkRow]) -> list[ChunkRow]:
    """A document's chunks by ordinal; one without counts as 0, and equals stay in the order of the corpus."""
    return sorted(rows, key=lambda row: row.ordinal or 0)


class Lost(NamedTuple):
    """Labels that neither an id nor an equal text has settled.

    Attributes:
        numbers: the labels, all of one document.
        rows: all chunks of that document, `in_order`.
    """

    numbers: Sequence[int]
    rows: Sequence[ChunkRow]


class _Texts(NamedTuple):
    """What must be looked for in one document: normalised texts by label number, in its chunks."""

    texts: dict[int, str]
    rows: Sequence[ChunkRow]


def resolve(wanted: Wanted, documents: Iterable[Lost]) -> dict[int, Resolved]:
    """What is known of each label after a look at its own document.

    Args:
        wanted: the labels.
        documents: some of them.
    """
    found: dict[int, Resolved] = {}
    by_place: dict[int, Resolved] = {}
    asked = []
    for numbers, rows in documents:
        texts = _unplaced(wanted, numbers, rows, found, by_place)
        if texts:
            asked.append(_Texts(texts, rows))
    return by_place | found | dict(_looked_for(asked, by_place))


def _unplaced(
    wanted: Wanted,
    numbers: Iterable[int],
    rows: Sequence[ChunkRow],
    found: dict[int, Resolved],
    by_place: dict[int, Resolved],
) -> dict[int, str]:
    """The texts of the labels that no span settles."""
    texts: dict[int, str] = {}
    for number in numbers:
        span = wanted.spans.get(number)
        placed = None if span is None else projected(span, rows, wanted.labels[number].chunk_text)
        if span is not None and wanted.labels[number].chunk_id is None and _same_revision(span.doc_revision, rows):
            found[number] = Resolved(valid=True)
        elif placed is not None and placed.evidence is None:
            found[number] = placed
        else:
            if placed is not None:
                by_place[number] = placed
            if number in wanted.texts:
                texts[number] = wanted.texts[number]
    return texts


def _looked_for(asked: Sequence[_Texts], by_place: Collection[int]) -> Iterator[tuple[int, Resolved]]:
    chunks = [normalized([row.text for row in each.rows]) for each in asked]
    if asked and _is_much(chunks):
        from irbridge.drift.stretches import Crowded  # numpy takes long to load

        try:
            found = list(_together(asked, chunks, by_place))
        except Crowded:
            pass
        else:
            yield from found
            return
    for each, own in zip(asked, chunks, strict=True):
        yield from _alone(each, own, by_place)


def _is_much(chunks: Iterable[Sequence[str | None]]) -> bool:
    """Whether it pays to look up all texts together."""
    left = _FEW if "numpy" in sys.modules else _MUCH
    for own in chunks:
        left -= sum([len(chunk) for chunk in own if chunk])
        if left <= 0:
            return True
    return False


def _together(
    asked: Sequence[_Texts], chunks: Sequence[Sequence[str | None]], by_place: Collection[int]
) -> Iterator[tuple[int, Resolved]]:
    from irbridge.drift.batches import Batch
    from irbridge.drift.together import of_batch

    rows = list(chain.from_iterable(each.rows for each in asked))
    firsts = list(accumulate((len(each.rows) for each in asked), initial=0))
    texts = {number: text for each in asked for number, text in each.texts.items()}
    homes = {number: home for home, each in enumerate(asked) for number in each.texts}
    inside, around, evidence = of_batch(Batch(rows, list(chain.from_iterable(chunks)), firsts, texts, homes), by_place)
    for number, places in inside.items():
        yield number, Resolved(split=tuple(rows[place].chunk_id for place in places))
    for number, place in around.items():
        yield number, Resolved(merged=rows[place].chunk_id)
    for number, each in evidence.items():
        yield number, Resolved(evidence=each)


def _alone(asked: _Texts, chunks: Sequence[str | None], by_place: Collection[int]) -> Iterator[tuple[int, Resolved]]:
    """The same of one document."""
    texts, rows = asked
    inside = split(texts, chunks)
    for number, places in inside.items():
        yield number, Resolved(split=tuple(rows[place].chunk_id for place in places))
    texts = {number: text for number, text in texts.items() if number not in inside}
    around = merged(texts, chunks)
    for number, place in around.items():
        yield number, Resolved(merged=rows[place].chunk_id)
    texts = {number: text for number, text in texts.items() if number not in around and number not in by_place}
    if texts:
        for number, evidence in of_document(texts, rows, chunks).items():
            yield number, Resolved(evidence=evidence)


def _same_revision(revision: str | None, rows: Sequence[ChunkRow]) -> bool:
    """Whether a span of that revision still means something: where no chunk names one, nothing speaks against it."""
    known = {row.doc_revision for row in rows if row.doc_revision is not None}
    return not known or revision in known
