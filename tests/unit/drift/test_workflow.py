"""Drift from end to end: what stands between a finding and a rewritten label."""

from __future__ import annotations

from pathlib import Path

import pytest

from irbridge.corpora import corpus_of
from irbridge.drift.workflow import fixed, inspected, read, tried
from irbridge.formats import corpus_jsonl
from irbridge.identity import text_sha
from irbridge.inputs import Input
from irbridge.model import Chunk

OLD, NEW = f"c1:{'0' * 32}", f"c1:{'1' * 32}"
OTHER_OLD, OTHER_NEW = f"c1:{'2' * 32}", f"c1:{'3' * 32}"
ROWS = (
    f'{{"query_id":"q1","doc_uri":"d","chunk_id":"{OLD}","chunk_text":"tides turn","relevance":1}}\n'
    f'{{"query_id":"q2","doc_uri":"d","chunk_id":"{OTHER_OLD}","chunk_text":"twice a day","relevance":1}}\n'
)


def chunk(chunk_id: str, text: str | None, sha: str) -> Chunk:
    return Chunk(chunk_id, "d", "r", 0, text, sha)


def labels(tmp_path: Path) -> Input:
    path = tmp_path / "j.jsonl"
    path.write_text(ROWS, encoding="utf-8")
    return Input(str(path), "judgments")


@pytest.mark.parametrize("as_file", [False, True])
def test_no_label_moves_to_a_chunk_whose_digest_is_of_another_text(tmp_path, monkeypatch, as_file):
    made = [
        chunk(NEW, "about something else", text_sha("tides turn")),
        chunk(OTHER_NEW, "twice a day", text_sha("twice a day")),
    ]
    corpus = corpus_of(made)
    if as_file:
        monkeypatch.setattr(corpus_jsonl, "COLUMNS_FROM", 0)
        with (tmp_path / "c.jsonl").open("wb") as stream:
            corpus_jsonl.write(made, stream, {})
        corpus = corpus_of(str(tmp_path / "c.jsonl"))
    source = labels(tmp_path)
    assert [each.reanchor_to for each in inspected(read(source), corpus).drift.findings] == [NEW, OTHER_NEW]
    planned = tried(source, corpus)
    assert (planned.repair.reanchored, planned.repair.needs_review) == (1, 1)
    done = fixed(source, corpus)
    assert (tmp_path / "j.jsonl").read_text(encoding="utf-8") == ROWS.replace(OTHER_OLD, OTHER_NEW)
    assert [each.status for each in done.drift.findings] == ["RE_ANCHORABLE", "RE_ANCHORABLE"]
    assert done.drift.notes == (
        f"1 label would move to a chunk whose text_sha is not that of its text ({NEW}), and stays: write the corpus anew",
    )


def test_a_digest_without_a_text_is_believed(tmp_path):
    done = fixed(labels(tmp_path), corpus_of([chunk(NEW, None, text_sha("tides turn"))]))
    assert (done.repair.reanchored, done.drift.notes) == (1, ())
