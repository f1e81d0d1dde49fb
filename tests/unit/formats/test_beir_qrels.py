from __future__ import annotations

import io
from pathlib import Path

import pytest

from irbridge.errors import InputError, InputErrors
from irbridge.formats.base import Head
from irbridge.formats.beir_qrels import FORMAT, read_judgments, write_judgments
from irbridge.model import Judgment
from irbridge.reading import Reading
from irbridge.source import Source

HEADER = "query-id\tcorpus-id\tscore\n"


def read(tmp_path: Path, text: str, reading: Reading | None = None) -> list[tuple[str, str, int]]:
    return [(label.query_id, label.doc_uri, label.relevance) for label in labels(tmp_path, text, reading)]


def labels(tmp_path: Path, text: str, reading: Reading | None = None) -> list[Judgment]:
    path = tmp_path / "test.tsv"
    path.write_bytes(text.encode())
    return list(read_judgments(Source(path), reading or Reading("qrels")))


class TestRows:
    def test_tabs_separate_and_nothing_else(self, tmp_path: Path) -> None:
        found = read(tmp_path, HEADER + "q 1\td\u00a01 'x' \"y\"\t1\n q2\t#d\t 0 \n#q3\td\t-1\n")
        assert found == [("q 1", "d\u00a01 'x' \"y\"", 1), (" q2", "#d", 0), ("#q3", "d", -1)]

    @pytest.mark.parametrize(
        "text", [HEADER + "q\td\t1\n", "\ufeff" + HEADER + "q\td\t1", (HEADER + "\nq\td\t1\n\n").replace("\n", "\r\n")]
    )
    def test_marks_line_ends_and_blank_lines_do_not_matter(self, tmp_path: Path, text: str) -> None:
        assert read(tmp_path, text) == [("q", "d", 1)]

    def test_a_repeated_row_is_left_to_the_one_place_that_decides(self, tmp_path: Path) -> None:
        assert read(tmp_path, HEADER + "q\td\t1\nq\td\t2\n") == [("q", "d", 1), ("q", "d", 2)]

    def test_lines_and_rows_are_counted(self, tmp_path: Path) -> None:
        reading = Reading("qrels")
        read(tmp_path, "# made by hand\n" + HEADER + "\nq\td\t1\nq\te\t1\n", reading)
        assert (reading.line, reading.rows, reading.notes["comments"].count) == (5, 2, 1)

    @pytest.mark.parametrize(
        "row, message",
        [
            ("q\td", "2 columns, 3 are needed"),
            ("q\td\t1\tx", "4 columns, 3 are needed"),
            ("q d 1", "no tabs in it"),
            ("\td\t1", "the query id is empty"),
            ("q\t\t1", "the document id is empty"),
            ("q\td\t", "the grade is not a number"),
            ("q\td\thigh", "the grade is not a number"),
            ("q\td\tnan", "the grade is not a number"),
            ("q\td\t1_0", "the grade is not a number"),
            ("q\td\t\u0661", "the grade is not a number"),
            ("q\td\t0.9", "the grade 0.9 is not a whole number"),
            ("q\td\t1e0", "the grade 1e0 is not a whole number"),
            ("q\td\t-0.0", "the grade -0.0 is not a whole number"),
            ("q\td\t+-1", "the grade is not a number"),
            ("q\td\t9007199254740993", "the grade 9007199254740993 is out of range"),
            ("q\td\t" + "9" * 20, "the grade 99999999999999999999 is out of range"),
            ("q\td\t-" + "9" * 200_000, "the grade -" + "9" * 36 + "... is out of range"),
            ("q\td\t0." + "9" * 200_000, "the grade 0." + "9" * 35 + "... is not a whole number"),
        ],
    )
    def test_an_unusable_row_is_named(self, tmp_path: Path, row: str, message: str) -> None:
        with pytest.raises(InputErrors) as raised:
            read(tmp_path, HEADER + "q\ta\t1\n" + row + "\n")
        assert str(raised.value).startswith("qrels:3: " + message)
        assert raised.value.text == row
        assert raised.value.hint or "empty" in message
        assert all(len(part) < 200 for part in raised.value.lines())

    def test_all_problems_are_told_together_or_dropped(self, tmp_path: Path) -> None:
        text = HEADER + "q\td\t0.5\nq\ta\t1\nq\te\n"
        with pytest.raises(InputErrors) as raised:
            read(tmp_path, text)
        assert [error.line for error in raised.value.errors] == [2, 4]
        assert read(tmp_path, text, Reading(drop_bad_rows=True)) == [("q", "a", 1)]

    def test_a_whole_fraction_is_read_and_noted(self, tmp_path: Path) -> None:
        reading = Reading("qrels")
        assert read(tmp_path, HEADER + "q\td\t1.0\nq\te\t-2.\nq\tf\t+3\n", reading) == [
            ("q", "d", 1),
            ("q", "e", -2),
            ("q", "f", 3),
        ]
        assert str(reading.notes["whole-grades"]) == "2 grades such as 1.0 are read as whole numbers (first at line 2)"


