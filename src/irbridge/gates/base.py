"""What a gate is: a form (the descriptor that a module of `forms` ends with), a measure and a bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from irbridge.gates.measured import Measured

Status = Literal["PASS", "FAIL", "INDETERMINATE"]
_BY_WEIGHT: tuple[Status, ...] = ("FAIL", "INDETERMINATE", "PASS")


def worst(*statuses: Status) -> Status:
    """The most serious one: FAIL, then INDETERMINATE, then PASS; PASS where there is none."""
    return next((status for status in _BY_WEIGHT if status in statuses), "PASS")


class Outcome(NamedTuple):
    """What a gate comes to.

    Attributes:
        observed: the number that was held against the bound, or the measure's value where there was nothing to hold.
        baseline: the value in the baseline, for a delta that could be taken.
        reason: why it is not PASS.
        hint: the way out, where there is one.
        where: the stratum that decided.
        refused: it wanted a baseline, and the one that is there may not be compared with.
    """

    status: Status
    observed: float | None = None
    baseline: float | None = None
    reason: str | None = None
    hint: str | None = None
    where: str | None = None
    refused: bool = False


@dataclass(frozen=True, eq=False)
class Form:
    """One form of gate expressions.

    Attributes:
        name: what it is called.
        syntax: its shape, for messages.
        example: one expression of it.
        summary: what it asks for, in one line.
        claims: whether the colon-separated parts of an expression have this form's mark; of the forms here one at most does.
        size: how many parts an expression of it has; the last one is the bound.
        place: which part is the measure.
        judge: (gate, what was measured) -> its outcome.
        names: what may stand in the measure's place; empty where any measure may.
        signed: whether the bound may have a sign; where only a level is meant, one is a slip for a change.
    """

    name: str
    syntax: str
    example: str
    summary: str
    claims: Callable[[Sequence[str]], bool]
    size: int
    place: int
    judge: Callable[[Gate, Measured], Outcome]
    names: tuple[str, ...] = ()
    signed: bool = True
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Gate:
    """One gate as somebody wrote it.

    Attributes:
        expression: as it was written; it stands in the report.
        measure: the measure's name as the expression has it.
        bound: exact, as it was written.
    """

    expression: str
    form: Form
    measure: str
    bound: Decimal

    @property
    def limit(self) -> str:
        """The bound in a sentence."""
        return str(float(self.bound))

    def held(self, value: Decimal) -> Status:
        """PASS where `value` reaches the bound, which itself is enough."""
        return "PASS" if value >= self.bound else "FAIL"

    def undecided(
        self, why: str, measured: Measured, *, observed: float | None = None, hint: str | None = None
    ) -> Outcome:
        """INDETERMINATE, because of `why`; where nothing was scored at all, because of that."""
        if observed is None and measured.nothing_scored:
            why, hint = f"no query was scored, so '{self.measure}' was not computed", None
        return Outcome("INDETERMINATE", observed, reason=f"{self.expression}: {why}", hint=hint)


def exact(value: float) -> Decimal:
    """The decimal number that a report prints for `value`: 0.78 - 0.8 is -0.02 then, and not a little less."""
    return Decimal(repr(value))
