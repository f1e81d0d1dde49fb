from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from irbridge.errors import UsageError
from irbridge.formats import FORMATS, identify
from irbridge.formats.base import Collection, Head
from irbridge.formats.folder import FORMAT
from irbridge.manifest import Manifest
from irbridge.model import Document, Judgment, Query, Ranking
from irbridge.reading import Reading
from irbridge.source import Source

LABELS = [
    Judgment("q1", "d1", 2, "who?", labeled_by="human:a", stratum="s", extra={"split": "test", "n": [1]}),
    Judgment("q1", "d2", -1, "who?", iteration="3"),
    Judgment("q2", "d 2", 0, chunk_id="c1:" + "0" * 32),
]
QUERIES = [Query("q1", "who?", {"metadata": {}}), Query("q2", "why?")]
DOCUMENTS = [Document("d1", "first", "One", {"url": "u"}), Document("d2", "second", "")]


def read(folder: Path, part: str, reading: Reading | None = None) -> list[Any]:
    reader = FORMAT.reader(part)  # type: ignore[arg-type]
    assert reader is not None
    return list(reader(Source(folder), reading or Reading()))


def write(folder: Path, **parts: Any) -> dict[str, int]:
    assert FORMAT.write_folder is not None
    return dict(FORMAT.write_folder(Collection(**parts), folder))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "made"
    write(made, judgments=iter(LABELS), queries=iter(QUERIES), documents=iter(DOCUMENTS))
    return made


def test_every_part_comes_back(folder: Path) -> None:
    assert read(folder, "judgments") == LABELS
    assert [query._replace(raw=None) for query in read(folder, "queries")] == QUERIES
    assert [document._replace(raw=None) for document in read(folder, "documents")] == DOCUMENTS


def test_what_was_written_is_counted_and_in_the_manifest(tmp_path: Path) -> None:
    rows = write(tmp_path, judgments=iter(LABELS), queries=iter(QUERIES), documents=iter(()))
    assert rows == {"judgments": 3, "queries": 2, "documents": 0}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["judgments.jsonl", "manifest.json", "queries.jsonl"]
    manifest = Manifest.read(tmp_path)
    assert manifest is not None
    assert {part: (found.file, found.rows) for part, found in manifest.parts.items()} == {
        "judgments": ("judgments.jsonl", 3),
        "queries": ("queries.jsonl", 2),
    }


def test_lines_are_those_of_judgments_jsonl_and_of_beir(folder: Path) -> None:
    first = json.loads((folder / "judgments.jsonl").read_text().splitlines()[0])
    assert (first["query_id"], first["doc_uri"], first["relevance"]) == ("q1", "d1", 2)
    assert (folder / "corpus.jsonl").read_text().splitlines()[
        0
    ] == '{"_id":"d1","title":"One","text":"first","url":"u"}'
    assert (folder / "queries.jsonl").read_text().splitlines()[1] == '{"_id":"q2","text":"why?"}'


@pytest.mark.parametrize(
    "ranking, name",
    [(Ranking("q1", ["d1", "d2"], [2.0, 1.0], tag="mine"), "run.trec"), (Ranking("q1", ["d1", "d2"]), "run.jsonl")],
)
def test_a_run_goes_where_its_scores_are_kept(tmp_path: Path, ranking: Ranking, name: str) -> None:
    write(tmp_path, judgments=LABELS, run=iter([ranking]))
    assert (tmp_path / name).is_file()
    (found,) = read(tmp_path, "run")
    assert (found.query_id, list(found.doc_ids), found.tag) == (ranking.query_id, ["d1", "d2"], ranking.tag)
    assert (None if found.scores is None else list(found.scores)) == ranking.scores


def test_files_may_be_compressed_and_errors_name_them(folder: Path) -> None:
    path = folder / "judgments.jsonl"
    (folder / "judgments.jsonl.gz").write_bytes(gzip.compress("\ufeff".encode() + path.read_bytes()))
    path.unlink()
    reading = Reading()
    assert read(folder, "judgments", reading) == LABELS
    assert reading.label == str(folder / "judgments.jsonl.gz")
    assert reading.notes["bom"].count == 1


@pytest.mark.parametrize("part", ["judgments", "queries", "documents", "run"])
def test_a_part_that_is_not_there_is_named(tmp_path: Path, part: str) -> None:
    with pytest.raises(UsageError, match=f"has no {part}: there is no "):
        read(tmp_path, part)


@pytest.mark.parametrize(
    "names, certainty",
    [
        (["judgments.jsonl", "corpus.jsonl", "queries.jsonl", "qrels"], 95),
        (["judgments.jsonl.gz"], 95),
        (["manifest.json", "queries.jsonl"], 75),
        (["manifest.json", "qrels"], 0),
        (["corpus.jsonl"], 0),
    ],
)
def test_sniffing(names: list[str], certainty: int) -> None:
    assert FORMAT.sniff is not None
    assert FORMAT.sniff(Head("x", is_dir=True, entries=tuple(names))) == certainty
    assert FORMAT.sniff(Head("x", is_dir=False, entries=tuple(names))) == 0


def test_it_is_told_from_a_beir_folder(folder: Path) -> None:
    assert identify(folder, "documents")[0] is FORMATS.get("collection") is FORMAT
    (folder / "judgments.jsonl").unlink()
    (folder / "manifest.json").unlink()
    assert identify(folder, "documents")[0] is FORMATS.get("beir")
