"""Measures with a budget. q returns x a c b of lengths 3 4 5 1, labels a 1, b 0, c 2 and z 1; p returns b, its label is a."""

from __future__ import annotations

from math import log2
from typing import Any

import pytest

import irbridge
from irbridge.errors import InputError, UsageError

QRELS = {"q": {"a": 1, "b": 0, "c": 2, "z": 1}, "p": {"a": 1}, "r": {"a": 1}}
RUN = {"q": {"x": 9.0, "a": 8.0, "c": 7.0, "b": 6.0}, "p": {"b": 2.0}}
LENGTHS = {"x": 3, "a": 4, "c": 5, "b": 1}


def of(name: str, **knobs: Any) -> dict[str, float]:
    return irbridge.score(QRELS, RUN, name, lengths=LENGTHS, **knobs).of(name)


def test_precision_divides_by_what_fits() -> None:
    # 8 tokens hold x and a of q (7; c would make 12) and b of p.
    assert of("P@8tok") == {"q": 1 / 2, "p": 0.0, "r": 0.0}
    # 100 hold everything: four documents of q, of which two are relevant.
    assert of("P@100tok")["q"] == 2 / 4
    # 2 hold nothing of q.
    assert of("P@2tok")["q"] == 0.0
    assert of("Success@8tok")["q"] == 1.0
    assert of("Judged@8tok")["q"] == 1 / 2


def test_what_does_not_divide_by_it() -> None:
    # R is 3; a at rank 2. The ideal of nDCG is of all labels: 2, 1, 1.
    ideal = 2 + 1 / log2(3) + 1 / 2
    assert of("R@8tok")["q"] == 1 / 3
    assert of("AP@8tok")["q"] == pytest.approx(1 / 2 / 3)
    assert of("RR@8tok")["q"] == 1 / 2
    assert of("nDCG@8tok")["q"] == pytest.approx(1 / log2(3) / ideal)
    assert of("ndcg@12tok", convention="ir_measures")["q"] == pytest.approx(
        (1 / log2(3) + 3 / 2) / (3 + 1 / log2(3) + 1 / 2)
    )


def test_other_orders_and_depths() -> None:
    assert of("P@8tok", depth=1)["q"] == 0.0
    assert of("R(rel=2)@12tok")["q"] == 1.0
    tied = {"q": dict.fromkeys("xacb", 1.0)}
    # The best order is c a b x: 5 + 4 of 9. The worst is b x a c, or x b a c.
    scores = [
        irbridge.score(QRELS, tied, "R@9tok", lengths=LENGTHS, tied=how).of("R@9tok")["q"] for how in ("best", "worst")
    ]
    assert scores == [2 / 3, 1 / 3]


def test_a_budget_is_a_cutoff_like_others() -> None:
    (measure,) = irbridge.parse_measures("nDCG(dcg='exp-log2')@2000tok")
    assert (str(measure), measure.cutoff, str(measure.budget)) == ("nDCG(dcg='exp-log2')@2000tok", None, "2000tok")
    scores = irbridge.score(QRELS, RUN, "P@8tok ndcg@8tok", k=3)
    assert list(scores.aggregates()) == ["P@3", "ndcg@3"]


def test_strata_have_their_own() -> None:
    labels = [irbridge.Judgment("q", "a", 1, stratum="s"), irbridge.Judgment("p", "b", 1, stratum="t")]
    from irbridge.assessment import assess
    from irbridge.conventions import get_convention

    report = assess(labels, RUN, irbridge.parse_measures("P@8tok"), get_convention("ir_measures"), lengths=LENGTHS)
    assert {name: scores.aggregates() for name, scores in report.strata.items()} == {
        "s": {"P@8tok": 0.5},
        "t": {"P@8tok": 1.0},
    }
    about = report.as_dict()["measures"]["P@8tok"]
    assert about["budget"] == {"limit": 8, "unit": "tok", "counted": "lengths of the program"}
    assert about["documents"] == 1.5


def test_what_cannot_be() -> None:
    with pytest.raises(UsageError, match="IPrec"):
        irbridge.parse_measures("IPrec@8tok")
    with pytest.raises(UsageError, match="takes no cutoff"):
        irbridge.parse_measures("SetP@8tok")
    with pytest.raises(UsageError, match="not '8toks'") as caught:
        irbridge.parse_measures("P@8toks")
    assert "P@8tok?" in (caught.value.hint or "")
    with pytest.raises(UsageError, match="judged-only"):
        of("P@8tok", judged_only=True)
    with pytest.raises(UsageError, match="nor a budget"):
        of("P@8tok", tied="expected")
    with pytest.raises(InputError, match="length is not known: x"):
        irbridge.score(QRELS, RUN, "P@8tok", lengths={"b": 1})
    with pytest.raises(UsageError, match="needs the lengths"):
        irbridge.experiment([RUN], QRELS, "P@8tok")
