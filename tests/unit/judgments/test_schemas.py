"""The published schemas against what irbridge writes and reads."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.formats.judgments import write
from irbridge.inputs import Input
from irbridge.judgments.validation import validate
from irbridge.model import Judgment

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
ID = TEXT.filter(bool)
HEX = st.text("0123456789abcdef", min_size=32, max_size=32)
LABELS = st.fixed_dictionaries(
    {"query_id": ID, "doc_uri": ID, "relevance": st.integers(-5, 2**53)},
    optional={
        "query": TEXT, "chunk_id": HEX.map("c1:{}".format), "text_sha": HEX.map("t1:{}".format), "chunk_text": TEXT,
        "corpus_fingerprint": TEXT, "labeled_by": TEXT, "labeled_at": st.just("2024-05-01T12:00:00Z"), "stratum": TEXT,
        "notes": TEXT, "iteration": st.just("2"), "extra": st.dictionaries(st.sampled_from(["x", "span"]), st.integers() | TEXT),
    },
).map(lambda fields: Judgment(**fields))  # fmt: skip


def checker(root: Path, name: str) -> Any:
    import jsonschema

    schema = json.loads((root / "spec" / name).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)


@given(st.lists(LABELS, max_size=3))
def test_what_is_written_obeys_the_schema(root: Path, labels: list[Judgment]) -> None:
    stream = io.BytesIO()
    write(labels, stream)
    schema = checker(root, "judgments.schema.json")
    for line in stream.getvalue().split(b"\n")[:-1]:
        schema.validate(json.loads(line))


@pytest.mark.parametrize(
    "row",
    [
        {"doc_uri": "d", "relevance": 1},
        {"query_id": "", "doc_uri": "d", "relevance": 1},
        {"query_id": "q", "doc_uri": "d"},
        {"query_id": "q", "doc_uri": "d", "relevance": -1},
        {"query_id": "q", "doc_uri": "d", "relevance": 0.5},
        {"query_id": "q", "doc_uri": "d", "relevance": True},
        {"query_id": "q", "doc_uri": "d", "relevance": 2**53 + 1},
        {"query_id": "q", "doc_uri": 7, "relevance": 1},
        {"query_id": "q\0", "doc_uri": "d", "relevance": 1},
        {"query_id": "q", "doc_uri": "d", "relevance": 1, "query": 5},
    ],
)
def test_what_a_reader_refuses_the_schema_refuses(root: Path, tmp_path: Path, row: dict[str, Any]) -> None:
    from irbridge.errors import InputErrors

    assert not checker(root, "judgments.schema.json").is_valid(row)
    path = tmp_path / "j.jsonl"
    path.write_text(json.dumps({"query_id": "q", "doc_uri": "x", "relevance": 1}) + "\n" + json.dumps(row) + "\n")
    with pytest.raises(InputErrors):
        list(Input(path, "judgments"))


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [Judgment("q", "d", 1)],
        [Judgment("q", "d", 1, chunk_id="x"), Judgment("q", "d", -1, chunk_id="x", labeled_by="me")],
    ],
)
def test_a_validation_obeys_its_schema(root: Path, rows: list[Judgment]) -> None:
    checker(root, "validation.schema.json").validate(json.loads(json.dumps(validate(rows).as_dict())))
