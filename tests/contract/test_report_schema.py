"""Every JSON that `irbridge score` prints is a report of spec/report.schema.json, and the schema can say no."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from irbridge.cli.main import run

ROWS = [
    {
        "query_id": "q1",
        "query": "a",
        "doc_uri": "d1",
        "relevance": 2,
        "labeled_by": "human:a",
        "corpus_fingerprint": "w/1",
    },
    {"query_id": "q1", "query": "a", "doc_uri": "d2", "relevance": 0, "stratum": "s"},
    {"query_id": "q2", "query": "b", "doc_uri": "d3", "relevance": 1, "stratum": "t"},
]
RUN = [{"query_id": "q1", "ranking": ["d2", "d1", "d2"]}]
CORPUS = {"corpus_fingerprint": "w/2", "chunks": [{"chunk_id": "c1:" + "0" * 32, "doc_uri": "d1", "text": "x"}]}
CALLS: dict[str, list[str]] = {
    "plain": [],
    "measures": ["-m", "nDCG@10 AP NumRet", "--duplicates", "first"],
    "nothing scored": ["--rel", "7", "--gate", "recall@10:0.1", "--gate", "worst-stratum:recall@10:0.1"],
    "unsound": ["--judgments", "u.jsonl", "--gate", "recall@10:0.1"],
    "qrels": ["--judgments", "q.txt", "-m", "AP", "--duplicates", "first"],
    "corpus": ["--corpus", "c.json"],
    "gates": [
        "--gate", "recall@10:0.1", "--gate", "recall@10:0.9", "--gate", "recall@10:-0.1", "--gate",
        "worst-stratum:recall@10:0.1", "--gate", "faithfulness:ci-lower:0.8", "--baseline", "b.json",
    ],
    "refused baseline": ["--gate", "recall@10:-0.1", "--baseline", "b.json", "--rel", "2"],
    "gate file": ["--gates", "g.toml"],
}  # fmt: skip


@pytest.fixture(scope="module")
def schema(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((root / "spec" / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(found)
    return found


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)

    def lines(rows: list[dict[str, Any]]) -> str:
        return "".join(json.dumps(row) + "\n" for row in rows)

    Path("j.jsonl").write_text(lines(ROWS))
    Path("u.jsonl").write_text(lines([*ROWS, {**ROWS[0], "relevance": 1}]))
    Path("q.txt").write_text("q1 0 d1 1\nq2 0 d3 1\n")
    Path("r.jsonl").write_text(lines(RUN))
    Path("c.json").write_text(json.dumps(CORPUS))
    Path("g.toml").write_text('k = 3\ngates = ["recall@3:0.1"]\n[strata]\nworst = ["recall@3:0.1"]\nrequire = ["s"]\n')
    assert run(["score", "--judgments", "j.jsonl", "--run", "r.jsonl", "--out", "b.json"]) == 0
    capsys.readouterr()

    def call(*arguments: str) -> dict[str, Any]:
        assert run(["score", "--judgments", "j.jsonl", "--run", "r.jsonl", "--json", *arguments]) in {0, 1}
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return call


@pytest.mark.parametrize("name", list(CALLS))
def test_every_report_is_valid(schema: dict[str, Any], report, name: str) -> None:
    made = report(*CALLS[name])
    jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker()).validate(made)
    assert ("per_stratum" in made) == (name != "qrels")
    # As soon as one label has a stratum; the one of q1 that has none is of _unstratified.
    assert name == "qrels" or set(made["per_stratum"]) == {"_unstratified", "s", "t"}


@pytest.mark.parametrize(
    "path, value",
    [
        ("spec_version", "2"),
        ("generated_at", 5),
        ("metrics", []),
        ("metrics.recall@10", 0.5),
        ("metrics.recall@10.value", "0.5"),
        ("metrics.recall@10.ci", [0.1]),
        ("judgments.labels", -1),
        ("judgments.queries", 1.5),
        ("judgments.drift", {"valid": 1}),
        ("per_stratum", {}),
        ("per_stratum.s", {"metrics": {}}),
        ("verdict.status", "OK"),
        ("verdict.reasons", "none"),
        ("verdict.gates", [{"expression": "recall@5:0.8"}]),
        ("verdict.gates", [{"expression": "recall@5:0.8", "status": "FAIL"}]),  # but the verdict is PASS
        ("tool", {"name": "x"}),
        ("corpus", {}),
    ],
)
def test_the_schema_can_say_no(schema: dict[str, Any], report, path: str, value: object) -> None:
    made = report("--gate", "recall@10:0.1")
    assert made["verdict"]["status"] == "PASS"
    broken = copy.deepcopy(made)
    *above, last = path.split(".")
    target = broken
    for name in above:
        target = target[name]
    target[last] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(broken)


@pytest.mark.parametrize("name", ["spec_version", "tool", "generated_at", "corpus", "judgments", "metrics", "verdict"])
def test_what_a_report_must_have(schema: dict[str, Any], report, name: str) -> None:
    made = report()
    del made[name]
    with pytest.raises(jsonschema.ValidationError, match=name):
        jsonschema.Draft202012Validator(schema).validate(made)


def test_members_of_other_tools_are_allowed_everywhere(schema: dict[str, Any], report) -> None:
    made = report("--gate", "recall@10:0.1")
    for target in (
        made,
        made["tool"],
        made["judgments"],
        made["metrics"]["recall@10"],
        made["verdict"],
        made["verdict"]["gates"][0],
    ):
        target["x-mine"] = {"any": ["thing"]}
    jsonschema.Draft202012Validator(schema).validate(made)
