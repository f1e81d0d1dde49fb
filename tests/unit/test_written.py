from __future__ import annotations

from pathlib import Path

import pytest

from irbridge.convert import convert
from irbridge.formats import FORMATS
from irbridge.model import Ranking
from irbridge.written import Written, add, part, picked, texts_of


def test_it_is_a_list_like_any_other() -> None:
    scores = Written([12.5, 1], ["12.500", "1"])
    assert scores == [12.5, 1]
    assert texts_of(scores) == ["12.500", "1"]
    assert texts_of([12.5, 1]) is None
    assert texts_of(None) is None


def test_texts_of_other_numbers_are_not_believed() -> None:
    scores = Written([12.5, 1], ["12.500", "1"])
    scores[0] = 3.0
    assert texts_of(scores) is None
    scores[0] = 12.5
    scores.append(0.5)
    assert texts_of(scores) is None


def test_pieces_keep_their_texts() -> None:
    scores = Written([3, 2.5, 1], ["3", "2.50", "1"])
    assert texts_of(part(scores, 1, 3)) == ["2.50", "1"]
    assert texts_of(picked(scores, [2, 0])) == ["1", "3"]
    add(scores, Written([0.5], [".5"]))
    assert texts_of(scores) == ["3", "2.50", "1", ".5"]
    add(scores, [0.25])
    assert (texts_of(scores), scores) == (None, [3, 2.5, 1, 0.5, 0.25])
    assert texts_of(picked(scores, [0])) is None


# One row for each way of writing a number that spec/formats.md 3.2 allows; the last rows tie.
DIGITS = ["1.250e1", "12.500", "+12.25", "12", "007.50", "7.", ".50", "0.5", "0.50000000000000001", "-0.0", "-1e-07"]
RUN = "".join(f"q1 Q0 d{rank} {rank} {score} t\n" for rank, score in enumerate(DIGITS, 1)) + "q2 Q0 d1 1 3.10 t\n"


@pytest.mark.parametrize("blocks", ["regular", "careful"])
def test_a_run_comes_back_in_the_digits_it_had(tmp_path: Path, blocks: str) -> None:
    """TREC run -> TREC run; a comment makes the reader look at each line."""
    (tmp_path / "in.run").write_text(("# by hand\n" if blocks == "careful" else "") + RUN)
    outcome = convert(tmp_path / "in.run", "trec-run", tmp_path / "out.run")
    assert (tmp_path / "out.run").read_text() == RUN
    assert outcome.losses == {}
    assert [note for note in outcome.notes if "digits" in note] == []


def test_also_where_rows_are_put_in_order_or_gathered(tmp_path: Path) -> None:
    (tmp_path / "in.run").write_text("q1 Q0 a 2 1.50 t\nq2 Q0 a 1 2.0 t\nq1 Q0 b 1 2.50 t\n")
    convert(tmp_path / "in.run", "trec-run", tmp_path / "out.run")
    assert (tmp_path / "out.run").read_text() == "q1 Q0 b 1 2.50 t\nq1 Q0 a 2 1.50 t\nq2 Q0 a 1 2.0 t\n"


def test_a_collection_keeps_them_too(tmp_path: Path) -> None:
    (tmp_path / "in.run").write_text(RUN)
    convert(tmp_path / "in.run", "collection", tmp_path / "made")
    assert (tmp_path / "made" / "run.trec").read_text() == RUN


@pytest.mark.parametrize("target, name", [("run", "out.jsonl"), ("ranx-run", "out.json"), ("parquet", "out.parquet")])
def test_where_digits_have_no_place_it_is_said_and_the_values_stay(tmp_path: Path, target: str, name: str) -> None:
    if target == "parquet":
        pytest.importorskip("pyarrow")
    (tmp_path / "in.run").write_text("q1 Q0 a 1 12.500 t\nq1 Q0 b 2 1.5 t\nq2 Q0 a 1 +2 t\n")
    outcome = convert(tmp_path / "in.run", target, tmp_path / name)
    assert "2 scores keep their value, not their digits: 12.500 is 12.5" in outcome.notes
    assert "digits" not in "".join(outcome.losses)
    convert(tmp_path / name, "trec-run", tmp_path / "back.run")
    rows = [line.split() for line in (tmp_path / "back.run").read_text().splitlines()]
    assert [float(row[4]) for row in rows] == [12.5, 1.5, 2.0]


def test_a_program_that_changes_a_score_gets_what_it_set(tmp_path: Path) -> None:
    ranking = Ranking("q", ["a", "b"], Written([2.5, 1.0], ["2.50", "1.0"]))
    ranking.scores[0] = 9.0  # type: ignore[index]  # a list, though it is declared a sequence
    with (tmp_path / "out.run").open("wb") as stream:
        FORMATS.get("trec-run").write_run([ranking], stream)  # type: ignore[misc]  # it has a writer
    assert (tmp_path / "out.run").read_text() == "q Q0 a 1 9.0 irbridge\nq Q0 b 2 1.0 irbridge\n"
