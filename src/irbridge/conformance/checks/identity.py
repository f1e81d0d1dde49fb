"""Test vectors of normalisation, `text_sha` and `chunk_id`, asked through commands that rest on them."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from irbridge.conformance.base import Case, Check, Implementation, NoAnswer, Result, compared


def _recognised(implementation: Implementation, pairs: list[tuple[str, str]]) -> list[bool]:
    """For each (text_sha, text): does drift find the label with that digest in the chunk with that text?"""
    with tempfile.TemporaryDirectory(prefix="irbridge-conformance-") as folder:
        judgments, corpus = Path(folder) / "judgments.jsonl", Path(folder) / "corpus.json"
        labels = [
            {"query_id": f"q{n}", "doc_uri": f"d{n}", "chunk_id": f"c1:{n:032x}", "text_sha": sha, "relevance": 1}
            for n, (sha, _) in enumerate(pairs)
        ]
        chunks = [
            {"chunk_id": f"c1:{n + 2**64:032x}", "doc_uri": f"d{n}", "doc_revision": "r", "ordinal": 0, "text": text}
            for n, (_, text) in enumerate(pairs)
        ]
        judgments.write_text("".join(json.dumps(label) + "\n" for label in labels), encoding="utf-8")
        corpus.write_text(
            json.dumps({"corpus_fingerprint": "x", "chunker_fingerprint": "x", "chunks": chunks}), encoding="utf-8"
        )
        found = implementation.json("drift", "--judgments", str(judgments), "--corpus", str(corpus))
    return [
        each["status"] == "RE_ANCHORABLE" and each["reanchor_to"] == f"c1:{n + 2**64:032x}"
        for n, each in enumerate(found["findings"])
    ]


def _sha(text: str) -> str:
    return "t1:" + hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]


def _normalize(case: Case, implementation: Implementation) -> Iterator[Result]:
    # The digest of the normal form is that of its bytes as they are: no normalisation of ours is asked.
    vectors = case.expected["normalize"]
    found = _recognised(implementation, [(_sha(each["out"]), each["in"]) for each in vectors])
    for each, fine in zip(vectors, found, strict=True):
        yield _told(f"normalize {each['in']!a:.40}", fine, "its normal form has another digest")


def _text_sha(case: Case, implementation: Implementation) -> Iterator[Result]:
    vectors = case.expected["text_sha"]
    found = _recognised(implementation, [(each["out"], each["text"]) for each in vectors])
    for each, fine in zip(vectors, found, strict=True):
        yield _told(f"text_sha {each['text']!a:.40}", fine, f"{each['out']} is not what it computes")


def _told(name: str, fine: bool, why: str) -> Result:  # noqa: FBT001 - the outcome itself
    return Result(name, "pass") if fine else Result(name, "fail", why)


def _chunk_id(case: Case, implementation: Implementation) -> Iterator[Result]:
    if not implementation.has("stamp"):
        yield Result("chunk_id", "not run", "the command line has no way to ask for a chunk id (irbridge: stamp)")
        return
    for each in case.expected["chunk_id"]:
        yield compared(f"chunk_id {each['text']!a:.40}", each["out"], _stamped(implementation, each))


def _stamped(implementation: Implementation, vector: dict[str, Any]) -> Any:
    with tempfile.TemporaryDirectory(prefix="irbridge-conformance-") as folder:
        path = Path(folder) / "rows.jsonl"
        row = {name: vector[name] for name in ("doc_uri", "doc_revision", "ordinal", "text")}
        path.write_text(json.dumps(row) + "\n", encoding="utf-8")
        answer = implementation.call("stamp", str(path), "--fingerprint", vector["chunker_fingerprint"])
    rows = [json.loads(line) for line in answer.out.splitlines()]
    if not rows:
        raise NoAnswer(f"{answer.command} printed nothing (exit {answer.code}): {answer.err[:200]}")
    return rows[-1].get("chunk_id")


CHECKS = (Check("normalize", _normalize), Check("text_sha", _text_sha), Check("chunk_id", _chunk_id))
