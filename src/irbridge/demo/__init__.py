"""The tour that `irbridge demo` takes: a small collection that ships with the package, and what to do with it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import resources
from itertools import chain, count
from pathlib import Path

from irbridge.errors import UsageError, shown

DATA = "handbook"
_RUNS = ("bm25.run", "ngram.run")


@dataclass(frozen=True)
class Step:
    """One command, without the program's name, and why it is worth typing."""

    why: str
    command: tuple[str, ...]


STEPS = (
    Step(
        "Load a collection (here a BEIR folder; irds:beir/scifact/test would be a public one).",
        ("load", DATA, "--out", "collection"),
    ),
    Step(
        "Score a run. It leaves one query unanswered, and one query has nothing relevant.",
        ("score", "--judgments", "collection", "--run", "bm25.run", "-m", "nDCG@10 AP R@10 RR@10"),
    ),
    Step(
        "Score another run; the values of each query go to a file.",
        (
            "score", "--judgments", "collection", "--run", "ngram.run", "-m", "nDCG@10 AP R@10 RR@10",
            "--per-query", "ngram.csv",
        ),
    ),
    Step(
        "Do other engines get the same? Every query is compared; each difference needs a reason that can be proven.",
        ("crosscheck", "--judgments", "collection", "--run", "bm25.run", "-m", "nDCG@10 AP RR RR@10"),
    ),
    Step(
        "Somebody published 0.6167 for this run. What did they do?",
        ("explain", "nDCG@10=0.6167", "--judgments", "collection", "--run", "bm25.run"),
    ),
    Step(
        "Hand the judgments to a colleague who uses trec_eval, and say what their format cannot hold.",
        ("convert", "collection", "--to", "trec-qrels", "--out", "handbook.qrels"),
    ),
    Step(
        "And the run to one whose tools read JSON lines.",
        ("convert", "bm25.run", "--to", "run", "--out", "bm25.jsonl"),
    ),
    Step(
        "A build may pass only if the retriever is good enough.",
        (
            "score", "--judgments", "collection", "--run", "bm25.run", "-m", "nDCG@10", "--gate", "nDCG@10:0.5",
        ),
    ),
    Step(
        "These labels were made on paragraphs. The corpus is in windows of 60 words now: which of them still hold?",
        ("drift", "--judgments", "chunk-judgments.jsonl", "--corpus", "chunks-window.json"),
    ),
    Step(
        "Another chunker, the same question.",
        ("chunk", DATA, "--chunker", "recursive/300", "--out", "chunks-300.jsonl"),
    ),
    Step(
        "Most of the text is where it was. What is provably so is repaired.",
        ("drift", "--judgments", "chunk-judgments.jsonl", "--corpus", "chunks-300.jsonl", "--fix"),
    ),
    Step(
        "Repair left no contradiction behind.",
        ("validate", "--judgments", "chunk-judgments.jsonl", "--corpus", "chunks-300.jsonl"),
    ),
    Step(
        "And all of it can be taken back, to the byte.",
        ("drift", "--judgments", "chunk-judgments.jsonl", "--undo"),
    ),
)  # fmt: skip


def free_folder(name: str) -> Path:
    """`name`, or the first of `name-2`, `name-3`, ... that does not exist: what a person changed in one stays there."""
    numbered = (Path(f"{name}-{number}") for number in count(2))
    return next(path for path in chain([Path(name)], numbered) if not os.path.lexists(path))


def unpack(folder: Path) -> None:
    """Write the demo's files into `folder`: the BEIR folder `handbook`, two runs, two chunkings.

    Raises:
        UsageError: the folder is a file, or is not empty.
    """
    source = resources.files(__name__) / "data"
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{shown(folder)} is a file", hint="name another folder with --out")
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"the folder {shown(folder)} is not empty", hint="name another with --out")
    (folder / DATA / "qrels").mkdir(parents=True)
    for name in ("README.md", "corpus.jsonl", "queries.jsonl", "qrels/test.tsv"):
        (folder / DATA / name).write_bytes(source.joinpath(*name.split("/")).read_bytes())
    for name in (*_RUNS, "chunks-paragraph.json", "chunks-window.json", "chunk-judgments.jsonl"):
        (folder / name).write_bytes((source / name).read_bytes())
