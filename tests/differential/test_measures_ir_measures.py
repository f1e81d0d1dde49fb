"""The measures that ir_measures gets from other engines than trec_eval's, query by query against each of its providers.

Scores are above 0, distinct and exact in float32, so that no rule for ties or precision can differ; unanswered queries are 0
for both.
"""

from __future__ import annotations

import logging
import shutil
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hits import Rankings, collections, computed, hits_of

Collection = tuple[dict[str, dict[str, int]], dict[str, list[str]]]

CWL = [
    *(
        "INST(max_rel=3)",
        "INST(T=2.5,max_rel=2)",
        "INST(min_rel=1,max_rel=3)",
        "INSQ(max_rel=3)",
        "INSQ(T=0.5,max_rel=2)",
    ),
    *("BPM(max_rel=3)@1", "BPM(max_rel=3)@5", "BPM(T=2.0,max_rel=2)@10", "SDCG(max_rel=3)@1", "SDCG(max_rel=3)@7"),
    *(
        "NERR8(max_rel=3)@4",
        "NERR9(max_rel=3)@4",
        "NERR9(max_rel=4)@20",
        "NERR10(max_rel=3)",
        "NERR10(p=0.5,max_rel=4)",
    ),
    *("NERR11(max_rel=4)", "NERR11(T=2.5,max_rel=3)", "RBP(rel=1)", "RBP(p=0.5,rel=2)"),
]
COMPAT = ["Compat", "Compat(p=0.8)", "Compat(p=0.5,normalize=False)"]
ACCURACY = ["Accuracy", "Accuracy@3", "Accuracy(rel=2)@5"]


def safe(collection: Collection) -> Collection:
    qrels, run = collection
    return qrels, {query_id: ranking for query_id, ranking in run.items() if ranking}


def scored(run: Rankings) -> dict[str, dict[str, float]]:
    return {
        query_id: {doc_id: float(99 - at) for at, doc_id in enumerate(ranking)} for query_id, ranking in run.items()
    }


def built(name: str) -> Any:
    """ir_measures' object of a name, made without its parser, which fails on Python 3.14."""
    import ir_measures

    from irbridge.measures.names import parse

    (measure,) = parse(name)
    options = {
        option: int(value) if option in measure.family.whole else value for option, value in measure.options.items()
    }
    if measure.rel is not None:
        options["rel"] = measure.rel
    found = ir_measures.measures.registry[measure.family.name](**options)
    return found @ measure.cutoff if measure.cutoff else found


def compare(provider: str, names: list[str], collection: Collection, tolerance: float = 1e-9) -> None:
    import ir_measures

    logging.getLogger("ir_measures.cwl_eval").setLevel(logging.CRITICAL)
    qrels, run = collection
    hits, scores = hits_of(qrels, run), scored(run)
    for name in names if run else []:
        engine = ir_measures.providers.registry[provider]
        theirs = {each.query_id: each.value for each in engine.iter_calc([built(name)], qrels, scores)}
        for query_id, ours in computed(name, hits).items():
            assert ours == pytest.approx(theirs.get(query_id, 0.0), abs=tolerance), (name, query_id)


@settings(max_examples=25)
@given(collection=collections())
def test_cwl_eval(collection: Collection) -> None:
    compare("cwl_eval", CWL, safe(collection))


@settings(max_examples=50)
@given(collection=collections())
def test_compat(collection: Collection) -> None:
    compare("compat", COMPAT, safe(collection))


@settings(max_examples=50)
@given(collection=collections(lowest=0))
def test_accuracy(collection: Collection) -> None:
    """A document of no label stands last, for it fails where everything is relevant."""
    qrels, run = collection
    compare("accuracy", ["Accuracy", "Accuracy(rel=2)"], (qrels, {key: [*own, "last"] for key, own in run.items()}))
    compare("accuracy", ACCURACY, (qrels, {key: ["first", *own] for key, own in run.items()}))


@pytest.mark.may_skip("perl is not everywhere")
@settings(max_examples=8)
@given(collection=collections(lowest=0, highest=4), k=st.integers(1, 12))
def test_gdeval_s_err(collection: Collection, k: int) -> None:
    """gdeval.pl rounds to five places; grades from 0 to 4 and numeric query ids are all that it takes."""
    if shutil.which("perl") is None:
        pytest.skip("perl is not installed")
    compare("gdeval", [f"ERR@{k}"], safe(collection), tolerance=6e-6)
