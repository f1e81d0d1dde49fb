"""DL-Hard: what trec_eval printed for three real runs, every query and every measure of the first family.

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
FAMILY = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "map_cut", "P", "recall", "ndcg", "ndcg_cut", "recip_rank",
    "success", "Rprec", "bpref", "set_P", "set_recall", "set_F", "set_map",
)  # fmt: skip
# What all_trec has beside it, which irbridge does not compute yet.
OTHERS = (
    "runid", "gm_map", "gm_bpref", "iprec_at_recall", "infAP", "11pt_avg", "Rprec_mult", "utility", "G", "binG", "Rndcg",
    "ndcg_rel", "relative_P", "set_relative_P", "relstring", "num_nonrel_judged_ret",
)  # fmt: skip
QUERIES = 50
# 9 cutoffs each of P, recall, map_cut and ndcg_cut; success at 1, 5 and 10; twelve names without a cutoff.
NAMES = 4 * 9 + 3 + 12
# Of each name 50 queries and the aggregate, and num_q of the aggregate alone.
LINES = NAMES * (QUERIES + 1) + 1
UNDER = {"convention": "trec_eval-9", "rel": 2, "missing": "zero", "depth": 1000}


def expected(folder: Path, run: str) -> list[Line]:
    lines = read_table(folder / f"{run}.eval")
    assert {base_of(line.measure, FAMILY + OTHERS) for line in lines} == set(FAMILY + OTHERS)
    return [line for line in lines if base_of(line.measure, FAMILY + OTHERS) in FAMILY]


@pytest.mark.parametrize("run", RUNS)
def test_every_query_and_the_mean_are_what_trec_eval_printed(shared: Path, run: str) -> None:
    folder = shared / "data" / "trec" / "dl-hard"
    lines = expected(folder, run)
    names = list(dict.fromkeys(line.measure for line in lines))
    scores = irbridge.score(folder / RUNS[run], folder / run, names, **UNDER)
    # With -c trec_eval takes the sum of num_rel from the qrels, above grade 0 whatever -l says (m_num_rel.c,
    # te_calc_avg_num_rel): it is NumRel at level 1, the lines of the queries are NumRel at level 2.
    quirk = [line for line in lines if (line.measure, line.query_id) == ("num_rel", "all")]
    count, differing = compared(scores, [line for line in lines if line not in quirk])
    assert differing == []
    at_level_1 = irbridge.score(folder / RUNS[run], folder / run, "num_rel", **{**UNDER, "rel": 1})
    more, differing = compared(at_level_1, quirk)
    assert differing == []
    assert count + more == len(lines) == LINES == 2602
    assert len(names) == NAMES + 1


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
