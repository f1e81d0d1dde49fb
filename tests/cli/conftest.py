"""What the command tests share: the command in this process, and a small collection whose numbers are worked out by hand.

    judgments   q1: d1 grade 2, d2 grade 1, d3 grade 0     q2: d4 grade 1
    run         q1: d3 0.9, d1 0.8, d9 0.7                 q2: d5 0.5, d4 0.4

q1: RR 1/2, P@3 1/3, R@3 1/2, AP (1/2) / 2 = 1/4. q2: RR 1/2, P@3 1/3, R@3 1, AP 1/2.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from irbridge.cli.main import run

QRELS = "q1 0 d1 2\nq1 0 d2 1\nq1 0 d3 0\nq2 0 d4 1\n"
RUN = "q1 Q0 d3 1 0.9 t\nq1 Q0 d1 2 0.8 t\nq1 Q0 d9 3 0.7 t\nq2 Q0 d5 1 0.5 t\nq2 Q0 d4 2 0.4 t\n"


class Result(NamedTuple):
    """What a call of the command gave."""

    code: int
    out: str
    err: str


Irbridge = Callable[..., Result]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the small collection, so that tests and messages name files without a path."""
    (tmp_path / "a.qrels").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")


@pytest.fixture
def irbridge(capsys: pytest.CaptureFixture[str]) -> Irbridge:
    """`irbridge(*arguments)`: exit code, standard output, standard error."""

    def call(*arguments: str) -> Result:
        capsys.readouterr()
        code = run(list(arguments))
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return call
