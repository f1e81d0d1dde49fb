from __future__ import annotations

import json

import pytest
from support.asking import PLAIN

from irbridge.conventions import get_convention
from irbridge.crosscheck.run import crosscheck
from irbridge.errors import InputError, UnknownName
from irbridge.oracles import Answer, Oracle

QRELS = {"q1": {"b": 1}, "q2": {"a": 1}, "q3": {"a": 2}}
RUN = {"q1": {"b": 1.0, "c": 1.0}, "q2": {"a": 2.0}, "q3": {"x": 2.0, "a": 1.0}}


def fake(values, means=None, tolerance=1e-9, convention=PLAIN, **more):
    answer = Answer(values, means or {})
    return Oracle(
        "fake",
        "a fake",
        lambda: "1.0",
        lambda measure: None if measure.asked in values else "has it not",
        lambda measure: convention,
        lambda material, measures: answer,
        lambda material, measures: None,
        tolerance=tolerance,
        **more,
    )


def check(oracle, names="RR", convention="ir_measures", run=RUN, qrels=QRELS):
    return crosscheck(qrels, run, names, convention, [oracle])


def one(*arguments, **named):
    (found,) = check(*arguments, **named).comparisons
    return found


# Ties by descending id: RR of q1 is 1/2, of q2 1, of q3 1/2.
OURS = {"q1": 0.5, "q2": 1.0, "q3": 0.5}


def test_equal():
    found = one(fake({"RR": OURS}, {"RR": 2 / 3}))
    assert (found.status, found.equal, found.rounded, found.differ) == ("equal", 3, 0, 0)
    assert found.explanation is None
    assert found.examples == []


def test_equal_within_what_it_prints():
    near = {"q1": 0.50004, "q2": 1.0, "q3": 0.5}
    found = one(fake({"RR": near}, tolerance=5e-5))
    assert (found.status, found.equal, found.rounded) == ("equal", 3, 1)
    assert one(fake({"RR": near})).status == "unexplained"


def test_a_difference_is_explained_by_the_single_cause_that_gives_all_values():
    found = one(fake({"RR": {"q1": 1.0, "q2": 1.0, "q3": 0.5}}))
    assert (found.status, found.equal, found.differ) == ("explained", 2, 1)
    assert [cause.name for cause in found.explanation.causes] == ["ties"]
    assert found.explanation.queries == 3
    assert found.explanation.mean == pytest.approx(2.5 / 3)
    assert found.examples[0].query_id == "q1"
    assert (found.examples[0].ours, found.examples[0].theirs) == (0.5, 1.0)
    assert found.ours == pytest.approx(2 / 3)
    assert found.theirs == pytest.approx(2.5 / 3)


def test_a_cause_that_gives_only_some_of_the_values_is_none():
    # q1 could be the ties; no convention makes the RR of q3 1/3.
    found = one(fake({"RR": {"q1": 1.0, "q2": 1.0, "q3": 1 / 3}}))
    assert (found.status, found.differ) == ("unexplained", 2)
    assert not check(fake({"RR": {"q1": 1.0, "q2": 1.0, "q3": 1 / 3}})).ok
    assert [example.query_id for example in found.examples] == ["q1", "q3"]
    said = found.why()
    assert "2 of 3 queries differ" in said[0]
    assert said[1] == "query q1: irbridge 0.5, fake 1.0"


def test_pairs_of_causes():
    # Ties ascending and grade 2 as the level: q1 and q2 have nothing relevant, q3 keeps 1/2.
    qrels = {"q1": {"b": 2}, "q2": {"a": 1}, "q3": {"a": 2}}
    found = one(fake({"RR": {"q1": 1.0, "q2": 0.0, "q3": 0.5}}), qrels=qrels)
    assert sorted(cause.name for cause in found.explanation.causes) == ["rel", "ties"]
    assert found.explanation.settings in {"--ties docid-asc --rel 2", "--ties given --rel 2"}


def test_more_than_two_where_the_engine_is_known_to_do_them():
    qrels = {"q1": {"b": 3}, "q2": {"a": 1}, "q3": {"a": 0}, "q4": {"a": 1}}
    run = {"q1": {"b": 1.0, "c": 1.0}, "q2": {"x": 2.0, "a": 1.0}, "q3": {"x": 2.0, "a": 1.0}}
    engine = get_convention("trec_eval-9").changed(duplicates="last")
    # As given (the specification) b is first: ndcg 1. By descending id 1/log2(3) = 0.63093; q3 counts, q4 does not.
    theirs = {"q1": 0.6309297535714575, "q2": 0.6309297535714575, "q3": 0.0}
    found = one(fake({"ndcg@10": theirs}, convention=engine), "ndcg@10", "retrieval-eval", run, qrels)
    assert sorted(cause.name for cause in found.explanation.causes) == ["missing", "no_positives", "ties"]
    assert (found.ours_only, found.theirs_only) == (1, 1)


def test_a_mean_that_its_values_do_not_give():
    found = one(fake({"RR": OURS}, {"RR": 0.5}))
    assert (found.status, found.means_agree, found.differ) == ("unexplained", False, 0)
    assert "its mean is 0.5" in found.why()[0]


def test_values_that_are_no_numbers_are_unexplained():
    assert one(fake({"RR": {**OURS, "q1": float("nan")}})).status == "unexplained"


