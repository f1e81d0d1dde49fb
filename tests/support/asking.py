"""Oracles asked directly, and crosschecks of dicts, for tests that write their input down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irbridge.conventions import Convention
from irbridge.crosscheck.result import Comparison
from irbridge.crosscheck.run import crosscheck
from irbridge.measures.base import Measure
from irbridge.measures.names import parse
from irbridge.oracles import ORACLES, Answer

PLAIN = Convention("plain")
Qrels = Mapping[str, Mapping[str, int]]
Run = Mapping[str, Mapping[str, float]]


def resolved(names: str) -> list[Measure]:
    """Measures with nothing left to a convention."""
    return [measure.resolved(PLAIN) for measure in parse(names)]


def ask(oracle: str, names: str, qrels: Qrels, run: Run, **more: Any) -> Answer:
    """What one oracle answers."""
    return ORACLES.get(oracle).evaluate(qrels, run, resolved(names), **more)


def asked(oracle: str, names: str, qrels: Qrels, run: Run) -> dict[str, dict[str, float]]:
    """Its values by measure and query; a refusal fails the test."""
    answer = ask(oracle, names, qrels, run)
    assert answer.refused is None, answer.refused
    assert not answer.left_out, answer.left_out
    return answer.values


def compared(oracle: str, name: str, qrels: Any, run: Any, convention: str | Convention = "ir_measures") -> Comparison:
    """The crosscheck of one measure against one oracle."""
    (found,) = crosscheck(qrels, run, name, convention, [oracle]).comparisons
    return found


def why(oracle: str, name: str, qrels: Any, run: Any, convention: str | Convention = "ir_measures") -> list[str]:
    """The kinds of causes that explain a difference; [] where there is none. One that is not explained fails the test."""
    found = compared(oracle, name, qrels, run, convention)
    assert found.status in {"equal", "explained"}, (found.status, found.reason, found.examples)
    return [] if found.explanation is None else [cause.name for cause in found.explanation.causes]
