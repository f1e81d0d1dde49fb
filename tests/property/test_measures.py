"""Laws of the measures, whatever the labels and the ranking."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.hits import Labels, Rankings, collections, values

# Measures of a ranking: more relevant documents higher up are never worse.
RANKED = ["P@1", "P@3", "R@3", "AP", "AP@4", "AP(rel=2)", "RR", "RR@3", "Success@2", "Rprec", "nDCG", "nDCG@3", "ndcg@5"]
SETS = ["SetP", "SetR", "SetF", "SetF(beta=0.5)", "SetAP"]
SHARES = [*RANKED, *SETS, "Bpref", "Bpref(rel=2)", "Judged", "Judged@3", "nDCG(gains={0:2,1:0.5,3:1})@4", "P(rel=3)@2"]
COUNTS = ["NumQ", "NumRet", "NumRel", "NumRelRet"]
EVERYTHING = [*SHARES, *COUNTS]

ranked = pytest.mark.parametrize("name", RANKED)
shares = pytest.mark.parametrize("name", SHARES)
everything = pytest.mark.parametrize("name", EVERYTHING)

Collection = tuple[dict[str, dict[str, int]], dict[str, list[str]]]


def close(one: dict[str, float], other: dict[str, float]) -> bool:
    return one.keys() == other.keys() and all(abs(one[query_id] - other[query_id]) <= 1e-12 for query_id in one)


def at_most(one: dict[str, float], other: dict[str, float]) -> bool:
    return all(one[query_id] <= other[query_id] + 1e-12 for query_id in one)


@shares
@given(collection=collections())
def test_a_share_is_between_0_and_1(name: str, collection: Collection) -> None:
    for judged_only in (False, True):
        found = np.array(list(values(name, *collection, judged_only=judged_only).values()))
        assert np.isfinite(found).all()
        assert (found >= 0).all()
        assert (found <= 1 + 1e-12).all()


@everything
@given(collection=collections())
def test_a_batch_is_each_query_alone(name: str, collection: Collection) -> None:
    """Equal to the last bit: no query's numbers pass through another's."""
    qrels, run = collection
    together = values(name, qrels, run)
    for query_id, labels in qrels.items():
        own: Rankings = {query_id: run[query_id]} if query_id in run else {}
        assert values(name, {query_id: labels}, own) == {query_id: together[query_id]}


@everything
@given(collection=collections(), data=st.data())
def test_the_order_of_queries_and_labels_is_of_no_account(name: str, collection: Collection, data: st.DataObject) -> None:
    qrels, run = collection
    shuffled: dict[str, dict[str, int]] = {}
    for query_id in data.draw(st.permutations(list(qrels))):
        shuffled[query_id] = dict(data.draw(st.permutations(list(qrels[query_id].items()))))
    assert values(name, shuffled, run) == values(name, qrels, run)


@everything
@given(collection=collections(), data=st.data())
def test_documents_of_one_grade_are_interchangeable(name: str, collection: Collection, data: st.DataObject) -> None:
    """Renaming documents within a grade, or within the unjudged ones, changes no number."""
    qrels, run = collection
    renamed: dict[str, list[str]] = {}
    for query_id, ranking in run.items():
        alike: dict[int | None, list[str]] = {}
        for doc_id in dict.fromkeys([*ranking, *qrels[query_id]]):
            alike.setdefault(qrels[query_id].get(doc_id), []).append(doc_id)
        name_of = {
            old: new for group in alike.values() for old, new in zip(group, data.draw(st.permutations(group)), strict=True)
        }
        renamed[query_id] = [name_of[doc_id] for doc_id in ranking]
    assert values(name, qrels, renamed) == values(name, qrels, run)


@ranked
@given(collection=collections(lowest=0), data=st.data())
def test_a_better_document_moved_up_is_never_worse(name: str, collection: Collection, data: st.DataObject) -> None:
    qrels, run = collection
    better: dict[str, list[str]] = {}
    for query_id, ranking in run.items():
        moved = list(ranking)
        if len(moved) > 1:
            place = data.draw(st.integers(1, len(moved) - 1))
            grade = [qrels[query_id].get(moved[at], 0) for at in (place - 1, place)]
            if grade[1] > grade[0]:
                moved[place - 1 : place + 1] = moved[place - 1 : place + 1][::-1]
        better[query_id] = moved
    assert at_most(values(name, qrels, run), values(name, qrels, better))


@pytest.mark.parametrize("name", [*RANKED, "SetR", "Bpref", "NumRelRet"])
@given(collection=collections(lowest=0))
def test_documents_nobody_judged_at_the_end_change_nothing(name: str, collection: Collection) -> None:
    qrels, run = collection
    longer = {query_id: [*ranking, "unheard", "unseen"] for query_id, ranking in run.items()}
    assert values(name, qrels, longer) == values(name, qrels, run)


@pytest.mark.parametrize("head", ["R", "Success", "RR", "AP"])
@given(collection=collections(), k=st.integers(1, 13))
def test_a_deeper_look_never_loses(head: str, collection: Collection, k: int) -> None:
    assert at_most(values(f"{head}@{k}", *collection), values(f"{head}@{k + 1}", *collection))


@pytest.mark.parametrize("whole, head", [("AP", "AP"), ("RR", "RR"), ("SetR", "R"), ("nDCG", "nDCG"), ("Judged", "Judged")])
@given(collection=collections(), beyond=st.integers(0, 2**40))
def test_a_cutoff_below_the_last_document_is_none(whole: str, head: str, collection: Collection, beyond: int) -> None:
    """14 documents are drawn from: no ranking and no list of labels is longer."""
    assert values(f"{head}@{14 + beyond}", *collection) == values(whole, *collection)


@given(collection=collections(), k=st.integers(1, 12))
def test_a_cutoff_is_a_depth_where_the_denominator_is_not_the_cutoff_s(collection: Collection, k: int) -> None:
    """trec_eval -M k; nDCG is the exception that its ideal makes."""
    for cut, whole in ((f"R@{k}", "SetR"), (f"AP@{k}", "AP"), (f"RR@{k}", "RR"), (f"Judged@{k}", "Judged")):
        assert values(cut, *collection) == values(whole, *collection, depth=k)
    assert at_most(values("nDCG", *collection, depth=k), values(f"nDCG@{k}", *collection))


@pytest.mark.parametrize("name", ["AP", "RR", "Rprec", "nDCG", "nDCG@3", "ndcg@4", "nDCG(gains={1:9,2:5})@4", "Bpref", "SetF"])
@given(qrels=st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 3), min_size=1))
def test_the_best_possible_ranking_is_1(name: str, qrels: dict[str, int]) -> None:
    worth = {1: 9, 2: 5, 3: 3} if "gains" in name else {1: 1, 2: 2, 3: 3}
    best = sorted(qrels, key=lambda doc_id: -worth[qrels[doc_id]])
    assert values(name, {"q": qrels}, {"q": best})["q"] == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("head, cut", [("P", "@3"), ("R", "@3"), ("AP", ""), ("RR", ""), ("Rprec", ""), ("SetF", ""), ("Bpref", "")])
@given(collection=collections(), level=st.integers(1, 4))
def test_a_level_is_the_same_as_labels_made_binary_at_it(head: str, cut: str, collection: Collection, level: int) -> None:
    qrels, run = collection
    binary: Labels = {
        query_id: {doc_id: grade if grade < 0 else int(grade >= level) for doc_id, grade in labels.items()}
        for query_id, labels in qrels.items()
    }
    asked = values(f"{head}(rel={level}){cut}", qrels, run)
    assert asked == values(f"{head}{cut}", binary, run)
    assert asked == values(f"{head}{cut}", qrels, run, rel=level)


@given(collection=collections(highest=1), k=st.integers(1, 12))
def test_with_binary_labels_all_gains_are_one(collection: Collection, k: int) -> None:
    linear = values(f"nDCG@{k}", *collection)
    assert linear == values(f"ndcg@{k}", *collection)
    assert close(linear, values(f"nDCG(gains={{1:7}})@{k}", *collection))


@given(collection=collections(), k=st.integers(1, 12), gains=st.tuples(*[st.integers(0, 9)] * 3))
def test_custom_gains_are_linear_gains_of_other_grades(collection: Collection, k: int, gains: tuple[int, int, int]) -> None:
    qrels, run = collection
    name = f"nDCG(gains={{1:{gains[0]},2:{gains[1]},3:{gains[2]}}})@{k}"
    other = {
        query_id: {doc_id: gains[grade - 1] if grade > 0 else grade for doc_id, grade in labels.items()}
        for query_id, labels in qrels.items()
    }
    assert close(values(name, qrels, run), values(f"nDCG@{k}", other, run))


@given(collection=collections(), scale=st.floats(1e-3, 1e3))
def test_only_the_ratios_of_gains_matter(collection: Collection, scale: float) -> None:
    name = f"nDCG(gains={{1:{scale!r},2:{2 * scale!r},3:{3 * scale!r}}})@5"
    assert close(values(name, *collection), values("nDCG@5", *collection))


@given(collection=collections())
def test_identities_between_measures(collection: Collection) -> None:
    precision, recall, product = (values(name, *collection) for name in ("SetP", "SetR", "SetAP"))
    assert close(product, {query_id: precision[query_id] * recall[query_id] for query_id in precision})
    found, relevant, retrieved = (values(name, *collection) for name in ("NumRelRet", "NumRel", "NumRet"))
    assert close(found, {query_id: recall[query_id] * relevant[query_id] for query_id in found})
    assert close(found, {query_id: precision[query_id] * retrieved[query_id] for query_id in found})
    assert values("P@1", *collection) == values("Success@1", *collection) == values("RR@1", *collection)
