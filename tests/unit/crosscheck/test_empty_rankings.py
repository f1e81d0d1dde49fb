"""A query whose ranking holds no document: irbridge counts it as answered; every engine is run without it."""

from __future__ import annotations

import pytest
from support.asking import compared

import irbridge
from irbridge.conventions import PRESETS
from irbridge.crosscheck.explain import explain
from irbridge.crosscheck.run import crosscheck

for needed in ("pytrec_eval", "ir_measures", "beir.retrieval.evaluation"):
    pytest.importorskip(needed)

QRELS = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"b": 1}}
# q1 empty, q2 found at once, q3 not answered.
RUN = {"q1": {}, "q2": {"a": 1.0}}
NAMES = "AP nDCG@3 P@1 R@2 RR RR@10 Success@1 Judged@2 SetF NumQ NumRel NumRet NumRelRet"


@pytest.mark.parametrize("preset", [name for name, one in PRESETS.items() if one.missing != "error"])
def test_every_engine_is_explained(preset: str) -> None:
    found = crosscheck(QRELS, RUN, NAMES, preset)
    assert found.ok, [line for one in found.unexplained for line in one.why()]
    assert sum(one.status in {"equal", "explained"} for one in found.comparisons) > 20
    assert found.scores.aggregates() == irbridge.score(QRELS, RUN, NAMES, convention=preset).aggregates()


@pytest.mark.parametrize(
    "oracle, measure, preset, ours, theirs, causes",
    [
        # AP: q1 0, q2 1; q3 skipped. The engine has q2 alone.
        ("pytrec_eval", "AP", "trec_eval-9", 0.5, 1.0, ["empty"]),
        ("beir", "AP@3", "beir", 0.5, 1.0, ["empty"]),
        # Over all three; ir_measures fills both others with 0.
        ("ir_measures:pytrec_eval", "AP", "ir_measures", 1 / 3, 1 / 3, []),
        ("ir_measures:judged", "Judged@2", "ir_measures", 1 / 3, 1 / 3, []),
        ("ir_measures:msmarco", "RR@10", "ir_measures", 1 / 3, 1 / 3, []),
        # Skipped by us, filled by it: three queries against two.
        ("ir_measures:pytrec_eval", "AP", "trec_eval-9", 0.5, 1 / 3, ["missing"]),
        # Its default for a query that it was not given is 0, of counts too.
        ("ir_measures:pytrec_eval", "NumQ", "ir_measures", 3.0, 1.0, ["empty", "formula"]),
        ("ir_measures:pytrec_eval", "NumRel", "ir_measures", 3.0, 1.0, ["empty", "formula"]),
        ("pytrec_eval", "NumQ", "ir_measures", 3.0, 1.0, ["empty", "missing"]),
    ],
)
def test_what_each_engine_makes_of_it(
    oracle: str, measure: str, preset: str, ours: float, theirs: float, causes: list[str]
) -> None:
    found = compared(oracle, measure, QRELS, RUN, preset)
    assert found.ours == pytest.approx(ours)
    assert found.theirs == pytest.approx(theirs)
    assert ([] if found.explanation is None else sorted(cause.name for cause in found.explanation.causes)) == causes
    if "empty" in causes:
        assert "an empty ranking counts as a missing query" in found.explanation.words
        assert found.explanation.settings == ""


def test_a_run_of_empty_rankings_alone_is_taken_as_score_takes_it() -> None:
    run = {"q1": {}, "q2": {}}
    found = crosscheck(QRELS, run, "AP NumQ", "ir_measures", ["pytrec_eval", "ir_measures:pytrec_eval"])
    assert found.scores.aggregates() == {"AP": 0.0, "NumQ": 3.0}
    assert found.ok
    ours = {(one.oracle, one.measure): (one.status, one.reason) for one in found.comparisons}
    assert ours["pytrec_eval", "AP"] == ("refused", "not compared: it answers for no query of this run")
    assert ours["ir_measures:pytrec_eval", "AP"] == ("equal", None)
    assert ours["ir_measures:pytrec_eval", "NumQ"] == ("explained", None)


def test_a_published_number_may_be_of_the_queries_with_documents_alone() -> None:
    found = explain("AP=1.000", QRELS, RUN)
    first = found.reproductions[0]
    assert sorted(cause.name for cause in first.deviations) == ["empty", "missing"]
    assert (first.queries, first.settings) == (1, "")
    # A file of trec_eval cannot hold an empty ranking.
    assert found.engines["trec_eval 9"] == 1.0
    assert found.engines["trec_eval 9 -c"] == pytest.approx(1 / 3)
    assert found.engines["ir_measures"] == pytest.approx(1 / 3)
    assert explain("AP=0.500", QRELS, RUN).reproductions[0].settings == "--missing skip"
