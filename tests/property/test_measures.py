"""Laws of the measures, whatever the labels and the ranking.

One example serves all names: drawing it costs far more than computing on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from support.hits import Labels, Rankings, collections, computed, hits_of, values

# Measures of a ranking: more relevant documents higher up are never worse.
RANKED = [
    "P@1",
    "P@3",
    "R@3",
    "AP",
    "AP@4",
    "AP(rel=2)",
    "RR",
    "RR@3",
    "Success@2",
    "Rprec",
    "nDCG",
    "nDCG@3",
    "ndcg@5",
    "IPrec@0.4",
    "11pt_avg",
    "binG",
    "RBP(p=0.7)",
    "rbp",
    "relative_P@3",
    "Rprec_mult@1.5",
]
SETS = ["SetP", "SetRelP", "SetR", "SetF", "SetF(beta=0.5)", "SetAP"]
SHARES = [*RANKED, *SETS, "Bpref", "Bpref(rel=2)", "Judged", "Judged@3", "nDCG(gains={0:2,1:0.5,3:1})@4", "P(rel=3)@2"]
SHARES += ["infAP", "gm_map", "gm_bpref", "G", "ndcg_rel", "Rndcg", "rbp_resid", "unj@3", "G(gains={0:2,1:0.5,3:1})"]
EVERYTHING = [*SHARES, "NumQ", "NumRet", "NumRel", "NumRelRet", "DCG@3", "IdealDCG", "utility", "yaap"]

Collection = tuple[dict[str, dict[str, int]], dict[str, list[str]]]
Found = dict[tuple[str, str], float]


def found(names: Sequence[str], qrels: Labels, run: Rankings, **knobs: Any) -> Found:
    """{(name, query id): value}"""
    hits = hits_of(qrels, run)
    return {(name, query_id): value for name in names for query_id, value in computed(name, hits, **knobs).items()}


def above(one: Found, other: Found) -> dict[tuple[str, str], tuple[float, float]]:
    """Where `one` is greater than `other` by more than rounding."""
    assert one.keys() == other.keys()
    return {key: (one[key], other[key]) for key in one if one[key] > other[key] + 1e-12}


@given(collection=collections())
def test_a_share_is_between_0_and_1(collection: Collection) -> None:
    for judged_only in (False, True):
        for key, value in found(SHARES, *collection, judged_only=judged_only).items():
            assert 0 <= value <= 1 + 1e-12, (key, value)  # which a NaN is not


@given(collection=collections())
def test_a_batch_is_each_query_alone(collection: Collection) -> None:
    """Equal to the last bit: no query's numbers pass through another's."""
    qrels, run = collection
    alone: Found = {}
    for query_id, labels in qrels.items():
        own = {query_id: run[query_id]} if query_id in run else {}
        alone |= found(EVERYTHING, {query_id: labels}, own)
    assert alone == found(EVERYTHING, qrels, run)


@given(collection=collections(), data=st.data())
def test_the_order_of_queries_and_labels_is_of_no_account(collection: Collection, data: st.DataObject) -> None:
    qrels, run = collection
    shuffled: dict[str, dict[str, int]] = {}
    for query_id in data.draw(st.permutations(list(qrels))):
        shuffled[query_id] = dict(data.draw(st.permutations(list(qrels[query_id].items()))))
    assert found(EVERYTHING, shuffled, run) == found(EVERYTHING, qrels, run)


@given(collection=collections(), data=st.data())
def test_documents_of_one_grade_are_interchangeable(collection: Collection, data: st.DataObject) -> None:
    """Renaming documents within a grade, or within the unjudged ones, changes no number."""
    qrels, run = collection
    renamed: dict[str, list[str]] = {}
    for query_id, ranking in run.items():
        alike: dict[int | None, list[str]] = {}
        for doc_id in dict.fromkeys([*ranking, *qrels[query_id]]):
            alike.setdefault(qrels[query_id].get(doc_id), []).append(doc_id)
        new_name: dict[str, str] = {}
        for group in alike.values():
            new_name |= dict(zip(group, data.draw(st.permutations(group)), strict=True))
        renamed[query_id] = [new_name[doc_id] for doc_id in ranking]
    assert found(EVERYTHING, qrels, renamed) == found(EVERYTHING, qrels, run)


@given(collection=collections(lowest=0), data=st.data())
def test_a_better_document_moved_up_is_never_worse(collection: Collection, data: st.DataObject) -> None:
    qrels, run = collection
    better: dict[str, list[str]] = {}
    for query_id, ranking in run.items():
        better[query_id] = moved = list(ranking)
        if len(moved) > 1:
            place = data.draw(st.integers(1, len(moved) - 1))
            upper, lower = (qrels[query_id].get(moved[at], 0) for at in (place - 1, place))
            if lower > upper:
                moved[place - 1], moved[place] = moved[place], moved[place - 1]
    assert above(found(RANKED, qrels, run), found(RANKED, qrels, better)) == {}


@given(collection=collections(lowest=0))
def test_documents_nobody_judged_at_the_end_change_nothing(collection: Collection) -> None:
    qrels, run = collection
    names = [*RANKED, "SetR", "Bpref", "NumRelRet"]
    longer = {query_id: [*ranking, "unheard", "unseen"] for query_id, ranking in run.items()}
    assert found(names, qrels, longer) == found(names, qrels, run)


@given(collection=collections(), k=st.integers(1, 13))
def test_a_deeper_look_never_loses(collection: Collection, k: int) -> None:
    for head in ("R", "Success", "RR", "AP"):
        shallow, deep = values(f"{head}@{k}", *collection), values(f"{head}@{k + 1}", *collection)
        assert all(shallow[query_id] <= deep[query_id] for query_id in shallow), head


@given(collection=collections(), beyond=st.integers(0, 2**40))
def test_a_cutoff_below_the_last_document_is_none(collection: Collection, beyond: int) -> None:
    """14 documents are drawn from: no ranking and no list of labels is longer."""
    for whole, head in (("AP", "AP"), ("RR", "RR"), ("SetR", "R"), ("nDCG", "nDCG"), ("Judged", "Judged")):
        assert values(f"{head}@{14 + beyond}", *collection) == values(whole, *collection), head


@given(collection=collections(), k=st.integers(1, 12))
def test_a_cutoff_is_a_depth_where_the_denominator_is_not_the_cutoff_s(collection: Collection, k: int) -> None:
    """trec_eval -M k; nDCG is the exception that its ideal makes."""
    for cut, whole in ((f"R@{k}", "SetR"), (f"AP@{k}", "AP"), (f"RR@{k}", "RR"), (f"Judged@{k}", "Judged")):
        assert values(cut, *collection) == values(whole, *collection, depth=k), cut
    uncut_ideal, cut_ideal = values("nDCG", *collection, depth=k), values(f"nDCG@{k}", *collection)
    assert all(uncut_ideal[query_id] <= cut_ideal[query_id] + 1e-12 for query_id in cut_ideal)


@given(labels=st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 3), min_size=1))
def test_the_best_possible_ranking_is_1(labels: dict[str, int]) -> None:
    for name in ("AP", "RR", "Rprec", "nDCG", "nDCG@3", "ndcg@4", "nDCG(gains={1:9,2:5})@4", "Bpref", "SetF"):
        worth = {1: 9, 2: 5, 3: 3} if "gains" in name else {1: 1, 2: 2, 3: 3}
        best = sorted(labels, key=lambda doc_id: -worth[labels[doc_id]])
        assert math.isclose(values(name, {"q": labels}, {"q": best})["q"], 1, abs_tol=1e-12), name


@given(collection=collections(), level=st.integers(1, 4))
def test_a_level_is_the_same_as_labels_made_binary_at_it(collection: Collection, level: int) -> None:
    qrels, run = collection
    binary = {
        query_id: {doc_id: grade if grade < 0 else int(grade >= level) for doc_id, grade in labels.items()}
        for query_id, labels in qrels.items()
    }
    for head, cut in (
        ("P", "@3"),
        ("R", "@3"),
        ("Success", "@2"),
        ("AP", ""),
        ("RR", ""),
        ("Rprec", ""),
        ("SetF", ""),
        ("Bpref", ""),
    ):
        asked = values(f"{head}(rel={level}){cut}", qrels, run)
        assert asked == values(f"{head}{cut}", binary, run), head
        assert asked == values(f"{head}{cut}", qrels, run, rel=level), head


@given(collection=collections(highest=1), k=st.integers(1, 12))
def test_with_binary_labels_all_gains_are_one(collection: Collection, k: int) -> None:
    linear = values(f"nDCG@{k}", *collection)
    assert linear == values(f"ndcg@{k}", *collection)
    sevens = values(f"nDCG(gains={{1:7}})@{k}", *collection)
    assert all(math.isclose(linear[query_id], sevens[query_id], abs_tol=1e-12) for query_id in linear)


@given(collection=collections(), k=st.integers(1, 12), gains=st.tuples(*[st.integers(0, 9)] * 3))
def test_custom_gains_are_linear_gains_of_other_grades(
    collection: Collection, k: int, gains: tuple[int, int, int]
) -> None:
    qrels, run = collection
    name = f"nDCG(gains={{1:{gains[0]},2:{gains[1]},3:{gains[2]}}})@{k}"
    other = {
        query_id: {doc_id: gains[grade - 1] if grade > 0 else grade for doc_id, grade in labels.items()}
        for query_id, labels in qrels.items()
    }
    mapped, plain = values(name, qrels, run), values(f"nDCG@{k}", other, run)
    assert all(math.isclose(mapped[query_id], plain[query_id], abs_tol=1e-12) for query_id in plain)


@given(collection=collections(), scale=st.floats(1e-3, 1e3))
def test_only_the_ratios_of_gains_matter(collection: Collection, scale: float) -> None:
    scaled = values(f"nDCG(gains={{1:{scale!r},2:{2 * scale!r},3:{3 * scale!r}}})@5", *collection)
    plain = values("nDCG@5", *collection)
    assert all(math.isclose(scaled[query_id], plain[query_id], abs_tol=1e-12) for query_id in plain)


@given(collection=collections())
def test_identities_between_measures(collection: Collection) -> None:
    qrels, run = collection
    value = found(["SetP", "SetR", "SetAP", "NumRelRet", "NumRel", "NumRet"], qrels, run)
    for query_id in qrels:
        precision, recall = value["SetP", query_id], value["SetR", query_id]
        hits = value["NumRelRet", query_id]
        assert math.isclose(value["SetAP", query_id], precision * recall, abs_tol=1e-12)
        assert math.isclose(hits, recall * value["NumRel", query_id], abs_tol=1e-9)
        assert math.isclose(hits, precision * value["NumRet", query_id], abs_tol=1e-9)
    assert values("P@1", qrels, run) == values("Success@1", qrels, run) == values("RR@1", qrels, run)
