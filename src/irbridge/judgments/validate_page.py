"""A validation as a person sees it: the worst first to read, a few of each kind, and what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from irbridge.errors import shown
from irbridge.judgments.base import Issue
from irbridge.judgments.validation import Validation
from irbridge.renderers.base import Page, Remark, Tone
from irbridge.wording import counted

#: How many issues of one code a screen shows; JSON holds all.
LISTED = 3
_WIDEST = 160
_TONES: dict[str, Tone] = {"error": "bad", "warning": "warn", "info": "plain"}
_NEEDS = {"corpus": "--corpus C", "queries": "--queries Q"}


def validate_page(found: Validation, inputs: str = "--judgments J --corpus C") -> Page:
    """The screen of a validation; its data are the validation's JSON.

    Args:
        found: the validation.
        inputs: options that name the labels and their corpus, for the command that comes next.
    """
    return Page(tuple(_blocks(found, inputs)), found)


def _blocks(found: Validation, inputs: str) -> Iterator[Remark]:
    said = [
        counted(found.labels, "label"),
        counted(found.queries, "query", "queries"),
        counted(len(found.strata), "stratum", "strata"),
    ]
    if found.human_labels or found.synthetic_labels:
        said.append(f"{found.human_labels:,} by people, {found.synthetic_labels:,} synthetic")
    if found.fingerprint is not None:
        said.append(f"made at {shown(found.fingerprint, 60)}")
    yield Remark("", said)
    told: Counter[str] = Counter()
    totals = Counter(issue.code for issue in found.issues)
    for issue in found.issues:
        told[issue.code] += 1
        if told[issue.code] <= LISTED:
            yield Remark(issue.severity, _said(issue), _TONES[issue.severity])
        if told[issue.code] == totals[issue.code] > LISTED:
            more = f"and {totals[issue.code] - LISTED:,} more like it; --json lists all"
            yield Remark(issue.severity, [issue.code, more], _TONES[issue.severity])
    for note in found.notes:
        yield Remark("note", [note])
    yield _verdict(found)
    yield from _next(found, inputs)


def _said(issue: Issue) -> list[str]:
    place = [] if issue.line is None else [f"line {issue.line:,}"]
    return [issue.code, shown(issue.message, _WIDEST), *place]


def _verdict(found: Validation) -> Remark:
    counts = [counted(found.count(severity), severity) for severity in ("error", "warning") if found.count(severity)]
    if found.ok:
        return Remark("sound", counts or ["nothing to say against it"], "good")
    return Remark("unsound", [*counts, "no number computed from it can be trusted"], "bad")


def _next(found: Validation, inputs: str) -> Iterator[Remark]:
    needed = Counter(check.needs for check in found.skipped)
    for needs, count in sorted(needed.items()):
        yield Remark("more", [f"{counted(count, 'check')} with {_NEEDS[needs]}"], "faint")
    codes = {issue.code for issue in found.issues}
    if "mixed-fingerprints" in codes or "dangling-chunk" in codes:
        yield Remark("next", [f"irbridge drift {inputs}", "says what became of each label"])
