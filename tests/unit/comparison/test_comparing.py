"""Systems against a baseline, on runs small enough to be worked out by hand.

Each of eight queries has one relevant document, at rank 1 or 2 of two: RR is 1 or 1/2. In `good` it is first in all; in `bad`
second in the first six. Their differences are 1/2 six times and 0 twice: six of eight queries, mean 3/8.
"""

from __future__ import annotations

from typing import Any

import pytest

import irbridge
from irbridge.comparison.plan import baseline_of, plan
from irbridge.comparison.verdicts import FEWEST
from irbridge.errors import InputError, UnknownName, UsageError
from irbridge.model import Judgment

QUERIES = [f"q{number}" for number in range(1, 9)]
QRELS = {query: {"rel": 1} for query in QUERIES}


def run(first_in: list[str]) -> dict[str, dict[str, float]]:
    return {query: {"rel": 2.0 if query in first_in else 0.5, "other": 1.0} for query in QUERIES}


GOOD, BAD = run(QUERIES), run(QUERIES[6:])


def compared(runs: Any = None, **options: Any) -> irbridge.Comparison:
    given: Any = {"bad": BAD, "good": GOOD} if runs is None else runs
    return irbridge.experiment(given, options.pop("qrels", QRELS), "RR", **{"baseline": 0, **options})


def test_a_difference_by_hand() -> None:
    found = compared(test="sign-flip").of("good", "RR")
    assert found.mean == 3 / 8
    assert found.record == (6, 2, 0)
    # Six differences of 1/2: all or none of the signs alike, two of 64 patterns.
    assert found.tested["sign-flip"].p == 2 / 64
    assert found.verdict.status == "better"
    # s^2 = (6 * (1/8)^2 + 2 * (3/8)^2) / 7 = 0.375 / 7; d_z = 0.375 / s.
    assert found.effect is not None
    assert found.effect.d_z == pytest.approx(0.375 / (0.375 / 7) ** 0.5, abs=1e-12)
    # t with 7 degrees of freedom at 0.975 is 2.364624; the standard error is s / sqrt(8).
    assert found.interval is not None
    half = 2.364624 * (0.375 / 7 / 8) ** 0.5
    assert found.interval[:2] == pytest.approx((0.375 - half, 0.375 + half), abs=1e-6)


def test_the_other_way_round_is_worse() -> None:
    there, back = compared().of("good", "RR"), compared(baseline="good").of("bad", "RR")
    assert back.verdict.status == "worse"
    assert back.mean == -there.mean
    assert back.record == (0, 2, 6)
    assert back.tested["t"].p == there.tested["t"].p


def test_the_table_is_that_of_pyterrier() -> None:
    (bad, good) = compared(test="sign-flip", correction="holm").table()
    assert bad["name"] == "bad"
    assert bad["RR +"] is bad["RR p-value"] is None
    assert good == {
        "name": "good", "RR": 1.0, "RR +": 6, "RR -": 0, "RR p-value": 2 / 64, "RR p-value corrected": 2 / 64,
        "RR reject": True,
    }  # fmt: skip


def test_values_by_query_as_a_frame() -> None:
    frame = compared().to_pandas(per_query=True)
    assert list(frame.columns) == ["name", "qid", "measure", "value"]
    assert frame.iloc[0].tolist() == ["bad", "q1", "RR", 0.5]
    assert len(frame) == 16
    assert list(compared(correction="bh").to_pandas().columns) == [
        "name", "RR", "RR +", "RR -", "RR p-value", "RR reject", "RR p-value corrected",
    ]  # fmt: skip


@pytest.mark.parametrize("option", ["perquery", "round", "highlight", "eval_metrics", "topics", "dataframe"])
def test_an_option_of_pyterrier_that_is_none_here_is_told_the_way(option: str) -> None:
    with pytest.raises(UsageError, match=f"^experiment takes no {option}$") as raised:
        compared(**{option: 4})
    assert raised.value.hint


def test_without_a_baseline_nothing_is_tested() -> None:
    found = compared(baseline=None)
    assert found.differences == ()
    assert found.table() == [{"name": "bad", "RR": 0.625}, {"name": "good", "RR": 1.0}]


