"""The chunks that could carry labels now, collected in one more reading of the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from irbridge.corpora import Corpus
from irbridge.drift.findings import Finding
from irbridge.model import ChunkRow, Judgment
from irbridge.review.likeness import Likeness


class Found(NamedTuple):
    """What the reading gave.

    Attributes:
        by_number: chunks by the number of the label; labels without any are not there.
        present: the labels' documents that the corpus has, as far as they were looked for.
    """

    by_number: dict[int, list[ChunkRow]]
    present: set[str]

    def of(self, number: int) -> list[ChunkRow]:
        """The chunks that could carry a label, in the order in which they are shown."""
        return self.by_number.get(number, [])


def found_chunks(asked: Sequence[tuple[Judgment, Finding]], corpus: Corpus) -> Found:
    """Chunks that drift names, and for labels whose text is gone those of their document that are most like it.

    Args:
        asked: labels, with their text where anybody knows it, and what drift says of each.
        corpus: read once, and not at all where nothing is asked.
    """
    wanted: dict[str, ChunkRow | None] = {}
    named: dict[int, list[str]] = {}
    gone: dict[str, dict[int, str]] = {}
    for number, (label, finding) in enumerate(asked):
        ids = _named(finding)
        if ids:
            named[number] = ids
            wanted.update(dict.fromkeys(ids))
        else:
            gone.setdefault(label.doc_uri, {})[number] = label.chunk_text or label.query or ""
    alike = {doc_uri: Likeness(texts) for doc_uri, texts in gone.items()}
    present: set[str] = set()
    if asked:
        for rows in corpus.pieces():
            for row in rows:
                if row.chunk_id in wanted and wanted[row.chunk_id] is None:
                    wanted[row.chunk_id] = row
                if row.doc_uri in alike:
                    present.add(row.doc_uri)
                    alike[row.doc_uri].offer(row)
    found = {number: [held for each in ids if (held := wanted[each]) is not None] for number, ids in named.items()}
    for doc_uri, texts in gone.items():
        found |= {number: alike[doc_uri].best(number) for number in texts}
    return Found(found, present)


def _named(finding: Finding) -> list[str]:
    """The chunks that a finding names, each once, in the order in which they are shown."""
    if finding.split_into is not None:
        return list(dict.fromkeys(finding.split_into))
    if finding.reanchor_to is not None:
        return [finding.reanchor_to]
    if finding.evidence is None:
        return []
    return list(dict.fromkeys(each.chunk_id for each in finding.evidence.by_overlap))
