from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

CANONICAL = '{"query_id":"q","doc_uri":"d","relevance":1}\n'
LOOSE = '{"relevance": 1, "doc_uri": "d", "query_id": "q"}\n'


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "good.jsonl").write_text(CANONICAL)
    (tmp_path / "loose.jsonl").write_text(LOOSE)
    (tmp_path / "bad.jsonl").write_text(LOOSE + '{"query_id":"q","doc_uri":"d"}\n')


def test_checking_lists_what_differs_and_changes_nothing(irbridge, tmp_path: Path) -> None:
    result = irbridge("fmt", "--check", "good.jsonl", "loose.jsonl")
    assert (result.code, result.out) == (1, "  differs  loose.jsonl\n")
    assert (tmp_path / "loose.jsonl").read_text() == LOOSE
    assert irbridge("fmt", "--check", "good.jsonl").code == 0


def test_files_are_rewritten(irbridge, tmp_path: Path) -> None:
    result = irbridge("fmt", "good.jsonl", "loose.jsonl")
    assert (result.code, result.out) == (0, "  rewrote  loose.jsonl\n")
    assert (tmp_path / "loose.jsonl").read_text() == CANONICAL
    assert irbridge("fmt", "--check", "loose.jsonl").code == 0


def test_a_bad_file_is_told_and_the_others_are_done(irbridge, tmp_path: Path) -> None:
    result = irbridge("fmt", "bad.jsonl", "loose.jsonl", "absent.jsonl")
    assert result.code == 2
    assert "bad.jsonl:2: relevance must be" in result.err
    assert "absent.jsonl: there is no such file" in result.err
    assert (tmp_path / "loose.jsonl").read_text() == CANONICAL


def test_as_data(irbridge) -> None:
    result = irbridge("--json", "fmt", "--check", "good.jsonl", "loose.jsonl")
    assert json.loads(result.out) == {
        "files": [
            {"path": "good.jsonl", "changed": False, "labels": 1, "comments": 0},
            {"path": "loose.jsonl", "changed": True, "labels": 1, "comments": 0},
        ],
        "check": True,
    }


def test_other_formats_are_refused(irbridge) -> None:
    result = irbridge("fmt", "a.qrels")
    assert result.code == 2
    assert "a.qrels is trec-qrels" in result.err


def test_a_stream_is_passed_through(monkeypatch: pytest.MonkeyPatch, capfdbinary) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LOOSE.encode())))
    from irbridge.cli.main import run

    assert run(["fmt", "-"]) == 0
    assert capfdbinary.readouterr().out == CANONICAL.encode()
