"""A queue worked through by keys, and the file that remembers it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from irbridge.corpora import corpus_of
from irbridge.errors import InputErrors, UsageError
from irbridge.model import Chunk, Judgment
from irbridge.review.log import Log
from irbridge.review.queue import Queue, queue_of
from irbridge.review.session import Session


def cid(number: int) -> str:
    return f"c1:{number:032x}"


@pytest.fixture
def queue() -> Queue:
    labels = [
        Judgment(f"q{number}", "d", 2, chunk_id=cid(number), chunk_text="Dogs ride free. So do cats.")
        for number in (1, 2, 3)
    ]
    chunks = [
        Chunk(cid(11), "d", ordinal=0, text="Dogs ride free."),
        Chunk(cid(12), "d", ordinal=1, text="So do cats."),
    ]
    return queue_of(labels, corpus_of(chunks))


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    with Log(str(tmp_path / "d.jsonl")) as found:
        yield found


def session(queue: Queue, log: Log) -> Session:
    return Session(queue, log, "ana", lambda: "2026-05-04T03:02:01Z")


def lines(log: Log) -> list[tuple[str, str, list[tuple[str, int]]]]:
    rows = [json.loads(line) for line in Path(log.path).read_text(encoding="utf-8").splitlines()]
    return [
        (row["query_id"], row["action"], [(each["chunk_id"], each["relevance"]) for each in row.get("choices", [])])
        for row in rows
    ]


def test_numbers_choose_signs_grade_and_enter_decides(queue: Queue, log: Log) -> None:
    at = session(queue, log)
    at.enter("1")
    at.enter("2-")
    assert at.grades == {0: 2, 1: 1}
    assert at.enter("") == []
    assert (at.at, lines(log)) == (1, [("q1", "choose", [(cid(11), 2), (cid(12), 1)])])
    row = json.loads(Path(log.path).read_text(encoding="utf-8"))
    assert (row["labeled_by"], row["labeled_at"], row["choices"][0]["chunk_text"]) == (
        "human:ana",
        "2026-05-04T03:02:01Z",
        "Dogs ride free.",
    )


def test_none_and_skip_go_on(queue: Queue, log: Log) -> None:
    at = session(queue, log)
    at.enter("x")
    at.enter("s")
    assert (at.at, lines(log), at.counts()) == (2, [("q1", "none", []), ("q2", "skip", [])], (1, 1, 2))


def test_a_choice_can_be_taken_back(queue: Queue, log: Log) -> None:
    at = session(queue, log)
    assert at.enter("1 1") == ["candidate 1 chosen, relevance 2", "candidate 1 taken back"]
    assert "nothing is chosen" in at.enter("")[0]
    assert lines(log) == []


def test_grades_are_set_and_bounded(queue: Queue, log: Log) -> None:
    at = session(queue, log)
    assert at.enter("+") == ["choose a candidate first"]
    at.enter("1g0")
    assert at.grades == {0: 0}
    assert "from 0 to 3" in at.enter("-")[0]
    assert "from 0 to 3" in at.enter("g 4")[0]
    at.enter("+++")
    assert at.grades == {0: 3}


def test_what_is_no_key_or_candidate_is_said(queue: Queue, log: Log) -> None:
    at = session(queue, log)
    assert at.enter("9") == ["there is no candidate 9"]
    assert at.enter("0") == ["there is no candidate 0"]
    assert at.enter("w") == ["'w' is no key; ? lists them"]
    assert len(at.enter("?")) == 8


def test_moving_to_and_fro(queue: Queue, log: Log) -> None:
    at = session(queue, log)
    assert at.enter("k") == ["this is the first label"]
    at.enter("jj")
    assert (at.at, at.enter("j")) == (2, ["this is the last label"])
    at.enter("q")
    assert at.ended


def test_undo_takes_the_last_line_out_of_the_file(queue: Queue, log: Log) -> None:
    at = session(queue, log)
    at.enter("x")
    before = Path(log.path).read_bytes()
    at.enter("1")
    at.enter("")
    at.enter("u")
    assert (at.at, at.grades, Path(log.path).read_bytes()) == (1, {}, before)
    at.enter("u")
    assert (at.at, Path(log.path).read_bytes()) == (0, b"")
    assert at.enter("u") == ["there is nothing to undo"]


def test_a_decision_made_anew_is_the_one_that_counts(queue: Queue, log: Log) -> None:
    at = session(queue, log)
    at.enter("x")
    at.enter("k")
    at.enter("2")
    at.enter("")
    assert lines(log) == [("q1", "none", []), ("q1", "choose", [(cid(12), 2)])]
    assert at.counts() == (1, 0, 2)
    at.enter("u")
    assert at.decision(0) is not None
    assert at.decision(0).action == "none"  # type: ignore[union-attr]


def test_it_goes_on_where_it_was_left(queue: Queue, tmp_path: Path) -> None:
    path = str(tmp_path / "d.jsonl")
    with Log(path) as log:
        session(queue, log).enter("s")
    with Log(path) as log:
        at = session(queue, log)
        assert at.at == 1
        at.enter("x")
        at.enter("x")
        assert at.ended
    with Log(path) as log:
        at = session(queue, log)
        assert (at.at, at.ended) == (0, False)  # what was skipped is asked again
        at.enter("x")
    with Log(path) as log:
        assert session(queue, log).ended


def test_more_than_nine_candidates_have_numbers_of_two_digits(log: Log) -> None:
    words = [f"Sentence number {number:02}." for number in range(12)]
    chunks = [Chunk(cid(20 + number), "d", ordinal=number, text=word) for number, word in enumerate(words)]
    at = session(queue_of([Judgment("q", "d", 1, chunk_id=cid(1), chunk_text=" ".join(words))], corpus_of(chunks)), log)
    at.enter("12 1")
    assert sorted(at.grades) == [0, 11]


def test_two_sessions_do_not_write_one_file(queue: Queue, log: Log) -> None:
    with pytest.raises(UsageError, match="another session"):
        Log(log.path)


def test_half_a_line_of_a_killed_session_is_cut_off(queue: Queue, tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    with Log(str(path)) as log:
        session(queue, log).enter("x")
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:40])
    with Log(str(path)) as log:
        assert (len(log.decisions), path.read_bytes()) == (1, whole)
    path.write_bytes(whole[:-1])
    with Log(str(path)) as log:
        assert (len(log.decisions), path.read_bytes()) == (1, whole)


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text('{"query_id":"q"}\n')
    with pytest.raises(InputErrors, match="missing key"):
        Log(str(path))
    assert path.read_text() == '{"query_id":"q"}\n'
