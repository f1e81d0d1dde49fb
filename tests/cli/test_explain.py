from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

Irbridge = Callable[..., Any]
BOTH = ("--judgments", "a.qrels", "--run", "a.run")

# q1: d1 (grade 2) at rank 2, d2 (grade 1) not found; q2: d4 (grade 1) at rank 2.
DISCOUNT = 1 / math.log2(3)
LINEAR = (2 * DISCOUNT / (2 + DISCOUNT) + DISCOUNT) / 2
EXPONENTIAL = (3 * DISCOUNT / (3 + DISCOUNT) + DISCOUNT) / 2


def test_a_number_of_another_gain(irbridge: Irbridge) -> None:
    done = irbridge("explain", f"nDCG@10={EXPONENTIAL:.6f}", *BOTH)
    said = " ".join(done.out.split())
    assert done.code == 0
    assert f"{EXPONENTIAL:.6f} is {EXPONENTIAL:.7f} nDCG@10: exponential gain" in said
    assert "irbridge score with --gain exp" in said
    assert f"{LINEAR:.4f} by trec_eval 9, trec_eval 9 -c, trec_eval 10, trec_eval 10 -c, ir_measures, BEIR" in said


def test_the_settings_give_the_number(irbridge: Irbridge) -> None:
    Path("m.qrels").write_text("q1 0 a 1\nq2 0 b 1\n")
    Path("m.run").write_text("q1 Q0 a 1 2 t\n")
    both = ("--judgments", "m.qrels", "--run", "m.run")
    # AP is 1 for q1; q2 is not answered: 1/2 over both, 1 over the answered one.
    made = json.loads(irbridge("explain", "MAP=1.0", *both, "--json").out)
    assert made["found"] is True
    settings = made["reproductions"][0]["settings"].split()
    assert settings == ["--missing", "skip"]
    again = json.loads(irbridge("score", *both, "-m", "AP", *settings, "--json").out)
    assert again["metrics"]["AP"]["value"] == 1.0


def test_a_number_that_nothing_gives_is_exit_1(irbridge: Irbridge) -> None:
    done = irbridge("explain", "AP=0.0417", *BOTH)
    assert done.code == 1
    assert "no convention or formula that irbridge knows gives it as AP" in " ".join(done.out.split())
    assert "nearest" in done.out


def test_percent_and_loose_names(irbridge: Irbridge) -> None:
    assert irbridge("explain", "Mean Reciprocal Rank: 50.0%", *BOTH).code == 0


def test_a_claim_has_a_form(irbridge: Irbridge) -> None:
    done = irbridge("explain", "0.4321", *BOTH)
    assert done.code == 2
    assert "ndcg@10=0.4321" in done.err


def test_the_value_of_each_reading_and_irbridges_own(irbridge: Irbridge) -> None:
    said = " ".join(irbridge("explain", f"nDCG@10={EXPONENTIAL:.6f}", *BOTH).out.split())
    assert f"is {EXPONENTIAL:.7f} nDCG@10: exponential gain" in said
    gap = LINEAR - float(f"{EXPONENTIAL:.6f}")
    assert (
        f"irbridge {LINEAR:.7f} is what irbridge score -m nDCG@10 gives (ir_measures), {abs(gap):.7f}"
        f" {'above' if gap > 0 else 'below'} the claim" in said
    )


def test_irbridges_own_number_is_said_to_be_that(irbridge: Irbridge) -> None:
    said = " ".join(irbridge("explain", f"ndcg@10={EXPONENTIAL:.4f}", *BOTH).out.split())
    assert "what irbridge score -m ndcg@10 gives (retrieval-eval)" in said
    assert "the claim" not in said


def test_a_number_of_one_digit_may_be_met_by_chance(irbridge: Irbridge) -> None:
    done = irbridge("explain", "nDCG@10=0.5", *BOTH)
    assert done.code == 0
    assert "chance" in done.out
    assert "a number with more decimals would tell more" in " ".join(done.out.split())
    made = json.loads(irbridge("explain", "nDCG@10=0.5", *BOTH, "--json").out)
    assert made["chance"]["likely"] is True
    assert made["chance"]["tried"] >= made["chance"]["matching"] > 1
    assert "chance" not in irbridge("explain", f"nDCG@10={EXPONENTIAL:.6f}", *BOTH).out


def test_what_may_be_by_chance_is_doubted_before_it_is_told(irbridge: Irbridge) -> None:
    # AP is 1/4 and 1/2, in the mean 3/8 (test_score.py): printed with one digit 0.4, and no reading is 0.4000.
    said = " ".join(irbridge("explain", "AP=0.4", *BOTH).out.split())
    assert said.startswith("0.4 no reading gives 0.4000; the nearest is 0.3750")
    assert "0.4 is" not in said
    assert said.index("which may be by chance") < said.index("may be 0.3750 AP")
    # With two digits it is told without a doubt.
    assert irbridge("explain", "AP=0.38", *BOTH).out.startswith("  0.38 is  0.3750 AP")


def test_a_claim_in_two_words_is_put_into_one(irbridge: Irbridge) -> None:
    for words, whole in (
        (("AP", "0.5754"), "AP=0.5754"),
        (("Mean NDCG", "0.4"), "'Mean NDCG=0.4'"),
        (("AP", "=", "0.5"), "AP=0.5"),
        (("Recall@5:", "61.3%"), "Recall@5:61.3%"),
        (("AP", "NDCG"), "ndcg@10=0.4321"),
    ):
        done = irbridge("explain", *words, *BOTH)
        assert done.code == 2
        assert f"write {whole}\n" in done.err


def test_judgments_and_run_the_wrong_way_round(irbridge: Irbridge) -> None:
    for command in (("explain", "AP=0.5"), ("crosscheck",)):
        done = irbridge(*command, "--judgments", "a.run", "--run", "a.qrels")
        assert done.code == 2
        assert "are the two swapped?" in done.err
        # Two runs are not swapped.
        assert "swapped" not in irbridge(*command, "--judgments", "a.run", "--run", "a.run").err
