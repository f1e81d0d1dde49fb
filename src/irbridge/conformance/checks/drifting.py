"""Drift: the status of each label, what repair writes, and that it can be undone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irbridge.conformance.base import Case, Check, Implementation, Result, compared

_SUMMARY = ("valid", "re_anchorable", "merged", "split", "orphaned", "invalid_ratio")


def _corpus(case: Case) -> str:
    return case.file("corpus.jsonl" if (case.folder / "corpus.jsonl").exists() else "corpus.json")


def _arguments(case: Case) -> list[str]:
    return ["drift", "--judgments", case.file("judgments.jsonl"), "--corpus", _corpus(case)]


def _drift(case: Case, implementation: Implementation) -> Any:
    return implementation.asked(*_arguments(case))


def _by_query(member: str, name: str) -> Check:
    """One member of the finding of each query named."""

    def run(case: Case, implementation: Implementation) -> Iterator[Result]:
        found = {each["query_id"]: each.get(name) for each in _drift(case, implementation)["findings"]}
        expected = case.expected[member]
        yield compared(member, expected, {query_id: found.get(query_id) for query_id in expected})

    return Check(member, run)


def _findings(case: Case, implementation: Implementation) -> Iterator[Result]:
    """Every finding in the order of the labels, with the members that are expected of it."""
    expected, found = case.expected["findings"], _drift(case, implementation)["findings"]
    yield compared("findings count", len(expected), len(found))
    for number, (wanted, given) in enumerate(zip(expected, found, strict=False)):
        yield compared(f"findings[{number}]", wanted, {name: given.get(name) for name in wanted})


def _summary(case: Case, implementation: Implementation) -> Iterator[Result]:
    answer = implementation.call(*_arguments(case), "--json")
    found = answer.json()["summary"]
    expected = case.expected["summary"]
    yield compared("summary", expected, {name: found.get(name) for name in expected})
    everything_valid = all(found[name] == 0 for name in _SUMMARY[1:5])
    yield compared("summary exit code", 0 if everything_valid else 1, answer.code)


def _fingerprint(member: str) -> Check:
    def run(case: Case, implementation: Implementation) -> Iterator[Result]:
        yield compared(member, case.expected[member], _drift(case, implementation)[member])

    return Check(member, run)


def _fixed(case: Case, implementation: Implementation) -> Iterator[Result]:
    """The bytes of the labels after repair; a second repair changes none of them."""
    expected = (case.folder / case.expected["fixed"]).read_bytes()
    with case.copied() as own:
        path = own.folder / "judgments.jsonl"
        implementation.call(*_arguments(own), "--fix")
        once = path.read_bytes()
        implementation.call(*_arguments(own), "--fix")
        twice = path.read_bytes()
    yield _bytes("fixed", expected, once)
    yield _bytes("fixed twice", expected, twice)


def _sound(case: Case, implementation: Implementation) -> Iterator[Result]:
    """Repair brings no error into a set of labels that had none."""

    def errors(own: Case) -> list[str]:
        found = implementation.json("validate", "--judgments", own.file("judgments.jsonl"))
        return [issue["code"] for issue in found["issues"] if issue["severity"] == "error"]

    with case.copied() as own:
        before = errors(own)
        implementation.call(*_arguments(own), "--fix")
        after = errors(own)
    yield compared(
        "errors_after_fix", case.expected["errors_after_fix"], [code for code in after if code not in before]
    )


def _undo(case: Case, implementation: Implementation) -> Iterator[Result]:
    """Undo gives back the bytes; a dry run changes nothing."""
    with case.copied() as own:
        path = own.folder / "judgments.jsonl"
        before = path.read_bytes()
        implementation.call(*_arguments(own), "--dry-run")
        yield _bytes("dry run", before, path.read_bytes())
        implementation.call(*_arguments(own), "--fix")
        yield compared("fix changes the file", True, path.read_bytes() != before)
        answer = implementation.call("drift", "--judgments", str(path), "--undo")
        yield compared("undo exit code", 0, answer.code)
        yield _bytes("undo", before, path.read_bytes())


def _bytes(name: str, expected: bytes, found: bytes) -> Result:
    if expected == found:
        return Result(name, "pass")
    pairs = zip(expected.split(b"\n"), found.split(b"\n"), strict=False)
    line = next((number for number, (one, other) in enumerate(pairs, 1) if one != other), None)
    return Result(name, "fail", f"the bytes differ at line {line}" if line else "one file has more lines")


CHECKS = (
    _by_query("statuses", "status"),
    _by_query("reanchor", "reanchor_to"),
    _by_query("split_into", "split_into"),
    _by_query("evidence", "evidence"),
    Check("findings", _findings),
    Check("summary", _summary),
    _fingerprint("judgments_fingerprint"),
    _fingerprint("corpus_fingerprint"),
    Check("fixed", _fixed),
    Check("errors_after_fix", _sound),
    Check("undo", _undo),
)
