"""`--measures-from FILE`, on the small collection of conftest.py: q1 d3, d1, d9 with grades 0, 2 and none; q2 d5, d4 with none and 1."""

from __future__ import annotations

import hashlib
import json
import os
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


def test_a_gate_without_the_file_says_what_brings_it(irbridge: Irbridge) -> None:
    done = irbridge("score", *INPUTS, "-m", "RR", "--gate", "Unjudged@1:0.5")
    assert done.code == 1
    said = " ".join(done.out.split())
    assert "next 'Unjudged@1' is not a measure here: --measures-from FILE names yours" in said


def test_a_gate_file_names_no_code_and_says_where_it_is_named(irbridge: Irbridge) -> None:
    Path("gates.toml").write_text('gates = ["Unjudged@1:0.5"]\nmeasures_from = "mine.py"\n')
    score = ("score", *INPUTS, "-m", "Unjudged@1", "--gates", "gates.toml", "--measures-from", "mine.py")
    done = irbridge(*score)
    assert done.code == 2
    assert "gates.toml:2: 'measures_from' is not a key of a gate file" in done.err
    assert "a gate file runs no code: give --measures-from FILE beside --gates" in " ".join(done.err.split())
    Path("gates.toml").write_text('gates = ["Unjudged@1:0.5"]\nmeasures = "Unjudged@1"\n')
    assert irbridge("score", *INPUTS, "--gates", "gates.toml", "--measures-from", "mine.py").code == 0


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


def test_without_m_they_stand_beside_the_default_ones(irbridge: Irbridge) -> None:
    plain = json.loads(irbridge("score", *INPUTS, "--json").out)
    done = irbridge("score", *INPUTS, "--measures-from", "mine.py", "--json")
    assert (done.code, done.err) == (0, "")
    found = json.loads(done.out)
    # The whole ranking is shorter than 10: 1/3 and 1/2.
    assert found["metrics"].pop("Unjudged@10")["value"] == pytest.approx(5 / 12)
    # The others are as ever, and so is the convention.
    assert (found["metrics"], found["convention"]) == (plain["metrics"], plain["convention"])
    names = list(
        json.loads(irbridge("score", *INPUTS, "--measures-from", "mine.py", "-k", "1,2", "--json").out)["metrics"]
    )
    assert names[-2:] == ["Unjudged@1", "Unjudged@2"]
    compared = ("compare", "--judgments", "a.qrels", "a.run", "a.run", "--measures-from", "mine.py", "--json")
    assert "Unjudged@10" in json.loads(irbridge(*compared).out)["systems"][0]["metrics"]


def test_a_file_that_was_run_for_nothing_is_named(irbridge: Irbridge) -> None:
    done = irbridge("score", *INPUTS, "--measures-from", "mine.py", "-m", "RR", "--json")
    assert done.code == 0
    assert done.err == "note  mine.py: none of its measures is asked for: Unjudged\n"
    assert json.loads(done.out)["inputs"][-1]["role"] == "run"


def test_they_have_no_bounds_and_that_is_said(irbridge: Irbridge) -> None:
    bounded = ("score", *INPUTS, "--measures-from", "mine.py", "--unjudged", "bounds", "-m")
    alone = irbridge(*bounded, "Unjudged@1")
    assert "no worst and best over unjudged documents is known of Unjudged@1" in alone.out
    beside = irbridge(*bounded, "Unjudged@1 RR").out
    assert next(line for line in beside.splitlines() if "Unjudged@1" in line).split()[2:4] == ["-", "-"]
    pair = ("compare", "--judgments", "a.qrels", "a.run", "a.run", "--measures-from", "mine.py", "-m", "Unjudged@1")
    assert "between runs is known: Unjudged@1" in irbridge(*pair, "--unjudged", "bounds").out


def test_the_file_is_an_input_that_a_baseline_holds_to(irbridge: Irbridge) -> None:
    score = ("score", *INPUTS, "--measures-from", "mine.py", "-m", "Unjudged@1 RR")
    assert irbridge(*score, "--out", "before.json").code == 0
    before = json.loads(Path("before.json").read_text())
    assert before["inputs"][-1] == {
        "role": "measures", "path": "mine.py", "format": "python", "sha256": hashlib.sha256(SOURCE.encode()).hexdigest(),
    }  # fmt: skip
    assert before["measures"]["Unjudged@1"]["from"] == ["mine.py"]
    assert "from" not in before["measures"]["RR"]
    gated = ("--baseline", "before.json", "--gate", "RR:-0.01")
    assert irbridge(*score, *gated).code == 0
    Path("mine.py").write_text(SOURCE + "# another\n")
    done = irbridge(*score, *gated)
    assert done.code == 1
    assert "another file of Unjudged@1" in done.out
    again = "score the earlier run once more, with this file of Unjudged@1, with --out REPORT.json"
    assert again in " ".join(done.out.split())
    # What the file has no part in can be compared with.
    assert irbridge("score", *INPUTS, "-m", "RR", *gated).code == 0
    # A report that does not tell the file is no reason to refuse; that it does not is said.
    del before["inputs"]
    Path("before.json").write_text(json.dumps(before))
    done = irbridge(*score, *gated)
    assert done.code == 0
    assert "not told by both reports: file of Unjudged@1" in done.out


