"""Field notes B41 to B53 and B64: bytes, lines, columns, and the values in them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

import irbridge

BOM = b"\xef\xbb\xbf"
PLAIN_RUN = "q1 Q0 a 1 2 t / q2 Q0 c 1 1 t"


# -------------------------------------------------------------------------------------------------------- B41 to B44


@pytest.mark.parametrize("convention", ["trec_eval-9", "trec_eval-10", "ir_measures"])
def test_b41_a_byte_order_mark_is_no_part_of_the_first_id(note: Any, convention: str) -> None:
    """trec_eval loses the first query: num_q 1, map 0. With it map is (1 + 0) / 2."""
    note.bytes("a.qrels", BOM + b"q1 0 a 1\nq2 0 b 1\n")
    note.run(PLAIN_RUN)
    assert note.score("map num_q", convention=convention) == {"map": 0.5, "num_q": 2}
    assert "a.qrels: a byte order mark at the start was dropped" in " ".join(note.scored("map").out.split())


def test_b41_in_a_run_and_in_jsonl_too(note: Any) -> None:
    note.qrels("q1 0 a 1 / q2 0 b 1")
    note.bytes("a.run", BOM + b"q1 Q0 a 1 2 t\nq2 Q0 c 1 1 t\n")
    assert note.score("map num_q") == {"map": 0.5, "num_q": 2}
    note.bytes("a.run", BOM + b'{"query_id":"q1","ranking":["a"]}\n{"query_id":"q2","ranking":["c"]}\n')
    assert note.score("map num_q") == {"map": 0.5, "num_q": 2}


def test_b42_line_ends_tabs_and_repeated_spaces(note: Any) -> None:
    note.bytes("a.qrels", b"q1\t0\ta\t1\r\nq1   0  b   0\r\n")
    note.bytes("a.run", b"q1\tQ0  a \t1\t2.5\tmy-tag\r\n  q1 Q0 b 2 1.5 my-tag \r\n")
    assert note.score("map num_rel num_ret") == {"map": 1.0, "num_rel": 1, "num_ret": 2}
    (ranking,) = irbridge.load("a.run", "run")
    assert (ranking.tag, list(ranking.doc_ids), list(ranking.scores)) == ("my-tag", ["a", "b"], [2.5, 1.5])
    assert [(label.doc_uri, label.relevance) for label in irbridge.load("a.qrels")] == [("a", 1), ("b", 0)]


@pytest.mark.parametrize("space", ["\u00a0", "\u0085", "\u2028", "\u3000", "\x1c"])
def test_b42_only_ascii_white_space_splits(note: Any, space: str) -> None:
    """Python's bare split() would see five columns."""
    note.bytes("a.qrels", f"q1 0 a{space}b 1\n".encode())
    note.bytes("a.run", f"q1 Q0 a{space}b 1 2 t\n".encode())
    assert note.score("map") == {"map": 1.0}


def test_b44_blank_lines(note: Any) -> None:
    """trec_eval skips them in runs and calls them malformed in qrels; here they are skipped in both, in qrels noted."""
    note.bytes("a.qrels", b"q1 0 a 1\n\nq2 0 b 1\n")
    note.bytes("a.run", b"q1 Q0 a 1 2 t\n\n \t \nq2 Q0 c 1 1 t\n")
    assert note.score("map num_q") == {"map": 0.5, "num_q": 2}
    assert "1 blank line" in " ".join(note.scored("map").out.split())


def test_b44_the_line_that_is_named_counts_blank_ones(note: Any) -> None:
    note.bytes("a.qrels", b"q1 0 a 1\n\n\nq2 0 b\n")
    note.run(PLAIN_RUN)
    assert "a.qrels:4: 3 columns" in note.scored("map").err


def test_b44_no_newline_at_the_end(note: Any) -> None:
    note.bytes("a.qrels", b"q1 0 a 1\nq2 0 b 1")
    note.bytes("a.run", b"q1 Q0 a 1 2 t\nq2 Q0 b 1 1 t")
    assert note.score("map num_rel") == {"map": 1.0, "num_rel": 2}


# -------------------------------------------------------------------------------------------------------- B45 to B48


