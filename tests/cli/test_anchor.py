"""`irbridge anchor`: files in and out, the screen, the JSON, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from irbridge.identity import text_sha

from .conftest import Irbridge

TEXT = "Dogs ride free. Cats pay half.\n\nDogs ride free on Sundays."
LABELS = [
    {"query_id": "q1", "query": "cats", "doc_uri": "d", "chunk_text": "Cats pay\nhalf.", "relevance": 2, "mine": [1]},
    {"query_id": "q1", "query": "cats", "doc_uri": "d", "chunk_text": "Dogs ride free", "relevance": 1},
]
ANCHOR = ("anchor", "--judgments", "j.jsonl", "--documents", "docs")


def write(path: str, rows: list[dict[str, Any]], head: str = "") -> None:
    Path(path).write_text(head + "".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture(autouse=True)
def _files() -> None:
    Path("docs").mkdir()
    write("docs/corpus.jsonl", [{"_id": "d", "title": "", "text": TEXT}, {"_id": "e", "title": "E", "text": "Else."}])
    write("j.jsonl", LABELS, "// by hand\n")


def rows(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line[:2] != "//"]


def test_what_is_certain_is_anchored_and_the_rest_is_listed(irbridge: Irbridge) -> None:
    done = irbridge(*ANCHOR, "-o", "s.jsonl")
    assert done.code == 1
    assert "1 of 2 labels" in done.out
    assert "its quote stands in the document several times" in done.out
    assert "at characters 0 and 32" in done.out
    assert Path("s.jsonl").read_text(encoding="utf-8").startswith("// by hand\n")
    # "Cats" begins at 16: "Dogs ride free." has 15 characters and a space follows.
    span = {"text_sha": text_sha("Cats pay half."), "chunk_text": "Cats pay half.", "span": {"start": 16, "end": 30}, "doc_revision": text_sha(TEXT)}  # fmt: skip
    assert rows("s.jsonl") == [{**LABELS[0], **span}, LABELS[1]]


def test_all_anchored_is_exit_0(irbridge: Irbridge) -> None:
    write("j.jsonl", LABELS[:1])
    done = irbridge(*ANCHOR, "-o", "s.jsonl", "--json")
    assert (done.code, json.loads(done.out)) == (
        0,
        {"labels": 1, "anchored": 1, "spans": 1, "left": [], "out": "s.jsonl"},
    )
    assert irbridge("anchor", "--judgments", "s.jsonl", "--documents", "docs", "-o", "again.jsonl").code == 0
    assert Path("again.jsonl").read_bytes() == Path("s.jsonl").read_bytes()


def test_the_json_lists_every_label_that_stayed(irbridge: Irbridge) -> None:
    write("j.jsonl", [{"query_id": f"q{n}", "doc_uri": "d", "relevance": 1} for n in range(30)])
    screen = irbridge(*ANCHOR, "-o", "s.jsonl").out
    assert screen.count("no-quote") == 21, "the count and 20 rows"
    assert "--quote-field NAME" in screen
    left = json.loads(irbridge(*ANCHOR, "-o", "s.jsonl", "--json").out)["left"]
    assert left == [{"query_id": f"q{n}", "doc_uri": "d", "reason": "no-quote", "line": n + 1} for n in range(30)]


def test_standard_output_carries_the_labels(irbridge: Irbridge) -> None:
    done = irbridge(*ANCHOR)
    assert [json.loads(line)["query_id"] for line in done.out.splitlines()[1:]] == ["q1", "q1"]
    assert "anchored" in done.err


def test_onto_chunks(irbridge: Irbridge) -> None:
    assert irbridge("chunk", "docs", "--chunker", "sentence/1", "--out", "c.jsonl").code == 0
    chunk = next(row for row in rows("c.jsonl") if row.get("text") == "Cats pay half.")
    by_corpus = irbridge(*ANCHOR, "--to", "chunk", "--corpus", "c.jsonl", "-o", "one.jsonl")
    assert irbridge(*ANCHOR, "--to", "chunk", "--chunker", "sentence/1", "-o", "two.jsonl").code == by_corpus.code == 1
    assert Path("one.jsonl").read_bytes() == Path("two.jsonl").read_bytes()
    first, second = rows("one.jsonl")
    assert (first["chunk_id"], first["corpus_fingerprint"]) == (chunk["chunk_id"], "sentence/1/0")
    assert second == LABELS[1]


def test_across_borders_a_label_stays_a_span_label(irbridge: Irbridge) -> None:
    write("j.jsonl", [{**LABELS[0], "chunk_text": "half. Dogs"}])
    done = irbridge(*ANCHOR, "--to", "chunk", "--chunker", "sentence/1", "-o", "s.jsonl")
    assert done.code == 1
    assert "across borders of chunks" in done.out
    (row,) = rows("s.jsonl")
    assert (row["span"], "chunk_id" in row) == ({"start": 25, "end": 36}, False)
    data = json.loads(irbridge(*ANCHOR, "--to", "chunk", "--chunker", "sentence/1", "-o", "s.jsonl", "--json").out)
    assert (data["anchored"], data["chunks"], data["left"][0]["reason"], data["left"][0]["line"]) == (
        1,
        0,
        "no-chunk",
        1,
    )


def test_evidence_sentences(irbridge: Irbridge) -> None:
    write("j.jsonl", [{"query_id": "q", "doc_uri": "d", "relevance": 1, "evidence": ["Cats pay half.", "on Sundays."]}])
    done = irbridge(*ANCHOR, "--quote-field", "evidence", "-o", "s.jsonl")
    assert done.code == 0
    assert "1 query with several spans in one document" in done.out
    # 32 + len("Dogs ride free ") = 47
    assert [row["span"]["start"] for row in rows("s.jsonl")] == [16, 47]


def test_qrels_have_nothing_to_quote_but_are_taken(irbridge: Irbridge) -> None:
    Path("q.txt").write_text("q 0 d 1\n")
    done = irbridge("anchor", "--judgments", "q.txt", "--documents", "docs", "-o", "s.jsonl")
    assert (done.code, rows("s.jsonl")) == (1, [{"query_id": "q", "doc_uri": "d", "relevance": 1}])


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("--to", "chunk"), "either --corpus or --chunker"),
        (("--to", "chunk", "--corpus", "c", "--chunker", "whole/1"), "either --corpus or --chunker"),
        (("--chunker", "whole/1"), "either --corpus or --chunker"),
        (("--to", "chunk", "--chunker", "recursiv/5"), "did you mean recursive"),
        (("--quote-field", "mnie"), "did you mean mine"),
        (("-o", "j.jsonl"), "is an input and would be overwritten"),
        (("-o", "absent/s.jsonl"), "the folder does not exist"),
        (("--documents", "absent"), "no such file"),
        (("--judgments", "-", "--documents", "-"), "only one input"),
    ],
)
def test_what_cannot_be_done_is_said(irbridge: Irbridge, arguments: tuple[str, ...], message: str) -> None:
    before = Path("j.jsonl").read_bytes()
    done = irbridge(*ANCHOR, *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert Path("j.jsonl").read_bytes() == before


def test_what_a_file_of_chunk_labels_cannot_do_is_said(irbridge: Irbridge) -> None:
    chunks = ("--to", "chunk", "--chunker", "whole")
    # Both quotes are in the one chunk, and the third stands nowhere.
    rest = [{**LABELS[0], "chunk_text": "on Sundays."}, {**LABELS[0], "query_id": "q2", "chunk_text": "Fish"}]
    write("j.jsonl", [*LABELS, *rest])
    said = " ".join(irbridge(*ANCHOR, *chunks, "-o", "s.jsonl").out.split())
    assert "2 labels name no chunk: no run of chunks can find them" in said
    assert "without --to chunk they become labels of places" in said
    assert 'several: a "span" with "start" and "end" beside the quote says which place is meant' in said
    # As it says: "Dogs ride free" at 32 is the second one.
    write("j.jsonl", [LABELS[0], {**LABELS[1], "span": {"start": 32, "end": 46}}])
    done = irbridge(*ANCHOR, "-o", "s.jsonl")
    assert (done.code, rows("s.jsonl")[1]["span"], "note" in done.out.split()) == (0, {"start": 32, "end": 46}, True)
    write("j.jsonl", LABELS[:1])
    assert "note" not in irbridge(*ANCHOR, *chunks, "-o", "s.jsonl").out
