"""Decisions become labels: each chosen chunk a row of its own, signed by the person, with the old anchor kept beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from irbridge.drift.spans import span_of
from irbridge.errors import InputError, InputErrors, UsageError, shown
from irbridge.formats.judgments import row
from irbridge.identity import text_sha
from irbridge.model import ChunkRow, Judgment
from irbridge.origins import KEPT_IN, keeping, kept, origin
from irbridge.reading import MAX_PROBLEMS
from irbridge.review.applied_before import applied_before
from irbridge.review.decisions import HUMAN, Choice, Decision, Name, is_of_document, latest, name_of
from irbridge.review.queue import digest_of

# What a label says of where it was made and by whom; its text can be told from the digest.
_ORIGIN = (
    "doc_uri", "chunk_id", "text_sha", "relevance", "corpus_fingerprint", "labeled_by", "labeled_at", "doc_revision", "span",
)  # fmt: skip
#: Unknown fields that are about the old place or the old grade.
_OLD = frozenset({"span", "doc_revision", "grade"})


class Placed(NamedTuple):
    """A label and the line of the file that it stands at, or takes the place of."""

    line: int
    label: Judgment
    made: bool


class Applied(NamedTuple):
    """What decisions make of a set of labels.

    Attributes:
        placed: the labels that there are now, lines rising.
        decided: labels that a person chose chunks for.
        rows: the rows that were made for them, before some became one.
        absorbed: rows that became a part of another one of the same query and chunk.
        removed: labels that no chunk carries any more.
        skipped: decisions to leave a label as it is.
        superseded: decisions that a later one about the same label replaced.
        left_out: decisions about labels that were changed meanwhile, where those are left out.
        elsewhere: the corpora that decisions were made on which are not the one at hand, each with the number of those decisions.
        before: decisions that were applied before, whose outcome is there.
    """

    placed: list[Placed]
    decided: int
    rows: int
    absorbed: int
    removed: int
    skipped: int
    superseded: int
    left_out: Sequence[Decision] = ()
    elsewhere: tuple[tuple[str, int], ...] = ()
    before: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The counts as JSON values."""
        made = {
            name: getattr(self, name) for name in ("decided", "rows", "absorbed", "removed", "skipped", "superseded")
        }
        left_out = [{"line": each.line, "query_id": each.query_id, "key": each.key} for each in self.left_out]
        more: dict[str, Any] = {"applied_before": self.before, "left_out": left_out, "made_on": dict(self.elsewhere)}
        return made | {name: value for name, value in more.items() if value}


def applied(
    labels: Sequence[Judgment],
    lines: Sequence[int],
    decisions: Sequence[Decision],
    chunks: Mapping[str, ChunkRow] | None = None,
    fingerprint: str | None = None,
    *,
    path: str = "decisions",
    leave_changed: bool = False,
    earlier: Iterable[Judgment] = (),
) -> Applied:
    """What decisions make of labels. All of them are carried out, or none.

    Args:
        labels: judgments.
        lines: where each stands, rising.
        decisions: in the order in which they were made; the last about a label counts.
        chunks: those that the decisions name, as the corpus has them; None where no corpus is at hand.
        fingerprint: the corpus's.
        path: what messages call the decisions.
        leave_changed: leave decisions about labels that were changed meanwhile out, instead of refusing all.
        earlier: labels that the file held before, which tell those that were removed from those that never were there.

    Raises:
        InputErrors: decisions about labels that are not there any more and that were not applied before, or chunks that the
            corpus does not have like that.
        UsageError: no label would be left, or no relevant one.
    """
    numbers: dict[Name, list[int]] = {}
    queries = {decision.query_id for decision in decisions}
    for number, label in enumerate(labels):
        if label.query_id in queries:
            numbers.setdefault(name_of(label), []).append(number)
    counting = latest(decisions)
    absent = [decision for decision in counting.values() if decision.label not in numbers and decision.action != "skip"]
    done_before = applied_before(absent, labels, earlier)
    stale = [decision for decision in absent if decision.label not in done_before]
    counting = {name: each for name, each in counting.items() if name not in done_before}
    problems = [] if leave_changed else [_changed(each, numbers, path) for each in stale]
    for decision in counting.values():
        if leave_changed and decision.label not in numbers:
            continue
        problems += _wrong_chunks(decision, labels, numbers.get(decision.label, []), chunks, path)
    if problems:
        problems.sort(key=lambda error: error.line or 0)
        raise InputErrors(problems[:MAX_PROBLEMS], more=len(problems) > MAX_PROBLEMS)
    by_number = {number: each for each in counting.values() for number in numbers.get(each.label, [])}
    placed = list(_carried_out(labels, lines, by_number, {found[0] for found in numbers.values()}, chunks, fingerprint))
    standing, absorbed = _as_one(placed)
    _check_left(labels, standing)
    done = [(by_number[found[0]], len(found)) for name, found in numbers.items() if name in counting]
    return Applied(
        standing,
        sum(count for each, count in done if each.action == "choose"),
        sum(each.made for each in placed),
        absorbed,
        sum(count for each, count in done if each.action == "none"),
        sum(each.action == "skip" for each in counting.values()),
        len(decisions) - len(counting) - len(done_before),
        stale,
        () if chunks is None else _made_elsewhere(counting.values(), fingerprint),
        len(done_before),
    )


