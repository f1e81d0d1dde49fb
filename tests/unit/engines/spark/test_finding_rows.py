from __future__ import annotations

import pytest

from irbridge.drift.findings import Evidence, Finding, Overlap
from irbridge.engines.spark import finding_rows

pa = pytest.importorskip("pyarrow")

FINDINGS = [
    Finding("q", "d", "VALID", "c1:0"),
    Finding("q", "d", "ORPHANED"),
    Finding("q", "d", "RE_ANCHORABLE", "c", "e", "other"),
    Finding("q", "d", "SPLIT", "c", split_into=("e", "f")),
    Finding("q", "d", "ORPHANED", "c", evidence=Evidence("edited", 1 / 3, (Overlap("e", 7),), 0.1 + 0.2)),
    Finding(
        "q", "d", "ORPHANED", "c",
        evidence=Evidence("ambiguous", 1.0, (Overlap("e", 7, "x"), Overlap("f", 2, "y")), doc_uri=None),
    ),
    Finding("q", "d", "ORPHANED", "c", evidence=Evidence("moved", 1.0, (), doc_uri="z")),
]  # fmt: skip


class Row:
    def __init__(self, members):
        self._members = members

    def asDict(self, recursive=False):  # noqa: N802 - as Spark's own row has it
        assert recursive
        return self._members


def test_findings_come_back_to_the_bit() -> None:
    rows = [finding_rows.row(number, each) for number, each in enumerate(FINDINGS)]
    batch = pa.RecordBatch.from_pylist(rows, finding_rows.arrow_schema())
    assert [finding_rows.read(Row(row)) for row in batch.to_pylist()] == list(enumerate(FINDINGS))
