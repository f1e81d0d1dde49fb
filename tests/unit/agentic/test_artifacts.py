"""The four files: what they hold, what they may replace, and that they come as one set or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.agentic_fixture import FIRST, SECOND
from support.agentic_runs import ran, small

from irbridge.agentic import artifacts
from irbridge.agentic.artifacts import FILES, place_for, write_artifacts
from irbridge.agentic.benchmark import Benchmarked, Gate
from irbridge.agentic.receipt_files import read_report
from irbridge.errors import InputError, UsageError

HEX = "0" * 64


@pytest.fixture(scope="module")
def fixture(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return small(tmp_path_factory.mktemp("fixture"))


@pytest.fixture(scope="module")
def done(fixture: Any) -> Benchmarked:
    return ran(fixture, gate=Gate("lexical", "capsule"))


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_four_files_and_nothing_beside_them(done: Benchmarked, tmp_path: Path) -> None:
    write_artifacts(done.report, tmp_path / "out", done.prepared)
    assert sorted(os.listdir(tmp_path / "out")) == sorted(FILES)
    assert os.listdir(tmp_path) == ["out"]


def test_canonical_json_is_what_the_fingerprint_is_of(done: Benchmarked, tmp_path: Path) -> None:
    write_artifacts(done.report, tmp_path / "out", done.prepared)
    data = (tmp_path / "out" / "canonical.json").read_bytes()
    assert hashlib.sha256(data).hexdigest() == done.report.canonical_fingerprint
    assert json.loads(data)["attemptedPairs"] == 8


def test_temporary_paths_stand_in_no_file(done: Benchmarked, tmp_path: Path) -> None:
    assert any(each.observations.temp_paths for each in done.report.receipts)
    write_artifacts(done.report, tmp_path / "out", done.prepared)
    for data in content(tmp_path / "out").values():
        assert b"irbridge-agentic-" not in data
    seen = json.loads((tmp_path / "out" / "observations.json").read_bytes())
    assert seen["receipts"][0]["observations"]["tempPaths"] == ["<temp>"]
    assert [each["adapterId"] for each in seen["preparations"]] == ["capsule", "lexical"]


def test_what_is_read_is_what_was_written(done: Benchmarked, tmp_path: Path) -> None:
    written = write_artifacts(done.report, tmp_path / "out", done.prepared)
    assert read_report(str(tmp_path / "out")) == written


def test_canonical_json_and_report_md_are_equal_bytes_in_every_run(
    fixture: Any, done: Benchmarked, tmp_path: Path
) -> None:
    again = ran(fixture, gate=Gate("lexical", "capsule"))
    write_artifacts(done.report, tmp_path / "a", done.prepared)
    write_artifacts(again.report, tmp_path / "b", again.prepared)
    for name in ("canonical.json", "report.md"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_the_page_has_the_numbers(done: Benchmarked, tmp_path: Path) -> None:
    write_artifacts(done.report, tmp_path / "out")
    page = (tmp_path / "out" / "report.md").read_text()
    # Two tasks answered, in one call each: 1 + 1.
    assert "| capsule | cold | 2 | 2 | 2 |" in page
    assert "**promotion** PASS" in page
    assert done.report.canonical_fingerprint in page
    assert "## Method" in page


# ----------------------------------------------------------------------------------------------------------- what may go


def test_a_run_takes_the_place_of_one_that_it_covers(fixture: Any, done: Benchmarked, tmp_path: Path) -> None:
    out = tmp_path / "out"
    filtered = ran(fixture, ["lexical"], tasks=[FIRST])
    for each in (filtered, filtered, done, done):
        write_artifacts(each.report, out, each.prepared)
        assert read_report(str(out)).canonical_fingerprint == each.report.canonical_fingerprint


@pytest.mark.parametrize(
    "plan, why",
    [
        ({"tasks": [FIRST]}, "holds a complete run, and this one is filtered"),
        ({"lifecycles": ["cold"]}, "holds a complete run, and this one is filtered"),
        ({"adapters": ["lexical"]}, f"holds a run of capsule cold {FIRST} fixture-01 seed 0"),
    ],
)
def test_a_filtered_run_never_takes_the_place_of_a_full_one(
    plan: Any, why: str, fixture: Any, done: Benchmarked, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    write_artifacts(done.report, out, done.prepared)
    before = content(out)
    other = ran(fixture, **plan)
    with pytest.raises(UsageError, match=why):
        write_artifacts(other.report, out, other.prepared)
    with pytest.raises(UsageError, match=why):
        place_for(out, other.report.environment.schedule, "fixture")
    assert content(out) == before


def test_a_filtered_run_takes_no_other_filters_place(fixture: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_artifacts(ran(fixture, ["lexical"], tasks=[FIRST]).report, out)
    with pytest.raises(UsageError, match=f"holds a run of lexical cold {FIRST}"):
        write_artifacts(ran(fixture, ["lexical"], tasks=[SECOND]).report, out)


def test_another_agents_run_is_another_run(done: Benchmarked, tmp_path: Path) -> None:
    write_artifacts(done.report, tmp_path / "out")
    with pytest.raises(UsageError, match="holds a run of"):
        place_for(tmp_path / "out", done.report.environment.schedule, "somebody")


def test_a_folder_of_something_else_is_left_alone(done: Benchmarked, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(UsageError, match="holds mine, which is no file of a run"):
        write_artifacts(done.report, tmp_path)
    write_artifacts(done.report, tmp_path / "other")
    (tmp_path / "other" / "report.md").unlink()
    (tmp_path / "other" / "report.md").mkdir()
    (tmp_path / "other" / "report.md" / "mine").write_text("mine")
    with pytest.raises(UsageError, match=r"holds report\.md, which is no file of a run"):
        write_artifacts(done.report, tmp_path / "other")
    assert (tmp_path / "other" / "report.md" / "mine").read_text() == "mine"
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "report.json").write_text("{}")
    with pytest.raises(UsageError, match="a report that cannot be read"):
        write_artifacts(done.report, tmp_path / "out")
    assert (tmp_path / "out" / "report.json").read_text() == "{}"


# --------------------------------------------------------------------------------------------------------- whole or not


@pytest.mark.parametrize("name", FILES)
def test_a_write_that_fails_leaves_the_old_set(
    name: str, done: Benchmarked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_artifacts(done.report, tmp_path / "out", done.prepared)
    before = content(tmp_path / "out")
    real = Path.write_bytes

    def failing(self: Path, data: bytes) -> int:
        if self.name == name:
            raise OSError(28, "No space left on device")
        return real(self, data)

    monkeypatch.setattr(Path, "write_bytes", failing)
    with pytest.raises(InputError, match=r"out: cannot be written: no space"):
        write_artifacts(done.report, tmp_path / "out", done.prepared)
    assert content(tmp_path / "out") == before
    assert os.listdir(tmp_path) == ["out"]


_WRITER = """
import sys, msgspec
from irbridge.agentic.artifacts import write_artifacts
from irbridge.agentic.receipt_files import read_report
from irbridge.agentic.report import sealed_report
report = read_report(sys.argv[1])
sets = [sealed_report(msgspec.structs.replace(report, limitations=[str(n)])) for n in range(2)]
while True:
    for each in sets:
        write_artifacts(each, sys.argv[2], [])
        print(flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="kill -9, and folders that change names in one step")
