"""Every form of gates: described, with an example that it alone claims."""

from __future__ import annotations

from pathlib import Path

import pytest

from irbridge.gates import FORMS
from irbridge.gates.expressions import parse, split

NAMES = FORMS.names()


def test_the_forms_of_the_specification() -> None:
    assert set(NAMES) == {"floor", "delta", "delta-lower", "worst-stratum", "ci-lower", "unjudged-lower", "drift"}


@pytest.mark.parametrize("name", NAMES)
def test_a_form_is_described_and_its_example_is_its_own(root: Path, name: str) -> None:
    form = FORMS.get(name)
    assert form.summary
    assert not form.summary.endswith(".")
    assert [each.name for each in FORMS if each.claims(split(form.example))] == [name]
    gate = parse(form.example)
    assert gate.form is form
    assert gate.measure
    assert f"`{form.example}`" in (root / "spec" / "gates.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_form_never_says_pass_of_an_empty_report(name: str) -> None:
    from irbridge.gates.evaluation import evaluate

    empty = {"judgments": {"queries": 0, "labels": 0}, "metrics": {}}
    found = evaluate(empty, [FORMS.get(name).example])
    assert found.status == "INDETERMINATE"
    assert found.reasons[0].startswith(FORMS.get(name).example)
