from __future__ import annotations

import math

import pytest
from support.hits import hits_of

from irbridge.conventions import Convention
from irbridge.crosscheck.variants import VARIANTS, variant, variants
from irbridge.measures.names import parse

PLAIN = Convention("plain")
# q1: R = 3 (a, b, c); retrieved a, n, b. q2: not answered.
QRELS = {"q1": {"a": 1, "b": 2, "c": 1}, "q2": {"z": 1}}
HITS = hits_of(QRELS, {"q1": ["a", "n", "b"]})


def values(code, name):
    (measure,) = parse(name)
    found = variant(code)
    assert found is not None
    assert found in variants(measure)
    meant = found.rewrite(measure).resolved(PLAIN)
    return meant.family.compute(HITS, meant).tolist()


@pytest.mark.parametrize(
    "code, name, value",
    [
        # Precision at the relevant ranks 1 and 3: 1 + 2/3 = 5/3.
        ("ap-found", "AP", 5 / 3 / 2),
        ("ap-found", "AP@2", 1.0),
        ("ap-capped", "AP@2", 1 / 2),
        ("ap-capped", "AP@10", 5 / 3 / 3),
        ("uncut", "AP@1", 5 / 9),
        ("uncut", "RR@1", 1.0),
        ("recall-capped", "R@2", 1 / 2),
        ("recall-capped", "R@1", 1.0),
        ("hit-rate", "R@1", 1.0),
        ("set-recall", "R@1", 2 / 3),
        ("recall", "Success@3", 2 / 3),
        ("precision-returned", "P@10", 2 / 3),
        ("precision-returned", "P@2", 1 / 2),
        # Linear gains: DCG@2 = 1; ideal 2, 1, 1: 2 + 1/log2(3) + 1/2 whole, 2 + 1/log2(3) at 2.
        ("ideal-uncut", "nDCG@2", 1 / (2.5 + 1 / math.log2(3))),
        # Found in the top 3: a and b; DCG = 1 + 2/2; ideal of these: 2 + 1/log2(3).
        ("ideal-found", "nDCG@3", 2 / (2 + 1 / math.log2(3))),
        ("ideal-found", "nDCG", 2 / (2 + 1 / math.log2(3))),
        ("ideal-found", "nDCG@1", 1.0),
        ("answered", "NumRel", 3.0),
        ("answered", "NumQ", 1.0),
    ],
)
def test_formulas(code, name, value):
    assert values(code, name) == pytest.approx([value, 0.0])


@pytest.mark.parametrize("code, name", [("uncut", "RR"), ("ap-capped", "AP"), ("ideal-uncut", "nDCG")])
def test_where_there_is_nothing_to_confuse(code, name):
    (measure,) = parse(name)
    assert code not in {found.code for found in variants(measure)}


def test_codes_are_told_apart():
    assert len({found.code for found in VARIANTS}) == len(VARIANTS)
    assert variant("no such") is None
