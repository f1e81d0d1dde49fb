"""The workloads of drift, made from a seed: a corpus (JSONL, and JSON for the reference) and labels of an older chunking.

Half of the labels are still valid. Of the others some stand as a whole in another chunk, some in a larger or in several
smaller ones, some across shifted borders, some were edited, some are gone. Half of the labels keep their text. Of
`drift-stale` and `drift-one-stale` every label is stale and keeps its text, and nothing names a digest, as after a new
chunking of a corpus by another tool.
"""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

WORDS_A_CHUNK = 70


@dataclass(frozen=True)
class DriftWorkload:
    """`documents` documents of `chunks` chunks each, and `labels` labels in all; whether all are stale and keep their text."""

    name: str
    documents: int
    chunks: int
    labels: int
    stale: bool = False


DRIFT_WORKLOADS = {
    workload.name: workload
    for workload in (
        DriftWorkload("drift-100k", 10_000, 10, 10_000),
        DriftWorkload("drift-1m", 100_000, 10, 100_000),
        DriftWorkload("drift-one", 1, 50_000, 5_000),
        DriftWorkload("drift-stale", 1_000, 100, 10_000, stale=True),
        DriftWorkload("drift-one-stale", 1, 50_000, 5_000, stale=True),
    )
}


def make_drift(workload: DriftWorkload, folder: Path) -> tuple[Path, Path, Path]:
    """Write labels, the corpus as JSONL and as JSON unless they are there; returns their paths."""
    labels, lines, whole = (
        folder / f"{workload.name}.{end}" for end in ("labels.jsonl", "corpus.jsonl", "corpus.json")
    )
    if not whole.exists():
        folder.mkdir(parents=True, exist_ok=True)
        rng = random.Random(workload.name)
        vocabulary = _vocabulary(rng)
        part = whole.with_suffix(".part")
        with labels.open("w") as label_rows, lines.open("w") as chunk_rows, part.open("w") as one_object:
            header = {"corpus_fingerprint": "window/70@2", "chunker_fingerprint": "window/70"}
            chunk_rows.write(_compact(header) + "\n")
            one_object.write(_compact(header)[:-1] + ',"chunks":[')
            first = True
            for number in range(workload.documents):
                rows, words = _document(rng, vocabulary, f"doc://{number:07d}", workload.chunks)
                for row in rows:
                    line = _compact(_bare(row) if workload.stale else row)
                    chunk_rows.write(line + "\n")
                    one_object.write(("" if first else ",") + "\n" + line)
                    first = False
                wanted = workload.labels // workload.documents
                for _ in range(wanted):
                    label = _label(rng, vocabulary, rows, words)
                    while workload.stale and (
                        "chunk_text" not in label or label["chunk_id"] in {row["chunk_id"] for row in rows}
                    ):
                        label = _label(rng, vocabulary, rows, words)
                    label_rows.write(_compact(_bare(label) if workload.stale else label) + "\n")
            one_object.write("\n]}\n")
        part.rename(whole)
    return labels, lines, whole


def _vocabulary(rng: random.Random) -> tuple[list[str], list[float]]:
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    weights = list(accumulate(1 / (rank + 1) for rank in range(26)))
    words = ["".join(rng.choices(letters, cum_weights=weights, k=rng.randint(2, 11))) for _ in range(20_000)]
    return words, list(accumulate(1 / (rank + 10) for rank in range(len(words))))


def _document(rng, vocabulary, doc_uri: str, chunks: int) -> tuple[list[dict], list[str]]:
    words = rng.choices(vocabulary[0], cum_weights=vocabulary[1], k=chunks * WORDS_A_CHUNK)
    rows = []
    for ordinal in range(chunks):
        text = " ".join(words[ordinal * WORDS_A_CHUNK : (ordinal + 1) * WORDS_A_CHUNK])
        rows.append(
            {
                "chunk_id": "c1:" + _digest(f"{doc_uri} {ordinal} {text}"), "doc_uri": doc_uri, "doc_revision": "2",
                "ordinal": ordinal, "text": text, "text_sha": "t1:" + _digest(text),
            }
        )  # fmt: skip
    return rows, words


def _label(rng, vocabulary, rows: list[dict], words: list[str]) -> dict:
    row = rng.choice(rows)
    start, chance = row["ordinal"] * WORDS_A_CHUNK, rng.random()
    chunk_id, text = row["chunk_id"], row["text"]
    if chance > 0.5:
        chunk_id = "c1:" + _digest(str(chance))
    if 0.7 < chance <= 0.78:  # merged
        text = " ".join(words[start + 10 : start + 50])
    elif 0.78 < chance <= 0.86:  # split, where there are chunks enough
        text = " ".join(words[start : start + 2 * WORDS_A_CHUNK])
    elif 0.86 < chance <= 0.93:  # shifted, or at the end of the document merged
        text = " ".join(words[start + 20 : start + WORDS_A_CHUNK + 20])
    elif 0.93 < chance <= 0.97:  # edited
        edited = words[start : start + WORDS_A_CHUNK]
        for _ in range(3):
            edited[rng.randrange(WORDS_A_CHUNK)] = rng.choice(vocabulary[0])
        text = " ".join(edited)
    elif chance > 0.97:  # gone
        text = " ".join(rng.choices(vocabulary[0], cum_weights=vocabulary[1], k=WORDS_A_CHUNK))
    label = {
        "query_id": f"q{rng.randrange(10**6)}", "query": "what is it", "doc_uri": row["doc_uri"], "chunk_id": chunk_id,
        "text_sha": "t1:" + _digest(text), "chunk_text": text, "relevance": rng.choice((1, 1, 2)),
        "corpus_fingerprint": "window/70@1", "labeled_by": "human:bench",
    }  # fmt: skip
    if rng.random() < 0.5:
        del label["chunk_text"]
    return label


def _bare(row: dict) -> dict:
    return {name: value for name, value in row.items() if name != "text_sha"}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
