"""Drift as a person sees it: what became of the labels, what repair does, what is left to a person, and what it means for a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from irbridge.drift.findings import KINDS, Drift, Kind, Summary
from irbridge.drift.waiting import LISTED
from irbridge.errors import shown
from irbridge.renderers.base import Column, Page, Remark, Table
from irbridge.wording import counted, percent

if TYPE_CHECKING:
    from irbridge.drift.decay import Movement, Reading

_KINDS: dict[Kind, str] = {
    "shifted": "across shifted borders",
    "reflowed": "with other white space",
    "edited": "edited a little",
    "moved": "in another document",
    "ambiguous": "at several places",
}


class Told(NamedTuple):
    """What a call has to say beside the findings.

    Attributes:
        repair: what `--fix` did or would do, as JSON values; None where it was not asked for.
        written: whether it was done.
        journal: the journal that leads back, or None where nothing changed.
        readings: of one run.
        movements: of two runs.
        unproven: merged labels that repair leaves, because they say "not relevant".
        bare: valid labels that name no chunk and of whose text nothing is known: all that was held is their document.
        waiting: the first few labels that need a person; None where none does.
        left: how many need one.
        next: what to do now: a command and what it does.
    """

    repair: dict[str, Any] | None = None
    written: bool = False
    journal: str | None = None
    readings: Sequence[Reading] = ()
    movements: Sequence[Movement] = ()
    unproven: int = 0
    bare: int = 0
    waiting: Table | None = None
    left: int = 0
    next: Sequence[Sequence[str]] = ()


def drift_page(drift: Drift, told: Told) -> Page:
    """The screen of a drift; its data are the spec's JSON and what irbridge adds."""
    return Page(tuple(_blocks(drift, told)), _Data(drift, told))


class _Data(NamedTuple):
    """The same for machines, made when it is asked for: findings are many, and a screen shows none."""

    drift: Drift
    told: Told

    def as_dict(self) -> dict[str, Any]:
        data, told = self.drift.as_dict(), self.told
        if told.repair is not None:
            data["fixed" if told.written else "dry_run"] = (
                {**told.repair, "journal": told.journal} if told.written else told.repair
            )
        if told.readings:
            data["run"] = [each.as_dict() for each in told.readings]
        if told.movements:
            data["runs"] = [each.as_dict() for each in told.movements]
        return data


def _blocks(drift: Drift, told: Told) -> Iterator[Table | Remark]:
    summary = drift.summary
    made = _made_at(drift)
    live = shown(drift.corpus_fingerprint or "an unknown state", 60)
    yield Remark("labels", [f"{counted(summary.total, 'label')} made at {made}", f"the corpus is at {live}"])
    yield _statuses(summary, "repaired" if told.written else "--fix", told.bare)
    if drift.per_stratum:
        yield _strata(drift)
    if summary.orphaned:
        yield from _orphaned(drift)
    if summary.total > summary.valid:
        did = "did" if told.written else "do"
        yield Remark("stale", [f"{percent(summary.invalid_ratio)} of the labels {did} not match this corpus"], "warn")
    else:
        yield Remark(
            "stale",
            [f"none: every {'document or chunk' if told.bare else 'chunk'} that a label names is still there"],
            "good",
        )
    if told.bare:
        yield Remark("valid", list(_bare(summary.valid, told.bare)))
    if told.unproven:
        merged = counted(told.unproven, "merged label says", "merged labels say")
        yield Remark(
            "unproven",
            [f"{merged} 'not relevant' of a part of a larger chunk", "the rest may be relevant: for a person"],
        )
    yield from _runs(told)
    for note in drift.notes:
        yield Remark("note", [note])
    if told.repair is not None:
        yield _repair(told, told.repair)
    if told.waiting is not None:
        yield told.waiting
        if told.left > LISTED:
            yield Remark(
                "more",
                [
                    f"and {told.left - LISTED:,} more labels need a person",
                    "--json has them all, and so has irbridge review",
                ],
            )
    for parts in told.next:
        yield Remark("next", parts)


def _made_at(drift: Drift) -> str:
    """The state that labels were made at, or both where they are of two: the rest of a file after a repair."""
    if len(drift.states) == 2 and all(drift.states):
        return " and ".join(shown(each, 60) for each in drift.states)
    return shown(drift.judgments_fingerprint or "an unknown or mixed state", 60)