def test_the_file_of_an_imported_function_is_named_too(irbridge: Irbridge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(".")
    Path("shares_of_mine.py").write_text(SOURCE)
    Path("names_it.py").write_text("from shares_of_mine import MEASURE\n")
    done = irbridge("score", *INPUTS, "--measures-from", "names_it.py", "-m", "Unjudged@1", "--json")
    assert done.code == 0
    paths = [Path(each["path"]).name for each in json.loads(done.out)["inputs"] if each["role"] == "measures"]
    assert paths == ["names_it.py", "shares_of_mine.py"]


@pytest.mark.parametrize(
    "command", [("score", *INPUTS), ("compare", "--judgments", "a.qrels", "a.run", "a.run")], ids=["score", "compare"]
)
@pytest.mark.parametrize("option", ["--out", "--per-query"])
@pytest.mark.parametrize("target", ["names_it.csv", "link.csv", "shares_of_mine.csv"])
def test_no_output_takes_the_place_of_a_file_of_measures(
    irbridge: Irbridge, command: tuple[str, ...], option: str, target: str
) -> None:
    # Python takes a file of any suffix where it is named, and a loader is told what it reads.
    Path("shares_of_mine.csv").write_text(SOURCE)
    names_it = (
        "from importlib.machinery import SourceFileLoader\n"
        "import types\n"
        "made = types.ModuleType('shares')\n"
        "SourceFileLoader('shares', 'shares_of_mine.csv').exec_module(made)\n"
        "MEASURE = made.MEASURE\n"
    )
    Path("names_it.csv").write_text(names_it)
    Path("link.csv").symlink_to("names_it.csv")
    done = irbridge(*command, "--measures-from", "names_it.csv", "-m", "Unjudged@1", option, target)
    assert (done.code, done.out) == (2, "")
    assert f"{target} is an input and would be overwritten" in done.err
    assert (Path("names_it.csv").read_text(), Path("shares_of_mine.csv").read_text()) == (names_it, SOURCE)
    assert irbridge(*command, "--measures-from", "names_it.csv", "-m", "Unjudged@1", option, "new.csv").code == 0


def test_what_the_file_prints_goes_to_standard_error(irbridge: Irbridge) -> None:
    Path("mine.py").write_text(
        "print('loaded')\n" + SOURCE.replace("    return", "    print(seen.query_id)\n    return")
    )
    for command in (("score", *INPUTS), ("compare", "--judgments", "a.qrels", "a.run")):
        done = irbridge(*command, "--measures-from", "mine.py", "-m", "Unjudged@1", "--json")
        assert (done.code, done.err) == (0, "loaded\nq1\nq2\n")
        assert json.loads(done.out)
    # With the command it is over: a program's own output stays where it was.
    plain = irbridge("score", *INPUTS, "--json")
    assert (plain.code, plain.err) == (0, "")
    assert json.loads(plain.out)


def test_measures(irbridge: Irbridge) -> None:
    listed = irbridge("measures", "--measures-from", "mine.py").out
    assert "own      Unjudged: mine.py" in listed
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


def test_what_is_no_regular_file_is_not_waited_for(irbridge: Irbridge) -> None:
    os.mkfifo("pipe.py")
    for path in ("/dev/zero", "pipe.py"):
        done = irbridge("score", *INPUTS, "--measures-from", path, "-m", "RR")
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"error  {path}: is no regular file\n")


def test_a_file_that_no_python_file_is_as_large_as(irbridge: Irbridge) -> None:
    with Path("mine.py").open("ab") as file:
        file.truncate(2**24 + 1)  # a hole, which takes no room on the disk
    done = irbridge("score", *INPUTS, "--measures-from", "mine.py", "-m", "RR")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error  mine.py: is larger than 16 MB\n")


def test_the_help_says_that_the_file_is_run(irbridge: Irbridge) -> None:
    assert "Runs this Python file" in " ".join(irbridge("score", "--help").out.split())
