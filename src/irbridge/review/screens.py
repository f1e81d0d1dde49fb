"""Review as a person sees it outside of the page and the session: what waits, what was decided, what was written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from irbridge.drift.waiting import Why, why_of
from irbridge.errors import shown
from irbridge.renderers.base import Column, Page, Remark, Table
from irbridge.review.queue import Queue
from irbridge.review.session import Session
from irbridge.review.workflow import Done
from irbridge.wording import counted

_MEANINGS: dict[Why, str] = {
    "split": "in several chunks now",
    "merged": "inside a larger chunk, and judged not relevant",
    "shifted": "still in the document, across borders of chunks",
    "reflowed": "still in the document, with other white space",
    "edited": "edited",
    "moved": "in another document",
    "ambiguous": "at several places",
    "refused": "the chunk that it would move to is not what it says",
    "untold": "the label keeps no text",
    "gone": "its text is gone",
}
#: Of more decisions about changed labels than this the first are listed.
_LISTED = 10


def queue_page(queue: Queue, html: str | None, following: Sequence[Sequence[str]]) -> Page:
    """What waits for a person.

    Args:
        queue: the labels.
        html: the page that was written.
        following: what to do now: commands, and what each does.
    """
    data = queue.as_dict() if html is None else {"digest": queue.as_dict()["digest"], **_counts(queue), "html": html}
    return Page(tuple(_waiting(queue, html, following)), data)


def _counts(queue: Queue) -> dict[str, Any]:
    kinds = Counter(why_of(item.label, item.finding, item.text) for item in queue.items)
    return {
        "labels": queue.labels,
        "to_review": len(queue.items),
        "by_kind": {kind: kinds[kind] for kind in _MEANINGS if kinds[kind]},
    }


def _waiting(queue: Queue, html: str | None, following: Sequence[Sequence[str]]) -> Iterator[Table | Remark]:
    if not queue.items:
        yield Remark("review", [f"nothing to review: none of {counted(queue.labels, 'label')} needs a person"], "good")
        return
    found = _counts(queue)
    yield Remark("review", [f"{len(queue.items):,} of {counted(queue.labels, 'label')} to review"])
    columns = (Column("labels"), Column("kind"), Column("meaning"))
    yield Table(columns, [(number, kind, _MEANINGS[kind]) for kind, number in found["by_kind"].items()])
    if html is not None:
        yield Remark("wrote", [html, "opens in any browser, without a network"], "good")
    for parts in following:
        yield Remark("next", parts)


def session_page(session: Session, following: Sequence[Sequence[str]]) -> Page:
    """Where a session ended."""
    done, skipped, left = session.counts()
    said = [f"{done:,} decided", f"{left:,} left" + (f", {skipped:,} of them skipped" if skipped else "")]
    blocks = [Remark("review", said, "good" if left == 0 else "plain"), Remark("kept in", [session.log.path])]
    if session.other_decisions:
        blocks.append(
            Remark(
                "note",
                [f"{counted(session.other_decisions, 'decision')} in it about labels that are not in this queue"],
            )
        )
    data = {"decided": done, "skipped": skipped, "left": left, "decisions": session.log.path}
    return Page((*blocks, *(Remark("next", parts) for parts in following)), data)


def applied_page(done: Done, target: str, following: Sequence[Sequence[str]]) -> Page:
    """What was written."""
    found = done.applied
    data = {**found.as_dict(), "out": target, "journal": done.journal}
    return Page(tuple(_applied(done, target, following)), data)


def _applied(done: Done, target: str, following: Sequence[Sequence[str]]) -> Iterator[Remark]:
    found = done.applied
    said = [f"{counted(found.decided, 'label')} decided, in {counted(found.rows, 'row')} now"]
    if found.absorbed:
        said.append(f"{counted(found.absorbed, 'row')} taken into another of the same query and chunk")
    if found.removed:
        said.append(
            f"{counted(found.removed, 'label')} removed: no chunk carries it"
            if found.removed == 1
            else f"{found.removed:,} labels removed: no chunk carries them"
        )
    if found.skipped:
        said.append(f"{found.skipped:,} skipped")
    yield Remark("applied", said, "good" if found.decided or found.removed else "plain")
    for corpus, count in found.elsewhere:
        which = f"{counted(count, 'decision')} made on the corpus {shown(corpus, 60)}, not on this one"
        yield Remark("note", [which, "the chunks that they choose are here, with the same texts"], "warn")
    if found.superseded:
        yield Remark("note", [f"{counted(found.superseded, 'decision')} replaced by a later one about the same label"])
    if found.before:
        yield Remark("note", [f"{counted(found.before, 'decision')} applied before"])
    if found.left_out:
        listed = [
            f"line {each.line}: query {shown(each.query_id, 40)} on {shown(each.key, 60)}"
            for each in found.left_out[:_LISTED]
        ]
        more = [f"and {len(found.left_out) - _LISTED:,} more"] if len(found.left_out) > _LISTED else []
        yield Remark("left out", ["changed since they were reviewed, or gone", *listed, *more], "warn")
    unchanged = done.journal is None and not (found.decided or found.removed)
    yield Remark("wrote", ["nothing: no decision changes a label"] if unchanged and not following else [target])
    for parts in following:
        yield Remark("next", parts)
