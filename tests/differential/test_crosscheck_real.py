"""Real runs against every engine that is installed: no difference may be without an explanation.

Which causes may appear where is fixed, so that a wrong number of ours cannot hide behind a far-fetched one.
"""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from irbridge.crosscheck.explain import explain
from irbridge.crosscheck.result import Crosschecked
from irbridge.crosscheck.run import crosscheck

for needed in ("pytrec_eval", "ir_measures", "beir.retrieval.evaluation"):
    pytest.importorskip(needed)

PLAIN = (
    "nDCG@10 nDCG nDCG@100 AP AP@10 RR P@5 R@100 Success@3 Rprec Bpref SetP SetR SetF SetF(beta=2) SetAP NumRet NumRel "
    "NumRelRet AP(rel=2) P(rel=2)@10 R(rel=2)@50 RR(rel=2) Bpref(rel=2) NumRel(rel=2) AP(judged_only=True) "
    "P(judged_only=True)@10"
)
OTHERS = "RR@10 RR(rel=2)@10 Judged@10 Judged Success@10 nDCG(gains={1:1,2:5,3:7,4:9})@20 nDCG(dcg='exp-log2')@10"
FAST = ["pytrec_eval", "BEIR", "ir_measures:pytrec_eval", "ir_measures:msmarco", "ir_measures:judged", "trec_eval"]
SETS = {
    "dl-hard bm25": ("dl-hard/dl_hard-passage.qrels", "dl-hard/passage/bm25.run"),
    "dl-hard t5": ("dl-hard/dl_hard-passage.qrels", "dl-hard/passage/bm25+t5(zs).run"),
    "dl-hard electra": ("dl-hard/dl_hard-doc.qrels", "dl-hard/doc/bm25+rm3+electra-mp.run"),
    "web2012 negative grades": ("web2012/qrels.web.151-200.adhoc.txt", "web2012/runs/2012-ql-catb-filtered.run"),
    "covid 16k tied rows": (
        "covid/qrels.covid-complete.txt",
        "covid/runs/dis17-baseline-title-abstract-query.run",
    ),
    "trec_eval's own": ("trec-eval-tests/qrels.test", "trec-eval-tests/results.test"),
    "trec_eval's own, truncated": ("trec-eval-tests/qrels.test", "trec-eval-tests/results.trunc"),
}
each_set = pytest.mark.parametrize("name", SETS)


def paths(shared: Path, name: str) -> tuple[Path, Path]:
    qrels, run = SETS[name]
    return shared / "data" / "trec" / qrels, shared / "data" / "trec" / run


