"""The frozen corpus."""

from __future__ import annotations

import hashlib

import pytest

from irbridge.agentic.evidence import Source
from irbridge.agentic.snapshot import CorpusSnapshot


def source(collection, path, text):
    return Source(f"corpus://{collection}/{path}", collection, path, text, hashlib.sha256(text.encode()).hexdigest())


A = source("c001", "a.md", "alpha\r\n")
B = source("c001", "deep/b.md", "beta")
C = source("c002", "a.md", "gamma\n")
SNAPSHOT = CorpusSnapshot((A, B, C), {"c001": "t0000001", "c002": "t0000000"})


def test_fingerprint_is_that_of_the_sorted_inventory():
    rows = [  # by task, collection, path
        f'{{"collection":"c002","relPath":"a.md","sourceHash":"{C.source_hash}","taskId":"t0000000"}}',
        f'{{"collection":"c001","relPath":"a.md","sourceHash":"{A.source_hash}","taskId":"t0000001"}}',
        f'{{"collection":"c001","relPath":"deep/b.md","sourceHash":"{B.source_hash}","taskId":"t0000001"}}',
    ]
    assert SNAPSHOT.fingerprint == hashlib.sha256(f"[{','.join(rows)}]".encode()).hexdigest()


def test_lookups():
    assert SNAPSHOT.by_uri["corpus://c001/deep/b.md"] is B
    assert SNAPSHOT.in_collections(["c001"]) == (A, B)
    assert SNAPSHOT.in_collections([]) == ()


def test_it_is_frozen():
    with pytest.raises(AttributeError):
        SNAPSHOT.sources = ()
    with pytest.raises(TypeError):
        SNAPSHOT.by_uri["corpus://c001/a.md"] = C


def test_materialized_files_have_the_exact_bytes(tmp_path):
    SNAPSHOT.materialize(tmp_path)
    found = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert found == {"c001/a.md": b"alpha\r\n", "c001/deep/b.md": b"beta", "c002/a.md": b"gamma\n"}
