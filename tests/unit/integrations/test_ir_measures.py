"""irbridge as ir_measures' provider: where it stands among the others, and what it takes.

qrels  q1: a 1, b 2     q2: c 1     q3: f 1            run  q1: a, x, b     q2: z     q9: z
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ir_measures
import pytest
from ir_measures import AP, ERR, RR, NumQ, NumRet, P, Qrel, ScoredDoc, nDCG

from irbridge.errors import InputError, UnknownName
from irbridge.integrations.ir_measures import NAME, register

QRELS = {"q1": {"a": 1, "b": 2}, "q2": {"c": 1}, "q3": {"f": 1}}
RUN = {"q1": {"a": 3.0, "x": 2.0, "b": 1.0}, "q2": {"z": 1.0}, "q9": {"z": 1.0}}


@pytest.fixture
def provider() -> Iterator[Any]:
    """Registered, and taken out again."""
    before, pipeline = dict(ir_measures.providers.registry), list(ir_measures.DefaultPipeline.providers)
    yield register()
    ir_measures.providers.registry.clear()
    ir_measures.providers.registry.update(before)
    ir_measures.DefaultPipeline.providers[:] = pipeline


def asked_in_order() -> list[str]:
    return [each.NAME for each in ir_measures.DefaultPipeline.providers]


def test_it_is_one_of_the_providers(provider: Any) -> None:
    assert ir_measures.providers.registry[NAME] is provider
    assert provider.is_available()
    assert asked_in_order()[-1] == NAME
    again = register(first=True)
    assert asked_in_order()[:2] == ["runtime", NAME]
    assert asked_in_order().count(NAME) == 1
    assert ir_measures.providers.registry[NAME] is again
    assert ir_measures.calc_aggregate([P @ 2], QRELS, RUN) == {P @ 2: pytest.approx(0.5 / 3)}


def test_values_by_hand(provider: Any) -> None:
    # q1: P@2 1/2, AP(rel=2) 1/3; q2 nothing; q3 is not answered: 0. q9 has no labels.
    found = provider.calc([P @ 2, AP(rel=2), NumRet, NumQ], QRELS, RUN)
    assert found.aggregated == {P @ 2: 0.5 / 3, AP(rel=2): (1 / 3) / 3, NumRet: 4.0, NumQ: 2.0}
    values = {(each.query_id, str(each.measure)): each.value for each in found.per_query}
    assert len(values) == len(found.per_query) == 4 * 3
    assert values["q1", "P@2"] == 0.5
    assert values["q3", "NumQ"] == 0.0  # the default of a query that is not answered, as with the others
    assert {query_id for query_id, _ in values} == {"q1", "q2", "q3"}


@pytest.mark.parametrize("kind", ["dict", "iterator", "frame"])
def test_labels_and_runs_of_every_kind(provider: Any, kind: str) -> None:
    import pandas as pd

    labels = [Qrel(query_id, doc_id, grade) for query_id, own in QRELS.items() for doc_id, grade in own.items()]
    rows = [ScoredDoc(query_id, doc_id, score) for query_id, own in RUN.items() for doc_id, score in own.items()]
    qrels, run = {
        "dict": (QRELS, RUN),
        "iterator": (iter(labels), iter(rows)),
        "frame": (pd.DataFrame(labels), pd.DataFrame(rows)),
    }[kind]
    evaluator = provider.evaluator([P @ 2, ir_measures.alpha_nDCG @ 5], qrels)
    assert evaluator.calc_aggregate(run)[P @ 2] == 0.5 / 3


@pytest.mark.parametrize("query_id, doc_id", [(1, 2), (1, "2"), ("1", 2)])
@pytest.mark.parametrize("kind", ["tuples", "frame"])
def test_ids_that_are_numbers_are_texts(provider: Any, kind: str, query_id: Any, doc_id: Any) -> None:
    import pandas as pd

    qrels, run = [Qrel(query_id, doc_id, 1)], [ScoredDoc("1", "2", 1.0)]
    given = pd.DataFrame(qrels)[["query_id", "doc_id", "relevance"]] if kind == "frame" else qrels
    assert provider.calc_aggregate([P @ 1], given, run) == {P @ 1: 1.0}
    (only,) = provider.iter_calc([P @ 1], qrels, [ScoredDoc(query_id, doc_id, 1.0)])
    assert (only.query_id, only.value) == ("1", 1.0)


def test_one_evaluator_scores_several_runs(provider: Any) -> None:
    evaluator = provider.evaluator([RR], iter([Qrel("q1", "a", 1)]))
    runs = [{"q1": {"a": 1.0}}, {"q1": {"x": 2.0, "a": 1.0}}, {}]
    assert [evaluator.calc_aggregate(run)[RR] for run in runs] == [1.0, 0.5, 0.0]


@pytest.mark.parametrize("qrels", [{}, {"q1": {}}])
def test_no_labels_are_no_values(provider: Any, qrels: Any) -> None:
    theirs = ir_measures.pytrec_eval.calc_aggregate([nDCG @ 5], qrels, RUN)[nDCG @ 5]
    assert provider.calc_aggregate([nDCG @ 5], qrels, RUN)[nDCG @ 5] == pytest.approx(theirs, nan_ok=True)


def test_a_run_of_other_queries_is_worth_nothing(provider: Any) -> None:
    assert provider.calc_aggregate([nDCG @ 5, P @ 1], QRELS, {"q9": {"a": 1.0}}) == {nDCG @ 5: 0.0, P @ 1: 0.0}


def test_what_others_cannot_compute_it_can(provider: Any) -> None:
    # gdeval takes numbers as query ids, and cutoffs only: ERR of the whole ranking of q1 is
    # 1/16 + (15/16)(3/16)/3 = 0.12109375; q2 and q3 have 0.
    assert provider.calc_aggregate([ERR @ 20], QRELS, RUN)[ERR @ 20] == pytest.approx(0.12109375 / 3, abs=1e-12)


def test_a_measure_that_is_defined_at_run_time_is_not_its_own(provider: Any) -> None:
    mine = ir_measures.define_byquery(lambda qrels, run: 0.25, name="Mine")
    assert not provider.supports(mine)
    with pytest.raises(ValueError, match="irbridge does not compute Mine"):
        provider.calc_aggregate([mine], QRELS, RUN)
    before = ir_measures.calc_aggregate([mine, P @ 2], QRELS, RUN)
    register(first=True)
    assert ir_measures.calc_aggregate([mine, P @ 2], QRELS, RUN) == before
    assert before[mine] > 0


def test_every_measure_of_ir_measures_is_supported(provider: Any) -> None:
    for name, measure in ir_measures.measures.registry.items():
        given = {each: {"max_rel": 3, "cutoff": 5, "recall": 0.5}.get(each) for each in measure.SUPPORTED_PARAMS}
        assert provider.supports(measure(**{each: value for each, value in given.items() if value})), name


def test_under_another_convention(provider: Any) -> None:
    tied = {"q1": {"a": 1.0, "x": 1.0}}
    # By descending id x stands first, by ascending id a.
    assert provider.calc_aggregate([RR], {"q1": {"a": 1}}, tied)[RR] == 0.5
    other = register(convention="msmarco")
    assert other.calc_aggregate([RR], {"q1": {"a": 1}}, tied)[RR] == 1.0
    with pytest.raises(UnknownName):
        register(convention="no such")


@pytest.mark.parametrize("bad", [{"q1": {"a": float("nan")}}, {"q1": {"a": "high"}}])
def test_a_run_that_cannot_be_used_is_refused_in_words(provider: Any, bad: Any) -> None:
    with pytest.raises(InputError, match=r"not a number|high"):
        provider.calc_aggregate([RR], QRELS, bad)
