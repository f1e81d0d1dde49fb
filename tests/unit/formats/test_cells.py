from __future__ import annotations

import enum
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from irbridge.errors import InputError, InputErrors
from irbridge.formats.cells import Cells, UnusableError, first_repeat, is_missing, place, refuse
from irbridge.reading import Reading


class Name(str, enum.Enum):
    Q = "q1"


@pytest.fixture
def reading() -> Reading:
    return Reading("mine")


class TestIds:
    @pytest.mark.parametrize("given", ["q1", np.str_("q1"), Name.Q, np.array("q1")])
    def test_text_of_any_kind_is_plain_text(self, reading: Reading, given: Any) -> None:
        found = Cells(reading).query_ids.one(given)
        assert found == "q1"
        assert type(found) is str
        assert reading.notes == {}

    @pytest.mark.parametrize("given", [7, np.int64(7), np.uint8(7)])
    def test_a_whole_number_is_its_digits_and_noted(self, reading: Reading, given: Any) -> None:
        ids = Cells(reading).doc_ids
        assert [ids.one(given), ids.one(given)] == ["7", "7"]
        assert str(reading.notes["numeric-document-ids"]) == "2 document ids were numbers and are read as text"

    @pytest.mark.parametrize(
        "given, message",
        [
            (None, "the query id is missing (None)"),
            (float("nan"), "the query id is missing (nan)"),
            (pd.NA, "the query id is missing (<NA>)"),
            (pd.NaT, "the query id is missing (NaT)"),
            ("", "the query id is empty"),
            (7.0, "the query id 7.0 is a float, not text"),
            (True, "the query id True is a bool, not text"),
            (np.True_, "the query id True is a bool, not text"),
            (b"q1", "the query id b'q1' is a bytes, not text"),
            (Decimal(7), "the query id Decimal('7') is a Decimal, not text"),
            (("q", 1), "the query id ('q', 1) is a tuple, not text"),
            ("q\ud800", r"the query id q\ud800 holds half a surrogate pair, which no file can hold"),
        ],
    )
    def test_what_is_neither_is_refused(self, reading: Reading, given: Any, message: str) -> None:
        with pytest.raises(UnusableError) as caught:
            Cells(reading).query_ids.one(given)
        assert caught.value.message == message
        assert Cells(reading).query_ids.clean([given]) is None

    @pytest.mark.parametrize("first, second", [(1, "1"), ("1", 1)])
    def test_a_number_and_text_in_one_column_never_merge(self, reading: Reading, first: Any, second: Any) -> None:
        ids = Cells(reading).doc_ids
        ids.one(first)
        with pytest.raises(InputError, match=r"^mine: document ids are text here and numbers there; 1 and '1'"):
            ids.one(second)

    def test_the_fast_way_keeps_them_apart_too(self, reading: Reading) -> None:
        ids = Cells(reading).doc_ids
        assert ids.clean([1, 2]) == ["1", "2"]
        ids.admit([1, 2])
        assert reading.notes["numeric-document-ids"].count == 2
        with pytest.raises(InputError, match="text here and numbers there"):
            ids.admit(["1"])
        assert ids.clean([1, "1"]) is None

    def test_the_two_columns_are_independent(self, reading: Reading) -> None:
        cells = Cells(reading)
        assert (cells.query_ids.one(1), cells.doc_ids.one("1")) == ("1", "1")

    def test_the_fast_way_takes_what_the_slow_one_takes(self) -> None:
        assert Cells(Reading()).doc_ids.clean(["d1", "é", "日本", " a b "]) == ["d1", "é", "日本", " a b "]
        assert Cells(Reading()).doc_ids.clean(["é", "\udc80"]) is None
        assert Cells(Reading()).doc_ids.clean([]) == []


