"""`irbridge compare`, on eight queries with one relevant document each, at rank 1 or 2 of two.

In good.run it is first in all, in bad.run second in the first six: RR 1 and 5/8, change 3/8, s^2 = 0.375 / 7 (by hand in
tests/unit/comparison/test_comparing.py). t = 0.375 / sqrt(0.375 / 56) = 4.5826, p = 0.0025 with 7 degrees of freedom. The power of that t test
is 0.8 at a noncentrality of 3.2698 (scipy.stats.nct), which times sqrt(0.375 / 56) is 0.2676.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Irbridge = Callable[..., Any]
QUERIES = [f"q{number}" for number in range(1, 9)]
BASE = ("compare", "--judgments", "c.qrels")


def run_file(name: str, first_in: list[str]) -> None:
    rows = [
        f"{query} Q0 {doc} {rank} {3 - rank} t\n"
        for query in QUERIES
        for rank, doc in enumerate(("rel", "other") if query in first_in else ("other", "rel"), 1)
    ]
    Path(name).write_text("".join(rows))


@pytest.fixture(autouse=True)
def _collection(_in_a_folder_of_its_own: None) -> None:
    Path("c.qrels").write_text("".join(f"{query} 0 rel 1\n" for query in QUERIES))
    run_file("bad.run", QUERIES[6:])
    run_file("good.run", QUERIES)
    run_file("twin.run", QUERIES[6:])


def test_the_screen(irbridge: Irbridge) -> None:
    done = irbridge(*BASE, "bad.run", "good.run", "twin.run", "-m", "RR")
    assert done.code == 0
    assert done.out == (
        "  system       RR\n"
        "  bad      0.6250   baseline\n"
        "  good     1.0000\n"
        "  twin     0.6250\n"
        "\n"
        "  RR, against bad\n"
        "  system   change   95% interval      w/t/l   p t, holm      g   could show   verdict\n"
        "  good     0.3750   0.1815   0.5685   6/2/0   0.0051      1.44       0.2676   better\n"
        "  twin     0.0000        -        -   0/8/0   -              -            -   unresolvable\n"
        "  compared     8 queries · t test · holm over 2 comparisons · level 0.05\n"
        "               seed 0\n"
        "  cannot tell  twin by RR: the difference is 0 on all 8 queries\n"
        "  could show   the smallest true difference found with power 0.8 by a paired t\n"
        "               test\n"
        "  interval     Student's t, not corrected\n"
        "  convention   ir_measures · ties docid descending · scores as float32\n"
        "               missing queries score 0\n"
    )


def test_a_run_of_other_ids_is_said_to_be_that(irbridge: Irbridge) -> None:
    # As `score` says it of one run: what is 0 because of its ids is no worse system.
    Path("parts.run").write_text("".join(f"{query} Q0 rel#c1 1 1 t\n" for query in QUERIES))
    done = irbridge(*BASE, "good.run", "parts.run", "-m", "RR")
    said = " ".join(done.out.split())
    assert (
        "hint parts: 0 of 8 retrieved ids are judged, so every score is 0 judged: rel · retrieved: rel#c1, rel#c1"
        in said
    )
    assert "did you mean to map chunks to their parent documents?" in said
    assert said.count("hint") == 1


def test_ids_of_chunks_that_were_cut_anew_point_to_drift(irbridge: Irbridge) -> None:
    old, new = (f"c1:{letter * 32}" for letter in "ab")
    Path("chunks.qrels").write_text("".join(f"{query} 0 {old} 1\n" for query in QUERIES))
    for name, chunk in (("old.run", old), ("new.run", new)):
        Path(name).write_text("".join(f"{query} Q0 {chunk} 1 1 t\n" for query in QUERIES))
    called = ("--judgments", "chunks.qrels")
    for done in (irbridge("compare", *called, "old.run", "new.run"), irbridge("score", *called, "--run", "new.run")):
        said = " ".join(done.out.split())
        assert "0 of 8 retrieved ids are judged" in said
        assert "irbridge drift says what became of the labels" in said


def test_json(irbridge: Irbridge) -> None:
    arguments = ("bad.run", "good.run", "-m", "RR", "--test", "sign-flip,t", "--correction", "none", "--json")
    done = irbridge(*BASE, *arguments)
    found = json.loads(done.out)
    assert found["tests"] == ["sign-flip", "t"]
    assert [each["metrics"] for each in found["systems"]] == [{"RR": 0.625}, {"RR": 1.0}]
    (difference,) = found["differences"]
    assert difference["tests"]["sign-flip"] == {
        "p": 2 / 64, "corrected": 2 / 64, "how": "all 64 sign patterns", "why": "",
    }  # fmt: skip
    assert (difference["wins"], difference["ties"], difference["losses"]) == (6, 2, 0)
    assert (difference["verdict"], difference["interval_method"]) == ("better", "t")
    assert irbridge(*BASE, *arguments).out == done.out


def test_the_baseline_by_name_and_number(irbridge: Irbridge) -> None:
    for given in ("good", "2"):
        found = json.loads(irbridge(*BASE, "bad.run", "good.run", "-m", "RR", "--baseline", given, "--json").out)
        assert found["baseline"] == "good"
        assert found["differences"][0]["verdict"] == "worse"


def test_one_run_is_scored(irbridge: Irbridge) -> None:
    done = irbridge(*BASE, "good.run", "-m", "RR", "--json")
    assert done.code == 0
    assert json.loads(done.out)["differences"] == []


def test_names_and_margin_and_clusters(irbridge: Irbridge) -> None:
    Path("d.qrels").write_text("".join(f"{query[0]}.{query[1]} 0 rel 1\n" for query in QUERIES))
    done = irbridge(*BASE, "bad.run", "twin.run", "-m", "RR", "--names", "old,new", "--margin", "0.1")
    assert "  new      0.6250\n" in done.out
    done = irbridge(*BASE, "bad.run", "good.run", "-m", "RR", "--cluster-by", "topic")
    assert "every query is a cluster of its own" in done.out
    assert "8 clusters by topic" in done.out
    done = irbridge(*BASE, "bad.run", "good.run", "-m", "RR", "--cluster-by", "document")
    assert done.code == 2
    assert "by document all 8 queries are in one cluster" in done.err


def test_other_judgments(irbridge: Irbridge) -> None:
    Path("o.qrels").write_text("".join(f"{query} 0 other 1\n" for query in QUERIES))
    done = irbridge(*BASE, "bad.run", "good.run", "-m", "RR", "--other-judgments", "o.qrels")
    assert done.code == 0
    assert "  order of the systems under o.qrels\n" in done.out
    assert "  RR        -1.0000   -1.0000       1\n" in done.out


def test_json_tells_each_file_by_its_digest(irbridge: Irbridge) -> None:
    Path("o.qrels").write_text("".join(f"{query} 0 other 1\n" for query in QUERIES))
    Path("lengths").write_text("rel\t3\nother\t3\n")
    Path("mine.py").write_text(
        "import irbridge\n\ndef found(seen):\n    return len(seen.grades) > 0\n\n"
        'MEASURE = irbridge.own_measure(found, "Found", "whether something was found", range="0 or 1")\n'
    )
    called = (*BASE, "bad.run", "good.run", "--measures-from", "mine.py", "-m", "Found RR@5tok", "--lengths", "lengths")
    asked = (*called, "--other-judgments", "o.qrels")
    inputs = json.loads(irbridge(*asked, "--json").out)["inputs"]
    roles = ["judgments", "run", "run", "other_judgments", "measures", "lengths"]
    files = ["c.qrels", "bad.run", "good.run", "o.qrels", "mine.py", "lengths"]
    assert [(each["role"], each["path"]) for each in inputs] == list(zip(roles, files, strict=True))
    for each in inputs:
        assert each["sha256"] == hashlib.sha256(Path(each["path"]).read_bytes()).hexdigest()
    irbridge(*asked, "--out", "t.json")
    assert json.loads(Path("t.json").read_text())["inputs"] == inputs


def test_csv(irbridge: Irbridge) -> None:
    assert irbridge(*BASE, "bad.run", "good.run", "-m", "RR", "--out", "t.csv", "--per-query", "rows.csv").code == 0
    (row,) = csv.DictReader(Path("t.csv").read_text().splitlines())
    assert (row["system"], row["difference"], row["wins"]) == ("good", "0.375", "6")
    rows = list(csv.reader(Path("rows.csv").read_text().splitlines()))
    assert rows[:2] == [["system", "query_id", "measure", "value"], ["bad", "q1", "RR", "0.5"]]
    assert len(rows) == 1 + 2 * 8


def test_latex(irbridge: Irbridge) -> None:
    irbridge(*BASE, "bad.run", "good.run", "-m", "RR", "--names", r"b_1 & \evil{},100%", "--out", "t.tex")
    text = Path("t.tex").read_text(encoding="utf-8")
    assert "  b\\_1 \\& \\textbackslash{}evil\\{\\} & 0.6250 \\\\\n  100\\% & 1.0000$^{\\dagger}$ \\\\\n" in text
    assert text.count("\\toprule") == text.count("\\bottomrule") == text.count("\\begin{tabular}") == 2
    # Everything that is no table is a comment.
    outside = re.sub(r"\\begin\{tabular\}.*?\\end\{tabular\}\n", "", text, flags=re.DOTALL)
    assert all(not line or line.startswith("%") for line in outside.splitlines())


def test_markdown(irbridge: Irbridge) -> None:
    irbridge(*BASE, "bad.run", "good.run", "-m", "RR", "--names", "a|b,<script>", "--out", "t.md")
    text = Path("t.md").read_text(encoding="utf-8")
    assert "| a\\|b | 0.6250 |\n| &lt;script&gt; | 1.0000† |\n" in text


@pytest.mark.parametrize("suffix", ["tex", "md", "csv", "tsv", "jsonl", "json", "txt"])
def test_every_form_of_a_table_without_a_baseline(irbridge: Irbridge, suffix: str) -> None:
    assert irbridge(*BASE, "good.run", "-m", "RR NumRet", "--out", f"t.{suffix}").code == 0
    assert "good" in Path(f"t.{suffix}").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "missing argument"),
        (["bad.run", "absent.run"], "absent.run"),
        (["bad.run", "good.run", "--baseline", "bda"], "did you mean bad?"),
        (["bad.run", "good.run", "--baseline", "3"], "a number from 1 to 2"),
        (["bad.run", "good.run", "--test", "tt"], "is not a paired test"),
        (["bad.run", "good.run", "--correction", "hlom"], "did you mean holm?"),
        (["bad.run", "good.run", "--alpha", "0.5"], "0<x<0.5"),
        (["bad.run", "good.run", "--alpha", "nan"], "is no number"),
        (["bad.run", "good.run", "--alpha", "1_0"], "is no number"),
        (["bad.run", "good.run", "--margin", "0"], "0<x"),
        (["bad.run", "good.run", "--seed", "-1"], "seed"),
        (["bad.run", "good.run", "--names", "a"], "2 runs need 2 names"),
        (["bad.run", "good.run", "--names", "a,a"], "two systems are called 'a'"),
        (["bad.run", "good.run", "--cluster-by", "colour"], "has no colour in the labels"),
        (["bad.run", "good.run", "--out", "t.pdf"], "does not say how to write it"),
        (["bad.run", "good.run", "--out", "absent/t.tex"], "the folder does not exist"),
        (["bad.run", "good.run", "--out", "good.run"], "does not say how to write it"),
        (["bad.run", "good.run", "--out", "t.csv", "--per-query", "t.csv"], "name the same file"),
        (["-", "-"], "standard input"),
        (["bad.run", "-", "--other-judgments", "c.qrels"], "standard input"),
    ],
)
def test_bad_usage(irbridge: Irbridge, arguments: list[str], message: str) -> None:
    done = irbridge(*BASE, *arguments, "-m", "RR")
    assert done.code == 2
    assert done.out == ""
    assert message in done.err
    assert not Path("t.csv").exists()


# ---------------------------------------------------------------------------------------------- gates on an earlier run


def test_a_gate_on_the_interval_of_the_change(irbridge: Irbridge) -> None:
    score = ("score", "--judgments", "c.qrels", "-m", "RR")
    better = irbridge(
        *score, "--run", "good.run", "--baseline-run", "bad.run", "--gate", "RR:delta-lower:-0.02", "--json"
    )
    assert better.code == 0
    held = json.loads(better.out)["baseline_run"]
    assert (held["queries"], held["metrics"]["RR"]["change"]) == (8, 0.375)
    assert held["metrics"]["RR"]["interval"] == pytest.approx([0.1815, 0.5685], abs=5e-5)
    worse = irbridge(*score, "--run", "bad.run", "--baseline-run", "good.run", "--gate", "RR:delta-lower:-0.02")
    assert worse.code == 1
    assert "all of it below -0.02" in worse.out.replace("\n              ", " ")
    same = irbridge(*score, "--run", "bad.run", "--baseline-run", "twin.run", "--gate", "RR:delta-lower:-0.02")
    assert same.code == 0
    untold = irbridge(*score, "--run", "bad.run", "--baseline-run", "good.run", "--gate", "RR:delta-lower:-0.3")
    assert untold.code == 1
    assert "8 queries cannot tell" in untold.out.replace("\n              ", " ")


def test_a_gate_file_names_the_earlier_run(irbridge: Irbridge) -> None:
    Path("ci").mkdir()
    Path("ci/gates.toml").write_text('gates = ["RR:delta-lower:-0.02"]\nbaseline_run = "../bad.run"\n')
    done = irbridge("score", "--judgments", "c.qrels", "--run", "good.run", "--gates", "ci/gates.toml", "--json")
    assert done.code == 0
    assert list(json.loads(done.out)["baseline_run"]["metrics"]) == ["RR"]


def test_an_earlier_run_that_cannot_be_used(irbridge: Irbridge) -> None:
    done = irbridge("score", "--judgments", "c.qrels", "--run", "good.run", "--baseline-run", "absent.run")
    assert done.code == 2
    assert "absent.run" in done.err
    done = irbridge("score", "--judgments", "c.qrels", "--run", "-", "--baseline-run", "-")
    assert done.code == 2


@pytest.mark.parametrize(
    "alpha, heading", [("0.05", "95% interval"), ("0.2", "80% interval"), ("0.001", "99.9% interval")]
)
def test_the_heading_says_how_sure_the_interval_is(irbridge: Irbridge, alpha: str, heading: str) -> None:
    done = irbridge(*BASE, "bad.run", "good.run", "-m", "RR", "--alpha", alpha, "--out", "t.md")
    assert done.code == 0
    assert f" {heading} " in Path("t.md").read_text(encoding="utf-8")


def test_holes_are_compared(irbridge: Irbridge) -> None:
    """Every query's run has its relevant document and one that no query has a label for: Hole@2 is 1/2."""
    done = irbridge(*BASE, "bad.run", "good.run", "-m", "Hole@2", "--json")
    assert done.code == 0
    assert [each["metrics"] for each in json.loads(done.out)["systems"]] == [{"Hole@2": 0.5}, {"Hole@2": 0.5}]