def test_corrections_are_over_systems_and_measures() -> None:
    runs = {"bad": BAD, "good": GOOD, "same": BAD}
    found = irbridge.experiment(runs, QRELS, "RR P@1", baseline=0, test="sign-flip", correction="holm")
    # Four comparisons; of the two between `bad` and `same` nothing can be told, and they count in the family all the same.
    assert found.of("good", "RR").tested["sign-flip"].p == 2 / 64
    assert found.of("good", "RR").adjusted["sign-flip"] == 4 * 2 / 64
    verdict = found.of("good", "RR").verdict
    assert verdict.status == "unresolvable"
    assert "sign-flip cannot go below p = 0.0312 here, and 4 comparisons are made" in verdict.why
    same = found.of("same", "RR")
    assert same.adjusted["sign-flip"] is None
    assert same.verdict == ("unresolvable", "the difference is 0 on all 8 queries")


def test_one_that_does_not_last() -> None:
    runs = {"bad": BAD, "good": GOOD, "same": BAD, "again": BAD}
    names = "RR P@1 P@2 RR@5 AP nDCG R@1 Success@1"
    bonferroni = irbridge.experiment(runs, QRELS, names, baseline=0, test="t", correction="bonferroni")
    found = bonferroni.of("good", "RR")
    assert found.adjusted["t"] == pytest.approx(24 * (found.tested["t"].p or 0))
    assert found.verdict.status == "unresolvable"
    assert "does not last among 24 comparisons" in found.verdict.why


def test_i_cannot_tell_from_few_queries() -> None:
    few = {query: QRELS[query] for query in QUERIES[: FEWEST - 1]}
    found = compared(qrels=few, test="sign-flip").of("good", "RR")
    assert found.verdict.status == "unresolvable"
    assert found.verdict.why == "4 queries are too few to tell, whatever p is; it takes at least 5"


def test_i_cannot_tell_says_what_could_have_been_told() -> None:
    half = run(["q2", "q3", "q4", "q7", "q8"])
    found = compared({"a": run(["q1", "q2", "q7", "q8"]), "b": half}).of("b", "RR")
    # 1/2 twice, -1/2 once, 0 five times.
    assert found.record == (2, 5, 1)
    assert found.mean == 1 / 16
    assert found.verdict.status == "unresolvable"
    assert found.detectable is not None
    assert found.verdict.why == (
        "the interval holds 0; 8 queries could show a difference of"
        f" {found.detectable:.4f} or more (power 0.8); 0.0625 was seen"
    )


def test_within_the_margin_is_the_same() -> None:
    a, b = run(["q1", "q2", "q7", "q8"]), run(["q2", "q3", "q4", "q7", "q8"])
    assert compared({"a": a, "b": b}, margin=0.4).of("b", "RR").verdict.status == "same"
    assert compared({"a": a, "b": b}, margin=0.1).of("b", "RR").verdict.status == "unresolvable"


def test_the_first_test_decides_and_all_are_told() -> None:
    found = compared(test="sign-flip, t wilcoxon").of("good", "RR")
    assert list(found.tested) == ["sign-flip", "t", "wilcoxon"]
    assert found.tested["wilcoxon"].how == "exact, 2 differences of 0 left out"


def test_queries_that_one_run_skips_are_left_out_for_all() -> None:
    short = {query: GOOD[query] for query in QUERIES[1:]}
    found = irbridge.experiment({"bad": BAD, "good": short}, QRELS, "RR", baseline=0, missing="skip")
    assert found.systems.query_ids == QUERIES[1:]
    assert found.systems.left_out == 1
    # Of the seven left `bad` has five at rank 2.
    assert found.table()[0]["RR"] == pytest.approx((5 * 0.5 + 2) / 7)
    assert found.of("good", "RR").record == (5, 2, 0)


def test_no_query_in_common_is_an_error() -> None:
    one, other = {"q1": GOOD["q1"]}, {"q2": GOOD["q2"]}
    with pytest.raises(InputError, match="no query that counts for every run"):
        irbridge.experiment([one, other], QRELS, "RR", baseline=0, missing="skip")


# ------------------------------------------------------------------------------------------------------------ clusters


def labels(**fields: dict[str, str]) -> list[Judgment]:
    return [
        Judgment(query, "rel", 1, extra={name: of[query] for name, of in fields.items() if query in of})
        for query in QUERIES
    ]


