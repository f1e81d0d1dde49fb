"""Field notes B35 to B40, B56, B68, B70: what a measure's name stands for, and formulas that look alike."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import irbridge
from irbridge.errors import UnknownName, UsageError


def approx(**values: float) -> Any:
    """To the four decimals that the notes give."""
    return pytest.approx(values, abs=5e-5)


# --------------------------------------------------------------------------------------------------------- B35 to B39


def test_b35_a_reciprocal_rank_with_a_cutoff(note: Any) -> None:
    note.qrels("q1 0 r 1")
    note.run(", ".join(f"{'r' if rank == 11 else f'n{rank}'} {100 - rank}" for rank in range(1, 13)))
    assert note.score("recip_rank RR RR@10 RR@11 mrr@10") == approx(
        recip_rank=0.0909, RR=0.0909, **{"RR@10": 0.0, "RR@11": 0.0909, "mrr@10": 0.0}
    )
    # trec_eval -M 10 -m recip_rank
    assert note.score("recip_rank", depth=10) == {"recip_rank": 0.0}
    # The label never says a cutoff that was not asked for, and never lacks one that was.
    assert list(note.report("RR RR@10")["metrics"]) == ["RR", "RR@10"]


def test_b36_the_ms_marco_script_is_another_measure(note: Any) -> None:
    """It takes every row of the reference for relevant, also grade 0, and so gives 1.0 here. RR@10 does not."""
    note.bytes("a.qrels", b"1\t0\t5\t0\n")
    note.bytes("a.run", b"1\t5\t1\n")
    assert note.score("RR@10") == {"RR@10": 0.0}
    with pytest.raises(UnknownName, match="msmarco_mrr"):
        note.score("msmarco_mrr")


def test_b36_gaps_in_the_ranks_are_no_documents(note: Any) -> None:
    """The script fills gaps with passage 0, and finds it there where 0 is relevant."""
    note.bytes("a.qrels", b"1 0 0 1\n")
    note.bytes("a.run", b"1\t7\t2\n")
    assert note.score("RR@10 num_ret num_rel_ret") == {"RR@10": 0.0, "num_ret": 1, "num_rel_ret": 0}
    assert "1 ranking with gaps" in note.scored("RR@10").out


def test_b36_ids_are_text_and_spaces_split_too(note: Any) -> None:
    note.bytes("a.qrels", b"q 0 doc-5 1\n")
    note.bytes("a.run", b"q doc-5 1\nq doc-6 2\n")
    assert note.score("RR@10") == {"RR@10": 1.0}


THREE = "q1 0 a 1 / q1 0 b 1 / q1 0 c 1"


def test_b37_recall_divides_by_all_that_is_relevant(note: Any) -> None:
    note.qrels(THREE)
    note.run("a 2, b 1")
    names = {"R@1": 0.3333, "R@2": 0.6667, "R@5": 0.6667, "recall_5": 0.6667, "recall@1": 0.3333}
    assert note.score(list(names)) == approx(**names)
    # BEIR's capped recall is another measure under another name: 1 of min(1, 3) at 1, 2 of min(2, 3) at 2.
    assert note.score(["R_cap@1", "R_cap@2"]) == approx(**{"R_cap@1": 1.0, "R_cap@2": 1.0})


def test_b37_recall_at_1_is_rr_at_1_only_with_one_relevant_document(note: Any) -> None:
    note.run("a 2, b 1")
    for rows, recall in (("q1 0 a 1", 1.0), ("q1 0 a 1 / q1 0 b 1", 0.5)):
        note.qrels(rows)
        assert note.score("R@1 RR@1") == {"R@1": recall, "RR@1": 1.0}


def test_b38_ap_at_k_divides_by_all_that_is_relevant(note: Any) -> None:
    note.qrels(THREE)
    note.run("a 2, n 1")
    assert note.score("map_cut_1 AP@1 map@1") == {"map_cut_1": 1 / 3, "AP@1": 1 / 3, "map@1": 1 / 3}


def test_b39_precision_divides_by_k_however_few_came_back(note: Any) -> None:
    note.qrels("q1 0 a 1")
    note.run("a 2, n 1")
    assert note.score("P_5 P@5 precision@5 set_P") == {"P_5": 0.2, "P@5": 0.2, "precision@5": 0.2, "set_P": 0.5}


# --------------------------------------------------------------------------------------------------------------- B40

Formula = Callable[[Sequence[int], Sequence[int]], float]  # (grades of the ranking, grades of all labels) -> value


def dcg(grades: Sequence[int]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def ideal(grades: Sequence[int]) -> float:
    return dcg(sorted(grades, reverse=True))


# name -> (what it pretends to be, the formula). Each was found in somebody's code.
WRONG: dict[str, tuple[str, Formula]] = {
    "recall is whether anything was found": ("R@10", lambda got, labels: float(any(got))),
    "the ideal shrinks to what came back": ("nDCG@10", lambda got, labels: dcg(got) / ideal(labels[: len(got)])),
    "the ideal is the ranking, sorted": ("nDCG@10", lambda got, labels: dcg(got) / (ideal(got) or 1)),
    "exponential ideal over linear gains": (
        "nDCG@10",
        lambda got, labels: dcg(got) / ideal([2 ** (grade + 1) - 1 for grade in labels]),
    ),
    "the discount begins at rank 0": (
        "nDCG@10",
        lambda got, labels: sum(grade / math.log2(max(rank, 2)) for rank, grade in enumerate(got, 1)) / ideal(labels),
    ),
    "every hit gains as if it stood first": ("nDCG@10", lambda got, labels: sum(got) / ideal(labels)),
}
# A ranking by relevance of its documents, the number of relevant ones, the right answers: the note's three inputs, and
# one that returns less than there is to find (1 / (1 + 1 / log2(3)) = 0.6131 as well).
RANKINGS = [
    ([1, 0], 2, {"nDCG@10": 0.6131, "R@10": 0.5}),
    ([1], 2, {"nDCG@10": 0.6131, "R@10": 0.5}),
    ([0, 1], 1, {"nDCG@10": 0.6309, "R@10": 1.0}),
    ([0, 0, 1], 1, {"nDCG@10": 0.5, "R@10": 1.0}),
]


def found(ranking: Sequence[int], relevant: int, names: Sequence[str]) -> dict[str, float]:
    labels = {f"r{number}": 1 for number in range(relevant)}
    hits = iter(labels)
    run = [next(hits) if grade else f"n{rank}" for rank, grade in enumerate(ranking)]
    return irbridge.score({"q1": labels}, {"q1": run}, names).aggregates()


@pytest.mark.parametrize("ranking, relevant, expected", RANKINGS)
def test_b40_the_truth_is_in_the_labels_not_in_the_results(
    ranking: list[int], relevant: int, expected: dict[str, float]
) -> None:
    assert found(ranking, relevant, list(expected)) == approx(**expected)


@pytest.mark.parametrize("name", WRONG)
def test_b40_no_wrong_formula_passes(name: str) -> None:
    """The right answers alone rule each of them out, on at least one of the inputs."""
    measure, formula = WRONG[name]
    far = [abs(expected[measure] - formula(ranking, [1] * relevant)) > 0.01 for ranking, relevant, expected in RANKINGS]
    assert any(far)


# --------------------------------------------------------------------------------------------------------------- B56


@pytest.mark.parametrize(
    "name, canonical, gain",
    [
        ("ndcg_cut.10", "nDCG@10", "linear"),
        ("ndcg_cut_10", "nDCG@10", "linear"),  # the name that trec_eval prints, which it does not take
        ("nDCG@10", "nDCG@10", "linear"),
        ("NDCG@10", "nDCG@10", "linear"),  # ir_measures takes it
        ("ndcg@10", "nDCG(dcg='exp-log2')@10", "exponential"),  # the specification's
        ("MRR@10", "RR@10", "None"),
        ("mrr@10", "RR@10", "None"),
        ("MAP", "AP", "None"),
        ("map", "AP", "None"),
    ],
)
def test_b56_dialects_have_one_canonical_form(name: str, canonical: str, gain: str) -> None:
    (measure,) = irbridge.parse_measures(name)
    assert (str(measure), str(measure.gain), measure.asked) == (
        canonical,
        gain,
        name.replace("cut.", "cut_"),
    )


def test_b56_lists_of_cutoffs_have_commas() -> None:
    """trec_eval takes P.5.10 for P.5 and drops the rest."""
    assert [measure.asked for measure in irbridge.parse_measures("P.5,10")] == ["P_5", "P_10"]
    with pytest.raises(UsageError, match=r"P\.5\.10: cutoffs are separated by commas") as caught:
        irbridge.parse_measures("P.5.10")
    assert "P.5,10" in str(caught.value.hint)


@pytest.mark.parametrize(
    "name, near", [("ndgc@10", "nDCG@10"), ("all_qrels", None), ("MPR@10", "MRR@10"), ("recal_5", "recall_5")]
)
def test_b56_an_unknown_name_is_an_error_with_a_way_out(note: Any, name: str, near: str | None) -> None:
    note.qrels("q1 0 a 1")
    note.run("a 1")
    done = note.scored(name)
    assert done.code == 2
    assert f"'{name}' is not a measure" in done.err
    assert near is None or near in done.err or near.replace("MRR", "RR") in done.err


# --------------------------------------------------------------------------------------------------------- B68, B70


def test_b68_exponential_gain_takes_any_query_id_and_any_grade(example: Any) -> None:
    """gdeval wants numeric query ids and grades up to 4."""
    name = "nDCG(dcg='exp-log2')@2"
    assert example.score(name) == approx(**{name: 0.1125})
    # Grade 5 at rank 2, grade 1 at rank 1: (1 + 31 / log2(3)) / (31 + 1 / log2(3)).
    example.qrels("1 0 a 1 / 1 0 b 5")
    example.run("1 Q0 a 1 2 t / 1 Q0 b 2 1 t")
    discount = 1 / math.log2(3)
    assert example.score(name)[name] == pytest.approx((1 + 31 * discount) / (31 + discount), abs=1e-12)


@pytest.mark.may_skip("gdeval is a perl script")
@pytest.mark.skipif(shutil.which("perl") is None, reason="no perl here")
def test_b68_a_crosscheck_gives_gdeval_ids_and_grades_that_it_takes(example: Any) -> None:
    names = "nDCG(dcg='exp-log2')@2"
    asked = ("crosscheck", "--judgments", "a.qrels", "--run", "a.run", "-m", names, "--oracle", "ir_measures:gdeval")
    done = example.command(*asked)
    assert done.code == 0, done.out
    assert "= 1/1" in done.out
    # Grade 5 would end the script; with no other engine asked nothing was compared, which is no pass.
    example.qrels("q1 0 a 1 / q1 0 b 5")
    done = example.command(*asked)
    assert done.code == 1, done.out
    assert "nothing was compared" in done.out
    assert "gdeval stops at grades above 4; there is a 5" in " ".join(done.out.split())


@pytest.mark.parametrize("convention", irbridge.CONVENTIONS)
def test_b70_nothing_retrieved_is_recall_0(convention: str) -> None:
    found = irbridge.score({"q1": {"a": 1}}, {"q1": []}, "R@10 P@10 SetP SetR", convention=convention)
    assert set(found.aggregates().values()) == {0.0}
    assert found.coverage.answered == 1


def test_b70_nothing_to_find_is_undefined_and_not_1(note: Any) -> None:
    """No reference at all: the query is not scored. With no other query there is no number, and no pass."""
    scores = irbridge.score({"q0": {"z": 1}, "q1": {}}, {"q0": ["z"], "q1": ["a"]}, "recall@10")
    assert scores.query_ids == ["q0"]
    note.qrels("q1 0 a 0")
    note.bytes("a.run", b'{"query_id":"q1","ranking":["a"]}\n')
    done = note.scored("recall@10")
    assert done.code == 1
    assert "INDETERMINATE" in done.out
    assert "1.0000" not in done.out
