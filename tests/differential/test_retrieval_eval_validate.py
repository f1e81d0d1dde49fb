"""Our validation against that of the package retrieval-eval, as data, on random sets; where that package is installed."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from irbridge.judgments.validation import validate

pytestmark = pytest.mark.may_skip("the package retrieval-eval is no dependency")
CHUNK, DIGEST = "c1:" + "0" * 31, "t1:" + "a" * 31


def random_rows(rng: random.Random) -> list[dict[str, Any]]:
    odds = {name: rng.choice([0.0, 0.5, 1.0]) for name in ("query", "chunk_id", "corpus_fingerprint", "labeled_by")}
    values = {
        "query": ["a", "b", " a", ""],
        "chunk_id": [f"{CHUNK}0", f"{CHUNK}1", f"{CHUNK}G", "bad"],
        "text_sha": [f"{DIGEST}a", "x"],
        "chunk_text": ["hello"],
        "corpus_fingerprint": ["f1", "f2", ""],
        "labeled_by": ["human:a", "synthetic:b", "x"] if rng.random() < 0.5 else ["synthetic:b"],
        "stratum": ["s1", "z", "a", "_unstratified", ""],
        "foo": [1, [2], {"a": None}],
    }
    rows = []
    highest = rng.choice([0, 2])
    for _ in range(rng.choice([0, 1, 3, 8, 40])):
        row: dict[str, Any] = {
            "query_id": rng.choice(["q1", "Q", "\u00fc", "\U0001f600", "\uffff"]),
            "doc_uri": rng.choice(["d1", "d2", "d3"]),
            "relevance": rng.randint(0, highest),
        }
        row.update({name: rng.choice(own) for name, own in values.items() if rng.random() < odds.get(name, 0.3)})
        rows.append(row)
    return rows


@pytest.mark.parametrize("seed", range(25))
def test_the_specification_s_members_are_equal(seed: int, tmp_path: Path) -> None:
    pytest.importorskip("retrieval_eval")
    path = tmp_path / "j.jsonl"
    lines = [json.dumps(row, ensure_ascii=bool(seed % 2)) for row in random_rows(random.Random(seed))]
    path.write_text("// a comment\n\n" + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    call = [sys.executable, "-m", "retrieval_eval.cli", "validate", "--judgments", str(path), "--json"]
    answer = subprocess.run(call, capture_output=True, text=True, check=False)
    theirs = json.loads(answer.stdout)
    found = validate(path)
    ours = json.loads(json.dumps(found.as_dict()))
    own = {check.name for check in found.checks if check.own}
    members = ("severity", "code", "message")
    ours["issues"] = [{name: issue[name] for name in members} for issue in ours["issues"] if issue["code"] not in own]
    assert {name: ours[name] for name in theirs} == theirs
    assert answer.returncode == (0 if found.ok else 1)