class TestGrades:
    @pytest.mark.parametrize("given", [2, np.int64(2), np.uint8(2), np.array(2)])
    def test_a_whole_number_is_taken(self, reading: Reading, given: Any) -> None:
        found = Cells(reading).grade(given)
        assert found == 2
        assert type(found) is int
        assert reading.notes == {}

    # Field note B28: 1.0 is accepted with a note.
    @pytest.mark.parametrize("given", [1.0, np.float32(1), np.float64(1), Decimal("1.0"), Fraction(2, 2)])
    def test_a_fraction_that_is_whole_is_taken_and_noted(self, reading: Reading, given: Any) -> None:
        found = Cells(reading).grade(given)
        assert found == 1
        assert type(found) is int
        assert str(reading.notes["whole-grades"]) == "1 grade such as 1.0 is read as a whole number"

    @pytest.mark.parametrize("given", [True, np.True_])
    def test_a_truth_value_is_one_and_noted(self, reading: Reading, given: Any) -> None:
        found = Cells(reading).grade(given)
        assert type(found) is int
        assert found == 1
        assert reading.notes["truth-grades"].count == 1

    @pytest.mark.parametrize(
        "given, message",
        [
            (0.9, "relevance 0.9 is not a whole number"),
            (Decimal("1.00000000000000000000001"), "relevance 1.00000000000000000000001 is not a whole number"),
            (float("inf"), "relevance inf is not a whole number"),
            (float("nan"), "relevance is missing (nan)"),
            (np.float32("nan"), "relevance is missing (nan)"),
            (None, "relevance is missing (None)"),
            (pd.NA, "relevance is missing (<NA>)"),
            ("1", "relevance '1' is a str, not a number"),
            ([1], "relevance [1] is a list, not a number"),
            (1j, "relevance 1j is a complex, not a number"),
            (Decimal("sNaN"), "relevance sNaN cannot be a float"),
            # A double holds every whole number up to 2^53 = 9007199254740992.
            (9007199254740993, "relevance 9007199254740993 is out of range"),
            (-9007199254740993, "relevance -9007199254740993 is out of range"),
        ],
    )
    def test_anything_else_is_refused(self, reading: Reading, given: Any, message: str) -> None:
        with pytest.raises(UnusableError) as caught:
            Cells(reading).grade(given)
        assert caught.value.message == message
        assert Cells(reading).clean_grades([given]) is None

    def test_the_fast_way_takes_ints_alone(self) -> None:
        limit = 9007199254740992
        assert Cells(Reading()).clean_grades([-2, limit]) == [-2, limit]
        assert Cells(Reading()).clean_grades([]) == []
        assert Cells(Reading()).clean_grades([True]) is None


class TestScores:
    @pytest.mark.parametrize(
        "given, expected",
        [
            (1, 1.0),
            (-0.5, -0.5),
            (True, 1.0),
            (np.int64(3), 3.0),
            (Decimal("0.25"), 0.25),
            (Fraction(1, 4), 0.25),
            (np.array(0.5), 0.5),
            # The nearest float32 to 0.1, as a double: 13421773 / 2^27.
            (np.float32(0.1), 13421773 / 134217728),
        ],
    )
    def test_numbers_of_any_kind_are_floats(self, reading: Reading, given: Any, expected: float) -> None:
        found = Cells(reading).score(given)
        assert found == expected
        assert type(found) is float

    @pytest.mark.parametrize(
        "given, message",
        [
            (None, "the score is missing (None)"),
            (pd.NA, "the score is missing (<NA>)"),
            (float("nan"), "the score is not a number (NaN)"),
            (np.float32("nan"), "the score is not a number (NaN)"),
            ("high", "the score 'high' is a str, not a number"),
            ("1,9", "the score '1,9' is a str, not a number"),
            ("0.5", "the score '0.5' is a str, not a number"),
            (float("-inf"), "the score is infinite (-inf)"),
            (10**400, f"the score 1{'0' * 36}... cannot be a float"),
            (np.array([0.5]), "the score array([0.5]) is a ndarray, not a number"),
        ],
    )
    def test_anything_else_is_refused(self, reading: Reading, given: Any, message: str) -> None:
        with pytest.raises(UnusableError) as caught:
            Cells(reading).score(given)
        assert caught.value.message == message
        assert Cells(reading).clean_scores([given]) is None

    def test_infinities_are_taken_where_they_are_allowed_and_nan_never(self) -> None:
        cells = Cells(Reading(allow_infinite=True))
        assert cells.score(float("-inf")) == float("-inf")
        with pytest.raises(UnusableError, match="NaN"):
            cells.score(float("nan"))

    def test_the_fast_way_makes_floats(self) -> None:
        found = Cells(Reading()).clean_scores([1, 0.5])
        assert found == [1.0, 0.5]
        assert [type(value) for value in found] == [float, float]


def test_missing_is_not_the_same_as_empty_or_zero() -> None:
    assert [is_missing(value) for value in (None, float("nan"), pd.NA, "", 0, "nan", [])] == [True] * 3 + [False] * 4


def test_a_refusal_names_row_query_and_document(reading: Reading) -> None:
    refuse(reading, place("q1", "d2", 3), UnusableError("relevance 0.9 is not a whole number", "map it"))
    with pytest.raises(InputErrors) as caught:
        reading.finish()
    assert caught.value.lines() == [
        "mine: row 3, query q1, document d2: relevance 0.9 is not a whole number",
        "try  map it",
    ]


def test_the_first_repeat_is_found() -> None:
    assert first_repeat(["a", "b", "b", "a"]) == "b"
    assert first_repeat(["a", "b"]) == ""
