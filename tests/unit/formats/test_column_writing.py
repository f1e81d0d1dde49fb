from __future__ import annotations

import pytest

from irbridge.errors import InputError
from irbridge.formats.column_writing import checked_id, encoded, number_text, written_whole


class TestNumbers:
    @pytest.mark.parametrize(
        "value, text",
        [
            (0.1, "0.1"),
            (25.299900, "25.2999"),
            (24.0, "24.0"),
            (24, "24"),
            (1e22, "1e+22"),
            (5e-324, "5e-324"),
            (-0.0, "-0.0"),
        ],
    )
    def test_numbers_are_written_in_their_shortest_form(self, value: float, text: str) -> None:
        assert number_text(value) == text

    def test_scalars_of_numpy_are_written_as_numbers(self) -> None:
        import numpy as np

        assert number_text(np.float64(1.5)) == "1.5"
        assert number_text(np.float32(0.5)) == "0.5"

    def test_nan_is_not_written(self) -> None:
        with pytest.raises(InputError, match="NaN"):
            number_text(float("nan"))


class TestIds:
    @pytest.mark.parametrize("value", ["d1", "a\u00a0b", "x#y", "http://a/b?c=d", "\u2028", "-1"])
    def test_what_can_be_a_column(self, value: str) -> None:
        assert checked_id("document id", value, "#") == value

    @pytest.mark.parametrize("value", ["", "a b", "a\tb", "a\n", "\v", "a\rb", "a\0b"])
    def test_what_cannot(self, value: str) -> None:
        with pytest.raises(InputError) as raised:
            checked_id("document id", value)
        assert "beir-qrels" in str(raised.value.hint)
        assert "judgments" in str(raised.value.hint)

    def test_what_cannot_stand_first(self) -> None:
        with pytest.raises(InputError, match="would be read as a comment"):
            checked_id("query id", "#1", "#\ufeff")
        with pytest.raises(InputError, match="would be read as a byte order mark"):
            checked_id("query id", "\ufeff1", "#\ufeff")

    def test_a_lone_surrogate_has_no_bytes(self) -> None:
        with pytest.raises(InputError, match="lone surrogate") as raised:
            encoded("q1 a\nq2 b\udc00\nq3 c\n")
        assert raised.value.text == "q2 b\udc00"


@pytest.mark.parametrize(
    "text, whole",
    [
        ("a 0 b 1\n", True),
        ("a 0 b 1\nc 0 d 1\n", False),
        ("a 0 b 1 \n", False),
        ("a 0 b \n", False),
        (" 0 b 1\n", False),
        ("a  b 1\n", False),
        ("a 0 b\t 1\n", False),
        ("a 0 b\0 1\n", False),
        ("a 0 \n 1", False),
        ("a\u00a0 0 \u2028 1\n", True),
    ],
)
def test_text_with_other_separators_than_were_written_is_noticed(text: str, whole: bool) -> None:
    assert written_whole(text, 3, 1) is whole
