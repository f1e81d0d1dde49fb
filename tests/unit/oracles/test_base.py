from __future__ import annotations

import pytest
from support.asking import PLAIN, resolved

from irbridge.oracles.base import Answer, Material, Oracle, Unavailable, module

QRELS = {"q1": {"a": 1}}
RUN = {"q1": {"a": 1.0}}


def engine(call=None, probe=lambda: "1", refuses=lambda material, measures: None, covers=lambda measure: None):
    call = call or (lambda material, measures: Answer({measure.asked: {"q1": 1.0} for measure in measures}))
    return Oracle("fake", "a fake", probe, covers, lambda measure: PLAIN, call, refuses)


def test_an_absent_engine_is_skipped_with_its_reason():
    def absent():
        raise Unavailable("it is not installed")

    assert engine(probe=absent).status() == (None, "skipped: it is not installed")
    assert engine().status() == ("1", None)


@pytest.mark.parametrize(
    "error", [AssertionError("expected object dtype\nand more"), ImportError("bad ABI"), OSError()]
)
def test_a_broken_engine_is_skipped_and_no_traceback(error):
    # Field note B69: a provider that asserts when it is imported.
    def broken():
        raise error

    version, said = engine(probe=broken).status()
    assert version is None
    assert said.startswith(f"skipped: broken: {type(error).__name__}")
    assert "\n" not in said


def test_an_engine_that_dies_says_of_what():
    def dies(material, measures):
        raise ZeroDivisionError("division by zero")

    assert engine(dies).evaluate(QRELS, RUN, resolved("AP")).refused == "failed: ZeroDivisionError: division by zero"


def test_an_engine_that_breaks_before_it_is_called_says_so_too():
    def broken(measure):
        raise AttributeError("partially initialized module")

    assert engine(covers=broken).evaluate(QRELS, RUN, resolved("AP")).refused.startswith("failed: AttributeError")


def test_warnings_of_an_engine_are_its_own():
    import warnings

    def warns(material, measures):
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        return Answer({"AP": {"q1": 1.0}})

    assert engine(warns).evaluate(QRELS, RUN, resolved("AP")).values == {"AP": {"q1": 1.0}}


def test_unsound_input_never_reaches_the_engine():
    def never(material, measures):
        raise AssertionError

    answer = engine(never).evaluate(QRELS, {"q1": {"a": float("nan")}}, resolved("AP"))
    assert answer.refused.startswith("not called: the score of query q1 document a is NaN")
    refusing = engine(never, refuses=lambda material, measures: "it is Monday")
    assert refusing.evaluate(QRELS, RUN, resolved("AP")).refused == "not called: it is Monday"


def test_measures_that_it_has_not_are_left_out_with_the_reason():
    chosen = engine(covers=lambda measure: "has no RR" if measure.family.name == "RR" else None)
    answer = chosen.evaluate(QRELS, RUN, resolved("AP RR"))
    assert answer.values == {"AP": {"q1": 1.0}}
    assert answer.left_out == {"RR": "has no RR"}
    assert chosen.evaluate(QRELS, RUN, resolved("RR")) == Answer(left_out={"RR": "has no RR"})


def test_material_holds_judged_queries_only():
    material = Material.of({"q1": {"a": 1}, "q2": {}}, {"q1": {"a": 1.0}, "q2": {"a": 1.0}, "q3": {"a": 1.0}})
    assert material.qrels == {"q1": {"a": 1}}
    assert material.run == {"q1": {"a": 1.0}}


def test_what_c_code_takes_is_of_pythons_own_types_and_copied_only_where_it_has_to_be():
    import numpy as np

    material = Material.of({"q1": {"a": np.int64(2), "b": True}}, {"q1": {"a": np.float32(0.5), "b": 1}})
    qrels, run = material.plain()
    assert [type(grade) for grade in qrels["q1"].values()] == [int, int]
    assert [type(score) for score in run["q1"].values()] == [float, float]
    assert type(material.run["q1"]["b"]) is int
    sound = Material.of({"q1": {"a": 2}}, {"q1": {"a": 0.5}})
    assert sound.plain()[1]["q1"] is sound.run["q1"]


def test_a_missing_module_is_told_from_one_that_misses_another(tmp_path, monkeypatch):
    (tmp_path / "needy.py").write_text("import a_module_that_nobody_has\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Unavailable, match=r"^needy needs a_module_that_nobody_has, which is not installed$"):
        module("needy", "")
    with pytest.raises(Unavailable, match=r"^another_module is not installed$") as caught:
        module("another_module.inside", "pip install it")
    assert caught.value.hint == "pip install it"
