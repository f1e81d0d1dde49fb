"""Anchoring and projection from input to file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from irbridge.spans.anchoring import Anchored, anchored, spans_in
from irbridge.spans.projecting import Projected, projected_rows
from irbridge.spans.reading import placed, read, write
from irbridge.spans.rules import CONTAINS, Rule

if TYPE_CHECKING:
    from irbridge.inputs import Input


class Anchoring(NamedTuple):
    """What anchoring did: labels to spans, then, where asked for, spans to chunks."""

    labels: int
    spans: Anchored
    chunks: Projected | None = None


def anchor(
    judgments: Input,
    documents: Any,
    out: str,
    *,
    quote_fields: tuple[str, ...] = (),
    onto: Any = None,
    by: str | None = None,
    to_chunks: bool = False,
) -> Anchoring:
    """Anchor the labels of a file.

    Args:
        judgments: the labels.
        documents: what they are about.
        out: the judgments JSONL to write, `-` for standard output.
        quote_fields: as for `anchored`.
        onto: a corpus, where the labels shall become chunk labels.
        by: a chunker for the documents, instead of a corpus.
        to_chunks: whether they shall.

    Raises:
        IrbridgeError: as `anchored` and `projected`; nothing was written.
    """
    given = read(judgments)
    found = anchored(given.labels, documents, quote_fields=quote_fields)
    found = found._replace(left=placed(found.left, given))
    if not to_chunks:
        write(out, found.rows, given)
        return Anchoring(len(given.labels), found)
    chosen = spans_in(found.rows, found.left)
    chunks = projected_rows(found.rows, chosen, documents if onto is None else onto, by, CONTAINS)
    chunks = chunks._replace(left=placed(chunks.left, given))
    write(out, chunks.rows, given)
    return Anchoring(len(given.labels), found, chunks)


def project(judgments: Input, onto: Any, by: str | None, out: str, rule: Rule) -> tuple[int, Projected]:
    """Project the span labels of a file; returns how many labels there were, and what became of them.

    Raises:
        IrbridgeError: as `projected`; nothing was written.
    """
    given = read(judgments)
    found = projected_rows(list(enumerate(given.labels)), range(len(given.labels)), onto, by, rule)
    found = found._replace(left=placed(found.left, given))
    write(out, found.rows, given)
    return len(given.labels), found