def test_bounds_over_unjudged_documents(irbridge: Irbridge) -> None:
    """`other` is judged by nobody. RR of good.run is 1 whatever it is; of bad.run it is 5/8, or 1 with `other` relevant."""
    done = irbridge(*BASE, "bad.run", "good.run", "-m", "RR Rprec", "--unjudged", "bounds")
    assert done.code == 0
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert lines[:3] == [
        "system RR worst best Rprec worst best",
        "bad 0.6250 0.6250 1.0000 0.2500 - - baseline",
        "good 1.0000 1.0000 1.0000 1.0000 - -",
    ]
    assert next(line for line in lines if line.startswith("good 0.3750")).endswith("better open")
    assert "no worst and best between runs is known: Rprec" in done.out
    # Judged not relevant, it leaves nothing open.
    Path("c.qrels").write_text("".join(f"{query} 0 rel 1\n{query} 0 other 0\n" for query in QUERIES))
    done = irbridge(*BASE, "bad.run", "good.run", "-m", "RR", "--unjudged", "bounds", "--json")
    (difference,) = json.loads(done.out)["differences"]
    assert (difference["unjudged"], difference["unjudged_certain"]) == ([0.375, 0.375], "better")
    assert json.loads(done.out)["systems"][0]["unjudged"] == {"RR": [0.625, 0.625]}
    assert irbridge(*BASE, "bad.run", "good.run", "-m", "RR", "--unjudged", "bounds", "--out", "d.csv").code == 0
    (row,) = csv.DictReader(Path("d.csv").read_text().splitlines())
    assert (row["unjudged_least"], row["unjudged_certain"]) == ("0.375", "better")


