from __future__ import annotations

import csv
import gzip
import json
import math
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from irbridge import assessed_labels
from irbridge.inputs import labels_of

Irbridge = Callable[..., Any]
BOTH = ("--judgments", "a.qrels", "--run", "a.run")


def table(out: str) -> dict[str, list[str]]:
    """The rows of the first table of a screen by their first cell."""
    return {line.split()[0]: line.split()[1:] for line in out.splitlines() if re.match(r"  \S+ .*\d$", line)}


def test_the_screen(irbridge: Irbridge) -> None:
    done = irbridge("score", *BOTH, "-m", "RR P@3 AP")
    # RR 1/2 twice: an interval of no width. P@3 1/3 twice. AP 1/4 and 1/2: mean 3/8, stdev sqrt(1/32), and
    # t(0.975, 1) = 12.706205 gives a half width of 12.706205 * sqrt(1/32) / sqrt(2) = 1.588276. A mean of values from 0 to 1
    # is none below 0 or above 1: there the screen ends it.
    assert done.code == 0
    assert done.err == ""
    assert done.out == (
        "          mean   95% interval      n\n"
        "  RR    0.5000   0.5000   0.5000   2\n"
        "  P@3   0.3333   0.3333   0.3333   2\n"
        "  AP    0.3750   0.0000   1.0000   2\n"
        "  convention  ir_measures · ties docid descending · scores as float32\n"
        "              missing queries score 0\n"
        "  coverage    2 of 2 judged queries answered · 60.0% of the top 10 judged\n"
    )


def test_json_holds_the_ends_of_an_interval_as_the_formula_gives_them(irbridge: Irbridge) -> None:
    # 3/8 -+ 1.588276, as above.
    ends = json.loads(irbridge("score", *BOTH, "-m", "AP", "--json").out)["measures"]["AP"]["interval"]
    assert ends == pytest.approx([-1.213276, 1.963276], abs=1e-6)


def test_the_six_of_the_specification_by_default(irbridge: Irbridge) -> None:
    done = irbridge("score", *BOTH, "--json")
    made = json.loads(done.out)
    assert list(made["metrics"]) == ["precision@10", "recall@10", "ndcg@10", "mrr@10", "map@10", "hit_rate@10"]
    assert made["convention"]["name"] == "retrieval-eval"
    # Exponential gain. q1: d1 (gain 3) at rank 2 against 3 + 1/log2(3); q2: 1/log2(3).
    one = (3 / math.log2(3)) / (3 + 1 / math.log2(3))
    assert made["metrics"]["ndcg@10"]["value"] == pytest.approx((one + 1 / math.log2(3)) / 2, abs=1e-12)
    assert made["metrics"]["precision@10"]["value"] == 0.1
    assert made["generated_at"] == "1970-01-01T00:00:00Z"


def test_cutoffs(irbridge: Irbridge) -> None:
    made = json.loads(irbridge("--json", "score", *BOTH, "-m", "P RR", "-k", "1,3", "-k", "5").out)
    assert list(made["metrics"]) == ["P_1", "P_3", "P_5", "RR@1", "RR@3", "RR@5"]
    assert [each["value"] for each in made["metrics"].values()] == pytest.approx([0, 1 / 3, 1 / 5, 0, 1 / 2, 1 / 2])


def test_json_on_either_side_of_the_name(irbridge: Irbridge) -> None:
    assert (
        irbridge("--json", "score", *BOTH) == irbridge("score", *BOTH, "--json") == irbridge("score", "--json", *BOTH)
    )


def test_the_gain_stands_beside_each_ndcg_and_is_pointed_out(irbridge: Irbridge) -> None:
    out = irbridge("score", *BOTH, "-m", "nDCG@10 ndcg@10 RR").out
    # Linear. q1: 2 / log2(3) against 2 + 1 / log2(3); q2: 1 / log2(3).
    linear = ((2 / math.log2(3)) / (2 + 1 / math.log2(3)) + 1 / math.log2(3)) / 2
    assert table(out)["nDCG@10"][:2] == ["linear", f"{linear:.4f}"]
    assert table(out)["ndcg@10"][0] == "exponential"
    assert table(out)["RR"][0] == "0.5000"
    assert "labels are graded (1, 2)" in out
    assert "values of different gains cannot be compared" in out


