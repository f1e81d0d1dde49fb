from __future__ import annotations

import pytest

from irbridge.errors import (
    InputError,
    InputErrors,
    IrbridgeError,
    LossError,
    MissingDependency,
    UnknownName,
    UsageError,
    quoted,
    shown,
)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("plain", "plain"),
        ("a\tb\n", "a\\tb\\n"),
        ("\x1b[31mred", "\\x1b[31mred"),  # would colour the terminal
        ("abc\u202edef", "abc\\u202edef"),  # would turn the text round
        ("\ud800", "\\ud800"),
        ("é文", "é文"),
        ("\U000e0001", "\\U000e0001"),
        (12, "12"),
    ],
)
def test_shown_escapes_what_a_terminal_would_obey(text: object, expected: str) -> None:
    assert shown(text) == expected


def test_shown_cuts_what_is_long() -> None:
    assert shown("x" * 80) == "x" * 80
    assert shown("x" * 81) == "x" * 77 + "..."
    assert shown("abcdefgh", 5) == "ab..."


class Mute:
    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


def test_what_cannot_be_printed_is_shown_all_the_same() -> None:
    assert shown(10**5000) == quoted(10**5000) == "a number of thousands of digits"
    assert shown(Mute()) == quoted(Mute()) == "a Mute without a text"
    assert quoted("a\x1b'") == '"a\\x1b\'"'
    assert quoted([1, 2, 3], 6) == "[1,..."


def test_the_tree() -> None:
    assert issubclass(UnknownName, UsageError)
    assert issubclass(InputErrors, InputError)
    for kind in (UsageError, InputError, MissingDependency, LossError):
        assert issubclass(kind, IrbridgeError)
        assert kind.exit_code == 2


@pytest.mark.parametrize(
    "error, lines",
    [
        (IrbridgeError("no way"), ["no way"]),
        (UsageError("no way", hint="another"), ["no way", "try  another"]),
        (UnknownName("measure", "ndgc", ["nDCG", "ndcg"]), ["'ndgc' is not a measure; did you mean nDCG or ndcg?"]),
        (UnknownName("format", "x\x07"), ["'x\\x07' is not a format"]),
        (MissingDependency("pyarrow", "parquet"), ["pyarrow is not installed", "try  pip install 'irbridge[parquet]'"]),
        (MissingDependency("perl"), ["perl is not installed", "try  pip install perl"]),
        (InputError("is odd"), ["is odd"]),
        (InputError("is odd", path="a.run"), ["a.run: is odd"]),
        (
            InputError("is odd", path="a.run", line=7, text="q1\tx", hint="mend it"),
            ["a.run:7: is odd", "text q1\\tx", "try  mend it"],
        ),
    ],
)
def test_an_error_says_where_what_and_the_way_out(error: IrbridgeError, lines: list[str]) -> None:
    assert error.lines() == lines


def test_gathered_errors_say_the_same_way_out_once() -> None:
    first = InputError("bad grade", path="q", line=1, text="a", hint="mend it")
    second = InputError("bad grade", path="q", line=4, text="b", hint="mend it")
    third = InputError("two columns", path="q", line=9, hint="add two")
    error = InputErrors([first, second, third])
    assert str(error) == "q:1: bad grade"
    assert error.lines() == [
        "q:1: bad grade",
        "text a",
        "try  mend it",
        "also q:4: bad grade",
        "text b",
        "also q:9: two columns",
        "try  add two",
    ]
    assert InputErrors([first], more=True).lines()[-1] == "reading stopped after 1 problems; there may be more"
