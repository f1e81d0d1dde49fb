"""Documents and queries in files of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from irbridge.errors import InputErrors, UsageError
from irbridge.inputs import Input
from irbridge.model import Document, Query

LINES = '{"_id": "a", "title": "T", "text": "one"}\n{"_id": "b", "text": "two", "lang": "en"}\n'


def test_one_file_is_read_as_what_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "any.jsonl"
    path.write_text(LINES, encoding="utf-8")
    documents: list[Document] = list(Input(str(path), "documents"))
    assert [(each.doc_id, each.title, each.text) for each in documents] == [("a", "T", "one"), ("b", None, "two")]
    queries: list[Query] = list(Input(str(path), "queries"))
    assert [(each.query_id, each.text) for each in queries] == [("a", "one"), ("b", "two")]
    with pytest.raises(UsageError, match="holds no run"):
        Input(str(path), "run")


def test_what_is_wrong_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "any.jsonl"
    path.write_text(LINES + '{"_id": "", "text": "three"}\n', encoding="utf-8")
    with pytest.raises(InputErrors, match=r"any\.jsonl:3"):
        list(Input(str(path), "documents"))
