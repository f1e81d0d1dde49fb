"""`irbridge drift`: the screen, the JSON, the exit codes, and the file under --fix, --dry-run and --undo."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
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
    assert (done.code, "every chunk that a label names is still there" in done.out) == (0, True)


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
    assert "irbridge drift" not in looked.out, "what would be refused is not suggested"
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "docs", "--fix")
    assert (done.code, Path("j.jsonl").read_bytes()) == (2, before)
    assert "--chunker whole" in done.err
    meant = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "docs", "--chunker", "whole", "--fix")
    assert "2 labels re-anchored" in meant.out, "the label without its text cannot be found in the document"


def test_chunk_ids_in_the_place_of_documents_are_noticed(irbridge: Irbridge) -> None:
    Path("c.qrels").write_text(f"q1 0 {cid(11)} 1\n", encoding="utf-8")
    done = irbridge("drift", "--judgments", "c.qrels", "--corpus", "c.json")
    assert "1 document is called like a chunk: irbridge convert LABELS" in " ".join(done.out.split())


def _old_corpus(labels: str) -> None:
    """The corpus that the labels were made on, and the labels as rows of qrels and as JSON Lines without a text."""
    chunks = [{"chunk_id": cid(n + 1), "doc_uri": "d", "ordinal": n, "text": text} for n, text in enumerate(TEXTS)]
    Path("old.json").write_text(json.dumps({"corpus_fingerprint": "old/1", "chunks": chunks}), encoding="utf-8")
    if labels.endswith(".qrels"):
        rows = [f"{row['query_id']} 0 {row['chunk_id']} {row['relevance']}\n" for row in LABELS]
    else:
        bare = ("query_id", "doc_uri", "chunk_id", "relevance")
        rows = [json.dumps({name: row[name] for name in bare}) + "\n" for row in LABELS]
    Path(labels).write_text("".join(rows), encoding="utf-8")


def _next(out: str) -> list[str]:
    """The commands and words after `next`, a row each."""
    return [" ".join(each.split()) for each in out.split("\n  next ")[1:]]


def test_what_follows_for_chunk_ids_in_the_place_of_documents_works(irbridge: Irbridge) -> None:
    _old_corpus("c.qrels")
    convert, drift = _next(irbridge("drift", "--judgments", "c.qrels", "--corpus", "c.json").out)
    assert convert.startswith("irbridge convert --judgments c.qrels --to judgments --as-chunk-ids -o OUT.jsonl")
    assert drift.startswith("irbridge drift --judgments OUT.jsonl --corpus c.json --made-on OLD")
    # With the old corpus one row is enough: texts 1 and 3 are in chunks 11 and 14, the second is cut in two.
    (known,) = _next(irbridge("drift", "--judgments", "c.qrels", "--corpus", "c.json", "--made-on", "old.json").out)
    assert known.startswith(convert.split(" · ")[0])
    assert known.endswith(" · then --fix repairs 2 labels then review: 1 label needs a person")
    assert irbridge(*convert.split()[1 : convert.split().index("OUT.jsonl") + 1]).code == 0
    call = [each.replace("OLD", "old.json") for each in drift.split()[1:8]]
    assert "2 labels re-anchored" in irbridge(*call, "--fix").out
    rows = [json.loads(line) for line in Path("OUT.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["doc_uri"], row["chunk_id"]) for row in rows] == [("d", cid(11)), (cid(2), cid(2)), ("d", cid(14))]
    assert rows[0]["reanchored_from"] == [{"doc_uri": cid(1), "chunk_id": cid(1)}]
    assert "1 of 3 labels to review" in irbridge("review", *call[1:], "--html", "q.html").out


def test_labels_without_a_text_are_looked_up_before_a_person_is_asked(irbridge: Irbridge) -> None:
    _old_corpus("bare.jsonl")
    first, second = _next(irbridge("drift", "--judgments", "bare.jsonl", "--corpus", "c.json").out)
    assert first.startswith("irbridge drift --judgments bare.jsonl --corpus c.json --made-on OLD")
    assert "3 labels keep no text" in first
    assert second.startswith("irbridge review ")
    known = _next(irbridge("drift", "--judgments", "bare.jsonl", "--corpus", "c.json", "--made-on", "old.json").out)
    assert [each.split()[1] for each in known] == ["drift", "review"]
    assert known[0].endswith("--fix · repairs 2 labels")


@pytest.mark.parametrize(
    "states, said",
    [
        (("b/1", "b/1", "b/1"), "made at b/1"),
        (("b/1", "a/1", "b/1"), "made at a/1 and b/1"),
        (("b/1", "a/1", "c/1"), "made at an unknown or mixed state"),
        (("b/1", "a/1", None), "made at an unknown or mixed state"),
    ],
)
def test_two_states_that_labels_were_made_at_are_named(
    irbridge: Irbridge, states: tuple[str | None, ...], said: str
) -> None:
    rows = [
        {**row, **({"corpus_fingerprint": state} if state else {})} for row, state in zip(LABELS, states, strict=True)
    ]
    Path("j.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    out = " ".join(irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json").out.split())
    assert f"3 labels {said} · the corpus is at new/1" in out


def test_chunks_of_one_s_own_chunker_get_ids_first(irbridge: Irbridge) -> None:
    rows = [{name: row[name] for name in ("doc_uri", "ordinal", "text")} for row in CHUNKS]
    Path("my own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "my own.jsonl")
    stamp = "irbridge stamp 'my own.jsonl' --fingerprint NAME --revision V -o corpus.jsonl"
    assert (done.code, f"try  {stamp} " in done.err) == (2, True)
    # Without the revision the rows say what is missing; with it the way is free.
    call = ("stamp", "my own.jsonl", "--fingerprint", "NAME", "-o", "corpus.jsonl")
    refused = irbridge(*call)
    assert (refused.code, "--revision" in refused.err) == (2, True)
    assert irbridge(*call, "--revision", "V").code == 0
    assert irbridge("drift", "--judgments", "j.jsonl", "--corpus", "corpus.jsonl").code == 1


def test_labels_that_need_a_person_are_listed(irbridge: Irbridge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json")
    # q1 and q3 can be moved; q2 is split into chunks 12 and 13.
    row = next(line.split() for line in done.out.splitlines() if line.split()[:1] == ["q2"])
    assert row[:6] == ["q2", "d", "split", "in", "2", "chunks"]
    assert cid(12).startswith(row[6].removesuffix("…"))
    assert all(len(line) <= 80 for line in done.out.splitlines())
    assert "more labels need a person" not in done.out


@pytest.mark.parametrize("arguments", [(), ("--fix",)])
def test_many_labels_that_need_a_person_are_counted(irbridge: Irbridge, arguments: tuple[str, ...]) -> None:
    rows = [{**LABELS[1], "query_id": f"q{number:02}", "query": "dogs"} for number in range(13)]
    Path("j.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json", *arguments)
    listed = [
        line.split()[0] for line in done.out.splitlines() if " split " in line and line.split()[0].startswith("q")
    ]
    assert listed == [f"q{number:02}" for number in range(10)]
    assert "and 3 more labels need a person" in done.out


def test_hostile_ids_are_escaped_in_the_list(irbridge: Irbridge) -> None:
    row = {**LABELS[1], "query_id": "q\x1b[2J\u202e", "doc_uri": "d"}
    Path("j.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json")
    assert "q\\x1b[2J\\u202e" in done.out
    assert not {"\x1b", "\u202e"} & set(done.out)


def test_a_repair_that_would_be_refused_is_not_suggested(irbridge: Irbridge) -> None:
    Path("old").mkdir()
    documents = [{"_id": str(number), "title": "", "text": text} for number, text in enumerate(TEXTS)]
    Path("old/corpus.jsonl").write_text("".join(json.dumps(each) + "\n" for each in documents), encoding="utf-8")
    Path("old/qrels").mkdir()
    # The new corpus has the first text elsewhere, the second one in two pieces, and nothing of the third.
    Path("old/qrels/test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\t0\t1\nq2\t1\t1\nq3\t2\t1\n", encoding="utf-8"
    )
    chunks = [{**chunk, "doc_uri": "1" if number else "9"} for number, chunk in enumerate(CHUNKS[:3])]
    Path("c.json").write_text(json.dumps({"chunks": chunks}), encoding="utf-8")
    call = ("drift", "--judgments", "old", "--corpus", "c.json", "--made-on", "old")
    out = " ".join(irbridge(*call).out.split())
    assert "irbridge convert --judgments old --to judgments -o OUT.jsonl" in out
    assert "then --fix repairs 1 label · then review: 2 labels need a person" in out
    assert "irbridge drift" not in out
    # What is suggested works.
    assert irbridge(*call, "--fix").code == 2
    assert irbridge("convert", "--judgments", "old", "--to", "judgments", "-o", "OUT.jsonl").code == 0
    assert "1 label re-anchored" in irbridge("drift", "--judgments", "OUT.jsonl", *call[3:], "--fix").out


def test_labels_of_documents_are_not_said_to_have_a_chunk(irbridge: Irbridge) -> None:
    rows = [{"query_id": f"q{number}", "doc_uri": "d", "relevance": 1} for number in range(2)]
    Path("j.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json")
    assert (done.code, "all 2 of them name no chunk: their document is there" in done.out) == (0, True)
    assert "the chunk is still there" not in done.out
    summary = json.loads(irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json", "--json").out)["summary"]
    assert summary["valid"] == 2
    # Beside labels of chunks they are counted apart.
    chunked = {"query_id": "q9", "doc_uri": "d", "chunk_id": cid(11), "relevance": 1}
    Path("j.jsonl").write_text("".join(json.dumps(row) + "\n" for row in [*rows, chunked]), encoding="utf-8")
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json")
    assert "valid 2 of them name no chunk: their document is there" in " ".join(done.out.split())
    assert "the chunk is still there" in done.out


def test_labels_of_chunks_are_not_said_to_lack_one(irbridge: Irbridge) -> None:
    Path("j.jsonl").write_text(json.dumps({**LABELS[0], "chunk_id": cid(11)}) + "\n", encoding="utf-8")
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json")
    assert "every chunk that a label names is still there" in done.out
    assert "name no chunk" not in done.out


def test_what_to_do_next_runs_whatever_the_file_is_called(irbridge: Irbridge) -> None:
    name = "it's\n\x1b[31m\u202e.jsonl"
    Path("j.jsonl").rename(name)
    done = irbridge("drift", "--judgments", name, "--corpus", "c.json", "--json")
    assert done.code == 1
    done = irbridge("drift", "--judgments", name, "--corpus", "c.json")
    assert r"irbridge drift --judgments $'it\'s\n\033[31m\342\200\256.jsonl' --corpus c.json --fix" in " ".join(
        done.out.split()
    )


def test_a_text_looked_up_is_not_untold_in_the_list(irbridge: Irbridge) -> None:
    _old_corpus("bare.jsonl")
    Path("c.json").write_text(json.dumps({"chunks": CHUNKS[:3]}), encoding="utf-8")
    call = ("--judgments", "bare.jsonl", "--corpus", "c.json")
    assert "untold" in irbridge("drift", *call).out
    # With the corpus that it was made on its text is known, and drift says the word that review has for it.
    listed = irbridge("drift", *call, "--made-on", "old.json").out
    assert (listed.count("untold"), "gone" in listed) == (0, True)


def test_a_label_that_stays_anyway_is_not_said_to_be_refused(irbridge: Irbridge) -> None:
    # The larger chunk says another digest than its text has: neither label may move there. That of the one judged not
    # relevant was never proposed.
    chunk = {**CHUNKS[3], "text_sha": sha("other")}
    rows = [{**LABELS[2], "relevance": grade, "query_id": f"q{grade}"} for grade in (0, 1)]
    Path("j.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    Path("c.json").write_text(json.dumps({"chunks": [chunk]}), encoding="utf-8")
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json", "--fix")
    assert "1 label would move to a chunk whose text_sha is not that of its text" in " ".join(done.out.split())
    assert "1 merged label says 'not relevant'" in " ".join(done.out.split())


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("named", ["", "{}:"])
def test_a_corpus_from_a_pipe_is_read_as_often_as_needed(*, lines: bool, named: str) -> None:
    # The text is gone from its document and stands in another one, for which the corpus is read again.
    text = "The ferry to the island leaves at noon on weekdays, and at ten on Sundays."
    row = {**LABELS[1], "chunk_text": text}
    Path("j.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    chunks = [*CHUNKS, {"chunk_id": cid(15), "doc_uri": "e", "ordinal": 0, "text": f"Ferries. {text} Dogs ride free."}]
    rows = "".join(json.dumps(each) + "\n" for each in chunks)
    corpus = rows if lines else json.dumps({"corpus_fingerprint": "new/1", "chunks": chunks})
    name = f"{named.format('corpus-jsonl' if lines else 'corpus')}-"
    call = [sys.executable, "-m", "irbridge", "drift", "--judgments", "j.jsonl", "--corpus", name, "--json"]
    done = subprocess.run(call, input=corpus, capture_output=True, text=True, check=False, encoding="utf-8")
    assert (done.returncode, done.stderr) == (1, "")
    (finding,) = json.loads(done.stdout)["findings"]
    assert (finding["evidence"]["kind"], finding["evidence"]["doc_uri"]) == ("moved", "e")


def test_a_corpus_from_a_pipe_is_to_be_saved_before_the_next_command() -> None:
    call = [sys.executable, "-m", "irbridge", "drift", "--judgments", "j.jsonl", "--corpus", "-"]
    corpus = Path("c.json").read_text(encoding="utf-8")

    def following(*options: str) -> list[str]:
        done = subprocess.run([*call, *options], input=corpus, capture_output=True, text=True, check=False)
        return [each.replace(" · ", " ") for each in _next(done.stdout)]

    saved = "save the corpus to a file, and name that then"
    assert following() == [f"{saved} --fix repairs 2 labels then review: 1 label needs a person"]
    undo, review = following("--fix")
    assert undo.startswith("irbridge drift --judgments j.jsonl --undo")
    assert review == f"{saved} review: 1 label needs a person"


def test_merged_labels_that_stay_are_not_said_to_be_repaired(irbridge: Irbridge) -> None:
    # Two labels inside the larger chunk: the one judged not relevant is never moved.
    rows = [{**LABELS[2], "relevance": grade, "query_id": f"q{grade}"} for grade in (0, 1)]
    Path("j.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    call = ("drift", "--judgments", "j.jsonl", "--corpus", "c.json")

    def merged(*options: str) -> str:
        lines = (" ".join(line.split()) for line in irbridge(*call, *options).out.splitlines())
        return next(line for line in lines if "merged inside a larger chunk" in line)

    assert merged() == "2 merged inside a larger chunk 1 --fix, 1 review"
    assert merged("--fix") == "2 merged inside a larger chunk 1 repaired, 1 review"
    assert merged("--fix") == "1 merged inside a larger chunk review"


def test_a_repair_that_was_refused_is_not_said_to_be_one(irbridge: Irbridge) -> None:
    # The chunk says another digest than its text has, and both labels would move to it.
    chunks = [{**CHUNKS[3], "text_sha": sha("other")}, CHUNKS[0]]
    Path("c.json").write_text(json.dumps({"chunks": chunks}), encoding="utf-8")
    Path("j.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in (LABELS[0], LABELS[2], {**LABELS[2], "query_id": "q4"})),
        encoding="utf-8",
    )
    out = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json", "--fix").out
    rows = [" ".join(line.split()) for line in out.splitlines()]
    assert "1 re-anchorable same text, new chunk repaired" in rows
    assert "2 merged inside a larger chunk review" in rows


def test_the_split_that_was_taken_is_said_and_kept(irbridge: Irbridge) -> None:
    Path("old/qrels").mkdir(parents=True)
    documents = [{"_id": str(number), "title": "", "text": text} for number, text in enumerate(TEXTS)]
    Path("old/corpus.jsonl").write_text("".join(json.dumps(each) + "\n" for each in documents), encoding="utf-8")
    for split, row in (("test", "q1\t0\t1\n"), ("train", "q2\t1\t1\nq3\t2\t1\n")):
        Path(f"old/qrels/{split}.tsv").write_text(f"query-id\tcorpus-id\tscore\n{row}", encoding="utf-8")
    # The first document has another name now.
    Path("c.json").write_text(json.dumps({"chunks": [{**CHUNKS[0], "doc_uri": "9"}]}), encoding="utf-8")
    call = ("drift", "--judgments", "old", "--corpus", "c.json", "--made-on", "old")
    note = "split test was taken; there is also train"
    out = irbridge(*call).out
    assert note in " ".join(out.split())
    assert note in json.loads(irbridge(*call, "--json").out)["notes"][0]
    (convert,) = _next(out)
    assert convert.startswith("irbridge convert --judgments old --split test --to judgments -o OUT.jsonl")
    assert irbridge(*convert.split(" · ")[0].split()[1:]).code == 0
    fixed = json.loads(irbridge("drift", "--judgments", "OUT.jsonl", *call[3:], "--fix", "--json").out)
    assert (len(fixed["findings"]), fixed["fixed"]["reanchored"]) == (1, 1)
    # One that was asked for, or is the only one, needs no word.
    assert "was taken" not in irbridge(*call, "--split", "train").out
    Path("old/qrels/train.tsv").unlink()
    assert "--split" not in irbridge(*call).out


def _run_of(path: str, ids: list[str]) -> None:
    rows = [{"query_id": f"q{n}", "ranking": [each]} for n, each in enumerate(ids, 1)]
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_runs_of_another_corpus_are_noticed(irbridge: Irbridge) -> None:
    _run_of("old.jsonl", [cid(1), cid(2), cid(3)])
    _run_of("new.jsonl", [cid(11), cid(12), cid(14)])
    _run_of("documents.jsonl", ["d", "d", "e"])
    call = ("drift", "--judgments", "j.jsonl", "--corpus", "c.json", "-m", "RR@10")

    def notes(*runs: str) -> list[str]:
        given = [option for run in runs for option in ("--run", run)]
        data = json.loads(irbridge(*call, *given, "--json").out)
        screen = " ".join(irbridge(*call, *given).out.split())
        assert all(note in screen for note in data.get("notes", []))
        return list(data.get("notes", []))

    assert notes("new.jsonl") == notes("old.jsonl", "new.jsonl") == []
    (old,) = notes("old.jsonl")
    assert old.startswith("0 of 3 ids of old.jsonl are chunks of this corpus, and 3 are named by labels")
    (documents,) = notes("documents.jsonl")
    assert documents.startswith("0 of 2 ids of documents.jsonl are chunks of this corpus, and 1 is among its documents")
    (swapped,) = notes("new.jsonl", "old.jsonl")
    assert "3 of 3 ids of new.jsonl are chunks of this corpus, and of old.jsonl 0 of 3: are they swapped?" in swapped


def test_a_run_from_a_pipe_is_scored_on_every_selection() -> None:
    _run_of("new.jsonl", [cid(11), cid(12), cid(14)])
    call = [sys.executable, "-m", "irbridge", "drift", "--judgments", "j.jsonl", "--corpus", "c.json", "-m", "RR@10"]
    found = []
    for name in ("-", "new.jsonl"):
        done = subprocess.run(
            [*call, "--run", name, "--json"], input=Path("new.jsonl").read_bytes(), capture_output=True, check=False
        )
        found.append(json.loads(done.stdout)["run"])
    # Repaired, q1 finds chunk 11 and q3 chunk 14.
    assert found[0] == found[1]
    assert found[0][0]["held"] == 1.0


def test_labels_that_name_a_place_are_proven_by_their_revision(irbridge: Irbridge) -> None:
    revision = sha("the whole document")
    chunks = [{**chunk, "doc_revision": revision, "start": 0, "end": 9} for chunk in CHUNKS]
    Path("c.json").write_text(json.dumps({"chunks": chunks}), encoding="utf-8")
    row = {"query_id": "q1", "doc_uri": "d", "relevance": 1}
    place = {**row, "span": {"start": 0, "end": 7}, "doc_revision": revision}
    whole = {**row, "query_id": "q2"}

    def said(*rows: dict[str, object]) -> str:
        Path("j.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
        done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json")
        assert done.code == 0
        return " ".join(done.out.split())

    alone = said(place)
    assert "1 valid the place is still there" in alone
    assert "every place that a label names is still there" in alone
    assert "1 of them names a place in a revision: its document still has it, or names none" in alone
    assert "--made-on" not in alone
    both = said(place, {**place, "query_id": "q3"}, whole)
    assert "2 of them name a place in a revision: their document still has it, or names none" in both
    assert "1 of them names no chunk: its document is there" in both


@pytest.mark.parametrize("run", ["no.run", "bad.run"])
def test_nothing_is_repaired_where_a_run_cannot_be_read(irbridge: Irbridge, run: str) -> None:
    Path("bad.run").write_text(f"q1 Q0 {cid(11)} 1 oops tag\n", encoding="utf-8")
    before = Path("j.jsonl").read_bytes()
    done = irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json", "--fix", "--run", run)
    assert (done.code, done.out, Path("j.jsonl").read_bytes()) == (2, "", before)
    assert not list(Path().glob("j.jsonl.*"))


def _releases() -> None:
    old = {"same": "It stays as it is.", "a": "It moves to another id, word for word.", "grown": "It gets longer."}
    new = {"same": "It stays as it is.", "b": old["a"], "grown": "It gets longer. Much longer."}
    for folder, documents in (("old", old), ("new", new)):
        Path(folder).mkdir()
        rows = [json.dumps({"_id": doc, "title": "", "text": text}) for doc, text in documents.items()]
        Path(folder, "corpus.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    labels = [{"query_id": f"q{number}", "doc_uri": doc, "relevance": 1} for number, doc in enumerate(old)]
    Path("docs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labels), encoding="utf-8")


def test_a_repair_of_labels_of_documents_comes_to_an_end(irbridge: Irbridge) -> None:
    _releases()
    call = ("drift", "--judgments", "docs.jsonl", "--corpus", "new", "--made-on", "old")
    done = irbridge(*call, "--fix")
    assert _next(done.out)[-1].startswith("irbridge drift --judgments docs.jsonl --corpus new the labels are")
    assert "no --made-on any more" in _next(done.out)[-1]
    once = Path("docs.jsonl").read_bytes()
    assert b'"doc_uri":"b"' in once
    done = irbridge(*call, "--fix")
    assert Path("docs.jsonl").read_bytes() == once
    assert "0 labels re-anchored" in done.out
    assert "repaired" not in done.out
    fixed = json.loads(irbridge(*call, "--fix", "--json").out)["fixed"]
    assert (fixed["reanchored"], fixed["journal"]) == (0, None)
    # Nor is a repair suggested that changes nothing.
    (left,) = _next(irbridge(*call).out)
    assert "--fix" not in left
    assert irbridge("drift", "--judgments", "docs.jsonl", "--corpus", "new").code == 0


def test_a_corpus_whose_first_line_is_longer_than_what_sniffing_sees_is_known(irbridge: Irbridge) -> None:
    rows = [CHUNKS[0], {**CHUNKS[1], "text": "x" * 100_000}]
    Path("c.jsonl").write_text("".join(json.dumps(row) + "\n" for row in reversed(rows)), encoding="utf-8")
    summary = json.loads(irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.jsonl", "--json").out)["summary"]
    assert summary["re_anchorable"] == 1
