"""Diversity qrels: judgments of documents for the subtopics (intents) of a query, as a table beside the labels.

A document has one label here, which is what the run is held against; its grade is the highest that any subtopic gave it.
The grades of the subtopics stand beside it. Measures that know no subtopics see the label alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irbridge.errors import InputError, shown
from irbridge.model import Judgment
from irbridge.qrels import Qrels, unique
from irbridge.reading import Reading

if TYPE_CHECKING:
    from irbridge.arrays import Bools, Ints


@dataclass(frozen=True, eq=False)
class Subtopics:
    """Judgments by subtopic, ordered by label, then subtopic.

    Attributes:
        label: int64 per judgment, the number of its label.
        topic: int64 per judgment, the number of its subtopic, by first appearance in the whole set.
        grade: int64 per judgment.
    """

    label: Ints
    topic: Ints
    grade: Ints

    def rows(self) -> Iterator[tuple[int, int, int]]:
        """(label, subtopic, grade), in order."""
        yield from zip(self.label.tolist(), self.topic.tolist(), self.grade.tolist(), strict=True)

    def subset(self, keep: Bools) -> Subtopics:
        """Those of the labels where `keep` (bool per label) is true, which are numbered anew."""
        import numpy as np

        kept = keep[self.label]
        return Subtopics((np.cumsum(keep) - 1)[self.label[kept]], self.topic[kept], self.grade[kept])


def subtopic_qrels(judgments: Iterable[Judgment], reading: Reading | None = None) -> Qrels:
    """Gather labels with their subtopics, which are the judgments' iterations (column 2 of TREC qrels).

    Args:
        judgments: the labels; (query, document, iteration) names one.
        reading: for names and lines in errors; notes a set that has one subtopic only.

    Raises:
        InputError: no label at all, one (query, document, iteration) with two grades, or a grade out of range.
    """
    import numpy as np

    reading = reading or Reading("judgments")
    names: dict[str, int] = {}
    rows: list[tuple[str, str, int, int]] = []

    def best() -> Iterator[Judgment]:
        """Each document once, with its highest grade."""
        first: dict[tuple[str, str], Judgment] = {}
        for label in unique(judgments, reading):
            rows.append((label.query_id, label.key, names.setdefault(label.iteration, len(names)), label.relevance))
            known = first.setdefault((label.query_id, label.key), label)
            if label.relevance > known.relevance:
                first[label.query_id, label.key] = known._replace(relevance=label.relevance)
        yield from first.values()

    qrels = Qrels.from_judgments(best(), reading)
    if len(names) < 2:
        reading.note(
            "one-subtopic",
            f"all labels are of one subtopic, '{shown(next(iter(names)), 30)}': are these diversity qrels?",
        )
    table = np.array(
        [(qrels.labels[qrels.index[query_id]][doc_id], topic, grade) for query_id, doc_id, topic, grade in rows],
        np.int64,
    )
    table = table[np.lexsort((table[:, 1], table[:, 0]))]
    qrels.subtopics = Subtopics(table[:, 0].copy(), table[:, 1].copy(), table[:, 2].copy())
    return qrels


def subtopics_of(qrels: Qrels, asked: str) -> Subtopics:
    """The table of a set that was read with its subtopics.

    Raises:
        InputError: it was not.
    """
    if qrels.subtopics is None:
        raise InputError(
            f"{shown(asked)} needs labels of subtopics, and these have none",
            hint="give diversity qrels, whose second column is the subtopic",
        )
    return qrels.subtopics
