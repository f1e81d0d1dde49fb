"""Judgments as a table: what scoring needs of them, by query, in the order of their first appearance."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from irbridge.errors import InputError, quoted, shown
from irbridge.model import Judgment, Qrel
from irbridge.reading import Reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from irbridge.bytecolumns import Columns
    from irbridge.rows import LabelRows
    from irbridge.subtopics import Subtopics

# Grades travel as 64-bit integers and become doubles as gains: beyond this a double cannot tell neighbours apart.
GRADE_LIMIT = 2**53
UNSTRATIFIED = "_unstratified"
Repeats = Literal["refuse", "last"]
# What labels that are preferences have beside the fields of every label: their subgroup, and a level that is no whole number.
SUBGROUP, LEVEL = "judgment_subgroup", "preference_level"


def level_of(label: Judgment) -> float:
    """The level of a label that is a preference; of any other its grade."""
    level = label.extra.get(LEVEL, label.relevance)
    return level if isinstance(level, int | float) else label.relevance


def _conflict(reading: Reading, label: Judgment, grades: tuple[float, float], line: int) -> InputError:
    first = f", already on line {line}" if line else ""
    return InputError(
        f"query {shown(label.query_id)} document {shown(label.key)} is judged twice, {grades[0]} and {grades[1]}{first}",
        path=reading.label,
        line=reading.line or None,
        hint="keep one of the two rows; irbridge does not choose"
        if label.target == label.key
        else "these labels name places of the document: project them onto chunks first (irbridge project)",
    )


def _preferences(reading: Reading) -> InputError:
    return InputError(
        "these labels are preferences: their levels say what is better than what, and are no grades",
        path=reading.label,
        hint="ask for prefs_simp and its like alone (-m prefs), or convert them to qrels first",
    )


def _collapsed(reading: Reading) -> None:
    reading.note(
        "duplicates", "{n} repeated {judgment|judgments}, equal to an earlier one, collapsed", line=reading.line or None
    )


def unique(judgments: Iterable[Judgment], reading: Reading, *, places: bool = False) -> Iterator[Judgment]:
    """The judgments without repeated rows; identical ones are collapsed and noted.

    Two rows are one label when query, key and iteration (a subtopic, in diversity qrels) are equal, and the subgroup where
    labels are preferences.

    Args:
        judgments: the labels.
        reading: for notes, and for names and lines in errors.
        places: tell labels of different places of one document apart, too.

    Raises:
        InputError: the same label with two grades.
    """
    seen: dict[tuple[str, ...], tuple[float, int]] = {}
    for label in judgments:
        key: tuple[str, ...] = (label.query_id, label.target if places else label.key, label.iteration)
        level: float = label.relevance
        if label.extra and SUBGROUP in label.extra:
            key, level = (*key, str(label.extra[SUBGROUP])), level_of(label)
        first = seen.get(key)
        if first is None:
            seen[key] = (level, reading.line)
            yield label
        elif first[0] == level:
            _collapsed(reading)
        else:
            raise _conflict(reading, label, (first[0], level), first[1])


class Qrels:
    """Labels by query. Labels are numbered in order: all of the first query, then all of the second, and so on.

    Attributes:
        query_ids: the judged queries, in the order of their first appearance.
        index: query id -> number of the query.
        labels: per query, document id -> number of the label.
        grades: int64 per label.
        offsets: int64, one more than queries: labels of query i are offsets[i]:offsets[i+1].
        strata: per label its stratum, or None if no label has one.
        repeats: how many rows gave a label again and were taken in place of the earlier one.
        subtopics: the grades by subtopic, where the set was read with them (`irbridge.subtopics`).
        pool: the documents that any query has a label for, where the set was read for a measure that asks for them.
        regraded: of labels with several rows: stratum -> {number of the label: its grade in that stratum}.
    """

    def __init__(
        self,
        query_ids: Sequence[str],
        labels: Sequence[dict[str, int]],
        grades: NDArray[np.int64],
        strata: list[str] | None = None,
    ) -> None:
        import numpy as np

        self.query_ids = list(query_ids)
        self.labels = labels
        self.grades = grades
        self.strata = strata
        self.repeats = 0
        self.subtopics: Subtopics | None = None
        self.pool: frozenset[str] | None = None
        self.regraded: dict[str, dict[int, int]] = {}
        self.index = {query_id: number for number, query_id in enumerate(self.query_ids)}
        offsets = getattr(labels, "offsets", None)  # of labels that are columns
        if offsets is None:
            offsets = np.cumsum([0, *(len(own) for own in labels)], dtype=np.int64)
        self.offsets: NDArray[np.int64] = offsets

    @classmethod
    def from_judgments(
        cls, judgments: Iterable[Judgment], reading: Reading | None = None, *, repeats: Repeats = "refuse"
    ) -> Qrels:
        """Gather labels; memory follows the labels.

        Args:
            judgments: the labels.
            reading: for names and lines in errors.
            repeats: a label that is given with two grades is refused, and one that is given twice with the same grade
                collapsed; or the last row counts, and the rows are counted for whoever reports that.

        Raises:
            InputError: no label at all, one label with two grades, a grade out of range, or labels that are preferences.
        """
        import numpy as np

        reading = reading or Reading("judgments")
        by_query: dict[str, dict[str, int]] = {}
        grades = array("q")
        lines = array("q")
        strata: list[str | None] = []
        again: list[tuple[int, int, str | None]] = []
        query_id, own, together = None, {}, True
        for label in judgments:
            if label.extra and SUBGROUP in label.extra:
                raise _preferences(reading)
            if label.query_id != query_id:
                query_id = label.query_id
                together = together and query_id not in by_query
                own = by_query.setdefault(query_id, {})
            key = label.chunk_id if label.chunk_id is not None else label.doc_uri
            row = own.setdefault(key, len(grades))
            if row < len(grades):
                if repeats == "refuse":
                    cls._same(reading, label, grades[row], lines[row])
                else:
                    again.append((row, label.relevance, label.stratum))
                continue
            if not -GRADE_LIMIT <= label.relevance <= GRADE_LIMIT:
                raise InputError(
                    "a grade is out of range",
                    path=reading.label,
                    line=reading.line or None,
                    text=quoted(label.relevance),
                )
            grades.append(label.relevance)
            lines.append(reading.line)
            if label.stratum is not None or strata:
                # Filled up to here on the first stratum that is met: most judgments have none.
                strata.extend([None] * (len(grades) - 1 - len(strata)))
                strata.append(label.stratum)
        if not by_query:
            raise InputError("holds no label", path=reading.label, hint="nothing can be scored without labels")
        if not strata and any(stratum is not None for _, _, stratum in again):
            strata = [None] * len(grades)
        regraded = cls._regraded(again, grades, strata) if strata else {}
        for row, grade, _ in again:
            grades[row] = grade
        found = np.frombuffer(grades, np.int64)
        if not together:
            order = cls._renumbered(by_query, len(grades))
            found = found[order]
            strata = [strata[row] for row in order.tolist()] if strata else []
            place = np.argsort(order).tolist()
            regraded = {name: {place[row]: grade for row, grade in own.items()} for name, own in regraded.items()}
        named = [stratum or UNSTRATIFIED for stratum in strata] if strata else None
        made = cls(list(by_query), list(by_query.values()), found, named)
        made.repeats, made.regraded = len(again), regraded
        return made

    @classmethod
    def from_rows(cls, pieces: Iterable[LabelRows]) -> Qrels:
        """The same from labels that come as columns.

        Raises:
            Irregular: a label comes twice, or a query's rows are apart: `from_judgments` says what that means.
        """
        from irbridge.labelcolumns import gathered

        return cls(*gathered(pieces))

    @staticmethod
    def _regraded(
        again: Sequence[tuple[int, int, str | None]], grades: Sequence[int], strata: Sequence[str | None]
    ) -> dict[str, dict[int, int]]:
        """Stratum -> {label: the grade of its last row there}, for the labels with several rows."""
        found: dict[str, dict[int, int]] = {}
        first = [(row, grades[row], strata[row]) for row in dict.fromkeys(row for row, _, _ in again)]
        for row, grade, stratum in [*first, *again]:
            found.setdefault(stratum or UNSTRATIFIED, {})[row] = grade
        return found

    @staticmethod
    def _renumbered(by_query: dict[str, dict[str, int]], count: int) -> NDArray[np.int64]:
        """Number the labels by query where the source has the queries' rows apart; returns their old numbers."""
        import numpy as np

        order = np.fromiter((row for own in by_query.values() for row in own.values()), np.int64, count)
        start = 0
        for own in by_query.values():
            for number, key in enumerate(own, start):
                own[key] = number
            start += len(own)
        return order

    @staticmethod
    def _same(reading: Reading, label: Judgment, grade: int, line: int) -> None:
        if grade == label.relevance:
            _collapsed(reading)
            return
        error = _conflict(reading, label, (grade, label.relevance), line)
        if label.iteration not in {"0", "Q0"}:
            error.hint = "are these subtopic (diversity) qrels? the measures here need one grade per document"
        raise error

    def __len__(self) -> int:
        """The number of labels."""
        return len(self.grades)

    def __iter__(self) -> Iterator[Qrel]:
        for query_id, own in zip(self.query_ids, self.labels, strict=True):
            for doc_id, number in own.items():
                yield Qrel(query_id, doc_id, int(self.grades[number]))

    def sha256(self) -> str:
        """A digest of what is scored against, whatever the format and the order of the rows (spec/gates.md)."""
        import hashlib

        strata = self.strata or [UNSTRATIFIED] * len(self.grades)
        grades = self.grades.tolist()
        lines = [
            f"{query_id}\0{doc_id}\0{grades[number]}\0{strata[number]}\n"
            for query_id, own in zip(self.query_ids, self.labels, strict=True)
            for doc_id, number in own.items()
        ]
        if self.subtopics is not None:
            lines += ["\0".join(map(str, row)) + "\n" for row in self.subtopics.rows()]
        return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()

    @cached_property
    def query_of(self) -> NDArray[np.int64]:
        """int64 per label: the number of its query."""
        import numpy as np

        return np.repeat(np.arange(len(self.query_ids)), np.diff(self.offsets))

    def documents(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], Columns]:
        """The labels of some queries: their numbers, and their documents as a column."""
        import numpy as np

        from irbridge.bytecolumns import Columns
        from irbridge.labelcolumns import LabelColumns

        first = self.offsets[numbers]
        sizes = self.offsets[numbers + 1] - first
        label = np.repeat(first - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
        if isinstance(self.labels, LabelColumns):
            return label, self.labels.documents.take(label)
        return label, Columns.of_texts([doc_id for number in numbers.tolist() for doc_id in self.labels[number]])

    def with_pool(self) -> Qrels:
        """The same, knowing which documents any query has a label for."""
        self.pool = frozenset(doc_id for own in self.labels for doc_id in own)
        return self

    def subset(self, keep: NDArray[np.bool_]) -> Qrels:
        """The labels where `keep` (bool per label) is true; queries left without a label are dropped."""
        import numpy as np

        renumbered = np.cumsum(keep) - 1
        query_ids: list[str] = []
        labels: list[dict[str, int]] = []
        for query_id, own in zip(self.query_ids, self.labels, strict=True):
            left = {doc_id: int(renumbered[number]) for doc_id, number in own.items() if keep[number]}
            if left:
                query_ids.append(query_id)
                labels.append(left)
        strata = None if self.strata is None else [name for name, kept in zip(self.strata, keep, strict=True) if kept]
        made = Qrels(query_ids, labels, self.grades[keep], strata)
        made.subtopics = None if self.subtopics is None else self.subtopics.subset(keep)
        made.pool = self.pool
        return made
