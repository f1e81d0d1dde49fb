"""Everything of `all_trec` against the trec_eval program on the PATH, whichever release it is, line by line.

Two numbers it does not define, and they are left out: rbp finds the highest gain by a variable that it never sets, and the
interpolated precision of a ranking of which -J leaves nothing is 0 / 0.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.trec_eval_tables import Line, compared

import irbridge

pytestmark = pytest.mark.may_skip("trec_eval is not everywhere")

OPTIONS: dict[str, dict[str, Any]] = {
    "": {},
    "-l2": {"rel": 2},
    "-J": {"judged_only": True},
    "-M 20": {"depth": 20},
    "-J -l2 -M 10": {"judged_only": True, "rel": 2, "depth": 10},
    "-c": {"missing": "zero"},
    "-c -l3 -M 7": {"missing": "zero", "rel": 3, "depth": 7},
}
FILES = (
    ("trec-eval-tests/qrels.test", "trec-eval-tests/results.test"),
    ("trec-eval-tests/qrels.rel_level", "trec-eval-tests/results.test"),
    ("trec-eval-tests/qrels.test", "trec-eval-tests/results.trunc"),
    ("web2012/qrels.web.151-200.adhoc.txt", "web2012/runs/2012-ql-cata-filtered.run"),
)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("qrels, run", FILES)
def test_all_trec_line_by_line(shared: Path, release: int, qrels: str, run: str, options: str) -> None:
    folder = shared / "data" / "trec"
    if release >= 10 and "trunc" in run and "-c" not in options:
        pytest.skip("release 10 stops at a missing query")
    command = ["trec_eval", "-q", *options.split(), "-m", "all_trec", str(folder / qrels), str(folder / run)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = [Line(*(column.strip() for column in row.split("\t"))) for row in printed.splitlines()]
    lines = [line for line in lines if line.measure not in {"runid", "relstring", "rbp"} and "nan" not in line.value]
    under = f"trec_eval-{release}"
    scores = irbridge.score(folder / qrels, folder / run, "all_trec", convention=under, **OPTIONS[options])
    count, differing = compared(scores, lines)
    assert differing == []
    assert count > 250
