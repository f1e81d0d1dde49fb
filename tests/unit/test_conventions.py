from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from irbridge.conventions import CHOICES, EXPONENTIAL, KNOBS, LINEAR, PRESETS, Convention, Gain, get_convention
from irbridge.errors import UnknownName, UsageError

PAGE = Path(__file__).resolve().parents[2] / "spec" / "conventions.md"


def table(heading: str) -> list[list[str]]:
    section = PAGE.read_text(encoding="utf-8").split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")
    ]


def test_the_presets_are_those_of_the_specification():
    header, _, *rows = table("Presets")
    assert header[1:] == list(PRESETS)
    for knob, *values in rows:
        for preset, value in zip(PRESETS.values(), values, strict=True):
            own = getattr(preset, knob.replace("-", "_"))
            words = {None: "all" if knob == "depth" else "by name", True: "yes", False: "no"}
            assert (words[own] if own is None or isinstance(own, bool) else str(own)) == value, (preset.name, knob)


def test_every_knob_stands_in_the_specification():
    knobs = [row[0].replace("-", "_") for row in table("Knobs")[2:]]
    assert sorted(knobs) == sorted(KNOBS)
    assert set(KNOBS) == {field.name for field in fields(Convention)} - {"name", "summary"}


def test_changing_a_knob_changes_the_name_and_nothing_else():
    base = get_convention("ir_measures")
    changed = base.changed(rel=2, ties=None, depth=None)
    assert changed.name == "ir_measures (changed)"
    assert changed.rel == 2
    assert changed.changed(depth=10).name == "ir_measures (changed)"
    assert {**changed.as_dict(), "name": 0, "rel": 0} == {**base.as_dict(), "name": 0, "rel": 0}
    assert base.changed(rel=1, missing="zero") is base


@pytest.mark.parametrize(
    "knobs",
    [
        {"ties": "random"},
        {"rel": 0},
        {"rel": True},
        {"rel": 1.5},
        {"depth": -1},
        {"missing": "0"},
        {"precision": "half"},
    ],
)
def test_an_impossible_value_is_refused(knobs):
    with pytest.raises(UsageError, match=next(iter(knobs))):
        get_convention("beir").changed(**knobs)


def test_unknown_preset():
    with pytest.raises(UnknownName, match="did you mean trec_eval-9"):
        get_convention("trec_eval9")


@pytest.mark.parametrize(
    "text, gain",
    [
        ("linear", LINEAR),
        ("exp", EXPONENTIAL),
        ("Exponential", EXPONENTIAL),
        ("1=3, 0=0", Gain("custom", ((0, 0.0), (1, 3.0)))),
        ("1=0.12345678901,2=1e30", Gain.of({1: 0.12345678901, 2: 1e30})),
    ],
)
def test_gains(text, gain):
    assert Gain.parse(text) == gain
    assert Gain.parse(str(gain)) == gain


@pytest.mark.parametrize("text", ["", "log", "1", "1=a", "1=2=3", "1=nan", "1=-1", "1=inf", "x=1"])
def test_impossible_gains(text):
    with pytest.raises(UsageError, match="gain"):
        Gain.parse(text)


def test_choices_are_those_of_the_page():
    for knob, values, _ in table("Knobs")[2:]:
        name = knob.replace("-", "_")
        if name in CHOICES:
            assert tuple(re.split(r",\s*", values)) == CHOICES[name]