def test_clusters_by_a_field() -> None:
    pairs = {query: f"g{number // 2}" for number, query in enumerate(QUERIES)}
    found = compared(qrels=labels(group=pairs), cluster_by="group", test="sign-flip")
    # Three clusters of sum 1, one of sum 0: two of eight patterns.
    assert found.clusters == 4
    assert found.of("good", "RR").tested["sign-flip"].p == 2 / 8
    assert found.of("good", "RR").verdict.why == "4 clusters are too few to tell, whatever p is; it takes at least 5"


def test_clusters_by_topic() -> None:
    qrels = {f"{topic}.{variation}": {"rel": 1} for topic in range(6) for variation in range(2)}
    runs = {name: {query: {"rel": score} for query in qrels} for name, score in (("a", 1.0), ("b", 2.0))}
    assert irbridge.experiment(runs, qrels, "RR", baseline=0, cluster_by="topic").clusters == 6


def test_clusters_by_document_are_chains_of_shared_relevant_documents() -> None:
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 1, "d2": 1}, "q3": {"d2": 1}, "q4": {"d3": 1, "d1": 0}, "q5": {"d4": 1}}
    runs = [{query: {"d1": 1.0} for query in qrels}] * 2
    found = irbridge.experiment(runs, qrels, "RR", baseline=0, names=["a", "b"], cluster_by="document")
    assert found.clusters == 3


def test_what_cannot_be_clustered_by() -> None:
    with pytest.raises(UsageError, match="query q1 has no nothing in the labels"):
        compared(cluster_by="nothing")
    with pytest.raises(UsageError, match="all 8 queries are in one cluster, 'x'"):
        compared(qrels=labels(group=dict.fromkeys(QUERIES, "x")), cluster_by="group")
    twice = [*labels(group=dict.fromkeys(QUERIES, "x")), Judgment("q1", "d2", 1, extra={"group": "y"})]
    with pytest.raises(InputError, match="query q1 has two values of group: x and y"):
        compared(qrels=twice, cluster_by="group")


# ----------------------------------------------------------------------------------------------------- other judgments


def test_two_label_sets() -> None:
    runs = {"all": GOOD, "some": run(QUERIES[2:]), "few": BAD}
    other = {query: {"other": 1} for query in QUERIES}
    found = irbridge.experiment(runs, QRELS, "RR", other_qrels=other).label_sets
    assert found is not None
    (agreement,) = found.agreements
    # What is first under one set is second under the other: the order is turned around, three pairs of three.
    assert (agreement.tau, agreement.tau_ap, agreement.swaps) == (-1, -1, 3)


# --------------------------------------------------------------------------------------------------------------- plans


@pytest.mark.parametrize("given, number", [(0, 0), (1, 1), ("b", 1), ("0", 0), (None, None)])
def test_a_baseline_by_number_or_name(given: Any, number: int | None) -> None:
    assert baseline_of(given, ["a", "b"]) == number


def test_a_name_goes_before_a_number() -> None:
    assert baseline_of("1", ["a", "b"], first=1) == 0
    assert baseline_of("1", ["2", "1"], first=1) == 1


@pytest.mark.parametrize("given", [2, -1, True, 1.0, "2", "-1"])
def test_no_such_number(given: Any) -> None:
    with pytest.raises(UsageError, match="the baseline is a name or a number from 0 to 1"):
        baseline_of(given, ["a", "b"])


def test_no_such_name() -> None:
    with pytest.raises(UnknownName, match="did you mean bm25"):
        baseline_of("bm52", ["bm25", "dense"])


