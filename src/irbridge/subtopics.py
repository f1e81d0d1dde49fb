"""Judgments of a document for several subtopics (intents), judgment groups (users) or in preferences, beside the labels.

A document has one label here, which is what the run is held against; its grade is the highest that any subtopic gave it.
The grades of the subtopics stand beside it. Measures that know no subtopics see the label alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from irbridge.errors import InputError, shown
from irbridge.model import NO_FIELDS, Judgment
from irbridge.qrels import SUBGROUP, Qrels, level_of, unique
from irbridge.reading import Reading

if TYPE_CHECKING:
    from irbridge.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Subtopics:
    """Judgments by subtopic, ordered by label, then subtopic, then subgroup.

    Attributes:
        label: int64 per judgment, the number of its label.
        topic: int64 per judgment, the number of its subtopic or judgment group, by first appearance in the whole set.
        grade: int64 per judgment.
        subgroup: int64 per judgment, the number of its subgroup within the judgment group, where labels are preferences.
        level: float64 per judgment, where labels are preferences: levels order the documents of one subgroup.
    """

    label: Ints
    topic: Ints
    grade: Ints
    subgroup: Ints | None = None
    level: Floats | None = None

    def rows(self) -> Iterator[tuple[float, ...]]:
        """(label, subtopic, grade), of preferences with subgroup and level, in order."""
        columns = (self.label, self.topic, self.grade, self.subgroup, self.level)
        yield from zip(*(column.tolist() for column in columns if column is not None), strict=True)

    def graded(self) -> Iterator[tuple[int, int, int]]:
        """(label, subtopic, grade), in order."""
        yield from zip(self.label.tolist(), self.topic.tolist(), self.grade.tolist(), strict=True)

    def where(self, kept: Bools) -> Subtopics:
        """The judgments where `kept` (bool per judgment) is true."""
        return Subtopics(
            self.label[kept],
            self.topic[kept],
            self.grade[kept],
            None if self.subgroup is None else self.subgroup[kept],
            None if self.level is None else self.level[kept],
        )

    def subset(self, keep: Bools) -> Subtopics:
        """Those of the labels where `keep` (bool per label) is true, which are numbered anew."""
        import numpy as np

        found = self.where(keep[self.label])
        return replace(found, label=(np.cumsum(keep) - 1)[found.label])


def subtopic_qrels(judgments: Iterable[Judgment], reading: Reading | None = None) -> Qrels:
    """Gather labels with their subtopics, which are the judgments' iterations (column 2 of TREC qrels).

    Args:
        judgments: the labels; (query, document, iteration) names one, of preferences (query, document, iteration, subgroup).
        reading: for names and lines in errors; notes a set that has one subtopic only.

    Raises:
        InputError: no label at all, one (query, document, iteration) with two grades, or a grade out of range.
    """
    import numpy as np

    reading = reading or Reading("judgments")
    names: dict[str, int] = {}
    subgroups: dict[str, int] = {}
    rows: list[tuple[str, str, int, int, int, float]] = []

    def best() -> Iterator[Judgment]:
        """Each document once, with its highest grade."""
        first: dict[tuple[str, str], Judgment] = {}
        for label in unique(judgments, reading):
            topic = names.setdefault(label.iteration, len(names))
            subgroup = subgroups.setdefault(str(label.extra.get(SUBGROUP, "")), len(subgroups))
            level = float(level_of(label))
            rows.append((label.query_id, label.key, topic, label.relevance, subgroup, level))
            label = label._replace(extra=NO_FIELDS)
            known = first.setdefault((label.query_id, label.key), label)
            if label.relevance > known.relevance:
                first[label.query_id, label.key] = known._replace(relevance=label.relevance)
        yield from first.values()

    qrels = Qrels.from_judgments(best(), reading)
    if len(names) < 2:
        reading.note("one-subtopic", f"all labels are of one subtopic or group, '{shown(next(iter(names)), 30)}'")
    label = np.array([qrels.labels[qrels.index[query_id]][doc_id] for query_id, doc_id, *_ in rows], np.int64)
    topic, grade, subgroup = (np.array([row[place] for row in rows], np.int64) for place in (2, 3, 4))
    order = np.lexsort((subgroup, topic, label))
    columns = label[order], topic[order], grade[order]
    if set(subgroups) == {""}:
        qrels.subtopics = Subtopics(*columns)
    else:
        level = np.array([row[5] for row in rows], np.float64)
        qrels.subtopics = Subtopics(*columns, subgroup[order], level[order])
    return qrels


def subtopics_of(qrels: Qrels, asked: str, *, preferences: bool = False) -> Subtopics:
    """The table of a set that was read with its subtopics.

    Args:
        qrels: the set.
        asked: the measure that asks.
        preferences: whether the measure can do with preferences, which say nothing but what is better than what.

    Raises:
        InputError: it was not, or the labels are preferences.
    """
    if qrels.subtopics is None:
        raise InputError(
            f"{shown(asked)} needs labels of subtopics, and these have none",
            hint="give diversity qrels, whose second column is the subtopic",
        )
    if qrels.subtopics.level is not None and not preferences:
        raise InputError(
            f"{shown(asked)} needs grades, and these labels are preferences",
            hint="prefs_simp and its like are computed from preferences (irbridge measures prefs_simp)",
        )
    return qrels.subtopics
