"""Qrels read as preferences: `query_id group doc_id level` (trec_eval's get_qrels_prefs.c)."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.formats import preferences
from irbridge.formats.base import Format, Head
from irbridge.model import Judgment
from irbridge.reading import Reading
from irbridge.source import Source

NAMES = "query_id group doc_id level"


def read(source: Source, reading: Reading) -> Iterator[Judgment]:
    """Preferences in file order, all of one subgroup.

    Raises:
        InputErrors: rows without four columns, or with a level that is no finite number.
    """
    return preferences.read(source, reading, NAMES)


def sniff(_: Head) -> int:
    """Never: a grade of 0.9 in qrels is a mistake more often than a level."""
    return 0


FORMAT = Format(
    name="qrels-prefs",
    aliases=("qrels_prefs",),
    shape="file",
    summary=f"qrels whose levels may be decimals, read as preferences (trec_eval -R qrels_prefs): {NAMES}",
    sniff=sniff,
    read_judgments=read,
)
