"""Anchoring, projection and rolling up as a person sees them: how many went where, and why the others did not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from irbridge.errors import shown
from irbridge.model import Judgment
from irbridge.renderers.base import Column, Page, Remark, Table
from irbridge.spans.claims import REASONS, SPAN, Left
from irbridge.wording import counted, shell_word

if TYPE_CHECKING:
    from irbridge.spans.projecting import Projected
    from irbridge.spans.rolling import RolledUp
    from irbridge.spans.workflow import Anchoring

#: As many labels are listed on a screen; JSON holds all.
LISTED = 20
_NAMED = 5


def anchor_page(done: Anchoring, out: str) -> Page:
    """The screen of an anchoring."""
    left = [*done.spans.left, *(done.chunks.left if done.chunks else ())]
    data: dict[str, Any] = {
        "labels": done.labels,
        "anchored": done.spans.anchored,
        "spans": done.spans.spans,
        "left": [each.as_dict() for each in left],
        "out": out,
    }
    if done.chunks is not None:
        data["chunks"] = done.chunks.chunks
        data["absorbed"] = done.chunks.absorbed
        data["corpus_fingerprint"] = done.chunks.corpus_fingerprint
    return Page(tuple(_anchor_blocks(done, left, out)), data)


def _anchor_blocks(done: Anchoring, left: Sequence[Left], out: str) -> Iterator[Table | Remark]:
    said = [f"{done.spans.anchored:,} of {counted(done.labels, 'label')}", counted(done.spans.spans, "span")]
    yield Remark("anchored", said, "warn" if done.spans.left else "good")
    if done.chunks is not None:
        yield from _onto(done.chunks)
    yield from _left(left, "stays as it is", "stay as they are")
    if done.chunks is not None and done.chunks.left:
        yield Remark("note", ["a label whose span lies across borders of chunks stays a span label"])
    if done.chunks is not None:
        yield from _of_chunks(done.chunks)
    if any(each.why.code == "several" for each in left):
        yield Remark("note", ['several: a "span" with "start" and "end" beside the quote says which place is meant'])
    if done.chunks is None and (shared := _sharing(done.spans.labels)):
        yield Remark(
            "note",
            [f"{counted(shared, 'query', 'queries')} with several spans in one document: project before scoring"],
        )
    yield from _written(out)
    if done.chunks is None and done.spans.spans:
        file = "SPANS.jsonl" if out == "-" else shell_word(out)
        yield Remark("next", [f"irbridge project --judgments {file} --corpus CHUNKS.jsonl -o OUT.jsonl"])
    if any(each.why.code == "no-quote" for each in left):
        yield Remark("next", ["--quote-field NAME names the field in which labels quote their document"])


def _of_chunks(done: Projected) -> Iterator[Remark]:
    """What a file of labels of chunks cannot do."""
    lost = sum(label.chunk_id is None for label in done.labels)
    if lost:
        which = counted(lost, "label names", "labels name")
        yield Remark("note", [f"{which} no chunk: no run of chunks can find {'it' if lost == 1 else 'them'}"], "warn")
    if done.absorbed:
        kept = "keep the labels that these were made of: without --to chunk they become labels of places"
        yield Remark("note", [kept, "those hold whatever the chunks are: irbridge project makes chunk labels of them"])


def _sharing(labels: Sequence[Judgment]) -> int:
    """How many queries have several labels of spans with one key, of which a scoring could use one only."""
    keys = Counter((label.query_id, label.key) for label in labels if SPAN in label.extra)
    return len({query_id for (query_id, _), count in keys.items() if count > 1})


def project_page(labels: int, done: Projected, out: str) -> Page:
    """The screen of a projection."""
    data = {
        "labels": labels,
        "projected": done.projected,
        "chunks": done.chunks,
        "absorbed": done.absorbed,
        "rule": done.rule.name,
        "corpus_fingerprint": done.corpus_fingerprint,
        "left": [each.as_dict() for each in done.left],
        "out": out,
    }
    blocks: list[Table | Remark] = [
        Remark("projected", [f"{done.projected:,} of {counted(labels, 'label')}"], "warn" if done.left else "good"),
        *_onto(done),
        *_left(done.left, "stays as it is", "stay as they are"),
    ]
    if done.rule.sound and any(each.why.code == "no-chunk" for each in done.left):
        blocks.append(Remark("next", ["--rule overlap=0.5 gives a span to each chunk that holds half of it"]))
    return Page((*blocks, *_written(out)), data)


def _onto(done: Projected) -> Iterator[Remark]:
    said = [f"{counted(done.chunks, 'chunk label')} at {shown(done.corpus_fingerprint or 'an unnamed state', 60)}"]
    if done.absorbed:
        said.append(f"{counted(done.absorbed, 'row')} taken into another label of the same query and chunk")
    yield Remark("chunks", said)
    if done.rule.sound:
        yield Remark("rule", ["contains: a chunk takes the label of a span that it holds whole"])
    else:
        share = f"{float(done.rule.share):.9g}"
        yield Remark(
            "rule",
            [f"{done.rule.name}: a chunk takes the label of a span of which it holds a share of {share}", "a convention, not a proof"],
            "warn",
        )  # fmt: skip


def _left(left: Sequence[Left], stays: str, stay: str) -> Iterator[Table | Remark]:
    if not left:
        return
    yield Remark("left", [f"{counted(len(left), 'label')} {stays if len(left) == 1 else stay}"], "warn")
    counts = Counter(each.why.code for each in left)
    yield Table(
        (Column("labels"), Column("reason"), Column("meaning", flexible=True)),
        [(counts[code], code, meaning) for code, meaning in REASONS.items() if code in counts],
    )
    lined = any(each.line for each in left)
    columns = (
        *((Column("line", "line"),) if lined else ()),
        Column("query_id", "query", flexible=True),
        Column("doc_uri", "document", flexible=True),
        Column("reason", "reason"),
        Column("detail", "", flexible=True),
    )
    rows = [
        (*((each.line or "",) if lined else ()), shown(each.query_id, 40), shown(each.doc_uri, 40), each.why.code, each.why.detail)
        for each in left[:LISTED]
    ]  # fmt: skip
    yield Table(columns, rows)
    if len(left) > LISTED:
        yield Remark("left", [f"and {len(left) - LISTED:,} more; --json lists all"], "warn")


def rollup_page(done: RolledUp, losses: Mapping[str, int], target: str, out: str) -> Page:
    """The screen of a run that was rolled up and written."""
    data = {
        "by": done.way.name,
        "queries": done.queries,
        "chunks": done.chunks,
        "documents": done.documents,
        "repeated": done.repeated,
        "dropped": done.dropped,
        "unknown": done.unknown,
        "emptied": done.emptied,
        "losses": dict(losses),
        "target": target,
        "out": out,
    }
    return Page(tuple(_rollup_blocks(done, losses, out)), data)


def _rollup_blocks(done: RolledUp, losses: Mapping[str, int], out: str) -> Iterator[Remark]:
    rows = f"{counted(done.chunks, 'row')} of chunks became {counted(done.documents, 'row')} of documents"
    yield Remark("rolled up", [counted(done.queries, "query", "queries"), rows, f"by {done.way.name}"])
    if done.repeated:
        yield Remark(
            "repeated", [f"{counted(done.repeated, 'row')} of a chunk that its ranking had already: the first counts"]
        )
    if done.dropped:
        some = ", ".join(shown(each, 40) for each in done.unknown[:_NAMED])
        more = ", ..." if len(done.unknown) > _NAMED else ""
        which = counted(len(done.unknown), "chunk")
        yield Remark("dropped", [f"{counted(done.dropped, 'row')} of {which} not in the corpus: {some}{more}"], "warn")
    if done.emptied:
        yield Remark("empty", [f"{counted(done.emptied, 'query', 'queries')} of which nothing was left"], "warn")
    for what, count in losses.items():
        yield Remark("lost", [f"{what}: {counted(count, 'row')}"], "warn")
    yield from _written(out)


def _written(out: str) -> Iterator[Remark]:
    if out != "-":
        yield Remark("wrote", [shown(out, 200)], "good")
