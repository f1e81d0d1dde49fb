"""`irbridge agentic`: what each command prints, its exit codes, and lists that cannot be misread."""

from __future__ import annotations

import gzip
import hashlib
import io
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
from support.agentic_fixture import FILES as FIXTURE_FILES
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
    assert NAMES == ["compare", "from-judgments", "report", "rescore", "run", "score", "seal", "tasks", "verify"]


@pytest.mark.parametrize("name", NAMES)
def test_a_sub_command_is_documented_and_fits_the_screen(name: str, irbridge: Any) -> None:
    check_sub_command(COMMAND, "agentic", name, irbridge)


# ------------------------------------------------------------------------------------------------------------------ tasks


def test_tasks_are_listed_with_what_they_may_use(irbridge: Any) -> None:
    done = irbridge("agentic", "tasks", "--fixture", "f")
    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines() if line.split()[:1] in ([FIRST], [SECOND])]
    # Each asks for one line to be cited; "What is it?" is Latin.
    assert rows == [[each, "temporal", "3", "12,000", "1", "Latin"] for each in (FIRST, SECOND)]
    data = json.loads(irbridge("agentic", "tasks", "--fixture", "f", "--json").out)
    row = {"category": "temporal", "maxAgentCalls": 3, "maxModelVisibleBytes": 12000, "requiredEvidence": 1}
    assert data["tasks"] == [{"taskId": each, **row, "scripts": ["Latin"]} for each in (FIRST, SECOND)]


def test_the_standard_tasks_fit_the_screen(irbridge: Any) -> None:
    done = irbridge("agentic", "tasks")
    assert done.code == 0
    assert max(len(line) for line in done.out.splitlines()) <= 80
    # tdb4e2d0 asks in Japanese, tb90b579 in English; ta0ddef5 may be shown 2,400 bytes.
    assert [line.split()[0] for line in done.out.splitlines() if "Hiragana" in line] == ["tdb4e2d0"]
    assert [line.split()[:4] for line in done.out.splitlines() if "2,400" in line] == [
        ["ta0ddef5", "code_documentation", "3", "2,400"]
    ]
    assert sum(line.split()[0].startswith("t") and len(line.split()) > 5 for line in done.out.splitlines()) >= 35


def test_a_task_is_shown_as_an_agent_sees_it_without_its_oracle(irbridge: Any) -> None:
    seen = json.loads(irbridge("agentic", "tasks", FIRST, "--fixture", "f", "--json").out)
    assert seen == FIXTURE_FILES[f"tasks/{FIRST}.json"]
    done = irbridge("agentic", "tasks", FIRST, "--fixture", "f")
    assert (done.code, "What is it?" in done.out, "launchDate   date" in done.out) == (0, True, True)
    for hidden in ("2026-09-14", "canary", "sourceHash", "a.md"):
        assert hidden not in done.out


def test_a_task_that_is_not_there(irbridge: Any) -> None:
    done = irbridge("agentic", "tasks", FIRST + "x", "--fixture", "f")
    assert (done.code, done.out) == (2, "")
    assert f"did you mean {FIRST}" in done.err
    assert irbridge("agentic", "tasks", "--fixture", "gone").code == 2


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
        (("--out", "-"), "cannot be written to standard output"),
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


def test_a_report_by_another_name_is_checked_and_what_is_not_is_said(
    baseline: str, irbridge: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (Path(baseline) / "report.json").read_bytes()
    Path("theirs.json").write_bytes(data)
    alone = irbridge("agentic", "verify", "theirs.json", "--fixture", "f")
    assert (alone.code, "report       holds" in alone.out, "name the folder" in alone.out) == (0, True, True)
    assert irbridge("agentic", "verify", baseline, "--fixture", "f").out.find("unchecked") == -1
    Path("theirs.json").write_bytes(data.replace(b'"success": 1', b'"success": 0', 1))
    Path("theirs.json.gz").write_bytes(gzip.compress(Path("theirs.json").read_bytes()))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path("theirs.json").read_bytes())))
    for name in ("theirs.json", "theirs.json.gz", "-"):
        done = irbridge("agentic", "verify", name, "--fixture", "f")
        assert (done.code, "score_mismatch 1" in done.out) == (1, True), name
    Path("r.json").write_text(json.dumps(json.loads(data)["receipts"]))
    assert "receipts  hold" in irbridge("agentic", "verify", "r.json", "--fixture", "f").out


def test_a_report_is_read_packed_and_from_standard_input(
    baseline: str, irbridge: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (Path(baseline) / "report.json").read_bytes()
    Path("theirs.gz").write_bytes(gzip.compress(data))
    expected = irbridge("agentic", "rescore", baseline, "--fixture", "f").out
    assert irbridge("agentic", "rescore", "theirs.gz", "--fixture", "f").out == expected
    assert irbridge("agentic", "compare", baseline, "theirs.gz").code == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert irbridge("agentic", "rescore", "-", "--fixture", "f").out == expected
    both = irbridge("agentic", "compare", "-", "-")
    assert (both.code, "cannot both come from standard input" in both.err) == (2, True)


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit here")
def test_what_does_not_fit_is_told_with_its_place(baseline: str, irbridge: Any) -> None:
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for arguments in (("run",), ("rescore", baseline)):
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, limits[1]))
        try:
            done = irbridge("agentic", *arguments, "--fixture", "f", "--out", "new")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert (done.code, f"{Path('new').resolve()}: cannot be written: " in done.err) == (2, True)
        assert not Path("new").exists()


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
    # The standard fixture has no such tasks.
    for command in ("rescore", "score"):
        done = irbridge("agentic", command, baseline)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"error  {baseline}: a receipt of task {FIRST}, which the fixture does not have\n")
        assert "--fixture DIR" in done.err


