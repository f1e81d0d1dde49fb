"""Every command that takes --json, called once: what it prints is the JSON that its schema describes, on standard output."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from support import output_schemas
from support.agentic_fixture import write

from irbridge.identity import text_sha
from irbridge.stats.interval import Measurement

from .conftest import Irbridge

TEXT = "Dogs ride free. Cats pay half."
LABEL = {"query_id": "q1", "query": "Who rides free?", "doc_uri": "d", "relevance": 1}
SPAN = {"span": {"start": 0, "end": 15}, "doc_revision": text_sha(TEXT)}
HERE = "c1:" + "1" * 32
GONE = "c1:" + "0" * 32
LOST = {**LABEL, "chunk_id": GONE, "chunk_text": "Dogs ride free."}

# Command, then the arguments of one call and of another that gives a result of another kind.
CALLS: dict[str, list[str]] = {
    "agentic compare": ["report report --adapter lexical,capsule"],
    "agentic from-judgments": ["--judgments s.jsonl --documents docs -o made"],
    "agentic report": ["report"],
    "agentic rescore": ["report --fixture f --match covering"],
    "agentic run": ["--fixture f --adapter lexical"],
    "agentic score": ["report --fixture f --baseline lexical --candidate capsule"],
    "agentic seal": ["f"],
    "agentic tasks": ["--fixture f", "t0000001 --fixture f"],
    "agentic verify": ["report --fixture f"],
    "anchor": [
        "--judgments j.jsonl --documents docs -o o.jsonl",
        "--judgments s.jsonl --documents docs --to chunk --corpus c.jsonl -o o.jsonl",
    ],
    "chunk": ["docs --chunker sentence/1 --out o.json", "--list"],
    "compare": ["--judgments a.qrels a.run b.run -m 'RR P@3' --other-judgments b.qrels --unjudged bounds"],
    "conformance": ["validate-empty"],
    "convert": ["a.qrels --to judgments -o o.jsonl"],
    "crosscheck": ["--judgments a.qrels --run a.run -m 'RR P@3'"],
    "datasets": ["vaswani", "no-such-word"],
    "drift": ["--judgments j.jsonl --corpus c.json"],
    "explain": ["RR=0.5 --judgments a.qrels --run a.run", "RR=0.123 --judgments a.qrels --run a.run"],
    "fmt": ["j.jsonl --check"],
    "formats": ["", "trec-qrels"],
    "fuse": ["a.run b.run --by rrf -o o.run", "a.run b.run --by combsum -o o.run"],
    "load": ["docs --out made"],
    "measures": ["", "nDCG@10"],
    "overlap": ["a.run b.run"],
    "project": ["--judgments s.jsonl --corpus c.jsonl -o o.jsonl"],
    "qrels agree": ["a.qrels b.qrels"],
    "qrels diff": ["a.qrels b.qrels", "s.jsonl j.jsonl --fields"],
    "qrels holes": ["a.run b.run --judgments a.qrels"],
    "qrels merge": ["a.qrels b.qrels -o o.qrels", "s.jsonl s.jsonl --prefer max -o o.jsonl"],
    "qrels pool": ["a.run b.run --judgments a.qrels"],
    "review": ["--judgments j.jsonl --corpus c.json", "--judgments j.jsonl --corpus c.json --html o.html"],
    "rollup": ["k.run --corpus c.json --drop-unknown -o o.run"],
    "score": ["--judgments a.qrels --run a.run -m 'RR AP'", "--judgments a.qrels a.run b.run --gate AP:0.9"],
    "stamp": ["rows.jsonl --fingerprint mine/1 -o o.jsonl"],
    "summarize": ["0.8", "0.8 1.0 0.6"],
    "validate": ["--judgments j.jsonl", "--judgments a.qrels"],
}


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture(autouse=True)
def _files(irbridge: Irbridge) -> None:
    Path("b.qrels").write_text("q1 0 d1 0\nq1 0 d3 0\nq2 0 d4 1\nq2 0 d5 2\n")
    Path("b.run").write_text("q1 Q0 d1 1 0.9 u\nq1 Q0 d7 2 0.8 u\nq2 Q0 d4 1 0.5 u\n")
    Path("docs/qrels").mkdir(parents=True)
    Path("docs/corpus.jsonl").write_text(lines({"_id": "d", "title": "", "text": TEXT}, {"_id": "e", "text": ""}))
    Path("docs/queries.jsonl").write_text(lines({"_id": "q1", "text": "Who?"}))
    Path("docs/qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td\t1\n")
    Path("rows.jsonl").write_text(lines({"doc_uri": "d", "text": "Dogs ride free.", "doc_revision": "v1"}))
    Path("j.jsonl").write_text(
        lines(LOST, {**LABEL, "query_id": "q2", "chunk_id": GONE, "chunk_text": "Cats pay half."})
    )
    Path("s.jsonl").write_text(lines({**LABEL, **SPAN}))
    Path("k.run").write_text(f"q1 Q0 {HERE} 1 0.9 t\nq1 Q0 gone 2 0.8 t\n")
    chunk = {"chunk_id": HERE, "doc_uri": "d", "ordinal": 0, "text": "Cats pay half."}
    Path("c.json").write_text(json.dumps({"corpus_fingerprint": "new/1", "chunks": [chunk]}))
    assert irbridge("chunk", "docs", "--chunker", "sentence/1", "--out", "c.jsonl").code == 0


@pytest.fixture
def _report(irbridge: Irbridge) -> None:
    write(Path("f"))
    assert irbridge("agentic", "run", "--fixture", "f", "--adapter", "lexical,capsule", "--out", "report").code == 0


def test_every_command_is_called() -> None:
    assert sorted(CALLS) == sorted(output_schemas.commands())


@pytest.mark.parametrize("command, arguments", [(name, each) for name, calls in CALLS.items() for each in calls])
def test_what_a_command_prints_obeys_its_schema(
    command: str, arguments: str, irbridge: Irbridge, request: pytest.FixtureRequest
) -> None:
    if command.startswith("agentic"):
        request.getfixturevalue("_report")
    done = irbridge(*command.split(), "--json", *shlex.split(arguments))
    assert done.code in {0, 1}, done.err
    output_schemas.check(command, done.out)


def test_what_is_given_back_obeys_the_schema_too(irbridge: Irbridge) -> None:
    [item] = json.loads(irbridge("review", "--json", "--judgments", "j.jsonl", "--corpus", "c.json").out)["items"]
    named = {name: item[name] for name in ("query_id", "key", "label_sha")}
    signed = {"action": "none", "labeled_by": "human:ana", "labeled_at": "2026-05-04T03:02:01Z"}
    Path("d.jsonl").write_text(lines({**named, **signed}))
    found = {}
    for command in ("review --apply d.jsonl", "review --undo", "drift --corpus c.json --fix", "drift --undo"):
        done = irbridge(*command.split(), "--judgments", "j.jsonl", "--json")
        assert done.code in {0, 1}, done.err
        found[command] = json.loads(done.out)
    assert found["review --apply d.jsonl"]["removed"] == 1
    assert found["review --undo"] == found["drift --undo"] == {"undone": "j.jsonl"}


def test_json_that_is_not_as_its_schema_says_fails_the_test_that_prints_it(
    irbridge: Irbridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Measurement, "as_dict", lambda measured: {"value": measured.value, "n": measured.n, "std": 0.1})
    with pytest.raises(AssertionError, match=r"irbridge summarize: \$: "):
        irbridge("summarize", "0.8", "--json")


def test_json_without_a_schema_fails_the_test_that_prints_it(
    irbridge: Irbridge, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(output_schemas, "FOLDER", tmp_path)
    with pytest.raises(AssertionError, match="irbridge summarize prints JSON, and"):
        irbridge("summarize", "0.8", "--json")
