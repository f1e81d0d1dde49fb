"""irbridge's own chunkers on small texts; every expected span is counted by hand from the rules of spec/chunkers.md."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import plain_chunkers

from irbridge.chunking import chunker
from irbridge.chunking.sentences import ABBREVIATIONS, BEFORE_NUMBERS


def texts(spec: str, text: str) -> list[str]:
    return [text[start:end] for start, end in chunker(spec).spans(text)]


@pytest.mark.parametrize(
    "spec, text, expected",
    [
        ("whole/1", "  ab\ncd \r\n", [(2, 7)]),
        # Windows [0,4) [3,7) [6,9): step 4 - 1; the third reaches the end.
        ("fixed/4/1", "abcdefghi", [(0, 4), (3, 7), (6, 9)]),
        # The third window would be [6,9) of 7 characters, but the second ends there already.
        ("fixed/4/1", "abcdefg", [(0, 4), (3, 7)]),
        # Windows "ab  " "    " "  cd": trimmed, the blank one left out.
        ("fixed/4/0", "ab        cd", [(0, 2), (10, 12)]),
        # [0,3) "a b", [2,5) "b  " trimmed to [2,3): adds nothing; [4,7) " c" to [5,6).
        ("fixed/3/1", "a b  c", [(0, 3), (5, 6)]),
        # CRLF and a combining accent are two code points each: a window may part them.
        ("fixed/2/0", "e\u0301\r\nx", [(0, 2), (4, 5)]),
        ("fixed/1/0", "👩\u200d👧", [(0, 1), (1, 2), (2, 3)]),
        ("fixed/2/0", "\x00\x00\x00", [(0, 2), (2, 3)]),
        # A. B! C? -> three sentences at 0, 3, 6.
        ("sentence/1", "A b. C d! E", [(0, 4), (5, 9), (10, 11)]),
        ("sentence/2/1", "Aa. Bb. Cc.", [(0, 7), (4, 11)]),
        ("sentence/5", "Aa. Bb. Cc.", [(0, 11)]),
    ],
)
def test_spans(spec: str, text: str, expected: list[tuple[int, int]]) -> None:
    assert chunker(spec).spans(text) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Dr. Smith met Mr. Jones. They spoke.", ["Dr. Smith met Mr. Jones.", "They spoke."]),
        ("See e.g. Fig. 3 and No. 7 of the U.S. Army. Yes.", ["See e.g. Fig. 3 and No. 7 of the U.S. Army.", "Yes."]),
        ("He said no. Then he left.", ["He said no.", "Then he left."]),
        ("Shown by Li et al. (2020). Good.", ["Shown by Li et al. (2020).", "Good."]),
        ("Also by Li et al. Others differ.", ["Also by Li et al.", "Others differ."]),
        ("J. R. Smith wrote it. I read it.", ["J. R. Smith wrote it.", "I read it."]),
        ("Version 1.5 costs 3.20 now. Buy.", ["Version 1.5 costs 3.20 now.", "Buy."]),
        ("It was 1999. 2000 came.", ["It was 1999.", "2000 came."]),
        ("1. First thing\n2. Second thing", ["1. First thing\n2. Second thing"]),
        ("Really?! Yes... No", ["Really?!", "Yes...", "No"]),
        ("“Why?” he asked. (So.) Then.", ["“Why?” he asked.", "(So.)", "Then."]),
        ("wait... what? ok", ["wait... what? ok"]),
        # With a full-width exclamation mark.
        (
            "这是第一句。这是第二句\uff01「第三句。」第四句",
            ["这是第一句。", "这是第二句\uff01", "「第三句。」", "第四句"],
        ),
        ("यह है। वह है।", ["यह है।", "वह है।"]),
        ("Title without stop\n\nBody here", ["Title without stop", "Body here"]),
        ("wrapped at\r\nthe margin. Next", ["wrapped at\r\nthe margin.", "Next"]),
        ("ratio a.b; x.Y stays", ["ratio a.b; x.Y stays"]),
        ("no-abbreviation-longer-than-that. Next", ["no-abbreviation-longer-than-that.", "Next"]),
        ("Ende bzw. Anfang. Он ушёл. она", ["Ende bzw. Anfang.", "Он ушёл. она"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert texts("sentence/1", text) == expected


@pytest.mark.parametrize(
    "spec, text, expected",
    [
        # 12 characters fit whole.
        ("recursive/12", "aaa bbb\n\ncc.", ["aaa bbb\n\ncc."]),
        # Paragraphs of 7, 3 and 2: the first two take 12 together, which is too much; the last two take 7.
        ("recursive/11", "aaa bbb\n\nccc\n\ndd", ["aaa bbb", "ccc\n\ndd"]),
        # The first paragraph (9) is too long for 8 and is cut into lines on its own; its last line is not joined with the next paragraph.
        ("recursive/8", "aaaa\nbbbb\n\ncc", ["aaaa", "bbbb", "cc"]),
        # One line of two sentences (6 + 1 + 6).
        ("recursive/8", "One b. Two c.", ["One b.", "Two c."]),
        # Words, packed to 7.
        ("recursive/7", "aa bb cc dd", ["aa bb", "cc dd"]),
        # A word longer than the size, cut every 4; "x" begins anew.
        ("recursive/4", "abcdefghi x", ["abcd", "efgh", "i", "x"]),
        # Overlap by whole words: 3 characters before "cc" hold " bb" -> "bb".
        ("recursive/8/3", "aa bb cc dd", ["aa bb cc", "cc dd"]),
        # Inside a word the overlap is of characters: [0,4) [2..6) [4..7).
        ("recursive/4/2", "abcdefg", ["abcd", "cdef", "efg"]),
        # The unit "ddddd" (5 of 6) leaves room for one character of overlap, which is no word.
        ("recursive/6/3", "aa bb\n\nddddd", ["aa bb", "ddddd"]),
        # Room for 3: the word "bb" and the break.
        ("recursive/6/4", "aa bb\n\ndd", ["aa bb", "bb\n\ndd"]),
        # The cut at 4 would part e and its accent, so it is at 3.
        ("recursive/4", "abce\u0301fg", ["abc", "e\u0301fg"]),
        # A family joined by U+200D has five code points; it does not fit, the cut falls where it must.
        ("recursive/3", "👩\u200d👧\u200d👦", ["👩\u200d👧", "\u200d👦"]),
        ("recursive/5", "👩\u200d👧 ok", ["👩\u200d👧", "ok"]),
        # CR LF is one line break, LF LF two; a lone CR is one.
        ("recursive/5", "aaa\r\nbb\r\rcc", ["aaa", "bb", "cc"]),
        ("recursive/6", "aa\r\nbb", ["aa\r\nbb"]),
        # No wide mark is lost without spaces.
        ("recursive/4", "一二。三四。五", ["一二。", "三四。五"]),
    ],
)
def test_recursive(spec: str, text: str, expected: list[str]) -> None:
    assert texts(spec, text) == expected


PAGE = """# Title

