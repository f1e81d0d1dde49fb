"""Wherever the Python API takes a measure's name it takes ir_measures' object, irbridge's own, and a descriptor.

    qrels  q1: a 2, b 1     q2: c 1        run  q1: x, a, b     q2: c

P@2 is 1/2 and 1/2; RR(rel=2)@10 1/2 and 0, of means 1/2 and 1/4.
"""

from __future__ import annotations

import inspect
from typing import Any

import ir_measures
import pytest
from ir_measures import RR, P, nDCG

import irbridge
from irbridge.errors import UnknownName, UsageError
from irbridge.measures.names import family_named

QRELS = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}
RUN = {"q1": {"x": 3.0, "a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}
MEANS = {"P@2": 0.5, "RR(rel=2)@10": 0.25}
FORMS: dict[str, Any] = {
    "ir_measures": [P @ 2, RR(rel=2) @ 10],
    "irbridge": irbridge.parse_measures("P@2 RR(rel=2)@10"),
    "called": [family_named("P") @ 2, family_named("RR")(rel=2, cutoff=10)],
    "mixed": [P @ 2, "RR(rel=2)@10"],
    "generator": (each for each in (P @ 2, "RR(rel=2)@10")),
}
each_form = pytest.mark.parametrize("form", ["ir_measures", "irbridge", "called", "mixed"])


@pytest.mark.parametrize("form", FORMS)
def test_parse_measures(form: str) -> None:
    assert [measure.asked for measure in irbridge.parse_measures(FORMS[form])] == list(MEANS)


def test_what_a_nickname_leaves_out_is_not_forgotten_by_reading_twice() -> None:
    once = irbridge.parse_measures("official")
    once.left_out["x"] = "y"
    assert irbridge.parse_measures(once).left_out == once.left_out


@each_form
def test_score(form: str) -> None:
    scores = irbridge.score(QRELS, RUN, FORMS[form])
    assert scores.aggregates() == MEANS
    for measure in FORMS[form]:
        assert scores.of(measure) == scores.of(str(measure))
    assert irbridge.score(QRELS, RUN, P @ 1, k=[2, 3]).aggregates() == {"P@2": 0.5, "P@3": pytest.approx(0.5)}
    with pytest.raises(UnknownName, match="'nDCG@10' is not a measure of these scores"):
        scores.of(nDCG @ 10)


@each_form
def test_experiment(form: str) -> None:
    found = irbridge.experiment({"one": RUN, "two": RUN}, QRELS, FORMS[form], baseline="one")
    assert [{name: row[name] for name in MEANS} for row in found.table()] == [MEANS, MEANS]
    assert found.of("two", FORMS[form][0]).mean == 0.0
    with pytest.raises(UsageError, match="'two' was not compared by 'nDCG@10'"):
        found.of("two", nDCG @ 10)


@each_form
def test_crosscheck(form: str) -> None:
    found = irbridge.crosscheck(QRELS, RUN, FORMS[form], oracles="pytrec_eval")
    assert found.scores.aggregates() == MEANS
    assert [each.status for each in found.cell(P @ 2, "pytrec_eval")] == ["equal"]


@each_form
def test_build_report(form: str) -> None:
    gates = [(P @ 2, 0.5), (RR(rel=2) @ 10, "0.3"), "P@2:0.6"]
    report = irbridge.build_report(QRELS, RUN, FORMS[form], "ir_measures", gates=gates)
    said = report.as_dict()
    assert {name: each["value"] for name, each in said["metrics"].items()} == MEANS
    assert [(each["expression"], each["status"]) for each in said["verdict"]["gates"]] == [
        ("P@2:0.5", "PASS"), ("RR(rel=2)@10:0.3", "FAIL"), ("P@2:0.6", "FAIL"),
    ]  # fmt: skip
    assert irbridge.build_report(QRELS, RUN, "ndcg@10", None).as_dict()["convention"]["name"] == "retrieval-eval"


@each_form
def test_build_reports(form: str) -> None:
    found = irbridge.build_reports(QRELS, [RUN, RUN], FORMS[form], "ir_measures", gates=[(P @ 2, 0.5)])
    for report in found:
        said = report.as_dict()
        assert {name: each["value"] for name, each in said["metrics"].items()} == MEANS
        assert [each["expression"] for each in said["verdict"]["gates"]] == ["P@2:0.5"]
    assert len(found) == 2


def test_gates() -> None:
    report = irbridge.build_report(QRELS, RUN, [P @ 2], None).as_dict()
    found = irbridge.evaluate_gates(report, [(P @ 2, 0.5), ("P@2", 0.7)])
    assert [outcome.status for _, outcome in found.outcomes] == ["PASS", "FAIL"]
    stratum = irbridge.evaluate_gates(report, [("worst-stratum", P @ 2, 0.5)])
    assert stratum.outcomes[0][0].expression == "worst-stratum:P@2:0.5"
    for bad in ((P @ 2,), (P @ 2, "high"), (P @ 2, float("nan")), ()):
        with pytest.raises(UsageError):
            irbridge.evaluate_gates(report, [bad])


def test_explain() -> None:
    by_object, by_name = (irbridge.explain(claim, QRELS, RUN) for claim in ((P @ 2, 0.5), "P@2=0.5"))
    assert by_object.as_dict() == by_name.as_dict()
    assert by_object.found
    with pytest.raises(UsageError):
        irbridge.explain((P @ 2, "high"), QRELS, RUN)


def test_no_function_of_the_front_door_takes_measures_that_is_not_tested_here() -> None:
    """Whoever adds one adds a test above."""
    takers = {
        name
        for name in irbridge.__all__
        if inspect.isfunction(found := getattr(irbridge, name))
        and {"measures", "measure", "gates", "claim", "names"} & inspect.signature(found).parameters.keys()
    }
    assert takers == {
        "score",
        "experiment",
        "crosscheck",
        "build_report",
        "build_reports",
        "evaluate_gates",
        "explain",
        "parse_measures",
    }


def test_every_measure_of_ir_measures_is_taken_as_an_object() -> None:
    assert len(ir_measures.measures.registry) > 40
    for name, measure in ir_measures.measures.registry.items():
        given = {each: {"max_rel": 3, "cutoff": 5, "recall": 0.5}.get(each) for each in measure.SUPPORTED_PARAMS}
        built = measure(**{each: value for each, value in given.items() if value})
        (found,) = irbridge.parse_measures(built)
        assert found.asked == str(built), name
