"""What a set of labels asks of a corpus, as tables that one look at each chunk answers.

Memory follows the labels: of the corpus nothing is kept but what some label asks for.
"""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.drift.spans import span_of
from irbridge.identity import normalize, text_sha
from irbridge.model import ChunkRow, Judgment, Span


class Target:
    """The chunks whose text is that of some labels: of each of the labels' documents the first, and the first of all."""

    __slots__ = ("first", "own")

    def __init__(self) -> None:
        self.first: tuple[str, str] | None = None
        self.own: dict[str, str | None] = {}

    def offer(self, row: ChunkRow) -> None:
        """Take note of one more chunk; they come in the order of the corpus."""
        if self.first is None:
            self.first = row.chunk_id, row.doc_uri
        if row.doc_uri in self.own and self.own[row.doc_uri] is None:
            self.own[row.doc_uri] = row.chunk_id


class Wanted:
    """The labels' questions.

    Attributes:
        labels: as given.
        ids: chunk ids that labels name.
        live: those of them that the corpus has; filled while it is read.
        by_sha: what labels' texts are looked for by, where a chunk names the digest of its text.
        texts: normalised text by label number, where a label with a chunk id or a span keeps one that is not empty.
        spans: by label number.
        watched: the labels by document that must be looked for in all of its chunks; empty for document-level labels.
        present: the watched documents that the corpus has; filled while it is read.
    """

    def __init__(self, labels: Sequence[Judgment]) -> None:
        self.labels = labels
        self.ids: set[str] = set()
        self.live: set[str] = set()
        self.by_sha: dict[str, Target] = {}
        self.texts: dict[int, str] = {}
        self.spans: dict[int, Span] = {}
        self.watched: dict[str, list[int]] = {}
        self.present: set[str] = set()
        self._targets: dict[int, Target] = {}
        self._by_text: dict[str, Target] | None = None
        for number, label in enumerate(labels):
            self._add(number, label)

    def _add(self, number: int, label: Judgment) -> None:
        within = self.watched.setdefault(label.doc_uri, [])
        span = span_of(label)
        if label.chunk_id is None and span is None:
            return
        if label.chunk_id is not None:
            self.ids.add(label.chunk_id)
        text = None if label.chunk_text is None else normalize(label.chunk_text)
        if text:
            self.texts[number] = text
        if span is not None:
            self.spans[number] = span
        if text or span is not None:
            within.append(number)
        self._digest(number, label, text)

    def _digest(self, number: int, label: Judgment, text: str | None) -> None:
        sha = label.text_sha or (None if text is None else text_sha(text))
        if not sha:
            return
        target = self.by_sha.get(sha)
        if target is None:
            target = self.by_sha[sha] = Target()
        target.own.setdefault(label.doc_uri, None)
        self._targets[number] = target

    def equal(self, row: ChunkRow) -> Target | None:
        """What wants exactly the text of this chunk. A digest that the chunk names is believed."""
        if row.text_sha:
            return self.by_sha.get(row.text_sha)
        if row.text is None or not self.by_sha:
            return None
        if self._by_text is None:
            self._by_text = self._texts_of_digests()
        return self._by_text.get(normalize(row.text)) if self._by_text else self.by_sha.get(text_sha(row.text))

    def _texts_of_digests(self) -> dict[str, Target]:
        """What is wanted by normalised text, so that chunks need no digest; empty where some label has nothing but one."""
        found: dict[str, Target] = {}
        for number, target in self._targets.items():
            label = self.labels[number]
            if label.chunk_text is None or (label.text_sha and label.text_sha != text_sha(label.chunk_text)):
                return {}
            found[normalize(label.chunk_text)] = target
        return found

    def is_live(self, number: int) -> bool:
        """Whether the label's chunk is in the corpus, as far as it was read."""
        return self.labels[number].chunk_id in self.live

    def anchor(self, number: int) -> tuple[str, str] | None:
        """(chunk, document) with the label's exact text, as far as the corpus was read: of its own document first."""
        target = self._targets.get(number)
        if target is None:
            return None
        doc_uri = self.labels[number].doc_uri
        own = target.own.get(doc_uri)
        return target.first if own is None else (own, doc_uri)
