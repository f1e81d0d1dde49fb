"""What `validate` finds, in which order, and what it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from irbridge.conformance.base import Case, Check, Implementation, Result, compared

#: The codes of the specification; an implementation may add its own after them.
CODES = (
    "duplicate-label", "inconsistent-query-text", "bad-chunk-id", "bad-text-sha", "missing-query-text", "empty", "no-positives",
    "no-human-labels", "mixed-fingerprints", "thin-stratum", "mixed-granularity", "no-chunk-ids",
)  # fmt: skip
_SUBJECT = {"missing-query-text": re.compile(r"^query (.*) has no query text"), "thin-stratum": re.compile(r"'(.*)'")}


def validation(case: Case, implementation: Implementation) -> Any:
    """What `validate --json` prints."""
    return implementation.asked("validate", "--judgments", case.file("judgments.jsonl"))


def _issues(case: Case, implementation: Implementation) -> list[dict[str, str]]:
    return [issue for issue in validation(case, implementation)["issues"] if issue["code"] in CODES]


def _named(issue: dict[str, str]) -> str:
    subject = _SUBJECT.get(issue["code"])
    found = subject.search(issue["message"]) if subject is not None else None
    return f"{issue['code']}:{found.group(1)}" if found else issue["code"]


def _issue_order(case: Case, implementation: Implementation) -> Iterator[Result]:
    yield compared(
        "issue_order", case.expected["issue_order"], [_named(issue) for issue in _issues(case, implementation)]
    )


def _subjects(member: str, code: str) -> Check:
    def run(case: Case, implementation: Implementation) -> Iterator[Result]:
        named = [_named(issue) for issue in _issues(case, implementation) if issue["code"] == code]
        yield compared(member, case.expected[member], [each.partition(":")[2] for each in named])

    return Check(member, run)


def _messages(case: Case, implementation: Implementation) -> Iterator[Result]:
    """Severity, code and message of each issue of the specification, in their order."""
    found = [f"{issue['severity']} {issue['code']}: {issue['message']}" for issue in _issues(case, implementation)]
    yield compared("issues", case.expected["issues"], found)


def _own_codes(case: Case, implementation: Implementation) -> Iterator[Result]:
    """Codes beyond the specification's, in their order."""
    found = [issue["code"] for issue in validation(case, implementation)["issues"] if issue["code"] not in CODES]
    yield compared("further_codes", case.expected["further_codes"], found)


def _count(member: str, name: str | None = None) -> Check:
    def run(case: Case, implementation: Implementation) -> Iterator[Result]:
        yield compared(member, case.expected[member], validation(case, implementation).get(name or member))

    return Check(member, run)


def _validate(case: Case, implementation: Implementation) -> Iterator[Result]:
    expected = case.expected["validate"]
    answer = implementation.call("validate", "--judgments", case.file("judgments.jsonl"), "--json")
    found = answer.json()
    yield compared("validate ok", expected["ok"], found["ok"])
    yield compared("validate exit code", 0 if expected["ok"] else 1, answer.code)
    errors = [issue["code"] for issue in found["issues"] if issue["severity"] == "error"]
    yield compared("validate errors", expected["error_codes"], errors)


CHECKS = (
    Check("issue_order", _issue_order),
    Check("issues", _messages),
    Check("further_codes", _own_codes),
    _subjects("missing_query_text_order", "missing-query-text"),
    _subjects("thin_stratum_order", "thin-stratum"),
    _count("ok"),
    _count("labels"),
    _count("human_labels", "humanLabels"),
    _count("synthetic_labels", "syntheticLabels"),
    _count("fingerprint"),
    _count("strata"),
    Check("validate", _validate),
)
