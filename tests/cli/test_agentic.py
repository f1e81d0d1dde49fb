"""`irbridge agentic`: what each command prints, its exit codes, and lists that cannot be misread."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest
from support.agentic_fixture import FIRST, SECOND, write
from support.agentic_runs import not_ready
from support.sub_commands import check_sub_command

from irbridge.agentic.artifacts import FILES
from irbridge.agentic.runner import running
from irbridge.cli.commands.agentic import COMMAND
from irbridge.identity import text_sha

NAMES = COMMAND.list_commands(click.Context(COMMAND))
RUN = ("agentic", "run", "--fixture", "f")
GATE = ("--baseline", "lexical", "--candidate", "capsule")


@pytest.fixture(autouse=True)
def _fixture(tmp_path: Path) -> None:
    write(tmp_path / "f")


@pytest.fixture
def baseline(irbridge: Any) -> str:
    assert irbridge(*RUN, *GATE, "--out", "baseline").code == 0
    return "baseline"


# ------------------------------------------------------------------------------------------------------ every sub-command


def test_the_commands() -> None:
    assert NAMES == ["compare", "from-judgments", "report", "rescore", "run", "score", "seal", "verify"]


@pytest.mark.parametrize("name", NAMES)
def test_a_sub_command_is_documented_and_fits_the_screen(name: str, irbridge: Any) -> None:
    check_sub_command(COMMAND, "agentic", name, irbridge)


# -------------------------------------------------------------------------------------------------------------------- run


def test_run_prints_a_row_for_each_adapter_and_lifecycle(irbridge: Any) -> None:
    done = irbridge(*RUN)
    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines() if line.split()[:1] in (["lexical"], ["capsule"])]
    # Both answer both tasks: capsule in one call each, lexical in two.
    assert [(row[0], row[1], row[2], row[3], row[4]) for row in rows] == [
        ("capsule", "cold", "2", "2", "2"), ("capsule", "warm", "2", "2", "2"),
        ("lexical", "cold", "2", "2", "4"), ("lexical", "warm", "2", "2", "4"),
    ]  # fmt: skip
    assert max(len(line) for line in done.out.splitlines()) <= 80


def test_run_writes_the_four_files_and_says_so(irbridge: Any) -> None:
    done = irbridge(*RUN, "--out", "o", "--json")
    data = json.loads(done.out)
    assert sorted(os.listdir("o")) == sorted(FILES)
    assert data["canonicalFingerprint"] == hashlib.sha256(Path("o/canonical.json").read_bytes()).hexdigest()
    assert (data["out"], data["exitCode"], data["promotion"]) == ("o", 0, None)
    assert [lane["success"] for lane in data["lanes"]] == [2, 2, 2, 2]


def test_two_runs_have_the_same_canonical_bytes(irbridge: Any) -> None:
    irbridge(*RUN, "--out", "a", "--adapter", "lexical,capsule", "--lifecycle", "cold,warm")
    irbridge(*RUN, "--out", "b", "--adapter=capsule,lexical", "--lifecycle=warm,cold")
    assert Path("a/canonical.json").read_bytes() == Path("b/canonical.json").read_bytes()


def test_a_promotion_that_fails_is_1(irbridge: Any) -> None:
    assert irbridge(*RUN, *GATE).code == 0
    # Four calls against eight are a reduction of 0.5, which is enough and no more.
    assert irbridge(*RUN, *GATE, "--call-reduction", "0.5").code == 0
    done = irbridge(*RUN, *GATE, "--call-reduction", "0.51", "--out", "o")
    assert done.code == 1
    assert "agent_call_reduction_below_0.51_or_zero_denominator" in done.out
    assert "FAIL" in done.out
    assert json.loads(Path("o/report.json").read_bytes())["promotion"]["passed"] is False


def test_any_failure_of_the_harness_is_2_and_the_report_is_written(
    irbridge: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "prepared", not_ready)
    done = irbridge(*RUN, *GATE, "--out", "o")
    assert done.code == 2
    assert "8 excluded: adapter_preparation_failed" in done.out
    assert "it is not here" in done.out
    assert json.loads(Path("o/report.json").read_bytes())["attemptedPairs"] == 8
    assert irbridge("agentic", "verify", "o", "--fixture", "f").code == 0
    assert irbridge("agentic", "score", "o", "--fixture", "f").code == 2
    assert irbridge("agentic", "rescore", "o", "--fixture", "f").code == 2


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("--adapter", "lexical,"), "names nothing in one place"),
        (("--adapter", ""), "names nothing in one place"),
        (("--adapter", "lexical,lexical"), "names 'lexical' twice"),
        (("--adapter", "lexicl"), "did you mean lexical?"),
        (("--adapter", "lexical", "--adapter", "capsule"), "--adapter is given twice"),
        (("--adapter", "--json"), "--adapter has no value"),
        (("--lifecycle", "hot"), "'hot' is not a lifecycle"),
        (("--lifecycle", "cold,cold"), "twice"),
        (("--task", FIRST + "x"), f"did you mean {FIRST}"),
        (("--task", f"{FIRST},{FIRST}"), "twice"),
        (("--agent", "fixtur"), "did you mean fixture"),
        (("--timeout-ms", "0"), "0"),
        (("--timeout-ms", "5", "--timeout-ms", "6"), "--timeout-ms is given twice"),
        (("--match", "exact", "--match", "covering"), "--match is given twice"),
        (("--adapter-set", "lexical"), "is no setting"),
        (("--adapter-set", "other.a=1"), "not an adapter that is run"),
        (("--adapter-set", "lexical.a=1"), "lexical has no settings"),
        (("--agent-set", "seed"), "is no setting"),
        (("--agent-set", "seed=1"), "fixture has no settings"),
        (("--baseline", "lexical"), "two adapters are compared"),
        (("--linkage", "0.9"), "two adapters are compared"),
        (("--baseline", "lexical", "--candidate", "lexical"), "held against itself"),
        (("--baseline", "lexical", "--candidate", "gone"), "is not run"),
        ((*GATE, "--linkage", "much"), "much"),
        (("--fixture", "gone"), "given twice"),
        (("--out", "f"), "no file of a run"),
        (("--out", "gone/o"), "does not exist"),
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_carried_out(arguments: tuple[str, ...], said: str, irbridge: Any) -> None:
    done = irbridge(*RUN, *arguments)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_a_filtered_run_leaves_the_full_one_alone(baseline: str, irbridge: Any) -> None:
    before = {name: (Path(baseline) / name).read_bytes() for name in FILES}
    done = irbridge(*RUN, "--task", FIRST, "--out", baseline)
    assert (done.code, "holds a complete run" in done.err) == (2, True)
    assert {name: (Path(baseline) / name).read_bytes() for name in FILES} == before


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_killed_in_the_middle_of_a_run_the_old_set_is_as_it_was(baseline: str, tmp_path: Path) -> None:
    before = {name: (Path(baseline) / name).read_bytes() for name in FILES}
    (tmp_path / "agent.py").write_text("import time\nopen('started', 'w').close()\ntime.sleep(60)\n")
    agent = f"{sys.executable} {tmp_path / 'agent.py'}"
    done = subprocess.Popen(
        [sys.executable, "-m", "irbridge", *RUN, "--agent", "command", "--agent-set", f"command={agent}", "--out", "new"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not Path("started").exists() and done.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    assert Path("started").exists()
    done.send_signal(signal.SIGKILL)
    done.wait()
    assert not Path("new").exists()
    assert {name: (Path(baseline) / name).read_bytes() for name in FILES} == before


# -------------------------------------------------------------------------------------------- report, verify, score, ...


def test_report_shows_the_page_again(baseline: str, irbridge: Any) -> None:
    done = irbridge("agentic", "report", baseline)
    assert done.code == 0
    assert "PASS" in done.out
    assert max(len(line) for line in done.out.splitlines()) <= 80
    data = json.loads(irbridge("agentic", "report", baseline, "--json").out)
    assert data["promotion"]["metrics"]["agentCallReduction"] == 0.5
    assert "receipts" not in data
    assert irbridge("agentic", "report", "f").code == 2


def test_verify_says_whether_it_holds(baseline: str, irbridge: Any) -> None:
    assert irbridge("agentic", "verify", baseline, "--fixture", "f").code == 0
    place = Path(baseline) / "report.json"
    place.write_text(place.read_text().replace('"agentCalls": 2', '"agentCalls": 1', 1))
    done = irbridge("agentic", "verify", baseline, "--fixture", "f", "--json")
    assert done.code == 1
    data = json.loads(done.out)
    assert data["ok"] is False
    found = {each["code"] for each in data["findings"]}
    assert {"agent_calls_mismatch", "fingerprint_mismatch", "score_mismatch", "canonical_mismatch"} <= found
    assert irbridge("agentic", "verify", baseline, "--fixture", "gone").code == 2
    assert irbridge("agentic", "verify", "f", "--fixture", "f").code == 2


def test_score_takes_receipts_and_writes_scores(baseline: str, irbridge: Any) -> None:
    receipts = json.loads((Path(baseline) / "report.json").read_bytes())["receipts"]
    Path("r.jsonl").write_text("".join(json.dumps(each) + "\n" for each in receipts))
    done = irbridge("agentic", "score", "r.jsonl", "--fixture", "f", "-o", "s.jsonl")
    assert done.code == 0
    scores = [json.loads(line) for line in Path("s.jsonl").read_text().splitlines()]
    assert [(each["adapterId"], each["success"]) for each in scores] == [("capsule", 1)] * 4 + [("lexical", 1)] * 4
    assert json.loads(irbridge("agentic", "score", "r.jsonl", "--fixture", "f", "--json").out)["scores"] == scores
    # A scoring has no replays, and the candidate returned bundles.
    gated = irbridge("agentic", "score", "r.jsonl", "--fixture", "f", *GATE)
    assert (gated.code, "capsule_replay_identity_mismatch" in gated.out) == (1, True)
    assert irbridge("agentic", "score", "r.jsonl", "--fixture", "f", "-o", "r.jsonl").code == 2
    Path("twice.jsonl").write_bytes(2 * Path("r.jsonl").read_bytes())
    twice = irbridge("agentic", "score", "twice.jsonl", "--fixture", "f")
    assert "8 receipts of a pair that an earlier one is of" in twice.out
    assert irbridge("agentic", "score", "f/manifest.json", "--fixture", "f").code == 2


def test_rescore_says_what_changes(baseline: str, irbridge: Any) -> None:
    done = irbridge("agentic", "rescore", baseline, "--fixture", "f", "--match", "covering", "-o", "again")
    assert done.code == 0
    assert "changed      0 scores" in done.out
    assert irbridge("agentic", "verify", "again", "--fixture", "f").code == 0
    assert json.loads(Path("again/report.json").read_bytes())["environment"]["match"] == "covering"
    seen = [json.loads((Path(name) / "observations.json").read_bytes())["preparations"] for name in (baseline, "again")]
    assert seen[0] == seen[1] != []
    assert irbridge("agentic", "rescore", baseline, "--fixture", "f", *GATE, "--call-reduction", "0.6").code == 1
    assert irbridge("agentic", "rescore", baseline).code == 2  # the standard fixture has no such tasks


def test_compare(baseline: str, irbridge: Any) -> None:
    done = irbridge("agentic", "compare", baseline, baseline, "--adapter", "lexical,capsule", "--json")
    assert done.code == 0
    (data,) = json.loads(done.out)
    assert {each["metric"]: each["difference"] for each in data["metrics"]}["agent_calls"] == -1
    assert irbridge("agentic", "compare", baseline, baseline).code == 0
    assert irbridge("agentic", "compare", baseline, "f").code == 2
    assert irbridge("agentic", "compare", baseline, baseline, "--adapter", "a,b,c").code == 2
    assert irbridge("agentic", "compare", baseline, baseline, "--adapter", "lexicl").code == 2


def test_seal(irbridge: Any) -> None:
    place = Path("f/corpus") / SECOND / "c002" / "b.md"
    place.write_text("# More\n")
    assert irbridge(*RUN).code == 2
    done = irbridge("agentic", "seal", "f")
    assert (done.code, "4 documents" in done.out) == (0, True)
    assert irbridge(*RUN).code == 0
    manifest = json.loads(Path("f/manifest.json").read_bytes())
    assert manifest["fixtureVersion"] == "1"
    assert irbridge("agentic", "seal", "f", "--version", "2", "--json").code == 0
    assert json.loads(Path("f/manifest.json").read_bytes())["fixtureVersion"] == "2"
    Path("f/manifest.json").unlink()
    assert irbridge("agentic", "seal", "f").code == 2
    assert irbridge("agentic", "seal", "gone").code == 2
    place.with_name("c.md").write_text(f"canary-of-{FIRST}\n")
    assert irbridge("agentic", "seal", "f", "--version", "1", "--license", "x", "--provenance", "y").code == 2


def test_from_judgments_makes_a_fixture_that_runs(irbridge: Any) -> None:
    text = "# Notes\n\nLamp lit: Monday\nIt burned for nine days.\n"
    start = text.index("Monday")
    label = {
        "query_id": "q1", "query": "Lamp lit?", "doc_uri": "d1", "relevance": 1,
        "span": {"start": start, "end": start + 6}, "doc_revision": text_sha(text),
    }  # fmt: skip
    Path("j.jsonl").write_text(json.dumps(label) + "\n")
    Path("corpus.jsonl").write_text(
        "".join(json.dumps({"_id": f"d{n}", "text": text if n == 1 else f"No {n}."}) + "\n" for n in range(1, 9))
    )
    arguments = (
        "agentic",
        "from-judgments",
        "--judgments",
        "j.jsonl",
        "--documents",
        "corpus.jsonl",
        "--claim",
        "answer",
    )
    done = irbridge(*arguments, "-o", "t")
    assert (done.code, "1 query became a task" in done.out) == (0, True)
    data = json.loads(irbridge("agentic", "run", "--fixture", "t", "--adapter", "lexical", "--json").out)
    # The agent reads `Lamp lit: Monday` and answers with what stands behind the colon.
    assert [lane["success"] for lane in data["lanes"]] == [1, 1]
    assert irbridge(*arguments, "-o", "t").code == 2  # not empty
    with Path("j.jsonl").open("a") as more:
        more.write(json.dumps({**label, "query_id": "q2", "doc_revision": None}) + "\n")
    left = irbridge(*arguments, "-o", "u")
    assert (left.code, "of another revision" in left.out) == (1, True)
    assert (
        irbridge("agentic", "from-judgments", "--judgments", "a.qrels", "--documents", "corpus.jsonl", "-o", "v").code
        == 2
    )
    assert not Path("v").exists()
