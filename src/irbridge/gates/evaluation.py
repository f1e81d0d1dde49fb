"""Gates held against a report: the status of each, and what all of them come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from irbridge.errors import shown
from irbridge.gates.base import Gate, Outcome, Status, worst
from irbridge.gates.expressions import parse_all
from irbridge.gates.measured import Measured


class Evaluation(NamedTuple):
    """What gates come to.

    Attributes:
        status: FAIL where one failed, else INDETERMINATE where one could not be decided, else PASS.
        outcomes: (gate, outcome), in the order given.
        missing_strata: required strata that were not scored.
        differences: why the baseline is refused, where a gate wanted it.
    """

    status: Status
    outcomes: tuple[tuple[Gate, Outcome], ...]
    missing_strata: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()

    @property
    def reasons(self) -> list[str]:
        """Why the baseline is refused, why each gate that did not pass did not, then what is missing."""
        found = [f"the baseline is refused: {'; '.join(self.differences)}"] if self.differences else []
        found += [outcome.reason for _, outcome in self.outcomes if outcome.reason is not None]
        return found + [f"stratum '{name}' was not scored, and the gates require it" for name in self.missing_strata]

    @property
    def hints(self) -> list[str]:
        """Ways out, each once."""
        return list(dict.fromkeys(outcome.hint for _, outcome in self.outcomes if outcome.hint is not None))

    def as_list(self) -> list[dict[str, Any]]:
        """The specification's `gates`, as JSON values."""
        return [_as_dict(gate, outcome) for gate, outcome in self.outcomes]


def _as_dict(gate: Gate, outcome: Outcome) -> dict[str, Any]:
    made: dict[str, Any] = {"expression": gate.expression, "status": outcome.status}
    if outcome.observed is not None:
        made["observed"] = outcome.observed
    if outcome.baseline is not None:
        made["baseline"] = outcome.baseline
    return made


def evaluate(
    report: Mapping[str, Any] | Measured, gates: Iterable[str | tuple[Any, ...] | Gate], *, require: Sequence[str] = ()
) -> Evaluation:
    """Hold gates against a report.

    Args:
        report: a report as JSON values, whoever made it; with a baseline as `Measured`.
        gates: expressions, or their parts: (nDCG @ 10, 0.8) with a measure object.
        require: strata that must have been scored.

    Raises:
        UsageError: an expression that is none.
    """
    measured = report if isinstance(report, Measured) else Measured(report)
    outcomes = tuple((gate, gate.form.judge(gate, measured)) for gate in parse_all(gates))
    missing = tuple(name for name in require if measured.strata.get(name, (0, {}))[0] == 0)
    status = worst(*(outcome.status for _, outcome in outcomes), "INDETERMINATE" if missing else "PASS")
    wanted = any(outcome.refused for _, outcome in outcomes)
    return Evaluation(status, outcomes, missing, measured.refused if wanted else ())


def ways_out(found: Evaluation, measured: Measured) -> Iterator[str]:
    """What to do about gates that did not pass.

    Args:
        found: what they came to.
        measured: what they were held against.
    """
    for gate, outcome in found.outcomes:
        if outcome.status == "FAIL" and not gate.form.names:
            where = "" if outcome.where is None else f", in the stratum {shown(outcome.where, 40)}"
            yield f"--per-query rows.csv shows which queries pull {shown(gate.measure, 40)} down{where}"
    if found.differences:
        yield _anew(found.differences, measured)
        if any("label" in each for each in found.differences):
            yield "or, if the corpus changed: irbridge drift --run EARLIER --run LATER tells the retriever from the labels"
    yield from found.hints


def _anew(differences: Sequence[str], measured: Measured) -> str:
    """How there comes to be a baseline that can be compared with."""
    unmatched = None if measured.baseline is None else measured.baseline.unmatched
    again = [_as_here(each) for each in differences if each != unmatched]
    on = "on these labels"
    if unmatched is not None or measured.is_of_other_chunks:
        # The ids of the earlier run are those of another corpus: scored once more, it would have found nothing.
        so = ", ".join(dict.fromkeys([on, *again]))
        return f"run the earlier retriever again on the corpus of these labels, and score that run {so}, with --out REPORT.json"
    doubt = "; if its ids are not those of these labels, run its retriever on their corpus first" if on in again else ""
    return f"score the earlier run once more, {', '.join(again)}, with --out REPORT.json{doubt}"


def _as_here(difference: str) -> str:
    """What has to be as it is here for a difference to go away: "another file of Mine: ..." is "with this file of Mine"."""
    what = difference.partition(": ")[0]
    known = {"other labels": "on these labels", "another convention": "in this convention"}
    return known.get(what, f"with this {what.removeprefix('another ')}")
