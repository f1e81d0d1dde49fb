"""trec_eval's own regression suite: every line of its expected outputs that holds a number of qrels.

The suite is that of release 10.0, which prints these outputs to the byte (command lines in the suite's makefile). Release
9.0.8 prints the same but for what is said below: the rounding of iprec_at_recall and 11pt_avg, names that it has not (rbp,
rbp_resid, unj) and comment lines.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.trec_eval_tables import Line, base_of, compared, read_table

import irbridge
from irbridge.errors import UsageError

# The two lines of these outputs that hold no number.
TEXTS = ("runid", "relstring")
# The names where release 9 has another number.
ROUNDED = ("iprec_at_recall", "11pt_avg")

# Expected output: qrels, run, what the options on trec_eval's command line are here, lines to compare.
CASES: dict[str, tuple[str, str, dict[str, Any], int]] = {
    # 5 counts, map, gm_map, Rprec, bpref, recip_rank, iprec_at_recall at 11 shares and P at nine cutoffs
    "out.test": ("qrels.test", "results.test", {}, 29),
    "out.comment.test": ("qrels.comment.test", "results.comment.test", {}, 29),
    # the 98 names of all_trec; with -q for 3 queries all but num_q, gm_map and gm_bpref, and the aggregate
    "out.test.a": ("qrels.test", "results.test", {}, 98),
    "out.test.aq": ("qrels.test", "results.test", {}, 3 * 95 + 98),
    "out.test.aqc": ("qrels.test", "results.trunc", {"missing": "zero"}, 3 * 95 + 98),
    "out.test.aqcM": ("qrels.test", "results.trunc", {"missing": "zero", "depth": 100}, 3 * 95 + 98),
    "out.test.aql": ("qrels.rel_level", "results.test", {"rel": 2}, 3 * 95 + 98),
    # iprec_at_recall at 5, P at 3, recall at 2, Rprec_mult at 3, utility, 11pt_avg, ndcg with gains, ndcg_cut and success at 3
    "out.test.meas_params": ("qrels.test", "results.test", {}, 4 * 22),
    # the 14 names of all_prefs for 24 queries, and with num_q the aggregate; of qrels for 3
    "out.test.prefs": ("prefs.test", "prefs.results.test", {}, 24 * 14 + 15),
    "out.test.qrels_prefs": ("qrels.test", "results.test", {}, 3 * 14 + 15),
    # map_avgjg, P_avgjg at nine cutoffs, Rprec_mult_avgjg at ten multiples
    "out.test.qrels_jg": ("qrels.123", "results.test", {}, 3 * 20 + 21),
}
# Where the releases print the same: at depth 100 no ranking reaches the shares that the two round differently.
SAME = {"out.test.aqcM", "out.test.prefs", "out.test.qrels_prefs", "out.test.qrels_jg"}
# Z-scores of values instead of values.
OTHER_INPUTS = {"out.test.aqZ": "each value's distance to a population of runs"}


@pytest.fixture(scope="module")
def suite(shared: Path) -> Path:
    return shared / "data" / "trec" / "trec-eval-tests"


def covered(lines: list[Line]) -> list[Line]:
    """The lines that hold a number."""
    return [line for line in lines if base_of(line.measure, TEXTS) is None]


@pytest.mark.parametrize("output", CASES)
def test_every_line(suite: Path, output: str) -> None:
    qrels, run, options, size = CASES[output]
    lines = covered(read_table(suite / output))
    names = list(dict.fromkeys(line.measure for line in lines))
    scores = irbridge.score(suite / qrels, suite / run, names, convention="trec_eval-10", **options)
    assert compared(scores, lines) == (size, [])


@pytest.mark.parametrize("output", CASES)
def test_release_9_differs_by_its_rounding_alone(suite: Path, output: str) -> None:
    qrels, run, options, _ = CASES[output]
    lines = covered(read_table(suite / output))
    names = list(dict.fromkeys(line.measure for line in lines))
    scores = irbridge.score(suite / qrels, suite / run, names, convention="trec_eval-9", **options)
    _, differing = compared(scores, lines)
    assert [line for line in differing if not line.startswith(ROUNDED)] == []
    assert bool(differing) is (output not in SAME)


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
    assert compared(scores, lines) == (29, [])
    # An id that holds a `#` further on is an id like any other.
    labels = [label.doc_uri for label in irbridge.load(suite / "qrels.comment.test")]
    assert labels[0] == "msmarco_v2.1_doc_00_880019750#4_1633802806"


def test_parameters_as_trec_eval_takes_them(suite: Path) -> None:
    """The suite's command line for out.test.meas_params names P.5,7,3 and its like; the output names are P_3, P_5, P_7."""
    asked = [
        *(
            "iprec_at_recall..10,.20,.25,.75,.50",
            "P.5,7,3",
            "recall.20,2000",
            "Rprec_mult.5.0,0.2,0.35",
            "utility.2,-1,0,0",
        ),
        *("11pt_avg..25,.5,.75", "ndcg.1=3,2=9,4=4.5", "ndcg_cut.10,20,23", "success.2,5,20"),
    ]
    scores = irbridge.score(suite / "qrels.test", suite / "results.test", asked, convention="trec_eval-10")
    lines = covered(read_table(suite / "out.test.meas_params"))
    assert {measure.asked for measure in scores.measures} == {line.measure for line in lines}
    assert compared(scores, lines) == (4 * 22, [])


def test_a_cutoff_that_is_no_whole_number_is_refused() -> None:
    """The suite asks for ndcg_cut.23.4, which trec_eval reads as 23."""
    with pytest.raises(UsageError, match=r"ndcg_cut\.10,20,23\.4"):
        irbridge.parse_measures("ndcg_cut.10,20,23.4")


@pytest.mark.parametrize(
    "commented, run, output",
    [
        ("prefs.comment.test", "prefs.results.test", "out.test.prefs"),
        ("qrels.comments.123", "results.test", "out.test.qrels_jg"),
    ],
)
def test_comment_lines_among_preferences_and_groups_change_nothing(
    suite: Path, commented: str, run: str, output: str
) -> None:
    lines = covered(read_table(suite / output))
    names = list(dict.fromkeys(line.measure for line in lines))
    scores = irbridge.score(suite / commented, suite / run, names, convention="trec_eval-10")
    assert compared(scores, lines) == (CASES[output][3], [])


def test_nicknames_are_what_the_suite_prints(suite: Path) -> None:
    """`official` (the default) and `all_trec` and its like name every line of these outputs that holds a number."""
    for nickname, output in (
        ("official", "out.test"),
        ("all_trec", "out.test.a"),
        ("all_prefs", "out.test.prefs"),
        ("qrels_jg", "out.test.qrels_jg"),
    ):
        printed = {line.measure for line in covered(read_table(suite / output))}
        # With -q, num_q comes last, for it is printed of all queries alone.
        assert sorted(measure.asked for measure in irbridge.parse_measures(nickname)) == sorted(printed)


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_no_dead_end(name: str) -> None:
    with pytest.raises(UsageError, match="is a known measure, but irbridge does not compute it yet") as caught:
        irbridge.parse_measures(name)
    assert "trec_eval" in str(caught.value.hint)


def test_no_output_of_the_suite_is_forgotten(suite: Path) -> None:
    outputs = {path.name for path in suite.glob("out.*")}
    assert outputs == CASES.keys() | OTHER_INPUTS.keys()
