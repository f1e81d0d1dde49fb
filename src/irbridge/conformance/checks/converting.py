"""Conversions: qrels to judgments and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise

from irbridge.conformance.base import Case, Check, Implementation, Result, compared


def _qrels_lines(case: Case, implementation: Implementation) -> Iterator[Result]:
    """The labels as TREC qrels; where the case has none as JSON Lines, its BEIR file there and back."""
    with case.copied() as own:
        path = own.folder / "judgments.jsonl"
        if not path.exists():
            answer = implementation.call("convert", "--qrels", own.file("beir.tsv"), "--to", "judgments")
            path.write_text(answer.out, encoding="utf-8")
        answer = implementation.call("convert", "--judgments", str(path), "--to", "qrels")
    yield compared("qrels_lines", case.expected["qrels_lines"], answer.out.splitlines())


def _judgments(member: str, name: str, *more: str) -> Check:
    def run(case: Case, implementation: Implementation) -> Iterator[Result]:
        answer = implementation.call("convert", "--qrels", case.file(name), "--to", "judgments", *more)
        expected = case.expected[member]
        found = [json.loads(line) for line in answer.out.splitlines()]
        yield compared(
            member,
            expected,
            [{field: row.get(field) for field in wanted} for wanted, row in zip(expected, found, strict=False)],
        )
        yield compared(f"{member} count", len(expected), len(found))

    return Check(member, run)


def _trec_back(case: Case, implementation: Implementation) -> Iterator[Result]:
    """TREC qrels to judgments and back again are the same lines, negative grades and all."""
    with case.copied() as own:
        rows = implementation.call("convert", "--qrels", own.file("trec.qrels"), "--to", "judgments").out
        (own.folder / "judgments.jsonl").write_text(rows, encoding="utf-8")
        answer = implementation.call("convert", "--judgments", own.file("judgments.jsonl"), "--to", "qrels")
    yield compared("trec_back", case.expected["trec_back"], answer.out.splitlines())


def _trec_run(case: Case, implementation: Implementation) -> Iterator[Result]:
    """A run as TREC rows: the columns that are fixed, and scores that fall strictly."""
    answer = implementation.call("convert", "--run", case.file("run.jsonl"), "--to", "trec-run")
    rows = [line.split() for line in answer.out.splitlines()]
    yield compared("trec_run", case.expected["trec_run"], [row[:4] for row in rows])
    scores: dict[str, list[float]] = {}
    for row in rows:
        scores.setdefault(row[0], []).append(float(row[4]))
    falling = all(one > other for each in scores.values() for one, other in pairwise(each))
    yield compared("trec_run scores fall", True, falling)


CHECKS = (
    Check("qrels_lines", _qrels_lines),
    _judgments("beir", "beir.tsv"),
    _judgments("trec", "trec.qrels"),
    _judgments("as_chunk_ids", "trec.qrels", "--as-chunk-ids"),
    Check("trec_back", _trec_back),
    Check("trec_run", _trec_run),
)
