"""Repair: labels whose text is provably still in one chunk move there; the others are left to a person.

Nothing is invented. A label moves because its text is the chunk's (RE_ANCHORABLE), or because it was judged relevant and
stands inside the chunk (MERGED): what holds a relevant text is relevant. What holds a text that was judged not relevant may
well be relevant for the rest of it, so that such a label stays, for a person. Where
two labels of one query arrive at one chunk they become one row, for a set with two rows for one chunk is unsound: the
highest relevance stays, since a chunk that holds the relevant text is relevant, and what it absorbed is kept in
`reanchored_from`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from irbridge.drift.findings import REPAIRABLE, Drift, Finding
from irbridge.model import Judgment
from irbridge.origins import keeping, origin


class Repair(NamedTuple):
    """What repair makes of a set of labels.

    Attributes:
        rows: one for each label, in the labels' order: the label as it is now, or None where another one absorbed it.
        reanchored: labels that moved to another chunk, those that were absorbed there among them.
        absorbed: labels that became a part of another one.
        stamped: labels that were valid and got the corpus's fingerprint.
        needs_review: labels that only a person can decide, the unproven ones among them.
        unproven: MERGED labels that say "not relevant", which a larger chunk does not bear out.
        moved: the numbers of the labels that moved, rising.
    """

    rows: list[Judgment | None]
    reanchored: int
    absorbed: int
    stamped: int
    needs_review: int
    unproven: int
    moved: tuple[int, ...]

    def as_dict(self) -> dict[str, int]:
        return {
            "reanchored": self.reanchored,
            "absorbed": self.absorbed,
            "stamped": self.stamped,
            "needs_review": self.needs_review,
            "unproven": self.unproven,
        }

    @property
    def labels(self) -> list[Judgment]:
        """The labels that are left."""
        return [label for label in self.rows if label is not None]


def repaired(labels: Sequence[Judgment], drift: Drift) -> Repair:
    """Move what can be moved, and say that the rest was looked at: valid labels get the corpus's fingerprint.

    Args:
        labels: the labels that `drift` was made of.
        drift: its findings, one for each label.
    """
    rows: list[Judgment | None] = []
    moved: list[int] = []
    stamped = unproven = 0
    for number, (label, finding) in enumerate(zip(labels, drift.findings, strict=True)):
        if finding.status == "MERGED" and label.relevance <= 0:
            unproven += 1
            rows.append(label)
        elif finding.status in REPAIRABLE and finding.reanchor_to is not None:
            rows.append(_moved(label, finding, drift.corpus_fingerprint))
            moved.append(number)
        elif finding.status == "VALID" and drift.corpus_fingerprint:
            stamped += label.corpus_fingerprint != drift.corpus_fingerprint
            rows.append(label._replace(corpus_fingerprint=drift.corpus_fingerprint))
        else:
            rows.append(label)
    absorbed = _collapse(labels, rows, moved)
    needing = drift.summary.needs_review + unproven
    return Repair(rows, len(moved), absorbed, stamped, needing, unproven, tuple(moved))


def _moved(label: Judgment, finding: Finding, fingerprint: str | None) -> Judgment:
    found = label._replace(corpus_fingerprint=fingerprint or label.corpus_fingerprint)
    if label.chunk_id is not None:
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
