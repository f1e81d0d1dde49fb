"""Preferences of two users over three queries, subgroups, ties and a query without an answer; against frozen trec_eval output."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.trec_eval_tables import Line, compared

import irbridge

HERE = Path(__file__).parent
DATA = HERE.parent / "data" / "preferences"
OPTIONS = {"-": {}, "-M 5": {"depth": 5}}


def frozen(options: str) -> list[Line]:
    """The lines that trec_eval 10.0 printed under these options."""
    rows = (HERE / "expected" / "preferences.tsv").read_text(encoding="utf-8").splitlines()
    parts = [row.split("\t") for row in rows if not row.startswith(";")]
    return [Line(*columns) for under, *columns in parts if under == options]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("convention", ["trec_eval-9", "trec_eval-10"])
def test_every_line(options: str, convention: str) -> None:
    knobs = {"missing": "zero", **OPTIONS[options]}
    scores = irbridge.score(DATA / "labels.prefs", DATA / "run.txt", "all_prefs", convention=convention, **knobs)
    assert compared(scores, frozen(options)) == (3 * 14 + 15, [])


def test_the_order_of_equal_scores_is_that_of_these_measures() -> None:
    scores = irbridge.score(DATA / "labels.prefs", DATA / "run.txt", "all_prefs", missing="zero")
    assert (scores.convention.name, scores.convention.ties) == ("ir_measures (changed)", "docid-asc")
    other = irbridge.score(
        DATA / "labels.prefs",
        DATA / "run.txt",
        "all_prefs",
        convention="trec_eval-10",
        missing="zero",
        ties="docid-desc",
    )
    assert compared(other, frozen("-"))[1] != []


def test_reports_and_comparisons_of_them() -> None:
    labels, run = DATA / "labels.prefs", DATA / "run.txt"
    alone = irbridge.score(labels, run, "prefs_simp").aggregates()["prefs_simp"]
    report = irbridge.build_report(labels, run, "prefs_simp", None).as_dict()
    assert report["metrics"]["prefs_simp"]["value"] == pytest.approx(alone, abs=1e-12)
    found = irbridge.experiment([run, run], labels, "prefs_simp")
    assert [found.systems.aggregate(system, 0) for system in (0, 1)] == [alone, alone]