def test_b45_comments_and_ids_that_hold_the_sign(note: Any) -> None:
    note.bytes("a.qrels", b"# note\nq1 0 doc#1 1\n# end")
    note.bytes("a.run", b"# my run\nq1 Q0 doc#1 1 2 t\n#q2 Q0 x 1 1 t\n")
    assert note.score("map num_q") == {"map": 1.0, "num_q": 1}
    said = " ".join(note.scored("map").out.split())
    assert "a.qrels: 2 comment lines skipped (first at line 1)" in said
    assert "a.run: 2 comment lines skipped (first at line 1)" in said


def test_b45_a_query_id_that_begins_with_the_sign_is_not_written_where_it_would_vanish(note: Any) -> None:
    note.bytes("a.jsonl", b'{"query_id":"#q1","doc_uri":"a","relevance":1}\n')
    done = note.command("convert", "a.jsonl", "--to", "trec-qrels", "-o", "out.qrels")
    assert done.code == 2
    assert "#q1" in done.err
    assert not (note.folder / "out.qrels").exists()
    assert irbridge.score("a.jsonl", {"#q1": ["a"]}, "AP").aggregates() == {"AP": 1.0}


@pytest.mark.parametrize(
    "name, row, said",
    [
        ("a.qrels", "q3 0 a", "3 columns where TREC qrels have 4"),
        ("a.qrels", "q3 0 a b 1", "5 columns where TREC qrels have 4"),
        ("a.run", "q3 Q0 a 1 0.5", "5 columns where a TREC run has 6"),
        ("a.run", "q3 Q0 a", "3 columns where a TREC run has 6"),
    ],
)
def test_b47_the_wrong_number_of_columns(note: Any, name: str, row: str, said: str) -> None:
    note.qrels("q1 0 a 1 / q2 0 b 1")
    note.run(PLAIN_RUN)
    with (note.folder / name).open("a") as stream:
        stream.write(f"{row}\n")
    done = note.scored("map")
    assert done.code == 2
    assert f"{name}:3: {said}" in done.err
    assert row in done.err


def test_b47_a_tag_of_several_words_and_any_second_column(note: Any) -> None:
    """trec_eval ignores the rest of the line; column 2 is of no matter to anybody here."""
    note.qrels("q1 Q0 a 1 / q1 7 b 0")
    note.run("q1 0 a 1 0.5 my best run / q1 xx b 2 0.4 my best run")
    assert note.score("map") == {"map": 1.0}
    (ranking,) = irbridge.load("a.run", "run")
    assert ranking.tag == "my best run"


BEIR = b"query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\tb\t1\n"


def test_b48_beir_labels_are_told_by_their_header(note: Any) -> None:
    note.bytes("a.qrels", BEIR)
    note.run(PLAIN_RUN)
    assert note.score("map num_q num_rel") == {"map": 0.5, "num_q": 2, "num_rel": 2}
    assert [each["format"] for each in note.report("map")["inputs"]] == ["beir-qrels", "trec-run"]


def test_b48_and_refused_by_a_reader_of_trec_files(note: Any) -> None:
    note.bytes("a.tsv", BEIR)
    note.run(PLAIN_RUN)
    done = note.command("score", "--judgments", "trec-qrels:a.tsv", "--run", "a.run", "-m", "map")
    assert done.code == 2
    assert "a.tsv:1: this is a BEIR qrels file" in done.err
    assert "beir-qrels:a.tsv" in done.err


def test_b48_the_reverse(note: Any) -> None:
    note.qrels("q1 0 a 1 / q2 0 b 1")
    note.run(PLAIN_RUN)
    done = note.command("score", "--judgments", "beir-qrels:a.qrels", "--run", "a.run", "-m", "map")
    assert done.code == 2
    assert "a.qrels:1" in done.err
    assert "trec-qrels" in done.err


def test_b48_a_header_over_four_columns_is_no_query(note: Any) -> None:
    """trec_eval takes it for a query with one document of grade 0, which drags the mean from 1.0 to 0.5."""
    note.qrels("query-id iteration corpus-id score / q1 0 a 1")
    note.run("q1 Q0 a 1 1 t")
    done = note.scored("map", "--missing", "zero")
    assert done.code == 2
    assert "a.qrels:1" in done.err
    assert "remove the header line" in done.err


