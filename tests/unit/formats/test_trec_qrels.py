from __future__ import annotations

import io
from pathlib import Path

import pytest

from irbridge.errors import InputError, InputErrors
from irbridge.formats.base import Head
from irbridge.formats.trec_qrels import FORMAT, read, write
from irbridge.model import Judgment
from irbridge.reading import Reading
from irbridge.source import Source


def labels(tmp_path: Path, data: str | bytes, reading: Reading | None = None) -> list[Judgment]:
    path = tmp_path / "x.qrels"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return list(read(Source(path), reading or Reading("qrels")))


def rows(tmp_path: Path, data: str | bytes, reading: Reading | None = None) -> list[tuple[str, str, str, int]]:
    found = labels(tmp_path, data, reading)
    return [(label.query_id, label.iteration, label.doc_uri, label.relevance) for label in found]


def problems(tmp_path: Path, data: str) -> list[tuple[int | None, str]]:
    with pytest.raises(InputErrors) as raised:
        labels(tmp_path, data)
    return [(error.line, error.message) for error in raised.value.errors]


def written(found: list[Judgment]) -> bytes:
    stream = io.BytesIO()
    assert write(found, stream) == len(found)
    return stream.getvalue()


class TestReading:
    def test_a_label_has_four_columns_and_nothing_else(self, tmp_path: Path) -> None:
        assert labels(tmp_path, "q1 0 d1 2\n") == [Judgment("q1", "d1", 2)]

    @pytest.mark.parametrize(
        "data",
        [
            b"q1\t0\ta\t1\r\nq1   0  b   0\r\n",  # field note B42
            b"\xef\xbb\xbfq1 0 a 1\nq1 0 b 0\n",  # B41
            b"q1 0 a 1\nq1 0 b 0",
            b"  q1 0 a 1  \n\tq1\v0\fb 0\n",
        ],
    )
    def test_white_space_line_ends_and_a_mark_do_not_matter(self, tmp_path: Path, data: bytes) -> None:
        assert rows(tmp_path, data) == [("q1", "0", "a", 1), ("q1", "0", "b", 0)]

    def test_ids_hold_whatever_is_no_ascii_white_space(self, tmp_path: Path) -> None:
        data = "q\u00a01 0 a\u0085b 1\nq\u2028 0 doc#1 1\n10 0 \x1c 1\n"
        assert rows(tmp_path, data) == [
            ("q\u00a01", "0", "a\u0085b", 1),
            ("q\u2028", "0", "doc#1", 1),
            ("10", "0", "\x1c", 1),
        ]

    def test_negative_grades_stay(self, tmp_path: Path) -> None:
        # B30: -1 and -2 are neither 0 nor unjudged.
        assert rows(tmp_path, "q 0 a -1\nq 0 b -2\nq 0 c 0\n") == [
            ("q", "0", "a", -1),
            ("q", "0", "b", -2),
            ("q", "0", "c", 0),
        ]

    @pytest.mark.parametrize("iteration", ["Q0", "0.5", "12", "sub#1"])
    def test_the_iteration_stays_text(self, tmp_path: Path, iteration: str) -> None:
        assert rows(tmp_path, f"q {iteration} a 1\n") == [("q", iteration, "a", 1)]

    def test_comments_and_blank_lines_are_skipped_and_said(self, tmp_path: Path) -> None:
        # B44 and B45; a comment begins at the start of a line and nowhere else.
        reading = Reading("qrels")
        data = "# note\nq1 0 doc#1 1\n\n #q 0 d 1\n# end"
        assert rows(tmp_path, data, reading) == [("q1", "0", "doc#1", 1), ("#q", "0", "d", 1)]
        assert [str(note) for note in reading.notes.values()] == [
            "2 comment lines skipped (first at line 1)",
            "1 blank line skipped (first at line 3)",
        ]
        assert (reading.rows, reading.line) == (2, 4)

    def test_lines_are_known_while_reading(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        path.write_text("q 0 a 1\n\nq 0 b 1\n# c\nq 0 c 1\n" * 5000)
        reading = Reading("qrels")
        seen = [reading.line for _ in read(Source(path), reading)]
        assert seen == [start + line for start in range(0, 25_000, 5) for line in (1, 3, 5)]
        assert reading.rows == 15_000

    def test_whole_grades_in_decimal_form_are_taken_with_a_note(self, tmp_path: Path) -> None:
        reading = Reading("qrels")
        assert rows(tmp_path, "q 0 a 1.0\nq 0 b 2.\nq 0 c -1.00\nq 0 d 3\n", reading) == [
            ("q", "0", "a", 1),
            ("q", "0", "b", 2),
            ("q", "0", "c", -1),
            ("q", "0", "d", 3),
        ]
        assert (
            str(reading.notes["integral-grades"]) == "3 grades written like 1.0 were read as integers (first at line 1)"
        )

    @pytest.mark.parametrize("grade", ["0.9", "yes", "1_000", "٣", "+1", "0x1", "1e0", "nan", "--1", "-0.0"])
    def test_a_grade_that_is_no_integer_is_refused(self, tmp_path: Path, grade: str) -> None:
        # B28: trec_eval reads 0.9 and yes as 0.
        with pytest.raises(InputErrors) as raised:
            labels(tmp_path, f"q 0 a 1\nq 0 b {grade}\n")
        (error,) = raised.value.errors
        assert (error.line, error.text) == (2, f"q 0 b {grade}")
        assert error.message == f"grade '{grade}' is not an integer"
        assert error.hint is not None

    @pytest.mark.parametrize("grade", ["9007199254740993", "-9007199254740993", "9" * 5000])
    def test_a_grade_that_no_double_can_hold_is_refused(self, tmp_path: Path, grade: str) -> None:
        ((line, message),) = problems(tmp_path, f"q 0 a {grade}\n")
        assert line == 1
        assert message.endswith("is out of range")

    def test_the_largest_grades(self, tmp_path: Path) -> None:
        found = rows(tmp_path, "q 0 a 9007199254740992\nq 0 b -9007199254740992\n")
        assert [row[3] for row in found] == [2**53, -(2**53)]

    @pytest.mark.parametrize(
        "row, count",
        [("q 0 d", "3 columns"), ("q 0 d 1 x", "5 columns"), ("q", "1 column"), ("q Q0 d 1 0.5 t", "6 columns")],
    )
    def test_other_than_four_columns_are_refused(self, tmp_path: Path, row: str, count: str) -> None:
        # B47.
        assert problems(tmp_path, f"q 0 a 1\n{row}\nq 0 b 1\n") == [
            (2, f"{count} where TREC qrels have 4 (query_id iteration doc_id relevance)")
        ]

    def test_problems_are_told_together_up_to_ten(self, tmp_path: Path) -> None:
        assert len(problems(tmp_path, "q 0 d x\n" * 3)) == 3
        assert len(problems(tmp_path, "q 0 d x\n" * 30)) == 10

    def test_bad_rows_can_be_dropped(self, tmp_path: Path) -> None:
        reading = Reading("qrels", drop_bad_rows=True)
        assert rows(tmp_path, "q 0 a 1\nq 0 b 0.9\nq 0\nq 0 c 1\n", reading) == [("q", "0", "a", 1), ("q", "0", "c", 1)]
        assert [error.line for error in reading.dropped] == [2, 3]

    def test_a_beir_file_is_called_by_its_name(self, tmp_path: Path) -> None:
        # B48.
        with pytest.raises(InputError, match="this is a BEIR qrels file") as raised:
            labels(tmp_path, "query-id\tcorpus-id\tscore\nq1\td1\t1\n")
        assert not isinstance(raised.value, InputErrors)
        assert "beir-qrels" in str(raised.value.hint)

    def test_a_header_above_four_columns_is_refused(self, tmp_path: Path) -> None:
        # B48: trec_eval takes it for a query named query-id.
        with pytest.raises(InputErrors) as raised:
            labels(tmp_path, "query-id iteration corpus-id score\nq1 0 d1 1\n")
        (error,) = raised.value.errors
        assert (error.line, error.hint) == (1, "remove the header line; TREC qrels have none")

    def test_what_is_not_utf_8_is_refused_with_its_line(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="is not UTF-8 text") as raised:
            labels(tmp_path, b"q 0 a 1\nq 0 caf\xe9 1\n")
        assert raised.value.line == 2

    @pytest.mark.parametrize(
        "name, rows_, queries",
        [
            # grep -vc ^#, and awk '{print $1}' | sort -u | wc -l.
            ("web-diversity/qrels.web.201-250.ndeval.txt", 44_814, 50),
            ("covid/qrels.covid-round1.txt", 8_691, 30),
            ("trec-eval-tests/qrels.test.with-comments", 3_681, 3),
        ],
    )
    def test_real_files(self, shared: Path, name: str, rows_: int, queries: int) -> None:
        reading = Reading("qrels")
        found = list(read(Source(shared / "data" / "trec" / name), reading))
        assert len(found) == reading.rows == rows_
        assert len({label.query_id for label in found}) == queries


class TestWriting:
    def test_rows(self) -> None:
        found = [
            Judgment("q1", "d1", 2),
            Judgment("q1", "doc", -1, chunk_id="c1:ab", iteration="3"),
            Judgment("q2", "é", 0),
        ]
        assert written(found) == "q1 0 d1 2\nq1 3 c1:ab -1\nq2 0 é 0\n".encode()

    def test_no_label_no_row(self) -> None:
        assert written([]) == b""

    @pytest.mark.parametrize(
        "label",
        [
            Judgment("q 1", "d", 1),
            Judgment("q", "my doc", 1),
            Judgment("q", "a\nb", 1),
            Judgment("q", "", 1),
            Judgment("", "d", 1),
            Judgment("#q", "d", 1),
            Judgment("\ufeffq", "d", 1),
            Judgment("q", "d\0", 1),
            Judgment("q", "d", 1, iteration=""),
            Judgment("q", "d\ud800", 1),
        ],
    )
    @pytest.mark.parametrize("before", [0, 5000])
    def test_ids_that_cannot_be_columns_are_refused(self, label: Judgment, before: int) -> None:
        with pytest.raises(InputError) as raised:
            write([*[Judgment("q", "d", 1)] * before, label], io.BytesIO())
        assert raised.value.text is not None or "empty" in raised.value.message

    def test_a_hash_inside_is_fine(self) -> None:
        assert written([Judgment("a#", "#b", 1)]) == b"a# 0 #b 1\n"

    @pytest.mark.parametrize(
        "data", ["q1 0 d1 1\nq1 0 d2 -2\nq2 Q0 d1 0\nq1 0.5 d3 4\n", "q 0 a\u00a0b 1\n", "1 1 x 1\n1 2 x 0\n"]
    )
    def test_the_way_back_gives_the_same_bytes(self, tmp_path: Path, data: str) -> None:
        assert written(labels(tmp_path, data)) == data.encode()

    @pytest.mark.parametrize("name", ["web-diversity/qrels.web.201-250.ndeval.txt", "covid/qrels.covid-complete.txt"])
    def test_a_real_file_comes_back_byte_for_byte(self, shared: Path, name: str) -> None:
        path = shared / "data" / "trec" / name
        assert written(list(read(Source(path), Reading()))) == path.read_bytes()


@pytest.mark.parametrize(
    "text, certainty",
    [
        ("q 0 d 1\n", 90),
        ("# c\nq 0 d -1\n", 90),
        ("1\t0\t7\t1\n", 90),  # MS MARCO's qrels
        ("q 0 d 1\nq 0 d\n", 50),
        ("q 0 d 0.9\n", 50),
        ("query-id it corpus-id score\nq 0 d 1\n", 50),
        ("query-id\tcorpus-id\tscore\nq\td\t1\n", 0),
        ("q Q0 d 1 0.5 t\n", 0),
        ("q\td\t1\n", 0),
        ('{"query_id": "q", "doc_uri": "d"}\n', 0),
        ("# c\n", 0),
        ("", 0),
    ],
)
def test_sniffing(text: str, certainty: int) -> None:
    lines = tuple(line for line in text.split("\n") if line)
    assert FORMAT.sniff is not None
    assert FORMAT.sniff(Head("x", start=text.encode(), lines=lines)) == certainty
