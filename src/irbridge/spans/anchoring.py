"""Document labels become span labels where that is sound: a span that the text bears out, or quotes that stand there once.

Nothing is guessed. A label whose place is not certain stays as it is, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from irbridge.errors import InputError
from irbridge.identity import text_sha
from irbridge.inputs import opened
from irbridge.model import Judgment, Span
from irbridge.spans.claims import REVISION, SPAN, Fault, Left, claim_of, left
from irbridge.spans.documents import texts_of
from irbridge.spans.finding import Extent, Searched, distinct, folded
from irbridge.spans.quotes import DEFAULT, check_fields, quotes_of

_FEW = 16


class Anchored(NamedTuple):
    """Labels, those that could be anchored as span labels.

    Attributes:
        rows: (number of the label that it was, label), numbers rising: a label with several quotes became several.
        left: the labels that stayed as they were.
        anchored: how many labels became span labels.
        spans: how many span labels they became.
    """

    rows: list[tuple[int, Judgment]]
    left: list[Left]
    anchored: int
    spans: int

    @property
    def labels(self) -> list[Judgment]:
        """The labels as they are now."""
        return [label for _, label in self.rows]


def anchored(labels: Any, documents: Any, *, quote_fields: Sequence[str] = ()) -> Anchored:
    """Anchor labels in their documents.

    Args:
        labels: judgments, in anything that `irbridge.load` takes.
        documents: the documents that they are about, likewise; or a list of `Document`.
        quote_fields: the fields that hold quotes, each a text or a list of texts; none for `chunk_text`.

    Raises:
        UsageError: no label has a field that is named.
        InputError: an input cannot be read.
    """
    given: list[Judgment] = list(labels if isinstance(labels, list | tuple) else opened(labels, "judgments"))
    check_fields(given, quote_fields)
    fields = tuple(quote_fields) or DEFAULT
    by_document: dict[str, list[int]] = {}
    for number, label in enumerate(given):
        by_document.setdefault(label.doc_uri, []).append(number)
    made: dict[int, list[Judgment]] = {}
    faults: dict[int, Fault] = dict.fromkeys(range(len(given)), Fault("no-document"))
    for document, text, revision in texts_of(documents, by_document):
        numbers = by_document[document.doc_id]
        place = _Placing(text, revision, fields, many=len(numbers) > _FEW)
        for number in numbers:
            found = place(given[number])
            if isinstance(found, Fault):
                faults[number] = found
            else:
                del faults[number]
                made[number] = [_spanned(given[number], extent, text, revision) for extent in found]
    rows = [(number, each) for number, label in enumerate(given) for each in made.get(number, [label])]
    stayed = [left(number, given[number], faults[number]) for number in sorted(faults)]
    return Anchored(rows, stayed, len(made), sum(map(len, made.values())))


class _Placing:
    """One document, and where labels of it belong."""

    def __init__(self, text: str, revision: str, fields: Sequence[str], *, many: bool) -> None:
        self.text = text
        self.revision = revision
        self.fields = fields
        self._many = many
        self._searched: Searched | None = None

    def __call__(self, label: Judgment) -> list[Extent] | Fault:
        claim = claim_of(label)
        if isinstance(claim, Span) and claim.doc_revision == self.revision:
            return self._held(label, claim)
        quotes = quotes_of(label, self.fields)
        if isinstance(quotes, Fault):
            return quotes
        if not quotes:
            return self._unquoted(claim)
        if isinstance(claim, Span) and claim.doc_revision is None and len(quotes) == 1 and self._has(claim, quotes[0]):
            # The label says the place as well as the text, and they agree.
            return [(claim.start, claim.end)]
        found: list[Extent] = []
        for order, quote in enumerate(quotes, 1):
            which = f"quote {order} of {len(quotes)}" if len(quotes) > 1 else ""
            place = self._once(quote, which)
            if isinstance(place, Fault):
                return place
            found.append(place)
        return distinct(found)

    def _held(self, label: Judgment, claim: Span) -> list[Extent] | Fault:
        """The label's own span, of this very text, unless the label contradicts itself."""
        if claim.end > len(self.text):
            return Fault("beyond", f"{claim.end:,} of {len(self.text):,} characters")
        part = self.text[claim.start : claim.end]
        if label.chunk_text is not None:
            same = folded(label.chunk_text) == folded(part)
        else:
            same = label.text_sha is None or label.text_sha == text_sha(part)
        return [(claim.start, claim.end)] if same else Fault("other-text")

    def _unquoted(self, claim: Span | Fault | None) -> Fault:
        if isinstance(claim, Span):
            return Fault("no-revision" if claim.doc_revision is None else "other-revision")
        return Fault("no-quote") if claim is None else claim

    def _has(self, claim: Span, quote: str) -> bool:
        return claim.end <= len(self.text) and folded(self.text[claim.start : claim.end]) == folded(quote)

    def _once(self, quote: str, which: str) -> Extent | Fault:
        if self._searched is None:
            self._searched = Searched(self.text, many=self._many)
        found = self._searched.find(quote)
        if not found.places:
            return Fault("not-found", which)
        if len(found.places) > 1:
            where = " and ".join(f"{start:,}" for start, _ in found.places)
            return Fault("several", f"{which}{': ' if which else ''}at characters {where}")
        return Fault("inside-word", which) if found.inside_word else found.places[0]


def _spanned(label: Judgment, extent: Extent, text: str, revision: str) -> Judgment:
    """The label with its span, and with the text that the document has there."""
    start, end = extent
    part = text[start:end]
    sha = text_sha(part)
    extra = label.extra
    if claim_of(label) != Span(label.doc_uri, start, end, revision):
        extra = {**extra, SPAN: {"start": start, "end": end}, REVISION: revision}
    kept = label.chunk_text if _is(label.chunk_text, sha) else part
    return label._replace(chunk_text=kept, text_sha=sha, extra=extra)


def _is(text: str | None, sha: str) -> bool:
    """Whether it is the text of that identity; half of a character has none."""
    try:
        return text is not None and text_sha(text) == sha
    except InputError:
        return False


def spans_in(rows: Iterable[tuple[int, Judgment]], stayed: Iterable[Left]) -> list[int]:
    """The positions among `rows` of labels that were anchored."""
    without = {each.number for each in stayed}
    return [position for position, (number, _) in enumerate(rows) if number not in without]
