from __future__ import annotations

import json
import math

import pytest

import irbridge
from irbridge.crosscheck.explain import explain
from irbridge.errors import InputError, UsageError

# q1: grades 3, 1; the 1 first. q2 is not answered. Discount of rank 2: 1/log2(3).
D = 1 / math.log2(3)
QRELS = {"q1": {"a": 3, "b": 1}, "q2": {"c": 1}}
RUN = {"q1": {"b": 2.0, "a": 1.0}}
LINEAR = (1 + 3 * D) / (3 + D)
EXPONENTIAL = (1 + 7 * D) / (7 + D)
BINARY = 1.0


def kinds(reading):
    return sorted(cause.name for cause in reading.deviations)


def first(claim, qrels=QRELS, run=RUN):
    return explain(claim, qrels, run).reproductions[0]


@pytest.mark.parametrize(
    "value, deviations",
    [
        (LINEAR / 2, []),
        (LINEAR, ["missing"]),
        (EXPONENTIAL / 2, ["gain"]),
        (EXPONENTIAL, ["gain", "missing"]),
        (BINARY / 2, ["gain"]),
    ],
)
@pytest.mark.parametrize("name", ["ndcg@10", "nDCG@10", "NDCG@10", "ndcg_cut_10"])
def test_gains_and_missing_queries(name, value, deviations):
    reading = first(f"{name}={value:.6f}")
    assert kinds(reading) == deviations
    assert reading.value == pytest.approx(value)
    assert reading.measure == "nDCG@10"


def test_what_it_says_to_do_gives_the_number():
    reading = first(f"ndcg@10={EXPONENTIAL:.6f}")
    assert reading.settings == "--gain exp --missing skip"
    again = irbridge.score(QRELS, RUN, "nDCG@10", gain="exp", missing="skip")
    assert again.aggregates()["nDCG@10"] == pytest.approx(EXPONENTIAL)


def test_the_simplest_comes_first_and_its_like_with_more_is_left_out():
    found = explain(f"AP={0.5:.4f}", QRELS, RUN)
    assert kinds(found.reproductions[0]) == []
    assert [kinds(reading) for reading in found.reproductions] == [[]]


@pytest.mark.parametrize(
    "claim, code, asks",
    [
        # R = 2, found in the top 1: b. R@1 is 1/2 / 2 queries; called recall, a hit is 1 / 2.
        ("Recall@1=0.500", "hit-rate", "Success@1"),
        # RR of a relevant document beyond the cutoff.
        ("Hit Rate@1=0.250", "recall", "R@1"),
        # AP@1: 1/R = 1/2 for q1, 1/4 in all; divided by what was found 1/1, 1/2 in all.
        ("MAP@1=0.500", "ap-capped", None),
        # P@5: 2/5 / 2 = 0.2; divided by the two that were returned: 1 / 2.
        ("P@5=0.500", "precision-returned", None),
    ],
)
def test_formulas_of_the_same_name(claim, code, asks):
    found = explain(claim, QRELS, RUN)
    reading = next(
        one for one in found.reproductions if [getattr(c.value, "code", "") for c in one.deviations] == [code]
    )
    assert reading.asks == asks
    assert reading.settings == ("" if asks is None else f"-m {asks}")


def test_an_uncut_value_called_mrr_at_10():
    # Field note B35: the first relevant document at rank 11: 1/11 without a cutoff, 0 at 10.
    run = {"q": {f"d{rank:02}": 20.0 - rank for rank in range(12)}}
    reading = first("MRR@10=0.0909", {"q": {"d10": 1}}, run)
    assert reading.deviations[0].words == "the cutoff not applied"
    assert reading.settings == "-m RR"


def test_b06_the_rank_column_in_place_of_scores(tmp_path):
    (tmp_path / "a.qrels").write_text("q1 0 a 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 a 1 0.1 t\nq1 Q0 b 2 0.9 t\n")
    both = (tmp_path / "a.qrels", tmp_path / "a.run")
    # trec_eval's RR is 1/2; MS MARCO's script, which reads ranks, says 1.
    assert kinds(explain("RR=0.500", *both).reproductions[0]) == []
    reading = explain("MRR=1.000", *both).reproductions[0]
    assert reading.words == "ordered by the rank column, not by score"
    assert reading.settings == ""


