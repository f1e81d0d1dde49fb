"""`irbridge drift` and `irbridge score` as gates on the labels themselves.

Of the specification's case `drift` 2 of 7 labels are valid, 2 are orphaned and gone; d1 to d4 are sound labels of chunks.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from irbridge.conformance import fixtures

Irbridge = Callable[..., Any]
CALL = ("drift", "--judgments", "judgments.jsonl", "--corpus", "corpus.json")


@pytest.fixture(autouse=True)
def _case(irbridge: Irbridge) -> None:
    for name in ("judgments.jsonl", "corpus.json"):
        shutil.copy(fixtures() / "drift" / name, name)


def test_the_exit_code_is_that_of_the_gates(irbridge: Irbridge) -> None:
    assert irbridge(*CALL).code == 1
    assert irbridge(*CALL, "--gate", "drift:orphaned:2").code == 0
    assert irbridge(*CALL, "--gate", "drift:orphaned:2", "--gate", "drift:stale:4").code == 1


def test_the_screen(irbridge: Irbridge) -> None:
    out = irbridge(*CALL, "--gate", "drift:orphaned:2", "--gate", "drift:stale_rate:0.5").out
    assert out.endswith(
        "\n"
        "  gate                   status   observed\n"
        "  drift:orphaned:2       PASS       2\n"
        "  drift:stale_rate:0.5   FAIL       0.7143\n"
        "  why       stale_rate is 0.7143, above 0.5\n"
        "  verdict   FAIL\n"
    )


def test_json_has_the_verdict(irbridge: Irbridge, root: Path) -> None:
    import jsonschema

    data = json.loads(irbridge("--json", *CALL, "--gate", "drift:orphaned:1").out)
    assert data["verdict"] == {
        "status": "FAIL",
        "reasons": ["orphaned is 2, above 1"],
        "gates": [{"expression": "drift:orphaned:1", "status": "FAIL", "observed": 2}],
    }
    jsonschema.validate(data, json.loads((root / "spec" / "drift.schema.json").read_text(encoding="utf-8")))
    assert "verdict" not in json.loads(irbridge("--json", *CALL).out)


def test_a_file_of_both_kinds(irbridge: Irbridge) -> None:
    Path("gates.toml").write_text("gates = ['recall@5:0.9', 'drift:split:1']\n[drift]\nmax_orphaned = 2\n")
    done = irbridge(*CALL, "--gates", "gates.toml")
    assert done.code == 0
    assert "drift:split:1" in done.out
    assert "drift:orphaned:2" in done.out
    assert "1 gate of a scoring left to irbridge score" in done.out
    assert irbridge(*CALL, "--gates", "gates.toml", "--gate", "drift:orphaned:1").code == 1


def test_a_repair_is_done_whatever_the_gates_say(irbridge: Irbridge) -> None:
    done = irbridge(*CALL, "--fix", "--gate", "drift:stale:0")
    assert done.code == 1
    assert Path("judgments.jsonl").read_bytes() == (fixtures() / "drift" / "fixed.jsonl").read_bytes()
    # d2 and d4 are valid now: of the five that were stale three are left.
    assert irbridge(*CALL, "--gate", "drift:stale:3").code == 0


@pytest.mark.parametrize(
    "more, message",
    [
        (("--gate", "recall@5:0.8"), "gate 'recall@5:0.8' is about a scoring, not about drift"),
        (("--gate", "drift:orphand:0"), "did you mean orphaned"),
        (("--gates", "gates.toml"), "holds no gate on drift"),
        (("--gates", ""), "--gates names nothing"),
        (("--gates", "nowhere.toml"), "there is no such file"),
        (("--undo", "--gate", "drift:orphaned:0"), "--undo goes alone"),
    ],
)
def test_what_cannot_be_held(irbridge: Irbridge, more: tuple[str, ...], message: str) -> None:
    Path("gates.toml").write_text("gates = ['recall@5:0.9']\n")
    before = Path("judgments.jsonl").read_bytes()
    done = irbridge(*CALL, *more, *([] if "--undo" in more else ["--fix"]))
    assert done.code == 2
    assert message in " ".join(done.err.split())
    assert Path("judgments.jsonl").read_bytes() == before


def test_a_scoring_holds_them_too(irbridge: Irbridge) -> None:
    Path("run.jsonl").write_text('{"query_id":"d6","ranking":["history"]}\n')
    call = ("score", "--judgments", "judgments.jsonl", "--run", "run.jsonl", "-k", "5")
    passing = irbridge("--json", *call, "--corpus", "corpus.json", "--gate", "drift:orphaned:2")
    assert json.loads(passing.out)["verdict"]["gates"] == [
        {"expression": "drift:orphaned:2", "status": "PASS", "observed": 2}
    ]
    assert passing.code == 0
    failing = irbridge(*call, "--corpus", "corpus.json", "--gate", "drift:gone:1")
    assert failing.code == 1
    assert "gone is 2, above 1" in failing.out
    assert "per-query" not in failing.out
    unknown = irbridge(*call, "--gate", "drift:orphaned:2")
    assert unknown.code == 1
    assert "drift:orphaned:2: no corpus was looked at" in " ".join(unknown.out.split())
