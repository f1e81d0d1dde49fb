"""What trec_eval printed, and where it differs from irbridge's numbers at trec_eval's own precision.

trec_eval prints `measure  query  value`, four decimals for what is a mean and whole numbers for counts, and `all` for
the aggregate.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from irbridge.scores import Scores


class Line(NamedTuple):
    """One line of trec_eval's output; `value` is the text it printed."""

    measure: str
    query_id: str
    value: str


def read_table(path: Path) -> list[Line]:
    """The lines of an output file, in order; lines that begin with `;` are our notes on frozen tables."""
    rows = path.read_text(encoding="utf-8").splitlines()
    return [Line(*(column.strip() for column in row.split("\t"))) for row in rows if not row.startswith(";")]


def base_of(name: str, bases: Iterable[str]) -> str | None:
    """The longest of `bases` that the printed `name` is, or begins with before its parameter: P_10 is P's."""
    fitting = [base for base in bases if name == base or name.startswith(f"{base}_")]
    return max(fitting, key=len, default=None)


def as_printed(value: float, like: str) -> str:
    """`value` with the decimals that the printed `like` has."""
    _, point, decimals = like.partition(".")
    return f"{value:.{len(decimals)}f}" if point else f"{value:.0f}"


def compared(scores: Scores, lines: Iterable[Line]) -> tuple[int, list[str]]:
    """How many of the lines were compared (all), and those where irbridge has another value, with it."""
    per_query = {measure.asked: scores.of(measure.asked) for measure in scores.measures}
    aggregates = scores.aggregates()
    count = 0
    differing: list[str] = []
    for line in lines:
        own = aggregates.get(line.measure) if line.query_id == "all" else per_query[line.measure].get(line.query_id)
        said = "nothing" if own is None else as_printed(own, line.value)
        count += 1
        if said != line.value:
            differing.append(f"{line.measure} {line.query_id}: trec_eval {line.value}, irbridge {said} ({own!r})")
    return count, differing
