"""Drift as a person sees it: what became of the labels, what repair does, what is left to a person, and what it means for a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from irbridge.drift.findings import KINDS, Drift, Kind, Status, Summary
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
        stays: how many labels of a status that repair can move it leaves to a person.
        unproven: merged labels among them that say "not relevant".
        bare: valid labels that name no chunk and of whose text nothing is known: all that was held is their document.
        placed: valid labels that name a place in a document and no chunk.
        waiting: the first few labels that need a person; None where none does.
        left: how many need one.
        next: what to do now: a command and what it does.
    """

    repair: dict[str, Any] | None = None
    written: bool = False
    journal: str | None = None
    readings: Sequence[Reading] = ()
    movements: Sequence[Movement] = ()
    stays: Mapping[Status, int] = MappingProxyType({})
    unproven: int = 0
    bare: int = 0
    placed: int = 0
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
        """JSON values, but for the findings, which are an iterator."""
        told, data = self.told, replace(self.drift, findings=()).as_dict()
        # They name more chunks than a corpus has where many labels are split: each is made as it is written.
        data["findings"] = (each.as_dict() for each in self.drift.findings)
        if told.repair is not None:
            data["fixed" if told.written else "dry_run"] = (
                {**_carried_out(told, told.repair), "journal": told.journal} if told.written else told.repair
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
    yield _statuses(summary, told)
    if drift.per_stratum:
        yield _strata(drift)
    if summary.orphaned:
        yield from _orphaned(drift)
    if summary.total > summary.valid:
        did = "did" if told.written else "do"
        yield Remark("stale", [f"{percent(summary.invalid_ratio)} of the labels {did} not match this corpus"], "warn")
    else:
        named = (("document", told.bare), ("place", told.placed), ("chunk", summary.valid - told.bare - told.placed))
        kinds = " or ".join(kind for kind, count in named if count)
        yield Remark("stale", [f"none: every {kinds or 'chunk'} that a label names is still there"], "good")
    if told.bare:
        yield Remark("valid", list(_bare(summary.valid, told.bare)))
    if told.placed:
        yield Remark("valid", [_placed(summary.valid, told.placed)])
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
    yield f"{_of_them(valid, bare)} {named}"
    yield "--made-on OLD holds the texts of documents against this corpus"


def _placed(valid: int, placed: int) -> str:
    # A revision is a text: with it their texts are there, and nothing is left to be compared.
    named = "name a place in a revision: their" if placed > 1 else "names a place in a revision: its"
    return f"{_of_them(valid, placed)} {named} document still has it, or names none"


def _of_them(valid: int, count: int) -> str:
    return f"{f'all {valid:,}' if count == valid > 1 else f'{count:,}'} of them"


def _statuses(summary: Summary, told: Told) -> Table:
    chunkless = told.bare + told.placed
    whole = "chunk" if not chunkless or chunkless < summary.valid else "document" if told.bare else "place"
    rows = [
        (summary.valid, "valid", f"the {whole} is still there", ""),
        (summary.re_anchorable, "re-anchorable", "same text, new chunk", _way(summary, told, "RE_ANCHORABLE")),
        (summary.merged, "merged", "inside a larger chunk", _way(summary, told, "MERGED")),
        (summary.split, "split", "in several chunks", "review"),
        (summary.orphaned, "orphaned", "no chunk holds it", "review"),
    ]
    columns = (Column("labels"), Column("status"), Column("meaning", flexible=True), Column("way"))
    return Table(columns, [(*row[:3], row[3] if row[0] else "") for row in rows])


def _way(summary: Summary, told: Told, status: Status) -> str:
    """What becomes of the labels of a status that repair can move; of some it leaves a part to a person, or all."""
    way = "as it is" if _is_unchanged(told) else "repaired" if told.written else "--fix"
    stays = told.stays.get(status, 0)
    moves = getattr(summary, status.lower()) - stays
    if not stays:
        return way
    return f"{moves:,} {way}, {stays:,} review" if moves else "review"


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


def _is_unchanged(told: Told) -> bool:
    """Whether a repair left the very file: labels of documents that hold more than they did stay where they are."""
    return told.written and told.repair is not None and told.journal is None


def _carried_out(told: Told, repair: dict[str, Any]) -> dict[str, Any]:
    return {**repair, "reanchored": 0, "absorbed": 0, "stamped": 0} if _is_unchanged(told) else repair


def _repair(told: Told, repair: dict[str, Any]) -> Remark:
    done, repair = "" if told.written else "would be ", _carried_out(told, repair)
    said = [f"{counted(repair['reanchored'], 'label')} {done}re-anchored"]
    if repair["absorbed"]:
        said.append(f"{repair['absorbed']:,} of them {done}taken into another label of the same query and chunk")
    if repair["needs_review"]:
        said.append(f"{repair['needs_review']:,} left to a person")
    if told.written and told.journal is None:
        said.append("the file was in this state already")
    return Remark("fixed" if told.written else "dry run", said, "good" if told.written else "plain")
