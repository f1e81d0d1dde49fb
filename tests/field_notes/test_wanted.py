"""Features that people asked for and that no note's test shows already."""

from __future__ import annotations

import bz2
import gzip
import lzma
from typing import Any

import pytest

import irbridge

QRELS = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}
RUN = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"x": 2.0, "c": 1.0}}
# q1: both relevant at ranks 1 and 2. q2: relevant at rank 2.
EXPECTED = {"AP": 0.75, "RR": 0.75, "P@2": 0.75}


def test_wanted_compressed_files_and_parquet(note: Any) -> None:
    qrels, run = b"q1 0 a 2\nq1 0 b 1\nq2 0 c 1\n", b"q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 x 1 2 t\nq2 Q0 c 2 1 t\n"
    for suffix, compress in (("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)):
        note.bytes(f"q.{suffix}", compress(qrels))
        note.bytes(f"r.{suffix}", compress(run))
        assert irbridge.score(f"q.{suffix}", f"r.{suffix}", list(EXPECTED)).aggregates() == EXPECTED
    pytest.importorskip("pyarrow")
    irbridge.convert(QRELS, "parquet", "q.parquet")
    irbridge.convert("r.gz", "parquet", "r.parquet")
    assert irbridge.score("q.parquet", "r.parquet", list(EXPECTED)).aggregates() == EXPECTED


def test_wanted_frames_in_and_out() -> None:
    pandas = pytest.importorskip("pandas")
    qrels = pandas.DataFrame(
        [(query_id, doc_id, grade) for query_id, own in QRELS.items() for doc_id, grade in own.items()],
        columns=["query_id", "doc_id", "relevance"],
    )
    run = pandas.DataFrame(
        [(query_id, doc_id, score) for query_id, own in RUN.items() for doc_id, score in own.items()],
        columns=["qid", "docno", "score"],  # as PyTerrier has them
    )
    assert irbridge.score(qrels, run, list(EXPECTED)).aggregates() == EXPECTED
    out = irbridge.convert(QRELS, "pandas").result
    assert out[["query_id", "doc_id", "relevance"]].to_numpy().tolist() == qrels.to_numpy().tolist()


def test_wanted_hit_rate_and_mrr_by_query() -> None:
    scores = irbridge.score(QRELS, RUN, "hit_rate@1 mrr@10")
    assert scores.of("hit_rate@1") == {"q1": 1.0, "q2": 0.0}
    assert scores.of("mrr@10") == {"q1": 1.0, "q2": 0.5}
    assert scores.aggregates() == {"hit_rate@1": 0.5, "mrr@10": 0.75}
