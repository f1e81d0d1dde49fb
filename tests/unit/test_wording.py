from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import irbridge
from irbridge.wording import counted, sayable, worded

SOURCES = sorted(Path(irbridge.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize(
    "number, said", [(0, "0 queries"), (1, "1 query"), (2, "2 queries"), (12345, "12,345 queries")]
)
def test_one_thing_is_named_in_the_singular(number: int, said: str) -> None:
    assert counted(number, "query", "queries") == said
    assert worded("{n} {query|queries}", number) == said


def test_the_regular_plural_needs_no_word() -> None:
    assert [counted(number, "label") for number in (1, 3)] == ["1 label", "3 labels"]


def test_words_that_depend_on_the_number_too() -> None:
    text = "{n} {row has|rows have} a {|double }quote"
    assert worded(text, 1) == "1 row has a quote"
    assert worded(text, 1000) == "1,000 rows have a double quote"


def test_every_note_that_counts_knows_the_singular() -> None:
    """A text with `{n}` names what it counts in both forms."""
    texts = [
        node.value
        for path in SOURCES
        if path.name != "wording.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "{n}" in node.value
        if not re.search(r"`\{n\}`", node.value)
    ]
    assert len(texts) > 15
    # An f-string is in pieces: one that begins with the number may have its noun in the next.
    assert [text for text in texts if "|" not in text and not text.endswith(("{n} ", " ids", "of {n}"))] == []


def test_bytes_of_a_path_that_are_no_text_are_told() -> None:
    assert sayable({"out": "caf\udce9", "rows": [1, "é", None, ("\udcff",)]}) == {
        "out": "caf\\xe9",
        "rows": [1, "é", None, ["\\xff"]],
    }
    assert sayable("\ud800") == "\\ud800"
