from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import irbridge
from irbridge.wording import counted, ending, misread, sayable, shell_word, worded

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


@pytest.mark.parametrize(
    "text, said",
    [
        ("{", "expecting property name enclosed in double quotes at character 2"),
        ('["a', "unterminated string starting at character 2"),
        ('[\n"a\t"]', "invalid control character at character 3"),
        ("[1] 2", "extra data at character 5"),
    ],
)
def test_why_a_text_is_no_json(text: str, said: str) -> None:
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads(text)
    assert misread(caught.value) == said


WORDS = {
    "plain.jsonl": "plain.jsonl",
    "two words": "'two words'",
    "é": "'é'",
    "a\nb\tc\rd": r"$'a\nb\tc\rd'",
    "\x1b1\\'": r"$'\0331\\\''",
    "\u202ex": r"$'\342\200\256x'",
    "\udce9": r"$'\351'",  # a byte of a path that is no text
}


@pytest.mark.parametrize("text", WORDS)
def test_a_shell_takes_what_can_be_seen(text: str) -> None:
    word = shell_word(text)
    assert word == WORDS[text]
    assert word.isprintable()
    bash = shutil.which("bash")
    if bash is not None:
        done = subprocess.run([bash, "-c", f"printf %s {word}"], capture_output=True, check=True)
        assert done.stdout == text.encode("utf-8", "surrogateescape")


def test_a_long_path_keeps_its_end() -> None:
    assert ending("a/b.run", 7) == "a/b.run"
    assert ending("folder/b.run", 9) == "..." + "/b.run"
    assert ending("a\n/b.run", 60) == "a\\n/b.run", "escaped, as everything that is shown"
