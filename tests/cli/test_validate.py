from __future__ import annotations

import json
from pathlib import Path

import pytest

ROW = '{"query_id":"q1","query":"what is it","doc_uri":"d1","relevance":1,"labeled_by":"human:a"}\n'


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "j.jsonl").write_text(ROW)


def test_a_sound_set(irbridge) -> None:
    result = irbridge("validate", "--judgments", "j.jsonl")
    assert result.code == 0
    assert "1 label · 1 query · 1 stratum" in result.out
    assert "warning  no-chunk-ids" in result.out
    assert "sound" in result.out


def test_an_unsound_set_is_a_finding(irbridge, tmp_path: Path) -> None:
    (tmp_path / "j.jsonl").write_text(ROW * 6)
    result = irbridge("validate", "--judgments", "j.jsonl")
    assert result.code == 1
    assert result.out.count("duplicate judgment for query q1 and target d1") == 3
    assert "and 2 more like it" in result.out
    assert "unsound" in result.out


def test_the_json_lists_every_issue(irbridge, tmp_path: Path) -> None:
    (tmp_path / "j.jsonl").write_text(ROW * 6)
    result = irbridge("--json", "validate", "--judgments", "j.jsonl")
    assert result.code == 1
    data = json.loads(result.out)
    assert [issue["line"] for issue in data["issues"] if issue["code"] == "duplicate-label"] == [2, 3, 4, 5, 6]
    assert data["ok"] is False


def test_an_empty_file_is_a_finding_not_an_error(irbridge, tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("// later\n")
    result = irbridge("validate", "--judgments", "none.jsonl", "--json")
    assert result.code == 1
    assert [issue["code"] for issue in json.loads(result.out)["issues"]] == ["empty"]


def test_against_a_collection(irbridge, tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "corpus.jsonl").write_text('{"_id":"d2","title":"","text":"that is it"}\n')
    (tmp_path / "c" / "queries.jsonl").write_text('{"_id":"q2","text":"x"}\n')
    (tmp_path / "c" / "qrels").mkdir()
    (tmp_path / "c" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq2\td2\t1\n")
    result = irbridge("validate", "--judgments", "j.jsonl", "--corpus", "c", "--queries", "c")
    assert result.code == 1
    assert "error    dangling-query · query q1 is judged and not among the queries" in result.out
    assert "error    dangling-document" in result.out
    whole = irbridge("validate", "--judgments", "c", "--corpus", "c", "--queries", "c")
    assert whole.code == 0, whole.out + whole.err


def test_what_is_in_a_file_cannot_reach_the_terminal(irbridge, tmp_path: Path) -> None:
    row = {
        "query_id": "q\x1b[31m\u202e",
        "doc_uri": "d\x07",
        "relevance": 1,
        "chunk_id": "\x1b]0;x\x07",
        "stratum": "\x1b[2J",
    }
    (tmp_path / "j.jsonl").write_text((json.dumps(row) + "\n") * 2)
    result = irbridge("validate", "--judgments", "j.jsonl")
    assert result.code == 1
    assert not set("\x1b\x07\u202e") & set(result.out)


@pytest.mark.parametrize(
    "arguments, said",
    [
        ([], "--judgments"),
        (["--judgments", "absent"], "absent"),
        (["--judgments", ""], "empty path"),
        (["--judgments", "j.jsonl", "--corpus", "absent"], "absent"),
        (["--judgments", "j.jsonl", "--queries", "absent"], "absent"),
        (["--judgments", "j.jsonl", "--corpus", "j.jsonl"], "j.jsonl"),
        (["--judgments", "j.jsonl", "--chunker", "whole"], "--corpus"),
        (["--judgments", "-", "--corpus", "-"], "standard input"),
        (["--judgments", "a.run"], "a.run"),
        (["--judgments", "bad.jsonl"], "bad.jsonl:2"),
        (["--judgments", "half.jsonl"], "half.jsonl:1"),
        (["--judgments", "latin.jsonl"], "latin.jsonl"),
    ],
)
def test_what_cannot_be_used(irbridge, tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "bad.jsonl").write_text(ROW + '{"query_id":"q","doc_uri":"d","relevance":"high"}\n')
    (tmp_path / "half.jsonl").write_text('{"query_id":"\\ud800","doc_uri":"d","relevance":1}\n')
    (tmp_path / "latin.jsonl").write_bytes(b'{"query_id":"q\xe9","doc_uri":"d","relevance":1}\n')
    result = irbridge("validate", *arguments)
    assert result.code == 2, result.out
    assert result.out == ""
    assert said in result.err
    assert "Traceback" not in result.err
    assert "where it should not" not in result.err


def test_what_comes_next_names_the_files_of_this_call(irbridge) -> None:
    row = {"query_id": "q", "query": "x", "doc_uri": "d", "relevance": 1, "labeled_by": "human:a"}
    rows = [{**row, "corpus_fingerprint": "1"}, {**row, "doc_uri": "e", "corpus_fingerprint": "2"}]
    Path("my labels.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    said = " ".join(irbridge("validate", "--judgments", "my labels.jsonl").out.split())
    assert "next irbridge drift --judgments 'my labels.jsonl' --corpus C says what became of each label" in said
    assert "6 checks with --corpus C" in said
