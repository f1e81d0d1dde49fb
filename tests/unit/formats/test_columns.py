from __future__ import annotations

import pytest

from irbridge.formats.columns import Columns, fields, integer, integers, number, numbers


def taken_apart(text: str, width: int) -> list[list[str]] | None:
    found = Columns.of(text, width, text.count("\n"))
    if found is None:
        return None
    return [found.first, *(found.middle(number) for number in range(1, width - 1)), found.last]


class TestFields:
    @pytest.mark.parametrize(
        "line, expected",
        [
            ("a b  c", ["a", "b", "c"]),
            (" \ta\tb\v\fc\r", ["a", "b", "c"]),
            # White space to Unicode, not to C's isspace: part of an id.
            ("a\u00a0b c\u0085d e\u2028f g\x1ch", ["a\u00a0b", "c\u0085d", "e\u2028f", "g\x1ch"]),
            ("", []),
            (" \t", []),
        ],
    )
    def test_only_ascii_white_space_sets_columns_apart(self, line: str, expected: list[str]) -> None:
        assert fields(line) == expected


class TestColumns:
    @pytest.mark.parametrize(
        "text",
        [
            "q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n",
            "q1\t0\ta\t1\nq1\t0\tb\t0\nq2\t0\tc\t1\n",
            "  q1 0   a 1 \n\tq1 0 b\v0\nq2 0 c\f1\r\n",
        ],
    )
    def test_a_regular_block(self, text: str) -> None:
        assert taken_apart(text, 4) == [["q1", "q1", "q2"], ["0", "0", "0"], ["a", "b", "c"], ["1", "0", "1"]]

    def test_a_block_whose_joints_repeat(self) -> None:
        text = "".join(f"q{row // 10} 0 d{row} 1\n" for row in range(40))
        assert taken_apart(text, 4) == [
            [f"q{row // 10}" for row in range(40)],
            ["0"] * 40,
            [f"d{row}" for row in range(40)],
            ["1"] * 40,
        ]

    @pytest.mark.parametrize(
        "text",
        [
            "a b c\n",
            "a b c d e\n",
            # The number of columns is right on the whole, and in no line.
            "a b c\na b c d e\n",
            "a b c d e\na b c\n",
            "a\nb c d e f g h\n",
            "a b c d e f g\nh\n",
            "a b c d\n\na b c d\n",
            "\na b c d\n",
            "a b c d\n\n",
            "# c\na b c d\n",
            "a b c d\n#b b c d\n",
            # An empty column is none.
            "a  c d\n",
            " b c d\n",
            "a b c \n",
            "a b c  d e\n\n\n",
        ],
    )
    @pytest.mark.parametrize("more", ["", "x 0 y 1\n" * 30])
    def test_an_irregular_block_is_left_to_the_careful_way(self, text: str, more: str) -> None:
        assert taken_apart(more + text, 4) is None
        assert taken_apart(text + more, 4) is None

    def test_a_hash_inside_a_line_is_no_comment(self) -> None:
        assert taken_apart("a #b c# d#\n", 4) == [["a"], ["#b"], ["c#"], ["d#"]]
        found = Columns.of("#a b c d\n", 4, 1, comments=False)
        assert found is not None
        assert found.first == ["#a"]


class TestNumbers:
    @pytest.mark.parametrize("text, value", [("0", 0), ("-2", -2), ("007", 7), ("-0", 0), ("0" * 5000 + "3", 3)])
    def test_integers(self, text: str, value: int) -> None:
        assert integer(text) == value
        assert integers([text], signed=True) in ([value], None)

    @pytest.mark.parametrize("text", ["+1", "1_000", "٣", "1.0", "", "-", "--1", "1-", "0x1", " 1", "1e3", "yes", "²"])
    def test_what_is_no_integer(self, text: str) -> None:
        assert integer(text) is None
        assert integers(["1", text], signed=True) is None

    def test_an_enormous_integer_is_quick_and_out_of_range(self) -> None:
        found = integer("9" * 1_000_000)
        assert found is not None
        assert found > 2**53
        assert integers(["9" * 1_000_000], signed=True) is None
        assert integers([str(2**53)], signed=True) == [2**53]
        assert integers([str(2**53 + 1)], signed=True) is None
        assert integers([str(-(2**53) - 1), "1"], signed=True) is None

    def test_ranks_have_no_sign(self) -> None:
        assert integers(["1", "2"], signed=False) == [1, 2]
        assert integers(["1", "-2"], signed=False) is None

    @pytest.mark.parametrize(
        "text, value",
        [
            ("1.5", 1.5),
            ("-.5", -0.5),
            ("5.", 5.0),
            ("1.2e1", 12.0),
            ("+3E-2", 0.03),
            ("1e0", 1.0),
            ("12", 12),
            ("0", 0),
        ],
    )
    def test_decimal_numbers(self, text: str, value: float) -> None:
        assert number(text) == value
        assert type(number(text)) is type(value)
        assert numbers([text, "0.5"]) == [value, 0.5]
        assert type((numbers([text, "0.5"]) or [])[0]) is type(value)

    @pytest.mark.parametrize(
        "text", ["high", "1,9", "0x10", "1_0", "", ".", "e5", "1e", "1e1.5", "٣", "1 ", "--1", "0b1"]
    )
    def test_what_is_no_number(self, text: str) -> None:
        assert number(text) is None
        assert numbers(["1.0", text]) is None

    @pytest.mark.parametrize("text", ["nan", "NaN", "inf", "-Infinity", "1e999", "-1e999", "9" * 400])
    def test_what_is_not_finite_is_never_taken_unseen(self, text: str) -> None:
        assert numbers(["1.0", text]) is None
        assert number(text) not in (None, 1.0)

    def test_large_but_finite_numbers_fall_back(self) -> None:
        assert numbers(["1e308", "1e308"]) is None  # the sum overflows; the careful way takes both
        assert number("1e308") == 1e308
