"""A run of which nothing is judged: the ids of both sides, and what may have come between them."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from irbridge.collect import Judged
from irbridge.errors import shown
from irbridge.scores import Coverage
from irbridge.wording import some


def none_judged(coverage: Coverage, judged: Judged) -> list[str]:
    """Why every score of a run is 0, where not one document that it returned is judged; empty otherwise."""
    if coverage.judged_hits or not judged.documents:
        return []
    from irbridge.identity import is_chunk_id  # takes long to load, and is needed here alone

    labels = judged.hits.qrels.labels
    labelled = dict.fromkeys(doc_id for own in labels for doc_id in own)
    first = next(iter(labels[0])) if labels[0] else ""
    said = [
        f"0 of {judged.documents:,} retrieved ids are judged, so every score is 0",
        f"judged: {some(list(dict.fromkeys([first, *islice(labelled, 2)])), 3)}",
        f"retrieved: {some(judged.sample, 3)}",
    ]
    parent = next((found for found in (_parent(doc_id, labelled) for doc_id in judged.sample) if found), None)
    if parent is not None:
        said.append(
            f"{shown(parent[0], 40)} looks like a chunk of {shown(parent[1], 40)}: did you mean to map chunks to their parent documents?"
        )
    elif all(is_chunk_id(doc_id) for doc_id in [first, *judged.sample]):
        said.append("both are ids of chunks: were documents cut anew? irbridge drift says what became of the labels")
    return said


def _parent(doc_id: str, labelled: Collection[str]) -> tuple[str, str] | None:
    """(the id, the longest judged id that it begins with and goes on from with a separator)."""
    for end in range(len(doc_id) - 1, 0, -1):
        if not doc_id[end].isalnum() and doc_id[:end] in labelled:
            return doc_id, doc_id[:end]
    return None
