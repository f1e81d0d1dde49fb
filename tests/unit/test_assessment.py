"""One verdict of everything, on sets whose numbers are worked out by hand.

    judgments   q1: d1 grade 2, d2 grade 1     q2: d3 grade 1
    run         q1: d9 d1                      q2: d3

recall@5: q1 1/2, q2 1: mean 3/4.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from irbridge.api import chosen_convention, chosen_measures
from irbridge.assessment import assess
from irbridge.errors import InputError, UsageError
from irbridge.inputs import Input
from irbridge.model import Judgment
from irbridge.report import Report
from irbridge.stats.interval import summarize

LABELS = [
    {"query_id": "q1", "query": "one", "doc_uri": "d1", "relevance": 2},
    {"query_id": "q1", "query": "one", "doc_uri": "d2", "relevance": 1},
    {"query_id": "q2", "query": "two", "doc_uri": "d3", "relevance": 1},
]
RUN = [{"query_id": "q1", "ranking": ["d9", "d1"]}, {"query_id": "q2", "ranking": ["d3"]}]
UNSOUND = (
    "the judgment set is unsound ({}); run 'irbridge validate' for detail. No metric computed from it can be trusted"
)
TWICE = UNSOUND.format("duplicate-label")
P, F, I = "PASS", "FAIL", "INDETERMINATE"


def lines(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.fixture
def assessed(tmp_path: Path):
    def run(
        labels: Any = LABELS, ranked: Any = RUN, *, k: int = 5, measures: Any = None, rel: Any = None, **more: Any
    ) -> Report:
        asked = chosen_measures(measures, None if measures else [k])
        under = chosen_convention(None, asked, rel=rel)
        given = (
            labels
            if isinstance(labels, str) or not isinstance(labels[0], dict)
            else lines(tmp_path / "j.jsonl", labels)
        )
        return assess(given, lines(tmp_path / "r.jsonl", ranked), asked, under, **more)

    return run  # fmt: skip


def label(doc_uri: str, relevance: int, **more: Any) -> dict[str, Any]:
    return {"query_id": "q1", "query": "one", "doc_uri": doc_uri, "relevance": relevance, **more}


def test_sound_labels_and_passing_gates(assessed) -> None:
    report = assessed(gates=["recall@5:0.75"])
    assert report.verdict.status == P
    assert report.verdict.reasons == report.verdict.advice == ()
    assert report.verdict.gates == ({"expression": "recall@5:0.75", "status": "PASS", "observed": 0.75},)


@pytest.mark.parametrize("again", [0, 2])
def test_a_label_given_twice_is_scored_last_wins_and_never_passes(assessed, again: int) -> None:
    # d1 and then d1 again: with grade 0 the second row leaves d2 as the only relevant one, which is not found: recall
    # 0 and 1, mean 1/2. With the same grade as before nothing changes, but the set is unsound all the same.
    report = assessed([*LABELS, label("d1", again)], gates=["recall@5:0.1"])
    data = report.as_dict()
    assert data["metrics"]["recall@5"]["value"] == (0.5 if again == 0 else 0.75)
    assert data["judgments"]["labels"] == 4
    assert data["verdict"] == {
        "status": I,
        "reasons": [TWICE],
        "gates": [{"expression": "recall@5:0.1", "status": P, "observed": data["metrics"]["recall@5"]["value"]}],
    }
    assert report.verdict.advice[0].startswith("irbridge validate --judgments ")


def test_a_failing_gate_beats_unsound_labels(assessed) -> None:
    report = assessed([*LABELS, label("d1", 2)], gates=["recall@5:0.9"])
    assert report.verdict.status == F
    assert report.verdict.reasons == (TWICE, "recall@5 is 0.7500, below 0.9")


def test_codes_are_sorted_and_warnings_are_not_among_them(assessed) -> None:
    labels = [
        label("d1", 1, chunk_id="c1:x"),
        label("d1", 1, chunk_id="c1:x"),
        label("d2", 1, query="other", text_sha="t1:x"),
    ]
    reasons = assessed(labels).verdict.reasons
    assert reasons == (UNSOUND.format("bad-chunk-id, bad-text-sha, duplicate-label, inconsistent-query-text"),)


def test_a_row_given_again_counts_in_each_stratum_that_it_is_in(assessed) -> None:
    # All rows: d1 is 0 at last, so only d2 and d3 are relevant. In stratum a, d1's last row says 1: found, recall 1 of q1
    # (d2 has no stratum). In stratum b it says 0: nothing relevant. d2: 0/1 of q1, and q2 1/1 in _unstratified: 1/2.
    labels = [label("d1", 2, stratum="a"), *LABELS[1:], label("d1", 1, stratum="a"), label("d1", 0, stratum="b")]
    data = assessed(labels).as_dict()
    assert data["metrics"]["recall@5"]["value"] == 0.5
    strata = {
        name: (each["n"], each["metrics"].get("recall@5", {}).get("value"))
        for name, each in data["per_stratum"].items()
    }
    assert strata == {"_unstratified": (2, 0.5), "a": (1, 1.0), "b": (0, None)}
    assert data["worst_stratum"]["recall@5"] == {"name": "_unstratified", "value": 0.5, "n": 2}


def test_a_stratum_that_only_a_later_row_has(assessed) -> None:
    data = assessed([*LABELS, label("d1", 1, stratum="a")]).as_dict()
    assert {name: each["n"] for name, each in data["per_stratum"].items()} == {"_unstratified": 2, "a": 1}


def test_rows_of_a_query_that_stand_apart(assessed) -> None:
    labels = [LABELS[0], LABELS[2], LABELS[1], label("d2", 0, stratum="s"), label("d1", 1, stratum="s")]
    data = assessed(labels).as_dict()
    # d1 found, d2 worthless at last: recall 1 and 1. In s: d1 alone is relevant and found.
    assert data["metrics"]["recall@5"]["value"] == 1.0
    assert data["per_stratum"]["s"]["metrics"]["recall@5"]["value"] == 1.0
    # Among the rows without a stratum d1 (2) and d2 (1) are relevant, d1 is found; q2 is perfect.
    assert data["per_stratum"]["_unstratified"]["metrics"]["recall@5"]["value"] == 0.75


def test_a_plain_table_of_grades_that_contradicts_itself_is_refused(assessed, tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("q1 0 d1 1\nq1 0 d1 0\n")
    with pytest.raises(InputError, match="judged twice, 1 and 0"):
        assessed(str(tmp_path / "q.txt"))


def test_a_plain_table_without_a_positive_grade_is_unsound(assessed, tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("q1 0 d1 0\nq2 0 d3 0\n")
    report = assessed(str(tmp_path / "q.txt"), measures="AP")  # under ir_measures both queries count as 0
    assert report.verdict.status == I
    assert report.verdict.reasons == (UNSOUND.format("no-positives"),)
    assert report.scores.aggregates() == {"AP": 0.0}


def test_records_in_memory_are_checked_like_a_file(assessed) -> None:
    labels = [Judgment("q1", "d1", 1, query="one"), Judgment("q1", "d1", 2, query="one"), Judgment("q2", "d3", 1)]
    assert assessed(labels).verdict.reasons == (TWICE,)


def test_all_reasons_in_their_order(assessed, tmp_path: Path) -> None:
    # q3 is missing, q4 has nothing relevant, q1 repeats d9, d1 is labelled twice, and none of the four documents that the
    # labels name is in the corpus.
    labels = [
        *LABELS,
        label("d1", 2),
        {"query_id": "q3", "doc_uri": "d4", "relevance": 1},
        {"query_id": "q4", "doc_uri": "d4", "relevance": 0},
    ]
    corpus = {
        "corpus_fingerprint": "w/2",
        "chunker_fingerprint": "w/2",
        "chunks": [{"chunk_id": "c1:" + "0" * 32, "doc_uri": "other", "text": "x"}],
    }
    (tmp_path / "corpus.json").write_text(json.dumps(corpus))
    run = [{"query_id": "q1", "ranking": ["d9", "d9", "d1"]}, RUN[1]]
    report = assessed(labels, run, gates=["recall@5:0.9", "recall@9:0.1"], corpus=str(tmp_path / "corpus.json"))
    assert list(report.verdict.reasons) == [
        "100% of judgments no longer match the live corpus",
        "1 judged queries had no run entry and scored zero",
        "1 judged queries have no label at relevance >= 1 and were excluded from the averages",
        "1 queries repeated a key in their ranking; only the first occurrence of each was counted",
        TWICE,
        "recall@5 is 0.5000, below 0.9",
        "recall@9:0.1: metric 'recall@9' not present in the report",
    ]
    data = report.as_dict()
    assert data["corpus"] == {"fingerprint": "w/2", "documents": 1, "chunks": 1}
    assert data["judgments"]["drift"] == {
        "valid": 0, "re_anchorable": 0, "merged": 0, "split": 0, "orphaned": 6, "invalid_ratio": 1.0, "still_there": 0,
    }  # fmt: skip


def test_decayed_labels_alone_leave_the_verdict(assessed, tmp_path: Path) -> None:
    chunks = [{"chunk_id": f"c1:{n:032}", "doc_uri": f"d{1 + n // 2}", "text": str(n)} for n in range(4)]
    (tmp_path / "corpus.json").write_text(json.dumps({"corpus_fingerprint": "w/2", "chunks": chunks}))
    report = assessed(corpus=str(tmp_path / "corpus.json"))
    # d1 and d2 are there, d3 is not: a third, which is 33%.
    assert (report.verdict.status, report.verdict.reasons) == (P, ("33% of judgments no longer match the live corpus",))
    assert report.as_dict()["corpus"] == {"fingerprint": "w/2", "documents": 2, "chunks": 4}
    assert report.verdict.advice[0].startswith("irbridge drift --judgments ")


@pytest.mark.parametrize("rel, sound, gate", list(itertools.product([1, 9], [True, False], [P, F, I, None])))
def test_every_combination_of_base_and_gate(assessed, rel: int, sound: bool, gate: str | None) -> None:
    """rel 9: nothing is scored, and every gate is INDETERMINATE."""
    expression = {P: "recall@5:0.1", F: "recall@5:0.99", I: "recall@7:0.1"}
    report = assessed(
        LABELS if sound else [*LABELS, label("d2", 1)], rel=rel, gates=[] if gate is None else [expression[gate]]
    )
    if rel == 9:
        expected = I
    elif gate == F:
        expected = F
    else:
        expected = P if sound and gate in {P, None} else I
    assert report.verdict.status == expected


# ------------------------------------------------------------------------------------------------------------ baseline


def test_a_report_is_its_own_baseline(assessed) -> None:
    before = assessed()
    for baseline in (before, before.as_dict()):
        report = assessed(gates=["recall@5:-0", "recall@5:+0.01"], baseline=baseline)
        assert [gate["status"] for gate in report.verdict.gates] == [P, F]
        assert report.as_dict()["baseline"]["differences"] == report.as_dict()["baseline"]["unknown"] == []
        assert report.notes == ()


def test_other_grades_under_the_same_numbers_are_other_labels(assessed) -> None:
    before = assessed([label("d1", 1), *LABELS[1:]])
    report = assessed(gates=["recall@5:-1", "recall@5:0.1"], baseline=before)
    assert report.verdict.status == I
    assert report.verdict.reasons == (
        "the baseline is refused: other labels: as many, with other ids, grades or strata",
        "recall@5:-1: no baseline value for 'recall@5'",
    )
    assert [gate["status"] for gate in report.verdict.gates] == [I, P]


def test_the_same_labels_in_another_format_and_order_are_the_same(assessed, tmp_path: Path) -> None:
    before = assessed()
    (tmp_path / "q.txt").write_text("q2 0 d3 1\nq1 0 d2 1\nq1 0 d1 2\n")
    report = assessed(str(tmp_path / "q.txt"), gates=["recall@5:-0"], baseline=before)
    assert report.verdict.status == P


def test_the_digest_of_labels_is_that_of_the_specification(assessed) -> None:
    text = "q1\0d1\0002\0_unstratified\nq1\0d2\0001\0_unstratified\nq2\0d3\0001\0_unstratified\n"
    assert assessed().as_dict()["labels_sha256"] == hashlib.sha256(text.encode()).hexdigest()
    with_stratum = assessed([{**LABELS[0], "stratum": "é"}, *LABELS[1:]]).as_dict()["labels_sha256"]
    text = text.replace("d1\0002\0_unstratified", "d1\0002\0é")
    assert with_stratum == hashlib.sha256(text.encode()).hexdigest()


def test_a_report_of_another_tool_is_compared_as_far_as_it_goes(assessed) -> None:
    data = assessed().as_dict()
    known = {
        name: data[name]
        for name in ("spec_version", "tool", "generated_at", "corpus", "judgments", "metrics", "verdict")
    }
    report = assessed(gates=["recall@5:-0"], baseline=known)
    assert report.verdict.status == P
    assert report.as_dict()["baseline"]["unknown"] == ["labels (their numbers agree)", "convention", "threshold"]
    assert "not told by both reports: labels (their numbers agree), convention, threshold" in report.notes[0]


def test_a_refused_baseline_that_no_gate_wants_is_noted(assessed) -> None:
    before = assessed(rel=2)
    report = assessed(gates=["recall@5:0.1"], baseline=before)
    assert report.verdict.status == P
    assert "refused as a baseline: another threshold: relevance >= 2 there, >= 1 here" in report.notes[0]


# ------------------------------------------------------------------------------------------------------------- the rest


def test_measurements_from_elsewhere_stand_in_the_report_and_can_be_gated(assessed) -> None:
    # Mean 0.8, stdev 0.2, n 3: half width t(0.975, 2) = 4.302653 * 0.2 / sqrt(3) = 0.496828; the lower end is 0.303172.
    found = {"faithfulness": summarize([0.8, 1.0, 0.6]), "once": summarize([0.8])}
    gates = ["faithfulness:ci-lower:0.3", "faithfulness:ci-lower:0.31", "once:ci-lower:0.1", "once:0.8"]
    report = assessed(measurements=found, gates=gates)
    assert [gate["status"] for gate in report.verdict.gates] == [P, F, I, P]
    assert report.verdict.gates[0]["observed"] == pytest.approx(0.303172, abs=1e-6)
    metric = report.as_dict()["metrics"]["faithfulness"]
    assert (metric["value"], metric["n"], metric["deterministic"]) == (0.8, 3, False)
    assert metric["stdev"] == pytest.approx(0.2)


def test_required_strata_are_part_of_the_verdict(assessed) -> None:
    report = assessed(require=["billing"])
    assert (report.verdict.status, report.verdict.reasons) == (
        I, ("stratum 'billing' was not scored, and the gates require it",),
    )  # fmt: skip


def test_gates_and_baseline_are_looked_at_before_anything_is_read(assessed) -> None:
    with pytest.raises(UsageError, match="is not a number"):
        assessed("no-such-file.jsonl", gates=["recall@5:x"])
    with pytest.raises(InputError, match="is no report"):
        assessed("no-such-file.jsonl", baseline={})


def test_one_gate_may_be_a_text(assessed) -> None:
    assert len(assessed(gates="recall@5:0.1").verdict.gates) == 1


def test_columns_that_contradict_themselves_are_unsound_where_the_format_holds_whole_labels(
    assessed, tmp_path: Path
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    for grade in (1, 2):
        table = pyarrow.table(
            {"query_id": ["q1", "q1", "q2"], "doc_id": ["d1", "d1", "d3"], "relevance": [1, grade, 1]}
        )
        parquet.write_table(table, tmp_path / "j.parquet")
        report = assessed(str(tmp_path / "j.parquet"))
        assert report.verdict.reasons == (TWICE,)
        assert report.labels == 3


def test_no_gate_passes_over_rows_that_were_left_out(assessed, tmp_path: Path) -> None:
    labels, run = tmp_path / "bad.qrels", tmp_path / "bad.run"
    labels.write_text("q1 0 d1 2\nq1 0 d2 high\nq2 0 d3 1\n")
    run.write_text("q1 Q0 d1 1 2 t\nq2 Q0 d3 1 nan t\nq2 Q0 d3 1 1 t\n")
    asked = chosen_measures(None, [5])
    under = chosen_convention(None, asked)

    def verdict(one: Path, other: Path, **more: Any) -> Any:
        given = Input(str(one), "judgments", drop_bad_rows=True), Input(str(other), "run", drop_bad_rows=True)
        return assess(*given, asked, under, **more).verdict

    found = verdict(labels, run, gates=["recall@5:0.8"])
    assert found.status == I
    assert found.gates[0]["status"] == P
    assert found.reasons == (
        f"1 unusable row of {labels} left out, so no gate can pass", f"1 unusable row of {run} left out, so no gate can pass",
    )  # fmt: skip
    assert found.advice[0].endswith(f"irbridge convert --judgments {labels} --drop-bad-rows -o REST")
    assert found.advice[1].endswith(f"irbridge convert --run {run} --drop-bad-rows -o REST")
    # Both documents are found, so that the one gate that fails is worse than not knowing.
    assert verdict(labels, run, gates=["recall@5:0.8", "precision@5:0.9"]).status == F
    # Without a gate nothing is claimed.
    assert verdict(labels, run).status == P


def test_nor_over_rows_of_the_earlier_run(assessed, tmp_path: Path) -> None:
    run = tmp_path / "bad.run"
    run.write_text("q1 Q0 d1 1 2 t\nq2 Q0 d3 1 nan t\n")
    earlier = Input(str(run), "run", drop_bad_rows=True)
    assert assessed(gates=["recall@5:0.75"], baseline_run=earlier).verdict.status == I


def test_leaving_out_is_allowed_where_nothing_had_to_be(assessed, tmp_path: Path) -> None:
    path = tmp_path / "good.run"
    path.write_text("q1 Q0 d1 1 2 t\nq2 Q0 d3 1 2 t\n")
    earlier = Input(str(path), "run", drop_bad_rows=True)
    assert assessed(gates=["recall@5:0.75"], baseline_run=earlier).verdict.status == P


def test_no_scoring_of_several_places_passes(assessed) -> None:
    # Both rows are labels of d1, and a run can answer with d1 only.
    rev = {"doc_revision": "t1:" + "0" * 32}
    places = [label("d1", 2, span={"start": 0, "end": 5}, **rev), label("d1", 1, span={"start": 7, "end": 9}, **rev)]
    reason = "labels name several places of a document for one query; project them onto chunks before scoring"
    verdict = assessed([*places, LABELS[2]], gates=["recall@5:0.1"]).verdict
    assert (verdict.status, verdict.reasons) == (I, (reason,))
    assert "irbridge project --judgments" in verdict.advice[0]
    # One place of a document is as good as a label of the document.
    assert assessed([places[0], LABELS[2]], gates=["recall@5:0.1"]).verdict.status == P
    # What is given twice is unsound beside it.
    assert assessed([*places, places[0], LABELS[2]]).verdict.reasons == (TWICE, reason)


def test_a_baseline_without_numbers_is_said_to_be_one(assessed) -> None:
    # No label reaches grade 9, so that nothing is scored.
    before = assessed(rel=9).as_dict()
    assert before["metrics"] == {}
    before["convention"]["rel"] = 1
    report = assessed(baseline=before, gates=["recall@5:-0.1"])
    assert report.verdict.status == I
    assert report.verdict.reasons == ("recall@5:-0.1: no baseline value for 'recall@5'",)
    assert "baseline: holds no number, for no query was scored in it: nothing can be compared with it" in report.notes
