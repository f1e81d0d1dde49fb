from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pytrec_eval")

Irbridge = Callable[..., Any]
BOTH = ("--judgments", "a.qrels", "--run", "a.run")


def columns(out: str) -> dict[str, list[str]]:
    """The rows of the table by their first cell, cells set apart by three or more spaces."""
    rows = [re.split(r" {3,}", line.strip()) for line in out.splitlines() if re.match(r"  \S", line)]
    return {row[0]: row[1:] for row in rows}


def test_numbers_that_agree(irbridge: Irbridge) -> None:
    done = irbridge("crosscheck", *BOTH, "-m", "nDCG@10 AP", "--oracle", "pytrec_eval")
    assert done.code == 0, done.err
    assert columns(done.out)["AP"] == ["0.3750", "= 2/2"]
    assert columns(done.out)["nDCG@10"][1] == "= 2/2"
    assert "no difference" in done.out


def test_a_difference_is_explained_by_its_convention(irbridge: Irbridge) -> None:
    # b before a by id: pytrec_eval finds a at rank 2, the ascending order at rank 1.
    Path("t.qrels").write_text("q1 0 a 1\n")
    Path("t.run").write_text("q1 Q0 a 1 0.5 t\nq1 Q0 b 2 0.5 t\n")
    call = (
        "crosscheck",
        "--judgments",
        "t.qrels",
        "--run",
        "t.run",
        "-m",
        "RR",
        "--oracle",
        "pytrec_eval",
        "--ties",
        "docid-asc",
    )
    done = irbridge(*call)
    assert done.code == 0
    assert columns(done.out)["RR"] == ["1.0000", "1 differ"]
    said = " ".join(done.out.split())
    assert "ties broken by docid descending" in said
    assert "with --ties docid-desc irbridge gives its values on the one query" in said
    assert "every difference is explained" in said
    made = json.loads(irbridge(*call, "--json").out)
    assert made["ok"] is True
    assert made["comparisons"][0]["status"] == "explained"


def test_an_unexplained_difference_is_exit_1(irbridge: Irbridge, monkeypatch: pytest.MonkeyPatch) -> None:
    import pytrec_eval

    real = pytrec_eval.RelevanceEvaluator.evaluate

    def off(self: Any, *arguments: Any, **named: Any) -> Any:
        found = real(self, *arguments, **named)
        return {query: {name: value + 0.0123 for name, value in own.items()} for query, own in found.items()}

    monkeypatch.setattr(pytrec_eval.RelevanceEvaluator, "evaluate", off)
    done = irbridge("crosscheck", *BOTH, "-m", "AP", "--oracle", "pytrec_eval")
    assert done.code == 1
    assert columns(done.out)["AP"][1] == "2 differ !"
    assert "1 difference not explained" in done.out


def test_nothing_compared_is_no_success(irbridge: Irbridge) -> None:
    done = irbridge("crosscheck", *BOTH, "-m", "Judged@10", "--oracle", "pytrec_eval")
    assert done.code == 1
    assert "nothing was compared" in done.out


def test_an_absent_engine_is_skipped_with_its_reason(irbridge: Irbridge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    done = irbridge("crosscheck", *BOTH, "-m", "AP")
    assert done.code == 0
    assert re.search(r"skipped +trec_eval: there is no trec_eval on the PATH", done.out)


def test_an_unknown_engine_is_refused(irbridge: Irbridge) -> None:
    done = irbridge("crosscheck", *BOTH, "--oracle", "pytreceval")
    assert done.code == 2
    assert "did you mean pytrec_eval" in done.err


def test_cutoffs_and_knobs_are_those_of_score(irbridge: Irbridge) -> None:
    done = irbridge("crosscheck", *BOTH, "-m", "P", "-k", "1,3", "--rel", "2", "--oracle", "pytrec_eval", "--json")
    made = json.loads(done.out)
    # P_3 from grade 2: one of three for q1, none for q2.
    assert made["irbridge"] == {"P_1": 0.0, "P_3": pytest.approx(1 / 6)}
    assert made["convention"]["rel"] == 2


def test_a_key_says_what_the_signs_mean(irbridge: Irbridge) -> None:
    done = irbridge("crosscheck", *BOTH, "-m", "nDCG@10 RR@10", "--oracle", "pytrec_eval")
    said = " ".join(done.out.split())
    assert "key = n/n: equal on all n queries -: that engine has no such measure" in said.replace(" · ", " ")
    # Nothing differs here, nothing was skipped.
    assert "n differ" not in said
    assert "skipped" not in said
    done = irbridge("crosscheck", *BOTH, "-m", "nDCG(gains={1:1,2:7})@10 ndcg@10", "--oracle", "pytrec_eval")
    assert "n differ: on so many queries, see why" in " ".join(done.out.split())


def test_an_engine_that_is_not_asked_for_one_measure_says_why(irbridge: Irbridge) -> None:
    pytest.importorskip("cwl")
    done = irbridge("crosscheck", *BOTH, "-m", "P@5 P@1000000000", "--oracle", "ir_measures:cwl_eval")
    assert done.code == 0
    assert columns(done.out)["P@1000000000"][1] == "not called"
    said = " ".join(done.out.split())
    assert "not called: the reason is below" in said
    assert "not called ir_measures:cwl_eval on P@1000000000: cwl_eval looks at 1,000 documents of a ranking" in said
    alone = irbridge("crosscheck", *BOTH, "-m", "P@1000000000", "--oracle", "ir_measures:cwl_eval")
    assert alone.code == 1
    assert "no engine that is here could be asked for these measures" in " ".join(alone.out.split())


def test_how_to_get_an_absent_engine(irbridge: Irbridge, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setitem(sys.modules, "ranx", None)
    said = " ".join(irbridge("crosscheck", *BOTH, "-m", "AP").out.split())
    assert "build https://github.com/usnistgov/trec_eval with make, and put its folder on the PATH" in said
    assert "ir_measures:ranx: ranx is not installed pip install 'ir-measures[ranx]'" in said.replace(" · ", " ")
    assert "skipped: not usable on this machine" in said


def test_an_empty_ranking_is_scored_as_score_scores_it(irbridge: Irbridge) -> None:
    Path("e.qrels").write_text("q1 0 a 1\nq2 0 a 1\n")
    Path("e.jsonl").write_text('{"query_id": "q1", "ranking": []}\n{"query_id": "q2", "ranking": ["a"]}\n')
    call = ("--judgments", "e.qrels", "--run", "e.jsonl", "-m", "AP", "--convention", "trec_eval-9", "--json")
    made = json.loads(irbridge("crosscheck", *call, "--oracle", "pytrec_eval").out)
    # q1 is answered, with nothing: (0 + 1) / 2.
    assert made["irbridge"] == {"AP": 0.5}
    assert made["irbridge"]["AP"] == json.loads(irbridge("score", *call).out)["metrics"]["AP"]["value"]
    assert made["comparisons"][0]["explanation"]["causes"] == ["empty"]


def test_a_budget_is_nobody_else_s(irbridge: Irbridge) -> None:
    done = irbridge("crosscheck", *BOTH, "-m", "P@3 P@20tok")
    assert (done.code, done.out) == (2, "")
    assert "P@20tok looks as far as a budget reaches, which no other engine does" in done.err
    assert "irbridge score and irbridge compare compute it" in done.err
