"""`irbridge score --json --gate ...` against retrieval-eval, the first implementation of the judgments specification.

The reports are compared as data: all members that retrieval-eval writes but the tool and the time. Where a delta lies
exactly on its bound the two differ (spec/gates.md, rule 3), so the deltas here keep away from it; and so do runs without a
query in common with the labels, which irbridge refuses, and baselines of which nothing is judged, over which retrieval-eval
lets every fall pass (spec/gates.md, Baseline).
"""

from __future__ import annotations

import contextlib
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from irbridge.cli.main import run

pytestmark = pytest.mark.may_skip("retrieval-eval is no dependency")


@pytest.fixture(scope="module")
def other() -> Callable[[list[str]], int]:
    """The other implementation's command."""
    found: Callable[[list[str]], int] = pytest.importorskip("retrieval_eval.cli").main
    return found


def made(command: Callable[[list[str]], int], arguments: list[str]) -> tuple[int, Any]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = command(arguments)
    return code, json.loads(out.getvalue())


def labels(chance: random.Random) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    strata = chance.choice([[None], ["a", "b"], ["b", None, "é", "Z"]])
    unique = chance.random() < 0.7
    taken: set[tuple[str, str]] = set()
    for _ in range(chance.randint(1, 14)):
        query, doc = f"q{chance.randint(1, 5)}", f"d{chance.randint(1, 6)}"
        if unique and (query, doc) in taken:
            continue
        taken.add((query, doc))
        row: dict[str, Any] = {"query_id": query, "doc_uri": doc, "relevance": chance.choice([0, 0, 1, 1, 2, 3])}
        row["query"] = f"text of {query}" + (" again" if chance.random() < 0.05 else "")
        if chance.random() < 0.5:
            row["labeled_by"] = chance.choice(["human:a", "synthetic:m"])
        if chance.random() < 0.3:
            row["corpus_fingerprint"] = chance.choice(["w/1", "w/2", ""])
        if chance.random() < 0.05:
            row["chunk_id"] = "c1:bad"
        if chance.random() < 0.05:
            row["text_sha"] = "t1:bad"
        stratum = chance.choice(strata)
        rows.append(row if stratum is None else {**row, "stratum": stratum})
    return rows


def rankings(chance: random.Random, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    queries = sorted({row["query_id"] for row in rows})
    found = [
        {"query_id": query, "ranking": [f"d{chance.randint(1, 8)}" for _ in range(chance.randint(0, 8))]}
        for query in [*queries, "q9"]
        if chance.random() < 0.85
    ]
    return (
        found if any(each["query_id"] in queries for each in found) else [{"query_id": queries[0], "ranking": ["d1"]}]
    )


def gate(chance: random.Random, k: int) -> str:
    name = chance.choice(["recall", "ndcg", "mrr", "map", "precision", "hit_rate", "recal"])
    measure = f"{name}@{chance.choice([k, k, k, 7])}"
    bound = round(chance.random(), chance.choice([1, 2, 4]))
    delta = f"{bound / 3:.5f}7"
    return chance.choice([
        f"{measure}:{bound}", f"{measure}:-{delta}", f"{measure}:+{delta}", f"worst-stratum:{measure}:{bound}",
        f"{measure}:ci-lower:{bound}", "faithfulness:ci-lower:0.8",
    ])  # fmt: skip


def is_unmatched(report: dict[str, Any]) -> bool:
    """Whether nothing that the run retrieved is judged, as far as the report tells."""
    values = [metric["value"] for metric in report["metrics"].values()]
    if not values:
        return False
    return report["coverage"]["judged_hits"] == 0 if "coverage" in report else not any(values)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("baseline", [None, "own", "other"])
def test_reports_are_equal_as_data(other, tmp_path: Path, monkeypatch, seed: int, baseline: str | None) -> None:
    monkeypatch.chdir(tmp_path)
    chance = random.Random(seed)
    rows = labels(chance)
    for name, content in (("j", rows), ("r", rankings(chance, rows)), ("old", rankings(chance, rows))):
        Path(f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in content))
    k, level = chance.choice([1, 2, 3, 5, 10]), chance.choice([1, 1, 1, 2, 3])
    call = ["score", "--judgments", "j.jsonl", "-k", str(k), "--threshold", str(level), "--json"]
    if baseline is not None:
        made(run if baseline == "own" else other, [*call, "--run", "old.jsonl", "--out", "base.json"])
        if not is_unmatched(json.loads(Path("base.json").read_text())):
            call += ["--baseline", "base.json"]
    for _ in range(chance.randint(0, 4)):
        call += ["--gate", gate(chance, k)]
    code, theirs = made(other, [*call, "--run", "r.jsonl"])
    own_code, ours = made(run, [*call, "--run", "r.jsonl"])
    del theirs["tool"], theirs["generated_at"]
    theirs["verdict"].setdefault("gates", [])
    reasons = theirs["verdict"]["reasons"]
    theirs["verdict"]["reasons"] = [
        reason.replace("'retrieval-eval validate'", "'irbridge validate'") for reason in reasons
    ]
    assert {name: ours.get(name) for name in theirs} == theirs
    assert ("per_stratum" in ours) == ("per_stratum" in theirs)
    assert own_code == code