def test_b48_a_header_with_numbers_in_it_is_named_wherever_it_is_read(note: Any) -> None:
    """trec_eval -c: map 0.5 here, where the one query that was asked has 1.0; the row stays, for rows in are rows out."""
    note.qrels("query-id 0 corpus-id 0 / q1 0 a 1")
    note.run("q1 Q0 a 1 1 t")
    words = "1 row looks like the header of another format; read as a label, as trec_eval does (first at line 1)"
    scored = note.command("score", "--judgments", "a.qrels", "--run", "a.run", "-m", "AP", "--json")
    assert json.loads(scored.out)["metrics"]["AP"]["value"] == 0.5
    assert words in scored.out
    assert words in note.command("validate", "--judgments", "a.qrels", "--json").out
    assert "2 in, 2 out" in note.command("convert", "a.qrels", "--to", "judgments", "-o", "o.jsonl").out
    # A query may have any name further on.
    note.qrels("q1 0 a 1 / query 0 a 1")
    assert "header" not in note.command("validate", "--judgments", "a.qrels", "--json").out


def test_b48_no_row_is_dropped_for_want_of_a_header(note: Any) -> None:
    """BEIR's loader drops the first row unseen, whatever it holds."""
    note.bytes("a.qrels", BEIR.partition(b"\n")[2])
    note.run(PLAIN_RUN)
    named = note.command("score", "--judgments", "beir-qrels:a.qrels", "--run", "a.run", "-m", "num_rel", "--json")
    assert named.code == 0, named.err
    assert json.loads(named.out)["metrics"]["num_rel"]["value"] == 2


def test_b48_rows_in_are_rows_out_and_the_formats_are_named(note: Any) -> None:
    note.bytes("a.tsv", BEIR)
    done = note.command("convert", "a.tsv", "--to", "trec-qrels", "-o", "out.qrels")
    assert done.code == 0
    assert "beir-qrels to trec-qrels" in done.out + done.err
    assert "2 in, 2 out" in done.out + done.err
    assert (note.folder / "out.qrels").read_bytes() == b"q1 0 a 1\nq2 0 b 1\n"


# --------------------------------------------------------------------------------------------------------------- B51


def test_b51_ids_and_numbers_of_other_types() -> None:
    import numpy as np

    expected = {"AP": 1.0, "num_rel": 1}
    assert irbridge.score({1: {10: 1, 11: 0}}, {1: {10: 2.0, 11: 1.0}}, "AP num_rel").aggregates() == expected
    assert irbridge.score({"1": {"10": 1}}, {1: {10: 2.0}}, "AP num_rel").aggregates() == expected
    for one, two in ((np.int64(1), np.float32(2.0)), (np.int8(1), np.float64(2.0)), (1.0, 2)):
        assert irbridge.score({"q": {"a": one}}, {"q": {"a": two}}, "AP num_rel").aggregates() == expected
    assert irbridge.score({"q": {np.str_("a"): 1}}, {"q": {"a": 1}}, "AP num_rel").aggregates() == expected


@pytest.mark.parametrize("bad", [None, "high", float("nan"), float("inf"), [1.0]])
def test_b51_what_cannot_be_a_score_is_named_with_its_place(bad: object) -> None:
    with pytest.raises(irbridge.InputError, match="query q7, document d3: "):
        irbridge.score({"q7": {"d1": 1}}, {"q7": {"d1": 2.0, "d3": bad}}, "AP")


@pytest.mark.parametrize("bad", [None, "1.5", 1.5, float("nan"), [1]])
def test_b51_what_cannot_be_a_grade_is_named_with_its_place(bad: object) -> None:
    with pytest.raises(irbridge.InputError, match="query q7, document d3: "):
        irbridge.score({"q7": {"d1": 1, "d3": bad}}, {"q7": {"d1": 2.0}}, "AP")


@pytest.mark.parametrize("bad", [None, 1.5, b"d1", ("d", 1), ""])
def test_b51_what_cannot_be_an_id_is_named(bad: object) -> None:
    with pytest.raises(irbridge.InputError, match="query"):
        irbridge.score({"q7": {"d1": 1}}, {"q7": {bad: 1.0}}, "AP")
    with pytest.raises(irbridge.InputError, match="query"):
        irbridge.score({"q7": {"d1": 1}}, {bad: {"d1": 1.0}}, "AP")


