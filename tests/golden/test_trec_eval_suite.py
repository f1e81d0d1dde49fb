"""trec_eval's own regression suite: every line of its expected outputs that the first family of measures covers.

The suite is that of release 10.0, which prints these outputs to the byte (command lines in the suite's makefile). Release
9.0.8 prints the same for every line compared here: where the releases part on these files (iprec_at_recall, 11pt_avg,
rbp, unj, comment lines) is either not of this family or said below.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.trec_eval_tables import Line, base_of, compared, read_table

import irbridge
from irbridge.errors import UsageError

FAMILY = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "map_cut", "P", "recall", "ndcg", "ndcg_cut", "recip_rank",
    "success", "Rprec", "bpref", "set_P", "set_recall", "set_F", "set_map",
)  # fmt: skip
# The rest of these outputs: measures (and two texts) that irbridge does not compute yet, each known by its name.
LATER = (
    "runid", "gm_map", "gm_bpref", "iprec_at_recall", "infAP", "11pt_avg", "Rprec_mult", "utility", "G", "binG", "Rndcg",
    "ndcg_rel", "relative_P", "set_relative_P", "relstring", "num_nonrel_judged_ret", "rbp", "rbp_resid", "unj",
)  # fmt: skip

# Expected output: qrels, run, what the options on trec_eval's command line are here, lines to compare.
CASES: dict[str, tuple[str, str, dict[str, Any], int]] = {
    # 5 counts, map, Rprec, bpref, recip_rank and P at nine cutoffs
    "out.test": ("qrels.test", "results.test", {}, 17),
    "out.comment.test": ("qrels.comment.test", "results.comment.test", {}, 17),
    # the 51 names of all_trec in this family, and num_q; for 3 queries and the aggregate with -q
    "out.test.a": ("qrels.test", "results.test", {}, 52),
    "out.test.aq": ("qrels.test", "results.test", {}, 3 * 51 + 52),
    "out.test.aqc": ("qrels.test", "results.trunc", {"missing": "zero"}, 3 * 51 + 52),
    "out.test.aqcM": ("qrels.test", "results.trunc", {"missing": "zero", "depth": 100}, 3 * 51 + 52),
    "out.test.aql": ("qrels.rel_level", "results.test", {"rel": 2}, 3 * 51 + 52),
    # P at 3, recall at 2, ndcg with gains, ndcg_cut at 3, success at 3
    "out.test.meas_params": ("qrels.test", "results.test", {}, 4 * 12),
}
# Judgments of other kinds, and z-scores of values instead of values.
OTHER_INPUTS = {
    "out.test.prefs": "preference judgments",
    "out.test.qrels_prefs": "preference judgments",
    "out.test.qrels_jg": "several judgment groups in one file",
    "out.test.aqZ": "each value's distance to a population of runs",
}


@pytest.fixture(scope="module")
def suite(shared: Path) -> Path:
    return shared / "data" / "trec" / "trec-eval-tests"


def covered(lines: list[Line]) -> list[Line]:
    """The lines of the family; every other line is one of `LATER`."""
    bases = [base_of(line.measure, FAMILY + LATER) for line in lines]
    assert None not in bases
    return [line for line, base in zip(lines, bases, strict=True) if base in FAMILY]


@pytest.mark.parametrize("convention", ["trec_eval-10", "trec_eval-9"])
@pytest.mark.parametrize("output", CASES)
def test_every_line_of_the_family(suite: Path, output: str, convention: str) -> None:
    qrels, run, options, size = CASES[output]
    lines = covered(read_table(suite / output))
    names = list(dict.fromkeys(line.measure for line in lines))
    scores = irbridge.score(suite / qrels, suite / run, names, convention=convention, **options)
    assert compared(scores, lines) == (size, [])


def test_a_missing_query_keeps_its_relevant_documents(suite: Path) -> None:
    """Query 302 is not in results.trunc. With -c it scores 0, and its 77 relevant documents count: 561 in all."""
    lines = read_table(suite / "out.test.aqc")
    assert {Line("num_ret", "302", "0"), Line("num_rel", "302", "77"), Line("map", "302", "0.0000")} <= set(lines)
    assert {Line("num_q", "all", "3"), Line("num_rel", "all", "561"), Line("num_ret", "all", "584")} <= set(lines)
    scores = irbridge.score(suite / "qrels.test", suite / "results.trunc", "num_rel num_ret map", missing="zero")
    assert (scores.of("num_ret")["302"], scores.of("num_rel")["302"], scores.of("map")["302"]) == (0, 77, 0)
    assert scores.coverage.missing == ["302"]


def test_without_c_the_releases_part(suite: Path) -> None:
    """9.0.8 leaves query 302 out without a word (num_q 2); 10.0 exits with code 4."""
    two = irbridge.score(suite / "qrels.test", suite / "results.trunc", "num_q map", convention="trec_eval-9")
    assert two.aggregates()["num_q"] == 2
    with pytest.raises(irbridge.InputError, match=r"does not answer 1 of 3 judged queries: 302"):
        irbridge.score(suite / "qrels.test", suite / "results.trunc", "map", convention="trec_eval-10")


def test_comment_lines_change_nothing(suite: Path) -> None:
    """The suite's second command: `#` lines in the qrels, which only release 10.0 skips; 9.0.8 calls them malformed."""
    lines = covered(read_table(suite / "out.test"))
    names = list(dict.fromkeys(line.measure for line in lines))
    scores = irbridge.score(
        suite / "qrels.test.with-comments", suite / "results.test", names, convention="trec_eval-10"
    )
    assert compared(scores, lines) == (17, [])
    # An id that holds a `#` further on is an id like any other.
    labels = [label.doc_uri for label in irbridge.load(suite / "qrels.comment.test")]
    assert labels[0] == "msmarco_v2.1_doc_00_880019750#4_1633802806"


