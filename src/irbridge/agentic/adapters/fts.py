"""The corpus in SQLite's FTS5, by document; and the lines of a document that share most terms with a query."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Sequence

from irbridge.agentic.adapters.base import Unavailable
from irbridge.agentic.evidence import Source, lines_of
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.agentic.terms import terms

#: Raise it with any change of what is indexed or how it is ranked: it is part of the index fingerprint.
VERSION = "fts5-bm25@1"


def build(snapshot: CorpusSnapshot, path: str | os.PathLike[str]) -> None:
    """Index each source of the corpus.

    Raises:
        Unavailable: this Python's SQLite has no FTS5.
    """
    with contextlib.closing(sqlite3.connect(path)) as base, base:
        try:
            base.execute("CREATE VIRTUAL TABLE docs USING fts5(uri UNINDEXED, collection UNINDEXED, terms)")
        except sqlite3.OperationalError as error:
            raise Unavailable("fts5_missing", f"SQLite without FTS5: {error}") from error
        base.executemany(
            "INSERT INTO docs VALUES (?, ?, ?)",
            [(each.uri, each.collection, " ".join(terms(f"{each.path} {each.text}"))) for each in snapshot.sources],
        )


class Index:
    """An index, opened for reading."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        # Calls come from threads with a limit on their time, one after the other.
        self._base = sqlite3.connect(f"file:{os.fspath(path)}?mode=ro", uri=True, check_same_thread=False)

    def search(self, query: str, collections: Sequence[str], limit: int) -> list[str]:
        """URIs of the best sources by BM25 over any of the query's terms; equal scores by URI."""
        wanted = list(dict.fromkeys(terms(query)))
        if not wanted:
            return []
        match = " OR ".join('"' + term.replace('"', '""') + '"' for term in wanted)
        marks = ",".join("?" * len(collections))
        rows = self._base.execute(
            f"SELECT uri, bm25(docs) FROM docs WHERE docs MATCH ? AND collection IN ({marks})",  # noqa: S608 - marks only
            ["terms : (" + match + ")", *collections],
        )
        return [uri for _, uri in sorted((round(score, 9), uri) for uri, score in rows)[:limit]]

    def close(self) -> None:
        """Close the index."""
        self._base.close()


def best_lines(source: Source, query: str, limit: int) -> list[int]:
    """The 1-based numbers, in order, of the lines that share most of the query's terms; none that shares none."""
    wanted = set(terms(query))
    shared = [
        (-len(wanted.intersection(terms(line))), number) for number, line in enumerate(lines_of(source.text), start=1)
    ]
    return sorted(number for count, number in sorted(shared)[:limit] if count < 0)
