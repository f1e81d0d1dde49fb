"""Drift on a screen: what is said of counts; and as data: the JSON of many findings, written one after the other."""

from __future__ import annotations

import json

import pytest

from irbridge.drift.findings import Drift, Finding, Status, Summary
from irbridge.drift.page import Told, drift_page
from irbridge.renderers import RENDERERS, Look


def test_no_piece_of_the_json_holds_all_findings() -> None:
    """Each of 100 labels is split into the same 1,000 chunks: 100 times what the corpus has."""
    chunks = tuple(f"c1:{number:032x}" for number in range(1000))
    findings = [Finding(f"q{number}", "d", "SPLIT", "c1:x", split_into=chunks) for number in range(100)]
    drift = Drift(findings, Summary.of(findings), "old/1", "new/1", notes=("a\x9b",))
    repair = {"reanchored": 0, "absorbed": 0, "stamped": 0, "needs_review": 100, "unproven": 0}
    pieces = list(RENDERERS.get("json").render(drift_page(drift, Told(repair, written=True)), Look()))
    data = {**drift.as_dict(), "fixed": {**repair, "journal": None}}
    assert "".join(pieces) == json.dumps(data, indent=2) + "\n"
    assert max(map(len, pieces)) < sum(map(len, pieces)) // 5


def test_no_findings() -> None:
    drift = Drift([], Summary())
    assert "".join(RENDERERS.get("json").render(drift_page(drift, Told()), Look())) == (
        json.dumps(drift.as_dict(), indent=2) + "\n"
    )


def screen(drift: Drift, told: Told, width: int = 80) -> str:
    return "".join(RENDERERS.get("text").render(drift_page(drift, told), Look(width=width)))


def row(out: str, status: str) -> str:
    return next(line for line in out.splitlines() if line.split()[1:2] == [status])


@pytest.mark.parametrize(
    "written, stays, same, inside",
    [
        (False, {}, "--fix", "--fix"),
        (True, {"MERGED": 0}, "repaired", "repaired"),
        (False, {"MERGED": 3}, "--fix", "13 --fix, 3 review"),
        (True, {"MERGED": 3}, "repaired", "13 repaired, 3 review"),
        (True, {"MERGED": 16, "RE_ANCHORABLE": 1}, "1 repaired, 1 review", "review"),
        (False, {"RE_ANCHORABLE": 2}, "review", "--fix"),
    ],
)
def test_what_repair_leaves_is_not_said_to_be_repaired(
    *, written: bool, stays: dict[Status, int], same: str, inside: str
) -> None:
    out = screen(Drift([], Summary(re_anchorable=2, merged=16)), Told(written=written, stays=stays))
    assert row(out, "re-anchorable").split("new chunk")[1].strip() == same
    assert row(out, "merged").split("larger chunk")[1].strip() == inside


def test_the_counts_of_a_million_labels_stay_in_their_row() -> None:
    drift = Drift([], Summary(re_anchorable=5, merged=1_000_000))
    out = screen(drift, Told(written=True, stays={"MERGED": 100_000}))
    assert row(out, "merged").endswith("900,000 repaired, 100,000 review")
    assert all(len(line) <= 80 for line in out.splitlines())


@pytest.mark.parametrize(
    "bare, placed, meaning, named",
    [
        (0, 0, "the chunk", "every chunk that"),
        (3, 0, "the document", "every document that"),
        (0, 3, "the place", "every place that"),
        (2, 1, "the document", "every document or place that"),
        (0, 2, "the chunk", "every place or chunk that"),
    ],
)
def test_what_is_still_there_is_what_labels_name(bare: int, placed: int, meaning: str, named: str) -> None:
    out = screen(Drift([], Summary(valid=3)), Told(bare=bare, placed=placed))
    assert f"valid           {meaning} is still there" in out
    assert f"none: {named} a label names is still there" in out
    assert ("--made-on" in out) == bool(bare)
