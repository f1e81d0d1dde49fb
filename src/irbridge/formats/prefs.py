"""trec_eval's preferences: `query_id group subgroup doc_id level` (its get_prefs.c)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from irbridge.formats import preferences
from irbridge.formats.base import Format, Head
from irbridge.formats.columns import fields, number
from irbridge.model import Judgment
from irbridge.qrels import LEVEL, SUBGROUP
from irbridge.reading import Reading
from irbridge.source import Source

NAMES = "query_id group subgroup doc_id level"


def read(source: Source, reading: Reading) -> Iterator[Judgment]:
    """Preferences in file order.

    Raises:
        InputErrors: rows without five columns, or with a level that is no finite number.
    """
    return preferences.read(source, reading, NAMES)


def write(judgments: Iterable[Judgment], stream: BinaryIO) -> int:
    """Labels as rows; one without a subgroup is of subgroup 0."""
    return preferences.write(judgments, stream)


def sniff(head: Head) -> int:
    """Certain of a file that is called so (`prefs.test`, `x.prefs`) and has five columns of which the last is a number.

    By its columns alone it may be qrels with a space in an id, which nobody should be told to be something else.
    """
    if head.is_dir or not (head.name.startswith("prefs.") or head.name.endswith(".prefs")):
        return 0
    rows = [fields(line) for line in head.lines if not line.startswith("#")]
    return 90 if rows and all(len(row) == 5 and number(row[4]) is not None for row in rows) else 0


FORMAT = Format(
    name="prefs",
    shape="file",
    summary=f"preferences of users, as trec_eval -R prefs reads them: {NAMES}",
    sniff=sniff,
    read_judgments=read,
    write_judgments=write,
    keeps=frozenset({"iteration", SUBGROUP, LEVEL}),
    suffix=".prefs",
)
