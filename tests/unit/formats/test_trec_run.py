from __future__ import annotations

import io
import math
from pathlib import Path

import pytest

from irbridge.errors import InputError, InputErrors
from irbridge.formats.base import Head
from irbridge.formats.trec_run import FORMAT, careful, read, write
from irbridge.model import Ranking
from irbridge.reading import Reading
from irbridge.source import Source


def run(tmp_path: Path, data: str | bytes, reading: Reading | None = None) -> list[Ranking]:
    path = tmp_path / "x.run"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    found = read(Source(path), reading or Reading("run"))
    return [ranking._replace(ranks=None if ranking.ranks is None else list(ranking.ranks)) for ranking in found]


def problems(tmp_path: Path, data: str) -> list[InputError]:
    with pytest.raises(InputErrors) as raised:
        run(tmp_path, data)
    return raised.value.errors


def written(found: list[Ranking]) -> str:
    stream = io.BytesIO()
    assert write(found, stream) == sum(len(ranking.doc_ids) for ranking in found)
    return stream.getvalue().decode()


class TestReading:
    @pytest.mark.parametrize(
        "data",
        [
            "q1 Q0 a 1 9.5 t\nq1 Q0 b 2 8.25 t\nq2 Q0 a 1 0.5 t\n",
            "\ufeffq1\tQ0\ta\t1\t9.5\tt\r\nq1 Q0  b 2 8.25 t\r\nq2 0 a 1 .5 t\r",
            "\n# c\nq1 Q0 a 1 9.5 t\n\nq1 Q0 b 2 8.25 t\n# c\nq2 Q0 a 1 5e-1 t",
        ],
    )
    def test_neighbouring_rows_of_a_query_are_one_ranking(self, tmp_path: Path, data: str) -> None:
        assert run(tmp_path, data) == [
            Ranking("q1", ["a", "b"], [9.5, 8.25], [1, 2], "t"),
            Ranking("q2", ["a"], [0.5], [1], "t"),
        ]

    def test_a_query_that_comes_back_gives_a_further_ranking(self, tmp_path: Path) -> None:
        found = run(tmp_path, "q1 Q0 a 1 9.5 t\nq2 Q0 a 1 9.5 t\nq1 Q0 b 2 8.5 t\n")
        assert [(ranking.query_id, ranking.doc_ids) for ranking in found] == [
            ("q1", ["a"]),
            ("q2", ["a"]),
            ("q1", ["b"]),
        ]

    def test_the_order_is_the_file_s_and_the_rank_column_is_kept(self, tmp_path: Path) -> None:
        # B06: the ranks contradict the scores; the reader decides nothing.
        assert run(tmp_path, "q1 Q0 a 1 0.1 t\nq1 Q0 b 2 0.9 t\n") == [
            Ranking("q1", ["a", "b"], [0.1, 0.9], [1, 2], "t")
        ]

    @pytest.mark.parametrize("rank", ["-", "1.5", "x", "9007199254740993"])
    def test_ranks_that_are_no_integers_are_left_out(self, tmp_path: Path, rank: str) -> None:
        found = run(tmp_path, f"q1 Q0 a {rank} 2.5 t\nq1 Q0 b 2 1.5 t\nq2 Q0 b 7 1.5 t\n")
        assert [ranking.ranks for ranking in found] == [None, [7]]

    @pytest.mark.parametrize("ranks", [[0, 1, 2], [5, 3, 9], [-1, 0, 1], [1, 1, 1]])
    def test_any_integers_are_ranks(self, tmp_path: Path, ranks: list[int]) -> None:
        data = "".join(f"q Q0 d{number} {rank} 1.5 t\n" for number, rank in enumerate(ranks))
        assert run(tmp_path, data)[0].ranks == ranks

    def test_scores(self, tmp_path: Path) -> None:
        texts = ["1.2e1", "9.5", "+3.5", "-2E-3", ".5", "5.", "7", "0"]
        data = "".join(f"q Q0 d{number} {number} {text} t\n" for number, text in enumerate(texts, 1))
        found = run(tmp_path, data)[0].scores
        assert found == [12.0, 9.5, 3.5, -0.002, 0.5, 5.0, 7, 0]
        # Written as an integer, kept as one: it is written back without a point.
        assert [type(score) for score in found] == [float] * 6 + [int] * 2

    @pytest.mark.parametrize(
        "score, message",
        [
            ("high", "score 'high' is not a number"),  # B53: 0 to trec_eval
            ("1,9", "score '1,9' is not a number"),
            ("0x10", "score '0x10' is not a number"),
            ("1_0", "score '1_0' is not a number"),
            ("٣", "score '٣' is not a number"),
            ("1.2.3", "score '1.2.3' is not a number"),
            ("nan", "score 'nan' is not a number"),
            ("-NaN", "score '-NaN' is not a number"),
            ("inf", "score 'inf' is infinite"),
            ("-Infinity", "score '-Infinity' is infinite"),
            ("1e999", "score '1e999' is too large for a double"),
        ],
    )
    def test_scores_that_are_refused(self, tmp_path: Path, score: str, message: str) -> None:
        (error,) = problems(tmp_path, f"q Q0 a 1 9.5 t\nq Q0 b 2 {score} t\n")
        assert (error.line, error.message, error.text) == (2, message, f"q Q0 b 2 {score} t")
        assert error.hint is not None

    def test_infinite_scores_where_they_are_allowed(self, tmp_path: Path) -> None:
        data = "q Q0 a 1 inf t\nq Q0 b 2 0.5 t\nq Q0 c 3 -Infinity t\n"
        assert run(tmp_path, data, Reading(allow_infinite=True))[0].scores == [math.inf, 0.5, -math.inf]

    @pytest.mark.parametrize("score", ["nan", "1e999", "x"])
    def test_what_is_refused_even_there(self, tmp_path: Path, score: str) -> None:
        with pytest.raises(InputErrors):
            run(tmp_path, f"q Q0 a 1 {score} t\n", Reading(allow_infinite=True))

    @pytest.mark.parametrize(
        "row, hint",
        [
            ("q Q0 a 1 0.5", "the last column, the run's tag, may be missing; give every row one"),  # B47
            ("q 0 a 1", "these may be qrels (trec-qrels)"),
            ("q a 1", "a file of query, document and rank is msmarco-run"),
            ("q", "the columns are query_id Q0 doc_id rank score tag"),
            # An id that holds a space, not a tag that does: the rank is not where it should be.
            (
                "q Q0 my doc 1 0.5 t",
                "does an id hold a space? run (JSON lines), beir-qrels and parquet can hold such ids",
            ),
        ],
    )
    def test_other_than_six_columns_are_refused(self, tmp_path: Path, row: str, hint: str) -> None:
        (error,) = problems(tmp_path, f"q Q0 a 1 9.5 t\n{row}\n")
        assert (error.line, error.text, error.hint) == (2, row, hint)
        assert "where a TREC run has 6" in error.message

    def test_a_tag_of_several_words_is_taken_and_noted(self, tmp_path: Path) -> None:
        reading = Reading("run")
        assert run(tmp_path, "q Q0 a 1 9.5 my  best run\nq Q0 b 2 8.5 my best run\n", reading) == [
            Ranking("q", ["a", "b"], [9.5, 8.5], [1, 2], "my best run")
        ]
        assert reading.notes["wide-tags"].count == 2
        assert "mixed-tags" not in reading.notes

    def test_rankings_with_several_tags_are_noted(self, tmp_path: Path) -> None:
        reading = Reading("run")
        found = run(tmp_path, "q Q0 a 1 9.5 s\nq Q0 b 2 8.5 t\nr Q0 b 2 8.5 t\n", reading)
        assert [ranking.tag for ranking in found] == ["s", "t"]
        assert str(reading.notes["mixed-tags"]).startswith("1 ranking carries more than one run tag")

    def test_a_header_is_refused(self, tmp_path: Path) -> None:
        (error,) = problems(tmp_path, "query_id Q0 doc_id rank score tag\nq Q0 a 1 9.5 t\n")
        assert (error.line, error.hint) == (1, "remove the header line; TREC runs have none")

    def test_bad_rows_can_be_dropped(self, tmp_path: Path) -> None:
        reading = Reading("run", drop_bad_rows=True)
        found = run(tmp_path, "q Q0 a 1 9.5 t\nq Q0 b 2 nan t\nq Q0 c 3 7.5 t\n", reading)
        assert found == [Ranking("q", ["a", "c"], [9.5, 7.5], [1, 3], "t")]
        assert [error.line for error in reading.dropped] == [2]
        assert reading.rows == 2

    def test_rows_and_first_lines_are_counted_across_blocks(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        path.write_text("".join(f"q{row // 700} Q0 d{row} {row % 700} {-row}.5 t\n" for row in range(10_000)))
        reading = Reading("run")
        seen = [(ranking, reading.line) for ranking in read(Source(path), reading)]
        assert [line for _, line in seen] == list(range(1, 10_000, 700))
        assert [len(ranking.doc_ids) for ranking, _ in seen] == [700] * 14 + [200]
        assert seen[3][0].doc_ids == [f"d{row}" for row in range(2100, 2800)]
        assert list(seen[3][0].ranks or ()) == list(range(700))
        assert seen[3][0].scores == [-row - 0.5 for row in range(2100, 2800)]
        assert reading.rows == 10_000

    def test_the_careful_way_alone(self) -> None:
        reading = Reading("run")
        rows = careful("# c\nq Q0 a 1 9.5 t u\n\nq Q0 b x 8.5 t\n", 11, reading)
        assert (rows.lines, rows.query_ids, rows.doc_ids) == ([12, 14], ["q", "q"], ["a", "b"])
        assert (rows.ranks, rows.scores, rows.tags) == ([1, None], [9.5, 8.5], ["t u", "t"])

    def test_a_column_too_many_that_moves_the_rank_is_an_id_with_a_space(self) -> None:
        reading = Reading("run", drop_bad_rows=True)
        assert careful("q Q0 my doc 2 0.5 t\n", 1, reading).doc_ids == []
        assert "space" in (reading.dropped[0].hint or "")

    @pytest.mark.parametrize(
        "name, rows, queries",
        [
            # wc -l, and awk '{print $1}' | sort -u | wc -l.
            ("dl-hard/doc/bm25+rm3+electra-mp.run", 50_000, 50),
            ("trec-eval-tests/results.test", 1_500, 3),
            ("web2012/runs/2012-ql-catb.run", 49_413, 50),
        ],
    )
    def test_real_files(self, shared: Path, name: str, rows: int, queries: int) -> None:
        reading = Reading("run")
        found = list(read(Source(shared / "data" / "trec" / name), reading))
        assert (reading.rows, len(found)) == (rows, queries)


class TestWriting:
    def test_rows_are_numbered_from_one(self) -> None:
        assert written([Ranking("q", ["a", "b"], [9.5, 8], [3, 9], "t"), Ranking("r", ["c"], [1e-7])]) == (
            "q Q0 a 1 9.5 t\nq Q0 b 2 8 t\nr Q0 c 1 1e-07 irbridge\n"
        )

    def test_without_scores_they_fall_strictly(self) -> None:
        assert written([Ranking("q", ["a", "b", "c"])]) == (
            "q Q0 a 1 3 irbridge\nq Q0 b 2 2 irbridge\nq Q0 c 3 1 irbridge\n"
        )

    def test_an_empty_ranking_has_no_row(self) -> None:
        assert (
            written([Ranking("q", []), Ranking("r", [], []), Ranking("s", ["a"], [1.5], None, "t")])
            == "s Q0 a 1 1.5 t\n"
        )

    def test_a_tag_stays_on_its_line(self) -> None:
        assert written([Ranking("q", ["a"], [1.5], None, " my\n best\trun ")]) == "q Q0 a 1 1.5 my best run\n"
        assert written([Ranking("q", ["a"], [1.5], None, "")]) == "q Q0 a 1 1.5 irbridge\n"

    @pytest.mark.parametrize("doc_id", ["my doc", "", "a\tb", "a\n", "a\0", "\r", "a\ud800"])
    def test_document_ids_that_cannot_be_columns(self, doc_id: str) -> None:
        with pytest.raises(InputError, match="query q: ") as raised:
            write([Ranking("q", ["fine", doc_id, "fine"], [3.5, 2.5, 1.5], None, "a b")], io.BytesIO())
        assert raised.value.text is not None or "empty" in raised.value.message

    @pytest.mark.parametrize("query_id", ["q 1", "", "#q", "\ufeffq"])
    def test_query_ids_that_cannot_be_columns(self, query_id: str) -> None:
        with pytest.raises(InputError):
            write([Ranking(query_id, ["d"], [1.5])], io.BytesIO())

    def test_nan_is_not_written(self) -> None:
        with pytest.raises(InputError, match="query q: a score is NaN"):
            write([Ranking("q", ["a", "b"], [1.5, math.nan])], io.BytesIO())

    @pytest.mark.parametrize(
        "data",
        [
            "q1 Q0 a 1 9.5 t\nq1 Q0 b 2 9.5 t\nq2 Q0 a 1 -1e-07 u\n",
            "q Q0 a 1 24 t\nq Q0 b 2 13 t\n",
            "q Q0 a 1 24.0 t\nq Q0 b 2 13 t\nq Q0 c 3 -0.0 t\n",
            "q Q0 a 1 1e+22 two words\n",
        ],
    )
    def test_the_way_back_gives_the_same_bytes(self, tmp_path: Path, data: str) -> None:
        assert written(run(tmp_path, data)) == data

    def test_a_real_file_comes_back_byte_for_byte(self, shared: Path) -> None:
        path = shared / "data" / "trec" / "dl-hard" / "doc" / "bm25+rm3+electra-mp.run"
        assert written(list(read(Source(path), Reading()))) == path.read_text()


@pytest.mark.parametrize(
    "text, certainty",
    [
        ("q Q0 d 1 0.5 t\n", 90),
        ("q\t0\td\t1\t-5\tmy tag\n", 90),
        ("# c\nq Q0 d 1 nan t\n", 90),
        ("q Q0 d 1 0.5\n", 50),
        ("q Q0 d 1 high t\n", 50),
        ("q Q0 d 1 0.5 t\nq Q0 d 1 0.5\n", 50),
        ("1 clueweb-1 0 0 1\n", 0),  # prels
        ("q 0 d 1\n", 0),
        ("query-id\tcorpus-id\tscore\nq\td\t1\n", 0),
        ('{"query_id": "q", "ranking": ["a", "b", "c"]}\n', 0),
        ("", 0),
    ],
)
def test_sniffing(text: str, certainty: int) -> None:
    lines = tuple(line for line in text.split("\n") if line)
    assert FORMAT.sniff is not None
    assert FORMAT.sniff(Head("x", start=text.encode(), lines=lines)) == certainty
