"""The labels that wait for a person: which they are, and in a few words where the text of each stands now."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from irbridge.drift.findings import Evidence, Finding
from irbridge.errors import shown
from irbridge.renderers.base import Column, Table
from irbridge.wording import percent

if TYPE_CHECKING:
    from irbridge.drift.workflow import Inspected

#: So many of them stand on a screen; JSON and review have all.
LISTED = 10
_WIDEST = 60


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
    moved, refused = frozenset(found.repair.moved), found.repair.refused
    for number, finding in enumerate(found.drift.findings):
        if finding.status == "VALID" or number in moved:
            continue
        if number in refused:
            kind, text = "refused", "the chunk's text_sha is not that of its text"
        else:
            kind, text = _told(finding, keeps_text=bool(found.labels[number].chunk_text))
        ids = (finding.query_id, finding.doc_uri)
        yield (*(shown(each, _WIDEST) for each in ids), kind, text, shown(_chunk(finding), _WIDEST))


def _told(finding: Finding, *, keeps_text: bool) -> tuple[str, str]:
    """Why a label waits, in the word that review has for it, and where its text is."""
    if finding.split_into is not None:
        return "split", f"in {len(finding.split_into):,} chunks"
    if finding.reanchor_to is not None:
        return "merged", "in a larger chunk"
    if finding.evidence is not None:
        return finding.evidence.kind, _place(finding.evidence)
    if finding.chunk_id is None:
        return "gone", "not found"
    return ("gone", "not found") if keeps_text else ("untold", "not found; the label keeps none")


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
