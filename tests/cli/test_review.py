"""`irbridge review`: the queue, the session in a terminal, labels written and taken back, and what is refused."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from irbridge.identity import text_sha

from .conftest import Irbridge


def cid(number: int) -> str:
    return f"c1:{number:032x}"


SPLIT = "Dogs ride free. So do cats."
LABELS: list[dict[str, Any]] = [
    {"query_id": "q1", "query": "May dogs ride?", "doc_uri": "d", "chunk_id": cid(1), "chunk_text": SPLIT, "relevance": 2, "labeled_by": "human:x"},
    {"query_id": "q2", "query": "\x1b[31mred\u202e", "doc_uri": "d", "chunk_id": cid(2), "chunk_text": "Smoking is fine.", "relevance": 1},
    {"query_id": "q3", "query": "fine?", "doc_uri": "d", "chunk_id": cid(13), "relevance": 1},
]  # fmt: skip
CHUNKS = [
    {"chunk_id": cid(11), "doc_uri": "d", "ordinal": 0, "text": "Dogs ride free."},
    {"chunk_id": cid(12), "doc_uri": "d", "ordinal": 1, "text": "So do cats."},
    {"chunk_id": cid(13), "doc_uri": "d", "ordinal": 2, "text": "Smoking costs a fine."},
]
ASK = ("review", "--judgments", "j.jsonl", "--corpus", "c.json")


@pytest.fixture(autouse=True)
def _files() -> None:
    rows = "".join(json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n" for row in LABELS)
    Path("j.jsonl").write_text("// kept\n" + rows, encoding="utf-8")
    Path("c.json").write_text(json.dumps({"corpus_fingerprint": "new/1", "chunks": CHUNKS}), encoding="utf-8")


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Any:
    def type_in(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))

    return type_in


def rows() -> list[dict[str, Any]]:
    lines = Path("j.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if not line.startswith("//")]


def reviewed(irbridge: Irbridge, typed: Any, keys: str) -> None:
    typed(keys)
    assert irbridge(*ASK, "--decisions", "d.jsonl", "--by", "ana").code == 0


# --------------------------------------------------------------------------------------------------------------- queue


def test_the_page_is_written_and_what_to_do_said(irbridge: Irbridge) -> None:
    done = irbridge(*ASK, "--html", "queue.html", "--by", "ana")
    assert done.code == 0
    for text in ("2 of 3 labels", "split", "gone", "queue.html", "--apply"):
        assert text in done.out
    assert Path("queue.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert '"by":"ana"' in Path("queue.html").read_text(encoding="utf-8")


def test_the_queue_as_data(irbridge: Irbridge) -> None:
    data = json.loads(irbridge(*ASK, "--json").out)
    assert [(item["query_id"], item["status"], len(item["candidates"])) for item in data["items"]] == [
        ("q1", "SPLIT", 2),
        ("q2", "ORPHANED", 1),
    ]
    assert data["items"][1]["candidates"][0] == {
        "chunk": 2,
        "how": "suggested",
        "ranges": [[0, 7], [16, 20]],
        "label_ranges": [[0, 7], [11, 15]],
    }


def test_nothing_to_review_is_said(irbridge: Irbridge) -> None:
    Path("j.jsonl").write_text(json.dumps(LABELS[2]) + "\n", encoding="utf-8")
    done = irbridge(*ASK, "--html", "queue.html")
    assert (done.code, "nothing to review" in done.out) == (0, True)
    done = irbridge(*ASK, "--decisions", "d.jsonl")
    assert (done.code, "nothing to review" in done.out, Path("d.jsonl").exists()) == (0, True, False)


# ------------------------------------------------------------------------------------------------------------- session


def test_a_session_without_colour(irbridge: Irbridge, typed: Any) -> None:
    typed("ana\n1 2-\n\n?\nq\n")
    done = irbridge(*ASK, "--decisions", "d.jsonl")
    assert done.code == 0
    for text in (
        "label 1 of 2",
        "[[Dogs ride free.]] [[So do cats.]]",
        "candidate 2: relevance 1",
        "1 decided",
        "1 left",
        "goes on",
    ):
        assert text in done.out
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    assert "\\x1b[31mred\\u202e" in done.out
    (row,) = map(json.loads, Path("d.jsonl").read_text(encoding="utf-8").splitlines())
    assert (row["labeled_by"], row["labeled_at"]) == ("human:ana", "1970-01-01T00:00:00Z")


def test_the_name_is_asked_until_it_can_be_one(irbridge: Irbridge, typed: Any) -> None:
    typed("\na\x1bb\nana\nx\nq\n")
    done = irbridge(*ASK, "--decisions", "d.jsonl")
    assert done.out.count("cannot be used") == 2
    assert '"labeled_by":"human:ana"' in Path("d.jsonl").read_text(encoding="utf-8")


def test_the_end_of_input_ends_it_and_a_later_call_goes_on(irbridge: Irbridge, typed: Any) -> None:
    typed("")
    assert irbridge(*ASK, "--decisions", "d.jsonl").code == 0
    reviewed(irbridge, typed, "x\n")
    typed("s\n")
    done = irbridge(*ASK, "--decisions", "d.jsonl", "--by", "ben")
    assert "label 2 of 2" in done.out
    assert "label 1 of 2" not in done.out
    by = [json.loads(line)["labeled_by"] for line in Path("d.jsonl").read_text(encoding="utf-8").splitlines()]
    assert by == ["human:ana", "human:ben"]


def test_colour_is_used_where_it_is_asked_for(irbridge: Irbridge, typed: Any) -> None:
    typed("q\n")
    assert "\x1b[2mlabel 1 of 2" in irbridge(*ASK, "--decisions", "d.jsonl", "--by", "ana", "--color", "always").out


def test_control_c_ends_it_with_what_was_decided() -> None:
    command = [sys.executable, "-m", "irbridge", *ASK, "--decisions", "d.jsonl", "--by", "ana"]
    started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert started.stdin is not None
    started.stdin.write(b"x\n")
    started.stdin.flush()
    end = time.monotonic() + 60
    while not (Path("d.jsonl").exists() and Path("d.jsonl").stat().st_size) and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.3)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=60)
    assert (started.returncode, err) == (0, b"")
    assert b"1 decided" in out


# --------------------------------------------------------------------------------------------------------------- apply


def test_decisions_become_labels_and_undo_gives_the_bytes_back(irbridge: Irbridge, typed: Any) -> None:
    before = Path("j.jsonl").read_bytes()
    reviewed(irbridge, typed, "1 2-\n\nx\n")
    done = irbridge(*ASK, "--apply", "d.jsonl")
    assert done.code == 0
    for text in ("1 label decided, in 2 rows now", "1 label removed", "--undo"):
        assert text in done.out
    signed = {"corpus_fingerprint": "new/1", "labeled_by": "human:ana", "labeled_at": "1970-01-01T00:00:00Z"}
    origin = [
        {"doc_uri": "d", "chunk_id": cid(1), "text_sha": text_sha(SPLIT), "relevance": 2, "labeled_by": "human:x"}
    ]
    made = {"query_id": "q1", "query": "May dogs ride?", "doc_uri": "d"}
    assert rows() == [
        {**made, "chunk_id": cid(11), "text_sha": text_sha("Dogs ride free."), "chunk_text": "Dogs ride free.", "relevance": 2, **signed, "reanchored_from": origin},
        {**made, "chunk_id": cid(12), "text_sha": text_sha("So do cats."), "chunk_text": "So do cats.", "relevance": 1, **signed, "reanchored_from": origin},
        LABELS[2],
    ]  # fmt: skip
    assert Path("j.jsonl").read_bytes().startswith(b"// kept\n")
    assert irbridge("validate", "--judgments", "j.jsonl").code == 0
    assert irbridge("review", "--judgments", "j.jsonl", "--undo").code == 0
    assert Path("j.jsonl").read_bytes() == before
    assert not list(Path().glob("*.undo-*"))


def test_without_a_corpus_the_same_rows_are_written_and_drift_undoes_them(irbridge: Irbridge, typed: Any) -> None:
    before = Path("j.jsonl").read_bytes()
    reviewed(irbridge, typed, "1\n\nx\n")
    assert irbridge(*ASK, "--apply", "d.jsonl", "-o", "out.jsonl").code == 0
    assert Path("j.jsonl").read_bytes() == before
    assert irbridge("review", "--judgments", "j.jsonl", "--apply", "d.jsonl", "--json").code == 0
    assert Path("j.jsonl").read_bytes() == Path("out.jsonl").read_bytes()
    assert irbridge("drift", "--judgments", "j.jsonl", "--undo").code == 0
    assert Path("j.jsonl").read_bytes() == before


def test_standard_output_carries_the_labels_alone(irbridge: Irbridge, typed: Any) -> None:
    reviewed(irbridge, typed, "x\nx\n")
    done = irbridge(*ASK, "--apply", "d.jsonl", "-o", "-")
    assert "applied" in done.err
    assert [json.loads(line)["query_id"] for line in done.out.splitlines() if line.startswith("{")] == ["q3"]


def test_skipping_everything_leaves_the_very_file(irbridge: Irbridge, typed: Any) -> None:
    Path("j.jsonl").write_bytes(Path("j.jsonl").read_bytes() + b"\n\n")
    before, at = Path("j.jsonl").read_bytes(), os.stat("j.jsonl").st_mtime_ns
    reviewed(irbridge, typed, "s\ns\n")
    done = irbridge(*ASK, "--apply", "d.jsonl")
    assert (done.code, "2 skipped" in done.out, "no decision changes a label" in done.out) == (0, True, True)
    assert (Path("j.jsonl").read_bytes(), os.stat("j.jsonl").st_mtime_ns) == (before, at)


def test_a_label_that_was_changed_meanwhile_is_refused(irbridge: Irbridge, typed: Any) -> None:
    reviewed(irbridge, typed, "1\n\nx\n")
    Path("j.jsonl").write_text(
        Path("j.jsonl").read_text(encoding="utf-8").replace('"relevance":2', '"relevance":3'), encoding="utf-8"
    )
    before = Path("j.jsonl").read_bytes()
    done = irbridge(*ASK, "--apply", "d.jsonl")
    assert done.code == 2
    assert "d.jsonl:1: the label of query q1" in done.err
    assert "--leave-changed" in done.err
    assert Path("j.jsonl").read_bytes() == before
    done = irbridge(*ASK, "--apply", "d.jsonl", "--leave-changed")
    assert (done.code, "line 1: query q1" in done.out) == (1, True)
    assert [row["query_id"] for row in rows()] == ["q1", "q3"]


@pytest.mark.parametrize("first, then", [("1\n\nq\n", "x\n"), ("x\nq\n", "1\n\n")])
def test_decisions_that_were_applied_are_left_aside_and_the_new_ones_applied(
    irbridge: Irbridge, typed: Any, first: str, then: str
) -> None:
    reviewed(irbridge, typed, first)
    assert irbridge(*ASK, "--apply", "d.jsonl").code == 0
    once = Path("j.jsonl").read_bytes()
    done = irbridge(*ASK, "--apply", "d.jsonl")
    assert (done.code, "1 decision applied before" in done.out, Path("j.jsonl").read_bytes() == once) == (0, True, True)
    reviewed(irbridge, typed, then)
    done = irbridge(*ASK, "--apply", "d.jsonl", "--json")
    counts = json.loads(done.out)
    assert (done.code, counts["applied_before"], counts["decided"] + counts["removed"]) == (0, 1, 1)
    # Nothing is left to a person.
    assert "nothing to review" in irbridge(*ASK, "--html", "q.html").out


def test_a_label_that_never_was_there_is_refused(irbridge: Irbridge, typed: Any) -> None:
    reviewed(irbridge, typed, "x\nq\n")
    lines = Path("j.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    Path("j.jsonl").write_text("".join(lines[:1] + lines[2:]), encoding="utf-8")
    done = irbridge(*ASK, "--apply", "d.jsonl")
    assert (done.code, "is not there any more" in done.err) == (2, True)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"labeled_by": "synthetic:gpt"}, "labeled_by must begin with human:"),
        ({"label_sha": 5}, "label_sha must be"),
        ({"choices": [{"chunk_id": cid(99), "doc_uri": "d", "relevance": 1}]}, "is not in the corpus"),
        ({"choices": [{"chunk_id": cid(11), "doc_uri": "d", "relevance": float("nan")}]}, "invalid JSON"),
    ],
)
def test_hostile_decisions_are_refused_with_their_line(
    irbridge: Irbridge, typed: Any, change: dict[str, Any], message: str
) -> None:
    reviewed(irbridge, typed, "1\n\nq\n")
    row = json.loads(Path("d.jsonl").read_text(encoding="utf-8"))
    Path("d.jsonl").write_text("\n" + json.dumps({**row, **change}) + "\n", encoding="utf-8")
    before = Path("j.jsonl").read_bytes()
    done = irbridge(*ASK, "--apply", "d.jsonl")
    assert (done.code, "d.jsonl:2: " in done.err, message in done.err) == (2, True, True)
    assert "Traceback" not in done.err
    assert Path("j.jsonl").read_bytes() == before


def test_a_writer_at_work_keeps_the_second_out(irbridge: Irbridge, typed: Any) -> None:
    from irbridge.drift.rewriting import locked

    reviewed(irbridge, typed, "x\nq\n")
    with locked("j.jsonl"):
        done = irbridge(*ASK, "--apply", "d.jsonl")
    assert (done.code, "being rewritten by another process" in done.err) == (2, True)


# --------------------------------------------------------------------------------------------------------------- usage


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["review", "--judgments", "j.jsonl"], "--corpus is missing"),
        ([*ASK], "say how to review"),
        ([*ASK, "--html", "a.html", "--decisions", "d.jsonl"], "name one of them"),
        ([*ASK, "--decisions", "d.jsonl", "--json", "--by", "a"], "name one of them"),
        ([*ASK, "--html", "a.html", "--by", ""], "the name of --by is empty"),
        ([*ASK, "--html", "a.html", "--by", "a\nb"], "cannot be printed"),
        ([*ASK, "--html", "j.jsonl"], "would be overwritten"),
        ([*ASK, "--decisions", "c.json"], "would be overwritten"),
        ([*ASK, "--html", "absent/a.html"], "the folder does not exist"),
        ([*ASK, "--out", "o.jsonl", "--html", "a.html"], "go with --apply"),
        ([*ASK, "--apply", "d.jsonl", "--html", "a.html"], "--apply writes labels"),
        ([*ASK, "--apply", "absent.jsonl"], "absent.jsonl"),
        ([*ASK, "--undo", "--apply", "d.jsonl"], "--undo goes alone"),
        (["review", "--judgments", "j.jsonl", "--undo"], "nothing to undo"),
        (["review", "--judgments", "a.qrels", "--apply", "c.json"], "c.json"),
        (["review", "--judgments", "j.jsonl", "--apply", "j.jsonl", "--chunker", "fixed/9"], "no --corpus is named"),
    ],
)
def test_what_cannot_be_done_is_said(irbridge: Irbridge, arguments: list[str], message: str) -> None:
    before = sorted(Path().iterdir())
    done = irbridge(*arguments)
    assert (done.code, message in done.err) == (2, True), done.err
    assert sorted(Path().iterdir()) == before


def test_decisions_made_on_another_corpus_are_noted(irbridge: Irbridge, typed: Any) -> None:
    reviewed(irbridge, typed, "1\n\nx\n")
    corpus = {"corpus_fingerprint": "newer/1", "chunks": CHUNKS}
    Path("c.json").write_text(json.dumps(corpus), encoding="utf-8")
    done = irbridge(*ASK, "--apply", "d.jsonl")
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "2 decisions made on the corpus new/1, not on this one" in said
    assert "the chunks that they choose are here, with the same texts" in said


def test_a_corpus_from_a_pipe_is_to_be_saved_before_the_next_command() -> None:
    call = [sys.executable, "-m", "irbridge", "review", "--judgments", "j.jsonl", "--corpus", "-"]
    corpus = Path("c.json").read_text(encoding="utf-8")
    done = subprocess.run([*call, "--html", "q.html"], input=corpus, capture_output=True, text=True, check=True)
    said = " ".join(done.stdout.split())
    assert "next save the corpus to a file, and name that with --apply decisions.jsonl" in said
    assert "irbridge review" not in said


def test_what_was_decided_about_documents_is_of_the_new_release(irbridge: Irbridge, typed: Any) -> None:
    for folder, text in (
        ("old", "The museum opens at nine and closes at five."),
        ("new", "The museum opens at nine and closes at six."),
    ):
        Path(folder).mkdir()
        Path(folder, "corpus.jsonl").write_text(json.dumps({"_id": "d", "title": "", "text": text}), encoding="utf-8")
    Path("j.jsonl").write_text(json.dumps({"query_id": "q", "doc_uri": "d", "relevance": 1}) + "\n", encoding="utf-8")
    ask = ("review", "--judgments", "j.jsonl", "--corpus", "new", "--made-on", "old")
    typed("1\n\n")
    done = irbridge(*ask, "--decisions", "d.jsonl", "--by", "ana")
    assert "for this query already" not in done.out, "that is the label itself"
    said = " ".join(irbridge(*ask, "--apply", "d.jsonl").out.split())
    assert "irbridge drift --judgments j.jsonl --corpus new what was decided is of this corpus now" in said
    assert irbridge("drift", "--judgments", "j.jsonl", "--corpus", "new").code == 0