# --------------------------------------------------------------------------------------------------------------- B53


@pytest.mark.parametrize("convention", ["trec_eval-9", "trec_eval-10"])
def test_b53_scientific_notation(note: Any, convention: str) -> None:
    note.qrels("q1 0 a 1")
    note.run("a 1.2e1, b 9.5")
    assert note.score("RR", convention=convention) == {"RR": 1.0}


def test_b53_negative_scores_are_scores(note: Any) -> None:
    note.qrels("q1 0 a 1")
    note.run("a -0.5, b -1.5")
    assert note.score("RR") == {"RR": 1.0}


def test_b53_infinite_scores_need_a_word(note: Any) -> None:
    note.qrels("q1 0 a 1")
    note.run("a -inf, b inf, c 0")
    done = note.scored("RR")
    assert done.code == 2
    assert "a.run:1: score '-inf' is infinite" in done.err
    assert "a.run:2: score 'inf' is infinite" in done.err
    assert "--allow-infinite" in done.err


def test_b53_and_then_count_as_what_they_are(note: Any) -> None:
    """b, c, a: RR 1/3."""
    note.qrels("q1 0 a 1")
    note.run("a -inf, b inf, c 0")
    run = irbridge.load("a.run", "run")
    run.reading.allow_infinite = True
    assert irbridge.score("a.qrels", run, "RR").aggregates() == {"RR": 1 / 3}
    # By the command: into a run whose ranks say the same, with finite scores.
    done = note.command(
        "convert", "a.run", "--to", "msmarco-run", "--allow-infinite", "--order", "score", "-o", "b.tsv"
    )
    assert done.code == 0, done.err
    assert irbridge.score("a.qrels", "b.tsv", "RR").aggregates() == {"RR": 1 / 3}


@pytest.mark.parametrize("relevant", ["a", "z"])
@pytest.mark.parametrize("nan", ["nan", "NaN", "-nan"])
def test_b53_nan_has_no_rank(note: Any, relevant: str, nan: str) -> None:
    """trec_eval puts it last for document a and first for document z."""
    note.qrels(f"q1 0 {relevant} 1")
    note.run(f"{relevant} {nan}, b .5, c .4")
    done = note.scored("RR")
    assert done.code == 2
    assert f"a.run:1: score '{nan}' is not a number" in done.err


@pytest.mark.parametrize(
    "run, line, score",
    [
        ("a high, b -1", 1, "high"),
        ("q1 Q0 a 1 1,9 t / q1 Q0 b 2 1,2 t", 1, "1,9"),
        ("b 1, a 0x10", 2, "0x10"),
        ("b 1, a 1_0", 2, "1_0"),
    ],
)
def test_b53_a_text_is_no_score(note: Any, run: str, line: int, score: str) -> None:
    """C's atof reads high as 0 and 1,9 as 1, silently."""
    note.qrels("q1 0 a 1")
    if "/" in run:
        note.bytes("a.run", "".join(f"{row.strip()}\n" for row in run.split(" / ")).encode())
    else:
        note.run(run)
    done = note.scored("RR")
    assert done.code == 2
    assert f"a.run:{line}: score '{score}' is not a number" in done.err
    assert "," not in score or "write a decimal point" in done.err


# --------------------------------------------------------------------------------------------------------------- B64


@pytest.mark.parametrize("locale, target", [("C", "beir-qrels"), ("C", "judgments"), ("en_US.ISO-8859-1", "judgments")])
def test_b64_files_are_utf_8_whatever_the_platform_says(note: Any, locale: str, target: str) -> None:
    text = "\u201cq\u201d \u4e2d"
    row = json.dumps(
        {"query_id": text, "doc_uri": "d\u201d", "relevance": 1}, ensure_ascii=False, separators=(",", ":")
    )
    note.bytes("a.jsonl", f"{row}\n".encode())
    content = f"{row}\n" if target == "judgments" else f"query-id\tcorpus-id\tscore\n{text}\td\u201d\t1\n"
    done = subprocess.run(
        [sys.executable, "-m", "irbridge", "convert", "a.jsonl", "--to", target, "-o", "-"],
        capture_output=True,
        check=False,
        env={**os.environ, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""},
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == content.encode()
