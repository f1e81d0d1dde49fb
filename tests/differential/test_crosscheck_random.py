"""Small random collections with everything that is awkward: under every convention each difference is explained.

Ties, scores that tie as float32 only, negative grades, unanswered and unjudged queries, repeated rows, queries that find
themselves. All-negative queries are left alone: engines built of trec_eval's code are not given those.
"""

from __future__ import annotations

import random

import pytest

from irbridge.conventions import PRESETS, Convention
from irbridge.crosscheck.native import HeldRun
from irbridge.crosscheck.run import crosscheck
from irbridge.errors import InputError
from irbridge.model import Qrel, Ranking

for needed in ("pytrec_eval", "ir_measures", "beir.retrieval.evaluation"):
    pytest.importorskip(needed)

NAMES = (
    "nDCG@3 nDCG ndcg@5 nDCG(dcg='exp-log2')@4 nDCG(gains={1:3,2:1})@3 AP AP@2 RR RR@2 P@3 R@2 Success@2 Rprec Bpref "
    "Judged@3 Judged SetP SetR SetF SetF(beta=0.5) SetAP NumQ NumRet NumRel NumRelRet "
    "P(judged_only=True)@2 mrr@3 recall@2 map@3 infAP IPrec@0.25 IPrec@0.6 11pt_avg gm_map gm_bpref utility binG G Rndcg "
    "ndcg_rel relative_P@2 SetRelP Rprec_mult@0.5 num_nonrel_judged_ret utility.2,-1,0,0 11pt_avg.0.25,0.5"
)
LEVELLED = " AP(rel=2) RR(rel=2) NumRel(rel=3)"
ENGINES = ["pytrec_eval", "BEIR", "ir_measures:pytrec_eval", "ir_measures:msmarco", "ir_measures:judged"]
DOCS = [*(f"d{number}" for number in range(8)), "q0", "q1", "D1", "é"]
SCORES = (1.0, 1.0, 1.0 + 1e-9, 2.0, 0.5, 0.75)
KNOBS: tuple[dict[str, object], ...] = (
    {},
    {"rel": 2},
    {"depth": 3},
    {"judged_only": True},
    {"self_retrieval": "drop"},
    {"ties": "docid-asc"},
    {"no_positives": "exclude"},
)


def collection(chance: random.Random) -> tuple[dict[str, dict[str, int]], HeldRun]:
    qrels = {}
    for number in range(chance.randint(2, 5)):
        labels = {doc_id: chance.choice([-1, 0, 0, 1, 1, 2, 3]) for doc_id in chance.sample(DOCS, chance.randint(1, 6))}
        labels[chance.choice(DOCS)] = chance.choice([0, 1, 2])
        qrels[f"q{number}"] = labels
    rankings = []
    for number in range(6):
        if number and chance.random() < 0.2:
            continue
        doc_ids = chance.sample(DOCS, chance.randint(2, 10))
        doc_ids += [chance.choice(doc_ids)] if chance.random() < 0.1 else []
        rankings.append(Ranking(f"q{number}", doc_ids, [chance.choice(SCORES) for _ in doc_ids]))
    return qrels, HeldRun(rankings)


def convention(chance: random.Random, preset: str) -> Convention:
    knobs = dict(chance.choice(KNOBS))
    if PRESETS[preset].duplicates == "error":
        knobs["duplicates"] = chance.choice(["first", "last"])
    return PRESETS[preset].changed(**knobs)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_difference_is_explained(preset: str) -> None:
    compared = 0
    for seed in range(6):
        chance = random.Random(f"{preset} {seed}")
        qrels, run = collection(chance)
        under = convention(chance, preset)
        # A level of its own and the exclusion of queries by another one do not go together.
        names = NAMES + (LEVELLED if under.no_positives == "zero" else "")
        try:
            found = crosscheck(qrels, run, names, under, ENGINES)
        except InputError as error:
            assert "does not answer" in str(error)  # noqa: PT017 - the conventions that refuse missing queries
            continue
        assert found.ok, [line for one in found.unexplained for line in one.why()]
        compared += sum(one.status in {"equal", "explained"} for one in found.comparisons)
    assert compared > 50


MODELS = (
    "ERR@3 ERR Compat Compat(p=0.5) INST(max_rel=3) INSQ(max_rel=3) BPM(max_rel=3)@3 SDCG(max_rel=3)@4 NERR8(max_rel=3)@3 "
    "NERR9(max_rel=3)@3 NERR10(max_rel=3) NERR11(max_rel=3) RBP(rel=1) RBP(p=0.99,rel=1) Accuracy Accuracy@3"
)


@pytest.mark.parametrize("preset", ["ir_measures", "retrieval-eval", "trec_eval-9", "beir"])
def test_every_difference_of_the_reading_models_is_explained(preset: str) -> None:
    engines = ["ir_measures:cwl_eval", "ir_measures:compat", "ir_measures:accuracy"]
    compared = 0
    for seed in range(8):
        chance = random.Random(f"models {preset} {seed}")
        qrels, run = collection(chance)
        found = crosscheck(qrels, run, MODELS, convention(chance, preset).changed(no_positives="zero"), engines)
        assert found.ok, [line for one in found.unexplained for line in one.why()]
        compared += sum(one.status in {"equal", "explained"} for one in found.comparisons)
    assert compared > 20


def test_every_difference_of_the_diversity_measures_is_explained() -> None:
    chance = random.Random("diversity")
    for _ in range(6):
        plain, run = collection(chance)
        labels = [
            Qrel(query_id, doc_id, chance.choice([0, 1, 2]), topic)
            for query_id, own in plain.items()
            for doc_id in own
            for topic in chance.sample("123", chance.randint(1, 3))
        ]
        names = (
            "alpha_nDCG@3 alpha_DCG@5 ERR_IA@3 nERR_IA@3 NRBP nNRBP AP_IA P_IA@3 StRecall@3 alpha_nDCG(alpha=0.7)@20"
        )
        under = convention(chance, "ir_measures").changed(no_positives="zero", judged_only=False)
        found = crosscheck(labels, run, names, under, ["ir_measures:pyndeval"])
        assert found.ok, [line for one in found.unexplained for line in one.why()]
        assert sum(one.status in {"equal", "explained"} for one in found.comparisons) >= 9
