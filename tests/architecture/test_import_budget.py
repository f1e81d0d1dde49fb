"""Start-up time is decided by what is imported, and that can be counted where time cannot."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {
    "ir_datasets",
    "ir_measures",
    "numpy",
    "pandas",
    "polars",
    "pyarrow",
    "pytrec_eval",
    "requests",
    "rich",
    "scipy",
    "yaml",
}
# Each costs milliseconds that neither a page of help nor a small file is worth (hashlib loads OpenSSL).
SLOW = {"hashlib", "msgspec", "pathlib", "random", "tempfile", "urllib"}


def loaded_by(statement: str) -> set[str]:
    """The top-level packages in sys.modules after a fresh interpreter ran `statement`."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted({{name.split('.')[0] for name in sys.modules}})))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    found: list[str] = json.loads(result.stdout.splitlines()[-1])
    return set(found)


def test_the_probe_sees_what_is_loaded() -> None:
    assert "numpy" in loaded_by("import numpy")


@pytest.mark.parametrize("statement", ["import irbridge", "import irbridge.cli.main"])
def test_start_up_loads_nothing_heavy(statement: str) -> None:
    assert loaded_by(statement) & HEAVY == set()


def test_the_package_alone_does_not_load_click() -> None:
    assert "click" not in loaded_by("import irbridge")


@pytest.mark.parametrize("package", ["cli", "formats", "oracles", "renderers"])
def test_plug_ins_can_be_listed_without_loading_what_they_wrap(root: Path, package: str) -> None:
    folder = root / "src" / "irbridge" / package
    names = [".".join(path.relative_to(root / "src").with_suffix("").parts) for path in sorted(folder.rglob("*.py"))]
    modules = [name.removesuffix(".__init__") for name in names if not name.endswith("__main__")]
    assert modules
    assert loaded_by("\n".join(f"import {name}" for name in modules)) & HEAVY == set()


def test_help_lists_the_commands_without_loading_what_they_do() -> None:
    assert loaded_by("from irbridge.cli.main import run\nrun(['--help'])") & (HEAVY | SLOW) == set()


def test_scoring_a_small_file_loads_only_what_it_takes(tmp_path: Path) -> None:
    qrels, ranked, rows = tmp_path / "qrels", tmp_path / "run", tmp_path / "rows.jsonl"
    qrels.write_text("1 0 a 1\n")
    ranked.write_text("1 Q0 a 1 2.0 x\n")
    call = ["score", "--judgments", str(qrels), "--run", str(ranked), "-m", "nDCG@10", "--per-query", str(rows)]
    loaded = loaded_by(f"from irbridge.cli.main import run\nassert run({call!r}) == 0")
    assert "numpy" in loaded
    assert loaded & ((HEAVY - {"numpy"}) | SLOW) == set()
    assert rows.exists()


def test_scoring_a_small_file_leaves_the_parts_of_numpy_alone_that_load_late(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 x\n")
    call = ["score", "--judgments", str(tmp_path / "qrels"), "--run", str(tmp_path / "run"), "-m", "nDCG@10 AP P@5"]
    call += ["--per-query", str(tmp_path / "rows.jsonl")]
    code = f"from irbridge.cli.main import run\nassert run({call!r}) == 0\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # Each takes as long as all the rest of scoring a small file; np.unique asks numpy.ma.
    assert {"numpy.ma", "numpy.random", "numpy.fft", "numpy.polynomial"} & set(done.stdout.split()) == set()
    # Nor what plain rows of scores, and a page for the screen, have no need of.
    assert {"json", "irbridge.renderers.latex", "irbridge.subtopics"} & set(done.stdout.split()) == set()
