"""What a corpus says of itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from irbridge.assessment import assess
from irbridge.corpora import corpus_of
from irbridge.drift.classify import classify
from irbridge.model import Judgment

CHUNK = {"chunk_id": "c1:" + "0" * 32, "doc_uri": "d", "doc_revision": "", "ordinal": 0, "text": "a", "text_sha": ""}


@pytest.fixture(params=["c.json", "c.jsonl"])
def nameless(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A corpus whose name is empty."""
    header = {"corpus_fingerprint": "", "chunker_fingerprint": ""}
    path = tmp_path / str(request.param)
    whole = json.dumps({**header, "chunks": [CHUNK]})
    path.write_text(whole if path.suffix == ".json" else f"{json.dumps(header)}\n{json.dumps(CHUNK)}\n")
    return path


def test_an_empty_name_is_none(nameless: Path) -> None:
    # As retrieval-eval 0.1.1 has it: `drift --json` prints null for "" and for a missing member alike.
    found = corpus_of(str(nameless))
    assert found.corpus_fingerprint is None
    assert classify([Judgment("q", "d", 1)], found).as_dict()["corpus_fingerprint"] is None
    assert found.chunker_fingerprint == "", "a part of the chunks' ids, which may be empty"


def test_a_report_has_the_name_as_the_corpus_says_it(nameless: Path) -> None:
    # retrieval-eval 0.1.1, `score --corpus --out`: "fingerprint": "".
    run = {"q": {"d": 1.0}}
    report = assess([Judgment("q", "d", 1)], run, "recall@1", None, corpus=str(nameless), digests=False)
    assert report.as_dict()["corpus"]["fingerprint"] == ""