def test_bounds_stand_in_every_form_of_the_comparison(irbridge: Irbridge) -> None:
    # As above: RR of bad.run is 5/8 at worst and 1 at best, of good.run 1; so the change is 0 to 3/8.
    called = (*BASE, "bad.run", "good.run", "-m", "RR", "--unjudged", "bounds")
    said = " ".join(irbridge(*called).out.split())
    assert "open good by RR: the change is at least 0.0000 and at most 0.3750" in said
    for suffix, rows in (
        (".md", ["| bad | 0.6250 | 0.6250 | 1.0000 |", "| good | 1.0000† | 1.0000 | 1.0000 |"]),
        (".tex", ["bad & 0.6250 & 0.6250 & 1.0000", "good & 1.0000$^{\\dagger}$ & 1.0000 & 1.0000"]),
    ):
        irbridge(*called, "--out", f"t{suffix}")
        text = Path(f"t{suffix}").read_text(encoding="utf-8")
        assert [row in text for row in rows] == [True, True]
        assert "at least 0.0000 and at most 0.3750" in text
    irbridge(*called, "--out", "t.csv")
    (row,) = csv.DictReader(Path("t.csv").read_text().splitlines())
    own = [row[name] for name in ("unjudged_worst", "unjudged_best", "unjudged_least", "unjudged_most")]
    assert [*own, row["baseline_unjudged_worst"], row["baseline_unjudged_best"]] == [
        "1.0", "1.0", "0.0", "0.375", "0.625", "1.0",
    ]  # fmt: skip
    irbridge(*BASE, "bad.run", "-m", "RR", "--unjudged", "bounds", "--out", "t.csv")
    (row,) = csv.DictReader(Path("t.csv").read_text().splitlines())
    assert row == {"measure": "RR", "system": "bad", "mean": "0.625", "unjudged_worst": "0.625", "unjudged_best": "1.0"}


