"""The README and every recipe do what they say: each command is run, and prints what the page shows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.console import carried_out, matches, runs

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "recipes").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_the_page_prints_what_the_page_shows(page, tmp_path, irds_home):
    for script in (ROOT / "recipes").glob("*.py"):
        shutil.copy(script, tmp_path)
    found = runs(page)
    assert found, "a page without a command that is run"
    for run in found:
        code, printed = carried_out(run, tmp_path, {"IR_DATASETS_HOME": str(irds_home)})
        shown = "\n".join(run.expected or [])
        what = (
            f"{page.name}:{run.line}\n{run.command or run.script}\nexit {code}\n--- printed\n{printed}--- page\n{shown}"
        )
        assert code == (1 if shown.rstrip().endswith("exit 1") else 0), what
        if run.expected is not None:
            assert matches([line for line in run.expected if line.strip() != "exit 1"], printed), what


def test_matching_sees_a_difference():
    assert matches(["a", "...", "d"], "a\nb\nc\nd\n")
    assert matches(["a"], "a\n")
    assert not matches(["a"], "b\n")
    assert not matches(["a", "...", "d"], "a\nb\n")
    assert not matches([], "a\n")