def test_b01_b02_ties_and_precision():
    qrels = {"q1": {"b": 1}}
    assert kinds(first("RR=0.500", qrels, {"q1": {"b": 1.0, "c": 1.0}})) == []
    simple = [
        reading
        for reading in explain("RR=1.000", qrels, {"q1": {"b": 1.0, "c": 1.0}}).reproductions
        if reading.weight == 1
    ]
    assert [reading.settings for reading in simple] == ["--ties docid-asc"]
    near = {"q1": {"b": 16777217.0, "c": 16777216.0}}
    assert kinds(first("RR=1.000", qrels, near)) == []
    assert kinds(first("RR=0.500", qrels, near)) == ["precision"]


def test_b17_the_querys_own_document():
    qrels, run = {"q1": {"a": 1}}, {"q1": {"q1": 9.0, "a": 1.0}}
    assert kinds(first("nDCG@10=0.6309", qrels, run)) == []
    assert kinds(first("nDCG@10=1.0000", qrels, run)) == ["self_retrieval"]
    assert explain("nDCG@10=1.0000", qrels, run).engines["BEIR"] == 1.0


def test_b32_a_level_that_cuts_gains():
    # ranx' ndcg-l2: 0.3520 where trec_eval's -l 2 leaves 0.5250.
    qrels, run = {"q1": {"a": 1, "b": 2, "c": 3}}, {"q1": {"a": 3.0, "n": 2.0, "c": 1.0}}
    assert kinds(first("ndcg=0.5250", qrels, run)) == []
    reading = first("ndcg=0.3520", qrels, run)
    assert reading.settings == "--rel 2 --level-cuts-gain"
    assert irbridge.score(qrels, run, "nDCG", rel=2, level_cuts_gain=True).aggregates()["nDCG"] == reading.value
    # B33, B34: exponential gain 0.4791; the ranking cut and the ideal not, 0.2100.
    assert kinds(first("ndcg=0.4791", qrels, run)) == ["gain"]
    assert first("ndcg@2=0.2100", qrels, run).words == "the ideal not cut at k"


def test_what_the_engines_report():
    # Field note B21.
    engines = explain("map=0.75", {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 2.0}}).engines
    assert engines == {
        "trec_eval 9": 1.0,
        "trec_eval 9 -c": 0.5,
        "trec_eval 10": None,
        "trec_eval 10 -c": 0.5,
        "ir_measures": 0.5,
    }
    cut = explain("MRR@1=0.75", {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 2.0}}).engines
    assert cut["BEIR"] == 0.5
    assert explain("MAP@1=0.75", {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 2.0}}).engines["BEIR"] == 1.0


def test_b03_b04_engines_that_order_ties_by_measure():
    qrels, run = {"q1": {"b": 1}}, {"q1": {"b": 1.0, "c": 1.0}}
    assert explain("RR@10=0.9", qrels, run).engines == {
        "trec_eval 9": 0.5,
        "trec_eval 9 -c": 0.5,
        "trec_eval 10": 0.5,
        "trec_eval 10 -c": 0.5,
        "ir_measures": 1.0,
        "BEIR": 1.0,
    }
    assert explain("RR=0.9", qrels, run).engines["ir_measures"] == 0.5


def test_a_number_that_nobody_reproduces_is_said_to_be_one():
    found = explain("nDCG@10=0.1234", QRELS, RUN)
    assert not found.found
    assert found.reproductions == []
    assert len(found.nearest) == 3
    gaps = [abs(reading.value - 0.1234) for reading in found.nearest]
    assert gaps == sorted(gaps)
    assert all(reading.weight <= 2 for reading in found.nearest)


def test_queries_without_positives():
    # Field note B24: 1/2 over both, 1 where the query without a relevant label is left out.
    qrels, run = {"q1": {"a": 0}, "q2": {"b": 1}}, {"q1": {"a": 1.0}, "q2": {"b": 1.0}}
    assert kinds(first("map=0.5000", qrels, run)) == []
    assert kinds(first("map=1.0000", qrels, run)) == ["no_positives"]
    assert first("map=1.0000", qrels, run).queries == 1