def test_budgets(irbridge: Irbridge) -> None:
    """rel has two words and other three: three tokens hold rel alone, first or not at all; five hold both."""
    texts = {"rel": "one two", "other": "one two three"}
    Path("c.jsonl").write_text("".join(f'{{"_id": "{doc_id}", "text": "{text}"}}\n' for doc_id, text in texts.items()))
    Path("lengths.tsv").write_text("rel\t2\nother\t3\n")
    pair = (*BASE, "bad.run", "good.run", "-m", "P@4tok RR@5tok")
    for source in (("--corpus", "c.jsonl"), ("--corpus", "c.jsonl", "--tokenizer", "ws"), ("--lengths", "lengths.tsv")):
        done = irbridge(*pair, *source, "--json")
        assert done.code == 0
        bad, good = json.loads(done.out)["systems"]
        # One document fits into 4: other in six of eight queries of bad.run.
        assert bad["metrics"] == {"P@4tok": 0.25, "RR@5tok": 0.625}
        assert good["metrics"] == {"P@4tok": 1.0, "RR@5tok": 1.0}
        assert bad["budgets"]["5tok"]["documents"] == 2
        for name in ("bad", "good"):  # as score has it
            report = json.loads(irbridge("score", *BASE[1:], "--run", f"{name}.run", *pair[-2:], *source, "--json").out)
            own = {"bad": bad, "good": good}[name]["metrics"]
            assert {measure: of["value"] for measure, of in report["metrics"].items()} == own
    screen = irbridge(*pair, "--lengths", "lengths.tsv").out
    assert re.search(r"budget +lengths of lengths.tsv", screen)
    assert "good: 1.0 documents fit into 4tok" in screen
    assert irbridge(*pair, "--lengths", "lengths.tsv", "--other-judgments", "c.qrels").code == 0


