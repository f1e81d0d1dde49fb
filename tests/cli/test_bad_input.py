"""Input that cannot be used: exit code 2, the file, the line, the text, the way out; what was there before stays.

Each bad file goes through every command that reads such a file, with outputs that exist already.
"""

from __future__ import annotations

import gzip
import importlib
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

Irbridge = Callable[..., Any]
OLD = b"what an earlier call has written\n"
NOISE = random.Random(2).randbytes(4096)
ROWS = "".join(f"q{query} Q0 d{rank} {rank} {100 - rank} t\n" for query in range(200) for rank in range(100)).encode()
BEIR = b"query-id\tcorpus-id\tscore\nq1\td1\t1\n"


class Bad(NamedTuple):
    """A file that cannot be used, and what has to be said of it.

    Attributes:
        where: `name` or `name:line`.
        said: what is wrong.
        text: the offending text as shown, or None where the file has no such line.
        way_out: part of the line that says what to try.
    """

    content: bytes
    where: str
    said: str
    text: str | None
    way_out: str


QRELS = {
    "three columns": Bad(b"q1 0 d1 1\nq1 0 d2\n", "bad:2", "3 columns where TREC qrels have 4", "q1 0 d2", "msmarco-run"),
    "five columns": Bad(b"q1 0 d1 1 x\n" * 3, "bad:1", "", "q1 0 d1 1 x", ""),
    "an id with a space": Bad(
        b"q1 0 d1 1\nq1 0 my doc 1\n", "bad:2", "5 columns", "q1 0 my doc 1", "does an id hold a space?"
    ),
    "a fractional grade": Bad(b"q1 0 d1 1\nq1 0 d2 0.5\n", "bad:2", "grade '0.5' is not an integer", "q1 0 d2 0.5", "grades are"),
    "a grade in words": Bad(b"q1 0 d1 yes\nq1 0 d2 1\n", "bad:1", "grade 'yes' is not an integer", "q1 0 d1 yes", "grades are"),
    "a grade that is NaN": Bad(b"q1 0 d1 nan\nq1 0 d2 1\n", "bad:1", "grade 'nan' is not an integer", "q1 0 d1 nan", "grades are"),
    "a grade out of range": Bad(b"q1 0 d1 1\nq1 0 d2 1" + b"0" * 20 + b"\n", "bad:2", "is out of range", "q1 0 d2 1000", "2**53"),
    "contradicting labels": Bad(
        b"q1 0 d1 1\nq1 0 d2 1\nq1 0 d1 0\n", "bad:3", "judged twice, 1 and 0, already on line 1", None, "keep one of the two"
    ),
    "nothing": Bad(b"", "bad", "is empty", None, "check what should have written it"),
    "only comments": Bad(b"# one\n# two\n", "bad", "", None, ""),
    "a header": Bad(b"qid iter docid rel\nq1 0 d1 1\n", "bad:1", "grade 'rel'", "qid iter docid rel", "remove the header line"),
    "broken JSON": Bad(
        b'{"query_id":"q1","doc_uri":"d1","relevance":1}\n{"query_id":"q1",\n', "bad:2", "invalid JSON", '{"query_id":"q1",', ""
    ),
    "JSON without a field": Bad(b'{"query_id":"q1","relevance":1}\n', "bad:1", "missing doc_uri", '{"query_id":"q1"', ""),
    "a fractional grade in BEIR's file": Bad(BEIR + b"q1\td2\t0.5\n", "bad:3", "0.5", "q1\\td2\\t0.5", ""),
    "not UTF-8": Bad(b"q1 0 d1 1\nq1 0 caf\xe9 1\n", "bad:2", "is not UTF-8", "caf\\xe9", "iconv"),
    "binary junk": Bad(NOISE, "bad", "is not text", None, "name the right file"),
    "NUL among text": Bad(b"q1 0 d1 1\nq1 0 d\x002 1\n", "bad", "NUL", None, ""),
    "a truncated gzip": Bad(gzip.compress(b"q1 0 d1 1\n" * 99)[:-9], "bad", "it is truncated", None, "fetch or copy it again"),
    "a run": Bad(b"q1 Q0 d1 1 0.9 t\nq1 Q0 d2 2 0.8 t\n", "bad", "trec-run", None, ""),
}  # fmt: skip

