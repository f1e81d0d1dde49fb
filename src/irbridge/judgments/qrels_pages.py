"""Differences, merges, agreement, pools and holes as a person sees them."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.errors import shown
from irbridge.judgments.agreement import LEVELS, Agreement
from irbridge.judgments.difference import Change, Difference
from irbridge.judgments.holes import Holes
from irbridge.judgments.merging import Conflict, Merged
from irbridge.judgments.pooling import Pool
from irbridge.judgments.tables import target_said
from irbridge.model import Judgment
from irbridge.renderers.base import Cell, Column, Page, Remark, Table
from irbridge.wording import counted, ending

#: How many labels or queries a screen lists; JSON holds all.
LISTED = 20
CANNOT_TELL = "cannot tell"


# ----------------------------------------------------------------------------------------------------------------- diff


def diff_page(found: Difference) -> Page:
    """The screen of a difference: the labels, one a line, then how many by kind."""
    return Page(tuple(_difference(found)), found)


def _difference(found: Difference) -> Iterator[Table | Remark]:
    rows = list(_changes(found))
    if rows:
        columns = (Column("sign"), Column("query", "query"), Column("key", "document"), Column("what", "grade"))
        yield Table(columns, rows[:LISTED])
    if len(rows) > LISTED:
        yield Remark("more", [f"{len(rows) - LISTED:,} further labels; --json lists all"])
    sums = (
        ("added", len(found.added)), ("removed", len(found.removed)), ("regraded", len(found.regraded)),
        ("edited", len(found.edited)),
    )  # fmt: skip
    said = [f"{count:,} {word}" for word, count in sums if count]
    queries = len(found.by_query())
    if said:
        yield Remark("differ", [*said, f"in {counted(queries, 'query', 'queries')}", f"{found.same:,} alike"], "warn")
    else:
        yield Remark("alike", [f"{counted(found.same, 'label')} on both sides, and nothing else"], "good")


def _changes(found: Difference) -> Iterator[tuple[Cell, ...]]:
    for label in found.removed:
        yield ("-", *_which(label), str(label.relevance))
    for label in found.added:
        yield ("+", *_which(label), str(label.relevance))
    for change in found.regraded:
        yield ("~", *_which(change.after), f"{change.before.relevance} -> {change.after.relevance}")
    for change in found.edited:
        yield ("~", *_which(change.after), _fields(change))


def _fields(change: Change) -> str:
    return f"{change.after.relevance} ({', '.join(change.fields)})"


def _which(label: Judgment) -> tuple[str, str]:
    return shown(label.query_id, 40), target_said(label)


# ---------------------------------------------------------------------------------------------------------------- merge


def merge_page(found: Merged, out: str | None, prefer: str | None = None) -> Page:
    """The screen of a merge. `out`: what was written, or None if nothing was; `prefer`: what was to settle conflicts."""
    data = {**found.as_dict(), "wrote": out}
    return Page(tuple(_merge(found, out, prefer)), data)


def _merge(found: Merged, out: str | None, prefer: str | None) -> Iterator[Remark]:
    for conflict in found.conflicts[:LISTED]:
        yield Remark("conflict", _conflict(conflict), "bad")
    if len(found.conflicts) > LISTED:
        yield Remark("conflict", [f"and {len(found.conflicts) - LISTED:,} more; --json lists all"], "bad")
    said = [
        counted(len(found.labels), "label"),
        f"{found.from_ours:,} changed by ours, {found.from_theirs:,} by theirs",
    ]
    if found.removed:
        said.append(f"{counted(found.removed, 'label')} of the base removed, as one side has it")
    if found.settled:
        said.append(f"{counted(len(found.settled), 'conflict')} settled by the preference")
    yield Remark("merged", said)
    if out is None and not found.conflicts:
        yield Remark("wrote", ["nothing: no label is left, and an empty set is no judgments file"], "warn")
    elif out is None:
        yield Remark(
            "next",
            [
                f"{counted(len(found.conflicts), 'conflict')}: nothing was written",
                "decide them in one of the files, or say --prefer ours, theirs, max or min" if prefer is None else
                f"--prefer {prefer} decides between two grades alone: decide these in one of the files, or say --prefer ours or theirs",
            ],
        )  # fmt: skip
    elif out != "-":
        yield Remark("wrote", [out], "good")


def _conflict(conflict: Conflict) -> list[str]:
    label = conflict.ours or conflict.theirs
    which = "" if label is None else f"query {shown(label.query_id, 40)} {target_said(label)}"
    state = conflict.as_dict()
    sides = [f"{name} {_short(state[name])}" for name in ("base", "ours", "theirs")]
    return [which, conflict.what, *sides]


def _short(state: object) -> str:
    if state is None:
        return "nothing"
    if isinstance(state, dict):
        return shown(", ".join(str(value) for value in state.values()), 60)
    return shown(state, 60)


# ---------------------------------------------------------------------------------------------------------------- agree


def agree_page(found: Agreement) -> Page:
    """The screen of an agreement: all annotators together, then every two."""
    return Page(tuple(_agreement(found)), found)


def _agreement(found: Agreement) -> Iterator[Table | Remark]:
    columns = (
        Column("one", "annotator", flexible=True, path=found.of_files),
        Column("other", "and", flexible=True, path=found.of_files), Column("units", "both judged"), Column("same", "same grade"), Column("kappa", "kappa"), Column("linear", "linear"), Column("quadratic", "quadratic"),
    )  # fmt: skip
    said = ending if found.of_files else shown
    rows: list[tuple[Cell, ...]] = []
    for pair in found.pairs[:LISTED]:
        same = None if pair.same is None else f"{pair.same:.1%}"
        kappas = (pair.kappa["none"], pair.kappa["linear"], pair.kappa["quadratic"])
        rows.append((said(pair.one, 40), said(pair.other, 40), pair.units, same, *kappas))
    yield Table(columns, rows)
    if len(found.pairs) > LISTED:
        yield Remark("more", [f"{len(found.pairs) - LISTED:,} further pairs; --json lists all"])
    values = [
        f"{level} {CANNOT_TELL if found.alpha[level] is None else format(found.alpha[level], '.4f')}"
        for level in LEVELS
    ]
    yield Remark("alpha", values)
    yield Remark(
        "labels",
        [
            f"{counted(len(found.annotators), 'annotator')}",
            f"{found.overlapping:,} of {counted(found.units, 'judged document')} judged by two or more",
        ],
    )
    undecided = any(value is None for pair in found.pairs for value in pair.kappa.values())
    if undecided or None in found.alpha.values():
        yield Remark(
            "note",
            [
                f"{CANNOT_TELL} (-): no document was judged by both, or only one grade was given, so that chance agrees too"
            ],
        )
    if found.unsigned:
        yield Remark("note", [f"{counted(found.unsigned, 'label')} without labeled_by left out"], "warn")


# ----------------------------------------------------------------------------------------------------------- pool, holes


def pool_page(found: Pool, out: str | None) -> Page:
    """The screen of a pool: how much is to be judged, and for which queries most."""
    said = [
        f"{counted(len(found.rows), 'document')} to judge for {counted(len(found.queries), 'query', 'queries')}",
        f"{found.judged:,} of the pool judged already",
        f"depth {found.depth:,} of {counted(len(found.runs), 'run')}",
    ]
    wrote = [] if out is None or out == "-" else [Remark("wrote", [out], "good")]
    return Page((Remark("", said), *wrote), found)


def holes_page(found: Holes) -> Page:
    """The screen of holes: each run, then the queries with the most of them."""
    return Page(tuple(_holes(found)), found)


def _holes(found: Holes) -> Iterator[Table | Remark]:
    columns = (
        Column("run", "run", flexible=True, path=True), Column("judged", f"judged@{found.k}"), Column("holes", "unjudged"),
        Column("queries", "queries with any"),
    )  # fmt: skip
    yield Table(
        columns,
        [(run.run, run.judged, run.holes, sum(bool(query.holes) for query in run.queries)) for run in found.runs],
    )
    for run in found.runs:
        worst = sorted((query for query in run.queries if query.holes), key=lambda query: -len(query.holes))[:3]
        for query in worst:
            named = ", ".join(f"{shown(doc_id, 40)} ({rank})" for rank, doc_id in query.holes[:3])
            more = ", ..." if len(query.holes) > 3 else ""
            yield Remark(
                "holes",
                [
                    f"{ending(run.run)}, query {shown(query.query_id, 40)}: {len(query.holes):,} of {query.looked_at:,}",
                    named + more,
                ],
            )
        if run.unjudged_queries:
            which = counted(run.unjudged_queries, "query", "queries")
            yield Remark("note", [f"{ending(run.run)}: {which} without any label not looked at"])
    if any(run.holes for run in found.runs):
        yield Remark("next", ["irbridge qrels pool lists what to judge; nDCG and recall count it as not relevant"])
