"""The program's part is played by a script that writes down how it was called and prints what a file holds."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from support.asking import ask

from irbridge.oracles import ORACLES

SCRIPT = """#!{python}
import json, pathlib, sys
here = pathlib.Path(__file__).parent
if sys.argv[1:] == ["-v"]:
    print((here / "version").read_text(), file=sys.stderr)
    raise SystemExit(0)
files = [pathlib.Path(path).read_text() for path in sys.argv[-2:]]
with (here / "calls").open("a") as stream:
    stream.write(json.dumps([sys.argv[1:-2], *files]) + chr(10))
sys.stderr.write((here / "errors").read_text())
print((here / "prints").read_text(), end="")
raise SystemExit(int((here / "code").read_text()))
"""
QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
RUN = {"q1": {"a": 2.0, "n": 0.1}, "q2": {"n": 1e-30}}
PRINTED = """num_ret               \tq1\t2
map                   \tq1\t1.0000
P_5                   \tq1\t0.2000
num_ret               \tq2\t1
map                   \tq2\t0.0000
P_5                   \tq2\t0.0000
num_q                 \tall\t2
num_ret               \tall\t3
map                   \tall\t0.5000
P_5                   \tall\t0.1000
"""


class Program:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = folder / "trec_eval"
        path.write_text(SCRIPT.replace("{python}", sys.executable))
        path.chmod(0o755)
        self.set(version="trec_eval version 9.0.8", prints=PRINTED, errors="", code="0")

    def set(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / name).write_text(text)

    @property
    def calls(self) -> list[list]:
        path = self.folder / "calls"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def program(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return Program(tmp_path)


def test_what_it_prints_is_read(program):
    answer = ask("trec_eval", "map P_5 num_q", QRELS, RUN)
    assert answer.refused is None
    assert answer.values == {
        "map": {"q1": 1.0, "q2": 0.0},
        "P_5": {"q1": 0.2, "q2": 0.0},
        "num_q": {"q1": 1.0, "q2": 1.0},
    }
    assert answer.means == {"map": 0.5, "P_5": 0.1, "num_q": 2.0}


def test_what_it_is_given(program):
    ask("trec_eval", "map P_5", QRELS, RUN)
    ((options, qrels, run),) = program.calls
    assert options == ["-q", "-l1", "-m", "num_ret", "-m", "map", "-m", "P.5"]
    assert qrels == "q1 0 a 1\nq1 0 b 0\nq2 0 c 2\n"
    assert run == "q1 Q0 a 0 2.0 r\nq1 Q0 n 0 0.1 r\nq2 Q0 n 0 1e-30 r\n"


def test_levels_depths_and_judged_only_are_calls_of_their_own(program):
    program.set(prints=PRINTED.replace("map  ", "recip_rank") + "P_10\tall\t0\nmap\tall\t0\n")
    ask("trec_eval", "P@5 P@10 RR@10 RR AP(rel=2) AP(judged_only=True)", QRELS, RUN)
    assert [call[0] for call in program.calls] == [
        ["-q", "-l1", "-m", "num_ret", "-m", "P.5,10", "-m", "recip_rank"],
        ["-q", "-l1", "-M10", "-m", "num_ret", "-m", "recip_rank"],
        ["-q", "-l2", "-m", "num_ret", "-m", "map"],
        ["-q", "-l1", "-J", "-m", "num_ret", "-m", "map"],
    ]


def test_a_depth_is_no_cutoff_of_judged_documents(program):
    # -M cuts before -J takes documents out.
    answer = ask("trec_eval", "RR(judged_only=True)@3", QRELS, RUN)
    assert answer.left_out == {"RR(judged_only=True)@3": "has no RR with a cutoff"}


def test_release_10_is_called_with_c_where_a_query_is_missing(program):
    program.set(version="trec_eval version 10.0-rc3")
    ask("trec_eval", "map", QRELS, RUN)
    ask("trec_eval", "map", QRELS, {"q1": RUN["q1"]})
    assert ["-c" in call[0] for call in program.calls] == [False, True]
    oracle = ORACLES.get("trec_eval")
    assert oracle.status() == ("10.0-rc3", None)


def test_the_release_decides_the_convention(program):
    from support.asking import resolved

    oracle, (measure,) = ORACLES.get("trec_eval"), resolved("AP")
    nine = oracle.convention(measure)
    program.set(version="trec_eval version 10.0")
    ten = oracle.convention(measure)
    assert (nine.precision, nine.missing) == ("float32", "skip")
    assert (ten.precision, ten.missing) == ("float64", "zero")


def test_an_end_in_error_is_told(program):
    program.set(code="4", errors="trec_eval: duplicate docs a\nmore\n", prints="num_ret\tq1\t2\n")
    refused = ask("trec_eval", "map", QRELS, RUN).refused
    assert refused == "failed: RuntimeError: trec_eval ended with exit code 4: trec_eval: duplicate docs a"


@pytest.mark.parametrize(
    "qrels, run, word",
    [
        ({"q1": {"a": -1}}, {"q1": {"a": 1.0}}, "exit 4"),
        ({"all": {"a": 1}}, {"all": {"a": 1.0}}, "called 'all'"),
        ({"#1": {"a": 1}}, {"#1": {"a": 1.0}}, "called '#1'"),
        ({"q1": {"a": 1}}, {"q1": {}}, "is empty"),
        ({"q1": {"a": 1}}, {}, "exit 2"),
        ({"q1": {"a b": 1}}, {"q1": {"a": 1.0}}, "file of columns"),
        ({"q1": {"a": 10**9}}, {"q1": {"a": 1.0}}, "tables"),
        ({f"q{number}": {"a": 1} for number in range(20_001)}, {"q1": {"a": 1.0}}, "quadratic"),
    ],
)
def test_it_is_not_called_with(program, qrels, run, word):
    refused = ask("trec_eval", "map", qrels, run).refused
    assert refused.startswith("not called: ")
    assert word in refused
    assert program.calls == []


def test_b07_it_is_not_called_with_a_document_twice(program):
    refused = ask("trec_eval", "map", QRELS, RUN, repeated=["q1"]).refused
    assert refused == "not called: query q1 has a document twice in its ranking, at which trec_eval stops (exit 4)"


def test_the_total_of_relevant_documents_under_c_is_no_total_of_the_level(program):
    # m_num_rel.c: with -c all grades above 0 are counted, whatever -l says.
    program.set(
        version="trec_eval version 10.0", prints="num_ret\tq1\t2\nnum_rel\tq1\t0\nnum_ret\tall\t2\nnum_rel\tall\t2\n"
    )
    answer = ask("trec_eval", "NumRel(rel=2)", QRELS, {"q1": RUN["q1"]})
    assert answer.values == {"NumRel(rel=2)": {"q1": 0.0}}
    assert answer.means == {}


def test_no_program_and_one_that_is_no_trec_eval(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ORACLES.get("trec_eval").status() == (None, "skipped: there is no trec_eval on the PATH")
    (tmp_path / "trec_eval").write_text("#!/bin/sh\necho hello\n")
    (tmp_path / "trec_eval").chmod(0o755)
    assert ORACLES.get("trec_eval").status() == (
        None,
        "skipped: the trec_eval on the PATH does not say its version: hello",
    )


@pytest.mark.may_skip("not every machine has the program trec_eval")
@pytest.mark.skipif(shutil.which("trec_eval") is None, reason="there is no trec_eval on the PATH")
def test_the_real_program():
    # Field notes B32, B34, B35: 0.5250, 0.2346; with level 2 AP 0.1667; RR@1 by -M 1.
    qrels, run = {"q1": {"a": 1, "b": 2, "c": 3}}, {"q1": {"a": 3.0, "n": 2.0, "c": 1.0}}
    answer = ask("trec_eval", "nDCG nDCG@2 AP(rel=2) RR(rel=2) RR(rel=2)@2 num_q set_F.2", qrels, run)
    assert answer.refused is None
    assert {name: own["q1"] for name, own in answer.values.items()} == {
        "nDCG": 0.5250,
        "nDCG@2": 0.2346,
        "AP(rel=2)": 0.1667,
        "RR(rel=2)": 0.3333,
        "RR(rel=2)@2": 0.0,
        "num_q": 1.0,
        "set_F_2": 0.6667,
    }
