"""Drift against retrieval-eval, the first implementation of the judgments specification: equal as data on every corpus.

Corpora are small and full of what goes wrong: repeated and empty texts, digests that are untrue, ids twice, ordinals that are
missing, chunks of a document that are scattered.
"""

from __future__ import annotations

import random

import pytest

from irbridge.corpora import corpus_of
from irbridge.drift import needles
from irbridge.drift.classify import classify
from irbridge.identity import text_sha
from irbridge.model import Chunk, Judgment

pytestmark = pytest.mark.may_skip("the package retrieval-eval is no dependency")
retrieval_eval = pytest.importorskip("retrieval_eval")

MEMBERS = ("query_id", "doc_uri", "status", "chunk_id", "reanchor_to", "split_into")
WORDS = ("a", "b", "ab", "é", "e\u0301", "foo", "bar", "\r\n", " ", "\n", "x y", "日本", "\u2028", "🚲")


def text(chance: random.Random, most: int = 6) -> str:
    words = (chance.choice(WORDS) for _ in range(chance.randint(0, most)))
    return chance.choice(("", " ")) + chance.choice(("", " ", "\n")).join(words)


def sha(chance: random.Random, own: str | None, pool: list[str]) -> str | None:
    known = None if own is None else text_sha(own)
    return chance.choice((None, "", known, text_sha(chance.choice(pool)), "t1:" + "0" * 32))


def corpus(chance: random.Random, documents: list[str], pool: list[str]) -> list[Chunk]:
    found = []
    for number in range(chance.randint(0, 14)):
        own = chance.choice((None, chance.choice(pool), text(chance)))
        name = f"c{chance.randint(0, 9)}" if chance.random() < 0.3 else f"k{number}"
        ordinal = chance.choice((None, 0, 1, 2, number))
        revision = chance.choice((None, "1", "2"))
        found.append(Chunk(name, chance.choice(documents), revision, ordinal, own, sha(chance, own, pool)))
    return sorted(found, key=lambda chunk: chunk.doc_uri) if chance.random() < 0.6 else found


def labels(chance: random.Random, documents: list[str], pool: list[str], chunks: list[Chunk]) -> list[Judgment]:
    texts = [chunk.text for chunk in chunks if chunk.text] or [""]
    found = []
    for number in range(chance.randint(0, 10)):
        joined = " ".join(chance.sample(texts, min(len(texts), 2)))
        own = chance.choice((None, chance.choice(pool), text(chance, 12), chance.choice(texts), joined))
        found.append(
            Judgment(
                f"q{number % 3}", chance.choice([*documents, "gone"]), 1, text_sha=sha(chance, own, pool), chunk_text=own,
                chunk_id=chance.choice((None, f"c{chance.randint(0, 9)}", "stale")),
                corpus_fingerprint=chance.choice((None, "", "f", "g")),
            )
        )  # fmt: skip
    return found


@pytest.mark.parametrize("few", [1 << 19, -1], ids=["pair by pair", "all at once"])
@pytest.mark.parametrize("part", range(8))
def test_findings_and_counts(part, few, monkeypatch):
    monkeypatch.setattr(needles, "_FEW", few)
    models = retrieval_eval.models
    for seed in range(part * 100, part * 100 + 100):
        chance = random.Random(seed)
        documents = [f"d{number}" for number in range(chance.randint(1, 4))]
        pool = [text(chance) for _ in range(chance.randint(1, 8))]
        chunks = corpus(chance, documents, pool)
        asked = labels(chance, documents, pool, chunks)
        found = classify(asked, corpus_of(chunks)).as_dict()
        wanted = retrieval_eval.drift(
            [
                models.Judgment(
                    one.query_id, one.doc_uri, 1, chunk_id=one.chunk_id, text_sha=one.text_sha, chunk_text=one.chunk_text,
                    corpus_fingerprint=one.corpus_fingerprint,
                )
                for one in asked
            ],
            models.Corpus([models.CorpusChunk(*chunk[:6]) for chunk in chunks]),
        ).to_dict()  # fmt: skip
        known = [{name: one[name] for name in MEMBERS if name in one} for one in found["findings"]]
        assert known == wanted["findings"], seed
        assert {name: found["summary"][name] for name in wanted["summary"]} == wanted["summary"], seed
        assert found["judgments_fingerprint"] == wanted["judgments_fingerprint"], seed
