"""Values that other programs hand over: ids become text, grades whole numbers, scores finite floats, or are refused.

Every format whose values have types of their own (objects in memory, parquet, JSON) sends them through here, so that
all of them take and refuse the same things. Numbers of numpy, torch and the like are taken for what they hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import copysign, isfinite, isnan
from numbers import Integral, Real
from typing import Any

from irbridge.errors import InputError, quoted, shown
from irbridge.ids import fault, faultless
from irbridge.qrels import GRADE_LIMIT
from irbridge.reading import Reading


class UnusableError(ValueError):
    """A value that cannot be taken; the reader adds where it stands."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def plain(value: Any) -> Any:
    """The Python value inside a scalar of numpy, torch or jax; anything else as it is."""
    if getattr(value, "ndim", None) == 0 and callable(getattr(value, "item", None)):
        return value.item()
    return value


def is_missing(value: Any) -> bool:
    """Whether a program meant "no value": None, NaN, pandas.NA, NaT."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    value = plain(value)
    return isinstance(value, float) and isnan(value)


class Ids:
    """The ids of one column, `query`, `document` or `chunk`.

    Ids are text. Whole numbers are taken as their digits, which is noted; but where one column has both numbers and text
    it is refused, because 1 and "1" would silently become one id.
    """

    def __init__(self, reading: Reading, what: str) -> None:
        self._reading = reading
        self._what = what
        self._numbers: bool | None = None

    @staticmethod
    def clean(values: Collection[Any]) -> list[str] | None:
        """All of them as text, or None where one needs a closer look. `admit` them when they are used."""
        kinds = set(map(type, values))
        if kinds == {int}:
            try:
                return list(map(str, values))
            except ValueError:  # Python prints no integer of 4,301 digits
                return None
        return list(values) if kinds <= {str} and faultless(values) else None

    def admit(self, values: Collection[Any]) -> None:
        """Take note of values that were `clean`.

        Raises:
            InputError: numbers and text in one column.
        """
        for first in values:
            self._same_kind(number=type(first) is int, value=first, count=len(values))
            break

    def one(self, value: Any) -> str:
        """One of them as text.

        Raises:
            UnusableError: neither text nor a whole number.
            InputError: numbers and text in one column.
        """
        if not isinstance(value, str):
            value = plain(value)
        if isinstance(value, str):
            # A subclass (numpy's, an enum's) may print itself in another way; its characters are meant.
            text = str.__str__(value)
            if (wrong := fault(text)) is not None:
                raise UnusableError(f"the {self._what} id {f'{shown(text)} ' if text else ''}{wrong}")
            self._same_kind(number=False, value=text)
            return text
        if not isinstance(value, bool) and isinstance(value, Integral):
            self._same_kind(number=True, value=value)
            try:
                return str(int(value))
            except ValueError:
                raise UnusableError(f"the {self._what} id is {shown(value)}") from None
        raise self._refused(value)

    def _refused(self, value: Any) -> UnusableError:
        if is_missing(value):
            return UnusableError(f"the {self._what} id is missing ({quoted(value, 40)})")
        hint = "make ids text first"
        if isinstance(value, float):
            hint += "; pandas turns whole numbers into floats where a value of the column is missing"
        if isinstance(value, bytes):
            hint = "decode ids first"
        return UnusableError(f"the {self._what} id {quoted(value, 40)} is a {type(value).__name__}, not text", hint)

    def _same_kind(self, *, number: bool, value: Any, count: int = 1) -> None:
        if self._numbers is None:
            self._numbers = number
        elif self._numbers is not number:
            raise InputError(
                f"{self._what} ids are text here and numbers there; 1 and '1' would become one id",
                path=self._reading.label,
                text=quoted(value),
                hint="make all of them text",
            )
        if number:
            self._reading.note(
                f"numeric-{self._what}-ids",
                f"{{n}} {self._what} {{id was a number and is|ids were numbers and are}} read as text",
                count=count,
            )


class Cells:
    """The converters that one reading needs.

    Attributes:
        query_ids: for the query ids.
        doc_ids: for the document ids.
        chunk_ids: for the chunk ids.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.query_ids = Ids(reading, "query")
        self.doc_ids = Ids(reading, "document")
        self.chunk_ids = Ids(reading, "chunk")

    @staticmethod
    def clean_grades(values: Collection[Any]) -> list[int] | None:
        """All of them, or None where one needs a closer look."""
        if not set(map(type, values)) <= {int}:
            return None
        in_range = not values or (min(values) >= -GRADE_LIMIT and max(values) <= GRADE_LIMIT)
        return list(values) if in_range else None

    def grade(self, value: Any) -> int:
        """A relevance grade: a whole number, a truth value, or a fraction that is whole (1.0; noted; not -0.0).

        Raises:
            UnusableError: missing, not a number, not whole, or beyond what a double can tell apart.
        """
        value = plain(value)
        if isinstance(value, bool):
            self._reading.note(
                "truth-grades", "{n} {grade was|grades were} True or False and {is|are} read as 1 {or|and} 0"
            )
            return int(value)
        if isinstance(value, Integral):
            found = int(value)
        else:
            number = _number(value, "relevance")
            if isnan(number):
                raise UnusableError(f"relevance is missing ({quoted(value, 40)})")
            # Compared as it came: a decimal may be closer to a whole number than a float can show.
            if not isfinite(number) or value != int(value) or (number == 0 and copysign(1, number) < 0):
                raise UnusableError(
                    f"relevance {shown(value, 40)} is not a whole number",
                    "decide which grade it stands for and map it first",
                )
            found = int(value)
            self._reading.note(
                "whole-grades", "{n} {grade|grades} such as 1.0 {is|are} read as {a whole number|whole numbers}"
            )
        if not -GRADE_LIMIT <= found <= GRADE_LIMIT:
            raise UnusableError(f"relevance {shown(found, 40)} is out of range", "grades lie within +-2**53")
        return found

    @staticmethod
    def clean_scores(values: Collection[Any]) -> list[float] | None:
        """All of them, or None where one needs a closer look."""
        if not set(map(type, values)) <= {float, int}:
            return None
        try:
            found = list(map(float, values))
        except OverflowError:
            return None
        return found if all(map(isfinite, found)) else None

    def score(self, value: Any) -> float:
        """A system's score: a finite float; infinite only where the reading allows it.

        Raises:
            UnusableError: missing, not a number, NaN or infinite.
        """
        number = _number(plain(value), "the score")
        if isnan(number):
            raise UnusableError("the score is not a number (NaN)")
        if not isfinite(number) and not self._reading.allow_infinite:
            raise UnusableError(
                f"the score is infinite ({number})", "infinite scores are read only where they are allowed"
            )
        return number


