"""Where sentences end: a small set of rules and lists, the same in every language. Normative: spec/chunkers.md.

No model and no Unicode property is asked, so that an upgrade of neither moves a chunk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from irbridge.chunking.extents import SPACE, first_nonblank
from irbridge.identity import STRIPPED

#: These end a sentence with or without white space after them.
_WIDE = "\u3002\uff01\uff1f\uff61"
#: These end one where white space follows: . ! ? and those of Armenian, Arabic, Urdu, Indic, Burmese, Ethiopic, Khmer.
_SPACED = ".!?\u2026\u203c\u203d\u2047\u2048\u2049\u0589\u061f\u06d4\u0964\u0965\u104a\u104b\u1362\u1367\u1368\u17d4"
_CLOSERS = ")]}\"'\u2019\u201d\u00bb\u203a\u300b\u300d\u300f\u3011\u3015\uff09\uff3d\uff5d"
_OPENERS = "([{\"'\u2018\u201c\u00ab\u2039\u201e\u201a"
_END = re.compile(f"([{re.escape(_WIDE + _SPACED)}]+)([{re.escape(_CLOSERS)}]*)")
#: What does not begin a sentence: a lower-case letter (Latin, Greek, Cyrillic) or a mark that goes on.
_GOES_ON = re.compile("[a-z\u00df-\u00f6\u00f8-\u00ff\u03ac-\u03ce\u0430-\u045f,;:]")
_NUMBER = re.compile(r"[0-9(\[]")
_WORD_LIMIT = 16
_WORD = re.compile(f"[^{SPACE}{re.escape(_OPENERS)}]*\\Z")
_LETTERS = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]|[A-Z]")
_ITEM = re.compile(r"[0-9]{1,4}|[A-Za-z]")
_LINE_STARTS = "\n\r\v\f\x85\u2028\u2029"

#: A full stop after one of these ends no sentence.
ABBREVIATIONS = frozenset(
    (  # noqa: SIM905 - a list of forty strings would be harder to read
        "mr mrs ms mx dr prof st mt messrs gen col lt sgt capt cmdr maj rev hon sen rep gov pres mme mlle sra dra "
        "vs cf viz approx resp incl excl esp bzw vgl ggf evtl inkl"
    ).split()
)
#: The same where a digit or an opening bracket follows.
BEFORE_NUMBERS = frozenset(
    (  # noqa: SIM905 - as above
        "no nos nr vol vols fig figs eq eqs sec sect art ch chap p pp par abb tab al ed eds ca c est "
        "jan feb mar apr jun jul aug sep sept oct nov dec"
    ).split()
)


def sentences(text: str, start: int, end: int) -> Iterator[int]:
    """Where the second sentence of [start, end) begins, and the third, and so on."""
    for found in _END.finditer(text, start, end):
        after = found.end()
        if after >= end:
            return
        wide = text[found.end(1) - 1] in _WIDE
        if not wide and text[after] not in STRIPPED:
            continue
        begin = first_nonblank(text, after, end)
        if begin >= end:
            return
        if wide or not _is_inside(text, found, begin):
            yield begin


def _is_inside(text: str, found: re.Match[str], begin: int) -> bool:
    """Whether the sentence goes on after this mark; `begin` is the next character that is not blank."""
    if _GOES_ON.match(text, begin):
        return True
    if found.group(1) != ".":
        return False
    stop = found.start()
    if stop == 0 or text[stop - 1] in STRIPPED:
        return False
    back = text[max(0, stop - _WORD_LIMIT) : stop]
    match = _WORD.search(back)
    word = match.group() if match else ""
    if not word or len(word) == _WORD_LIMIT:
        return False
    if _LETTERS.fullmatch(word) or _lower(word) in ABBREVIATIONS:
        return True
    if _lower(word) in BEFORE_NUMBERS:
        return _NUMBER.match(text, begin) is not None
    return _ITEM.fullmatch(word) is not None and _begins_line(text, stop - len(word))


def _lower(word: str) -> str:
    """ASCII letters in lower case; what else there is stays, for no list has it."""
    return word.lower() if word.isascii() else word


def _begins_line(text: str, position: int) -> bool:
    """Whether nothing but at most eight blanks and tabs stands before `position` in its line."""
    before = text[max(0, position - 9) : position].rstrip(" \t")
    return before[-1] in _LINE_STARTS if before else position <= 8