class TestQuotes:
    def test_a_row_that_csv_quoted_in_full_is_unquoted_and_noted(self, tmp_path: Path) -> None:
        reading = Reading("qrels")
        assert read(tmp_path, HEADER + '"q ""1"""\td\t"1"\n"a\tb"\td\t1\n', reading) == [
            ('q "1"', "d", 1),
            ("a\tb", "d", 1),
        ]
        assert reading.notes["csv-quotes"].count == 2

    @pytest.mark.parametrize("query_id", ['"q', '"a" b', '"'])
    def test_a_lone_quote_at_the_start_belongs_to_the_id(self, tmp_path: Path, query_id: str) -> None:
        reading = Reading("qrels")
        assert read(tmp_path, f"{HEADER}{query_id}\td\t1\nq2\td\t1\n", reading) == [(query_id, "d", 1), ("q2", "d", 1)]
        assert reading.notes["stray-quotes"].count == 1


class TestHeaders:
    @pytest.mark.parametrize(
        "header",
        [
            "query-id\tcorpus-id\tscore",
            "Query_ID\tCorpus_ID\tScore",
            "qid\tdocid\trelevance",
            '"query-id"\t"corpus-id"\t"score"',
            "query\tdoc-id\tlabel",
        ],
    )
    def test_names_may_vary(self, tmp_path: Path, header: str) -> None:
        reading = Reading("qrels")
        assert read(tmp_path, header + "\nq\td\t2\n", reading) == [("q", "d", 2)]
        assert reading.notes == {}

    def test_columns_go_by_their_names(self, tmp_path: Path) -> None:
        assert read(tmp_path, "score\tcorpus-id\tquery-id\n2\td\tq\n") == [("q", "d", 2)]

    def test_further_columns_are_kept(self, tmp_path: Path) -> None:
        text = "query-id\tquery\titeration\tcorpus-id\tscore\tsource\nq\twhat is it\t3\td\t1\tpool\nq\t\t\te\t0\t\n"
        assert labels(tmp_path, text) == [
            Judgment("q", "d", 1, query="what is it", iteration="3", extra={"source": "pool"}),
            Judgment("q", "e", 0, extra={"source": ""}),
        ]

    def test_a_file_without_one_keeps_its_first_row(self, tmp_path: Path) -> None:
        reading = Reading("qrels")
        assert read(tmp_path, "q\td\t1\nq\te\t0\n", reading) == [("q", "d", 1), ("q", "e", 0)]
        assert "BEIR's own loader would take the first row" in str(reading.notes["headerless"])

    def test_trec_qrels_are_named_once(self, tmp_path: Path) -> None:
        for separator in (" ", "\t"):
            with pytest.raises(InputError, match="TREC qrels") as raised:
                read(tmp_path, f"q{separator}0{separator}d{separator}1\n" * 20)
            assert raised.value.line == 1
            assert raised.value.hint == f"trec-qrels:{tmp_path / 'test.tsv'}"

    @pytest.mark.parametrize("first", ["a\tb\tc", "query-id\tcorpus-id", "q d 1", '{"query_id": "q"}'])
    def test_a_first_line_that_is_neither_is_refused(self, tmp_path: Path, first: str) -> None:
        with pytest.raises(InputError, match=r"test\.tsv:1: neither a header of BEIR qrels nor a row"):
            read(tmp_path, first + "\nq\td\t1\n")


class TestWriting:
    def test_a_well_formed_file_comes_back_to_the_byte(self, tmp_path: Path) -> None:
        text = HEADER + 'q 1\tit\'s "d"\t2\nq 1\te\t-1\n\u00e9\td\t0\n'
        stream = io.BytesIO()
        assert write_judgments(labels(tmp_path, text), stream) == 3
        assert stream.getvalue() == text.encode()


class TestSniffing:
    @pytest.mark.parametrize(
        "text, certainty",
        [
            (HEADER + "q\td\t1\n", 95),
            ("# x\nQID\tPID\tREL\n", 95),
            ("query-id\titeration\tcorpus-id\tscore\nq\t0\td\t1\n", 95),
            ("q\td\t1\nq\te\t0.5\n", 40),
            ("q\t0\td\t1\n", 0),
            ("q 0 d 1\n", 0),
            ("q\td\t1\nq\td\thigh\n", 0),
            ("\n", 0),
        ],
    )
    def test_certainty(self, tmp_path: Path, text: str, certainty: int) -> None:
        path = tmp_path / "x.tsv"
        path.write_text(text)
        assert FORMAT.sniff is not None
        assert FORMAT.sniff(Head.of(Source(path))) == certainty

    def test_a_folder_is_none(self, tmp_path: Path) -> None:
        assert FORMAT.sniff is not None
        assert FORMAT.sniff(Head.of(Source(tmp_path))) == 0
