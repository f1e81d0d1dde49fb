"""A folder of Markdown and text files: which files, in which order, under which ids, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from irbridge import corpus_of, drift
from irbridge.errors import InputError, InputErrors, UsageError
from irbridge.formats import identify
from irbridge.formats.text_folder import FORMAT, files_below
from irbridge.inputs import Input
from irbridge.model import Document


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "hr").mkdir(parents=True)
    (folder / "hr.md").write_bytes(b"# HR\r\n\r\ntext\r\n")
    (folder / "hr" / "leave.MD").write_bytes(b"\n  Thirty days.\n\n")
    (folder / "Rent.txt").write_bytes("née".encode())
    (folder / "hr" / "old.rst").write_bytes(b"")
    (folder / "hr" / "x.markdown").write_bytes(b"\xef\xbb\xbfmarked")
    return folder


def test_each_file_is_a_document_as_it_stands(notes: Path) -> None:
    documents = Input(str(notes), "documents")
    assert documents.format is FORMAT
    # Code points: R < h, and "." (2E) < "/" (2F); so hr.md comes before the files in hr.
    assert list(documents) == [
        Document("Rent.txt", "née"),
        Document("hr.md", "# HR\r\n\r\ntext\r\n"),
        Document("hr/leave.MD", "\n  Thirty days.\n\n"),
        Document("hr/old.rst", ""),
        Document("hr/x.markdown", "marked"),
    ]
    assert documents.reading.rows == 5
    assert [str(note) for note in documents.reading.notes.values()] == [
        "1 file begins with a byte order mark, which was dropped"
    ]
    assert documents.label == str(notes)


def test_what_is_left_out_is_counted(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("secret")
    (notes / "link.md").symlink_to(tmp_path / "outside" / "secret.md")
    (notes / "way-out").symlink_to(tmp_path / "outside")
    (notes / "again.md").symlink_to(notes / "hr.md")
    (notes / ".git").mkdir()
    (notes / ".git" / "inside.md").write_text("hidden")
    (notes / "hr" / ".draft.md").write_text("hidden")
    (notes / "hr" / ".DS_Store").write_text("of the system")
    (notes / "logo.png").write_bytes(b"\x89PNG")
    (notes / "md").write_text("no ending")
    documents = Input(str(notes), "documents")
    assert len(list(documents)) == 5
    found = documents.reading.notes
    assert {code: note.count for code, note in found.items()} == {"hidden": 2, "links": 3, "others": 2, "boms": 1}
    assert str(found["hidden"]) == "2 hidden files and folders were left out"
    assert str(found["others"]) == "2 other files were left out: texts end in .md, .markdown, .txt or .rst"
    # Read anew, nothing is counted twice.
    assert len(list(documents)) == 5
    assert documents.reading.notes["links"].count == 3


def test_all_files_of_a_folder(notes: Path) -> None:
    (notes / "logo.png").write_bytes(b"\x89PNG")
    assert files_below(str(notes), ("",)).paths == [
        "Rent.txt", "hr.md", "hr/leave.MD", "hr/old.rst", "hr/x.markdown", "logo.png",
    ]  # fmt: skip
    with pytest.raises(InputError, match="cannot be read"):
        files_below(str(notes / "nowhere"))


def test_what_is_no_text_is_refused_with_its_line(notes: Path) -> None:
    (notes / "bad.md").write_bytes(b"one\ntwo\nthr\xe9e\n")
    (notes / "nul.txt").write_bytes(b"one\n\0\n")
    with pytest.raises(InputErrors) as raised:
        list(Input(str(notes), "documents"))
    assert [(error.path, error.line) for error in raised.value.errors] == [
        (str(notes / "bad.md"), 3),
        (str(notes / "nul.txt"), 2),
    ]
    assert "is not UTF-8 text" in str(raised.value)
    left = Input(str(notes), "documents", drop_bad_rows=True)
    assert len(list(left)) == 5
    assert left.reading.notes["dropped"].count == 2
    assert left.label == str(notes)


def test_a_name_that_can_be_no_id(notes: Path) -> None:
    try:
        (notes / "caf\udce9.md").write_text("x")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    with pytest.raises(InputErrors, match="its name holds half a surrogate pair"):
        list(Input(str(notes), "documents"))


def test_what_is_taken_for_one(tmp_path: Path, notes: Path) -> None:
    (tmp_path / "deep" / "a" / "b").mkdir(parents=True)
    (tmp_path / "deep" / ".hidden").mkdir()
    (tmp_path / "deep" / ".hidden" / "x.md").write_text("x")
    with pytest.raises(InputError, match="in no known layout") as raised:
        identify(tmp_path / "deep", "documents")
    assert ".md .markdown .txt .rst" in str(raised.value.hint)
    (tmp_path / "deep" / "a" / "b" / "x.txt").write_text("x")
    assert identify(tmp_path / "deep", "documents")[0] is FORMAT
    # A BEIR folder with a page about itself stays one.
    (tmp_path / "deep" / "README.md").write_text("about")
    (tmp_path / "deep" / "corpus.jsonl").write_text('{"_id": "d1", "text": "one"}\n')
    assert identify(tmp_path / "deep", "documents")[0].name == "beir"
    with pytest.raises(UsageError, match="is text-folder, which holds no judgments"):
        identify(notes, "judgments")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no text"):
        list(Input(f"text-folder:{tmp_path / 'empty'}", "documents"))


@pytest.mark.parametrize("text", ["Notice is three months.\n", "Some words of prose, with a comma.\n\nAnd more.\n"])
def test_a_file_alone_is_told_to_come_with_its_folder(tmp_path: Path, text: str) -> None:
    """Four words look like a row of TREC qrels; whatever it looks like, the way out is the same."""
    path = tmp_path / "lease.md"
    path.write_text(text)
    with pytest.raises((InputError, UsageError)) as raised:
        Input(str(path), "documents")
    assert str(raised.value.hint).startswith("name the folder that it lies in")
    assert "text-folder" in str(raised.value.hint)


def test_labels_are_held_against_notes_that_are_chunked_on_the_way(tmp_path: Path, notes: Path) -> None:
    corpus = list(corpus_of(str(notes), "recursive/300"))
    assert [(chunk.doc_uri, chunk.text) for chunk in corpus][2] == ("hr/leave.MD", "Thirty days.")
    label = f'{{"query_id":"q1","doc_uri":"hr/leave.MD","relevance":1,"chunk_id":"{corpus[2].chunk_id}","chunk_text":"Thirty days."}}\n'
    (tmp_path / "labels.jsonl").write_text(label)
    found = drift(str(tmp_path / "labels.jsonl"), corpus_of(str(notes), "recursive/300"))
    assert [finding.status for finding in found.drift.findings] == ["VALID"]
