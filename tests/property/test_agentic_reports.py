"""Reports that somebody damaged: nothing but an error of ours is ever raised, and what was damaged never holds."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.agentic_runs import ran, small
from support.mutants import damaged_text, mutant

from irbridge.agentic.artifacts import write_artifacts
from irbridge.agentic.benchmark import Gate
from irbridge.agentic.comparing import compare
from irbridge.agentic.page import report_markdown
from irbridge.agentic.receipt_files import read_report
from irbridge.agentic.records import plain, record
from irbridge.agentic.report import BenchmarkReport, sealed_report
from irbridge.agentic.rescoring import rescore
from irbridge.agentic.verify import verify
from irbridge.errors import IrbridgeError


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path, Any]:
    """A fixture, the folder of a report on it, and the report as JSON."""
    folder = tmp_path_factory.mktemp("reports")
    fixture = small(folder / "fixture")
    report = write_artifacts(ran(fixture, gate=Gate("lexical", "capsule")).report, folder / "out")
    return fixture, folder / "out", plain(report)


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_report_is_found_out_and_breaks_nothing(seed: int, made: Any) -> None:
    fixture, folder, value = made
    random = Random(seed)
    for _ in range(25):
        damaged = mutant(value, random)
        try:
            text = json.dumps(damaged)
        except ValueError:
            continue
        (folder / "report.json").write_text(text)
        if json.loads(text) != json.loads(json.dumps(value)):
            assert verify(str(folder), fixture).findings
        _used(folder, fixture)


def test_a_report_with_damaged_bytes_breaks_nothing(made: Any) -> None:
    fixture, folder, value = made
    random = Random(9)
    for _ in range(40):
        (folder / "report.json").write_bytes(damaged_text(value, random))
        verify(str(folder), fixture)
        _used(folder, fixture)


def test_a_damaged_report_that_is_sealed_again_breaks_nothing(made: Any) -> None:
    fixture, folder, value = made
    random = Random(11)
    for _ in range(50):
        try:
            report = sealed_report(record(BenchmarkReport, mutant(value, random)))
            (folder / "report.json").write_text(json.dumps(plain(report)))
        except (IrbridgeError, ValueError):
            continue
        verify(str(folder), fixture)
        _used(folder, fixture)


def _used(folder: Path, fixture: Any) -> None:
    """Whatever else is done with a report raises our errors only."""
    try:
        report = read_report(str(folder))
    except IrbridgeError:
        return
    for use in (
        lambda: report_markdown(report), lambda: compare(report, report), lambda: rescore(report, fixture),
    ):  # fmt: skip
        try:
            use()
        except IrbridgeError:
            continue
