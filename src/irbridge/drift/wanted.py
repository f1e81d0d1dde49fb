"""What a set of labels asks of a corpus, as tables that one look at each chunk answers.

Memory follows the labels: of the corpus nothing is kept but what some label asks for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from irbridge.drift.spans import span_of
from irbridge.identity import DIGEST_BYTES, is_text_sha, normalize, text_sha
from irbridge.model import ChunkRow, Judgment, Span

# Characters that most texts differ in already.
_HEAD = 24


class Wanted:
    """The labels' questions.

    Attributes:
        labels: as given.
        ids: chunk ids that labels name.
        live: those of them that the corpus has; filled while it is read.
        digests: by label number, of the text of a label that is looked for by it.
        standing: by digest, the chunks with that text by document: the first of all, and of each watched document the first;
            filled while the corpus is read.
        texts: normalised text by label number, where a label with a chunk id or a span keeps one that is not empty.
        spans: by label number.
        watched: the labels by document that must be looked for in all of its chunks; empty for document-level labels.
        present: the watched documents that the corpus has; filled while it is read.
    """

    def __init__(self, labels: Sequence[Judgment]) -> None:
        self.labels = labels
        self.ids: set[str] = set()
        self.live: set[str] = set()
        self.digests: dict[int, str] = {}
        self.standing: dict[str, dict[str, str]] = {}
        self.texts: dict[int, str] = {}
        self.spans: dict[int, Span] = {}
        self.watched: dict[str, list[int]] = {}
        self.present: set[str] = set()
        for number, label in enumerate(labels):
            self._add(number, label)

    def _add(self, number: int, label: Judgment) -> None:
        doc_uri, chunk_id, sha = label.doc_uri, label.chunk_id, label.text_sha
        within = self.watched.get(doc_uri)
        if within is None:
            within = self.watched[doc_uri] = []
        span = span_of(label) if label.extra else None
        if chunk_id is not None:
            self.ids.add(chunk_id)
        elif span is None:
            return
        if span is not None:
            self.spans[number] = span
        text = None if label.chunk_text is None else normalize(label.chunk_text)
        if text:
            self.texts[number] = text
        if text or span is not None:
            within.append(number)
        if sha or text is not None:
            self.digests[number] = sha or text_sha(text or "")

    @cached_property
    def shas(self) -> frozenset[str]:
        """The digests, once each."""
        return frozenset(self.digests.values())

    @cached_property
    def by_text(self) -> dict[str, str]:
        """The digests by normalised text, so that chunks need none; empty where some label has nothing but a digest."""
        found: dict[str, str] = {}
        for number, sha in self.digests.items():
            label = self.labels[number]
            if label.chunk_text is None or (label.text_sha and label.text_sha != text_sha(label.chunk_text)):
                return {}
            found[normalize(label.chunk_text)] = sha
        return found

    def digests_of(self, texts: Iterable[str | None]) -> Iterator[str | None]:
        """For each of some normalised texts the wanted digest that it has, if any."""
        if self.by_text:
            heads, of = self._heads, self.by_text.get
            return (None if text is None or text[:_HEAD] not in heads else of(text) for text in texts)
        known, sha256 = self._known.get, hashlib.sha256
        return (None if text is None else known(sha256(text.encode()).digest()[:DIGEST_BYTES]) for text in texts)

    @cached_property
    def _heads(self) -> frozenset[str]:
        """What the texts that are looked for begin with: it tells most others apart, and costs less than the whole."""
        return frozenset(text[:_HEAD] for text in self.by_text)

    @cached_property
    def _known(self) -> dict[bytes, str]:
        """The digests that a text may have, by their bytes."""
        return {bytes.fromhex(sha[3:]): sha for sha in self.shas if is_text_sha(sha)}

    def digest(self, row: ChunkRow) -> str | None:
        """The wanted digest that this chunk has, if any. One that the chunk names is believed."""
        if row.text_sha:
            return row.text_sha if row.text_sha in self.shas else None
        if row.text is None or not self.shas:
            return None
        if self.by_text:
            return self.by_text.get(normalize(row.text))
        sha = text_sha(row.text)
        return sha if sha in self.shas else None

    def offer(self, sha: str, chunk_id: str, doc_uri: str) -> None:
        """Take note of one more chunk with a wanted digest; they come in the order of the corpus."""
        found = self.standing.get(sha)
        if found is None:
            self.standing[sha] = {doc_uri: chunk_id}
        elif doc_uri not in found and doc_uri in self.watched:
            found[doc_uri] = chunk_id

    def anchor(self, number: int) -> tuple[str, str] | None:
        """(chunk, document) with the label's exact text, as far as the corpus was read: of its own document first."""
        sha = self.digests.get(number)
        found = None if sha is None else self.standing.get(sha)
        if found is None:
            return None
        doc_uri = self.labels[number].doc_uri
        if doc_uri in found:
            return found[doc_uri], doc_uri
        doc_uri, chunk_id = next(iter(found.items()))
        return chunk_id, doc_uri
