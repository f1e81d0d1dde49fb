"""Whatever irbridge can open as a corpus that can be served."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.agentic_corpus import snapshot

from irbridge.agentic.evidence import sha256
from irbridge.errors import IrbridgeError
from irbridge.integrations.mcp_corpus import judged_ids, of_corpus, of_fixture, of_judgments

DOCS = [{"_id": "d1", "title": "One", "text": "first text"}, {"_id": "d2", "title": "", "text": "second"}]


def beir(folder: Path) -> Path:
    folder.mkdir()
    (folder / "corpus.jsonl").write_text("".join(json.dumps(each) + "\n" for each in DOCS))
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "what"}\n')
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td2\t1\n")
    return folder


def label(query: str, doc: str, **more: object) -> str:
    return json.dumps({"query_id": query, "query": query, "doc_uri": doc, "relevance": 1, **more}) + "\n"


def test_a_materialized_corpus_is_the_corpus_again(tmp_path: Path) -> None:
    snapshot().materialize(tmp_path)
    found = of_fixture(tmp_path)
    assert found.sources == snapshot().sources
    assert set(found.owners) == {"ca", "cb"}


def test_a_beir_folder(tmp_path: Path) -> None:
    found = of_corpus(str(beir(tmp_path / "my set")))
    assert [(each.uri, each.text) for each in found.sources] == [
        ("corpus://my-set/d1", "One first text"),
        ("corpus://my-set/d2", "second"),
    ]
    assert found.sources[1].source_hash == sha256("second")


def test_only_what_is_judged(tmp_path: Path) -> None:
    folder = str(beir(tmp_path / "set"))
    assert judged_ids(folder) == {"d2"}
    assert [each.path for each in of_corpus(folder, only=judged_ids(folder)).sources] == ["d2"]


def test_a_folder_of_markdown(tmp_path: Path) -> None:
    (tmp_path / "notes" / "deep").mkdir(parents=True)
    (tmp_path / "notes" / "a.md").write_text("\n# A\n")
    (tmp_path / "notes" / "deep" / "b.txt").write_text("B")
    (tmp_path / "notes" / ".secret.md").write_text("hidden")
    (tmp_path / "notes" / "image.png").write_bytes(b"\xff")
    (tmp_path / "outside.md").write_text("outside")
    (tmp_path / "notes" / "link.md").symlink_to(tmp_path / "outside.md")
    found = of_corpus(str(tmp_path / "notes") + "/", scheme="notes")
    assert [each.uri for each in found.sources] == ["notes://notes/a.md", "notes://notes/deep/b.txt"]
    # To the last line end, by which a client counts lines, as they lie on the disk.
    assert [each.text for each in found.sources] == ["\n# A\n", "B"]
    assert found.sources[0].source_hash == sha256("\n# A\n")


def test_chunks(tmp_path: Path) -> None:
    from irbridge.identity import chunk_id, text_sha

    text = "some text"
    own = chunk_id("d1", text_sha(text), 0, text, "whole/1")
    row = {
        "chunk_id": own, "doc_uri": "d1", "doc_revision": text_sha(text), "ordinal": 0, "text": text,
        "text_sha": text_sha(text),
    }  # fmt: skip
    (tmp_path / "c.jsonl").write_text(
        '{"corpus_fingerprint": "f", "chunker_fingerprint": "whole/1"}\n' + json.dumps(row) + "\n"
    )
    found = of_corpus(str(tmp_path / "c.jsonl"))
    assert [(each.path, each.text) for each in found.sources] == [(own, text)]


def test_judgments_that_carry_their_texts(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(
        label("q1", "d2", chunk_text="the second") + label("q1", "d1", chunk_text="the first") + label("q2", "d3")
    )
    found = of_judgments(str(path))
    assert [(each.uri, each.text) for each in found.sources] == [
        ("corpus://labels.jsonl/d1", "the first"),
        ("corpus://labels.jsonl/d2", "the second"),
    ]
    assert [each.path for each in of_judgments(str(beir(tmp_path / "set"))).sources] == ["d1", "d2"]


def test_what_cannot_be_served(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(label("q1", "d1"))
    with pytest.raises(IrbridgeError, match="holds labels and no texts"):
        of_judgments(str(path))
    with pytest.raises(IrbridgeError):
        of_corpus(str(tmp_path / "nowhere"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(IrbridgeError, match="it holds nothing"):
        of_corpus(str(tmp_path / "empty"))
    with pytest.raises(IrbridgeError, match="holds nothing to serve"):
        of_fixture(tmp_path / "empty")
    with pytest.raises(IrbridgeError, match="cannot be read"):
        of_fixture(tmp_path / "nowhere")
    (tmp_path / "f" / "bad name!").mkdir(parents=True)
    with pytest.raises(IrbridgeError, match="cannot be the name of a collection"):
        of_fixture(tmp_path / "f")
    (tmp_path / "g" / "c").mkdir(parents=True)
    (tmp_path / "g" / "c" / "x.md").write_bytes(b"\xff")
    with pytest.raises(IrbridgeError, match="not UTF-8"):
        of_fixture(tmp_path / "g")
