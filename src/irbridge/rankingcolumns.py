"""Rankings in JSON lines, a block at once, as columns: quotes are found, and all that stands between them is checked."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Bytes, Ints
from irbridge.bytecolumns import PADDING, Columns
from irbridge.rows import RunRows

_QUOTE, _COMMA, _SPACE = b'", '
# What a line has before its query, between that and the ranking's first id, and behind the last, as JSON is usually written.
_BEFORE = (b'{"query_id":"', b'{"query_id": "')
_BETWEEN = (b'","ranking":["', b'", "ranking": ["')
_BEHIND = (b'"]}\n',)
# Strings of a line that are no ids of the ranking: two keys, and the query between them.
_OTHERS = 3
# From the last quote of a line to the first of the next.
_NEXT_LINE = 5


def rows_of(block: bytes, first: int) -> RunRows | None:
    """The rows of a block of lines, or None if one of them is anything but a plain ranking.

    Plain is `{"query_id":"q","ranking":["a","b"]}`, or the same with a space behind each colon and comma, where no text is
    empty and nothing is escaped. Then all of the block is valid JSON, and no key is given twice.

    Args:
        block: whole lines, valid UTF-8.
        first: the number of the first one.

    Returns:
        Rows whose scores fall from each to the next, so that they say what the order says.
    """
    if b"\\" in block:
        return None
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    text = np.frombuffer(b"".join((PADDING, block, b"" if block.endswith(b"\n") else b"\n", PADDING)), np.uint8)
    quotes = np.flatnonzero(text == _QUOTE)
    if not len(quotes) or len(quotes) % 2:
        return None
    opens, closes = quotes[::2].copy(), quotes[1::2].copy()
    gaps = opens[1:] - closes[:-1]
    last = np.append(np.flatnonzero(gaps == _NEXT_LINE), len(closes) - 1)
    key = np.append(0, last[:-1] + 1)
    counts = last - key - (_OTHERS - 1)
    # A line end that stands elsewhere, or any other control character, is one too many.
    if (counts < 1).any() or np.count_nonzero(text < _SPACE) != len(last):
        return None
    columns = _columns(text, opens, closes, key, counts)
    if not _has_frame(text, opens, closes, key) or not _separated(text, opens, closes, gaps, last):
        return None
    lines = np.repeat(np.arange(first, first + len(key)), counts)
    scores = -np.arange(len(lines), dtype=np.float64)
    return RunRows(columns, 0, 1, scores, None, lines, np.cumsum(counts) - counts, closed=True, falling=True)


def _columns(text: Bytes, opens: Ints, closes: Ints, key: Ints, counts: Ints) -> Columns:
    """The query and the id of each entry. `key`: which is the first string of each line; `counts`: the entries of each."""
    listed = np.ones(len(opens), np.bool_)
    for place in range(_OTHERS):
        listed[key + place] = False
    starts, ends = (np.empty((2, int(counts.sum())), np.int64) for _ in range(2))
    starts[0], ends[0] = np.repeat(opens[key + 1] + 1, counts), np.repeat(closes[key + 1], counts)
    np.add(opens[listed], 1, out=starts[1])
    ends[1] = closes[listed]
    return Columns(text, starts, ends)


def _has_frame(text: Bytes, opens: Ints, closes: Ints, key: Ints) -> bool:
    """Whether all that a line has around its ids is as it is in every plain one."""
    behind = np.append(closes[key[1:] - 1], closes[-1])
    begins = np.append(len(PADDING), behind[:-1] + len(_BEHIND[0]))
    return (
        _spelled(text, begins, opens[key + 1] + 1, _BEFORE)
        and _spelled(text, closes[key + 1], opens[key + _OTHERS] + 1, _BETWEEN)
        and _spelled(text, behind, np.append(begins[1:], len(text) - len(PADDING)), _BEHIND)
    )


def _separated(text: Bytes, opens: Ints, closes: Ints, gaps: Ints, last: Ints) -> bool:
    """Whether no text is empty, and nothing but a comma, and perhaps a space behind it, stands between two ids."""
    apart = text[closes[:-1] + 1] == _COMMA
    if np.count_nonzero(gaps == 2) != len(gaps):
        apart &= (gaps == 2) | ((gaps == 3) & (text[closes[:-1] + 2] == _SPACE))
    key = np.append(0, last[:-1] + 1)
    for place in (*(key + place for place in range(_OTHERS)), last[:-1]):
        apart[place] = True  # what stands there belongs to the frame
    return bool(apart.all() and (closes - opens > 1).all())


def _spelled(text: Bytes, starts: Ints, ends: Ints, spellings: tuple[bytes, ...]) -> bool:
    """Whether all of text[start:end] are one of some spellings, which differ in size."""
    sizes, found = ends - starts, 0
    for spelling in spellings:
        here = starts[sizes == len(spelling)]
        if not (text[here[:, None] + np.arange(len(spelling))] == np.frombuffer(spelling, np.uint8)).all():
            return False
        found += len(here)
    return found == len(starts)
