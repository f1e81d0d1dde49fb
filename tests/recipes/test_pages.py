"""The README and every recipe do what they say: each command is run, and prints what the page shows."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from support.console import Page, matches, runs

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "recipes").glob("*.md"))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_command_of_the_page_prints_what_the_page_shows(path, tmp_path, irds_home):
    for script in (ROOT / "recipes").glob("*.py"):
        shutil.copy(script, tmp_path)
    page = Page(path, tmp_path, {"IR_DATASETS_HOME": str(irds_home)})
    found = runs(path)
    assert found, "a page without a command that is run"
    for run in found:
        code, printed = page.carried_out(run)
        shown = "\n".join(run.expected or [])
        what = (
            f"{path.name}:{run.line}\n{run.command or run.script}\nexit {code}\n--- printed\n{printed}--- page\n{shown}"
        )
        # A command that finds something says so: `$ irbridge drift ...  # exit 1`.
        wanted = re.search(r"# exit ([12])$", run.command or "")
        assert code == (int(wanted.group(1)) if wanted else 0), what
        if run.expected is not None:
            assert matches(run.expected, printed), what


def test_matching_sees_a_difference():
    assert matches(["a", "...", "d"], "a\nb\nc\nd\n")
    assert matches(["a"], "a\n")
    assert not matches(["a"], "b\n")
    assert not matches(["a", "...", "d"], "a\nb\n")
    assert not matches([], "a\n")
