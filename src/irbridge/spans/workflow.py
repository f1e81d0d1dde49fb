"""Anchoring, projection and rolling up from input to file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from irbridge.atomic import atomic_write
from irbridge.errors import UsageError
from irbridge.spans.anchoring import Anchored, anchored, spans_in
from irbridge.spans.projecting import Projected, projected_rows
from irbridge.spans.reading import placed, read, write
from irbridge.spans.rules import CONTAINS, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from irbridge.formats import Format
    from irbridge.inputs import Input
    from irbridge.model import Ranking
    from irbridge.spans.rolling import RolledUp


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


def write_run(found: RolledUp, target: Format, out: str) -> dict[str, int]:
    """Write a run over documents; returns what the format cannot hold -> in how many rows.

    Raises:
        UsageError: the format holds no run.
        IrbridgeError: as iterating `found`; nothing was written.
    """
    if target.write_run is None:
        raise UsageError(f"{target.name} cannot hold a run", hint="irbridge formats lists those that can")
    losses: dict[str, int] = {}
    writer = cast("Callable[[Iterable[Ranking], Any], int]", target.write_run)
    with atomic_write(out) as stream:
        writer(_watched(found, target, losses), stream)
    return losses


def _watched(rankings: Iterable[Ranking], target: Format, losses: dict[str, int]) -> Iterator[Ranking]:
    for ranking in rankings:
        lost = {
            "scores (only the order is kept)": len(ranking.doc_ids)
            if ranking.scores is not None and "scores" not in target.keeps
            else 0,
            "run tag": int(ranking.tag is not None and "tag" not in target.keeps),
            "queries with an empty ranking": int(not ranking.doc_ids and "empty" not in target.keeps),
        }
        for what, count in lost.items():
            if count:
                losses[what] = losses.get(what, 0) + count
        yield ranking