def test_binary_labels_need_no_word_about_gain(irbridge: Irbridge) -> None:
    Path("b.qrels").write_text("q1 0 d1 1\n")
    assert "graded" not in irbridge("score", "--judgments", "b.qrels", "--run", "a.run", "-m", "nDCG@10").out


@pytest.mark.parametrize(
    "flags, measure, value",
    [
        # Values worked out in conftest.py and here, from the same four labels.
        (["--rel", "2"], "P@3", (1 / 3 + 0) / 2),
        (["--threshold", "2"], "P@3", (1 / 3 + 0) / 2),
        (["--depth", "1"], "RR", 0.0),
        (["--judged-only"], "RR", (1 / 2 + 1) / 2),  # q2: d5 is unjudged, so d4 comes first
        (["--gain", "exp"], "nDCG@1", 0.0),
        (["--gain", "0=1,1=0,2=0"], "nDCG@1", 0.5),  # q1: d3 is the best; q2 has nothing of worth
        (["--no-positives", "exclude", "--rel", "2"], "P@3", 1 / 3),
        (["--ties", "given"], "RR", 0.5),
        (["--precision", "float64"], "RR", 0.5),
        (["--duplicates", "first"], "RR", 0.5),
        (["--missing", "error"], "RR", 0.5),
        (["--self-retrieval", "drop"], "RR", 0.5),
        (["--convention", "trec_eval-9"], "RR", 0.5),
        # Linear, from grade 2: q1 2 / log2(3) against 2; q2 has nothing of worth.
        (["--level-cuts-gain", "--rel", "2"], "nDCG@3", 1 / math.log2(3) / 2),
    ],
)  # fmt: skip
def test_every_knob_is_a_flag(irbridge: Irbridge, flags: list[str], measure: str, value: float) -> None:
    made = json.loads(irbridge("score", *BOTH, "-m", measure, *flags, "--json").out)
    assert made["metrics"][measure]["value"] == pytest.approx(value, abs=1e-12)


def test_flags_change_what_they_say(irbridge: Irbridge) -> None:
    Path("c.qrels").write_text("q1 0 a 1\nq2 0 q2 1\nq3 0 x 1\n")
    Path("c.run").write_text("q1 Q0 a 1 0.5 t\nq1 Q0 b 2 0.5 t\nq2 Q0 z 1 0.5 t\nq2 Q0 q2 2 0.5 t\n")
    call = ("score", "--judgments", "c.qrels", "--run", "c.run", "-m", "RR", "--json")

    def mean(*flags: str) -> float:
        return float(json.loads(irbridge(*call, *flags).out)["metrics"]["RR"]["value"])

    # Ties by id descending: q1 b a: 1/2; q2 z q2: 1/2; q3 missing. Ascending: 1, 1. As given: 1, 1/2.
    assert mean() == pytest.approx((0.5 + 0.5 + 0) / 3)
    assert mean("--ties", "docid-asc") == pytest.approx((1 + 1 + 0) / 3)
    assert mean("--ties", "given") == pytest.approx((1 + 0.5 + 0) / 3)
    assert mean("--missing", "skip") == pytest.approx((0.5 + 0.5) / 2)
    assert mean("--self-retrieval", "drop") == pytest.approx((0.5 + 0 + 0) / 3)
    refused = irbridge(*call, "--missing", "error")
    assert refused.code == 2
    assert "does not answer 1 of 3 judged queries: q3" in refused.err


def test_precision_decides_close_scores(irbridge: Irbridge) -> None:
    # 16777217 and 16777216 are one float32: a tie, which the id decides (field note B02).
    Path("f.qrels").write_text("q1 0 a 1\n")
    Path("f.run").write_text("q1 Q0 a 1 16777217 t\nq1 Q0 b 2 16777216 t\n")
    call = ("score", "--judgments", "f.qrels", "--run", "f.run", "-m", "RR", "--json")
    values = [
        json.loads(irbridge(*call, "--precision", precision).out)["metrics"]["RR"]["value"]
        for precision in ("float32", "float64")
    ]
    assert values == [0.5, 1.0]