def _number(value: Any, what: str) -> float:
    """A float from any real number, `decimal.Decimal` included; text is no number."""
    if isinstance(value, Real) or type(value).__name__ == "Decimal":
        try:
            return float(value)
        except (OverflowError, ValueError):
            raise UnusableError(f"{what} {shown(value, 40)} cannot be a float") from None
    if is_missing(value):
        raise UnusableError(f"{what} is missing ({quoted(value, 40)})")
    hint = "turn the column into numbers first" if isinstance(value, str) else None
    raise UnusableError(f"{what} {quoted(value, 40)} is a {type(value).__name__}, not a number", hint)


def refuse(reading: Reading, where: str, error: UnusableError) -> None:
    """Report an unusable value to the reading: `where` names the row, the query and the document as far as known."""
    reading.bad_row(f"{where}: {error.message}" if where else error.message, hint=error.hint)


def place(query_id: Any, doc_id: Any = None, row: int | None = None) -> str:
    """`row 3, query q1, document d2`, as far as known; rows count from 1."""
    parts = [f"row {row:,}"] if row is not None else []
    if query_id is not None:
        parts.append(f"query {shown(query_id, 40)}")
    if doc_id is not None:
        parts.append(f"document {shown(doc_id, 40)}")
    return ", ".join(parts)


def placed_scores(doc_ids: Sequence[str], scores: Sequence[float] | None) -> Sequence[float]:
    """The scores; for a plain list, best first, made-up ones that fall by one from its length to 1."""
    return scores if scores is not None else [float(left) for left in range(len(doc_ids), 0, -1)]


def first_repeat(keys: Iterable[str]) -> str:
    """The first key that stood before, or an empty string."""
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            return key
        seen.add(key)
    return ""
