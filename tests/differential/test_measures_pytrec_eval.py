"""Every measure against trec_eval's own code (pytrec_eval) and ir_measures, query by query.

Scores are strictly decreasing and exact in float32, so that no rule for ties or precision can differ. Two inputs are
kept from pytrec_eval 0.5.11, which reads beyond its arrays on them (a crash or an endless loop, now and then): an empty
ranking, and a query whose grades are all negative.
"""

from __future__ import annotations

import math
import re
import shutil
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hits import Rankings, collections, computed, hits_of, values

from irbridge.measures.names import parse

TOLERANCE = 1e-9
Collection = tuple[dict[str, dict[str, int]], dict[str, list[str]]]

CUTOFFS = (1, 2, 3, 5, 10, 100)
TREC_NAMES = [
    *("map", "ndcg", "recip_rank", "bpref", "Rprec", "set_P", "set_recall", "set_F", "set_map"),
    *("num_q", "num_ret", "num_rel", "num_rel_ret"),
    *(f"{base}_{k}" for base in ("P", "recall", "ndcg_cut", "map_cut", "success", "relative_P") for k in CUTOFFS),
    *("infAP", "11pt_avg", "utility", "binG", "G", "Rndcg", "ndcg_rel", "set_relative_P", "num_nonrel_judged_ret"),
    *(f"{base}_{x:.2f}" for base in ("iprec_at_recall", "Rprec_mult") for x in (0, 0.1, 0.25, 0.5, 0.6, 0.75, 1)),
    *("gm_map", "gm_bpref"),
]
# pytrec_eval is trec_eval 9's code, and has not what came with 10; yaap it never had.
NOT_ITS = {"DCG", "IdealDCG", "rbp", "rbp_resid", "unj", "yaap"}


def safe(collection: Collection) -> Collection:
    qrels, run = collection
    kept = {query_id: labels for query_id, labels in qrels.items() if max(labels.values()) >= 0}
    return kept, {query_id: ranking for query_id, ranking in run.items() if ranking and query_id in kept}


def scored(run: Rankings) -> dict[str, dict[str, float]]:
    return {
        query_id: {doc_id: float(-rank) for rank, doc_id in enumerate(ranking)} for query_id, ranking in run.items()
    }


def compare(name: str, ours: dict[str, float], theirs: dict[str, float], run: Rankings) -> None:
    """An unanswered query is 0 for both, but for the two counts that the judgments alone give."""
    for query_id, found in ours.items():
        if query_id in run or name not in {"num_q", "num_rel", "NumQ", "NumRel"}:
            assert found == pytest.approx(theirs.get(query_id, 0.0), abs=TOLERANCE), (name, query_id)


def test_the_names_cover_every_family_that_trec_eval_has() -> None:
    from irbridge.measures import FAMILIES

    compared = {measure.family.name for measure in parse(TREC_NAMES)}
    # Preferences and judgment groups need files that pytrec_eval cannot read: tests/differential/test_preferences_trec_eval.py.
    elsewhere = {
        family.name for family in FAMILIES.builtin() if family.name.startswith("prefs_") or "avgjg" in family.name
    }
    assert elsewhere
    assert compared == {family.name for family in FAMILIES.builtin() if family.trec_eval} - NOT_ITS - elsewhere


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("level", [1, 2, 3])
@given(collection=collections())
def test_pytrec_eval(level: int, judged_only: bool, collection: Collection) -> None:
    import pytrec_eval

    qrels, run = safe(collection)
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, TREC_NAMES, relevance_level=level, judged_docs_only_flag=judged_only
    )
    theirs = evaluator.evaluate(scored(run))
    hits = hits_of(qrels, run)
    for name in TREC_NAMES:
        ours = computed(name, hits, rel=level, judged_only=judged_only, recall_points="up")
        found = {query_id: own[name] for query_id, own in theirs.items()}
        if name.startswith("gm_"):  # the logarithm, with a floor
            found = {query_id: 0.0 if math.exp(each) < 1.1e-5 else math.exp(each) for query_id, each in found.items()}
        # Of a ranking of which -J leaves nothing it says 0 / 0 at recall 0.
        compare(name, ours, {query_id: 0.0 if math.isnan(each) else each for query_id, each in found.items()}, run)


@given(collection=collections(lowest=0))
def test_gains_are_those_of_mapped_grades(collection: Collection) -> None:
    """pytrec_eval crashes when it is given gains again and again, so its grades are the gains."""
    import pytrec_eval

    gains = {0: 0, 1: 5, 2: 0, 3: 2}
    bases = ("ndcg", "G", "Rndcg", "ndcg_rel")
    qrels, run = safe(collection)
    mapped = {query_id: {doc_id: gains[grade] for doc_id, grade in own.items()} for query_id, own in qrels.items()}
    theirs = pytrec_eval.RelevanceEvaluator(mapped, set(bases)).evaluate(scored(run))
    for base in bases:
        found = {query_id: own[base] for query_id, own in theirs.items()}
        compare(base, values(f"{base}.1=5,2=0,3=2", qrels, run), found, run)


@given(collection=collections(lowest=0), beta=st.sampled_from([0.1, 0.5, 2.0, 3.7]))
def test_pytrec_eval_with_a_weight_for_f(collection: Collection, beta: float) -> None:
    import pytrec_eval

    qrels, run = safe(collection)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {f"set_F_{beta}"}).evaluate(scored(run))
    compare(
        "set_F",
        values(f"set_F.{beta}", qrels, run),
        {query_id: found["set_F"] for query_id, found in theirs.items()},
        run,
    )


