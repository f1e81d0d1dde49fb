from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from irbridge.errors import InputError, InputErrors
from irbridge.formats.beirlines import (
    document_line,
    qrels_row,
    query_line,
    query_texts,
    read_documents,
    read_queries,
    write_documents,
)
from irbridge.model import Document, Judgment, Query
from irbridge.reading import Reading
from irbridge.source import Source


def documents(tmp_path: Path, *lines: str, reading: Reading | None = None) -> list[Document]:
    path = tmp_path / "corpus.jsonl"
    path.write_bytes("".join(line + "\n" for line in lines).encode("utf-8", "surrogatepass"))
    return list(read_documents(Source(path), reading or Reading("corpus")))


class TestTitles:
    @pytest.mark.parametrize(
        "line, title, fields",
        [
            ('{"_id":"d","text":"t"}', None, {}),
            ('{"_id":"d","text":"t","title":null}', None, {"title": None}),
            ('{"_id":"d","title":"","text":"t"}', "", {}),
            ('{"_id":"d","title":"T","text":"t"}', "T", {}),
        ],
    )
    def test_missing_null_and_empty_are_three_things(
        self, tmp_path: Path, line: str, title: str | None, fields: dict[str, object]
    ) -> None:
        (found,) = documents(tmp_path, line)
        assert (found.title, dict(found.fields), found.raw) == (title, fields, line)
        # Without the line it came from, the document is still told apart in writing.
        assert json.loads(document_line(found._replace(raw=None))) == json.loads(line)


class TestDocuments:
    def test_everything_else_is_kept(self, tmp_path: Path) -> None:
        line = '{"url": "u", "_id": "d", "text": "t", "metadata": {"a": [1, {"b": null}]}, "title": "T"}'
        (found,) = documents(tmp_path, line)
        assert found.fields == {"url": "u", "metadata": {"a": [1, {"b": None}]}}

    def test_a_line_is_written_back_as_it_was(self, tmp_path: Path) -> None:
        line = '{ "text":"caf\\u00e9 \\ud83d\\ude00  ","_id":"d" ,"n":1.50, "x": [{}, null]}'
        stream = io.BytesIO()
        assert write_documents(documents(tmp_path, line, "", "   "), stream) == 1
        assert stream.getvalue() == (line + "\n").encode()

    def test_a_number_as_id_becomes_text_in_writing_too(self, tmp_path: Path) -> None:
        reading = Reading("corpus")
        (found,) = documents(tmp_path, '{"_id": 7, "text": "t"}', reading=reading)
        assert found.doc_id == "7"
        assert document_line(found) == '{"_id":"7","text":"t"}'
        assert reading.notes["int-ids-documents"].count == 1

    @pytest.mark.parametrize("line", ['{"_id":"d"}', '{"_id":"d","text":null}'])
    def test_a_document_without_text_is_noted(self, tmp_path: Path, line: str) -> None:
        reading = Reading("corpus")
        (found,) = documents(tmp_path, line, reading=reading)
        assert found.text == ""
        assert (
            str(reading.notes["textless-documents"]) == "1 document has no text; it is taken as empty (first at line 1)"
        )

    def test_lines_are_numbered_and_counted_without_blank_ones(self, tmp_path: Path) -> None:
        reading = Reading("corpus")
        documents(tmp_path, "", '{"_id":"a","text":"t"}', " ", '{"_id":"b","text":"t"}', reading=reading)
        assert (reading.line, reading.rows) == (4, 2)

    @pytest.mark.parametrize(
        "line, message",
        [
            ("{", "corpus:2: invalid JSON, expecting property name enclosed in double quotes at character 2"),
            ("[" * 100_000, "corpus:2: invalid JSON, it is nested too deeply"),
            ("[1]", "corpus:2: invalid JSON, an object is needed, not an array"),
            ('{"_id":"d","text":"t","_id":"e"}', 'corpus:2: invalid JSON, the key "_id" is given twice'),
            ('{"_id":"d","text":"t","m":{"a":1,"a":1}}', 'corpus:2: invalid JSON, the key "a" is given twice'),
            ('{"_id":"d","text":"t","n":NaN}', "corpus:2: invalid JSON, NaN is not JSON"),
            ('{"_id":"d","text":"t","n":1e400}', "corpus:2: invalid JSON, Number out of range"),
            ('{"_id":"d","text":"half \\ud800"}', "corpus:2: invalid JSON, it holds half of a surrogate pair"),
            ('{"_id":"d\\u0000","text":"t"}', 'corpus:2: "_id" holds a NUL character'),
            ('{"_id":%s,"text":"t"}' % ("1" * 5000), "corpus:2: invalid JSON, "),
            ('{"text":"t"}', 'corpus:2: there is no "_id"'),
            ('{"_id":"","text":"t"}', 'corpus:2: "_id" must be a non-empty string, not ""'),
            ('{"_id":true,"text":"t"}', 'corpus:2: "_id" must be a non-empty string, not true'),
            ('{"_id":1.0,"text":"t"}', 'corpus:2: "_id" must be a non-empty string, not 1.0'),
            ('{"_id":"\\ud800","text":"t"}', "corpus:2: invalid JSON, it holds half of a surrogate pair"),
            ('{"_id":"d","text":["t"]}', 'corpus:2: "text" must be a string or null, not ["t"]'),
            ('{"_id":"d","text":"t","title":3}', 'corpus:2: "title" must be a string or null, not 3'),
        ],
    )
    def test_an_unusable_line_is_named(self, tmp_path: Path, line: str, message: str) -> None:
        with pytest.raises(InputErrors) as raised:
            documents(tmp_path, '{"_id":"a","text":"t"}', line)
        assert str(raised.value).startswith(message)
        assert raised.value.text == line

    def test_unusable_lines_can_be_left_out(self, tmp_path: Path) -> None:
        reading = Reading("corpus", drop_bad_rows=True)
        found = documents(tmp_path, "{", '{"_id":"a","text":"t"}', reading=reading)
        assert [document.doc_id for document in found] == ["a"]
        assert [error.line for error in reading.dropped] == [1]

    @pytest.mark.parametrize("given", ["", "d\0", "\ud800"])
    def test_what_no_reader_takes_for_an_id_is_not_written(self, given: str) -> None:
        for line in (lambda: document_line(Document(given, "t")), lambda: query_line(Query(given, "t"))):
            with pytest.raises(InputError, match=r"(document|query) id (is empty|holds)"):
                line()

    def test_what_json_cannot_hold_is_refused_in_writing(self) -> None:
        with pytest.raises(InputError, match="d: cannot be written as JSON"):
            document_line(Document("d", "t", None, {"n": float("nan")}))
        with pytest.raises(InputError, match="cannot be written as JSON"):
            document_line(Document("d", "half \ud800"))


