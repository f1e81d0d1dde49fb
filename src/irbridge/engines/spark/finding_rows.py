"""Findings as rows: on their way from a task, and in the frame that `drift` returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irbridge.drift.findings import Evidence, Finding, Overlap

if TYPE_CHECKING:
    import pyarrow as pa

_EVIDENCE = (
    "struct<kind: string, covered: double, chunks: array<struct<chunk_id: string, overlap: bigint, doc_uri: string>>,"
    " similarity: double, doc_uri: string>"
)
#: The columns, as Spark writes types: the number of the label, from 0, and the members of its finding.
SCHEMA = (
    "label bigint, query_id string, doc_uri string, status string, chunk_id string, reanchor_to string,"
    f" reanchor_doc string, split_into array<string>, evidence {_EVIDENCE}"
)


def arrow_schema() -> pa.Schema:
    """The same as Arrow has it."""
    import pyarrow as pa

    text, whole, real = pa.string(), pa.int64(), pa.float64()
    chunks = pa.list_(pa.struct([("chunk_id", text), ("overlap", whole), ("doc_uri", text)]))
    evidence = pa.struct([
        ("kind", text), ("covered", real), ("chunks", chunks), ("similarity", real), ("doc_uri", text)
    ])  # fmt: skip
    kinds = {"label": whole, "split_into": pa.list_(text), "evidence": evidence}
    return pa.schema([(name, kinds.get(name, text)) for name in ("label", *Finding._fields)])


def row(number: int, found: Finding) -> dict[str, Any]:
    """The finding of label `number` as a row; nothing is rounded."""
    members: dict[str, Any] = {"label": number, **found._asdict()}
    if found.split_into is not None:
        members["split_into"] = list(found.split_into)
    if found.evidence is not None:
        chunks = [each._asdict() for each in found.evidence.chunks]
        members["evidence"] = {**found.evidence._asdict(), "chunks": chunks}
    return members


def read(given: Any) -> tuple[int, Finding]:
    """What `row` was made of, from a row of Spark's."""
    members = given.asDict(recursive=True)
    number: int = members.pop("label")
    split, evidence = members["split_into"], members["evidence"]
    if split is not None:
        members["split_into"] = tuple(split)
    if evidence is not None:
        members["evidence"] = Evidence(**{**evidence, "chunks": tuple(Overlap(**each) for each in evidence["chunks"])})
    return number, Finding(**members)
