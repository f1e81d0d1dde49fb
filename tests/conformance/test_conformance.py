"""The conformance cases: irbridge passes them all, and what does not conform is caught."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from irbridge.cli.main import run as command_line
from irbridge.conformance import CHECKS, CaseResult, Implementation, cases, fixtures, run
from irbridge.conformance.base import UNCHECKED, same

ALL = cases()
# The kinds of the specification that irbridge's judgments come from.
CORE = {
    "basic", "chunk-id", "drift", "merge", "qrels", "strata", "stratum-order", "summarize", "no-positives", "nothing-scored",
    "duplicate-ranking", "unsound-judgments", "unsorted-queries",
}  # fmt: skip


def test_every_kind_is_there() -> None:
    assert {case.name for case in ALL if case.level == "core"} >= CORE
    assert any(case.level == "extended" for case in ALL)


@pytest.fixture(scope="module")
def found() -> dict[str, CaseResult]:
    """What irbridge answers, case by case."""
    return {each.case.name: each for each in run(ALL, Implementation())}


@pytest.mark.parametrize("name", [case.name for case in ALL])
def test_irbridge_conforms(found: dict[str, CaseResult], name: str) -> None:
    assert [result for result in found[name].results if result.status != "pass"] == []
    assert found[name].results, "a case that asks nothing proves nothing"


def test_every_member_is_checked_and_explained() -> None:
    page = (fixtures() / "README.md").read_text(encoding="utf-8")
    used = {member for case in ALL for member in case.expected}
    known = {check.name for check in CHECKS}
    assert used <= known | UNCHECKED
    assert [name for name in sorted(known | UNCHECKED) if f"`{name}`" not in page] == []


def _lying(tmp_path: Path, change: str) -> Implementation:
    """irbridge, but what it prints goes through `change`, a statement about `out`."""
    script = tmp_path / "other.py"
    script.write_text(
        "import subprocess, sys\n"
        "done = subprocess.run([sys.executable, '-m', 'irbridge', *sys.argv[1:]], capture_output=True, text=True)\n"
        f"out = done.stdout\n{change}\nprint(out, end='')\nsys.stderr.write(done.stderr)\nsys.exit(done.returncode)\n",
        encoding="utf-8",
    )
    return Implementation([sys.executable, str(script)])


@pytest.mark.parametrize(
    "name, change, member",
    [
        ("basic", "out = out.replace('0.444444444444', '0.444444444447')", "metrics"),
        ("drift", "out = out.replace('MERGED', 'ORPHANED')", "statuses"),
        ("unsorted-queries", "out = out.replace('query q10 has', 'query q11 has')", "issue_order"),
        ("qrels", "out = out.replace('contact', 'Contact')", "beir"),
        ("nothing-scored", "out = out.replace('INDETERMINATE', 'PASS')", "status"),
        ("duplicate-ranking", "out = out.replace('repeated a key', 'had a key twice')", "reason"),
        ("summarize", "out = out.replace('0.64', '0.65')", "cases one"),
        ("chunk-id", "out = out.replace('RE_ANCHORABLE', 'ORPHANED')", "normalize"),
    ],
)
def test_a_wrong_answer_is_caught(tmp_path: Path, name: str, change: str, member: str) -> None:
    [found] = run(cases(names=[name]), _lying(tmp_path, change))
    assert any(result.status == "fail" and result.name.startswith(member) for result in found.results)


def test_a_command_that_answers_nothing_fails_and_does_not_crash(tmp_path: Path) -> None:
    for found in run(
        cases(names=["basic", "drift", "unsorted-queries"]), Implementation([sys.executable, "-c", "pass"])
    ):
        assert found.count("pass") == 0
        assert found.count("fail")


def test_the_command_prints_a_table_and_fails_with_exit_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = tmp_path / "wrong"
    case.mkdir()
    (case / "judgments.jsonl").write_text('{"query_id":"q","doc_uri":"d","relevance":1}\n', encoding="utf-8")
    (case / "expected.json").write_text(json.dumps({"labels": 2, "queries": 1, "unheard_of": 1}), encoding="utf-8")
    assert command_line(["conformance", "--fixtures", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "wrong: labels" in out
    assert "expected 2, found 1" in out
    assert "no check knows this member" in out
    assert command_line(["conformance", "--fixtures", str(tmp_path), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["passed"], data["failed"]) == (1, 2)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["nonesuch"], "'nonesuch' is not a case"),
        (["--fixtures", "."], "holds no case"),
        (["--command", "no-such-program-anywhere"], "there is no command"),
        (["--command", shlex.quote("")], "there is no command"),
    ],
)
def test_what_cannot_be_run(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command_line(["conformance", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_numbers_agree_to_twelve_decimals() -> None:
    assert same(1, 1.0)
    assert same([{"a": 0.1}], [{"a": 0.1 + 1e-13}])
    assert not same(0.1, 0.1 + 1e-11)
    assert not same(1, True)
    assert not same({"a": 1}, {"a": 1, "b": 2})
    assert not same([1, 2], [1])
    assert not same(None, 0)