def test_parameters_as_trec_eval_takes_them(suite: Path) -> None:
    """The suite's command line for out.test.meas_params names P.5,7,3 and its like; the output names are P_3, P_5, P_7."""
    asked = ["P.5,7,3", "recall.20,2000", "ndcg.1=3,2=9,4=4.5", "ndcg_cut.10,20,23", "success.2,5,20"]
    scores = irbridge.score(suite / "qrels.test", suite / "results.test", asked, convention="trec_eval-10")
    lines = covered(read_table(suite / "out.test.meas_params"))
    assert {measure.asked for measure in scores.measures} == {line.measure for line in lines}
    assert compared(scores, lines) == (4 * 12, [])


def test_a_cutoff_that_is_no_whole_number_is_refused() -> None:
    """The suite asks for ndcg_cut.23.4, which trec_eval reads as 23."""
    with pytest.raises(UsageError, match=r"ndcg_cut\.10,20,23\.4"):
        irbridge.parse_measures("ndcg_cut.10,20,23.4")


def test_nicknames_name_what_they_leave_out() -> None:
    """`official` and `all_trec` (measures.c) are this family, and what comes later by name."""
    official, all_trec = irbridge.parse_measures("official"), irbridge.parse_measures("all_trec")
    assert len(official) == 17
    assert set(official.left_out) == {"gm_map", "iprec_at_recall"}
    assert len(all_trec) == 52
    assert set(all_trec.left_out) <= set(LATER) - {"runid", "relstring"}


@pytest.mark.parametrize("name", LATER)
def test_what_comes_later_is_no_dead_end(name: str) -> None:
    """Asked for by name: it is known, it is not computed, and who computes it is said."""
    with pytest.raises(UsageError, match="is a known measure, but irbridge does not compute it yet") as caught:
        irbridge.parse_measures(name)
    assert "trec_eval" in str(caught.value.hint)


def test_no_output_of_the_suite_is_forgotten(suite: Path) -> None:
    outputs = {path.name for path in suite.glob("out.*")}
    assert outputs == CASES.keys() | OTHER_INPUTS.keys()
