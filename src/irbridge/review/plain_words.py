"""What became of a label, in words for somebody who never read the specification."""

from __future__ import annotations

from irbridge.drift.findings import Evidence, Finding
from irbridge.model import Judgment
from irbridge.wording import counted, percent


def told(label: Judgment, finding: Finding, text: str | None, *, candidates: int, present: bool) -> str:
    """A sentence or two.

    Args:
        label: the label.
        finding: what drift says of it.
        text: what was labelled, or None where nobody knows.
        candidates: how many chunks are offered.
        present: whether the label's document is in the corpus, where drift found no text of it.
    """
    if finding.split_into is not None:
        return (
            f"Its text is cut into {counted(len(finding.split_into), 'chunk')} now. Choose those that answer the query."
        )
    if finding.reanchor_to is not None:
        return "Its text is inside a larger chunk now. It was judged not relevant; the rest of that chunk may be."
    if finding.evidence is not None:
        return _by_evidence(finding.evidence, candidates)
    if not present:
        return "Its document is not in the corpus any more."
    if not text:
        if not candidates:
            return "The label keeps no text, so nothing can be compared; no chunk of its document shares a word with the query."
        return (
            "The label keeps no text, so nothing can be compared. These chunks of its document share words with the query: "
            "a suggestion, not evidence."
        )
    if not candidates:
        return "Its text is gone, and no chunk of its document shares a word with it."
    return "Its text is gone. These chunks of its document share most words with it: a suggestion, not evidence."


def _by_evidence(evidence: Evidence, chunks: int) -> str:
    many = counted(chunks, "chunk")
    if evidence.kind == "shifted":
        across = f"across the borders of {many}" if chunks > 1 else "in one chunk"
        # Only a place is covered in part, and only in its own revision: no word of the document is gone.
        part = (
            ""
            if evidence.covered >= 1
            else f"; {percent(evidence.covered)} of it is in {'them' if chunks > 1 else 'it'}"
        )
        return f"Its text is still in the document, {across}{part}."
    if evidence.kind == "reflowed":
        return f"Its text is still in the document, in {many}; only white space differs."
    if evidence.kind == "edited" and evidence.covered >= 1:
        return f"All of its text is still there, in {many}, with other text put in."
    if evidence.kind == "edited":
        return f"Its text was edited: {percent(evidence.covered)} of it is still there, in {many}."
    if evidence.kind == "moved":
        return f"Its text is in another document now, in {many}."
    return f"Its text is at several places now, in {many}. Choose the place that was meant."