# ------------------------------------------------------------------------------------------------- what one has to know


def test_missing_extra_and_repeated_queries_are_counted(irbridge: Irbridge) -> None:
    Path("d.qrels").write_text("".join(f"q{number} 0 d1 1\n" for number in range(1, 9)))
    Path("d.run").write_text("q1 Q0 d1 1 2 t\nq1 Q0 d1 2 1 t\nx1 Q0 d1 1 1 t\nx2 Q0 d1 1 1 t\n")
    done = irbridge("score", "--judgments", "d.qrels", "--run", "d.run", "-m", "RR", "--duplicates", "first")
    assert done.code == 0
    assert "1 of 8 judged queries answered" in done.out
    assert "2 queries of the run without judgments ignored" in done.out
    assert "7 judged queries without an answer, counted as 0: q2, q3, q4, q5, q6, ..." in done.out.replace(
        "\n              ", " "
    )
    assert "1 query with a document twice in the ranking" in done.out


def test_missing_queries_that_are_left_out_anyway_are_not_called_missing(irbridge: Irbridge) -> None:
    Path("d.qrels").write_text("q1 0 d1 1\nq2 0 d1 0\n")
    out = irbridge("score", "--judgments", "d.qrels", "--run", "a.run", "--convention", "retrieval-eval").out
    assert "counted as 0" not in out
    assert "1 query without a label at relevance >= 1, left out: q2" in out


def test_ranks_that_contradict_scores_are_said(irbridge: Irbridge) -> None:
    # Field note B06: trec_eval goes by the scores and finds a at rank 2.
    Path("b06.qrels").write_text("q1 0 a 1\n")
    Path("b06.run").write_text("q1 Q0 a 1 0.1 t\nq1 Q0 b 2 0.9 t\n")
    done = irbridge("score", "--judgments", "b06.qrels", "--run", "b06.run", "-m", "RR")
    assert table(done.out)["RR"][0] == "0.5000"
    assert "the rank column contradicts the scores: q1" in done.out


def test_chunk_ids_against_document_labels(irbridge: Irbridge) -> None:
    # Field note B11.
    Path("g.qrels").write_text("q1 0 doc7 1\n")
    Path("g.run").write_text("q1 Q0 doc7#c3 1 3 t\nq1 Q0 doc2#c1 2 2 t\nq1 Q0 doc7#c0 3 1 t\n")
    done = irbridge("score", "--judgments", "g.qrels", "--run", "g.run", "-m", "RR")
    said = " ".join(done.out.split())
    assert table(done.out)["RR"][0] == "0.0000"
    assert "0 of 3 retrieved ids are judged" in said
    assert "judged: doc7 " in said
    assert "retrieved: doc7#c3, doc2#c1, doc7#c0" in said
    assert "did you mean to map chunks to their parent documents?" in said


def test_a_byte_order_mark_is_noted(irbridge: Irbridge) -> None:
    # Field note B41: the first query is not lost.
    Path("bom.qrels").write_bytes(b"\xef\xbb\xbfq1 0 d1 1\nq2 0 d4 1\n")
    done = irbridge("score", "--judgments", "bom.qrels", "--run", "a.run", "-m", "RR")
    assert "2 of 2 judged queries answered" in done.out
    assert "bom.qrels: a byte order mark at the start was dropped" in done.out


def test_no_query_in_common_shows_both_sides(irbridge: Irbridge) -> None:
    # Field note B23.
    Path("h.qrels").write_text("301.1 0 a 1\n")
    Path("h.run").write_text("301 Q0 a 1 1 t\n")
    done = irbridge("score", "--judgments", "h.qrels", "--run", "h.run")
    assert done.code == 2
    assert done.out == ""
    assert "no query in common: the judgments have 301.1; the run has 301" in done.err


