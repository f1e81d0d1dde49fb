"""Field notes B01 to B06: which document comes first."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import irbridge

# RANK1: every way to look at the first place alone.
RANK1 = ("RR@1", "P@1", "nDCG@1", "Success@1")


def approx(**values: float) -> Any:
    """To the four decimals that the notes give."""
    return pytest.approx(values, abs=5e-5)


def test_b01_equal_scores_are_ordered_by_descending_id_not_by_rank(note: Any) -> None:
    note.qrels("q1 0 a 0 / q1 0 b 1 / q1 0 c 0")
    note.run("b 1.0, a 1.0")
    assert note.score("nDCG RR") == approx(nDCG=1.0, RR=1.0)
    note.run("b 1.0, c 1.0")
    assert note.score("nDCG RR") == approx(nDCG=0.6309, RR=0.5)
    assert note.score("ndcg recip_rank", convention="trec_eval-10") == approx(ndcg=0.6309, recip_rank=0.5)


def test_b01_whoever_means_an_order_can_say_so(note: Any) -> None:
    note.qrels("q1 0 b 1")
    note.run("b 1.0, c 1.0")
    assert note.score("RR", ties="given") == {"RR": 1.0}
    # The specification's own rankings are lists: they are taken as given.
    note.bytes("a.jsonl", b'{"query_id":"q1","ranking":["b","c"]}\n')
    assert irbridge.score("a.qrels", "a.jsonl", "mrr@10").aggregates() == {"mrr@10": 1.0}


@pytest.mark.parametrize("ids", ["b B", "b a", "10 9", "\uff5e \ue000", "\U0001f600 \uffee", "ab a"])
def test_b01_descending_is_by_code_point(note: Any, ids: str) -> None:
    """strcmp over UTF-8 bytes is the order of code points: not numeric, not by case, not UTF-16.

    The sorted pair is written out: the first id of each stands above the second, and is the relevant one.
    """
    above, below = sorted(ids.split(), key=str.encode, reverse=True)
    note.qrels(f"q1 0 {above} 1")
    note.run(f"{below} 1, {above} 1")
    assert note.score("RR") == {"RR": 1.0}


@pytest.mark.parametrize(
    "qrels, run",
    [("q1 0 d0 1", "d0 0.9000000002, d9 0.9000000001"), ("q1 0 a 1", "a 16777217, b 16777216")],
)
def test_b02_precision_of_scores(note: Any, qrels: str, run: str) -> None:
    note.qrels(qrels)
    note.run(run)
    assert note.score("recip_rank", convention="trec_eval-9") == {"recip_rank": 0.5}
    assert note.score("recip_rank", convention="trec_eval-10") == {"recip_rank": 1.0}
    assert note.score("mrr@10", convention="ranx") == {"mrr@10": 1.0}
    # The switch, on the command line too.
    assert note.report("RR", "--precision", "float32")["metrics"]["RR"]["value"] == 0.5
    assert note.report("RR", "--precision", "float64")["metrics"]["RR"]["value"] == 1.0


def test_b03_one_tie_rule_for_all_measures(note: Any) -> None:
    note.qrels("q1 0 b 1")
    note.run("b 1.0, c 1.0")
    asked = " ".join(("RR", "RR@10", *RANK1))
    assert note.score(asked) == {"RR": 0.5, "RR@10": 0.5} | dict.fromkeys(RANK1, 0.0)
    # ir_measures' msmarco provider sorts ids ascending; then every measure sees that order.
    assert note.score(asked, ties="docid-asc") == dict.fromkeys(asked.split(), 1.0)


def test_b03_a_crosscheck_names_the_tie_rule_that_differs(note: Any) -> None:
    note.qrels("q1 0 b 1")
    note.run("b 1.0, c 1.0")
    done = note.command("crosscheck", "--judgments", "a.qrels", "--run", "a.run", "-m", "RR RR@10 P@1 nDCG@1")
    assert done.code == 0, done.out
    said = " ".join(done.out.split())
    assert "ties broken by docid ascending ir_measures (its msmarco provider) on RR, RR@10" in said
    assert "with --ties docid-asc irbridge gives its values" in said


def test_b04_a_constant_scorer_gains_nothing_from_insertion_order() -> None:
    qrels = {"q1": {"b": 1}}
    names = "MAP@1 RR@1 nDCG@1 P@1"
    for ids in itertools.permutations("bc"):
        found = irbridge.score(qrels, {"q1": dict.fromkeys(ids, 1.0)}, names).aggregates()
        assert found == dict.fromkeys(names.split(), 0.0)


@pytest.mark.parametrize("convention", ["trec_eval-9", "trec_eval-10", "beir", "ir_measures"])
def test_b04_insertion_order_never_changes_a_measure(convention: str) -> None:
    shuffle = random.Random(4).shuffle
    ids = [f"d{number}" for number in range(8)]
    qrels = {"q1": {doc_id: number % 3 for number, doc_id in enumerate(ids[:6])}}
    names = "AP RR RR@3 nDCG nDCG@3 P@3 R@3 Success@1 Rprec Bpref Judged@3 SetF"
    seen = set()
    for _ in range(20):
        shuffle(ids)
        run = {"q1": {doc_id: float(int(doc_id[1:]) // 3) for doc_id in ids}}
        seen.add(tuple(irbridge.score(qrels, run, names, convention=convention).aggregates().items()))
    assert len(seen) == 1


def test_b04_with_one_relevant_document_map_is_mrr_whatever_the_ties() -> None:
    for ids in itertools.permutations("abcd"):
        for convention in irbridge.CONVENTIONS:
            found = irbridge.score(
                {"q1": {"b": 1}}, {"q1": dict.fromkeys(ids, 1.0)}, "AP RR AP@2 RR@2", convention=convention
            ).aggregates()
            assert (found["AP"], found["AP@2"]) == (found["RR"], found["RR@2"])


def test_b05_a_pool_and_an_evaluation_see_the_same_top(note: Any) -> None:
    """Twelve documents with one score: their top 5 by descending id is the pool, however the rows are shuffled."""
    ids = [f"d{number:02}" for number in range(12)]
    note.qrels(" / ".join(f"q1 0 {doc_id} 0" for doc_id in ids[-5:]))
    shuffle = random.Random(5).shuffle
    for _ in range(5):
        shuffle(ids)
        note.run(", ".join(f"{doc_id} 1.0" for doc_id in ids))
        assert note.score("Judged@5 Judged@10") == {"Judged@5": 1.0, "Judged@10": 0.5}


def test_b05_one_call_never_contradicts_itself(note: Any) -> None:
    """trectools gives RR 0.5 and P@1 0 but nDCG 1 on this input."""
    note.qrels("q1 0 a 0 / q1 0 b 1 / q1 0 c 0")
    note.run("b 1.0, c 1.0")
    assert note.score("RR P@1 nDCG") == pytest.approx({"RR": 0.5, "P@1": 0.0, "nDCG": 0.6309}, abs=5e-5)


def test_b06_scores_rule_and_a_contradicting_rank_column_is_said(note: Any) -> None:
    note.qrels("q1 0 a 1")
    note.run("q1 Q0 a 1 0.1 t / q1 Q0 b 2 0.9 t")
    assert note.score("RR") == {"RR": 0.5}
    done = note.scored("RR")
    assert "in 1 query the rank column contradicts the scores: q1" in done.out
    assert "scores ruled, as in trec_eval" in done.out
    assert note.report("RR")["coverage"]["contradicting"] == ["q1"]


def test_b06_a_converter_refuses_to_choose(note: Any) -> None:
    note.run("q1 Q0 a 1 0.1 t / q1 Q0 b 2 0.9 t")
    refused = note.command("convert", "a.run", "--to", "msmarco-run", "-o", "out.tsv")
    assert refused.code == 2
    assert "a.run" in refused.err
    assert "q1" in refused.err
    assert "--order score" in refused.err
    assert "--order rank" in refused.err
    assert not (note.folder / "out.tsv").exists()
    for order, rows in (("rank", "q1\ta\t1\nq1\tb\t2\n"), ("score", "q1\tb\t1\nq1\ta\t2\n")):
        done = note.command("convert", "a.run", "--to", "msmarco-run", "--order", order, "-o", "out.tsv")
        assert done.code == 0
        assert (note.folder / "out.tsv").read_text() == rows
    # By its own rank column the run has a first: RR 1, as the MS MARCO script says.
    note.command("convert", "a.run", "--to", "msmarco-run", "--order", "rank", "-o", "out.tsv")
    assert irbridge.score({"q1": {"a": 1}}, "out.tsv", "RR").aggregates() == {"RR": 1.0}
