"""Verdicts, their reasons, gates, and inputs that have to be refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from irbridge.conformance.base import Case, Check, Implementation, Result, compared
from irbridge.conformance.checks.scoring import report, settings

# A reason may name the program; every implementation names itself.
_PROGRAM = re.compile(r"'[\w-]+ validate'")


def _unnamed(text: str) -> str:
    return _PROGRAM.sub("'PROGRAM validate'", text)


def _status(member: str) -> Check:
    def run(case: Case, implementation: Implementation) -> Iterator[Result]:
        yield compared(member, case.expected[member], report(case, implementation)["verdict"]["status"])

    return Check(member, run)


def _reason(case: Case, implementation: Implementation) -> Iterator[Result]:
    yield _among("reason", case.expected["reason"], report(case, implementation)["verdict"]["reasons"])


def _reasons(case: Case, implementation: Implementation) -> Iterator[Result]:
    """All of them in their order."""
    found = [_unnamed(reason) for reason in report(case, implementation)["verdict"]["reasons"]]
    yield compared("reasons", [_unnamed(reason) for reason in case.expected["reasons"]], found)


def _gate_reason(case: Case, implementation: Implementation) -> Iterator[Result]:
    text = case.expected["gate_reason"]
    expression = text.split(": ", 1)[0]
    made = report(case, implementation, "--gate", expression)
    yield _among("gate_reason", text, made["verdict"]["reasons"])
    yield compared("gate_reason status", "INDETERMINATE", made["verdict"]["gates"][0]["status"])


def _among(name: str, text: str, reasons: list[str]) -> Result:
    found = [_unnamed(reason) for reason in reasons]
    return Result(name, "pass") if _unnamed(text) in found else Result(name, "fail", f"expected {text!r} among {found}")


def _gate(case: Case, implementation: Implementation) -> Iterator[Result]:
    yield from _one_gate("gate", case.expected["gate"], case, implementation)


def _gates(case: Case, implementation: Implementation) -> Iterator[Result]:
    for number, gate in enumerate(case.expected["gates"]):
        yield from _one_gate(f"gates[{number}]", gate, case, implementation)


def _one_gate(name: str, gate: dict[str, Any], case: Case, implementation: Implementation) -> Iterator[Result]:
    more = ["--gate", gate["expression"]]
    for member in ("baseline", "baseline_run", "corpus"):
        if member in gate:
            more += [f"--{member.replace('_', '-')}", case.file(gate[member])]
    arguments = ["score", "--judgments", case.file("judgments.jsonl"), "--run", case.file("run.jsonl"), *settings(case)]
    answer = implementation.call(*arguments, *more, "--json")
    made = answer.json()["verdict"]
    yield compared(f"{name} status", gate["gate_status"], made["gates"][0]["status"])
    yield compared(f"{name} verdict", gate["verdict"], made["status"])
    yield compared(f"{name} exit code", gate["exit_code"], answer.code)
    for member in ("observed", "baseline_value"):
        if member in gate:
            yield compared(f"{name} {member}", gate[member], made["gates"][0].get(member.removesuffix("_value")))


def _rejected(case: Case, implementation: Implementation) -> Iterator[Result]:
    for each in case.expected["rejected"]["cases"]:
        judgments = each.get("judgments", "judgments.jsonl")
        run = each["file"] if "judgments" not in each else each.get("run", "run.jsonl")
        answer = implementation.call(
            "score", "--judgments", case.file(judgments), "--run", case.file(run), *settings(case)
        )
        name = f"rejected {each.get('judgments', each.get('file'))}"
        yield compared(f"{name} exit code", 2, answer.code)
        # What stands before the line's number is the implementation's name for the input.
        wanted = re.sub(r"^\w+(?=:\d)", "", each["message"])
        said = " ".join((answer.err + answer.out).split())
        yield Result(name, "pass") if wanted in said else Result(name, "fail", f"expected {wanted!r} in {said[:300]!r}")


CHECKS = (
    _status("verdict"),
    _status("status"),
    Check("reason", _reason),
    Check("reasons", _reasons),
    Check("gate_reason", _gate_reason),
    Check("gate", _gate),
    Check("gates", _gates),
    Check("rejected", _rejected),
)