@pytest.mark.parametrize("name", ["empty.run", "empty.qrels"])
def test_an_empty_file_is_no_result(irbridge: Irbridge, name: str) -> None:
    # Field note B27.
    Path(name).write_text("")
    given = {"--judgments": "a.qrels", "--run": "a.run", ("--run" if name.endswith("run") else "--judgments"): name}
    done = irbridge("score", *(word for pair in given.items() for word in pair))
    assert done.code == 2
    assert f"{name}: is empty" in done.err


def test_unanswered_queries_count_as_zero_by_default(irbridge: Irbridge) -> None:
    # Field note B21: the mean over all judged queries is 0.5; trec_eval without -c says 1.
    Path("i.qrels").write_text("q1 0 a 1\nq2 0 b 1\n")
    Path("i.run").write_text("q1 Q0 a 1 2 t\n")
    call = ("score", "--judgments", "i.qrels", "--run", "i.run", "-m", "AP", "--json")
    assert json.loads(irbridge(*call).out)["metrics"]["AP"]["value"] == 0.5
    skipped = json.loads(irbridge(*call, "--convention", "trec_eval-9").out)
    assert skipped["metrics"]["AP"]["value"] == 1.0
    assert irbridge(*call, "--convention", "trec_eval-10").code == 2


def test_nothing_scored_is_exit_1(irbridge: Irbridge) -> None:
    done = irbridge("score", *BOTH, "--rel", "5")
    assert done.code == 1
    assert done.out.startswith("  no query had a label at relevance >= 5, so no metric was computed\n")
    assert "INDETERMINATE" in done.out
    assert json.loads(irbridge("score", *BOTH, "--rel", "5", "--json").out)["metrics"] == {}


