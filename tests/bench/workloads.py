"""The three workloads of the speed table, made from a seed: the same bytes on every machine."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path


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
