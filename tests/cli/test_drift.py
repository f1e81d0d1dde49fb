"""`irbridge drift`: the screen, the JSON, the exit codes, and the file under --fix, --dry-run and --undo."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from .conftest import Irbridge


def sha(text: str) -> str:
    return "t1:" + hashlib.sha256(text.encode()).hexdigest()[:32]


def cid(number: int) -> str:
    return f"c1:{number:032x}"


TEXTS = ["Tickets cost two crowns.", "Dogs ride free. So do cats.", "No smoking."]
LABELS = [
    {"query_id": "q1", "query": "price", "doc_uri": "d", "chunk_id": cid(1), "text_sha": sha(TEXTS[0]), "relevance": 2, "labeled_by": "human:a"},
    {"query_id": "q2", "query": "dogs", "doc_uri": "d", "chunk_id": cid(2), "chunk_text": TEXTS[1], "relevance": 1, "labeled_by": "human:a"},
    {"query_id": "q3", "query": "smoke", "doc_uri": "d", "chunk_id": cid(3), "chunk_text": TEXTS[2], "relevance": 1, "labeled_by": "human:a"},
]  # fmt: skip
CHUNKS = [
    {"chunk_id": cid(11), "doc_uri": "d", "ordinal": 0, "text": TEXTS[0]},
    {"chunk_id": cid(12), "doc_uri": "d", "ordinal": 1, "text": "Dogs ride free."},
    {"chunk_id": cid(13), "doc_uri": "d", "ordinal": 2, "text": "So do cats."},
    {"chunk_id": cid(14), "doc_uri": "d", "ordinal": 3, "text": "No smoking. No eating."},
]


@pytest.fixture(autouse=True)
def _files() -> None:
    Path("j.jsonl").write_text(
        "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in LABELS), encoding="utf-8"
    )
    Path("c.json").write_text(json.dumps({"corpus_fingerprint": "new/1", "chunks": CHUNKS}), encoding="utf-8")


def test_the_screen_counts_and_says_what_to_do(irbridge: Irbridge) -> None:
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json")
    assert done.code == 1
    for text in (
        "3 labels",
        "new/1",
        "re-anchorable",
        "merged",
        "split",
        "100% of the labels",
        "--fix",
        "irbridge review",
    ):
        assert text in done.out


def test_the_json_is_the_contract_s(irbridge: Irbridge) -> None:
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json", "--json")
    data = json.loads(done.out)
    assert data["findings"] == [
        {"query_id": "q1", "doc_uri": "d", "status": "RE_ANCHORABLE", "chunk_id": cid(1), "reanchor_to": cid(11)},
        {"query_id": "q2", "doc_uri": "d", "status": "SPLIT", "chunk_id": cid(2), "split_into": [cid(12), cid(13)]},
        {"query_id": "q3", "doc_uri": "d", "status": "MERGED", "chunk_id": cid(3), "reanchor_to": cid(14)},
    ]
    summary = data["summary"]
    assert [summary[name] for name in ("valid", "re_anchorable", "merged", "split", "orphaned")] == [0, 1, 1, 1, 0]
    assert summary["invalid_ratio"] == 1.0
    assert (data["judgments_fingerprint"], data["corpus_fingerprint"]) == (None, "new/1")


def test_fix_moves_two_and_undo_gives_the_bytes_back(irbridge: Irbridge) -> None:
    before = Path("j.jsonl").read_bytes()
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json", "--fix")
    assert done.code == 1
    assert "2 labels re-anchored" in done.out
    rows = [json.loads(line) for line in Path("j.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["chunk_id"] for row in rows] == [cid(11), cid(2), cid(14)]
    assert [row.get("corpus_fingerprint") for row in rows] == ["new/1", None, "new/1"]
    once = Path("j.jsonl").read_bytes()
    again = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json", "--fix", "--json")
    assert Path("j.jsonl").read_bytes() == once
    assert json.loads(again.out)["fixed"] == {
        "reanchored": 0,
        "absorbed": 0,
        "stamped": 0,
        "needs_review": 1,
        "unproven": 0,
        "journal": None,
    }
    assert irbridge("drift", "--judgments", "j.jsonl", "--undo").code == 0
    assert Path("j.jsonl").read_bytes() == before
    assert irbridge("drift", "--judgments", "j.jsonl", "--undo").code == 2


def test_a_dry_run_prints_the_rows_and_changes_none(irbridge: Irbridge) -> None:
    before = Path("j.jsonl").read_bytes()
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json", "--dry-run")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[:3] == ["--- j.jsonl", "+++ j.jsonl (repaired)", "@@ line 1 @@"]
    assert [line[0] for line in lines[2:]] == ["@", "-", "+", "@", "-", "+"]
    assert json.loads(lines[4][1:])["chunk_id"] == cid(11)
    assert Path("j.jsonl").read_bytes() == before
    assert sorted(each.name for each in Path().iterdir()) == ["a.qrels", "a.run", "c.json", "j.jsonl"]


def test_all_valid_is_exit_0(irbridge: Irbridge) -> None:
    rows = [{**label, "chunk_id": cid(11), "relevance": 1} for label in LABELS[:1]]
    Path("j.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json")
    assert (done.code, "every label still points" in done.out) == (0, True)


def test_documents_are_chunked_on_the_way(irbridge: Irbridge) -> None:
    Path("docs").mkdir()
    text = "Tickets cost two crowns.\n\nDogs ride free. So do cats.\n\nNo smoking."
    Path("docs/corpus.jsonl").write_text(json.dumps({"_id": "d", "title": "", "text": text}) + "\n", encoding="utf-8")
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "docs", "--chunker", "recursive/30", "--json")
    assert [each["status"] for each in json.loads(done.out)["findings"]] == ["RE_ANCHORABLE"] * 3
    again = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json", "--chunker", "recursive/30")
    assert (again.code, "holds chunks already" in again.err) == (2, True)


def test_runs_show_what_stale_labels_do(irbridge: Irbridge) -> None:
    old = [{"query_id": f"q{n}", "ranking": [cid(n)]} for n in (1, 2, 3)]
    new = [{"query_id": f"q{n}", "ranking": [cid(n + 10)]} for n in (1, 2, 3)]
    for name, rows in (("old.jsonl", old), ("new.jsonl", new)):
        Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    inputs = ("drift", "--judgments", "j.jsonl", "--corpus", "c.json", "-m", "RR@10")
    one = json.loads(irbridge(*inputs, "--run", "new.jsonl", "--json").out)["run"]
    # As they stand nothing is found; repaired, q1 finds chunk 11 and q3, which is in chunk 14, does not: (1 + 0) / 2.
    assert one == [
        {"measure": "RR@10", "standing": 0.0, "valid": None, "stale": 0.0, "held": 0.5, "queries": {"standing": 3, "valid": 0, "stale": 3, "held": 2}}
    ]  # fmt: skip
    two = json.loads(irbridge(*inputs, "--run", "old.jsonl", "--run", "new.jsonl", "--json").out)["runs"][0]
    assert [two[name] for name in ("before", "after", "movement", "retriever", "decay")] == [1.0, 0.0, -1.0, -0.5, -0.5]
    screen = irbridge(*inputs, "--run", "old.jsonl", "--run", "new.jsonl").out
    assert "label decay" in screen
    assert "cannot be told" in screen


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("--judgments", "j.jsonl"), "--corpus is missing"),
        (("--judgments", "j.jsonl", "--undo", "--fix"), "--undo goes alone"),
        (("--judgments", "j.jsonl", "--corpus", "c.json", "--fix", "--dry-run"), "exclude each other"),
        (("--judgments", "j.jsonl", "--undo"), "nothing to undo"),
        (("--judgments", "none.jsonl", "--undo"), "no such file"),
        (("--judgments", "a.qrels", "--corpus", "c.json", "--fix"), "repair rewrites judgments JSONL"),
        (("--judgments", "j.jsonl", "--corpus", "a.run"), "documents"),
        (("--judgments", "j.jsonl", "--corpus", "j.jsonl"), "documents"),
        (("--judgments", "j.jsonl", "--corpus", "none.json"), "no such file"),
        (("--judgments", "j.jsonl", "--corpus", "c.json", "--chunker", "recursiv/3"), "did you mean recursive"),
        (
            ("--judgments", "j.jsonl", "--corpus", "c.json", "--run", "a.run", "--run", "a.run", "--run", "a.run"),
            "at most twice",
        ),
    ],
)
def test_what_cannot_be_done_is_said(irbridge: Irbridge, arguments: tuple[str, ...], message: str) -> None:
    before = Path("j.jsonl").read_bytes()
    done = irbridge("drift", *arguments)
    assert done.code == 2
    assert message in done.err
    assert Path("j.jsonl").read_bytes() == before


def test_what_to_do_next_is_the_whole_call(irbridge: Irbridge) -> None:
    Path("my docs").mkdir()
    text = "Tickets cost two crowns.\n\nDogs ride free. So do cats.\n\nNo smoking."
    Path("my docs/corpus.jsonl").write_text(
        json.dumps({"_id": "d", "title": "", "text": text}) + "\n", encoding="utf-8"
    )
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "my docs", "--chunker", "recursive/30")
    assert "irbridge drift --judgments j.jsonl --corpus 'my docs' --chunker recursive/30 --fix" in " ".join(
        done.out.split()
    )


def test_labels_of_chunks_are_not_moved_to_whole_documents_unasked(irbridge: Irbridge) -> None:
    Path("docs").mkdir()
    Path("docs/corpus.jsonl").write_text(
        json.dumps({"_id": "d", "title": "", "text": " ".join(TEXTS)}) + "\n", encoding="utf-8"
    )
    before = Path("j.jsonl").read_bytes()
    looked = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "docs")
    assert "documents, taken whole" in " ".join(looked.out.split())
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "docs", "--fix")
    assert (done.code, Path("j.jsonl").read_bytes()) == (2, before)
    assert "--chunker whole" in done.err
    meant = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "docs", "--chunker", "whole", "--fix")
    assert "2 labels re-anchored" in meant.out, "the label without its text cannot be found in the document"


def test_chunk_ids_in_the_place_of_documents_are_noticed(irbridge: Irbridge) -> None:
    Path("c.qrels").write_text(f"q1 0 {cid(11)} 1\n", encoding="utf-8")
    done = irbridge("drift", "--judgments", "c.qrels", "--corpus", "c.json")
    assert "--as-chunk-ids" in done.out
