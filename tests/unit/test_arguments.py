from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from irbridge.arguments import LARGEST, flag, number, text_or_none, whole, whole_number
from irbridge.errors import UsageError


@pytest.mark.parametrize("text, value", [("7", 7), (" 10 ", 10), ("-3", -3), ("+1", 1), ("007", 7)])
def test_whole_numbers(text: str, value: int) -> None:
    assert whole_number(text) == value
    assert number(text) == value
    assert type(number(text)) is int


@pytest.mark.parametrize(
    "text", ["", " ", "1_0", "\uff11", "\u0661", "1.0", "0x1", "1\n", "--1", "\u00a01", "9" * 5000]
)
def test_what_is_no_whole_number(text: str) -> None:
    """Python's int() takes 1_0 and the digits of all scripts (its documentation of int), no other tool does."""
    with pytest.raises(ValueError, match=r"is no whole number|Exceeds the limit"):
        whole_number(text)


@pytest.mark.parametrize("text, value", [("1.5", 1.5), (".5", 0.5), ("2.", 2.0), ("-1e3", -1000.0), ("+1E-2", 0.01)])
def test_numbers(text: str, value: float) -> None:
    assert number(text) == value
    assert type(number(text)) is float


@pytest.mark.parametrize("text", ["", "nan", "inf", "1_0.5", "\uff11.5", "1e", ".", "1e1_0"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match="is no number"):
        number(text)


@pytest.mark.parametrize("value", ["no", "", 0, 1, None, np.True_, []])
def test_only_true_and_false_are_flags(value: object) -> None:
    assert flag("strict", True) is True
    assert flag("strict", False) is False
    with pytest.raises(UsageError, match=r"^strict is True or False, not "):
        flag("strict", value)


@pytest.mark.parametrize("value", [0, -1, True, 1.0, "1", None, LARGEST + 1, pytest.param(10**5000, id="huge")])
def test_only_ints_are_whole(value: object) -> None:
    assert whole("rel", LARGEST) == 2**53
    with pytest.raises(UsageError, match=r"^rel must be a whole number from 1 to 2\*\*53, not "):
        whole("rel", value)


@pytest.mark.parametrize("given", [5, b"test", ["test"]])
def test_a_name_is_text(given: Any) -> None:
    assert text_or_none("split", None) is None
    assert text_or_none("split", "dev") == "dev"
    with pytest.raises(UsageError, match=r"^split is a name, not "):
        text_or_none("split", given)


QRELS, RUN = {"q": {"d": 1}}, {"q": {"d": 1.0}}


@pytest.mark.parametrize("value", ["no", "yes", 0, 1, "False"])
@pytest.mark.parametrize("option", ["strict", "as_chunk_ids", "force", "drop_bad_rows", "allow_infinite"])
def test_a_conversion_takes_no_other_truth(option: str, value: object) -> None:
    from irbridge import convert

    with pytest.raises(UsageError, match=rf"^{option} is True or False"):
        convert(QRELS, "pytrec", **{option: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("option", ["force", "without_documents"])
def test_loading_takes_no_other_truth(tmp_path: Any, option: str) -> None:
    from irbridge import load_collection

    with pytest.raises(UsageError, match=rf"^{option} is True or False"):
        load_collection(QRELS, tmp_path / "out", **{option: "no"})
    assert list(tmp_path.iterdir()) == []


def _calls() -> dict[str, Callable[[Any], object]]:
    from irbridge import convert, crosscheck, get_convention, load, score

    return {
        "order": lambda value: convert(QRELS, "pytrec", order=value),
        "part": lambda value: convert(QRELS, "pytrec", part=value),
        "to": lambda value: convert(QRELS, value),
        "load part": lambda value: load(QRELS, value),
        "load format": lambda value: load(QRELS, format=value),
        "convention": lambda value: score(QRELS, RUN, convention=value),
        "get_convention": get_convention,
        "ties": lambda value: score(QRELS, RUN, ties=value),
        "missing": lambda value: score(QRELS, RUN, missing=value),
        "precision": lambda value: score(QRELS, RUN, precision=value),
        "duplicates": lambda value: score(QRELS, RUN, duplicates=value),
        "self_retrieval": lambda value: score(QRELS, RUN, self_retrieval=value),
        "no_positives": lambda value: score(QRELS, RUN, no_positives=value),
        "oracles": lambda value: crosscheck(QRELS, RUN, oracles=[value]),
    }


@pytest.mark.parametrize("option", list(_calls()))
@pytest.mark.parametrize("value", ["x", "", 5, ["score"]])
def test_what_is_one_of_several_is_refused_where_it_is_none(option: str, value: object) -> None:
    with pytest.raises(UsageError) as raised:
        _calls()[option](value)
    assert raised.value.hint


@pytest.mark.parametrize(
    "option, value, near",
    [
        ("order", "scores", "score"),
        ("part", "judgment", "judgments"),
        ("to", "trec-qrel", "trec-qrels"),
        ("load part", "runs", "run"),
        ("convention", "trec_eval9", "trec_eval-9"),
        ("ties", "docid_desc", "docid-desc"),
        ("precision", "float", "float64"),
    ],
)
def test_the_nearest_is_named(option: str, value: str, near: str) -> None:
    with pytest.raises(UsageError, match=rf"did you mean .*{near}"):
        _calls()[option](value)


@pytest.mark.parametrize("k", [1.5, "5", True, object(), [1.0], pytest.param(10**5000, id="huge"), 0])
def test_a_cutoff_is_a_whole_number(k: Any) -> None:
    from irbridge import score

    with pytest.raises(UsageError):
        score(QRELS, RUN, "nDCG@10", k=k)
