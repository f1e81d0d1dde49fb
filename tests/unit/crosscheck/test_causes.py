from __future__ import annotations

from dataclasses import replace

import pytest

from irbridge.conventions import EXPONENTIAL, KNOBS, LINEAR, Convention, Gain, get_convention
from irbridge.crosscheck.causes import Cause, applied, causes, known, settings_of
from irbridge.crosscheck.variants import variant
from irbridge.measures.names import parse

BASE = get_convention("ir_measures")


def kinds(name, base=BASE, top=3):
    (measure,) = parse(name)
    return {(cause.knob, cause.value) for cause in causes(measure, base, top) if cause.knob is not None}


def test_single_causes_of_a_graded_measure():
    found = kinds("nDCG@10")
    assert {("ties", "docid-asc"), ("ties", "given"), ("precision", "float64"), ("missing", "skip")} <= found
    assert ("gain", EXPONENTIAL) in found
    assert ("gain", LINEAR) not in found
    assert not {knob for knob, _ in found} & {"rel", "duplicates"}


def test_levels_where_the_name_has_none():
    assert {("rel", 2), ("rel", 3)} <= kinds("AP")
    assert ("rel", 1) not in kinds("AP")
    assert "rel" not in {knob for knob, _ in kinds("AP(rel=2)")}


def test_repeats_where_the_convention_admits_them():
    assert {value for knob, value in kinds("AP", get_convention("beir")) if knob == "duplicates"} == {"first"}


def test_what_an_engine_is_known_to_do():
    (measure,) = parse("ndcg@10")
    base = get_convention("retrieval-eval")
    engine = get_convention("trec_eval-9").changed(duplicates="last", gain=LINEAR)
    found = {cause.knob: cause.value for cause in known(measure, base, engine, None)}
    assert found == {
        "precision": "float32",
        "ties": "docid-desc",
        "missing": "skip",
        "no_positives": "zero",
        "duplicates": "last",
        "gain": LINEAR,
    }
    (spelled,) = parse("nDCG(dcg='exp-log2')@10")
    assert "gain" not in {cause.knob for cause in known(spelled, base, engine, None)}
    (ap,) = parse("AP")
    formula = known(ap, BASE, BASE, "ap-found")
    assert [cause.words for cause in formula] == ["divided by the relevant documents found"]


def test_changes_are_made():
    (measure,) = parse("AP")
    meant, convention = applied(
        [Cause("ties", "ties", "given"), Cause("formula", None, variant("ap-found"))], measure, BASE
    )
    assert convention == replace(BASE, name="ir_measures (changed)", ties="given")
    assert meant.family is not measure.family
    assert applied([], measure, BASE) == (measure, BASE)


@pytest.mark.parametrize(
    "knob, value, words, setting",
    [
        ("ties", "docid-asc", "ties broken by docid ascending", "--ties docid-asc"),
        ("gain", EXPONENTIAL, "exponential gain", "--gain exp"),
        ("gain", LINEAR, "linear gain", "--gain linear"),
        ("gain", Gain.of({1: 1, 2: 1}), "binary gain", "--gain 1=1,2=1"),
        ("depth", None, "the whole ranking counts", "no --depth"),
        ("depth", 1000, "only the top 1,000 documents count", "--depth 1000"),
        ("rel", 2, "relevant from grade 2", "--rel 2"),
        ("judged_only", True, "judged documents only", "--judged-only"),
        ("level_cuts_gain", False, "the level leaves gains alone", "no --level-cuts-gain"),
        ("no_positives", "zero", "queries without a relevant label score 0", "--no-positives zero"),
    ],
)
def test_words_and_flags(knob, value, words, setting):
    cause = Cause(knob, knob, value)
    assert (cause.words, cause.setting) == (words, setting)


def test_every_value_of_every_knob_has_words():
    from irbridge.conventions import CHOICES

    for knob in KNOBS:
        for value in CHOICES.get(knob, ()):
            assert Cause(knob, knob, value).words
            assert "grade" not in Cause(knob, knob, value).words


def test_a_formula_has_no_flag():
    ties = Cause("ties", "ties", "given")
    assert settings_of([ties, Cause("missing", "missing", "skip")]) == "--ties given --missing skip"
    assert settings_of([ties, Cause("formula", None, variant("ap-found"))]) == ""


def test_the_base_keeps_its_name():
    assert (
        applied([Cause("missing", "missing", "skip")], parse("AP")[0], Convention("x (changed)"))[1].name
        == "x (changed)"
    )
