"""Rankings as JSON arrays of ids, many at once, as columns: quotes are found, and what stands between them is checked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irbridge.arrays import Bytes, Ints
from irbridge.bytecolumns import PAD, Columns
from irbridge.rows import RunRows

_QUOTE, _COMMA, _SPACE, _OPEN, _CLOSE = b'", []'


def rows_of(query_ids: Sequence[str], arrays: Sequence[bytes], lines: Sequence[int]) -> RunRows | None:
    """The rows of some rankings, or None if one of them is anything but a plain list of ids.

    Plain is `["a","b"]` or `["a", "b"]` with at least one id, none of them empty, and nothing escaped.

    Args:
        query_ids: of each ranking.
        arrays: the text of each ranking, valid JSON in UTF-8.
        lines: the line of each.

    Returns:
        Rows whose scores fall from each to the next, so that they say what the order says.
    """
    body = b"".join(arrays)
    text = np.frombuffer(body, np.uint8)
    quotes = np.flatnonzero(text == _QUOTE)
    if not len(quotes) or len(quotes) % 2 or b"\\" in body or (text < _SPACE).any():
        return None
    opens, closes = quotes[::2], quotes[1::2]
    sizes = np.fromiter(map(len, arrays), np.int64, len(arrays))
    ends = np.cumsum(sizes)
    first = np.searchsorted(opens, ends - sizes)
    counts = np.diff(first, append=len(opens))
    if (counts < 1).any() or not _plain(text, opens, closes, first, ends):
        return None
    names = Columns.of_texts(list(query_ids))
    data = np.concatenate([names.data, text, np.full(PAD, 255, np.uint8)])
    behind = len(names.data)
    columns = Columns(
        data,
        np.stack([np.repeat(names.starts[0], counts), opens + (behind + 1)]),
        np.stack([np.repeat(names.ends[0], counts), closes + behind]),
    )
    at = np.repeat(np.array(lines, np.int64), counts)
    return RunRows(columns, 0, 1, -np.arange(len(opens), dtype=np.float64), None, at, first, closed=True)


def _plain(text: Bytes, opens: Ints, closes: Ints, first: Ints, ends: Ints) -> bool:
    """Whether ids are not empty, each array begins and ends with one, and one separator stands between two of them."""
    begins = np.concatenate([np.zeros(1, np.int64), ends[:-1]])
    last = np.append(first[1:], len(opens)) - 1
    if (closes - opens < 2).any() or (opens[first] != begins + 1).any() or (closes[last] != ends - 2).any():
        return False
    if (text[begins] != _OPEN).any() or (text[ends - 1] != _CLOSE).any():
        return False
    behind = closes[:-1] + 1
    gaps = opens[1:] - behind
    apart = text[behind] == _COMMA
    if not (gaps == 1).all():
        apart &= (gaps == 1) | ((gaps == 2) & (text[behind + 1] == _SPACE))
    apart[last[:-1]] = True  # the borders of two arrays, which were looked at above
    return bool(apart.all())