RUNS = {
    "five columns": Bad(
        b"q1 Q0 d1 1 0.9 t\nq1 Q0 d2 2 0.8\n", "bad:2", "5 columns where a TREC run has 6", "q1 Q0 d2 2 0.8", "the run's tag"
    ),
    "a document id with a space": Bad(
        b"q1 Q0 d1 1 0.9 t\nq1 Q0 my doc 2 0.8 t\n", "bad:2", "7 columns", "q1 Q0 my doc 2 0.8 t", "does an id hold a space?"
    ),
    "a query id with a space": Bad(
        b"q1 Q0 d1 1 0.9 t\nq 1 Q0 d2 2 0.8 t\n", "bad:2", "7 columns", "q 1 Q0 d2 2 0.8 t", "does an id hold a space?"
    ),
    "NaN": Bad(b"q1 Q0 d1 1 0.9 t\nq1 Q0 d2 2 nan t\n", "bad:2", "score 'nan' is not a number", "q1 Q0 d2 2 nan t", "--drop-bad-rows"),
    "an infinite score": Bad(b"q1 Q0 d1 1 inf t\n", "bad:1", "score 'inf' is infinite", "q1 Q0 d1 1 inf t", "--allow-infinite"),
    "a decimal comma": Bad(b"q1 Q0 d1 1 0,9 t\n", "bad:1", "score '0,9' is not a number", "q1 Q0 d1 1 0,9 t", "decimal point"),
    "a word for a score": Bad(b"q1 Q0 d1 1 high t\n", "bad:1", "score 'high' is not a number", "q1 Q0 d1 1 high t", "decimal numbers"),
    "nothing": Bad(b"", "bad", "is empty", None, "check what should have written it"),
    "broken JSON": Bad(b'{"query_id":"q1","ranking":["d1"]}\n{"query_id":\n', "bad:2", "invalid JSON", '{"query_id":', ""),
    "a ranking that is none": Bad(b'{"query_id":"q1","ranking":"d1"}\n', "bad:1", "ranking must be an array", '"d1"', ""),
    "not UTF-8": Bad(b"q1 Q0 d1 1 0.9 t\nq1 Q0 caf\xe9 2 0.8 t\n", "bad:2", "is not UTF-8", "caf\\xe9", "iconv"),
    "binary junk": Bad(NOISE, "bad", "is not text", None, "name the right file"),
    "a truncated gzip": Bad(gzip.compress(ROWS)[:2000], "bad", "it is truncated", None, "fetch or copy it again"),
    "a gzip without its last bytes": Bad(gzip.compress(ROWS)[:-4], "bad", "it is truncated", None, "fetch or copy it again"),
    "labels": Bad(b"q1 0 d1 2\nq1 0 d2 1\n", "bad", "trec-qrels", None, ""),
    "BEIR's labels": Bad(BEIR, "bad", "beir-qrels", None, ""),
}  # fmt: skip
# What `load` takes as it is, with a note.
LOADED = {"contradicting labels"}
# Refused where the queries are judged; a conversion that keeps the rows as they are has no reason to.
RANKED_TWICE = Bad(
    b"q1 Q0 d1 1 0.9 t\nq1 Q0 d2 2 0.8 t\nq1 Q0 d1 3 0.7 t\n",
    "bad:3",
    "query q1 has document d1 twice",
    None,
    "--duplicates first",
)