@pytest.mark.parametrize(
    "options, said",
    [
        (["-m", "P@4tok"], "needs the lengths of documents"),
        (["-m", "P@4tok", "--lengths", "c.qrels"], "is no length"),
        (["-m", "P@4tok", "--lengths", "some.tsv"], "whose length is not known: other"),
        (["-m", "P@4tok", "--lengths", "some.tsv", "--tokenizer", "ws"], "no tokenizer counts any"),
        (["-m", "P@4tok", "--lengths", "some.tsv", "--out", "some.tsv"], "some.tsv"),
        (["-m", "P@4tok", "--corpus", ""], "--corpus names nothing"),
        (["-m", "RR", "--lengths", "some.tsv"], "the lengths are for budgets, and no measure has one"),
        (["-m", "RR", "--corpus", "some.tsv"], "the corpus is for budgets, and no measure has one"),
        (["-m", "RR", "--tokenizer", "ws"], "the tokenizer is for budgets, and no measure has one"),
    ],
)
def test_budgets_that_cannot_be_kept(irbridge: Irbridge, options: list[str], said: str) -> None:
    Path("some.tsv").write_text("rel\t2\n")
    done = irbridge(*BASE, "bad.run", "good.run", *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert Path("some.tsv").read_text() == "rel\t2\n"