def test_killed_at_any_moment_the_set_is_the_old_one_or_the_new_one(done: Benchmarked, tmp_path: Path) -> None:
    write_artifacts(done.report, tmp_path / "first", done.prepared)
    out, found = tmp_path / "out", set()
    for number in range(8):
        writer = subprocess.Popen([sys.executable, "-c", _WRITER, tmp_path / "first", out], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(0.003 * number)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        assert sorted(os.listdir(out)) == sorted(FILES)
        report = read_report(str(out))
        digest = hashlib.sha256((out / "canonical.json").read_bytes()).hexdigest()
        assert digest == report.canonical_fingerprint
        assert report.canonical_fingerprint in (out / "report.md").read_text()
        found.add(report.limitations[0])
        for hidden in tmp_path.glob(".irbridge-*"):
            shutil.rmtree(hidden)
    assert found <= {"0", "1"}


def test_a_hostile_report_cannot_write_outside_its_words(done: Benchmarked) -> None:
    odd = msgspec.structs.replace(
        done.report, environment=msgspec.structs.replace(done.report.environment, fixture_version="# <b>\x1b[1m\n|x|")
    )
    page = artifacts.report_markdown(odd)
    assert "\x1b" not in page
    assert "<b>" not in page
    assert page.startswith("# Agentic retrieval: fixture ")
