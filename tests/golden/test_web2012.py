"""TREC Web track 2012: grades from -2 (spam) to 4, five runs; against pytrec_eval per query and trec_eval's aggregates."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.pytrec_eval_values import PRINTED, differing, read_qrels, read_run, values
from support.trec_eval_tables import Line, compared

import irbridge

RUNS = (
    "2012-ql-cata-filtered",
    "2012-ql-catb-filtered",
    "2012-ql-catb",
    "2012-rm-cata-filtered",
    "2012-rm-catb-filtered",
)
QUERIES = 50
# What an option on trec_eval's command line is here.
OPTIONS = {
    "-": {},
    "-l 3": {"rel": 3},
    "-J": {"judged_only": True},
    "-M 20": {"depth": 20},
    "-J -l 2 -M 20": {"judged_only": True, "rel": 2, "depth": 20},
}


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "data" / "trec" / "web2012"


@pytest.fixture(scope="module")
def qrels(folder: Path) -> Path:
    return folder / "qrels.web.151-200.adhoc.txt"


def frozen() -> dict[tuple[str, str], list[Line]]:
    """{(options, run): lines} of trec_eval 10.0, from the table beside this test."""
    tables: dict[tuple[str, str], list[Line]] = {}
    for row in (Path(__file__).parent / "expected" / "web2012.tsv").read_text(encoding="utf-8").splitlines():
        if not row.startswith(";"):
            options, run, measure, value = row.split("\t")
            tables.setdefault((options, run), []).append(Line(measure, "all", value))
    return tables


FROZEN = frozen()


def test_the_grades_are_what_makes_this_collection_hard(qrels: Path) -> None:
    """`awk '$4<0' | wc -l` is 858 of 16,055, all -2; the round trip keeps each of them."""
    grades = [label.relevance for label in irbridge.load(qrels)]
    assert len(grades) == 16055
    assert sum(grade < 0 for grade in grades) == sum(grade == -2 for grade in grades) == 858
    assert set(grades) == {-2, 0, 1, 2, 3, 4}


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("run", RUNS)
def test_every_query_against_pytrec_eval(folder: Path, qrels: Path, run: str, level: int) -> None:
    path = folder / "runs" / f"{run}.run"
    expected = values(read_qrels(qrels), read_run(path), level)
    scores = irbridge.score(qrels, path, PRINTED, convention="trec_eval-9", rel=level)
    count, far = differing(scores, expected)
    assert far == []
    assert count == len(PRINTED) * QUERIES == 2550


@pytest.mark.parametrize("convention", ["trec_eval-9", "trec_eval-10"])
@pytest.mark.parametrize("options, run", FROZEN)
def test_the_aggregates_of_trec_eval(folder: Path, qrels: Path, options: str, run: str, convention: str) -> None:
    lines = FROZEN[options, run]
    names = [line.measure for line in lines]
    scores = irbridge.score(qrels, folder / "runs" / run, names, convention=convention, **OPTIONS[options])
    assert compared(scores, lines) == (52, [])


def test_every_option_and_run_is_frozen() -> None:
    assert {options for options, _ in FROZEN} == OPTIONS.keys()
    assert {run for _, run in FROZEN} == {f"{run}.run" for run in RUNS}


@pytest.mark.parametrize("wrong", [{"gain": "exp"}, {"judged_only": True}, {"rel": 2}])
def test_a_wrong_convention_would_be_noticed(folder: Path, qrels: Path, wrong: dict[str, object]) -> None:
    run = f"{RUNS[0]}.run"
    lines = FROZEN["-", run]
    scores = irbridge.score(qrels, folder / "runs" / run, [line.measure for line in lines], **wrong)
    assert compared(scores, lines)[1]
