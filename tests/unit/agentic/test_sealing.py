"""Sealing again: what is not said stays, and what fails changes nothing and names its file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.agentic_fixture import FIRST, write

from irbridge.agentic.fixture import load_fixture
from irbridge.agentic.sealing import sealed_as
from irbridge.errors import InputError, UsageError

WHOLE = {"version": "1", "license_name": "CC0-1.0", "provenance": "typed"}


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_is_not_said_is_as_it_was(tmp_path: Path) -> None:
    write(tmp_path)
    assert sealed_as(str(tmp_path), version="2").manifest.provenance == "typed for a test"
    assert load_fixture(tmp_path).manifest.fixture_version == "2"


def test_another_scheme_than_that_of_the_oracles_is_told(tmp_path: Path) -> None:
    write(tmp_path)
    with pytest.raises(InputError, match="is no source of the task") as told:
        sealed_as(str(tmp_path), scheme="file")
    assert "the manifest has uriScheme file" in str(told.value.hint)
    assert "--uri-scheme corpus" in str(told.value.hint)


def _without_oracle(folder: Path) -> None:
    (folder / "oracles" / f"{FIRST}.json").unlink()


def _without_task(folder: Path) -> None:
    (folder / "tasks" / f"{FIRST}.json").unlink()


def _with_notes(folder: Path) -> None:
    (folder / "tasks" / "notes.txt").write_text("x")


def _with_a_leak(folder: Path) -> None:
    (folder / "corpus" / FIRST / "c001" / "z.md").write_text(f"canary-of-{FIRST}")


def _not_text(folder: Path) -> None:
    (folder / "corpus" / FIRST / "c001" / "z.md").write_bytes(b"\xff")


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize(
    "change, path, why",
    [
        (_without_oracle, f"tasks/{FIRST}.json", "has no oracle"),
        (_without_task, f"oracles/{FIRST}.json", "has no task"),
        (_with_notes, "tasks/notes.txt", "a file lies as"),
        (_with_a_leak, f"corpus/{FIRST}/c001/z.md", "a leak canary"),
        (_not_text, f"corpus/{FIRST}/c001/z.md", "not UTF-8"),
    ],
)
def test_a_seal_that_fails_names_the_file_and_leaves_all_as_it_was(
    change: Callable[[Path], None], path: str, why: str, sealed: bool, tmp_path: Path
) -> None:
    write(tmp_path)
    if not sealed:
        (tmp_path / "manifest.json").unlink()
    change(tmp_path)
    before = content(tmp_path)
    with pytest.raises(InputError, match=why) as told:
        sealed_as(str(tmp_path), **WHOLE)
    assert told.value.path == os.path.join(str(tmp_path), *path.split("/"))
    assert content(tmp_path) == before


@pytest.mark.parametrize("scheme", ["Docs", "docs\n", "1x", "docs:"])
def test_a_scheme_that_is_none(scheme: str, tmp_path: Path) -> None:
    write(tmp_path)
    before = content(tmp_path)
    with pytest.raises(InputError, match="uriScheme"):
        sealed_as(str(tmp_path), scheme=scheme)
    assert content(tmp_path) == before


def test_what_has_to_be_said(tmp_path: Path) -> None:
    write(tmp_path)
    with pytest.raises(UsageError, match="must say its version"):
        sealed_as(str(tmp_path), version="")
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(InputError, match="not JSON") as told:
        sealed_as(str(tmp_path), **WHOLE)
    assert "--uri-scheme" in str(told.value.hint)
    assert sealed_as(str(tmp_path), **WHOLE, scheme="corpus").manifest.license == "CC0-1.0"
    (tmp_path / "manifest.json").unlink()
    with pytest.raises(UsageError, match="must say its license"):
        sealed_as(str(tmp_path), version="1")
    assert not (tmp_path / "manifest.json").exists()


@pytest.mark.parametrize("name", ["gone", "tasks/x.json", ""])
def test_what_is_no_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "x.json").write_text("{}")
    with pytest.raises(UsageError, match="is no folder"):
        sealed_as(str(tmp_path / name) if name else "", **WHOLE)


def test_a_folder_where_the_manifest_should_be(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "manifest.json").unlink()
    (tmp_path / "manifest.json").mkdir()
    with pytest.raises(InputError, match=r"manifest\.json"):
        sealed_as(str(tmp_path), **WHOLE, scheme="corpus")
    assert os.listdir(tmp_path / "manifest.json") == []
