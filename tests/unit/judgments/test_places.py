"""Labels that name places: two of one document are two labels, for whoever compares, merges, checks or counts labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from irbridge.errors import InputError, UsageError
from irbridge.judgments.agreement import agree
from irbridge.judgments.difference import diff
from irbridge.judgments.merging import filled, merge
from irbridge.judgments.tables import Labels, named, place_of
from irbridge.judgments.validation import validate
from irbridge.load import load_collection
from irbridge.model import Judgment
from irbridge.qrels import Qrels
from irbridge.sidecar import Sidecar

REVISION = "t1:" + "0" * 32
TREC = frozenset({"iteration"})


def placed(start: int, end: int, relevance: int = 1, revision: Any = REVISION, **fields: Any) -> Judgment:
    extra = {"span": {"start": start, "end": end}, "doc_revision": revision}
    return Judgment("q1", "d1", relevance, "text", extra=extra, **fields)


WHOLE = Judgment("q1", "d1", 1, "text")


def codes(*labels: Judgment) -> list[str]:
    wanted = {"duplicate-label", "annotator-conflict", "unprojected-spans"}
    return [issue.code for issue in validate(list(labels)).issues if issue.code in wanted]


@pytest.mark.parametrize(
    "labels, expected",
    [
        ([placed(0, 5), placed(5, 9)], ["unprojected-spans"]),
        ([placed(0, 5), placed(0, 9)], ["unprojected-spans"]),
        ([placed(0, 5), placed(0, 5, revision="t1:" + "1" * 32)], ["unprojected-spans"]),
        # A place and the whole document are two things, whichever comes first.
        ([placed(0, 5), WHOLE], ["unprojected-spans"]),
        ([WHOLE, placed(0, 5)], ["unprojected-spans"]),
        # One place twice is one label twice; so is the document behind a place of it.
        ([placed(0, 5), placed(0, 5)], ["duplicate-label"]),
        ([placed(0, 5), placed(5, 9), placed(0, 5)], ["duplicate-label", "unprojected-spans"]),
        ([placed(0, 5), WHOLE, WHOLE], ["duplicate-label", "unprojected-spans"]),
        ([WHOLE, placed(0, 5), WHOLE], ["duplicate-label", "unprojected-spans"]),
        # Labels of chunks and of documents are what they always were.
        ([WHOLE, WHOLE], ["duplicate-label"]),
        ([WHOLE, WHOLE._replace(extra={"note": 1})], ["duplicate-label"]),
        ([placed(0, 5, chunk_id="c"), placed(5, 9, chunk_id="c")], ["duplicate-label"]),
        # What is no place does not tell two labels apart: no revision, an empty stretch, no numbers.
        ([placed(0, 5, revision=None), placed(5, 9, revision=None)], ["duplicate-label"]),
        ([placed(0, 5, revision=""), placed(5, 9, revision="")], ["duplicate-label"]),
        ([placed(5, 5), placed(9, 9)], ["duplicate-label"]),
        ([WHOLE, placed(9, 5)], ["duplicate-label"]),
        # Another query, another document.
        ([placed(0, 5), placed(5, 9)._replace(query_id="q2")], []),
        ([placed(0, 5), placed(5, 9)._replace(doc_uri="d2")], []),
    ],
)  # fmt: skip
def test_what_is_judged_twice(labels: list[Judgment], expected: list[str]) -> None:
    assert codes(*labels) == expected


def test_the_finding_counts_documents() -> None:
    labels = [placed(0, 5), placed(5, 9), placed(9, 12)]
    labels += [each._replace(query_id="q2") for each in labels[:2]]
    (found,) = [issue for issue in validate(labels).issues if issue.code == "unprojected-spans"]
    assert found.severity == "warning"
    assert found.message == (
        "query q1 has labels of several places of d1 (the first of 2 such cases); project them onto chunks before scoring"
    )
    assert found.evidence["count"] == 2
    assert [each["query_id"] for each in found.evidence["documents"]] == ["q1", "q2"]


def test_annotators_disagree_about_a_place_and_not_about_two() -> None:
    one, other = placed(0, 5, 2, labeled_by="human:a"), placed(5, 9, 0, labeled_by="human:b")
    assert "annotator-conflict" not in codes(one, other)
    assert codes(one, other, placed(0, 5, 1, labeled_by="human:b")) == [
        "duplicate-label", "annotator-conflict", "unprojected-spans",
    ]  # fmt: skip


def test_a_diff_tells_places_apart() -> None:
    found = diff([placed(0, 5), placed(5, 9, 1)], [placed(5, 9, 2), placed(7, 12)])
    assert [label.extra["span"]["start"] for label in found.removed] == [0]
    assert [label.extra["span"]["start"] for label in found.added] == [7]
    assert [(each.before.relevance, each.after.relevance) for each in found.regraded] == [(1, 2)]
    assert found.as_dict()["regraded"][0]["span"] == {"start": 5, "end": 9}
    assert "span" not in named(WHOLE)


def table(*labels: Judgment) -> Labels:
    return {place_of(label): label for label in labels}


def test_a_merge_takes_a_place_from_each_side() -> None:
    base = table(placed(0, 5), placed(5, 9))
    found = merge(base, table(placed(0, 5, 2), placed(5, 9)), table(placed(0, 5), placed(5, 9, 3)))
    assert not found.conflicts
    assert found.labels == (placed(0, 5, 2), placed(5, 9, 3))


def test_a_side_that_holds_no_places_means_the_only_one() -> None:
    base = table(placed(0, 5))
    side = filled(table(Judgment("q1", "d1", 2)), base, TREC, keeps_unknown=False)
    assert side == table(placed(0, 5, 2))


def test_of_several_places_it_cannot_say_which() -> None:
    with pytest.raises(UsageError, match="judges 2 places of d1 for query q1"):
        filled(table(Judgment("q1", "d1", 2)), table(placed(0, 5), placed(5, 9)), TREC, keeps_unknown=False)


def test_agreement_is_about_places(tmp_path: Path) -> None:
    ana = [placed(0, 5, 2, labeled_by="human:a"), placed(5, 9, 0, labeled_by="human:a")]
    ben = [placed(0, 5, 2, labeled_by="human:b"), placed(5, 9, 1, labeled_by="human:b")]
    (pair,) = agree([ana, ben]).pairs
    assert (pair.units, pair.same) == (2, 0.5)


def test_qrels_have_no_places() -> None:
    with pytest.raises(InputError) as refused:
        Qrels.from_judgments([placed(0, 5, 1), placed(5, 9, 2)])
    assert "project them onto chunks first" in str(refused.value.hint)


def test_all_places_come_back_from_a_sidecar() -> None:
    # Of two equal grades qrels have one row, which stands for both.
    labels = [placed(0, 5), placed(5, 9)]
    beside = Sidecar(labels)
    assert list(beside.restored([Judgment("q1", "d1", 1), Judgment("q1", "d2", 1)])) == [
        *labels,
        Judgment("q1", "d2", 1),
    ]
    assert beside.notes() == ["1 label is not in the sidecar"]


def test_loading_keeps_all_places_and_sees_no_contradiction(tmp_path: Path) -> None:
    rows = [
        {"query_id": "q1", "doc_uri": "d1", "relevance": g, "span": {"start": 0, "end": e}, "doc_revision": REVISION}
        for g, e in ((1, 3), (2, 5))
    ]
    (tmp_path / "j.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    load_collection(str(tmp_path / "j.jsonl"), tmp_path / "out")
    kept = [json.loads(line) for line in (tmp_path / "out" / "judgments.jsonl").read_text().splitlines()]
    assert kept == rows
    assert "contradict" not in (tmp_path / "out" / "manifest.json").read_text()
