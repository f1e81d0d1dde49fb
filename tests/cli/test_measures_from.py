"""`--measures-from FILE`, on the small collection of conftest.py: q1 d3, d1, d9 with grades 0, 2 and none; q2 d5, d4 with none and 1."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Irbridge = Callable[..., Any]
INPUTS = ("--judgments", "a.qrels", "--run", "a.run")
SOURCE = """\
import irbridge

def unjudged(seen):
    \"\"\"Unjudged documents / documents, of the top k.\"\"\"
    return seen.grades.count(None) / len(seen.grades)

MEASURE = irbridge.own_measure(unjudged, "Unjudged", "the share that nobody judged", range="0 to 1")
"""


@pytest.fixture(autouse=True)
def _file() -> None:
    Path("mine.py").write_text(SOURCE)


def test_score(irbridge: Irbridge) -> None:
    done = irbridge("score", *INPUTS, "--measures-from", "mine.py", "-m", "Unjudged Unjudged@1 RR", "--json")
    assert done.code == 0
    values = {name: of["value"] for name, of in json.loads(done.out)["metrics"].items()}
    # 1/3 and 1/2; of the first documents 0 and 1.
    assert values == {"Unjudged": pytest.approx(5 / 12), "Unjudged@1": 0.5, "RR": 0.5}


def test_a_gate_and_a_cutoff(irbridge: Irbridge) -> None:
    gated = ("score", *INPUTS, "--measures-from", "mine.py", "-m", "Unjudged", "-k", "1", "--gate")
    assert irbridge(*gated, "Unjudged@1:0.5").code == 0
    assert irbridge(*gated, "Unjudged@1:0.6").code == 1
    # Where no measure is named, it is the gate's.
    assert irbridge("score", *INPUTS, "--measures-from", "mine.py", "--gate", "Unjudged@1:0.5").code == 0


def test_compare(irbridge: Irbridge) -> None:
    compare = ("compare", "--judgments", "a.qrels", "a.run", "a.run", "--measures-from", "mine.py", "-m", "Unjudged@1")
    done = irbridge(*compare, "--json")
    assert done.code == 0
    assert [each["metrics"] for each in json.loads(done.out)["systems"]] == [{"Unjudged@1": 0.5}, {"Unjudged@1": 0.5}]


def test_crosscheck_says_that_nobody_else_has_it(irbridge: Irbridge) -> None:
    done = irbridge(
        "crosscheck", *INPUTS, "--measures-from", "mine.py", "-m", "Unjudged@1 RR", "--oracle", "pytrec_eval"
    )
    assert done.code == 0
    assert (
        " ".join(next(line for line in done.out.splitlines() if "Unjudged@1" in line).split()) == "Unjudged@1 0.5000 -"
    )


def test_measures(irbridge: Irbridge) -> None:
    listed = irbridge("measures", "--measures-from", "mine.py").out
    assert "own    Unjudged: mine.py" in listed
    told = irbridge("measures", "Unjudged", "--measures-from", "mine.py").out
    assert "formula     Unjudged documents / documents, of the top k." in told
    assert "comes from  mine.py" in told
    data = json.loads(irbridge("measures", "Unjudged", "--measures-from", "mine.py", "--json").out)
    assert (data["name"], data["origin"], data["range"]) == ("Unjudged", "mine.py", "0 to 1")
    assert json.loads(irbridge("measures", "RR", "--json").out)["origin"] == ""


def test_it_is_forgotten_with_the_command(irbridge: Irbridge) -> None:
    assert irbridge("measures", "Unjudged", "--measures-from", "mine.py").code == 0
    done = irbridge("measures", "Unjudged")
    assert done.code == 2
    assert "'Unjudged' is not a measure" in done.err


@pytest.mark.parametrize(
    "source, where, said",
    [
        ("import irbridge\ndef f(:\n", "mine.py:2", "is no Python: invalid syntax"),
        (SOURCE.replace("/ len", "/ 0 * len"), "mine.py:5", "failed on query q1: ZeroDivisionError"),
        (SOURCE.replace("return", "return float('nan') or"), "mine.py:3", "gives nan on query q1"),
        (SOURCE.replace("return", "return 'x' or"), "mine.py:3", "gives 'x' on query q1; it takes a number"),
        (SOURCE.replace('"Unjudged"', '"nDCG"'), "mine.py:7", "the name 'nDCG' belongs to a measure of irbridge's"),
        ("x = 1\n", "mine.py", "names no measure"),
    ],
)
def test_what_goes_wrong_in_the_file_is_told_by_line_and_query(
    irbridge: Irbridge, source: str, where: str, said: str
) -> None:
    Path("mine.py").write_text(source)
    for command in (
        ("score", *INPUTS),
        ("crosscheck", *INPUTS),
        ("compare", "--judgments", "a.qrels", "a.run", "a.run"),
    ):
        done = irbridge(*command, "--measures-from", "mine.py", "-m", "Unjudged")
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"error  {where}: ")
        assert said in done.err.splitlines()[0]
        assert "Traceback" not in done.err


@pytest.mark.parametrize("path", ["absent.py", ".", ""])
def test_a_file_that_is_not_there(irbridge: Irbridge, path: str) -> None:
    done = irbridge("score", *INPUTS, "--measures-from", path, "-m", "RR")
    assert (done.code, done.out) == (2, "")


def test_the_help_says_that_the_file_is_run(irbridge: Irbridge) -> None:
    assert "Runs this Python file" in " ".join(irbridge("score", "--help").out.split())