def test_a_measure_that_it_has_not_and_an_engine_that_fails():
    assert one(fake({"AP": {}})).reason == "has it not"

    def dies(material, measures):
        raise OSError("gone")

    broken = Oracle("b", "b", lambda: "1", lambda m: None, lambda m: PLAIN, dies, lambda material, measures: None)
    result = check(broken)
    assert result.comparisons[0].status == "refused"
    assert result.oracles[0].refused == "failed: OSError: gone"
    assert result.ok
    assert not result.compared


def test_an_oracle_that_is_not_there_is_named():
    def absent():
        from irbridge.oracles import Unavailable

        raise Unavailable("not here")

    gone = Oracle("g", "g", absent, lambda m: None, lambda m: PLAIN, lambda a, b: Answer(), lambda a, b: None)
    result = check(gone)
    assert result.oracles[0].skipped == "skipped: not here"
    assert result.comparisons == []
    assert result.columns() == {}


def test_only_queries_that_one_side_counts():
    found = one(fake({"RR": {"q1": 0.5, "q2": 1.0}}, {"RR": 0.75}), run={"q1": RUN["q1"], "q2": RUN["q2"]})
    assert (found.status, found.ours_only) == ("explained", 1)
    assert [cause.name for cause in found.explanation.causes] == ["missing"]
    assert found.explanation.settings == "--missing skip"


def test_the_result_is_json_and_says_all():
    made = check(fake({"RR": {"q1": 1.0, "q2": 1.0, "q3": 0.5}}, group="Group"), "RR AP").as_dict()
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    rr, ap = made["comparisons"]
    assert rr["explanation"]["causes"] == ["ties"]
    assert rr["explanation"]["convention"]["ties"] in {"docid-asc", "given"}
    assert ap == {"measure": "AP", "oracle": "fake", "status": "uncovered", "reason": "has it not"}
    assert made["ok"] is True


def test_cells_of_one_column():
    result = check(fake({"RR": OURS}, group="Group"), "RR AP")
    assert result.columns() == {"Group": "Group 1.0"}
    assert [found.oracle for found in result.cell("RR", "Group")] == ["fake"]
    assert result.cell("AP", "Group") == []


def test_oracles_by_name_by_column_and_unknown():
    pytest.importorskip("ir_measures")
    names = [state.name for state in crosscheck(QRELS, RUN, "RR", None, ["ir_measures"]).oracles]
    assert names[0] == "ir_measures:pytrec_eval"
    assert len(names) > 5
    with pytest.raises(UnknownName, match="did you mean pytrec_eval"):
        crosscheck(QRELS, RUN, "RR", None, ["pytrec-eval"])


def test_progress_names_who_is_asked():
    seen = []
    crosscheck(QRELS, RUN, "RR", None, [fake({"RR": OURS})], seen.append)
    assert seen == ["fake"]


def test_the_convention_follows_the_dialect():
    assert crosscheck(QRELS, RUN, "mrr@10", None, []).scores.convention.name == "retrieval-eval"
    assert crosscheck(QRELS, RUN, "RR@10", None, []).scores.convention.name == "ir_measures"
    six = crosscheck(QRELS, RUN, None, None, [])
    assert [measure.asked for measure in six.scores.measures][:2] == ["precision@10", "recall@10"]


def test_input_that_cannot_be_scored_is_an_error():
    with pytest.raises(InputError, match="NaN"):
        crosscheck(QRELS, {"q1": {"a": float("nan"), "b": 1.0}}, "RR")


def test_what_python_prints_of_a_result_is_short():
    result = check(fake({"RR": {"q1": 1.0, "q2": 1.0, "q3": 0.5}}), "RR AP")
    assert repr(result) == "<Crosschecked 2 measures: 1 explained, 1 uncovered>"
    assert repr(result.comparisons) == (
        "[<RR by fake: 1 of 3 queries differs: ties broken by docid ascending>, <AP by fake: uncovered: has it not>]"
    )
    assert repr(one(fake({"RR": OURS}))) == "<RR by fake: equal>"
    assert repr(one(fake({"RR": {**OURS, "q1": 0.3}}))) == "<RR by fake: 1 of 3 queries differs, not explained>"


def test_an_engine_that_answers_for_no_query_is_not_compared():
    found = one(fake({"RR": {}}))
    assert (found.status, found.reason) == ("refused", "not compared: it answers for no query of this run")


def test_how_to_get_an_engine_that_is_not_there():
    from irbridge.oracles import Unavailable

    def absent():
        raise Unavailable("not here", hint="pip install it")

    gone = Oracle("g", "g", absent, lambda m: None, lambda m: PLAIN, lambda a, b: Answer(), lambda a, b: None)
    result = check(gone)
    assert (result.oracles[0].skipped, result.oracles[0].hint) == ("skipped: not here", "pip install it")
    assert result.as_dict()["oracles"][0]["hint"] == "pip install it"


def test_a_run_is_handed_to_engines_only_where_there_is_one(monkeypatch):
    from irbridge.crosscheck.native import HeldRun

    def never(self, qrels):
        raise AssertionError

    monkeypatch.setattr(HeldRun, "material", never)
    assert crosscheck(QRELS, RUN, "RR", None, []).comparisons == []
    with pytest.raises(AssertionError):
        check(fake({"RR": OURS}))
