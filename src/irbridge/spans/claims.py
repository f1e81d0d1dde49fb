"""What a label says of its place: the fields `span` and `doc_revision`, taken for exactly what they are or not at all."""

from __future__ import annotations

from typing import Any, NamedTuple

from irbridge.errors import quoted
from irbridge.model import Judgment, Span, place_in

SPAN, REVISION, PROJECTED = "span", "doc_revision", "projected"


class Fault(NamedTuple):
    """Why a label cannot be anchored or projected.

    Attributes:
        code: one of `REASONS`.
        detail: more about this one label, or "".
    """

    code: str
    detail: str = ""


#: Code -> what it says of a label.
REASONS = {
    "no-document": "its document is not there",
    "no-quote": "it has neither a span nor a quote",
    "unusable-quote": "what should be a quote is neither a text nor a list of texts",
    "empty-quote": "its quote is empty",
    "not-found": "its quote is not in the document",
    "several": "its quote stands in the document several times",
    "inside-word": "its quote is one word, and stands in the document only as a part of a longer one",
    "unusable-span": "its span is no pair of whole numbers with 0 <= start < end",
    "beyond": "its span ends beyond the document",
    "other-text": "its span holds another text than the label",
    "other-revision": "its span is of another revision of the document, and it has no quote",
    "no-revision": "its span names no revision of the document, and it has no quote",
    "no-span": "it has no span",
    "no-chunk": "no chunk takes its span",
}


class Left(NamedTuple):
    """A label that stayed as it was.

    Attributes:
        number: which of the labels, from 0.
        why: the reason.
        line: where it stands in its file, or None.
    """

    number: int
    query_id: str
    doc_uri: str
    why: Fault
    line: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
        found: dict[str, Any] = {"query_id": self.query_id, "doc_uri": self.doc_uri, "reason": self.why.code}
        if self.why.detail:
            found["detail"] = self.why.detail
        if self.line:
            found["line"] = self.line
        return found


def claim_of(label: Judgment) -> Span | Fault | None:
    """The span that a label carries, a `Fault` where it cannot be used, None where there is none.

    A span is `{"start": int, "end": int}`, in code points of the revision that `doc_revision` names, half open.
    """
    found, revision = label.extra.get(SPAN), label.extra.get(REVISION)
    if found is None:
        return None
    place = place_in(found)
    if place is None:
        return Fault("unusable-span", quoted(found, 60))
    return Span(label.doc_uri, *place, revision if isinstance(revision, str) and revision else None)


def left(number: int, label: Judgment, why: Fault) -> Left:
    """The record of a label that stays as it is."""
    return Left(number, label.query_id, label.doc_uri, why)
