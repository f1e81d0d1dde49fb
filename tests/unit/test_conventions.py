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
            unset = {"depth": "all", "unjudged-grade": "labels"}.get(knob, "by name")
            words = {None: unset, True: "yes", False: "no"}
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
        {"judged_only": "no"},  # which is true
        {"judged_only": 0},
        {"judged_only": 1},
        {"level_cuts_gain": "yes"},
        {"depth": "10"},
        {"depth": 10.0},
        {"gain": "linear"},
        {"gain": 2},
        {"duplicates": True},
        {"self_retrieval": ["keep"]},
        {"no_positives": b"zero"},
    ],
)
def test_an_impossible_value_is_refused(knobs):
    with pytest.raises(UsageError, match=next(iter(knobs))):
        get_convention("beir").changed(**knobs)


@pytest.mark.parametrize("knobs", [{"ties": "random"}, {"judged_only": "no"}, {"rel": 1.5}, {"gain": "exp"}])
def test_a_convention_that_cannot_be_is_not_made(knobs):
    with pytest.raises(UsageError, match=next(iter(knobs))):
        Convention("mine", **knobs)


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


@pytest.mark.parametrize(
    "text",
    [
        *("", "log", "1", "1=a", "1=2=3", "1=nan", "1=-1", "1=inf", "x=1"),
        *("1_0=1", "1=1_0", "\uff11=1", "1=\u0661", "1.0=1", "1=1e400", "1" * 5000 + "=1"),
    ],
)
def test_impossible_gains(text):
    with pytest.raises(UsageError, match="gain"):
        Gain.parse(text)


@pytest.mark.parametrize("text", ["1=1,1=2", "1=1,2=2,1=1", "1=1,01=3", "0=0,-0=1"])
def test_a_grade_has_one_gain(text):
    with pytest.raises(UsageError, match=r"^grade [01] has two gains in '"):
        Gain.parse(text)


@pytest.mark.parametrize(
    "table", [{1: True}, {True: 1}, {1: "2"}, {1.0: 2}, {1: 10**5000}, {10**5000: 1}, {2**53 + 1: 1}]
)
def test_impossible_tables(table):
    with pytest.raises(UsageError, match=r"gain|grade"):
        Gain.of(table)


def test_choices_are_those_of_the_page():
    for knob, values, _ in table("Knobs")[2:]:
        name = knob.replace("-", "_")
        if name in CHOICES:
            assert tuple(re.split(r",\s*", values)) == CHOICES[name]
