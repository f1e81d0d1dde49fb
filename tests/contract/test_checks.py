"""What every check owes: a code of its own, words that say why, and its place in spec/validate.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irbridge.judgments import CHECKS, Check
from irbridge.judgments.validation import contract_checks

CHECKS_BY_ORDER = sorted(CHECKS, key=lambda check: check.order)
# The specification's codes in its order; severities as it has them.
SPECIFIED = [
    ("duplicate-label", "error"), ("inconsistent-query-text", "error"), ("bad-chunk-id", "error"), ("bad-text-sha", "error"),
    ("missing-query-text", "warning"), ("empty", "error"), ("no-positives", "error"), ("no-human-labels", "warning"),
    ("mixed-fingerprints", "warning"), ("thin-stratum", "warning"), ("mixed-granularity", "warning"), ("no-chunk-ids", "warning"),
]  # fmt: skip


def test_the_specification_s_checks_stand_first_in_its_order() -> None:
    assert [(check.name, check.severity) for check in CHECKS_BY_ORDER if not check.own] == SPECIFIED


def test_a_scoring_runs_the_specification_s_checks() -> None:
    assert contract_checks() == [check for check in CHECKS_BY_ORDER if not check.own]


def test_no_two_checks_claim_one_place() -> None:
    assert len({check.order for check in CHECKS_BY_ORDER}) == len(CHECKS_BY_ORDER)


def test_on_labels_alone_only_the_specification_calls_a_set_unsound() -> None:
    assert [
        check.name for check in CHECKS_BY_ORDER if check.own and check.severity == "error" and check.needs == "labels"
    ] == []


@pytest.mark.parametrize("check", CHECKS_BY_ORDER, ids=lambda check: check.name)
def test_a_check_says_what_it_finds_why_and_how_sure_it_is(check: Check) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", check.name)
    for text in (check.summary, check.why, check.certainty):
        assert len(text) > 5
        assert not text.endswith(".")
    assert (check.watch.__module__).rsplit(".", 1)[1] == check.name.replace("-", "_")


def test_the_page_lists_every_check_with_its_severity_in_order(root: Path) -> None:
    page = (root / "spec" / "validate.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z-]+)` \| (error|warning|info) \|", page, flags=re.MULTILINE)
    assert listed == [(check.name, check.severity) for check in CHECKS_BY_ORDER]
