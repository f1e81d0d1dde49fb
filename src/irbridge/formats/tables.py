"""Tables with named columns (DataFrames, Arrow, parquet): which column is which, and their rows as records.

The column names that are understood, in order of preference where a table has several:

    query id     query_id (ir_measures, ir_datasets) · query-id (BEIR, MTEB) · qid (PyTerrier) · q_id (ranx)
    document id  doc_id · doc_uri (judgments) · corpus-id · docno (PyTerrier)
    grade        relevance · label (PyTerrier) · rel · score (BEIR, ranx)
    score        score; without it, rank
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from irbridge.errors import InputError, shown
from irbridge.formats.cells import Cells, UnusableError, is_missing, place, plain, refuse
from irbridge.formats.grouping import Rows
from irbridge.model import NO_FIELDS, Judgment
from irbridge.reading import Reading

QUERY_ID = ("query_id", "query-id", "qid", "q_id")
DOC_ID = ("doc_id", "doc_uri", "corpus-id", "docno")
RELEVANCE = ("relevance", "label", "rel", "score")
SCORE = ("score",)
RANK = ("rank",)
ITERATION = ("iteration", "subtopic_id")
TAG = ("tag", "run_tag")
# Fields of a judgment that a table may have as columns of the same name.
TEXTS = (
    "query", "chunk_id", "text_sha", "chunk_text", "corpus_fingerprint", "labeled_by", "labeled_at", "stratum", "notes",
)  # fmt: skip

Columns = Mapping[str, Sequence[Any]]


def find(columns: Iterable[str], names: Sequence[str]) -> str | None:
    """The first of `names` that is a column."""
    there = set(columns)
    return next((name for name in names if name in there), None)


def needed(columns: Sequence[str], names: Sequence[str], what: str, reading: Reading) -> str:
    """The column for `what`.

    Raises:
        InputError: there is none.
    """
    found = find(columns, names)
    if found is None:
        has = ", ".join(shown(name, 30) for name in columns[:12]) or "none"
        raise InputError(
            f"has no column for the {what}; its columns are {has}",
            path=reading.label,
            hint=f"call it {' or '.join(names)}",
        )
    return found


def json_value(value: Any) -> Any:
    """A cell as something that JSON can hold, or None where nothing is there."""
    value = plain(value)
    if is_missing(value):
        return None
    if isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(name): json_value(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(part) for part in value]
    return str(value)


class JudgmentTable:
    """Rows as judgments; columns that a judgment does not know travel in `extra`.

    Args:
        columns: the table's column names.
        extra: fields that every row gets in addition.
        cells: shared by several tables of one input, or None.

    Raises:
        InputError: a column is missing.
    """

    def __init__(
        self,
        columns: Sequence[str],
        reading: Reading,
        *,
        extra: Mapping[str, Any] = NO_FIELDS,
        cells: Cells | None = None,
    ) -> None:
        self._reading = reading
        self._cells = cells or Cells(reading)
        self._query_id = needed(columns, QUERY_ID, "query id", reading)
        self._doc_id = needed(columns, DOC_ID, "document id", reading)
        self._relevance = needed(columns, RELEVANCE, "relevance grade", reading)
        if self._relevance in SCORE and find(columns, RANK + TAG) is not None:
            raise InputError(
                f"is a run: it has {self._relevance} and {find(columns, RANK + TAG)}, and no grades",
                path=reading.label,
                hint=f"grades are in a column called {' or '.join(RELEVANCE[:-1])}",
            )
        self._iteration = find(columns, ITERATION)
        used = {self._query_id, self._doc_id, self._relevance, self._iteration}
        self._others = [name for name in columns if name not in used]
        self._extra = extra

    def records(self, values: Columns, first_row: int = 1) -> Iterator[Judgment]:
        """The rows of one batch; `first_row` is the number of its first."""
        query_ids, doc_ids, grades = values[self._query_id], values[self._doc_id], values[self._relevance]
        iterations = None if self._iteration is None else values[self._iteration]
        clean = self._clean(query_ids, doc_ids, grades)
        plain_rows = not self._others and iterations is None
        for number, (query_id, doc_id, grade) in enumerate(zip(query_ids, doc_ids, grades, strict=True)):
            if clean is not None:
                label = Judgment(clean[0][number], clean[1][number], clean[2][number], extra=self._extra)
            else:
                careful = self._careful(query_id, doc_id, grade, first_row + number)
                if careful is None:
                    continue
                label = careful
            if not plain_rows:
                try:
                    label = self._complete(label, values, number)
                except UnusableError as error:
                    refuse(self._reading, place(query_id, doc_id, first_row + number), error)
                    continue
            self._reading.rows += 1
            yield label

    def _clean(
        self, query_ids: Sequence[Any], doc_ids: Sequence[Any], grades: Sequence[Any]
    ) -> tuple[list[str], list[str], list[int]] | None:
        cells = self._cells
        found = cells.query_ids.clean(query_ids), cells.doc_ids.clean(doc_ids), cells.clean_grades(grades)
        if found[0] is None or found[1] is None or found[2] is None:
            return None
        cells.query_ids.admit(query_ids)
        cells.doc_ids.admit(doc_ids)
        return found[0], found[1], found[2]

    def _careful(self, query_id: Any, doc_id: Any, grade: Any, row: int) -> Judgment | None:
        cells = self._cells
        try:
            return Judgment(
                cells.query_ids.one(query_id), cells.doc_ids.one(doc_id), cells.grade(grade), extra=self._extra
            )
        except UnusableError as error:
            refuse(self._reading, place(query_id, doc_id, row), error)
            return None

    def _complete(self, label: Judgment, values: Columns, number: int) -> Judgment:
        texts: dict[str, Any] = {}
        extra: dict[str, Any] = {}
        if self._iteration is not None:
            iteration = plain(values[self._iteration][number])
            if not is_missing(iteration):
                texts["iteration"] = str(iteration)
        for name in self._others:
            value = json_value(values[name][number])
            if value is None:
                continue
            if name == "chunk_id":
                texts[name] = self._cells.chunk_ids.one(value)
            elif name in TEXTS:
                texts[name] = str(value)
            else:
                extra[str(name)] = value
        return label._replace(**texts, extra={**extra, **self._extra} if extra or self._extra else NO_FIELDS)


class RunTable:
    """Rows as rankings.

    Attributes:
        by_rank: there are no scores, ranks are the order.
        wanted: the columns that are read.

    Raises:
        InputError: a column is missing.
    """

    def __init__(self, columns: Sequence[str], reading: Reading) -> None:
        self._reading = reading
        self._cells = Cells(reading)
        self._query_id = needed(columns, QUERY_ID, "query id", reading)
        self._doc_id = needed(columns, DOC_ID, "document id", reading)
        self._rank = find(columns, RANK)
        self._numbers = needed(columns, SCORE + RANK, "score", reading)
        self._tag = find(columns, TAG)
        self.by_rank = self._numbers not in SCORE
        names = (self._query_id, self._doc_id, self._numbers, self._rank, self._tag)
        self.wanted = list(dict.fromkeys(name for name in names if name is not None))

    def rows(self, values: Columns, first_row: int = 1) -> Rows:
        """The usable rows of one batch; `first_row` is the number of its first."""
        query_ids, doc_ids = values[self._query_id], values[self._doc_id]
        numbers = values[self._numbers]
        ranks = None if self._rank is None else values[self._rank]
        kept: Sequence[int] = range(len(query_ids))
        found = self._clean(query_ids, doc_ids, numbers)
        if found is None:
            found, kept = self._careful(query_ids, doc_ids, numbers, first_row)
            ranks = None if ranks is None else [ranks[number] for number in kept]
        whole = [int(rank) for rank in found[2]] if self.by_rank else _whole(ranks)
        scores = None if self.by_rank else found[2]
        self._reading.rows += len(found[0])
        return Rows(found[0], found[1], scores, whole, self._tags(values, kept))

    def _tags(self, values: Columns, kept: Iterable[int]) -> list[str] | None:
        if self._tag is None:
            return None
        tags = values[self._tag]
        found = ["" if is_missing(tags[number]) else str(tags[number]) for number in kept]
        return found if any(found) else None

    def _clean(
        self, query_ids: Sequence[Any], doc_ids: Sequence[Any], numbers: Sequence[Any]
    ) -> tuple[list[str], list[str], list[float]] | None:
        cells = self._cells
        scores = cells.clean_scores(numbers)
        if self.by_rank and scores is not None and not all(map(float.is_integer, scores)):
            return None
        found = cells.query_ids.clean(query_ids), cells.doc_ids.clean(doc_ids)
        if found[0] is None or found[1] is None or scores is None:
            return None
        cells.query_ids.admit(query_ids)
        cells.doc_ids.admit(doc_ids)
        return found[0], found[1], scores

    def _careful(
        self, query_ids: Sequence[Any], doc_ids: Sequence[Any], numbers: Sequence[Any], first_row: int
    ) -> tuple[tuple[list[str], list[str], list[float]], list[int]]:
        cells = self._cells
        found: tuple[list[str], list[str], list[float]] = ([], [], [])
        kept: list[int] = []
        for number, (query_id, doc_id, value) in enumerate(zip(query_ids, doc_ids, numbers, strict=True)):
            try:
                row = cells.query_ids.one(query_id), cells.doc_ids.one(doc_id), self._number(value)
            except UnusableError as error:
                refuse(self._reading, place(query_id, doc_id, first_row + number), error)
                continue
            found[0].append(row[0])
            found[1].append(row[1])
            found[2].append(row[2])
            kept.append(number)
        return found, kept

    def _number(self, value: Any) -> float:
        found = self._cells.score(value)
        if self.by_rank and not found.is_integer():
            raise UnusableError(f"the rank {found} is not a whole number")
        return found


def _whole(ranks: Sequence[Any] | None) -> list[int] | None:
    """The ranks beside the scores; they decide nothing, so a column that is not all whole numbers is left alone."""
    if ranks is None:
        return None
    kinds = set(map(type, ranks))
    if kinds <= {int}:
        return list(ranks)
    # pandas turns whole numbers into floats where a value of the column was missing once.
    return list(map(int, ranks)) if kinds <= {int, float} and all(map(float.is_integer, map(float, ranks))) else None
