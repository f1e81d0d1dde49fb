"""The labels that wait for a person: which they are, and in a few words where the text of each stands now."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Literal

from irbridge.drift.findings import Evidence, Finding, Kind
from irbridge.errors import shown
from irbridge.model import Judgment
from irbridge.renderers.base import Column, Table
from irbridge.wording import percent

if TYPE_CHECKING:
    from irbridge.drift.workflow import Inspected

#: So many of them stand on a screen; JSON and review have all.
LISTED = 10
_WIDEST = 60

Why = Literal["split", "merged", Kind, "refused", "untold", "gone"]
# Of those that are not told by a finding's chunks.
_PLACES: dict[Why, str] = {
    "merged": "in a larger chunk",
    "refused": "the chunk's text_sha is not that of its text",
    "untold": "not found; the label keeps none",
    "gone": "not found",
}


def why_of(label: Judgment, finding: Finding, text: str | None) -> Why:
    """Why a label that needs a person does, in one word: for every screen that names it.

    Args:
        label: the label.
        finding: what drift says of it; it is not VALID.
        text: what was labelled, from the label or from what it was made on; one that is empty tells as little as None.
    """
    if finding.split_into is not None:
        return "split"
    if finding.reanchor_to is not None:
        # What was judged not relevant waits whatever its chunk says. All else would have moved, had the chunk been what it says.
        return "merged" if finding.status == "MERGED" and label.relevance <= 0 else "refused"
    if finding.evidence is not None:
        return finding.evidence.kind
    # A label of a document is gone with it. So is a text that nobody knows, but nobody can know that.
    return "gone" if text or finding.chunk_id is None else "untold"


def waiting_table(found: Inspected) -> Table:
    """The first few labels that repair leaves to a person, in the order of the labels."""
    columns = (
        Column("query_id", "query", flexible=True),
        Column("doc_uri", "document", flexible=True),
        Column("kind", "for a person"),
        Column("text", "its text now", flexible=True),
        Column("chunk_id", "chunk", flexible=True, optional=True),
    )
    return Table(columns, islice(_rows(found), LISTED))


def _rows(found: Inspected) -> Iterator[tuple[str, ...]]:
    moved = frozenset(found.repair.moved)
    known = found.known or found.labels
    for number, (label, finding) in enumerate(zip(known, found.drift.findings, strict=True)):
        if finding.status == "VALID" or number in moved:
            continue
        why = why_of(label, finding, label.chunk_text)
        ids = (finding.query_id, finding.doc_uri)
        yield (*(shown(each, _WIDEST) for each in ids), why, _where(finding, why), shown(_chunk(finding), _WIDEST))


def _where(finding: Finding, why: Why) -> str:
    """Where the text of a label is now."""
    if finding.split_into is not None:
        return f"in {len(finding.split_into):,} chunks"
    if finding.evidence is not None:
        return _place(finding.evidence)
    return _PLACES[why]


def _place(evidence: Evidence) -> str:
    across = f"in {len(evidence.chunks):,} chunks" if len(evidence.chunks) > 1 else "in one chunk"
    if evidence.kind == "moved":
        return f"{across} of {shown(evidence.doc_uri, _WIDEST)}"
    return across if evidence.covered == 1 else f"{percent(evidence.covered)} {across}"


def _chunk(finding: Finding) -> str:
    """The first of the chunks that a finding names; of evidence the one that holds most of the text."""
    if finding.split_into:
        return finding.split_into[0]
    if finding.evidence is not None and finding.evidence.chunks:
        return finding.evidence.by_overlap[0].chunk_id
    return finding.reanchor_to or ""