def test_strata_are_shown_with_the_worst(irbridge: Irbridge) -> None:
    rows = [
        {"query_id": "q1", "doc_uri": "d1", "relevance": 1, "stratum": "billing"},
        {"query_id": "q2", "doc_uri": "d9", "relevance": 1, "stratum": "api"},
    ]
    Path("s.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = irbridge("score", "--judgments", "s.jsonl", "--run", "a.run", "-m", "RR").out
    lines = [line.split() for line in out.splitlines()]
    assert ["api", "0.0000", "1", "worst", "RR"] in lines
    assert ["billing", "0.5000", "1"] in lines


# ---------------------------------------------------------------------------------------------------------------- files


def test_per_query_rows_as_jsonl_and_csv(irbridge: Irbridge) -> None:
    assert irbridge("score", *BOTH, "-m", "AP RR", "--per-query", "rows.jsonl").code == 0
    rows = [json.loads(line) for line in Path("rows.jsonl").read_text().splitlines()]
    assert rows == [
        {"query_id": "q1", "measure": "AP", "value": 0.25},
        {"query_id": "q1", "measure": "RR", "value": 0.5},
        {"query_id": "q2", "measure": "AP", "value": 0.5},
        {"query_id": "q2", "measure": "RR", "value": 0.5},
    ]
    assert irbridge("score", *BOTH, "-m", "AP RR", "--per-query", "rows.csv.gz").code == 0
    with gzip.open("rows.csv.gz", "rt", newline="") as stream:
        read = list(csv.DictReader(stream))
    assert [{**row, "value": float(row["value"])} for row in read] == rows


def test_rows_on_standard_output_leave_it_to_the_rows(irbridge: Irbridge) -> None:
    done = irbridge("score", *BOTH, "-m", "RR", "--per-query", "-")
    assert [json.loads(line)["value"] for line in done.out.splitlines()] == [0.5, 0.5]
    assert "convention" in done.err


def test_out_is_the_report(irbridge: Irbridge) -> None:
    done = irbridge("score", *BOTH, "--out", "report.json", "--json")
    assert json.loads(Path("report.json").read_text()) == json.loads(done.out)
    assert json.loads(done.out)["inputs"][0]["sha256"] is not None


@pytest.mark.parametrize("flag", ["--out", "--per-query"])
def test_an_output_that_cannot_be_written_is_found_before_reading(irbridge: Irbridge, flag: str) -> None:
    Path("bad.run").write_text("nonsense\n")
    done = irbridge("score", "--judgments", "a.qrels", "--run", "bad.run", flag, "no/such/folder.jsonl")
    assert done.code == 2
    assert "no/such/folder.jsonl: the folder does not exist" in done.err


@pytest.mark.parametrize("name", ["a.run", "a.qrels", "./a.run"])
def test_an_input_is_never_overwritten(irbridge: Irbridge, name: str) -> None:
    before = Path(name).read_text()
    done = irbridge("score", *BOTH, "--out", name)
    assert done.code == 2
    assert "is an input and would be overwritten" in done.err
    assert Path(name).read_text() == before


def test_a_failed_call_leaves_the_old_report(irbridge: Irbridge) -> None:
    Path("report.json").write_text("old")
    Path("bad.run").write_text("q1 Q0 d1 1 nan t\n")
    assert irbridge("score", "--judgments", "a.qrels", "--run", "bad.run", "--out", "report.json").code == 2
    assert Path("report.json").read_text() == "old"


def test_standard_input(irbridge: Irbridge) -> None:
    command = [sys.executable, "-m", "irbridge", "score", "--judgments", "a.qrels", "--run", "-", "-m", "RR", "--json"]
    done = subprocess.run(command, input=Path("a.run").read_bytes(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["metrics"]["RR"]["value"] == 0.5
    assert json.loads(done.stdout)["inputs"][1] == {
        "role": "run", "path": "standard input", "format": "trec-run", "sha256": None,
    }  # fmt: skip
    assert irbridge("score", "--judgments", "-", "--run", "-").code == 2


def test_an_input_named_with_its_format_or_inside_a_folder_is_not_overwritten(tmp_path, monkeypatch, capsys):
    from irbridge.cli.main import run

    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.txt").write_text("q1 0 a 1\n")
    (tmp_path / "r.txt").write_text("q1 Q0 a 1 1 t\n")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "judgments.jsonl").write_text('{"query_id":"q1","doc_uri":"a","relevance":1}\n')
    call = ["score", "--run", "r.txt", "-m", "AP"]
    assert run([*call, "--judgments", "trec-qrels:q.txt", "--out", "q.txt"]) == 2
    assert run([*call, "--judgments", "c", "--per-query", "c/judgments.jsonl"]) == 2
    assert run([*call, "--judgments", "q.txt", "--per-query", "x.jsonl", "--out", "x.jsonl"]) == 2
    assert (tmp_path / "q.txt").read_text() == "q1 0 a 1\n"
    assert "relevance" in (tmp_path / "c" / "judgments.jsonl").read_text()
    assert not (tmp_path / "x.jsonl").exists()


@pytest.mark.parametrize(
    "option, value, said",
    [
        ("-k", "1_0", "'1_0' is no list of whole numbers from 1"),
        ("-k", "\uff11", "is no list of whole numbers from 1"),
        ("--rel", "1_0", "'1_0' is no whole number"),
        ("--rel", "\u0661", "is no whole number"),
        ("--depth", "1_0", "'1_0' is no whole number"),
        ("--gain", "1_0=1", "'1_0=1' is not a gain"),
        ("--gain", "1=1,1=2", "grade 1 has two gains in '1=1,1=2'"),
        ("-m", "P@\uff11", "a cutoff must be a whole number from 1"),
        ("-m", "P.1_0", "a cutoff must be a whole number from 1"),
        ("-m", "nDCG(gains={\uff11:1})", "is not grade:gain"),
    ],
)
def test_numbers_are_of_ascii_digits(irbridge: Irbridge, option: str, value: str, said: str) -> None:
    done = irbridge("score", *BOTH, option, value)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_no_control_character_reaches_a_terminal_as_json(irbridge: Irbridge) -> None:
    """U+009B alone starts a control sequence; JSON itself does not ask for it to be escaped."""
    Path("c.qrels").write_text("q\x9b31m 0 d 1\n", encoding="utf-8")
    Path("c.run").write_text("q\x9b31m Q0 d 1 1.0 t\n", encoding="utf-8")
    done = irbridge("score", "--judgments", "c.qrels", "--run", "c.run", "--per-query", "rows.jsonl")
    assert done.code == 0
    rows = Path("rows.jsonl").read_text(encoding="utf-8")
    assert "\x9b" not in rows
    assert json.loads(rows.splitlines()[0])["query_id"] == "q\x9b31m"
    done = irbridge("convert", "c.qrels", "--to", "judgments", "-o", "o\x9b.jsonl", "--json")
    assert "o\\u009b.jsonl" in done.out
    assert json.loads(done.out)["out"] == "o\x9b.jsonl"


def test_rows_as_tsv(irbridge: Irbridge) -> None:
    done = irbridge("score", "--judgments", "a.qrels", "--run", "a.run", "-m", "RR", "--per-query", "rows.tsv")
    assert done.code == 0
    assert Path("rows.tsv").read_text() == "query_id\tmeasure\tvalue\nq1\tRR\t0.5\nq2\tRR\t0.5\n"


@pytest.mark.parametrize("names", [("-", "-"), ("-", "/dev/stdin"), ("/dev/stdin", "/dev/fd/0")])
def test_one_standard_input_is_not_two(irbridge: Irbridge, names: tuple[str, str]) -> None:
    done = irbridge("score", "--judgments", names[0], "--run", names[1])
    assert done.code == 2
    assert "cannot both come from standard input" in done.err


def test_several_runs_share_the_labels(irbridge: Irbridge, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("b.run").write_text(Path("a.run").read_text().split("\n", 1)[0] + "\n")
    alone = [
        json.loads(irbridge("score", "--judgments", "a.qrels", "--run", run, "-m", "RR P@1", "--json").out)
        for run in ("a.run", "b.run")
    ]
    read: list[str] = []
    monkeypatch.setattr(
        assessed_labels, "labels_of", lambda *given, **more: read.append("once") or labels_of(*given, **more)
    )
    call = ("score", "--judgments", "a.qrels", "--run", "a.run", "b.run", "-m", "RR P@1")
    together = json.loads(irbridge(*call, "--json").out)
    assert read == ["once"]
    for one, other in zip(alone, together, strict=True):
        one["generated_at"] = other["generated_at"]
        assert one == other
    out = irbridge(*call).out
    rows = [line.split()[:2] for line in out.splitlines()[1:5]]
    assert rows == [["RR", "a.run"], ["RR", "b.run"], ["P@1", "a.run"], ["P@1", "b.run"]]
    assert out.count("convention") == 1


def test_rows_of_several_runs_begin_with_the_run(irbridge: Irbridge) -> None:
    assert (
        irbridge("score", "--judgments", "a.qrels", "a.run", "./a.run", "-m", "RR", "--per-query", "rows.csv").code == 0
    )
    assert irbridge("score", "--judgments", "a.qrels", "a.run", "-m", "RR", "--per-query", "one.csv").code == 0
    head, *rows = Path("one.csv").read_text().splitlines()
    both = [f"{run},{row}" for run in ("a.run", "./a.run") for row in rows]
    assert Path("rows.csv").read_text().splitlines() == [f"run,{head}", *both]


def test_gates_hold_for_each_run(irbridge: Irbridge) -> None:
    Path("none.run").write_text("".join(f"{query} Q0 nothing 1 1 t\n" for query in ("q1", "q2", "1", "2")))
    Path("one.qrels").write_text("q1 0 d1 1\n")
    Path("good.run").write_text("q1 Q0 d1 1 1 t\n")
    call = ("score", "--judgments", "one.qrels", "-m", "RR", "--gate", "RR:0.5")
    assert irbridge(*call, "good.run", "good.run").code == 0
    done = irbridge(*call, "good.run", "none.run")
    assert done.code == 1
    assert [line.split()[1:] for line in done.out.splitlines() if line.startswith("  verdict")] == [
        ["good.run:", "PASS"], ["none.run:", "FAIL"],
    ]  # fmt: skip
    assert irbridge("score", "--judgments", "one.qrels").code == 2
