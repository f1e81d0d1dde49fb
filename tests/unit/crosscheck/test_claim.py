from __future__ import annotations

import pytest

from irbridge.conventions import EXPONENTIAL, LINEAR
from irbridge.crosscheck.claim import read_claim
from irbridge.errors import UsageError


@pytest.mark.parametrize(
    "text, measure, value, tolerance",
    [
        ("nDCG@10=0.4321", "nDCG@10", 0.4321, 0.00005),
        ("ndcg@10=0.4321", "nDCG@10", 0.4321, 0.00005),
        ("ndcg_cut_10 = 0.432", "nDCG@10", 0.432, 0.0005),
        ("NDCG@10: 43.21%", "nDCG@10", 0.4321, 0.00005),
        ("MRR@10=18.4", "RR@10", 0.184, 0.0005),
        ("Recall@5=.61", "R@5", 0.61, 0.005),
        ("recall at 5=0.61", "R@5", 0.61, 0.005),
        ("Recall = 0.610", "SetR", 0.61, 0.0005),
        ("Hit Rate@3=0.9", "Success@3", 0.9, 0.05),
        ("hit_rate@3=0.9", "Success@3", 0.9, 0.05),
        ("top-k accuracy 20=0.9", "Success@20", 0.9, 0.05),
        ("Mean Average Precision=0.25", "AP", 0.25, 0.005),
        ("MAP@100=0.25", "AP@100", 0.25, 0.005),
        ("p10=0.3", "P@10", 0.3, 0.05),
        ("RR(rel=2)@10=0.5", "RR(rel=2)@10", 0.5, 0.05),
        ("R-Precision=0.2", "Rprec", 0.2, 0.05),
        ("nDCG@10=4.3e-2", "nDCG@10", 0.043, 0.0005),
        # A whole number is meant as it stands, not as anything from a half.
        ("MRR=1", "RR", 1.0, 0.00005),
        ("num_rel_ret=120", "NumRelRet", 120.0, 0.00005),
    ],
)
def test_claims(text, measure, value, tolerance):
    claim = read_claim(text)
    assert str(claim.measure) == measure
    assert claim.value == pytest.approx(value)
    assert claim.tolerance == pytest.approx(tolerance)


def test_what_prints_as_the_number_meets_it():
    claim = read_claim("AP=0.4321")
    assert claim.meets(0.43205)
    assert claim.meets(0.43215)
    assert not claim.meets(0.43216)
    assert not claim.meets(0.43204)


def test_a_gain_is_taken_only_where_it_is_spelled_out():
    # `ndcg@10` has exponential gain in irbridge; what its author meant is what is asked.
    assert read_claim("ndcg@10=0.4").measure.gain == LINEAR
    assert read_claim("nDCG(dcg='exp-log2')@10=0.4").measure.gain == EXPONENTIAL


@pytest.mark.parametrize(
    "text, word",
    [
        ("0.4321", "is not a claim"),
        ("ndcg@10", "is not a claim"),
        ("ndcg@10=", "is not a claim"),
        ("ndcg@10=high", "is not a claim"),
        ("=0.5", "is not a claim"),
        ("ndgc@10=0.5", "ndgc"),
        ("P=0.5", "stands for 9 measures"),
        ("AP=1e999", "not a number"),
        ("hit rate=0.5", "hit rate needs a cutoff"),
    ],
)
def test_what_is_no_claim(text, word):
    with pytest.raises(UsageError) as caught:
        read_claim(text)
    assert word in str(caught.value)


@pytest.mark.parametrize("text", [None, 5, "a" * 500 + "=1", " " * 5000, "ap=1e5000", "ap=" + "9" * 5000])
def test_what_is_no_claim_at_all_is_refused_at_once(text):
    with pytest.raises(UsageError):
        read_claim(text)
