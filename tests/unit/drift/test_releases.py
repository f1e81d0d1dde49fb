"""Two releases of a collection: labels of documents, held against what they were made on."""

from __future__ import annotations

from pathlib import Path

from irbridge.corpora import corpus_of
from irbridge.drift.workflow import inspected
from irbridge.model import Chunk, Document, Judgment

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
    found = inspected(LABELS[:2], new, old)
    assert any(note.startswith("1 label has no text in ") for note in found.drift.notes)
    assert not any("irbridge chunk" in note for note in found.drift.notes), "labels of documents need no chunks"


def test_labels_of_chunks_made_on_documents_need_the_chunks_of_those(tmp_path: Path) -> None:
    old = folder(tmp_path / "old two", OLD)
    new = corpus_of([Chunk(cid(11), "same", text="It stays as it is.")])
    found = inspected([Judgment("q", "same", 1, chunk_id=cid(1))], new, corpus_of(old))
    (note,) = (note for note in found.drift.notes if "no text" in note)
    assert note.startswith("1 label has no text in ")
    assert f"irbridge chunk '{old}' --chunker SPEC -o OLD.jsonl" in note


def cid(number: int) -> str:
    return f"c1:{number:032x}"


CUT = [
    Chunk(cid(1), "d", text="Dogs ride free."),
    Chunk(cid(2), "d", text="Cats pay one crown each."),
    Chunk(cid(3), "d", text="Fish stay"),
]
ANEW = [
    Chunk(cid(11), "e", ordinal=0, text="Dogs ride free."),
    Chunk(cid(12), "d", ordinal=0, text="Dogs ride free. Cats pay"),
    Chunk(cid(13), "d", ordinal=1, text="one crown each. Fish stay at home."),
]  # fmt: skip


def test_a_label_that_has_the_chunk_s_id_for_its_document_gets_the_document() -> None:
    labels = [Judgment("q", cid(number), 1, chunk_id=cid(number)) for number in (1, 2, 3, 4)]
    found = inspected(labels, corpus_of(ANEW), corpus_of(CUT))
    one, two, three, four = found.drift.findings
    # Exactly the first text is only in another document; its own one comes after an equal text (spec/drift.md, 2).
    assert (one.status, one.reanchor_to, one.reanchor_doc) == ("RE_ANCHORABLE", cid(11), "e")
    assert (three.status, three.reanchor_to, three.reanchor_doc) == ("MERGED", cid(13), "d")
    assert (two.doc_uri, two.evidence and two.evidence.kind) == (cid(2), "shifted")
    assert two.evidence is not None
    # "Cats pay" has 8 characters, "one crown each." 15.
    assert two.evidence.chunks == ((cid(12), 8, "d"), (cid(13), 15, "d"))
    assert (four.status, four.evidence) == ("ORPHANED", None), "the old corpus has no such chunk"
    rows = found.repair.labels
    assert [(row.doc_uri, row.chunk_id) for row in rows[:3]] == [("e", cid(11)), (cid(2), cid(2)), ("d", cid(13))]
    assert rows[2].extra["reanchored_from"] == [{"doc_uri": cid(3), "chunk_id": cid(3)}]
    again = inspected(rows, corpus_of(ANEW), corpus_of(CUT))
    assert (again.repair.rows, again.repair.reanchored) == (rows, 0)


def test_so_does_one_that_keeps_its_text_and_one_without_a_chunk_id() -> None:
    kept = Judgment("q", cid(3), 1, chunk_id=cid(3), chunk_text="Fish stay")
    found = inspected([kept, Judgment("r", cid(3), 1)], corpus_of(ANEW), corpus_of(CUT))
    assert [(each.status, each.chunk_id, each.reanchor_doc) for each in found.drift.findings] == [
        ("MERGED", cid(3), "d")
    ] * 2
    rows = found.repair.labels
    assert [(row.doc_uri, row.chunk_id) for row in rows] == [("d", cid(13))] * 2
    assert rows[1].extra["reanchored_from"] == [{"doc_uri": cid(3)}]


def test_a_document_that_a_label_names_is_believed() -> None:
    found = inspected([Judgment("q", "f", 1, chunk_id=cid(3))], corpus_of(ANEW), corpus_of(CUT))
    assert found.drift.findings[0].status == "ORPHANED"
