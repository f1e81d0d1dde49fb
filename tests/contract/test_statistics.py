"""Every paired test, correction, fusion method and normalisation: described, documented, and what it promises."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
import pytest

from irbridge.cli.main import group
from irbridge.fusion import METHODS, NORMALISATIONS, Entry
from irbridge.stats.corrections import CORRECTIONS
from irbridge.stats.paired import PAIRED_TESTS, paired_result
from irbridge.stats.units import units

REGISTRIES = {"test": PAIRED_TESTS, "correction": CORRECTIONS, "by": METHODS, "norm": NORMALISATIONS}
COMMANDS = {"test": "compare", "correction": "compare", "by": "fuse", "norm": "fuse"}
ALL = [(option, name) for option, registry in REGISTRIES.items() for name in registry.names()]


@pytest.mark.parametrize("option, name", ALL)
def test_an_entry_is_described_in_the_specification_and_in_the_help(root: Path, option: str, name: str) -> None:
    entry = REGISTRIES[option].get(name)
    assert entry.summary
    assert not entry.summary.endswith(".")
    assert entry.source
    assert f"| `{name}` |" in (root / "spec" / "statistics.md").read_text(encoding="utf-8")
    command = group.get_command(click.Context(group), COMMANDS[option])
    assert command is not None
    (parameter,) = [each for each in command.params if each.name == option]
    assert isinstance(parameter, click.Option)
    assert name in (parameter.help or "")


@pytest.mark.parametrize("name", PAIRED_TESTS.names())
def test_a_paired_test_gives_a_probability_and_knows_no_order(name: str) -> None:
    test = PAIRED_TESTS.get(name)
    values = np.random.default_rng(3).normal(0.1, 0.3, 40)
    found = paired_result(test, units(values), 1)
    assert found.p is not None
    assert 0 < found.p <= 1
    assert paired_result(test, units(values[::-1]), 1) == found
    assert paired_result(test, units(-values), 1) == found


@pytest.mark.parametrize("name", CORRECTIONS.names())
def test_a_correction_makes_no_p_smaller_and_keeps_their_order(name: str) -> None:
    values = np.random.default_rng(4).uniform(0, 1, 50).tolist()
    adjusted = CORRECTIONS.get(name).adjust(values)
    assert all(p <= q <= 1 for p, q in zip(values, adjusted, strict=True))
    by_p = [q for _, q in sorted(zip(values, adjusted, strict=True))]
    assert by_p == sorted(adjusted)


@pytest.mark.parametrize("name", METHODS.names())
def test_a_method_does_not_care_for_the_order_of_runs(name: str) -> None:
    entries = [Entry(1, 0.1), Entry(2, 0.2), Entry(3, 1e-17), Entry(9, -0.3)]
    method = METHODS.get(name)
    assert method.fuse(entries, 60) == method.fuse(entries[::-1], 60)


@pytest.mark.parametrize("name", NORMALISATIONS.names())
def test_a_normalisation_keeps_the_order(name: str) -> None:
    scores = [9.5, 3.0, 3.0, 0.25, -7.0]
    found = NORMALISATIONS.get(name).normalise(scores)
    assert len(found) == len(scores)
    assert found == sorted(found, reverse=True)
