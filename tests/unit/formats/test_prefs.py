from __future__ import annotations

from pathlib import Path

import pytest
from support.formats import read, written

import irbridge
from irbridge.errors import InputError, InputErrors
from irbridge.formats import identify
from irbridge.formats.prefs import FORMAT
from irbridge.model import Judgment
from irbridge.qrels import LEVEL, SUBGROUP


def labels(tmp_path: Path, text: str) -> list[Judgment]:
    path = tmp_path / "x.prefs"
    path.write_text(text)
    return read(FORMAT, "judgments", path)[0]


def test_a_preference(tmp_path: Path) -> None:
    assert labels(tmp_path, "# c\nq  ann\tmorning d1   2.5\nq ann 0 d2 0\n") == [
        Judgment("q", "d1", 3, iteration="ann", extra={SUBGROUP: "morning", LEVEL: 2.5}),
        Judgment("q", "d2", 0, iteration="ann", extra={SUBGROUP: "0"}),
    ]


def test_there_and_back(tmp_path: Path) -> None:
    text = "q ann s d1 2.5\nq ann s d2 -1\nq bob 0 d1 3\n"
    assert written(FORMAT, "judgments", labels(tmp_path, text)) == text.encode()
    assert written(FORMAT, "judgments", [Judgment("q", "d", 2)]) == b"q 0 0 d 2\n"


@pytest.mark.parametrize(
    "row, said",
    [
        ("q ann d1 2", "4 columns where there are 5"),
        ("q Q0 d1 1 2.5 t", "6 columns where there are 5"),
        ("q ann s d1 high", "'high' is no level"),
        ("q ann s d1 nan", "'nan' is no level"),
        ("q ann s d1 inf", "'inf' is no level"),
        ("q ann s d1 1e300", "'1e300' is no level"),
    ],
)
def test_a_row_that_is_none(tmp_path: Path, row: str, said: str) -> None:
    with pytest.raises(InputErrors) as caught:
        labels(tmp_path, f"q ann s d0 1\n{row}\n")
    (error,) = caught.value.errors
    assert (error.line, said in error.message) == (2, True)


@pytest.mark.parametrize("name, known", [("prefs.test", True), ("x.PREFS", True), ("qrels.txt", False)])
def test_it_is_known_by_its_name_too(tmp_path: Path, name: str, known: bool) -> None:
    # By its columns alone it may be qrels with a space in an id.
    path = tmp_path / name
    path.write_text("q ann s d1 2\n")
    try:
        found = identify(path, "judgments")[0].name
    except InputError:
        found = ""
    assert (found == "prefs") is known


def test_through_judgments_nothing_is_lost(tmp_path: Path) -> None:
    text = "q ann s d1 2.5\nq ann t d1 2\nq bob 0 d1 3\n"
    labels(tmp_path, text)
    there = irbridge.convert(tmp_path / "x.prefs", "judgments", tmp_path / "x.jsonl")
    back = irbridge.convert(tmp_path / "x.jsonl", "prefs", tmp_path / "y.prefs")
    assert (there.losses, back.losses) == ({}, {})
    assert (tmp_path / "y.prefs").read_text() == text
    lost = irbridge.convert(tmp_path / "x.jsonl", "trec-qrels", tmp_path / "q.txt").losses
    assert lost == {SUBGROUP: 3, LEVEL: 1}
