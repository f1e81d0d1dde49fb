"""Gates on drift itself: what the labels must still be, whatever a run scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from irbridge.cli.gating import drift_gate_options
from irbridge.errors import InputError, UsageError, shown

if TYPE_CHECKING:
    from irbridge.gates.base import Gate
    from irbridge.renderers import Page

__all__ = ["DriftGates", "drift_gate_options", "drift_gates"]
FORM = "drift"


class DriftGates(NamedTuple):
    """The gates of a drift, and how many of their file are of a scoring."""

    gates: tuple[Gate, ...] = ()
    others: int = 0

    def held(self, page: Page, summary: Mapping[str, Any], *, fine: bool) -> tuple[Page, bool]:
        """The page with what the gates come to, and whether the command ends well.

        Args:
            page: the screen of a drift.
            summary: its counts.
            fine: whether it ends well without gates.
        """
        if not self.gates:
            return page, fine
        from irbridge.gates.evaluation import evaluate
        from irbridge.pages import TONES, gate_table
        from irbridge.renderers import Remark
        from irbridge.wording import counted

        found = evaluate({"judgments": {"drift": summary}}, self.gates)
        verdict = {"status": found.status, "reasons": found.reasons, "gates": found.as_list()}
        table = gate_table(found.as_list())
        said = [Remark("why", [reason], "warn") for reason in found.reasons]
        if self.others:
            said.append(Remark("note", [f"{counted(self.others, 'gate')} of a scoring left to irbridge score"]))
        blocks = (
            *page.blocks,
            table,
            *said,
            Remark("verdict", [found.status], TONES[found.status]),
        )
        return page._replace(blocks=blocks, data=_Data(page.data, verdict)), found.status == "PASS"


class _Data:
    """A page's data with the verdict of the gates."""

    def __init__(self, data: Any, verdict: Mapping[str, Any]) -> None:
        self._data = data
        self._verdict = verdict

    def as_dict(self) -> dict[str, Any]:
        return {**self._data.as_dict(), "verdict": dict(self._verdict)}


def drift_gates(options: dict[str, Any], *, undo: bool) -> DriftGates:
    """The gates of a drift, taken out of `options`.

    Raises:
        UsageError: a gate expression that is none, or one of a scoring.
        InputError: the gate file cannot be used, or holds no gate on drift.
    """
    expressions, path = options.pop("gate"), options.pop("gate_file")
    if not expressions and path is None:
        return DriftGates()
    if undo:
        raise UsageError("--undo goes alone", hint="undo first, then look again")
    if path == "":
        raise UsageError("--gates names nothing")
    from irbridge.gates.expressions import parse_all
    from irbridge.gates.files import read

    given = parse_all(expressions)
    other = next((gate for gate in given if gate.form.name != FORM), None)
    if other is not None:
        raise UsageError(
            f"gate '{shown(other.expression)}' is about a scoring, not about drift",
            hint="irbridge score holds it; write one like drift:orphaned:0",
        )
    of_file = () if path is None else read(path).gates
    own = tuple(gate for gate in of_file if gate.form.name == FORM)
    if path is not None and not own and not given:
        raise InputError(
            "holds no gate on drift",
            path=path,
            hint="a build would pass on nothing: write [drift], then max_orphaned = 0",
        )
    return DriftGates((*own, *given), len(of_file) - len(own))
