"""Run every check, in the order of what they cost; stop at the first that fails.

python tests/run.py             all of them; pytest comes last, so its summary is the last thing printed
python tests/run.py lint types  the named ones
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable

CHECKS: dict[str, list[str]] = {
    "lint": [PYTHON, "-m", "ruff", "check", "."],
    "format": [PYTHON, "-m", "ruff", "format", "--check", "."],
    "types": [PYTHON, "-m", "mypy"],
    "layers": [PYTHON, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache"],
    # Benches measure time and want the machine for themselves: `python -m pytest tests/bench -s` runs them.
    "tests": [
        PYTHON,
        "-m",
        "pytest",
        "-n",
        "auto",
        "--maxprocesses",
        "4",
        "--dist",
        "loadfile",
        "--ignore=tests/bench",
    ],
}


def main(names: list[str]) -> int:
    """Run the named checks, or all; return the exit code of the first that fails, else 0."""
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        print(f"no such check: {', '.join(unknown)}; there are {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    for name in names or CHECKS:
        print(f"== {name}", flush=True)
        started = time.monotonic()
        code = subprocess.run(CHECKS[name], cwd=ROOT, check=False).returncode
        if code:
            print(f"== {name} failed after {time.monotonic() - started:.0f} s (exit {code})", file=sys.stderr)
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