def _bare(valid: int, bare: int) -> Iterator[str]:
    named = "name no chunk: their document is there" if bare > 1 else "names no chunk: its document is there"
    yield f"{f'all {valid:,}' if bare == valid > 1 else f'{bare:,}'} of them {named}"
    yield "--made-on OLD holds the texts of documents against this corpus"


def _statuses(summary: Summary, way: str, bare: int) -> Table:
    there = "the document is still there" if bare and bare == summary.valid else "the chunk is still there"
    rows = [
        (summary.valid, "valid", there, ""),
        (summary.re_anchorable, "re-anchorable", "same text, new chunk", way),
        (summary.merged, "merged", "inside a larger chunk", way),
        (summary.split, "split", "in several chunks", "review"),
        (summary.orphaned, "orphaned", "no chunk holds it", "review"),
    ]
    columns = (Column("labels"), Column("status"), Column("meaning"), Column("way"))
    return Table(columns, [(*row[:3], row[3] if row[0] else "") for row in rows])


def _strata(drift: Drift) -> Table:
    columns = (
        Column("stratum", "stratum", flexible=True),
        *(Column(name, name.replace("_", "-")) for name in ("valid", "re_anchorable", "merged", "split", "orphaned")),
    )
    rows = [
        (name, each.valid, each.re_anchorable, each.merged, each.split, each.orphaned)
        for name, each in drift.per_stratum.items()
    ]
    return Table(columns, rows)


def _orphaned(drift: Drift) -> Iterator[Remark]:
    summary = drift.summary
    said = [
        f"{summary.by_evidence[kind]:,} still in the document {_KINDS[kind]}"
        for kind in KINDS
        if kind == "shifted" and kind in summary.by_evidence
    ]
    said += [
        f"{summary.by_evidence[kind]:,} {_KINDS[kind]}"
        for kind in KINDS
        if kind != "shifted" and kind in summary.by_evidence
    ]
    if drift.untold:
        said.append(f"{drift.untold:,} cannot be told: the label keeps no text")
    gone = summary.gone - drift.untold
    if gone:
        said.append(f"{gone:,} gone")
    yield Remark("orphaned", said)


def _runs(told: Told) -> Iterator[Table | Remark]:
    if told.readings:
        columns = (
            Column("measure", "this run"),
            Column("standing", "labels as they stand"),
            Column("valid", "valid ones"),
            Column("stale", "stale ones"),
            Column("held", "repaired"),
        )
        yield Table(
            columns, [(each.measure, each.standing, each.valid, each.stale, each.held) for each in told.readings]
        )
    if told.movements:
        moves = (
            Column("measure", "from run to run"),
            Column("before", "before"),
            Column("after", "after"),
            Column("movement", "moved"),
            Column("decay", "label decay"),
            Column("retriever", "retriever"),
            Column("low", "95% interval", span=2),
            Column("high"),
        )
        yield Table(
            moves,
            [
                (each.measure, each.before, each.after, each.movement, each.decay, each.retriever, each.low, each.high)
                for each in told.movements
            ],
        )
        yield _judged(told.movements)


def _judged(movements: Sequence[Movement]) -> Remark:
    queries = min(each.queries for each in movements)
    if not queries:
        return Remark("why", ["no label holds in both corpora: what the retriever did cannot be told"], "warn")
    telling = [shown(each.measure, 30) for each in movements if each.telling]
    on = f"on the labels that hold, {counted(queries, 'query', 'queries')}"
    if telling:
        return Remark("why", [f"the retriever changed {', '.join(telling)} {on}"])
    return Remark("why", [f"whether the retriever changed anything cannot be told {on}: each interval holds 0"], "warn")


def _repair(told: Told, repair: dict[str, Any]) -> Remark:
    done = "" if told.written else "would be "
    said = [f"{counted(repair['reanchored'], 'label')} {done}re-anchored"]
    if repair["absorbed"]:
        said.append(f"{repair['absorbed']:,} of them {done}taken into another label of the same query and chunk")
    if repair["needs_review"]:
        said.append(f"{repair['needs_review']:,} left to a person")
    if told.written and told.journal is None:
        said.append("the file was in this state already")
    return Remark("fixed" if told.written else "dry run", said, "good" if told.written else "plain")