class TestQueries:
    def test_a_title_of_a_query_is_just_a_field(self, tmp_path: Path) -> None:
        path = tmp_path / "queries.jsonl"
        path.write_text('{"_id":"q","text":"t","title":"T","metadata":{}}\n')
        (found,) = read_queries(Source(path), Reading("queries"))
        assert found == Query(
            "q", "t", {"title": "T", "metadata": {}}, '{"_id":"q","text":"t","title":"T","metadata":{}}'
        )
        assert query_line(found._replace(raw=None)) == '{"_id":"q","text":"t","title":"T","metadata":{}}'

    def test_the_last_of_two_texts_counts_and_is_noted(self, tmp_path: Path) -> None:
        path = tmp_path / "queries.jsonl"
        path.write_text(
            '\ufeff{"_id":"q","text":"a"}\n{"_id":"p","text":"b"}\n{"_id":"q","text":"c"}\n{"_id":"q","text":"c"}\n'
        )
        reading = Reading("qrels/test.tsv", line=5, rows=3)
        assert query_texts(Source(path), reading) == {"q": "c", "p": "b"}
        assert (reading.label, reading.line, reading.rows) == ("qrels/test.tsv", 5, 3)
        assert {code: note.count for code, note in reading.notes.items()} == {"bom": 1, "query-texts": 1}

    def test_a_bad_line_names_its_own_file(self, tmp_path: Path) -> None:
        path = tmp_path / "queries.jsonl"
        path.write_text('{"_id":"q","text":1}\n')
        with pytest.raises(InputErrors, match=r"queries\.jsonl:1: "):
            query_texts(Source(path), Reading("qrels/test.tsv"))


class TestQrelsRow:
    @pytest.mark.parametrize(
        "label, row",
        [
            (Judgment("q 1", 'a "b" c', -2), b'q 1\ta "b" c\t-2\n'),
            (Judgment('"q"', "d\u00e9", 1), b'"""q"""\td\xc3\xa9\t1\n'),
            (Judgment("q", "document", 1, chunk_id="c1:0f"), b"q\tc1:0f\t1\n"),
        ],
    )
    def test_a_quote_at_the_start_is_quoted_and_no_other(self, label: Judgment, row: bytes) -> None:
        assert qrels_row(label) == row

    @pytest.mark.parametrize("bad", ["", "a\tb", "a\nb", "a\rb", "a\0b", "\ud800"])
    def test_an_id_that_no_row_can_hold_is_refused(self, bad: str) -> None:
        with pytest.raises(InputError):
            qrels_row(Judgment(bad, "d", 1))
        with pytest.raises(InputError):
            qrels_row(Judgment("q", bad, 1))
