from __future__ import annotations

from pathlib import Path

import pytest
from support.formats import read

from irbridge.errors import InputErrors
from irbridge.formats import identify
from irbridge.formats.qrels_prefs import FORMAT
from irbridge.model import Judgment
from irbridge.qrels import LEVEL, SUBGROUP


def test_a_preference(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("q ann d1 0.9\nq ann d2 2\n")
    assert read(FORMAT, "judgments", path)[0] == [
        Judgment("q", "d1", 1, iteration="ann", extra={SUBGROUP: "0", LEVEL: 0.9}),
        Judgment("q", "d2", 2, iteration="ann", extra={SUBGROUP: "0"}),
    ]


def test_only_who_names_it_gets_it(tmp_path: Path) -> None:
    # A grade of 0.9 in qrels is a mistake more often than a level.
    path = tmp_path / "qrels"
    path.write_text("q ann d1 0.9\n")
    assert identify(path, "judgments")[0].name == "trec-qrels"
    for name in ("qrels-prefs", "qrels_prefs"):
        assert identify(f"{name}:{path}", "judgments")[0].name == "qrels-prefs"


def test_a_row_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("q ann s d1 1\n")
    with pytest.raises(InputErrors, match="5 columns where there are 4") as caught:
        read(FORMAT, "judgments", path)
    assert "prefs" in (caught.value.errors[0].hint or "")
