"""Ids that look alike and are not."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cached_property

from irbridge.judgments.base import Check, Issue, Tally, Watcher
from irbridge.model import Chunk, Judgment, Query


class _Forms:
    """Ids by their NFC; those that are in it and stand alone cost one entry of a set."""

    def __init__(self) -> None:
        self._plain: set[str] = set()
        self._others: dict[str, dict[str, None]] = {}

    def add(self, name: str) -> None:
        """An id of a label."""
        if name.isascii() or unicodedata.is_normalized("NFC", name):
            self._plain.add(name)
        else:
            self._others.setdefault(unicodedata.normalize("NFC", name), {})[name] = None

    def beside(self, name: str) -> None:
        """An id of the corpus or the queries; it matters only where a label has its like."""
        if name.isascii() or unicodedata.is_normalized("NFC", name):
            if name in self._others:
                self._plain.add(name)
        else:
            form = unicodedata.normalize("NFC", name)
            if form in self._plain or form in self._others:
                self._others.setdefault(form, {})[name] = None

    def groups(self) -> Iterator[list[str]]:
        """Ids that are one after NFC."""
        for form, names in sorted(self._others.items()):
            found = [*([form] if form in self._plain else []), *names]
            if len(found) > 1:
                yield sorted(found)


class _Ids(Watcher):
    field = "chunk_id"

    def __init__(self, check: Check, tally: Tally) -> None:
        super().__init__(check, tally)
        self._documents: set[str] = set()

    def row(self, label: Judgment, line: int) -> Issue | None:
        # Of labels without a chunk_id the document is the key, which the tally has.
        self._documents.add(label.doc_uri)
        return None

    @cached_property
    def _forms(self) -> dict[str, _Forms]:
        """The ids of all labels; asked for when the last one was seen."""
        made = {"query": _Forms(), "document": _Forms()}
        for query_id, own in self.tally.keys.items():
            made["query"].add(query_id)
            for key in own:
                made["document"].add(key)
        for doc_uri in self._documents:
            made["document"].add(doc_uri)
        return made

    def query(self, query: Query) -> None:
        self._forms["query"].beside(query.query_id)

    def chunk(self, chunk: Chunk) -> None:
        self._forms["document"].beside(chunk.doc_uri)

    def end(self) -> Iterator[Issue]:
        for kind, forms in self._forms.items():
            for ids in forms.groups():
                points = ", ".join(
                    " ".join(f"U+{ord(char):04X}" for char in name if not char.isascii()) or "ASCII" for name in ids
                )
                yield self.issue(
                    f"{kind} ids that are equal only after NFC: {', '.join(ids)} ({points})", kind=kind, ids=ids
                )


CHECK = Check(
    name="nfc-equal-ids",
    severity="warning",
    order=125,
    summary="query or document ids, of labels or of corpus and queries beside them, that are equal only after NFC",
    why="a person sees one id, every tool sees two: half of the labels find nothing",
    certainty="certain that they are equal after NFC; that one thing is meant is likely",
    watch=_Ids,
)
