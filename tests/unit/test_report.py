"""The report of a scoring, on a small set whose numbers are worked out by hand.

    judgments   q1: d1 grade 2 (human), d2 grade 1 (synthetic)   q2: d3 grade 0   q3: d4 grade 1
    run         q1: d9 d1 d1                                     q2: -            q3: -             q7: d4

At k=3, a label counts from grade 1: q2 has no such label and is excluded, q3 is missing and scores 0.
q1: precision 1/3, recall 1/2, mrr 1/2, map (1/2) / 2 = 1/4, hit_rate 1; DCG 3/log2(3) against 3 + 1/log2(3).
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import irbridge
from irbridge.api import chosen_convention, chosen_measures
from irbridge.errors import UsageError
from irbridge.report import Report, build

LABELS = [
    {"query_id": "q1", "doc_uri": "d1", "relevance": 2, "labeled_by": "human:ana", "corpus_fingerprint": "window/1"},
    {"query_id": "q1", "doc_uri": "d2", "relevance": 1, "labeled_by": "synthetic:m1"},
    {"query_id": "q2", "doc_uri": "d3", "relevance": 0, "labeled_by": "someone"},
    {"query_id": "q3", "doc_uri": "d4", "relevance": 1},
]
RUN = [{"query_id": "q1", "ranking": ["d9", "d1", "d1"]}, {"query_id": "q7", "ranking": ["d4"]}]


def lines(path: Path, rows: Iterable[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def reported(
    tmp_path: Path, measures: str | None = None, *, labels: Any = LABELS, run: Any = RUN, **knobs: Any
) -> Report:
    asked = chosen_measures(measures, None if measures else [3])
    convention = chosen_convention(knobs.pop("convention", None), asked, **knobs)
    return build(lines(tmp_path / "j.jsonl", labels), lines(tmp_path / "r.jsonl", run), asked, convention)


def test_the_report_has_the_members_of_the_specification_in_its_order(tmp_path: Path) -> None:
    made = reported(tmp_path).as_dict()
    assert list(made)[:7] == ["spec_version", "tool", "generated_at", "corpus", "judgments", "metrics", "verdict"]
    assert made["spec_version"] == "1"
    assert made["tool"] == {"name": "irbridge", "version": irbridge.__version__}
    assert made["corpus"] == {"fingerprint": None}
    assert made["judgments"] == {
        "queries": 3,
        "queries_scored": 2,
        "labels": 4,
        "fingerprint": "window/1",
        "human_labels": 1,
        "synthetic_labels": 1,
    }
    assert json.loads(json.dumps(made)) == made


def test_the_numbers_are_those_of_the_specification(tmp_path: Path) -> None:
    metrics = reported(tmp_path).as_dict()["metrics"]
    ndcg = (3 / math.log2(3)) / (3 + 1 / math.log2(3))
    # Means over q1 and q3, which scores 0.
    expected = {
        "precision@3": 1 / 6,
        "recall@3": 1 / 4,
        "ndcg@3": ndcg / 2,
        "mrr@3": 1 / 4,
        "map@3": 1 / 8,
        "hit_rate@3": 1 / 2,
    }
    assert {name: metric["value"] for name, metric in metrics.items()} == {
        name: round(value, 12) for name, value in expected.items()
    }
    assert all((metric["n"], metric["deterministic"]) == (1, True) for metric in metrics.values())


def test_reasons_in_the_specifications_words_and_order(tmp_path: Path) -> None:
    verdict = reported(tmp_path).as_dict()["verdict"]
    assert verdict == {
        "status": "PASS",
        "reasons": [
            "1 judged queries had no run entry and scored zero",
            "1 judged queries have no label at relevance >= 1 and were excluded from the averages",
            "1 queries repeated a key in their ranking; only the first occurrence of each was counted",
        ],
        "gates": [],
    }


def test_nothing_scored_means_no_metric_at_all(tmp_path: Path) -> None:
    made = reported(tmp_path, rel=3).as_dict()
    assert made["metrics"] == {}
    assert made["verdict"]["status"] == "INDETERMINATE"
    assert made["verdict"]["reasons"] == [
        "no query had a label at relevance >= 3, so no metric was computed",
        "1 queries repeated a key in their ranking; only the first occurrence of each was counted",
    ]


def test_skipped_queries_are_left_out_and_said(tmp_path: Path) -> None:
    made = reported(tmp_path, "RR@3", missing="skip", duplicates="first").as_dict()
    assert made["metrics"]["RR@3"]["value"] == 0.5
    assert made["verdict"]["reasons"][0] == "2 judged queries had no run entry and were left out"


def test_strata_are_scored_apart(tmp_path: Path) -> None:
    labels = [dict(LABELS[0], stratum="b"), LABELS[1], LABELS[2], dict(LABELS[3], stratum="a")]
    made = reported(tmp_path, labels=labels).as_dict()["per_stratum"]
    assert list(made) == ["_unstratified", "a", "b"]
    # b: d1 alone is relevant to q1: found at rank 2. _unstratified: d2 of q1, not found. a: q3, not answered.
    assert {name: (each["n"], each["metrics"]["recall@3"]["value"]) for name, each in made.items()} == {
        "_unstratified": (1, 0.0),
        "a": (1, 0.0),
        "b": (1, 1.0),
    }


def test_without_strata_there_is_no_such_member(tmp_path: Path) -> None:
    assert "per_stratum" not in reported(tmp_path).as_dict()


def test_what_the_numbers_rest_on(tmp_path: Path) -> None:
    made = reported(tmp_path, "nDCG@3 ndcg@3 RR", duplicates="first").as_dict()
    digests = [hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() for name in ("j.jsonl", "r.jsonl")]
    assert [each["sha256"] for each in made["inputs"]] == digests
    assert [(each["role"], each["format"]) for each in made["inputs"]] == [("judgments", "judgments"), ("run", "run")]
    assert made["convention"]["name"] == "ir_measures (changed)"
    assert set(irbridge.conventions.KNOBS) < set(made["convention"])
    assert made["coverage"]["missing"] == ["q2", "q3"]
    assert made["coverage"]["extra"] == 1
    assert set(made["versions"]) == {"irbridge", "python", "numpy"}
    assert made["measures"]["nDCG@3"]["gain"] == "linear"
    assert made["measures"]["ndcg@3"]["gain"] == "exponential"
    assert "gain" not in made["measures"]["RR"]
    # RR is 1/2, 0, 0: mean 1/6, squared deviations 1/9, 1/36, 1/36, so variance 1/12; t(0.975, 2) = 4.302652729696.
    half = 4.302652729696 * math.sqrt(1 / 12) / math.sqrt(3)
    assert made["measures"]["RR"]["queries"] == 3
    assert made["measures"]["RR"]["stdev"] == pytest.approx(math.sqrt(1 / 12), abs=1e-12)
    assert made["measures"]["RR"]["interval"] == pytest.approx([1 / 6 - half, 1 / 6 + half], abs=1e-11)


def test_sums_and_single_queries_have_no_interval(tmp_path: Path) -> None:
    made = reported(tmp_path, "NumRet", duplicates="first").as_dict()
    assert made["metrics"]["NumRet"]["value"] == 2.0  # d9 and d1; the repeated d1 is dropped
    assert "interval" not in made["measures"]["NumRet"]
    one = reported(tmp_path, "RR", missing="skip", duplicates="first").as_dict()
    assert "interval" not in one["measures"]["RR"]


def test_inputs_in_memory_have_no_digest() -> None:
    asked = chosen_measures("RR")
    made = build({"q1": {"d1": 1}}, {"q1": {"d1": 0.5}}, asked, chosen_convention(None, asked)).as_dict()
    assert [each["sha256"] for each in made["inputs"]] == [None, None]
    assert made["metrics"]["RR"]["value"] == 1.0


def test_two_fingerprints_are_none(tmp_path: Path) -> None:
    labels = [LABELS[0], dict(LABELS[1], corpus_fingerprint="window/2")]
    assert reported(tmp_path, labels=labels).as_dict()["judgments"]["fingerprint"] is None


def test_notes_of_both_inputs_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "bom.qrels"
    path.write_bytes(b"\xef\xbb\xbfq1 0 d1 1\n")
    asked = chosen_measures("RR")
    made = build(str(path), {"q1": {"d1": 0.5}}, asked, chosen_convention(None, asked))
    assert made.notes == (f"{path}: a byte order mark at the start was dropped",)
    assert made.as_dict()["metrics"]["RR"]["value"] == 1.0


def test_source_date_epoch_makes_reports_repeatable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert reported(tmp_path).as_dict()["generated_at"] == "1970-01-02T00:00:00Z"
    assert reported(tmp_path).as_dict() == reported(tmp_path).as_dict()
    for given, said in (("yesterday", "yesterday"), ("1_0", "1_0"), ("\uff11", "\uff11"), ("\x1b[31m", r"\\x1b\[31m")):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
        with pytest.raises(UsageError, match=f"SOURCE_DATE_EPOCH is '{said}'"):
            reported(tmp_path)
