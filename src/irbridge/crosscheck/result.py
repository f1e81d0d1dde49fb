"""What a crosscheck found: everything that a renderer or a JSON file shows, and nothing to compute."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from irbridge.crosscheck.proof import Proof
from irbridge.measures.names import asked_name
from irbridge.scores import Scores
from irbridge.wording import counted, worded

Status = Literal["equal", "explained", "unexplained", "uncovered", "refused"]


@dataclass(frozen=True)
class OracleState:
    """One oracle: there, or not, or not called.

    Attributes:
        column: the column that a table shows it in.
        version: None where it was skipped.
        skipped: "skipped: reason", where it is not there or broken.
        refused: "not called: reason" or "failed: reason".
        hint: how to get an oracle that was skipped, where that is known.
    """

    name: str
    column: str
    version: str | None = None
    skipped: str | None = None
    refused: str | None = None
    hint: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "version": self.version,
            "skipped": self.skipped,
            "refused": self.refused,
            "hint": self.hint,
        }


@dataclass(frozen=True)
class Example:
    """One query where the two differ; None for the side that does not count it."""

    query_id: str
    ours: float | None
    theirs: float | None


@dataclass(frozen=True, repr=False)
class Comparison:
    """One measure against one oracle.

    Attributes:
        measure: the name that was asked for.
        oracle, column, note: the oracle's; `note` says which part of the column it is.
        status: "equal" within the oracle's tolerance; "explained" and "unexplained" differences; "uncovered", it has no
            such measure; "refused", it was not called or failed.
        reason: for the last two.
        equal: queries that agree, `rounded` of them only within the oracle's rounding.
        differ, ours_only, theirs_only: numbers of queries that do not.
        ours, theirs: aggregates over the queries that each counts; theirs is its own where it has one.
        means_agree: False where the oracle's own mean is not ours.
        explanation: for status "explained".
        examples: up to three queries, the widest apart first.
    """

    measure: str
    oracle: str
    column: str
    status: Status
    note: str = ""
    reason: str | None = None
    equal: int = 0
    rounded: int = 0
    differ: int = 0
    ours_only: int = 0
    theirs_only: int = 0
    tolerance: float = 0.0
    ours: float | None = None
    theirs: float | None = None
    means_agree: bool = True
    explanation: Proof | None = None
    examples: list[Example] = field(default_factory=list)

    @property
    def compared(self) -> int:
        """How many queries both answer."""
        return self.equal + self.differ

    def __repr__(self) -> str:
        """What a person wants to see of it: who, what, and the verdict."""
        said: str = self.status
        if self.status in {"uncovered", "refused"}:
            said = f"{self.status}: {self.reason}"
        elif self.explanation is not None:
            said = f"{self._counts()}: {self.explanation.words}"
        elif self.status == "unexplained":
            said = f"{self._counts()}, not explained"
        return f"<{self.measure} by {self.oracle}: {said}>"

    def why(self) -> list[str]:
        """The difference in sentences: the cause and its proof, or the examples where there is none."""
        if self.explanation is not None:
            found = self.explanation
            who = f"{self.column}: " + (f"{self.note}: " if self.note else "")
            where = "the one query" if found.queries == 1 else f"all {found.queries:,} queries"
            with_ = f"With {found.settings} irbridge" if found.settings else "So computed, irbridge"
            return [
                f"{self.measure}, {who}{found.words}.",
                f"{with_} gives its values on {where}.",
            ]
        if self.status != "unexplained":
            return []
        lines = [f"{self.measure}, {self.oracle}: {self._counts()}, and no convention explains it."]
        for example in self.examples:
            ours, theirs = (_value(value) for value in (example.ours, example.theirs))
            lines.append(f"query {example.query_id}: irbridge {ours}, {self.oracle} {theirs}")
        return lines

    def _counts(self) -> str:
        of_all = counted(self.compared, "query", "queries")
        said = [f"{self.differ:,} of {of_all} {'differs' if self.differ == 1 else 'differ'}"] if self.differ else []
        said += [f"{self.ours_only:,} only in irbridge"] if self.ours_only else []
        said += [f"{self.theirs_only:,} only in it"] if self.theirs_only else []
        if not self.means_agree:
            said.append(f"its mean is {_value(self.theirs)}, irbridge's {_value(self.ours)}")
        return ", ".join(said)

    def as_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"measure": self.measure, "oracle": self.oracle, "status": self.status}
        if self.reason is not None:
            return {**found, "reason": self.reason}
        found |= {
            "equal": self.equal,
            "rounded": self.rounded,
            "differ": self.differ,
            "only_irbridge": self.ours_only,
            "only_oracle": self.theirs_only,
            "tolerance": self.tolerance,
            "irbridge": self.ours,
            "oracle_aggregate": self.theirs,
            "aggregates_agree": self.means_agree,
        }
        if self.explanation is not None:
            found["explanation"] = {
                "causes": [cause.name for cause in self.explanation.causes],
                "words": self.explanation.words,
                "settings": self.explanation.settings,
                "convention": self.explanation.convention.as_dict(),
                "queries": self.explanation.queries,
                "irbridge": self.explanation.mean,
            }
        found["examples"] = [
            {"query_id": one.query_id, "irbridge": one.ours, "oracle": one.theirs} for one in self.examples
        ]
        return found


def _value(value: float | None) -> str:
    return "leaves it out" if value is None else repr(value)


@dataclass(frozen=True, repr=False)
class Crosschecked:
    """A run's numbers and what every oracle says of them.

    Attributes:
        scores: irbridge's own, under the convention asked for.
        oracles: every oracle that was looked at, in order.
        comparisons: by measure, then oracle; every measure with every oracle that is there.
        notes: what was noticed while the run was read.
    """

    scores: Scores
    oracles: list[OracleState]
    comparisons: list[Comparison]
    notes: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        """What a person wants to see of it: how many comparisons came to what."""
        counts = {status: sum(one.status == status for one in self.comparisons) for status in get_args(Status)}
        said = ", ".join(f"{number} {status}" for status, number in counts.items() if number) or "nothing compared"
        return f"<Crosschecked {worded('{n} {measure|measures}', len(self.scores.measures))}: {said}>"

    @property
    def unexplained(self) -> list[Comparison]:
        return [found for found in self.comparisons if found.status == "unexplained"]

    @property
    def explained(self) -> list[Comparison]:
        return [found for found in self.comparisons if found.status == "explained"]

    @property
    def compared(self) -> bool:
        """Whether any oracle was asked for anything; False means that nothing was checked."""
        return any(found.status in {"equal", "explained", "unexplained"} for found in self.comparisons)

    @property
    def ok(self) -> bool:
        """Every difference is explained."""
        return not self.unexplained

    def columns(self) -> dict[str, str]:
        """Column -> its title with the version, for the oracles that are there, in order."""
        return {state.column: f"{state.column} {state.version}" for state in self.oracles if state.version is not None}

    def cell(self, measure: Any, column: str) -> list[Comparison]:
        """What a column's oracles say of a measure (name or object); those that do not cover it are left out."""
        name = asked_name(measure)
        return [
            found
            for found in self.comparisons
            if found.measure == name and found.column == column and found.status != "uncovered"
        ]

    def as_dict(self) -> dict[str, Any]:
        return {
            "convention": self.scores.convention.as_dict(),
            "queries": len(self.scores.query_ids),
            "irbridge": self.scores.aggregates(),
            "oracles": [state.as_dict() for state in self.oracles],
            "comparisons": [found.as_dict() for found in self.comparisons],
            "notes": self.notes,
            "ok": self.ok,
            "compared": self.compared,
        }
