from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

VAGUE = {"utils", "util", "helpers", "helper", "common", "misc", "tools"}


def lint(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", command, "--no-cache", *arguments], cwd=root, capture_output=True, text=True, check=False
    )


def test_every_import_goes_down(root: Path) -> None:
    result = lint(root)
    assert result.returncode == 0, result.stdout
    assert "0 broken" in result.stdout


@pytest.fixture(scope="module")
def skeleton(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with every module empty, which keeps all contracts."""
    copy = tmp_path_factory.mktemp("skeleton")
    for source in (root / "src" / "irbridge").rglob("*.py"):
        parts = source.relative_to(root / "src").parts
        if len(parts) <= 2 or parts[-1] == "__init__.py" or parts[1:] == ("cli", "main.py"):
            empty = copy.joinpath(*parts)
            empty.parent.mkdir(parents=True, exist_ok=True)
            empty.touch()
    (copy / "pyproject.toml").write_bytes((root / "pyproject.toml").read_bytes())
    clean = lint(copy)
    assert clean.returncode == 0, clean.stdout
    return copy


@pytest.mark.parametrize(
    "module, line",
    [
        ("errors.py", "from irbridge import formats"),
        ("formats/_upwards.py", "from irbridge.cli import main"),
        ("formats/_sideways.py", "from irbridge import measures"),
        ("formats/_front_door.py", "import irbridge"),
        ("_homeless.py", "x = 1"),
    ],
)
def test_the_contracts_can_fail(skeleton: Path, module: str, line: str) -> None:
    """import-linter objects to the skeleton with one forbidden line in it."""
    path = skeleton / "irbridge" / module
    before = path.read_bytes() if path.exists() else None
    path.write_text(line + "\n")
    try:
        assert lint(skeleton).returncode == 1
    finally:
        path.unlink() if before is None else path.write_bytes(before)


def test_a_module_is_named_for_what_it_holds(root: Path) -> None:
    named = {path.stem: path for folder in ("src", "tests") for path in (root / folder).rglob("*.py")}
    assert [str(named[stem]) for stem in sorted(VAGUE & set(named))] == []
