"""`irbridge chunk`: the corpus file, the counts, what is refused, and that a refusal leaves the old file."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from importlib import metadata
from pathlib import Path

import pytest

from .conftest import Irbridge

DOCUMENTS = [
    {"_id": "d1", "title": "Dogs", "text": "Dogs ride free. So do cats."},
    {"_id": "d2", "title": "", "text": " \n"},
    {"_id": "d3", "title": "", "text": "No smoking."},
]


@pytest.fixture(autouse=True)
def _collection() -> None:
    Path("c").mkdir()
    Path("c/corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in DOCUMENTS), encoding="utf-8")
    Path("c/queries.jsonl").write_text('{"_id": "q", "text": "dogs"}\n', encoding="utf-8")
    Path("c/qrels").mkdir()
    Path("c/qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq\td1\t1\n", encoding="utf-8")


def test_a_corpus_is_written(irbridge: Irbridge) -> None:
    result = irbridge("chunk", "c", "--chunker", "sentence/1", "--out", "corpus.jsonl")
    assert result.code == 0
    header, *rows = [json.loads(line) for line in Path("corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    assert header == {"corpus_fingerprint": "sentence/1/0", "chunker_fingerprint": "sentence/1/0"}
    # The text of d1 is title and text with a space between.
    expected = [
        ("d1", 0, "Dogs Dogs ride free.", 0, 20),
        ("d1", 1, "So do cats.", 21, 32),
        ("d3", 0, "No smoking.", 0, 11),
    ]
    assert [(row["doc_uri"], row["ordinal"], row["text"], row["start"], row["end"]) for row in rows] == expected
    assert "3 documents · 3 chunks · 42 characters" in result.out
    assert "1 document without text · skipped · d2" in result.out
    assert "wrote    corpus.jsonl" in result.out


def test_counts_as_json(irbridge: Irbridge) -> None:
    result = irbridge(
        "--json", "chunk", "c", "--chunker", "fixed/10/2", "--out", "corpus.json.gz", "--fingerprint", "v1"
    )
    assert result.code == 0
    assert json.loads(result.out) == {
        "source": "beir",
        "target": "corpus",
        "chunker_fingerprint": "fixed/10/2",
        "corpus_fingerprint": "v1",
        "documents": 3,
        # d1 has 32 characters: windows at 0, 8, 16 and 24, the last of which reaches 34 > 32. d3 has 11: at 0 and 8.
        "chunks": 6,
        "characters": 32 + 2 + 11,
        # Windows "Dogs Dogs ", "s ride fre", "ree. So do", "do cats." and "No smoking", "ng.", the first without its last blank.
        "chunk_characters": 9 + 10 + 10 + 8 + 10 + 3,
        "empty": 1,
        "empty_ids": ["d2"],
        "notes": [],
        "out": "corpus.json.gz",
        "dropped": [],
    }
    corpus = json.loads(gzip.decompress(Path("corpus.json.gz").read_bytes()))
    assert corpus["corpus_fingerprint"] == "v1"
    assert len(corpus["chunks"]) == 6


def test_whole_documents_keep_the_empty_ones(irbridge: Irbridge) -> None:
    result = irbridge("chunk", "c", "--chunker", "whole", "--out", "-")
    rows = [json.loads(line) for line in result.out.splitlines()]
    assert rows[0]["chunker_fingerprint"] == "whole/1"
    assert [(row["doc_uri"], row["start"], row["end"]) for row in rows[1:]] == [
        ("d1", 0, 32),
        ("d2", 0, 0),
        ("d3", 0, 11),
    ]
    assert "1 document without text · each is a chunk without text · d2" in result.err


def test_twice_gives_the_same_bytes_and_drift_finds_every_document(irbridge: Irbridge) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        assert irbridge("chunk", "c", "--chunker", "recursive/20/5", "-o", name).code == 0
    assert Path("a.jsonl").read_bytes() == Path("b.jsonl").read_bytes()
    assert irbridge("drift", "--judgments", "c", "--corpus", "a.jsonl").code == 0


@pytest.mark.parametrize(
    "arguments, said",
    [
        ((), "no collection is named"),
        (("c", "--out", "x.jsonl"), "--chunker is missing"),
        (("c", "--chunker", "whole"), "--out is missing"),
        (("c", "--chunker", "recursiv/512", "--out", "x.jsonl"), "did you mean recursive"),
        (("c", "--chunker", "fixed/3/3", "--out", "x.jsonl"), "must be smaller than the size"),
        (("c", "--chunker", "whole", "--out", "x.txt"), "name a file that ends with .json or .jsonl"),
        (("c", "--chunker", "whole", "--out", "no/x.jsonl"), "the folder does not exist"),
        (("c", "--chunker", "whole", "--out", "c/corpus.jsonl"), "is a part of the input"),
        (("a.run", "--chunker", "whole", "--out", "x.jsonl"), "a.run"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_written(
    irbridge: Irbridge, arguments: tuple[str, ...], said: str
) -> None:
    before = Path("c/corpus.jsonl").read_bytes()
    result = irbridge("chunk", *arguments)
    assert result.code == 2
    assert said in result.err
    assert Path("c/corpus.jsonl").read_bytes() == before
    assert not Path("x.jsonl").exists()


def test_a_bad_document_is_named_and_the_old_corpus_stays(irbridge: Irbridge) -> None:
    Path("corpus.jsonl").write_text("old", encoding="utf-8")
    Path("c/corpus.jsonl").write_text(
        '{"_id": "ok", "text": "a"}\n{"_id": "bad", "text": "\\ud800"}\n', encoding="utf-8"
    )
    result = irbridge("chunk", "c", "--chunker", "whole", "--out", "corpus.jsonl")
    assert result.code == 2
    assert ":2: " in result.err
    assert "surrogate" in result.err
    assert Path("corpus.jsonl").read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in Path().glob(".irbridge*")) == []


def test_the_chunkers_are_listed(irbridge: Irbridge) -> None:
    result = irbridge("chunk", "--list")
    assert result.code == 0
    assert "recursive/SIZE[/OVERLAP]" in result.out
    listed = json.loads(irbridge("--json", "chunk", "--list").out)
    assert {"name": "size", "meaning": "characters in a window", "default": None} in next(
        row["settings"] for row in listed if row["name"] == "fixed"
    )


def test_the_list_says_what_is_not_installed(irbridge: Irbridge, monkeypatch: pytest.MonkeyPatch) -> None:
    def version(distribution: str) -> str:
        if distribution == "chonkie":
            raise metadata.PackageNotFoundError
        return "1.0"

    monkeypatch.setattr(metadata, "version", version)
    installed = {row["name"]: row["installed"] for row in json.loads(irbridge("--json", "chunk", "--list").out)}
    missing = {name for name, there in installed.items() if not there}
    assert missing == {"chonkie-token", "chonkie-sentence", "chonkie-recursive"}
    lines = irbridge("chunk", "--list").out.splitlines()
    assert sum("not installed" in line for line in lines) >= 1
    assert "pip install chonkie" in " ".join(" ".join(lines).split())


def test_a_folder_of_notes_is_a_collection(irbridge: Irbridge) -> None:
    Path("notes/hr").mkdir(parents=True)
    Path("notes/hr/leave.md").write_text("# Leave\n\nThirty days.\n", encoding="utf-8")
    Path("notes/rent.txt").write_text("On the first.\n", encoding="utf-8")
    Path("notes/logo.png").write_bytes(b"\x89PNG")
    done = irbridge("chunk", "notes", "--chunker", "recursive/300", "--out", "out.jsonl")
    assert done.code == 0, done.err
    assert "1 other file was left out" in done.out
    rows = [json.loads(line) for line in Path("out.jsonl").read_text(encoding="utf-8").splitlines()[1:]]
    assert [(row["doc_uri"], row["text"]) for row in rows] == [
        ("hr/leave.md", "# Leave\n\nThirty days."),
        ("rent.txt", "On the first."),
    ]
    alone = irbridge("chunk", "notes/hr/leave.md", "--chunker", "recursive/300", "--out", "out.jsonl")
    assert alone.code == 2
    assert "name the folder that it lies in" in alone.err
    assert "text-folder" in alone.err


def test_memory_does_not_grow_with_the_collection(irbridge: Irbridge) -> None:
    peaks = []
    for count in (500, 5000):
        row = json.dumps({"_id": "x", "text": "Some words of it. " * 20})
        Path("c/corpus.jsonl").write_text(
            "".join(row.replace('"x"', f'"x{n}"', 1) + "\n" for n in range(count)), encoding="utf-8"
        )
        tracemalloc.start()
        assert irbridge("chunk", "c", "--chunker", "recursive/100", "--out", "corpus.jsonl").code == 0
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # Ten times the documents; blocks of 1 MB are read, of which the smaller file does not fill one.
    assert peaks[1] < peaks[0] + 6_000_000