@pytest.fixture
def refused(irbridge: Irbridge, tmp_path: Path) -> Callable[..., str]:
    """Call the command, which has to fail with code 2 and to leave every file as it is; returns what it said."""

    def call(*arguments: str) -> str:
        before = contents(tmp_path)
        done = irbridge(*arguments)
        assert done.code == 2, done
        assert done.out == ""
        assert contents(tmp_path) == before
        assert "Traceback" not in done.err
        lines = done.err.splitlines()
        assert lines[0].startswith("error  ")
        assert any(line.strip().startswith("try  ") for line in lines), done.err
        return str(done.err)

    return call


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder; also those whose names begin with a dot."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def calls(bad: str, part: str) -> list[tuple[str, ...]]:
    """Every command that reads such a file, its outputs being there already."""
    for name in ("old.json", "old.csv", "old.tsv", "old.jsonl"):
        Path(name).write_bytes(OLD)
    pair = ("--judgments", bad, "--run", "a.run") if part == "judgments" else ("--judgments", "a.qrels", "--run", bad)
    target = ("judgments", "old.jsonl") if part == "judgments" else ("msmarco-run", "old.tsv")
    found: list[tuple[str, ...]] = [
        ("score", *pair, "-m", "AP", "--out", "old.json", "--per-query", "old.csv"),
        ("convert", f"--{part}", bad, "--to", target[0], "-o", target[1]),
        ("crosscheck", *pair, "-m", "AP"),
    ]
    if part == "judgments":
        found.append(("load", bad, "--out", "loaded"))
    return found


def check(said: str, bad: Bad) -> None:
    plain = " ".join(said.split())
    assert bad.where in said
    assert bad.said in plain
    assert bad.text is None or bad.text in plain
    way_out = [line for line in said.splitlines() if line.strip().startswith("try  ")]
    assert any(bad.way_out in line for line in way_out), said


@pytest.mark.parametrize("case", QRELS)
def test_labels_that_cannot_be_used(refused: Callable[..., str], case: str) -> None:
    Path("bad").write_bytes(QRELS[case].content)
    for arguments in calls("bad", "judgments"):
        if arguments[0] != "load" or case not in LOADED:
            check(refused(*arguments), QRELS[case])


def test_loading_contradictions_says_that_no_score_of_them_can_pass(irbridge: Irbridge) -> None:
    """A collection is loaded as it is, row for row; the rows that no score can be trusted with are counted at once."""
    Path("bad").write_bytes(QRELS["contradicting labels"].content)
    done = irbridge("load", "bad", "--out", "loaded")
    assert done.code == 0
    assert re.search(
        r"1 judgments? contradicts? an earlier one .* no score of them can pass", " ".join(done.out.split())
    )
    again = irbridge("score", "--judgments", "loaded", "--run", "a.run")
    assert again.code == 1
    assert "the judgment set is unsound (duplicate-label)" in " ".join(again.out.split())
    refused = irbridge("crosscheck", "--judgments", "loaded", "--run", "a.run")
    assert refused.code == 2
    assert "judged twice, 1 and 0" in refused.err


@pytest.mark.parametrize("case", RUNS)
def test_runs_that_cannot_be_used(refused: Callable[..., str], case: str) -> None:
    Path("bad").write_bytes(RUNS[case].content)
    for arguments in calls("bad", "run"):
        check(refused(*arguments), RUNS[case])


def test_a_document_twice_in_a_ranking(refused: Callable[..., str]) -> None:
    Path("bad").write_bytes(RANKED_TWICE.content)
    check(refused(*calls("bad", "run")[0]), RANKED_TWICE)


def test_equal_labels_are_no_reason_to_refuse(irbridge: Irbridge) -> None:
    """They collapse, and that is said."""
    Path("twice").write_bytes(b"q1 0 d1 2\nq1 0 d1 2\n")
    done = irbridge("score", "--judgments", "twice", "--run", "a.run", "-m", "NumRel")
    assert done.code == 0
    assert "equal to an earlier one, collapsed" in " ".join((done.out + done.err).split())
    assert "first at line 2" in " ".join((done.out + done.err).split())
    assert irbridge("convert", "twice", "--to", "judgments", "-o", "once.jsonl").code == 0
    assert Path("once.jsonl").read_text().count("\n") == 1