Intro text here. More text.

## Part A

text a
```py
x = 1

# no heading
y = 2
```
after

Setext
===
- a
- b
"""


@pytest.mark.parametrize(
    "spec, expected",
    [
        # Headings of rank 1 begin at "# Title" and at "Setext"; the first section (102) is too long, its part before "## Part A" (36) is not.
        # "## Part A" and "text a" (17) fit together; the fence (34) does not fit beside them, and "after" not beside the fence.
        (
            "markdown/38",
            [
                "# Title\n\nIntro text here. More text.",
                "## Part A\n\ntext a",
                "```py\nx = 1\n\n# no heading\ny = 2\n```",
                "after",
                "Setext\n===\n- a\n- b",
            ],
        ),
        # Too small for the fence: it is cut at its lines, and "# no heading" is none.
        (
            "markdown/20",
            [
                "# Title",
                "Intro text here.",
                "More text.",
                "## Part A\n\ntext a",
                "```py\nx = 1",
                "# no heading\ny = 2",
                "```\nafter",
                "Setext\n===\n- a\n- b",
            ],
        ),
        ("markdown/500", [PAGE.strip()]),
    ],
)
def test_markdown(spec: str, expected: list[str]) -> None:
    if spec == "markdown/20":
        # The closing line of the fence is cut off alone, for the fence had to be cut and shares no chunk with "after".
        expected[6:7] = ["```", "after"]
    assert texts(spec, PAGE) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        # Four backticks are not closed by three.
        ("````\na\n```\n# b\n````\n\nccc", ["````\na\n```\n# b\n````", "ccc"]),
        # A fence that is never closed goes on to the end.
        ("xxxxx\n\n~~~\n# a\n\n# b\n\n# c", ["xxxxx", "~~~\n# a\n\n# b\n\n# c"]),
        # Seven marks, or no space: no heading. One block.
        ("####### a\n#b\nccc ddd\neee ff", ["####### a\n#b\nccc ddd", "eee ff"]),
        # A rule after a list is no heading of it: block by block.
        ("- aaaaaaaaaa\n---\n\nbbbbbbbbbbbb", ["- aaaaaaaaaa\n---", "bbbbbbbbbbbb"]),
        # The rank-1 break is stronger than the rank-2 break: "## b" stays with its own section.
        ("# aaaa\n\n# bbbb\n\n## c\n\n# ddddd", ["# aaaa\n\n# bbbb\n\n## c", "# ddddd"]),
    ],
)
def test_markdown_marks(text: str, expected: list[str]) -> None:
    assert texts("markdown/22", text) == expected


def test_the_lists_of_abbreviations_are_those_of_the_specification(root: Path) -> None:
    page = " ".join((root / "spec/chunkers.md").read_text(encoding="utf-8").split())
    always = page.partition("a. it is one of: ")[2].partition(";")[0].split()
    numbered = page.partition("c. it is one of: ")[2].partition(", and *next*")[0].split()
    assert set(always) == ABBREVIATIONS == plain_chunkers.ALWAYS
    assert set(numbered) == BEFORE_NUMBERS == plain_chunkers.NUMBERED


def test_a_text_with_nothing_to_cut_at_costs_no_more_than_its_length() -> None:
    """Counted in characters looked at by Python code, not in seconds: positions asked of a str that counts."""

    class Counting(str):
        __slots__ = ()
        looks = 0

        def __getitem__(self, key):
            Counting.looks += 1 if isinstance(key, int) else len(range(*key.indices(len(self))))
            return super().__getitem__(key)

    costs = []
    for length in (20_000, 40_000):
        total = 0
        for text in (
            "x" * length,
            "x " * (length // 2),
            ". " * (length // 2),
            " " * length,
            "a\n" * (length // 2),
            "\r" * length,
        ):
            Counting.looks = 0
            for spec in ("recursive/64/32", "markdown/64/32", "fixed/64/32", "sentence/3/1", "whole/1"):
                chunker(spec).spans(Counting(text))
            total += Counting.looks
        costs.append(total)
    assert costs[0] < 20_000 * 6 * 40
    assert costs[1] < costs[0] * 2.1
