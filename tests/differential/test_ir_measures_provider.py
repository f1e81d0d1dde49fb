"""irbridge as ir_measures' provider against ir_measures' other providers, query by query, through ir_measures' own calls."""

from __future__ import annotations

import logging
import random
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hits import collections

from irbridge.integrations.ir_measures import register

Values = dict[tuple[str, str], float]
M = ir_measures.measures
TREC = [
    *(M.P @ k for k in (1, 5, 10)), *(M.nDCG @ k for k in (1, 10, 100)), M.nDCG, M.AP, M.AP @ 10, M.AP(rel=2), M.RR, M.RR(rel=2),
    M.Rprec, M.Bpref, M.Bpref(rel=2), M.R @ 10, M.R(rel=2) @ 100, M.Success @ 5, M.IPrec @ 0.1, M.infAP, M.SetAP, M.SetP,
    M.SetP(relative=True), M.SetR, M.SetF, M.SetF(beta=2.0), M.NumRet, M.NumRet(rel=1), M.NumQ, M.P(judged_only=True) @ 10,
    M.nDCG(judged_only=True) @ 10, M.AP(judged_only=True),
]  # fmt: skip
GAINS = [
    M.nDCG(gains={0: 0, 1: 1, 2: 5, 3: 9}) @ 10,
    M.nDCG(gains={1: 3}),
    M.nDCG(gains={1: 0, 2: 1}, judged_only=True),
]
CWL = [
    M.RBP(p=0.8, rel=1), M.RBP(p=0.5, rel=2), M.INST(max_rel=4), M.INSQ(max_rel=4), M.BPM(max_rel=4) @ 10,
    M.SDCG(max_rel=4) @ 10, M.NERR8(max_rel=4) @ 10, M.NERR9(max_rel=4) @ 10, M.NERR10(max_rel=4), M.NERR11(max_rel=4),
]  # fmt: skip
OTHERS = {
    "cwl_eval": CWL,
    "compat": [M.Compat, M.Compat(p=0.8)],
    "judged": [M.Judged @ 5, M.Judged @ 10],
    "msmarco": [M.RR @ 5, M.RR(rel=2) @ 10],
}


@pytest.fixture(scope="module", autouse=True)
def ours() -> Iterator[Any]:
    logging.getLogger("ir_measures.cwl_eval").setLevel(logging.CRITICAL)
    registry, pipeline = ir_measures.providers.registry, ir_measures.DefaultPipeline.providers
    before, asked = dict(registry), list(pipeline)
    yield register()
    registry.clear()
    registry.update(before)
    pipeline[:] = asked


def values(found: Iterable[Any]) -> Values:
    return {(each.query_id, str(each.measure)): float(each.value) for each in found}


def compare(provider: str, measures: list[Any], qrels: Any, run: Any, tolerance: float = 1e-9) -> int:
    """Hold all values and means against those of a provider; how many values there are."""
    own = ir_measures.providers.registry["irbridge"]
    theirs = ir_measures.providers.registry[provider]
    # One call for each measure of theirs: several in one can spoil each other.
    expected: Values = {}
    for measure in measures:
        expected |= values(theirs.iter_calc([measure], qrels, run))
        mean = theirs.calc_aggregate([measure], qrels, run)[measure]
        assert own.calc_aggregate([measure], qrels, run)[measure] == pytest.approx(mean, abs=tolerance), measure
    found = values(own.iter_calc(measures, qrels, run))
    assert found.keys() == expected.keys()
    for key, value in found.items():
        assert value == pytest.approx(expected[key], abs=tolerance), key
    return len(found)


def read(folder: Path, qrels: str, run: str) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    labels: dict[str, dict[str, int]] = {}
    for label in ir_measures.read_trec_qrels(str(folder / qrels)):
        labels.setdefault(label.query_id, {})[label.doc_id] = label.relevance
    ranked: dict[str, dict[str, float]] = {}
    for row in ir_measures.read_trec_run(str(folder / run)):
        ranked.setdefault(row.query_id, {})[row.doc_id] = row.score
    return labels, ranked


def untied(run: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """The same rankings with scores that no rule for ties or precision can see otherwise."""
    return {
        query_id: {
            doc_id: float(len(own) - at)
            for at, doc_id in enumerate(sorted(own, key=lambda doc_id: (-own[doc_id], doc_id)))
        }
        for query_id, own in run.items()
    }


@pytest.mark.parametrize(
    "folder, qrels, run",
    [
        ("dl-hard", "dl_hard-passage.qrels", "passage/bm25.run"),
        ("web2012", "qrels.web.151-200.adhoc.txt", "runs/2012-ql-cata-filtered.run"),
    ],
)
def test_real_collections(shared: Path, folder: str, qrels: str, run: str) -> None:
    labels, ranked = read(shared / "data" / "trec" / folder, qrels, run)
    assert compare("pytrec_eval", TREC + GAINS, labels, ranked) > 1000
    apart = untied(ranked)
    for provider, measures in OTHERS.items():
        few = dict(list(apart.items())[:15]) if provider == "cwl_eval" else apart
        assert compare(provider, measures, labels, few)


@pytest.mark.may_skip("perl is not everywhere")
def test_real_collections_by_gdeval(shared: Path) -> None:
    if shutil.which("perl") is None:
        pytest.skip("perl is not installed")
    labels, ranked = read(shared / "data" / "trec" / "dl-hard", "dl_hard-passage.qrels", "passage/bm25.run")
    clean = {query_id: {doc_id: max(grade, 0) for doc_id, grade in own.items()} for query_id, own in labels.items()}
    measures = [M.ERR @ 5, M.ERR @ 20, M.nDCG(dcg="exp-log2") @ 10]
    assert compare("gdeval", measures, clean, untied(ranked), tolerance=6e-6) > 100


def test_real_diversity_qrels(shared: Path) -> None:
    path = shared / "data" / "trec" / "web-diversity" / "qrels.web.201-250.ndeval.txt"
    labels = list(ir_measures.read_trec_qrels(str(path)))
    assert len({label.iteration for label in labels}) > 3
    random_ = random.Random(5)
    docs: dict[str, list[str]] = {}
    for label in labels:
        docs.setdefault(label.query_id, []).append(label.doc_id)
    run: dict[str, dict[str, float]] = {}
    for query_id, own in docs.items():
        some = random_.sample(sorted({*own, *(f"unjudged-{number}" for number in range(20))}), 30)
        run[query_id] = {doc_id: float(30 - at) for at, doc_id in enumerate(some)}
    measures = [
        M.alpha_nDCG @ 10, M.alpha_nDCG(alpha=0.25) @ 20, M.alpha_DCG @ 5, M.ERR_IA @ 20, M.nERR_IA @ 10, M.NRBP, M.nNRBP,
        M.AP_IA, M.P_IA @ 5, M.StRecall @ 10,
    ]  # fmt: skip
    assert compare("pyndeval", measures, labels, run) > 400


@settings(max_examples=40)
@given(collection=collections(lowest=0), tied=st.booleans())
def test_generated_collections(
    collection: tuple[dict[str, dict[str, int]], dict[str, list[str]]], *, tied: bool
) -> None:
    """Ties are broken alike by pytrec_eval; the others get distinct scores. An empty ranking is one that they may die of."""
    qrels, rankings = collection
    run = {
        query_id: {doc_id: float(50 - (at // 2 if tied else at)) for at, doc_id in enumerate(own)}
        for query_id, own in rankings.items()
        if own
    }
    compare("pytrec_eval", TREC, qrels, run)
    for provider in ("judged", "msmarco", "compat"):
        compare(provider, OTHERS[provider], qrels, untied(run))