def _made_elsewhere(decisions: Iterable[Decision], fingerprint: str | None) -> tuple[tuple[str, int], ...]:
    """The corpora that are not the one with that fingerprint, with the number of decisions that were made on each."""
    made_on = (each.corpus_fingerprint for each in decisions if each.action != "skip")
    return tuple(Counter(each for each in made_on if each is not None and each != fingerprint).items())


def _changed(decision: Decision, numbers: Mapping[Name, object], path: str) -> InputError:
    there = any(name[:2] == (decision.query_id, decision.key) for name in numbers)
    what = "was changed since it was reviewed" if there else "is not there any more"
    return InputError(
        f"the label of query {shown(decision.query_id, 40)} on {shown(decision.key, 60)} {what}; nothing was written",
        path=path,
        line=decision.line,
        hint="--leave-changed applies the other decisions; review this label anew",
    )


def _wrong_chunks(
    decision: Decision,
    labels: Sequence[Judgment],
    numbers: Sequence[int],
    chunks: Mapping[str, ChunkRow] | None,
    path: str,
) -> Iterator[InputError]:
    for choice in decision.choices:
        if chunks is None:
            if choice.chunk_text is None and any(labels[number].chunk_text is not None for number in numbers):
                yield InputError(
                    f"the label of query {shown(decision.query_id, 40)} keeps its text, and the decision says none of "
                    f"chunk {choice.chunk_id}",
                    path=path, line=decision.line, hint="name the corpus, which has it: --corpus corpus.jsonl",
                )  # fmt: skip
            continue
        wrong = _unlike(choice, chunks.get(choice.chunk_id))
        if wrong:
            yield InputError(
                f"chunk {choice.chunk_id} {wrong}", path=path, line=decision.line,
                hint="name the corpus that was reviewed, or review these labels on this one",
            )  # fmt: skip


def _unlike(choice: Choice, chunk: ChunkRow | None) -> str | None:
    """What the corpus says otherwise."""
    if chunk is None:
        return "is not in the corpus"
    if chunk.doc_uri != choice.doc_uri:
        return f"is of document {shown(chunk.doc_uri, 60)} in the corpus, not of {shown(choice.doc_uri, 60)}"
    real = digest_of(chunk)
    return (
        f"has another text in the corpus ({real})" if choice.text_sha is not None and choice.text_sha != real else None
    )


# ---------------------------------------------------------------------------------------------------------------- rows


def _carried_out(
    labels: Sequence[Judgment],
    lines: Sequence[int],
    decisions: Mapping[int, Decision],
    firsts: set[int],
    chunks: Mapping[str, ChunkRow] | None,
    fingerprint: str | None,
) -> Iterator[Placed]:
    for number, (line, label) in enumerate(zip(lines, labels, strict=True)):
        decision = decisions.get(number)
        if decision is None or decision.action == "skip":
            yield Placed(line, label, made=False)
        elif number in firsts:  # a row that stands there twice was one question and has one answer
            for choice in decision.choices:
                chunk = None if chunks is None else chunks[choice.chunk_id]
                yield Placed(line, _signed(label, decision, choice, chunk, fingerprint), made=True)


