"""DL-Hard: what trec_eval printed for three real runs, every query and every measure of all_trec.

Beside each run lies the output of `trec_eval -l 2 -o -c -M1000 -q -m all_trec QRELS RUN` (release 9.0.8 prints it to the
byte): the binary measures from grade 2 on, nDCG on all grades, as `-l` does not reach it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.trec_eval_tables import Line, as_printed, base_of, compared, read_table

import irbridge
from irbridge.cli.main import run

RUNS = {
    "passage/bm25.run": "dl_hard-passage.qrels",
    "passage/bm25+t5(zs).run": "dl_hard-passage.qrels",
    "doc/bm25+rm3+electra-mp.run": "dl_hard-doc.qrels",
}
# The two lines of these outputs that hold no number.
TEXTS = ("runid", "relstring")
QUERIES = 50
# 9 cutoffs each of P, recall, map_cut, ndcg_cut and relative_P; 11 shares; 10 multiples of R; success at 1, 5 and 10; 21
# names without a cutoff, and gm_map and gm_bpref, which stand beside `all` alone, as num_q does.
NAMES = 5 * 9 + 11 + 10 + 3 + 21
LINES = NAMES * (QUERIES + 1) + 3
UNDER = {"convention": "trec_eval-9", "rel": 2, "missing": "zero", "depth": 1000}


def expected(folder: Path, run: str) -> list[Line]:
    return [line for line in read_table(folder / f"{run}.eval") if base_of(line.measure, TEXTS) is None]


@pytest.mark.parametrize("run", RUNS)
def test_every_query_and_the_mean_are_what_trec_eval_printed(shared: Path, run: str) -> None:
    folder = shared / "data" / "trec" / "dl-hard"
    lines = expected(folder, run)
    names = list(dict.fromkeys(line.measure for line in lines))
    scores = irbridge.score(folder / RUNS[run], folder / run, names, **UNDER)
    # With -c the sum of num_rel is of grades above 0 whatever -l says, and these conventions do the same.
    assert compared(scores, lines) == (LINES, [])
    assert len(names) == NAMES + 3
    one = irbridge.score(folder / RUNS[run], folder / run, "num_rel", **UNDER, relevant_total="level")
    assert one.aggregates()["num_rel"] < scores.aggregates()["num_rel"]


@pytest.mark.parametrize("run", RUNS)
def test_the_level_and_the_order_of_ties_matter_here(shared: Path, run: str) -> None:
    """The comparison above would notice a level that reaches nDCG, no level at all, or ties by ascending id."""
    folder = shared / "data" / "trec" / "dl-hard"
    lines = [line for line in expected(folder, run) if line.query_id != "all" and line.measure in {"map", "ndcg"}]
    for name, wrong in (("ndcg", {"level_cuts_gain": True}), ("map", {"rel": 1}), ("map", {"ties": "docid-asc"})):
        scores = irbridge.score(folder / RUNS[run], folder / run, name, **{**UNDER, **wrong})
        _, differing = compared(scores, [line for line in lines if line.measure == name])
        # Of the three only electra-mp's scores tie around relevant documents.
        assert bool(differing) is not ("ties" in wrong and run.startswith("passage/")), (name, wrong)


def test_the_command_writes_the_same_rows(shared: Path, tmp_path: Path) -> None:
    """`--per-query rows.jsonl` of the command as trec_eval -q printed it."""
    folder = shared / "data" / "trec" / "dl-hard"
    name = "passage/bm25.run"
    lines = [line for line in expected(folder, name) if line.query_id != "all"]
    names = " ".join(dict.fromkeys(line.measure for line in lines))
    inputs = ["--judgments", str(folder / RUNS[name]), "--run", str(folder / name)]
    under = ["--convention", "trec_eval-9", "--rel", "2", "--missing", "zero", "--depth", "1000"]
    code = run(["score", *inputs, *under, "-m", names, "--per-query", str(tmp_path / "rows.jsonl")])
    assert code == 0
    rows = [json.loads(row) for row in (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
    written = {(row["measure"], row["query_id"]): row["value"] for row in rows}
    assert len(written) == len(rows) == len(lines) == NAMES * QUERIES
    assert [line for line in lines if as_printed(written[line.measure, line.query_id], line.value) != line.value] == []
