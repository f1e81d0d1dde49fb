"""What must not be in the repository, and what the repository promises about its own commands."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

# Written in pieces, so that this file does not contain what it forbids.
MACHINE_PATHS = re.compile(
    rb"(?<![\w.~-])/(?:wo" + rb"rk|ro" + rb"ot|ho" + rb"me/\w+|tm" + rb"p/(?:te\d+|venv|bash))(?:/|\b)"
)


def project_files(root: Path) -> list[Path]:
    """Every file that is, or would be, committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("this is not a git checkout")
    files = [root / name for name in listed.stdout.split("\0") if name]
    return [path for path in files if path.is_file()]


def marked_commands(readme: str) -> dict[str, str]:
    return dict(re.findall(r"^<!-- command: (\w+) -->\n```sh\n(.*?)\n```$", readme, flags=re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize(
    "text, found",
    [
        (b"see /wo" + b"rk/x", True),
        (b"'/ro" + b"ot/.cache'", True),
        (b"a/wo" + b"rk/x", False),
        (b"~/wo" + b"rk", False),
    ],
)
def test_the_pattern_knows_a_machine_path(text: bytes, found: bool) -> None:
    assert bool(MACHINE_PATHS.search(text)) is found


def test_no_path_of_somebodys_machine(root: Path) -> None:
    found = [
        f"{path.relative_to(root)}: {match.group().decode()}"
        for path in project_files(root)
        if (match := MACHINE_PATHS.search(path.read_bytes()))
    ]
    assert found == []


def test_real_collections_are_not_copied_here(root: Path, shared: Path) -> None:
    ours: dict[int, list[Path]] = {}
    for path in project_files(root):
        ours.setdefault(path.stat().st_size, []).append(path)
    copies = []
    for path in (shared / "data").rglob("*"):
        size = path.stat().st_size
        if path.is_file() and size > 200 and size in ours:
            digest = hashlib.sha256(path.read_bytes()).digest()
            copies += [ours_ for ours_ in ours[size] if hashlib.sha256(ours_.read_bytes()).digest() == digest]
    assert copies == []


def test_continuous_integration_runs_the_readme_s_commands(root: Path) -> None:
    commands = marked_commands((root / "README.md").read_text(encoding="utf-8"))
    assert set(commands) == {"demo", "test"}
    printed = subprocess.run(
        ["bash", ".ci/run", "--print"], cwd=root, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert printed == [f"$ {commands['demo']}", f"$ {commands['test']}"]
    steps = [line for line in (root / ".ci" / "run").read_text().splitlines() if not line.lstrip().startswith("#")]
    assert not [line for line in steps if re.search(r"pip install|pytest|ruff|mypy", line)], "only the README says how"


def test_the_test_command_runs_every_check_with_pytest_last(root: Path) -> None:
    assert marked_commands((root / "README.md").read_text(encoding="utf-8"))["test"].endswith("&& python tests/run.py")
    source = (root / "tests" / "run.py").read_text(encoding="utf-8")
    order = [source.index(f'"{name}": [') for name in ("lint", "format", "types", "layers", "tests")]
    assert order == sorted(order)
    unknown = subprocess.run([sys.executable, "tests/run.py", "nonsense"], cwd=root, capture_output=True, check=False)
    assert unknown.returncode == 2


def test_the_wheel_is_complete(root: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    built = subprocess.run(build, cwd=root, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("irbridge-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
        entry_points = archive.read(next(name for name in packed if name.endswith("entry_points.txt"))).decode()
    committed = {path.relative_to(root).as_posix() for path in project_files(root)}
    package = {name.removeprefix("src/") for name in committed if name.startswith("src/irbridge/")}
    spec = {f"irbridge/{name}" for name in committed if name.startswith("spec/")}
    assert spec
    assert "irbridge/py.typed" in package
    assert package | spec <= packed
    assert "irbridge = irbridge.cli.main:main" in entry_points
    extra = {name for name in packed - package - spec if ".dist-info/" not in name}
    assert extra == set()
