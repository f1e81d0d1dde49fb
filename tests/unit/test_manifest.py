from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from irbridge import __version__
from irbridge.errors import InputError
from irbridge.manifest import Manifest, PartFile


def test_it_comes_back_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "judgments.jsonl").write_bytes(b"x\n")
    made = Manifest(
        parts={"judgments": PartFile.of(tmp_path / "judgments.jsonl", 1)},
        source={"name": "irds:x", "format": "irds", "split": None},
        judged_queries=1,
        grades={1: 1, -1: 2},
        levels={-1: "no", 1: "yes \u2013 caf\u00e9"},
        official_measures=["RR(rel=2)"],
        bibtex_ids=["A2000B"],
        licence="none",
        notes=["n"],
    )
    made.write(tmp_path)
    assert Manifest.read(tmp_path) == made
    found = json.loads((tmp_path / "manifest.json").read_text("utf-8"))
    assert found["parts"]["judgments"]["sha256"] == hashlib.sha256(b"x\n").hexdigest()
    assert list(found["grades"]) == ["-1", "1"]
    assert found["tool"] == {"name": "irbridge", "version": __version__}
    assert (tmp_path / "manifest.json").read_bytes().endswith(b"}\n")


def test_a_folder_without_one_has_none(tmp_path: Path) -> None:
    assert Manifest.read(tmp_path) is None


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{}", '{"tool": {"name": "npm"}, "parts": {}, "source": {}}', '{"tool": {"name": "irbridge"}, "parts": {"judgments": {"x": 1}}, "source": {}}', "[" * 100_000, '{"tool": {"name": "irbridge"}, "parts": {}, "source": {}, "grades": {"1": 1e999}}'],
)  # fmt: skip
def test_another_programs_manifest_is_none_of_ours(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(InputError, match=r"manifest\.json: not a manifest of irbridge"):
        Manifest.read(tmp_path)
