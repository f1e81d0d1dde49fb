"""What the command tests share: the command in this process, and a small collection whose numbers are worked out by hand.

    judgments   q1: d1 grade 2, d2 grade 1, d3 grade 0     q2: d4 grade 1
    run         q1: d3 0.9, d1 0.8, d9 0.7                 q2: d5 0.5, d4 0.4

q1: RR 1/2, P@3 1/3, R@3 1/2, AP (1/2) / 2 = 1/4. q2: RR 1/2, P@3 1/3, R@3 1, AP 1/2.

Whatever a command prints as JSON in any of these tests is held against its schema in spec/schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from support import output_schemas

from irbridge.cli.main import run
from irbridge.cli.screen import Screen
from irbridge.renderers import RENDERERS, Look, Page

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


@pytest.fixture(autouse=True)
def printed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, str]]]:
    """(command, JSON) of every page that is shown as JSON; what no call has looked at is checked when the test ends."""
    seen: list[tuple[str, str]] = []
    show = Screen.show

    def noted(screen: Screen, page: Page) -> None:
        if screen.json:
            words = click.get_current_context().command_path.split()[1:]
            seen.append((" ".join(words), "".join(RENDERERS.get("json").render(page, Look()))))
        show(screen, page)

    monkeypatch.setattr(Screen, "show", noted)
    yield seen
    _check(seen)


def _check(seen: list[tuple[str, str]]) -> None:
    """Hold what was printed against its schema; an error in the midst of a call would become a message of the call."""
    while seen:
        output_schemas.check(*seen.pop())


@pytest.fixture
def irbridge(capsys: pytest.CaptureFixture[str], printed: list[tuple[str, str]]) -> Irbridge:
    """`irbridge(*arguments)`: exit code, standard output, standard error."""

    def call(*arguments: str) -> Result:
        capsys.readouterr()
        code = run(list(arguments))
        out, err = capsys.readouterr()
        if "--json" in arguments and code in {0, 1} and out.startswith(("{", "[")):
            assert printed, "JSON that no schema was held against"
        assert all(text in out or text in err for _, text in printed)
        _check(printed)
        return Result(code, out, err)

    return call
