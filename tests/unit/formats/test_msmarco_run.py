from __future__ import annotations

import io
from pathlib import Path

import pytest

from irbridge.errors import InputError, InputErrors
from irbridge.formats.base import Head
from irbridge.formats.msmarco_run import FORMAT, careful, read, write
from irbridge.model import Ranking
from irbridge.reading import Reading
from irbridge.source import Source


def run(tmp_path: Path, data: str, reading: Reading | None = None) -> list[Ranking]:
    path = tmp_path / "x.tsv"
    path.write_bytes(data.encode())
    return list(read(Source(path), reading or Reading("run")))


class TestReading:
    @pytest.mark.parametrize("data", ["1\t7\t1\n1\t5\t2\n2\t7\t1\n", "\ufeff1 7 1\r\n\r\n1  5 2\r\n2\t7\t1"])
    def test_rows(self, tmp_path: Path, data: str) -> None:
        assert run(tmp_path, data) == [Ranking("1", ["7", "5"], None, [1, 2]), Ranking("2", ["7"], None, [1])]

    def test_ids_are_texts(self, tmp_path: Path) -> None:
        # The script converts to int: 007 and 7 would be one passage there.
        found = run(tmp_path, "#q\t007\t1\n#q\t7\t2\n")
        assert [(ranking.query_id, ranking.doc_ids) for ranking in found] == [("#q", ["007", "7"])]

    def test_the_rank_column_gives_the_order(self, tmp_path: Path) -> None:
        reading = Reading("run")
        assert run(tmp_path, "q\tc\t3\nq\ta\t1\nq\tb\t2\n", reading) == [Ranking("q", ["a", "b", "c"], None, [1, 2, 3])]
        assert reading.notes == {}

    def test_gaps_are_noted_and_closed(self, tmp_path: Path) -> None:
        reading = Reading("run")
        assert run(tmp_path, "q\tb\t7\nq\ta\t2\nr\ta\t1\n", reading)[0] == Ranking("q", ["a", "b"], None, [2, 7])
        assert reading.notes["rank-gaps"].count == 1

    def test_two_documents_at_one_rank_are_refused(self, tmp_path: Path) -> None:
        # The script keeps the later one and forgets the other.
        with pytest.raises(InputErrors, match="query q has two documents at rank 1: a and b"):
            run(tmp_path, "q\ta\t1\nq\tb\t1\n")
        reading = Reading("run", drop_bad_rows=True)
        assert run(tmp_path, "q\ta\t1\nq\tb\t1\nq\tc\t2\n", reading) == [Ranking("q", ["a", "c"], None, [1, 2])]
        assert len(reading.dropped) == 1

    @pytest.mark.parametrize(
        "row, message",
        [
            ("q\ta\t0", "rank '0' is not a positive integer"),
            ("q\ta\t-1", "rank '-1' is not a positive integer"),
            ("q\ta\t1.0", "rank '1.0' is not a positive integer"),
            ("q\ta\tx", "rank 'x' is not a positive integer"),
            ("q\ta", "2 columns where an MS MARCO run has 3 (query_id doc_id rank)"),
            ("q\t0\ta\t1", "4 columns where an MS MARCO run has 3 (query_id doc_id rank)"),
        ],
    )
    def test_rows_that_are_refused(self, tmp_path: Path, row: str, message: str) -> None:
        with pytest.raises(InputErrors) as raised:
            run(tmp_path, f"q\tz\t9\n{row}\n")
        (error,) = raised.value.errors
        assert (error.line, error.text, error.message) == (2, row, message)
        assert error.hint is not None

    def test_a_header_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputErrors) as raised:
            run(tmp_path, "qid\tpid\trank\n1\t2\t1\n")
        assert raised.value.hint == "remove the header line; MS MARCO runs have none"

    def test_long_runs_keep_their_count(self, tmp_path: Path) -> None:
        data = "".join(f"q{row // 900}\td{row}\t{row % 900 + 1}\n" for row in range(9000))
        reading = Reading("run")
        found = run(tmp_path, data, reading)
        assert [len(ranking.doc_ids) for ranking in found] == [900] * 10
        assert found[4].doc_ids == [f"d{row}" for row in range(3600, 4500)]
        assert (reading.rows, reading.notes) == (9000, {})

    def test_the_careful_way_alone(self) -> None:
        rows = careful("q a 1\n\n#q b 3\n", 5, Reading())
        assert (rows.lines, rows.query_ids, rows.doc_ids, rows.ranks) == ([5, 7], ["q", "#q"], ["a", "b"], [1, 3])


class TestWriting:
    def test_rows_are_numbered_from_one(self) -> None:
        stream = io.BytesIO()
        assert (
            write([Ranking("q", ["a", "b"], [0.5, 0.1], [4, 9], "t"), Ranking("r", []), Ranking("#s", ["c"])], stream)
            == 3
        )
        assert stream.getvalue() == b"q\ta\t1\nq\tb\t2\n#s\tc\t1\n"

    @pytest.mark.parametrize(
        "ranking", [Ranking("a b", ["d"]), Ranking("q", ["d\t"]), Ranking("q", [""]), Ranking("", ["d"])]
    )
    def test_ids_that_cannot_be_columns_are_refused(self, ranking: Ranking) -> None:
        with pytest.raises(InputError):
            write([ranking], io.BytesIO())


@pytest.mark.parametrize(
    "text, certainty",
    [
        ("1\t7\t1\n1\t5\t2\n2\t9\t1\n", 80),
        ("1\t7\t1\n1\t5\t1\n", 30),  # these may be labels as well
        ("query-id\tcorpus-id\tscore\nq\td\t1\n", 0),
        ("1\t7\t0\n", 0),
        ("1\t0\t7\t1\n", 0),
        ("q Q0 d 1 0.5 t\n", 0),
        ('{"a": 1, 1}\n', 0),
        ("", 0),
    ],
)
def test_sniffing(text: str, certainty: int) -> None:
    lines = tuple(line for line in text.split("\n") if line)
    assert FORMAT.sniff is not None
    assert FORMAT.sniff(Head("x", start=text.encode(), lines=lines)) == certainty
