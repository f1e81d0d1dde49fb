"""The workloads of the speed table, made from a seed: the same bytes on every machine."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

#: The large workload once more, in JSON lines.
JSONL = "jsonl"


@dataclass(frozen=True)
class Workload:
    """`queries` rankings of `depth` documents; `labels` judgments per query on average, graded 0 to 3 or binary."""

    name: str
    queries: int
    depth: int
    labels: float
    graded: bool

    @property
    def rows(self) -> int:
        return self.queries * self.depth


WORKLOADS = {
    workload.name: workload
    for workload in (
        Workload("small", 43, 1000, 210, graded=True),
        Workload("large", 6980, 1000, 1.06, graded=False),
        Workload("many", 100_000, 100, 10, graded=True),
    )
}


def make(workload: Workload, folder: Path) -> tuple[Path, Path]:
    """Write qrels and run unless they are there; returns their paths."""
    qrels, run = folder / f"{workload.name}.qrels", folder / f"{workload.name}.run"
    if not run.exists():
        folder.mkdir(parents=True, exist_ok=True)
        rng = random.Random(workload.name)
        part = run.with_suffix(".part")
        with qrels.open("w") as labels, part.open("w") as rows:
            for number in range(workload.queries):
                _query(rng, workload, str(1_000_000 + number), labels, rows)
        part.rename(run)
    return qrels, run


def _query(rng: random.Random, workload: Workload, query_id: str, labels, rows) -> None:
    doc_ids = rng.sample(range(8_841_823), workload.depth)
    count = int(workload.labels) + (rng.random() < workload.labels % 1)
    judged = {rng.choice(doc_ids[:200]) if rng.random() < 0.6 else rng.randrange(8_841_823) for _ in range(count)}
    for doc_id in sorted(judged):
        labels.write(f"{query_id} 0 {doc_id} {rng.choice((0, 0, 1, 2, 3)) if workload.graded else 1}\n")
    score = 30 + rng.random() * 10
    lines = []
    for rank, doc_id in enumerate(doc_ids, 1):
        score -= rng.random() * 0.02
        lines.append(f"{query_id} Q0 {doc_id} {rank} {score:.6f} bench\n")
    rows.write("".join(lines))


def make_jsonl(workload: Workload, folder: Path) -> tuple[Path, Path]:
    """The same as judgments and a run in JSON lines."""
    qrels, run = make(workload, folder)
    labels, ranked = folder / f"{workload.name}.labels.jsonl", folder / f"{workload.name}.run.jsonl"
    if not ranked.exists():
        with qrels.open() as rows, labels.open("w") as out:
            for query_id, _, doc_id, grade in map(str.split, rows):
                label = {"query_id": query_id, "query": "what is it", "doc_uri": doc_id, "relevance": int(grade)}
                out.write(_compact({**label, "labeled_by": "human:bench"}) + "\n")
        part = ranked.with_suffix(".part")
        with run.open() as rows, part.open("w") as out:
            for query_id, own in groupby(map(str.split, rows), key=lambda row: row[0]):
                out.write(_compact({"query_id": query_id, "ranking": [row[2] for row in own]}) + "\n")
        part.rename(ranked)
    return labels, ranked


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