def test_repeated_documents():
    # Field note B07: the last of two rows gives 1/2, the first 1.
    from irbridge.model import Ranking

    run = [Ranking("q1", ["a", "b", "a"], [9.0, 5.0, 1.0])]
    from irbridge.crosscheck.native import HeldRun

    assert kinds(first("RR=1.0000", {"q1": {"a": 1}}, HeldRun(run))) == []
    assert kinds(first("RR=0.5000", {"q1": {"a": 1}}, HeldRun(run))) == ["duplicates"]


def test_cutoffs_that_slipped():
    run = {"q": {f"d{rank:02}": 20.0 - rank for rank in range(12)}}
    (reading,) = explain("P@10=0.0909", {"q": {"d00": 1}}, run).reproductions
    assert (reading.words, reading.settings) == ("cutoff 11 in place of 10", "-m P@11")


def test_the_answer_is_json():
    made = explain(f"ndcg@10={EXPONENTIAL:.4f}", QRELS, RUN).as_dict()
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    assert made["found"] is True
    assert made["measure"] == "nDCG@10"
    assert made["reproductions"][0]["deviations"][0] == {"name": "gain", "words": "exponential gain"}


def test_inputs_and_claims_that_cannot_be_used():
    with pytest.raises(UsageError, match="is not a claim"):
        explain("0.5", QRELS, RUN)
    with pytest.raises(InputError, match="no query in common"):
        explain("AP=0.5", QRELS, {"q9": {"a": 1.0}})


def test_grades_beyond_exponential_gain_are_no_obstacle():
    assert kinds(first("nDCG@10=1.0000", {"q1": {"a": 5000}}, {"q1": {"a": 1.0}})) == []


def test_irbridges_own_number_and_how_far_it_is_from_the_claim():
    # The specification's ndcg@10 has exponential gain, leaves no query out here (both have a relevant label): (E + 0) / 2.
    own = explain("ndcg@10=0.3000", QRELS, RUN).own
    assert (own.measure, own.convention) == ("ndcg@10", "retrieval-eval")
    assert own.value == pytest.approx(EXPONENTIAL / 2)
    assert own.difference == pytest.approx(EXPONENTIAL / 2 - 0.3)
    other = explain("nDCG@10=0.3000", QRELS, RUN).own
    assert (other.convention, other.value) == ("ir_measures", pytest.approx(LINEAR / 2))
    assert explain(f"ndcg@10={EXPONENTIAL / 2:.4f}", QRELS, RUN).meant
    assert not explain(f"nDCG@10={EXPONENTIAL / 2:.4f}", QRELS, RUN).meant
    # A loose name stands for what it is read as.
    assert explain("Mean Average Precision=0.5", QRELS, RUN).own.measure == "AP"


def test_irbridges_own_number_of_a_run_that_it_refuses():
    from irbridge.model import Ranking

    repeated = [Ranking("q1", ["a", "b", "a"], [9.0, 5.0, 1.0])]
    assert explain("RR=1.0000", {"q1": {"a": 1}}, repeated).own is None


def test_a_number_of_few_digits_is_met_by_chance():
    # One relevant document at rank 3: P@k is 1/k from k = 3 on. Cutoffs beside 10 and usual ones are tried: of 1/9, 1/10,
    # 1/11 and 1/20 (0.05, half way) each prints as 0.1; 1/10 alone as 0.1000.
    run = {"q": {f"d{rank:02}": 20.0 - rank for rank in range(12)}}
    few = explain("P@10=0.1", {"q": {"d02": 1}}, run).chance
    assert few.values == 4
    assert few.likely
    many = explain("P@10=0.1000", {"q": {"d02": 1}}, run).chance
    assert many.values == 1
    assert not many.likely
    assert few.tried == many.tried
    assert few.matching > many.matching >= 1


def test_what_python_prints_of_an_explanation_is_short():
    assert repr(explain(f"ndcg@10={EXPONENTIAL:.4f}", QRELS, RUN)) == (
        f"<ndcg@10={EXPONENTIAL:.4f} is nDCG@10: exponential gain, missing queries skipped>"
    )
    assert repr(explain("AP=0.1234", QRELS, RUN)).startswith("<AP=0.1234 is nothing that irbridge computes; nearest 0.")


def test_ranks_that_are_no_numbers_are_refused_in_words():
    from irbridge.model import Ranking

    with pytest.raises(InputError, match="rank"):
        explain("AP=0.5", {"q1": {"a": 1}}, [Ranking("q1", ["a", "b"], [1.0, 2.0], ["x", "y"])])
