"""The diversity measures against ndeval (pyndeval), on generated labels and on TREC's own diversity qrels."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irbridge
from irbridge.model import Qrel

# Ours, ndeval's; it takes cutoffs up to 20.
NAMES = {
    **{
        f"{ours}@{k}": f"{theirs}@{k}"
        for ours, theirs in (
            ("alpha_nDCG", "alpha-nDCG"),
            ("alpha_DCG", "alpha-DCG"),
            ("ERR_IA", "ERR-IA"),
            ("nERR_IA", "nERR-IA"),
            ("P_IA", "P-IA"),
            ("StRecall", "strec"),
        )
        for k in (2, 5, 20)
    },
    **{f"{ours}@1": f"{theirs}@1" for ours, theirs in (("alpha_nDCG", "alpha-nDCG"), ("P_IA", "P-IA"))},
    "NRBP": "NRBP",
    "nNRBP": "nNRBP",
    "AP_IA": "MAP-IA",
}
DOCS = [*(f"d{number}" for number in range(9)), "D", "é"]


def compare(labels: list[Qrel], run: dict[str, dict[str, float]], level: int = 1) -> int:
    import pyndeval

    engine = pyndeval.RelevanceEvaluator(
        [(label.query_id, label.iteration, label.doc_id, label.relevance) for label in labels],
        list(NAMES.values()),
        relevance_level=level,
    )
    rows = [(query_id, doc_id, score) for query_id, own in run.items() for doc_id, score in own.items()]
    theirs = engine.evaluate(rows)
    scores = irbridge.score(labels, run, list(NAMES), convention="ir_measures", rel=level)
    for name, called in NAMES.items():
        for query_id, value in scores.of(name).items():
            expected = theirs.get(query_id, {}).get(called, 0.0)
            expected = 0.0 if math.isnan(expected) else expected  # nNRBP of a query without a relevant document
            assert value == pytest.approx(expected, abs=1e-9), (name, query_id)
    return len(scores.query_ids)


@st.composite
def diverse(draw: st.DrawFn) -> tuple[list[Qrel], dict[str, dict[str, float]]]:
    """Labels of one to three queries and up to four subtopics, and a run that leaves some unanswered."""
    labels: list[Qrel] = []
    run: dict[str, dict[str, float]] = {}
    for number in range(draw(st.integers(1, 3))):
        pairs = st.tuples(st.sampled_from(DOCS), st.sampled_from("1234"))
        judged = draw(st.dictionaries(pairs, st.integers(-1, 2), min_size=1, max_size=15))
        labels += [Qrel(f"q{number}", doc_id, grade, topic) for (doc_id, topic), grade in judged.items()]
        ranking = draw(st.lists(st.sampled_from(DOCS), unique=True, max_size=10))
        if ranking and (draw(st.booleans()) or not run):
            run[f"q{number}"] = {doc_id: float(50 - at) for at, doc_id in enumerate(ranking)}
    return labels, run or {"q0": {"d0": 1.0}}


@settings(max_examples=100)
@given(collection=diverse(), level=st.sampled_from([1, 2]))
def test_generated(collection: tuple[list[Qrel], dict[str, dict[str, float]]], level: int) -> None:
    compare(*collection, level)


@pytest.mark.parametrize("years", ["201-250", "251-300"])
def test_the_web_track(shared: Path, years: str) -> None:
    """Real labels of 50 queries with up to nine subtopics; rankings drawn from their documents and unjudged ones."""
    chance = random.Random(years)
    labels = list(read(shared / "data" / "trec" / "web-diversity" / f"qrels.web.{years}.ndeval.txt"))
    run: dict[str, dict[str, float]] = {}
    for query_id in dict.fromkeys(label.query_id for label in labels):
        documents = sorted({label.doc_id for label in labels if label.query_id == query_id})
        liked = {label.doc_id for label in labels if label.query_id == query_id and label.relevance > 0}
        pool = [*chance.sample(documents, min(60, len(documents))), *sorted(liked)[:20], *(f"u{n}" for n in range(20))]
        chosen = list(dict.fromkeys(chance.sample(pool, len(pool))))
        run[query_id] = {doc_id: float(len(chosen) - at) for at, doc_id in enumerate(chosen)}
    assert compare(labels, run) == 50


def read(path: Path) -> Iterable[Qrel]:
    for line in path.read_text(encoding="utf-8").splitlines():
        query_id, topic, doc_id, grade = line.split()
        yield Qrel(query_id, doc_id, int(grade), topic)