def _signed(
    label: Judgment, decision: Decision, choice: Choice, chunk: ChunkRow | None, fingerprint: str | None
) -> Judgment:
    """The label on a chosen chunk; its query, stratum, notes and unknown fields are the old one's."""
    found = label._replace(
        doc_uri=choice.doc_uri,
        chunk_id=None,
        text_sha=None,
        chunk_text=None,
        relevance=choice.relevance,
        corpus_fingerprint=fingerprint if chunk is not None else decision.corpus_fingerprint,
        labeled_by=decision.labeled_by,
        labeled_at=decision.labeled_at,
    )
    if not is_of_document(label):
        text = choice.chunk_text if chunk is None else chunk.text
        found = found._replace(
            chunk_id=choice.chunk_id,
            text_sha=choice.text_sha if chunk is None else digest_of(chunk),
            chunk_text=text if label.chunk_text is not None else None,
        )
    extra = {name: value for name, value in label.extra.items() if name not in _OLD and name != KEPT_IN}
    if span_of(label) is not None and chunk is not None:
        extra |= _place(chunk)
    return found._replace(extra={**extra, KEPT_IN: [*kept(label), _signed_origin(label)]})


def _place(chunk: ChunkRow) -> dict[str, Any]:
    start, end, revision = chunk.start, chunk.end, chunk.doc_revision
    if start is None or end is None or revision is None or start >= end:
        return {}
    return {"doc_revision": revision, "span": {"start": start, "end": end}}


def _signed_origin(label: Judgment) -> dict[str, Any]:
    """Where a label was made and by whom, its digest computed where it keeps the text alone."""
    if label.text_sha is None and label.chunk_text is not None:
        label = label._replace(text_sha=text_sha(label.chunk_text))
    said = row(label)
    return {name: said[name] for name in _ORIGIN if name in said}


def _as_one(placed: Sequence[Placed]) -> tuple[list[Placed], int]:
    """Make one row of the rows of a query that are on one chunk, where a decision put one there; and how many are gone.

    The highest relevance stays; of equals a person's, then the one that was there before, then the first.
    """
    arrived = {(each.label.query_id, each.label.target) for each in placed if each.made}
    places: dict[tuple[str, str], list[int]] = {}
    for number, each in enumerate(placed):
        name = each.label.query_id, each.label.target
        if name in arrived:
            places.setdefault(name, []).append(number)
    left: list[Placed | None] = list(placed)
    for numbers in places.values():
        best = min(numbers, key=lambda number: _rank(placed[number], number))
        others = [placed[number] for number in numbers if number != best]
        if others:
            origins = [origin for other in others for origin in (*kept(other.label), _absorbed(other))]
            for number in numbers:
                left[number] = None
            left[best] = placed[best]._replace(label=keeping(placed[best].label, origins))
    found = [each for each in left if each is not None]
    return found, len(placed) - len(found)


def _rank(placed: Placed, number: int) -> tuple[int, bool, bool, int]:
    label = placed.label
    return -label.relevance, not (label.labeled_by or "").startswith(HUMAN), placed.made, number


def _absorbed(placed: Placed) -> dict[str, Any]:
    """What a row that is gone said: all of it where it stood there before, as in repair; else who said what, the chunk being the same."""
    if placed.made:
        return _signed_origin(placed.label)
    return {name: value for name, value in origin(placed.label).items() if name != KEPT_IN}


def _check_left(before: Sequence[Judgment], after: Sequence[Placed]) -> None:
    """Refuse to make a set that nothing can be scored with of one that something could.

    Raises:
        UsageError: no label, or no relevant one, would be left.
    """
    hint = "skip one of them, or label something first"
    if before and not after:
        raise UsageError("these decisions remove every label of the set; nothing was written", hint=hint)
    if any(label.relevance >= 1 for label in before) and all(each.label.relevance < 1 for each in after):
        raise UsageError("these decisions leave no label with relevance >= 1; nothing was written", hint=hint)
