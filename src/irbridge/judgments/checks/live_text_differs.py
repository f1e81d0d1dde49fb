"""A chunk that is there, with another text than the one that was judged."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.errors import InputError
from irbridge.identity import normalize, text_sha
from irbridge.judgments.base import Check, Issue, Tally, Watcher
from irbridge.model import Chunk, Judgment, place_in


class _LiveTexts(Watcher):
    field = "chunk_id"

    def __init__(self, check: Check, tally: Tally) -> None:
        super().__init__(check, tally)
        self._labels: dict[str, list[tuple[int, Judgment]]] = {}
        self._found: list[Issue] = []

    def row(self, label: Judgment, line: int) -> Issue | None:
        if label.chunk_id is not None and (label.text_sha is not None or label.chunk_text is not None):
            self._labels.setdefault(label.chunk_id, []).append((line, label))
        return None

    def chunk(self, chunk: Chunk) -> None:
        for line, label in self._labels.pop(chunk.chunk_id, ()):
            try:
                if _same(label, chunk):
                    continue
            except InputError:  # half a character has no digest
                continue
            self._found.append(
                self.issue(
                    f"chunk {label.chunk_id} of query {label.query_id} is in the corpus with another text than the one judged",
                    line,
                    query_id=label.query_id,
                    chunk_id=label.chunk_id,
                )
            )

    def end(self) -> Iterator[Issue]:
        return iter(sorted(self._found, key=lambda issue: issue.line or 0))


def _same(label: Judgment, chunk: Chunk) -> bool:
    """Whether the chunk's text is the label's, or holds it: a label that was merged into a larger chunk keeps its text.

    A label that says which place of the document was judged keeps the text of all of that place, of which the chunk may
    hold a part only (`projected`): that part is held against the chunk.
    """
    place = place_in(label.extra.get("span")) if label.extra else None
    if place is not None:
        revision = label.extra.get("doc_revision")
        if revision and revision == chunk.doc_revision and chunk.start is not None and chunk.end is not None:
            return _same_part(label.chunk_text, place, chunk, chunk.start, chunk.end)
        if "projected" in label.extra:  # which part of the text should be there nobody can tell
            return True
    # A digest that was written down may be wrong; where the text is there, it decides.
    judged = label.text_sha if label.chunk_text is None else text_sha(label.chunk_text)
    live = chunk.text_sha if chunk.text is None else text_sha(chunk.text)
    if live is None or judged == live:
        return True
    if label.chunk_text is None or chunk.text is None:
        return False
    return normalize(label.chunk_text) in normalize(chunk.text)


def _same_part(judged: str | None, place: tuple[int, int], chunk: Chunk, start: int, end: int) -> bool:
    """Whether what the chunk, from `start` to `end` of its document, holds of the judged place is the text that was judged."""
    low, high = max(place[0], start), min(place[1], end)
    if low >= high:  # not a character of the place lies in the chunk
        return False
    if judged is None or chunk.text is None:
        return True
    live = chunk.text[low - start : high - start]
    # A quote may be written otherwise than the document has it (spec/spans.md, 2.1): then its characters cannot be counted.
    return judged[low - place[0] : high - place[0]] == live or normalize(live) in normalize(judged)


CHECK = Check(
    name="live-text-differs",
    severity="warning",
    order=113,
    summary="a judged chunk whose live text is neither the judged one nor holds it, nor the part of it that belongs there",
    why="the id is not made of the text, so the label silently passed on to something that nobody judged",
    certainty="certain that the texts differ",
    watch=_LiveTexts,
    needs="corpus",
)