@pytest.mark.parametrize(
    "options, message",
    [
        ({"test": "z"}, "'z' is not a paired test"),
        ({"test": ""}, "no test is named"),
        ({"test": 5}, "5 is not a paired test"),
        ({"correction": "holms"}, "did you mean holm"),
        ({"alpha": 0}, "the level is a number above 0"),
        ({"alpha": "0.05"}, "the level is a number above 0"),
        ({"alpha": float("nan")}, "the level is a number above 0"),
        ({"margin": -0.1}, "the margin is a number above 0"),
        ({"seed": -1}, "the seed is a whole number"),
        ({"seed": True}, "the seed is a whole number"),
        ({"cluster_by": ""}, "what to cluster by is not named"),
    ],
)
def test_what_is_no_plan(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan(**options)


def test_names_are_given_once_each() -> None:
    with pytest.raises(UsageError, match="2 runs need 2 names, not 1"):
        irbridge.experiment([GOOD, BAD], QRELS, "RR", names=["a"])
    with pytest.raises(UsageError, match="two systems are called 'a'"):
        irbridge.experiment([GOOD, BAD], QRELS, "RR", names=["a", "a"])
    assert irbridge.experiment([GOOD, BAD], QRELS, "RR").systems.names == ("run 1", "run 2")


def test_to_pandas() -> None:
    pytest.importorskip("pandas")
    frame = compared(test="sign-flip").to_pandas()
    assert list(frame["name"]) == ["bad", "good"]
    assert frame["RR p-value"].iloc[1] == 2 / 64


def test_rows_and_per_query() -> None:
    (row,) = compared(test="sign-flip").rows()
    assert (row["system"], row["baseline"], row["wins"], row["p sign-flip"]) == ("good", "bad", 6, 2 / 64)
    assert list(compared().per_query())[:2] == [("bad", "q1", "RR", 0.5), ("bad", "q2", "RR", 0.5)]


# ------------------------------------------------------------------------------- what asks for more than a query's labels


def test_holes_are_those_of_the_pool() -> None:
    """q1's run has b, which q2 has a label for, and x, which none has; q2's has b and y: 1/2 and 1/2, then 0 and 1/2."""
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    one = {"q1": {"b": 2.0, "x": 1.0}, "q2": {"b": 2.0, "y": 1.0}}
    other = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"b": 2.0, "y": 1.0}}
    for labels in (qrels, irbridge.Qrels.from_judgments(irbridge.load(qrels)), irbridge.load(qrels)):
        found = irbridge.experiment([one, other], labels, "Hole@2", baseline=0, other_qrels={"q1": {"x": 1}})
        assert list(found.per_query()) == [
            ("run 1", "q1", "Hole@2", 0.5), ("run 1", "q2", "Hole@2", 0.5),
            ("run 2", "q1", "Hole@2", 0.0), ("run 2", "q2", "Hole@2", 0.5),
        ]  # fmt: skip
        assert found.label_sets is not None
        # Of {q1: x}: b is a hole and x is none; b and a are two.
        assert (found.label_sets.agreements[0].first, found.label_sets.agreements[0].second) == (
            (0.5, 0.25),
            (0.5, 1.0),
        )
    held = irbridge.Qrels.from_judgments(irbridge.load(qrels))
    irbridge.experiment([one], held, "Hole@2")
    assert held.pool is None


def test_holes_of_clustered_queries() -> None:
    qrels = [
        Judgment("q1", "a", 1, extra={"topic": "t1"}), Judgment("q2", "b", 1, extra={"topic": "t1"}),
        Judgment("q3", "b", 1, extra={"topic": "t2"}),
    ]  # fmt: skip
    one = {"q1": {"b": 1.0}, "q2": {"x": 1.0}, "q3": {"a": 1.0}}
    found = irbridge.experiment([one, one], qrels, "Hole@1", baseline=0, cluster_by="topic")
    assert [value for *_, value in found.per_query()] == [0.0, 1.0, 0.0] * 2


def test_budgets_are_counted_once_for_all_runs() -> None:
    # Three tokens hold rel, of two; other has three. RR@3tok: 1 where rel is first, else 0, for other fills it alone.
    asked: list[str] = []

    def count(text: str) -> int:
        asked.append(text)
        return len(text.split())

    corpus = {"rel": "one two", "other": "one two three"}
    documents = [irbridge.Document(doc_id, text) for doc_id, text in corpus.items()]
    options = {"baseline": 0, "corpus": documents, "tokenizer": count}
    found = irbridge.experiment({"bad": BAD, "good": GOOD}, QRELS, "RR@3tok", **options)
    assert found.systems.aggregate(0, 0) == 2 / 8
    assert found.systems.aggregate(1, 0) == 1.0
    assert len(asked) == 2
    given = irbridge.experiment({"bad": BAD, "good": GOOD}, QRELS, "RR@3tok", lengths={"rel": 2, "other": 3})
    assert (given.systems.values == found.systems.values).all()
    with pytest.raises(UsageError, match="needs the lengths"):
        irbridge.experiment([BAD], QRELS, "RR@3tok")
    with pytest.raises(UsageError, match="no measure has one"):
        irbridge.experiment([BAD], QRELS, "RR", lengths={"rel": 2})
