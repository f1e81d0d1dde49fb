"""Agreement against published examples and sums worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from irbridge.errors import InputError, UsageError
from irbridge.judgments.agreement import agree, agreement, alpha, kappa
from irbridge.model import Judgment


def test_kappa_of_the_grant_proposals() -> None:
    # The example of Wikipedia's page "Cohen's kappa": 50 proposals, 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no.
    # Observed agreement 35/50 = 0.7; by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5; kappa (0.7 - 0.5) / 0.5 = 0.4.
    grades = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    assert kappa(grades) == pytest.approx(0.4, abs=1e-15)


def test_weighted_kappa_by_hand() -> None:
    # Grades 0, 1, 2 of two annotators over 10 documents:
    #          0  1  2   sum        by chance / 10:  row * column
    #     0    3  1  0    4
    #     1    0  2  1    3
    #     2    1  0  2    3
    #   sum    4  3  3
    # linear:    observed 1*1 + 1*1 + 2*1 = 4; by chance (4*3 + 2*4*3 + 3*4 + 3*3 + 2*3*4 + 3*3) / 10 = 90 / 10 = 9
    #            kappa 1 - 4/9 = 5/9
    # quadratic: observed 1 + 1 + 4 = 6; by chance (12 + 4*12 + 12 + 9 + 4*12 + 9) / 10 = 138 / 10
    #            kappa 1 - 60/138 = 13/23
    # none:      observed 3; by chance (12 + 12 + 12 + 9 + 12 + 9) / 10 = 66 / 10; kappa 1 - 30/66 = 6/11
    table = {(0, 0): 3, (0, 1): 1, (1, 1): 2, (1, 2): 1, (2, 0): 1, (2, 2): 2}
    grades = [pair for pair, count in table.items() for _ in range(count)]
    assert kappa(grades, "linear") == pytest.approx(5 / 9, abs=1e-15)
    assert kappa(grades, "quadratic") == pytest.approx(13 / 23, abs=1e-15)
    assert kappa(grades) == pytest.approx(6 / 11, abs=1e-15)


def test_weights_are_distances_of_grades_not_of_places() -> None:
    # Grades 0 and 3 only: every disagreement counts alike, so all weights give one kappa.
    grades = [(0, 0), (0, 3), (3, 3), (3, 3)]
    assert kappa(grades) == kappa(grades, "linear") == kappa(grades, "quadratic")
    # With a 1 among them 0 and 3 are three apart. Linear: observed 3; by chance rows 0:2 1:1 3:2, columns 0:1 1:1 3:3,
    # (2*1*1 + 2*3*3 + 1*1*1 + 1*3*2 + 2*1*3 + 2*1*2) / 5 = 37 / 5; kappa 1 - 15/37.
    assert kappa([*grades, (1, 1)], "linear") == pytest.approx(22 / 37, abs=1e-15)


@pytest.mark.parametrize("grades", [[], [(1, 1)], [(1, 1), (1, 1)]])
def test_where_chance_agrees_too_nobody_can_tell(grades: list[tuple[int, int]]) -> None:
    assert [kappa(grades, weights) for weights in ("none", "linear", "quadratic")] == [None] * 3
    assert [alpha(grades, level) for level in ("nominal", "ordinal", "interval")] == [None] * 3


# K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C: four observers, twelve units.
_OBSERVERS = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]


def test_alpha_of_krippendorff_s_data_with_gaps() -> None:
    units = [[int(row[place]) for row in _OBSERVERS if row[place] != "."] for place in range(12)]
    # Published: nominal 0.743, ordinal 0.815, interval 0.849.
    assert alpha(units, "nominal") == pytest.approx(0.743, abs=5e-4)
    assert alpha(units, "ordinal") == pytest.approx(0.815, abs=5e-4)
    assert alpha(units, "interval") == pytest.approx(0.849, abs=5e-4)


def test_alpha_of_krippendorff_s_binary_and_nominal_data() -> None:
    # The same paper, section A: two observers, ten units, alpha 0.095.
    units = list(zip([0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0], strict=True))
    assert alpha(units) == pytest.approx(0.095, abs=5e-4)
    # Section B: two observers, twelve units, five names, alpha 0.692.
    named = [tuple(map(ord, pair)) for pair in zip("aabbdcccedda", "babbbcccedddd"[:12], strict=True)]
    assert alpha(named) == pytest.approx(0.692, abs=5e-4)


def test_annotators_of_one_file_are_told_apart_by_name(tmp_path: Path) -> None:
    rows = [
        Judgment("q", "d1", 1, labeled_by="human:a"), Judgment("q", "d1", 1, labeled_by="human:b"),
        Judgment("q", "d2", 0, labeled_by="human:a"), Judgment("q", "d2", 1, labeled_by="human:b"),
        Judgment("q", "d3", 0, labeled_by="human:a"), Judgment("q", "d3", 2),
    ]  # fmt: skip
    found = agree([rows])
    assert found.annotators == {"human:a": 3, "human:b": 2}
    assert (found.units, found.overlapping, found.unsigned) == (3, 2, 1)
    (pair,) = found.pairs
    assert (pair.units, pair.same) == (2, 0.5)
    # a says 1 0, b says 1 1: observed agreement 1/2, by chance 1/2 * 1 = 1/2.
    assert pair.kappa["none"] == 0.0


def test_files_are_annotators(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("q 0 d1 1\nq 0 d2 0\n")
    (tmp_path / "b").write_text("q 0 d1 1\nq 0 d2 0\nq 0 d9 1\n")
    found = agree([tmp_path / "a", tmp_path / "b"])
    assert list(found.annotators.values()) == [2, 3]
    assert found.pairs[0].kappa["none"] == 1.0
    assert set(found.alpha.values()) == {1.0}


def test_three_annotators_make_three_pairs_also_those_who_never_met() -> None:
    found = agreement({("q", "1"): {"a": 1, "b": 1}, ("q", "2"): {"b": 0, "c": 0}, ("q", "3"): {"a": 0, "b": 0}})
    assert [(pair.one, pair.other, pair.units, pair.same) for pair in found.pairs] == [
        ("a", "b", 2, 1.0), ("a", "c", 0, None), ("b", "c", 1, 1.0),
    ]  # fmt: skip
    assert found.as_dict()["pairs"][1]["kappa"] is None


def test_one_annotator_agrees_with_nobody() -> None:
    with pytest.raises(UsageError, match="only human:a has judged"):
        agree([[Judgment("q", "d", 1, labeled_by="human:a")]])
    with pytest.raises(UsageError, match="no label says who has judged"):
        agree([[Judgment("q", "d", 1)]])


def test_an_annotator_cannot_say_two_things() -> None:
    with pytest.raises(InputError, match="gives query q document d two grades, 1 and 2"):
        agree([[Judgment("q", "d", 1, labeled_by="x"), Judgment("q", "d", 2, labeled_by="x")]])