def test_ten_bad_rows_are_reported_together(refused: Callable[..., str]) -> None:
    Path("bad").write_text("q1 0 d 1\n" + "".join(f"q1 0 d{row} x\n" for row in range(30)))
    said = refused("score", "--judgments", "bad", "--run", "a.run")
    for line in range(2, 12):
        assert f"bad:{line}: grade 'x'" in said
    assert "bad:12:" not in said
    assert "reading stopped after 10 problems" in said


# ----------------------------------------------------------------------------------------- two inputs, or none


def test_no_query_in_common(refused: Callable[..., str]) -> None:
    Path("bad").write_bytes(b"301 Q0 d1 1 0.9 t\n302 Q0 d1 1 0.9 t\n")
    for arguments in (calls("bad", "run")[0], ("crosscheck", "--judgments", "a.qrels", "--run", "bad", "-m", "AP")):
        said = refused(*arguments)
        assert "no query in common: the judgments have q1, q2; the run has 301, 302" in said


@pytest.mark.parametrize(
    "named, said, way_out",
    [
        ("trec-qrels:beir.tsv", "beir.tsv:1: this is a BEIR qrels file", "beir-qrels:beir.tsv"),
        ("beir-qrels:a.qrels", "a.qrels:1: these are TREC qrels", "trec-qrels:a.qrels"),
        ("judgments:a.qrels", "a.qrels:1", ""),
        ("trec-qrels:beir.tsv.gz", "beir.tsv.gz:1: this is a BEIR qrels file", "beir-qrels:beir.tsv.gz"),
    ],
)
def test_one_format_handed_over_as_another(refused: Callable[..., str], named: str, said: str, way_out: str) -> None:
    Path("beir.tsv").write_bytes(BEIR)
    Path("beir.tsv.gz").write_bytes(gzip.compress(BEIR))
    for arguments in calls(named, "judgments"):
        found = refused(*arguments)
        assert said in found
        assert way_out in found


def test_what_a_target_cannot_hold(refused: Callable[..., str]) -> None:
    """An id with a space has no place in a TREC file; where the id comes from is said."""
    Path("bad").write_text(
        '{"query_id":"q1","doc_uri":"d","relevance":1}\n{"query_id":"q 1","doc_uri":"d","relevance":1}\n'
    )
    Path("old.qrels").write_bytes(OLD)
    said = refused("convert", "bad", "--to", "trec-qrels", "-o", "old.qrels")
    assert "bad:2" in said
    assert "query id 'q 1' holds white space" in said
    assert "beir-qrels" in said


def test_strict_writes_nothing(refused: Callable[..., str]) -> None:
    Path("bad").write_text('{"query_id":"q1","query":"what?","doc_uri":"d","relevance":1}\n')
    Path("old.qrels").write_bytes(OLD)
    said = refused("convert", "bad", "--to", "trec-qrels", "--strict", "-o", "old.qrels")
    assert "query" in said


# ------------------------------------------------------------------------------------- files, folders, data sets


@pytest.mark.parametrize("case", [*RUNS, "ranked twice"])
def test_the_way_out_is_one_that_the_command_has(refused: Callable[..., str], case: str) -> None:
    """A flag that is recommended without naming another command is a flag of the command that failed."""
    Path("bad").write_bytes((RANKED_TWICE if case == "ranked twice" else RUNS[case]).content)
    for arguments in calls("bad", "run"):
        if case == "ranked twice" and arguments[0] == "convert":
            continue
        command = importlib.import_module(f"irbridge.cli.commands.{arguments[0]}").COMMAND
        known = {name for parameter in command.params for name in parameter.opts}
        for line in refused(*arguments).splitlines():
            if line.strip().startswith("try  ") and "irbridge " not in line:
                assert set(re.findall(r"--[a-z][-a-z]+", line)) <= known, (arguments[0], line)


