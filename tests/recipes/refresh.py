"""Write into the README and the recipes what their commands print now: `python tests/recipes/refresh.py PAGE...`

For a change of the screens. Read the difference before you commit it: what it shows is what people will trust.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.console import Page, runs  # noqa: E402 - the path comes first


def refreshed(path: Path, environment: dict[str, str]) -> str:
    """The page with the output of every console block, and of every script that prints, as it is now."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for script in (ROOT / "recipes").glob("*.py"):
            shutil.copy(script, folder)
        page = Page(path, folder, environment)
        printed = {run.line: page.carried_out(run)[1] for run in runs(path)}
    found = iter(runs(path))

    def block(match: re.Match[str]) -> str:
        if match[1] == "python":
            shown = printed[next(found).line]
            text = f"\n\n```text\n{shown}```" if shown else ""
            return f"```python\n{match[2]}```{text}"
        lines = []
        for line in match[2].splitlines():
            if line.startswith("$ "):
                lines.append(line)
                lines += printed[next(found).line].splitlines()
            elif line.startswith("> "):
                lines.insert(len(lines), line)
        return "```console\n" + "".join(f"{line.rstrip()}\n" for line in lines) + "```"

    whole = re.compile(r"^```(console|python)\n(.*?)^```(?:\n\n```text\n.*?^```)?", re.MULTILINE | re.DOTALL)
    return whole.sub(block, path.read_text(encoding="utf-8"))


def main() -> None:
    import os

    for name in sys.argv[1:]:
        path = Path(name)
        home = os.environ.get("IR_DATASETS_HOME")
        path.write_text(refreshed(path, {"IR_DATASETS_HOME": home} if home else {}), encoding="utf-8")


if __name__ == "__main__":
    main()