IR_MEASURES = [
    "nDCG",
    *(f"nDCG@{k}" for k in CUTOFFS),
    "nDCG(judged_only=True)@3",
    "nDCG(gains={1:5,2:0,3:2})",
    "nDCG(gains={0:1,1:5,2:0,3:2})@4",
    *("NumQ", "NumRet", "NumRel", "Judged", "Judged@1", "Judged@3", "Judged@100"),
    *(f"{head}{at}" for head in ("AP", "RR") for at in ("", "@1", "@3", "@100")),
    *(f"{name}@{k}" for name in ("P", "R", "Success") for k in CUTOFFS),
    *("Rprec", "Bpref", "SetP", "SetR", "SetF", "SetF(beta=2.5)", "SetAP", "NumRelRet"),
    *(
        f"{name}(rel={level})"
        for name in ("AP", "RR", "Rprec", "Bpref", "SetP", "SetR", "SetF", "SetAP")
        for level in (2, 3)
    ),
    *(f"{name}(rel={level})@3" for name in ("AP", "RR", "P", "R", "Success") for level in (2, 3)),
    *(f"{name}(judged_only=True)@3" for name in ("AP", "P", "R", "Success")),
    *(f"{name}(judged_only=True)" for name in ("AP", "RR", "Rprec", "SetP", "SetF", "SetAP")),
    *("NumRet(rel=2)", "NumRelRet(rel=3)"),
    *("infAP", "infAP(rel=2)", "SetRelP", "SetRelP(rel=2)", "SetRelP(judged_only=True)"),
    *("IPrec@0", "IPrec@0.1", "IPrec@0.75", "IPrec(rel=2)@0.5", "IPrec(judged_only=True)@0.5"),
]


def built(name: str) -> Any:
    """The object of ir_measures, made without its parser, which fails on Python 3.14."""
    import ir_measures

    (measure,) = parse(name)
    takes = ir_measures.measures.registry[re.split(r"[(@]", name, maxsplit=1)[0]]
    parameters: dict[str, Any] = dict(measure.options)
    if "(rel=" in name:
        parameters["rel"] = measure.rel
    if measure.judged_only:
        parameters["judged_only"] = True
    if measure.gain is not None and measure.gain.kind == "custom":
        parameters["gains"] = {grade: int(gain) for grade, gain in measure.gain.table}
    return takes(**parameters) @ measure.cutoff if measure.cutoff else takes(**parameters)


def by_ir_measures(measure: Any, qrels: Any, run: Any) -> dict[str, float]:
    """One measure a call: several with and without gains in one call overwrite each other."""
    import ir_measures

    found = ir_measures.iter_calc([measure], qrels, run) if qrels else ()
    # Interpolated precision of a ranking of which judged-only leaves nothing is 0 / 0.
    return {each.query_id: 0.0 if math.isnan(each.value) else each.value for each in found}


@settings(max_examples=30)
@given(collection=collections(lowest=-1))
def test_ir_measures(collection: Collection) -> None:
    qrels, run = safe(collection)
    hits, scores = hits_of(qrels, run), scored(run)
    for name in IR_MEASURES if qrels else []:
        compare(name, computed(name, hits, recall_points="up"), by_ir_measures(built(name), qrels, scores), run)


def test_the_objects_are_what_the_names_say() -> None:
    """str() of their object is our canonical name, but for the way they write beta, NumRelRet, SetRelP and 0.0."""
    for name in IR_MEASURES:
        if "Num" not in name and "SetRelP" not in name and name != "IPrec@0":
            assert str(built(name)) == str(parse(name)[0])


@pytest.mark.may_skip("perl is not everywhere")
@settings(max_examples=8)
@given(collection=collections(lowest=0, highest=4), k=st.integers(1, 12))
def test_exponential_gain_is_gdeval_s(collection: Collection, k: int) -> None:
    """gdeval.pl rounds to five places; grades from 0 to 4 and numeric query ids are all that it takes."""
    import ir_measures

    if shutil.which("perl") is None:
        pytest.skip("perl is not installed")
    qrels, run = safe(collection)
    theirs = by_ir_measures(ir_measures.nDCG(dcg="exp-log2") @ k, qrels, scored(run)) if run else {}
    for name in (f"ndcg@{k}", f"nDCG(dcg='exp-log2')@{k}"):
        for query_id, found in values(name, qrels, run).items():
            assert found == pytest.approx(theirs.get(query_id, 0.0), abs=6e-6)


@given(collection=collections(lowest=0))
def test_exponential_gain_is_trec_eval_s_with_mapped_grades(collection: Collection) -> None:
    """trec_eval on qrels whose grades are 2^grade - 1: exact, and at every depth."""
    import pytrec_eval

    qrels, run = safe(collection)
    mapped = {query_id: {doc_id: 2**grade - 1 for doc_id, grade in own.items()} for query_id, own in qrels.items()}
    theirs = pytrec_eval.RelevanceEvaluator(mapped, {"ndcg_cut.1,3,10"}).evaluate(scored(run))
    for k in (1, 3, 10):
        ours = values(f"ndcg@{k}", qrels, run)
        compare(f"ndcg@{k}", ours, {query_id: found[f"ndcg_cut_{k}"] for query_id, found in theirs.items()}, run)
