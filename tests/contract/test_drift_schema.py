"""What `drift --json` prints obeys spec/drift.schema.json, for every case of the specification and every option."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from irbridge.cli.main import run
from irbridge.conformance import Case, cases

WITH_CORPUS = [case for case in cases() if list(case.folder.glob("corpus.json*"))]


@pytest.fixture(scope="module")
def schema(root: Path) -> Any:
    """The schema, itself checked."""
    found = json.loads((root / "spec" / "drift.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(found)
    return jsonschema.Draft202012Validator(found)


def printed(capsys: pytest.CaptureFixture[str], case: Case, *more: str) -> Any:
    corpus = next(case.folder.glob("corpus.json*"))
    capsys.readouterr()
    code = run(["drift", "--judgments", case.file("judgments.jsonl"), "--corpus", str(corpus), "--json", *more])
    assert code in {0, 1}
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("case", WITH_CORPUS, ids=[case.name for case in WITH_CORPUS])
def test_every_case_obeys(case: Case, schema: Any, capsys: pytest.CaptureFixture[str]) -> None:
    schema.validate(printed(capsys, case))
    schema.validate(printed(capsys, case, "--dry-run"))
    with case.copied() as own:
        schema.validate(printed(capsys, own, "--fix"))


def test_runs_obey(schema: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    [case] = [each for each in WITH_CORPUS if each.name == "drift"]
    path = tmp_path / "run.jsonl"
    rows = [
        {"query_id": row["query_id"], "ranking": [row.get("chunk_id", row["doc_uri"])]}
        for row in case.lines("judgments.jsonl")
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    schema.validate(printed(capsys, case, "--run", str(path)))
    schema.validate(printed(capsys, case, "--run", str(path), "--run", str(path)))


@pytest.mark.parametrize(
    "finding",
    [
        {"query_id": "q", "doc_uri": "d"},
        {"query_id": "q", "doc_uri": "d", "status": "GONE"},
        {"query_id": "q", "doc_uri": "d", "status": "MERGED"},
        {"query_id": "q", "doc_uri": "d", "status": "VALID", "reanchor_to": "c"},
        {"query_id": "q", "doc_uri": "d", "status": "SPLIT", "split_into": ["c"]},
        {"query_id": "q", "doc_uri": "d", "status": "VALID", "evidence": {"kind": "shifted", "covered": 1, "chunks": [{"chunk_id": "c", "overlap": 1}]}},
        {"query_id": "q", "doc_uri": "d", "status": "ORPHANED", "evidence": {"kind": "shifted", "covered": 2, "chunks": [{"chunk_id": "c", "overlap": 1}]}},
    ],
)  # fmt: skip
def test_the_schema_refuses_what_is_none(finding: dict[str, Any], schema: Any) -> None:
    summary = dict.fromkeys(("valid", "re_anchorable", "merged", "split", "orphaned", "invalid_ratio"), 0)
    page = {"findings": [finding], "summary": summary, "judgments_fingerprint": None, "corpus_fingerprint": None}
    assert list(schema.iter_errors(page))
