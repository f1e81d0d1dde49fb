"""Run against run, and fused runs, as a person sees them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from irbridge.comparison.fusing import Fused
from irbridge.comparison.overlapping import Overlap
from irbridge.errors import shown
from irbridge.renderers.base import Cell, Column, Page, Remark, Table
from irbridge.wording import counted, ending

#: As many of the least alike queries are listed on a screen.
_LISTED = 5


def overlap_page(found: Overlap) -> Page:
    """The screen of two runs beside each other."""
    return Page(tuple(_overlap_blocks(found)), found)


def overlap_per_query_page(found: Overlap) -> Page:
    """A row for each query."""
    keys = ("query_id", "rbo", *(f"overlap@{depth}" for depth in found.depths), "common", "first", "second")
    rows = ((each.query_id, each.rbo, *each.overlap, each.common, *each.sizes) for each in found.queries)
    return Page((Table([Column(key) for key in keys], rows),))


def moved_page(found: Overlap) -> Page:
    """A row for each document: its rank in either run, and how far it rose."""
    columns = [Column(key) for key in ("query_id", "doc_id", "first", "second", "up")]
    return Page((Table(columns, found.moved()),))


def _overlap_blocks(found: Overlap) -> Iterator[Table | Remark]:
    rows: list[tuple[Cell, ...]] = [_spread(found, "RBO", None)]
    rows += [_spread(found, f"overlap@{depth}", number) for number, depth in enumerate(found.depths)]
    columns = [Column("what", ""), Column("mean", "mean"), Column("low", "least"), Column("high", "most")]
    yield Table(columns, rows)
    known = sorted((each for each in found.queries if each.rbo is not None), key=lambda each: (each.rbo, each.query_id))
    if len(known) > 1 and (known[0].rbo or 0.0) < 1:
        own: list[tuple[Cell, ...]] = [(each.query_id, each.rbo, each.common, *each.sizes) for each in known[:_LISTED]]
        least = [
            Column("query_id", "query", flexible=True), Column("rbo", "RBO"), Column("common", "common"),
            Column("first", "first"), Column("second", "second"),
        ]  # fmt: skip
        yield Table(least, own, "least alike")
    same = sum(each.same for each in found.queries)
    said = [f"{counted(len(found.queries), 'query', 'queries')} in both", f"{same:,} with the same ranking"]
    yield Remark("queries", said)
    for held, only in ((found.first, found.only[0]), (found.second, found.only[1])):
        label = ending(held.source.label)
        if only:
            yield Remark("note", [f"{counted(only, 'query', 'queries')} in {label} alone, not looked at"], "warn")
        if held.tied:
            number = counted(held.tied, "query", "queries")
            yield Remark("ties", [f"{label}: equal scores in {number}; document ids put them in order"], "warn")
        if held.contradicting:
            number = counted(held.contradicting, "query", "queries")
            yield Remark(
                "ranks", [f"{label}: in {number} the rank column contradicts the scores; scores ruled"], "warn"
            )
    yield Remark("RBO", [f"extrapolated, p {found.p:g}", f"the first 10 ranks weigh {_weight(found.p):.0%}"])


def _spread(found: Overlap, name: str, number: int | None) -> tuple[Cell, ...]:
    values = [each.rbo if number is None else each.overlap[number] for each in found.queries]
    known = [value for value in values if value is not None]
    return name, found.mean(number), min(known, default=None), max(known, default=None)


def _weight(p: float, depth: int = 10) -> float:
    """The share of RBO's weight on the first `depth` ranks (Webber, Moffat and Zobel 2010, equation 21)."""
    from math import log

    series = sum(p**each / each for each in range(1, depth))
    return float(1 - p ** (depth - 1) + (1 - p) / p * depth * (log(1 / (1 - p)) - series))


def fuse_page(done: Fused, losses: Mapping[str, int], target: str, out: str) -> Page:
    """The screen of a fused run that was written."""
    data = {
        "by": done.way.method.name,
        "parameter": None if done.way.method.parameter is None else done.way.parameter,
        "normalisation": done.way.normalisation.name if done.way.method.scores else None,
        "runs": [held.source.label for held in done.sources],
        "queries": len(done.queries),
        "partial": done.partial,
        "tied": [held.tied for held in done.sources],
        "losses": dict(losses),
        "target": target,
        "out": out,
    }
    return Page(tuple(_fuse_blocks(done, losses, out)), data)


def _fuse_blocks(done: Fused, losses: Mapping[str, int], out: str) -> Iterator[Remark]:
    queries = counted(len(done.queries), "query", "queries")
    yield Remark("fused", [f"{len(done.sources)} runs", queries, f"by {done.way.name}"])
    if done.partial:
        number = counted(done.partial, "query", "queries")
        yield Remark("partial", [f"{number} not in every run, fused of those that have them"], "warn")
    tied = [held for held in done.sources if held.tied]
    for held in tied:
        number = counted(held.tied, "query", "queries")
        yield Remark("ties", [f"{ending(held.source.label)}: equal scores in {number}"])
    for what, count in losses.items():
        yield Remark("lost", [f"{what}: {counted(count, 'row')}"], "warn")
    if out != "-":
        yield Remark("wrote", [shown(out, 200)], "good")
