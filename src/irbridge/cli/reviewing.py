"""Review in a terminal: a label, its candidates, and a line of keys from the person; also without colour, and from a pipe."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from irbridge.cli.streams import silence
from irbridge.errors import shown
from irbridge.renderers.text import painted
from irbridge.review.decisions import name_fault

if TYPE_CHECKING:
    from irbridge.renderers import Look
    from irbridge.review.highlight import Range
    from irbridge.review.queue import Candidate, Item
    from irbridge.review.session import Session

_WIDEST = 100
#: Of longer texts the beginning, the end, and what is around the marks is shown.
_LONG, _EDGE = 1500, 300
_OPEN, _CLOSE = "[[", "]]"
_GAP = " (...) "


def asked_name() -> str | None:
    """The person's name, asked for until it can be one; None where input has ended."""
    while True:
        line = _line("your name, as it will stand in labeled_by: ")
        if line is None:
            return None
        wrong = name_fault(line.strip())
        if wrong is None:
            return line.strip()
        _say(f"  a name {wrong} cannot be used\n")


def carry_out(session: Session, look: Look) -> None:
    """Show labels and take keys until the queue is through, the person has had enough, or input ends."""
    shown_at: int | None = None
    while not session.ended:
        if session.at != shown_at:
            _say("".join(_item(session, look)))
            shown_at = session.at
        line = _line("> ")
        if line is None:
            return
        said = session.enter(line)
        _say("".join(f"  {shown(each, 400)}\n" for each in said))


def _line(prompt: str) -> str | None:
    _say(prompt)
    try:
        line = sys.stdin.readline()
    except (KeyboardInterrupt, UnicodeDecodeError):
        _say("\n")
        return None
    if not line:
        _say("\n")
        return None
    return line


def _say(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
        raise


def _item(session: Session, look: Look) -> Iterator[str]:
    item, label = session.item, session.item.label
    _, skipped, left = session.counts()
    more = f", {skipped} skipped" if skipped else ""
    yield (
        "\n" + painted(f"label {session.at + 1} of {len(session.queue.items)} · {left} left{more}", "head", look) + "\n"
    )
    if label.query is not None:
        yield from _wrapped(shown(label.query, 2000), "  ")
    facts = [
        f"query {shown(label.query_id, 60)}",
        f"relevance {label.relevance}",
        f"document {shown(label.doc_uri, 80)}",
    ]
    for name, value in (("by", label.labeled_by), ("stratum", label.stratum), ("notes", label.notes)):
        facts += [f"{name} {shown(value, 200)}"] if value else []
    yield from _wrapped(" · ".join(facts), "  ")
    yield from _wrapped(shown(item.said, 400), "  ", painted("why  ", "label", look))
    if item.text is not None:
        yield "  was\n"
        yield from _text(item.text, _union(item))
    for number, candidate in enumerate(item.candidates):
        yield from _candidate(session, number, candidate, look)


def _candidate(session: Session, number: int, candidate: Candidate, look: Look) -> Iterator[str]:
    chunk = candidate.chunk
    said = {
        "inside": "inside the text",
        "around": "holds all of it, and more",
        "overlaps": "holds a part",
        "suggested": "a suggestion",
    }[candidate.how]
    if candidate.holds_all(session.item.text):
        said = "holds all of it"
    if candidate.overlap is not None:
        said += f", {candidate.overlap:,} characters" + ("" if candidate.holds_all(session.item.text) else " of it")
    if chunk.doc_uri != session.item.label.doc_uri:
        said += f" · in {shown(chunk.doc_uri, 80)}"
    if candidate.labelled is not None:
        said += f" · has relevance {candidate.labelled} for this query already"
    chosen = f" · chosen, relevance {session.grades[number]}" if number in session.grades else ""
    yield "  " + painted(f"{number + 1}", "label", look) + f"  {said} · {shown(chunk.chunk_id, 14)}{chosen}\n"
    if chunk.text is not None:
        yield from _text(chunk.text, candidate.shared.chunk)


def _union(item: Item) -> list[Range]:
    joined: list[Range] = []
    for start, end in sorted(each for candidate in item.candidates for each in candidate.shared.label):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _text(text: str, ranges: list[Range]) -> Iterator[str]:
    """A text with what is common in brackets."""
    pieces: list[str] = []
    reached = 0
    for start, end in [*ranges, (len(text), len(text))]:
        pieces.append(_short(text[reached:start]))
        if end > start:
            pieces.append(_OPEN + _short(text[start:end]) + _CLOSE)
        reached = end
    for paragraph in "".join(pieces).splitlines() or [""]:
        # White space that is no plain space would be shown escaped.
        plain = " ".join(paragraph.split())
        yield from _wrapped(shown(plain, len(plain) + 1), "     ")


def _short(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[:_EDGE]}{_GAP}{text[-_EDGE:]}"


def _wrapped(text: str, indent: str, start: str = "") -> Iterator[str]:
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    for line in textwrap.wrap(text, max(30, width - len(indent) - 1), break_on_hyphens=False) or [""]:
        yield f"{indent}{start}{line}\n"
        start = ""