@pytest.mark.parametrize("part", ["judgments", "run"])
def test_a_directory_where_a_file_belongs(refused: Callable[..., str], part: str) -> None:
    Path("folder").mkdir()
    Path("folder/notes.txt").write_text("nothing that irbridge knows\n")
    for arguments in calls("folder", part):
        assert "folder" in refused(*arguments)


@pytest.mark.parametrize("part", ["judgments", "run"])
def test_no_such_file(refused: Callable[..., str], part: str) -> None:
    for arguments in calls("nowhere.txt", part):
        assert "nowhere.txt: there is no such file" in refused(*arguments)


def test_outputs_that_cannot_be_written(refused: Callable[..., str]) -> None:
    Path("folder").mkdir()
    Path("folder/mine.txt").write_bytes(OLD)
    for out in ("folder", "nowhere/out.jsonl"):
        said = refused("convert", "a.qrels", "--to", "judgments", "-o", out)
        assert Path(out).parts[0] in said
        said = refused("score", "--judgments", "a.qrels", "--run", "a.run", "--out", out)
        assert Path(out).parts[0] in said
    Path("a.beir").mkdir()
    Path("a.beir/mine.txt").write_bytes(OLD)
    assert "a.beir" in refused("convert", "a.qrels", "--to", "beir", "-o", "a.beir")
    assert "a.beir" in refused("load", "a.qrels", "--out", "a.beir")


@pytest.mark.parametrize("name", ["beir/scifact/tset", "cranfeild"])
def test_an_unknown_data_set(refused: Callable[..., str], name: str) -> None:
    near = {"beir/scifact/tset": "beir/scifact/test", "cranfeild": "cranfield"}[name]
    for arguments in calls(f"irds:{name}", "judgments"):
        said = refused(*arguments)
        assert f"'{name}' is not a dataset id" in said
        assert f"did you mean {near}" in said
        assert "irbridge datasets" in said


def test_no_network_says_which_file_belongs_where(refused: Callable[..., str]) -> None:
    """An id that no test's home serves: the address that could not be reached, and the place for a copy by hand."""
    home = os.environ["IR_DATASETS_HOME"]
    for arguments in calls("irds:beir/nfcorpus/test", "judgments"):
        said = refused(*arguments)
        assert "irds:beir/nfcorpus/test" in said
        assert "nfcorpus.zip cannot be reached" in said
        assert f"place that file at {home}/beir/nfcorpus/source.zip" in said


# ------------------------------------------------------------------------------------------------ the call itself


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("scroe",), "did you mean score?"),
        (
            ("score", "--judgments", "a.qrels", "--run", "a.run", "-m", "ndgc@10"),
            "'ndgc@10' is not a measure; did you mean",
        ),
        (
            ("score", "--judgments", "a.qrels", "--run", "a.run", "-m", "nDCG@0"),
            "a cutoff must be a whole number from 1",
        ),
        (("score", "--judgments", "a.qrels", "--run", "a.run", "-m", "relstring"), "is a text, not a number"),
        (
            ("score", "--judgments", "a.qrels", "--run", "a.run", "--convention", "trec_evl-9"),
            "did you mean trec_eval-9",
        ),
        (("score", "--judgments", "a.qrels", "--run", "a.run", "--gain", "cubic"), "'cubic' is not a gain"),
        (("score", "--judgments", "a.qrels"), "--run"),
        (("score", "--judgments", "-", "--run", "-"), "cannot both come from standard input"),
        (("convert", "a.qrels", "--to", "trec-qerls", "-o", "x"), "did you mean trec-qrels"),
        (("convert", "a.run", "--to", "trec-qrels", "-o", "x"), ""),
    ],
)
def test_calls_that_cannot_be(refused: Callable[..., str], arguments: tuple[str, ...], said: str) -> None:
    assert said in " ".join(refused(*arguments).split())