def test_verify_on_another_fixture_is_one_error_that_names_the_option(baseline: str, irbridge: Any) -> None:
    done = irbridge("agentic", "verify", baseline)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error  {baseline}: was made on fixture 1 (")
    assert "try  --fixture DIR names the fixture" in done.err


def test_what_does_not_belong_together_is_told_with_its_file(baseline: str, irbridge: Any) -> None:
    value = json.loads((Path(baseline) / "report.json").read_bytes())
    value["scores"].pop()
    Path("odd").mkdir()
    Path("odd/report.json").write_text(json.dumps(value))
    for arguments in (("report", "odd"), ("compare", baseline, "odd"), ("compare", "odd", baseline)):
        done = irbridge("agentic", *arguments)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("error  odd: receipts and scores are not of the same pairs")


def test_compare(baseline: str, irbridge: Any) -> None:
    done = irbridge("agentic", "compare", baseline, baseline, "--adapter", "lexical,capsule", "--json")
    assert done.code == 0
    (data,) = json.loads(done.out)
    assert {each["metric"]: each["difference"] for each in data["metrics"]}["agent_calls"] == -1
    same = irbridge("agentic", "compare", baseline, baseline)
    assert (same.code, "95%" in same.out, same.out.count("equal")) == (0, False, 6)
    assert max(len(line) for line in same.out.splitlines()) <= 80
    assert irbridge("agentic", "compare", baseline, "f").code == 2
    assert irbridge("agentic", "compare", baseline, baseline, "--adapter", "a,b,c").code == 2
    assert irbridge("agentic", "compare", baseline, baseline, "--adapter", "lexicl").code == 2


def test_compare_two_agents(baseline: str, irbridge: Any) -> None:
    agent = Path("agent.py")
    agent.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    said = json.loads(line)\n"
        "    if said['type'] == 'task':\n"
        "        keys = [each['claimKey'] for each in said['task']['claims']]\n"
        "        continue\n"
        "    gaps = [{'claimKey': key, 'reason': 'missing_evidence'} for key in keys]\n"
        "    envelope = {'schemaVersion': '1.0', 'claims': [], 'gaps': gaps, 'abstained': True, 'stopReason': 'abstained'}\n"
        "    print(json.dumps({'kind': 'final', 'envelope': envelope}), flush=True)\n"
    )
    command = f"command={sys.executable} {agent.resolve()}"
    assert irbridge(*RUN, "--agent", "command", "--agent-set", command, "--adapter", "lexical", "--out", "mine").code == 0  # fmt: skip
    done = irbridge("agentic", "compare", baseline, "mine", "--json")
    assert done.code == 0
    (data,) = json.loads(done.out)
    assert (data["agents"], data["adapters"], data["pairs"]) == (["fixture", "command"], ["lexical"] * 2, 4)
    # It asks nothing and answers nothing: no success for 1, no call for 2.
    assert [each["difference"] for each in data["metrics"][:2]] == [-1, -2]
    shown = irbridge("agentic", "compare", baseline, "mine").out
    assert shown.split()[:4] == ["mean", "fixture", "command", "change"]
    assert "adapter lexical" in shown


def test_reports_of_other_tasks_are_not_compared(baseline: str, irbridge: Any) -> None:
    irbridge("agentic", "seal", "f", "--version", "2")
    assert irbridge(*RUN, "--out", "later").code == 0
    done = irbridge("agentic", "compare", baseline, "later")
    assert (done.code, done.out) == (2, "")
    assert "not of the same tasks: fixture 1 (" in done.err
    # Scored on the fixture of the other, it is compared: documents and tasks are the same.
    assert irbridge("agentic", "rescore", baseline, "--fixture", "f", "--out", "again").code == 0
    assert irbridge("agentic", "compare", "again", "later").code == 0


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
    for out, said in (
        ("f/corpus/x", "lies in the fixture"),
        ("-", "cannot be written to standard output"),
        ("gone/x", "does not exist"),
    ):
        refused = irbridge(*arguments, "-o", out)
        assert (refused.code, refused.out, said in refused.err) == (2, "", True)
    assert sorted(path.name for path in Path().iterdir() if path.is_dir()) == ["f", "t", "u"]


def test_from_judgments_says_which_budget_long_lines_need(irbridge: Any) -> None:
    text = "Lamp lit on a day that takes " + "very " * 1400 + "long to tell.\n"  # some 7,000 characters in one line
    label = {
        "query_id": "q1", "query": "Lamp lit?", "doc_uri": "d1", "relevance": 1,
        "span": {"start": 0, "end": 8}, "doc_revision": text_sha(text),
    }  # fmt: skip
    Path("j.jsonl").write_text(json.dumps(label) + "\n")
    Path("corpus.jsonl").write_text(json.dumps({"_id": "d1", "text": text}) + "\n")
    arguments = ("agentic", "from-judgments", "--judgments", "j.jsonl", "--documents", "corpus.jsonl")
    tight = irbridge(*arguments, "-o", "t")
    assert tight.code == 0
    # About 7,450 bytes with hashes and braces; twice that in thousands.
    assert "of 1 query the lines alone take more than half of 12,000 bytes" in tight.out
    assert "--bytes 15000 has room for them twice" in " ".join(tight.out.split())
    assert "more than half" not in irbridge(*arguments, "-o", "u", "--bytes", "15000").out
    none = irbridge(*arguments, "-o", "v", "--bytes", "3000")
    assert (none.code, "--bytes 15000" in none.err) == (2, True)
