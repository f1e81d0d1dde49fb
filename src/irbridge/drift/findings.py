"""What drift finds out: a finding for each label, in the labels' order, and their counts (spec/drift.md).

A status is the spec's and never more than that: only RE_ANCHORABLE and MERGED name a chunk to move to. Evidence says
where the text of an ORPHANED label still stands; it helps a person and never changes a label by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Status = Literal["VALID", "RE_ANCHORABLE", "MERGED", "SPLIT", "ORPHANED"]
#: In the order in which they are counted and shown.
STATUSES: tuple[Status, ...] = ("VALID", "RE_ANCHORABLE", "MERGED", "SPLIT", "ORPHANED")
#: The statuses that a label can be moved on from without a person.
REPAIRABLE: frozenset[Status] = frozenset({"RE_ANCHORABLE", "MERGED"})

Kind = Literal["shifted", "reflowed", "edited", "moved", "ambiguous"]
KINDS: tuple[Kind, ...] = ("shifted", "reflowed", "edited", "moved", "ambiguous")

UNSTRATIFIED = "_unstratified"


class Overlap(NamedTuple):
    """One chunk that holds a part of a label's text.

    Attributes:
        overlap: characters of the label's normalised text that stand in the chunk, from the first to the last.
        doc_uri: the chunk's document where it is not the label's own.
    """

    chunk_id: str
    overlap: int
    doc_uri: str | None = None

    def as_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"chunk_id": self.chunk_id, "overlap": self.overlap}
        return found if self.doc_uri is None else found | {"doc_uri": self.doc_uri}


class Evidence(NamedTuple):
    """Where the text of an ORPHANED label still stands.

    Attributes:
        kind: `shifted` across chunk borders, `reflowed` (white space differs), `edited`, `moved` to another document, or
            `ambiguous`: at several places.
        covered: share of the label's text that was found, 0 to 1, white space aside.
        chunks: the chunks that hold it, in the order of the text; of all places where it is ambiguous.
        similarity: of an edited text: matched characters over those of the longer side, white space aside.
        doc_uri: of a moved text: the document where it stands now.
    """

    kind: Kind
    covered: float
    chunks: tuple[Overlap, ...]
    similarity: float | None = None
    doc_uri: str | None = None

    @property
    def by_overlap(self) -> list[Overlap]:
        """The chunks as a person should see them: the one that holds most of the text first."""
        return sorted(self.chunks, key=lambda each: -each.overlap)

    def as_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"kind": self.kind, "covered": round(self.covered, 12)}
        if self.similarity is not None:
            found["similarity"] = round(self.similarity, 12)
        if self.doc_uri is not None:
            found["doc_uri"] = self.doc_uri
        return found | {"chunks": [each.as_dict() for each in self.chunks]}


class Finding(NamedTuple):
    """What became of one label.

    Attributes:
        query_id, doc_uri, chunk_id: the label's own, as it stands now; `chunk_id` also of a label that has a chunk's id for its
            document, where the corpus that it was made on has that chunk.
        reanchor_to: the chunk to move to; of RE_ANCHORABLE and MERGED only.
        reanchor_doc: that chunk's document where it is not the label's own.
        split_into: the chunks inside the label's text, in the order of their ordinals; of SPLIT only.
        evidence: of ORPHANED only.
    """

    query_id: str
    doc_uri: str
    status: Status
    chunk_id: str | None = None
    reanchor_to: str | None = None
    reanchor_doc: str | None = None
    split_into: tuple[str, ...] | None = None
    evidence: Evidence | None = None

    def as_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"query_id": self.query_id, "doc_uri": self.doc_uri, "status": self.status}
        for name in ("chunk_id", "reanchor_to", "reanchor_doc"):
            value = getattr(self, name)
            if value is not None:
                found[name] = value
        if self.split_into is not None:
            found["split_into"] = list(self.split_into)
        if self.evidence is not None:
            found["evidence"] = self.evidence.as_dict()
        return found


@dataclass(frozen=True)
class Summary:
    """How many labels have each status; `by_evidence` counts the ORPHANED whose text was found, by kind."""

    valid: int = 0
    re_anchorable: int = 0
    merged: int = 0
    split: int = 0
    orphaned: int = 0
    by_evidence: Mapping[Kind, int] = field(default_factory=dict)

    @classmethod
    def of(cls, findings: Sequence[Finding]) -> Summary:
        counted = Counter([found.status for found in findings])
        kinds = Counter([found.evidence.kind for found in findings if found.evidence is not None])
        numbers = {status.lower(): counted[status] for status in STATUSES}
        return cls(**numbers, by_evidence={kind: kinds[kind] for kind in KINDS if kinds[kind]})

    @property
    def total(self) -> int:
        return self.valid + self.re_anchorable + self.merged + self.split + self.orphaned

    @property
    def invalid_ratio(self) -> float:
        """Share of labels that are not VALID, rounded to 1e-12; 0 for no labels."""
        return round((self.total - self.valid) / self.total, 12) if self.total else 0.0

    @property
    def repairable(self) -> int:
        """Labels that can be moved without a person."""
        return self.re_anchorable + self.merged

    @property
    def needs_review(self) -> int:
        """Labels that need a person."""
        return self.split + self.orphaned

    @property
    def still_there(self) -> int:
        """ORPHANED labels whose text was found all the same."""
        return sum(self.by_evidence.values())

    @property
    def gone(self) -> int:
        """ORPHANED labels without evidence."""
        return self.orphaned - self.still_there

    def as_dict(self) -> dict[str, Any]:
        counts: dict[str, Any] = {status.lower(): getattr(self, status.lower()) for status in STATUSES}
        return counts | {
            "invalid_ratio": self.invalid_ratio,
            "still_there": self.still_there,
            "by_evidence": dict(self.by_evidence),
        }


@dataclass(frozen=True)
class Drift:
    """The state of a set of labels against a corpus.

    Attributes:
        findings: one for each label, in the labels' order.
        summary: all of them counted.
        judgments_fingerprint: the one that the labels name, or None where they name none or several.
        corpus_fingerprint: the corpus's own.
        per_stratum: counts by stratum, names sorted; empty where no label has one.
        untold: ORPHANED labels that keep no text, of which it cannot be told whether the text is still there.
        notes: what a person should know, a sentence each.
        states: the fingerprints that the labels name, each once, sorted; the first is "" where a label names none.
    """

    findings: Sequence[Finding]
    summary: Summary
    judgments_fingerprint: str | None = None
    corpus_fingerprint: str | None = None
    per_stratum: Mapping[str, Summary] = field(default_factory=dict)
    untold: int = 0
    notes: Sequence[str] = ()
    states: Sequence[str] = ()

    @property
    def all_valid(self) -> bool:
        return self.summary.valid == self.summary.total

    def as_dict(self) -> dict[str, Any]:
        """The JSON of `irbridge drift --json`: the spec's members, and what irbridge adds."""
        found: dict[str, Any] = {
            "findings": [each.as_dict() for each in self.findings],
            "summary": self.summary.as_dict(),
            "judgments_fingerprint": self.judgments_fingerprint,
            "corpus_fingerprint": self.corpus_fingerprint,
        }
        if self.per_stratum:
            found["per_stratum"] = {name: each.as_dict() for name, each in self.per_stratum.items()}
        if self.untold:
            found["untold"] = self.untold
        if self.notes:
            found["notes"] = list(self.notes)
        return found