def test_nothing_in_an_input_reaches_the_terminal_raw(refused: Callable[..., str]) -> None:
    Path("bad").write_text("q1 0 d1 1\nq1 0 \x1b[31mred\x07\u202e x\n")
    said = refused("score", "--judgments", "bad", "--run", "a.run")
    assert "\\x1b[31mred" in said
    assert not set("\x1b\x07\u202e") & set(said)


def test_the_program_itself(tmp_path: Path) -> None:
    """The same through the entry point: exit code, standard error, no traceback, the old file."""
    Path("bad").write_bytes(QRELS["a fractional grade"].content)
    Path("old.json").write_bytes(OLD)
    arguments = ["score", "--judgments", "bad", "--run", "a.run", "--out", "old.json"]
    for extra in ([], ["--json"]):
        done = subprocess.run([sys.executable, "-m", "irbridge", *arguments, *extra], capture_output=True, check=False)
        assert done.returncode == 2
        assert done.stdout == b""
        check(done.stderr.decode(), QRELS["a fractional grade"])
        assert b"Traceback" not in done.stderr
        assert Path("old.json").read_bytes() == OLD
    # And it would have been replaced by a call that succeeds.
    arguments[2] = "a.qrels"
    assert (
        subprocess.run([sys.executable, "-m", "irbridge", *arguments], capture_output=True, check=False).returncode == 0
    )
    assert json.loads(Path("old.json").read_bytes())["spec_version"] == "1"


@pytest.mark.parametrize(
    "name, text", [("b.jsonl", "// nothing yet\n\n"), ("b.qrels", "# nothing yet\n"), ("b", "\n \n")]
)
def test_judgments_of_blank_lines_and_comments_hold_no_label(irbridge, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "c.jsonl").write_text('{"corpus_fingerprint":"x"}\n{"chunk_id":"c","doc_uri":"d","text":"a"}\n')
    for call in (
        ("score", "--run", "a.run", "--judgments", name),
        ("drift", "--corpus", "c.jsonl", "--judgments", name),
        ("fmt", name),
        ("convert", "--to", "qrels", "-o", "out.qrels", "--judgments", name),
        ("project", "--corpus", "c.jsonl", "-o", "out.jsonl", "--judgments", name),
    ):
        done = irbridge(*call)
        assert done.code == 2, call
        assert f"{name}: holds no label" in done.err, call
    assert irbridge("validate", "--judgments", name).code == 1, "where it is a finding"
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([name, "a.qrels", "a.run", "c.jsonl"])


def test_no_label_is_no_result_whatever_says_so(irbridge, tmp_path: Path) -> None:
    """A format's name in front, or a header without rows: what sniffs as judgments is refused as well."""
    (tmp_path / "b.jsonl").write_text("// nothing yet\n")
    (tmp_path / "h.tsv").write_text("query-id\tcorpus-id\tscore\n")
    (tmp_path / "c.jsonl").write_text('{"corpus_fingerprint":"x"}\n{"chunk_id":"c","doc_uri":"d","text":"a"}\n')
    for what in ("judgments:b.jsonl", "h.tsv"):
        drifted = irbridge("drift", "--corpus", "c.jsonl", "--judgments", what)
        assert (drifted.code, "holds no label" in drifted.err) == (2, True)
        found = irbridge("validate", "--judgments", what, "--json")
        assert (found.code, '"empty"' in found.out) == (1, True)


def test_a_run_of_comments_holds_no_ranking(irbridge, tmp_path: Path) -> None:
    (tmp_path / "b.run").write_text("# nothing yet\n")
    done = irbridge("score", "--judgments", "a.qrels", "--run", "b.run")
    assert (done.code, "b.run: holds no ranking" in done.err) == (2, True)
