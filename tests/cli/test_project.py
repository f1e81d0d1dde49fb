"""`irbridge project`: files in and out, the screen, the JSON, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from irbridge.identity import text_sha

from .conftest import Irbridge

TEXT = "Dogs ride free. Cats pay half. No smoking."
REV = text_sha(TEXT)


def label(query: str, start: int, end: int, relevance: int = 1, revision: str = REV) -> dict[str, Any]:
    return {"query_id": query, "doc_uri": "d", "relevance": relevance, "span": {"start": start, "end": end}, "doc_revision": revision}  # fmt: skip


def write(path: str, rows: list[dict[str, Any]]) -> None:
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def rows(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(autouse=True)
def _files(irbridge: Irbridge) -> None:
    Path("docs").mkdir()
    write("docs/corpus.jsonl", [{"_id": "d", "title": "", "text": TEXT}])
    write("s.jsonl", [label("q1", 16, 20, 1), label("q1", 21, 30, 3), label("q2", 31, 42)])
    assert irbridge("chunk", "docs", "--chunker", "sentence/1", "--out", "c.jsonl").code == 0


ONTO = ("project", "--judgments", "s.jsonl", "--corpus", "c.jsonl", "-o", "j.jsonl")


def test_labels_of_chunks(irbridge: Irbridge) -> None:
    done = irbridge(*ONTO)
    assert done.code == 0
    assert "3 of 3 labels" in done.out
    assert "2 chunk labels at sentence/1/0 1 row taken into another label" in " ".join(done.out.split())
    chunks = {row["text"]: row["chunk_id"] for row in rows("c.jsonl")[1:]}
    first, second = rows("j.jsonl")
    assert (first["chunk_id"], first["relevance"]) == (chunks["Cats pay half."], 3)
    assert first["reanchored_from"] == [
        {name: value for name, value in label("q1", 16, 20).items() if name != "query_id"}
    ]
    assert second == {**label("q2", 31, 42), "chunk_id": chunks["No smoking."], "corpus_fingerprint": "sentence/1/0"}
    validated = irbridge("validate", "--judgments", "j.jsonl", "--json")
    assert "duplicate-label" not in {issue["code"] for issue in json.loads(validated.out)["issues"]}


def test_documents_chunked_on_the_way_are_the_same(irbridge: Irbridge) -> None:
    irbridge(*ONTO)
    done = irbridge(
        "project", "--judgments", "s.jsonl", "--documents", "docs", "--chunker", "sentence/1", "-o", "k.jsonl"
    )
    assert done.code == 0
    assert Path("k.jsonl").read_bytes() == Path("j.jsonl").read_bytes()


def test_what_no_chunk_takes_is_listed(irbridge: Irbridge) -> None:
    write("s.jsonl", [label("q1", 10, 20), {"query_id": "q2", "doc_uri": "d", "relevance": 1}])
    done = irbridge(*ONTO)
    assert done.code == 1
    assert "no chunk takes its span" in done.out
    assert "--rule overlap=0.5" in done.out
    assert rows("j.jsonl") == rows("s.jsonl")
    data = json.loads(irbridge(*ONTO, "--json").out)
    assert [(each["reason"], each["line"]) for each in data["left"]] == [("no-chunk", 1), ("no-span", 2)]
    assert (data["projected"], data["rule"], data["corpus_fingerprint"]) == (0, "contains", "sentence/1/0")


def test_overlap_is_said_and_written(irbridge: Irbridge) -> None:
    write("s.jsonl", [label("q1", 10, 20)])
    done = irbridge(*ONTO, "--rule", "overlap=0.4")
    assert done.code == 0
    assert "a convention, not a proof" in done.out
    # 10-15 in "Dogs ride free.", 16-20 in "Cats pay half.": 5 and 4 of 10.
    assert [row["projected"] for row in rows("j.jsonl")] == [
        {"rule": "overlap=0.4", "covered": 0.5}, {"rule": "overlap=0.4", "covered": 0.4},
    ]  # fmt: skip


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("--documents", "docs"), "the chunks are named by --corpus, or by --documents and --chunker"),
        (("--chunker", "whole/1"), "the chunks are named by"),
        (("--rule", "overlap=2"), "is no rule"),
        (("--rule", "most"), "is no rule"),
        (("--corpus", "absent.jsonl"), "no such file"),
        (("--judgments", "old.jsonl"), "1 span of another revision"),
        (("-o", "s.jsonl"), "is an input and would be overwritten"),
    ],
)
def test_what_cannot_be_done_is_said(irbridge: Irbridge, arguments: tuple[str, ...], message: str) -> None:
    write("old.jsonl", [label("q", 1, 2, revision="t1:old")])
    done = irbridge(*ONTO, *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert not Path("j.jsonl").exists()