def kinds(result: Crosschecked) -> dict[str, set[tuple[str, ...]]]:
    """Oracle -> the kinds of causes that explain its differences, each set sorted."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for one in result.explained:
        causes = () if one.explanation is None else one.explanation.causes
        found.setdefault(one.oracle, set()).add(tuple(sorted(cause.name for cause in causes)))
    return found


def assert_explained(result: Crosschecked) -> None:
    assert result.ok, [line for one in result.unexplained for line in one.why()]
    assert result.compared
    assert not [state.refused for state in result.oracles if state.refused]


@each_set
def test_under_their_own_conventions_the_engines_of_trec_eval_agree_on_every_query(shared: Path, name: str) -> None:
    result = crosscheck(*paths(shared, name), PLAIN, "ir_measures", ["ir_measures:pytrec_eval"])
    assert_explained(result)
    # What ir_measures counts for unanswered queries is the one thing that differs: NumRel.
    assert set(kinds(result).get("ir_measures:pytrec_eval", set())) <= {("formula",)}
    result = crosscheck(*paths(shared, name), PLAIN, "trec_eval-9", ["pytrec_eval"])
    assert_explained(result)
    assert kinds(result) == {}
    assert Counter(one.status for one in result.comparisons) == {"equal": 27}


@each_set
def test_every_difference_is_explained(shared: Path, name: str) -> None:
    result = crosscheck(*paths(shared, name), f"{PLAIN} {OTHERS} ndcg@10", "ir_measures", FAST)
    assert_explained(result)
    causes = kinds(result)
    # Ties by ascending id, ties as given, linear gain for ndcg@10; queries that the truncated run does not answer.
    assert causes.get("ir_measures:msmarco", set()) <= {("ties",)}
    assert causes.get("ir_measures:judged", set()) <= {("ties",)}
    gains = {("gain",), ("gain", "missing")}
    assert causes.get("BEIR", set()) <= {("ties",), ("missing",), *gains}
    assert causes.get("beir", set()) <= {("ties",), ("missing",), *gains}
    assert causes.get("pytrec_eval", set()) <= {("missing",), *gains}
    assert causes.get("ir_measures:pytrec_eval", set()) <= {("gain",), ("formula",)}


@pytest.mark.parametrize("name", ["dl-hard electra", "covid 16k tied rows"])
def test_ties_left_as_given_differ_and_are_explained(shared: Path, name: str) -> None:
    result = crosscheck(*paths(shared, name), "ndcg@10 map@10 mrr@10 recall@100 AP Bpref", "retrieval-eval", FAST[:3])
    assert_explained(result)
    causes = {kind for found in kinds(result).values() for kind in found}
    assert ("ties",) in causes or ("no_positives", "ties") in causes
    assert causes <= {
        ("ties",),
        ("gain",),
        ("gain", "ties"),
        ("no_positives", "ties"),
        ("gain", "no_positives", "ties"),
    }


def test_covid_ties_change_msmarcos_order(shared: Path) -> None:
    result = crosscheck(*paths(shared, "covid 16k tied rows"), "RR@10 Judged@10", "ir_measures", FAST)
    by_oracle = {(one.measure, one.oracle): one for one in result.comparisons if one.status != "uncovered"}
    judged = by_oracle["Judged@10", "ir_measures:judged"]
    assert (judged.status, judged.differ > 0) == ("explained", True)
    assert judged.explanation is not None
    assert judged.explanation.settings == "--ties docid-asc"


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a perl script")
@pytest.mark.parametrize("name", ["dl-hard electra", "web2012 negative grades"])
def test_exponential_gain_is_gdevals(shared: Path, name: str) -> None:
    result = crosscheck(*paths(shared, name), "nDCG(dcg='exp-log2')@10 ndcg@20", "ir_measures", ["ir_measures:gdeval"])
    assert [one.status for one in result.comparisons] == ["equal", "equal"]
    assert result.comparisons[0].compared == 50


def test_average_precision_of_cwl_eval_divides_by_what_was_found(shared: Path) -> None:
    pytest.importorskip("cwl")
    result = crosscheck(*paths(shared, "trec_eval's own"), "AP RR P@10", "ir_measures", ["ir_measures:cwl_eval"])
    assert_explained(result)
    assert kinds(result) == {"ir_measures:cwl_eval": {("formula", "ties")}}
    assert [one.status for one in result.comparisons] == ["explained", "equal", "equal"]


@pytest.mark.may_skip("not every machine has the program trec_eval")
@pytest.mark.skipif(shutil.which("trec_eval") is None, reason="there is no trec_eval on the PATH")
@each_set
def test_the_program_agrees(shared: Path, name: str) -> None:
    result = crosscheck(*paths(shared, name), f"{PLAIN} RR@10", "trec_eval-9", ["trec_eval"])
    assert_explained(result)
    # Release 10 counts unanswered queries (it is called with -c) and compares scores as double.
    ten = (result.oracles[0].version or "").startswith("10")
    allowed = {("missing",), ("precision",), ("missing", "precision")} if ten else set()
    assert kinds(result).get("trec_eval", set()) <= allowed


def test_published_numbers_are_found(shared: Path) -> None:
    """What dl-hard publishes beside its run: `trec_eval -l 2 -c -M1000`, four decimals, in the file's last lines."""
    qrels, run = paths(shared, "dl-hard bm25")
    printed = {}
    for line in run.with_name("bm25.run.eval").read_text().splitlines():
        measure, query, value = line.split()
        if query == "all":
            printed[measure] = value
    second = explain(f"map={printed['map']}", qrels, run)
    assert second.reproductions[0].settings == "--rel 2"
    assert explain(f"MRR={printed['recip_rank']}", qrels, run).reproductions[0].settings == "--rel 2"
    plain = explain(f"ndcg@10={printed['ndcg_cut_10']}", qrels, run)
    assert plain.reproductions[0].deviations == ()
    assert plain.engines["trec_eval 9 -c"] == pytest.approx(float(printed["ndcg_cut_10"]), abs=5e-5)
