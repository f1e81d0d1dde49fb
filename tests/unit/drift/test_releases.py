"""Two releases of a collection: labels of documents, held against what they were made on."""

from __future__ import annotations

from pathlib import Path

from irbridge.corpora import corpus_of
from irbridge.drift.workflow import inspected
from irbridge.model import Document, Judgment

OLD = [
    Document("same", "It stays as it is."), Document("renamed", "It moves to another id, word for word."),
    Document("grown", "It gets longer."), Document("gone", "Nothing of this is left."), Document("blank", ""),
]  # fmt: skip
NEW = [
    Document("same", "It stays as it is."), Document("other", "It moves to another id, word for word."),
    Document("grown", "It gets longer. Much longer."), Document("blank", ""),
]  # fmt: skip
LABELS = [Judgment("q", document.doc_id, 1) for document in OLD]


def folder(path: Path, documents: list[Document]) -> str:
    path.mkdir()
    rows = [f'{{"_id":"{each.doc_id}","title":"","text":"{each.text}"}}\n' for each in documents]
    (path / "corpus.jsonl").write_text("".join(rows), encoding="utf-8")
    return str(path)


def test_by_the_spec_a_document_is_valid_while_it_is_there(tmp_path: Path) -> None:
    found = inspected(LABELS, corpus_of(folder(tmp_path / "new", NEW)))
    assert [each.status for each in found.drift.findings] == ["VALID", "ORPHANED", "VALID", "ORPHANED", "VALID"]


def test_with_the_release_that_they_were_made_on_its_text_counts(tmp_path: Path) -> None:
    old, new = corpus_of(folder(tmp_path / "old", OLD)), corpus_of(folder(tmp_path / "new", NEW))
    found = inspected(LABELS, new, old)
    assert [each.status for each in found.drift.findings] == ["VALID", "RE_ANCHORABLE", "MERGED", "ORPHANED", "VALID"]
    assert found.drift.findings[1].reanchor_doc == "other"
    assert all(each.chunk_id is None for each in found.drift.findings), "a label of a document has no chunk"
    assert [label.doc_uri for label in found.repair.labels] == ["same", "other", "grown", "gone", "blank"]
    assert all(label.chunk_id is None and label.chunk_text is None for label in found.repair.labels)


def test_what_the_old_release_does_not_hold_is_said(tmp_path: Path) -> None:
    old, new = corpus_of(folder(tmp_path / "old", OLD[:1])), corpus_of(folder(tmp_path / "new", NEW))
    found = inspected(LABELS, new, old)
    assert any(note.startswith("4 labels have no text in ") for note in found.drift.notes)
