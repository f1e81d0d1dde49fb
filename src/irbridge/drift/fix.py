"""Repair: labels whose text is provably still in one chunk move there; the others are left to a person.

Nothing is invented. A label moves because its text is the chunk's (RE_ANCHORABLE), or because it was judged relevant and
stands inside the chunk (MERGED): what holds a relevant text is relevant. What holds a text that was judged not relevant may
well be relevant for the rest of it, so that such a label stays, for a person. Where
two labels of one query arrive at one chunk they become one row, for a set with two rows for one chunk is unsound: the
highest relevance stays, since a chunk that holds the relevant text is relevant, and what it absorbed is kept in
`reanchored_from`. No label moves to a chunk whose `text_sha` is not that of its text: what it says of itself proves nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

from irbridge.drift.findings import REPAIRABLE, Drift, Finding
from irbridge.model import Judgment
from irbridge.origins import keeping, origin


class Repair:
    """What repair makes of a set of labels; the rows are made when they are asked for.

    Attributes:
        moved: the numbers of the labels that move to another chunk, rising; those that are absorbed there are among them.
        unproven: MERGED labels that say "not relevant", which a larger chunk does not bear out.
        refused: the numbers of labels that would move to a chunk that is not what it says.
    """

    def __init__(self, labels: Sequence[Judgment], drift: Drift, refused: Collection[int] = ()) -> None:
        self._labels, self._drift = labels, drift
        self.refused = frozenset(refused)
        moved: list[int] = []
        self.unproven = 0
        for number, finding in enumerate(drift.findings):
            if finding.status not in REPAIRABLE or finding.reanchor_to is None or number in self.refused:
                continue
            if finding.status == "MERGED" and labels[number].relevance <= 0:
                self.unproven += 1
            else:
                moved.append(number)
        self.moved = tuple(moved)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Repair):
            return NotImplemented
        return (self.rows, self.as_dict(), self.moved) == (other.rows, other.as_dict(), other.moved)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Repair({', '.join(f'{name}={number}' for name, number in self.as_dict().items())})"

    @property
    def reanchored(self) -> int:
        """Labels that move to another chunk."""
        return len(self.moved)

    @property
    def needs_review(self) -> int:
        """Labels that only a person can decide, the unproven and the refused ones among them."""
        return self._drift.summary.needs_review + self.unproven + len(self.refused)

    @property
    def rows(self) -> list[Judgment | None]:
        """One for each label, in the labels' order: the label as it is now, or None where another one absorbed it."""
        return self._made[0]

    @property
    def absorbed(self) -> int:
        """Labels that become a part of another one."""
        return self._made[1]

    @cached_property
    def stamped(self) -> int:
        """Labels that are valid and get the corpus's fingerprint."""
        fingerprint = self._drift.corpus_fingerprint
        return sum(
            found.status == "VALID" and label.corpus_fingerprint != fingerprint
            for label, found in zip(self._labels, self._drift.findings, strict=True)
        ) if fingerprint else 0  # fmt: skip

    @property
    def labels(self) -> list[Judgment]:
        """The labels that are left."""
        return [label for label in self.rows if label is not None]

    def as_dict(self) -> dict[str, int]:
        return {
            "reanchored": self.reanchored,
            "absorbed": self.absorbed,
            "stamped": self.stamped,
            "needs_review": self.needs_review,
            "unproven": self.unproven,
        }

    @cached_property
    def _made(self) -> tuple[list[Judgment | None], int]:
        findings, fingerprint = self._drift.findings, self._drift.corpus_fingerprint
        rows: list[Judgment | None] = list(self._labels)
        if fingerprint:
            for number, (label, finding) in enumerate(zip(self._labels, findings, strict=True)):
                if finding.status == "VALID":
                    rows[number] = label._replace(corpus_fingerprint=fingerprint)
        for number in self.moved:
            rows[number] = _moved(self._labels[number], findings[number], fingerprint)
        return rows, _collapse(self._labels, rows, self.moved)


def repaired(labels: Sequence[Judgment], drift: Drift, refused: Collection[int] = ()) -> Repair:
    """Move what can be moved, and say that the rest was looked at: valid labels get the corpus's fingerprint.

    Args:
        labels: the labels that `drift` was made of.
        drift: its findings, one for each label.
        refused: numbers of labels that must stay where they are.
    """
    return Repair(labels, drift, refused)


def _moved(label: Judgment, finding: Finding, fingerprint: str | None) -> Judgment:
    found = label._replace(corpus_fingerprint=fingerprint or label.corpus_fingerprint)
    if finding.chunk_id is not None:
        found = found._replace(chunk_id=finding.reanchor_to)
    if finding.reanchor_doc is None:
        return found
    # Another document: without its old name nobody could tell any more where the label was made.
    old = {
        name: value for name, value in (("doc_uri", label.doc_uri), ("chunk_id", label.chunk_id)) if value is not None
    }
    return keeping(found._replace(doc_uri=finding.reanchor_doc), [old])


def _collapse(labels: Sequence[Judgment], rows: list[Judgment | None], moved: Sequence[int]) -> int:
    """Make one row of the rows of a query that are at one chunk now and were not before; returns how many are gone."""
    arrived = {(label.query_id, label.key) for number in moved if (label := rows[number]) is not None}
    places: dict[tuple[str, str], list[int]] = {}
    for number, label in enumerate(rows):
        if label is not None and (label.query_id, label.key) in arrived:
            places.setdefault((label.query_id, label.key), []).append(number)
    of_moved = set(moved)
    gone = 0
    for numbers in places.values():
        # Rows that had one key before contradict each other as before: hiding that is not repair.
        if len({labels[number].key for number in numbers}) == 1:
            continue
        best = min(numbers, key=lambda number: (-labels[number].relevance, number in of_moved, number))
        for number in numbers:
            if labels[number].key != labels[best].key:
                rows[best] = keeping(_present(rows[best]), [origin(labels[number])])
                rows[number] = None
                gone += 1
    return gone


def _present(label: Judgment | None) -> Judgment:
    if label is None:  # pragma: no cover - the best row of a group is never absorbed
        raise RuntimeError("the row that absorbs others is gone")
    return label
