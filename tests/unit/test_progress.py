from __future__ import annotations

import pytest

from irbridge.cli import progress
from irbridge.cli.screen import Screen


class Watched:
    """Stands for rich's bar: keeps what it is told."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, int]] = []
        self.stopped = 0

    def update(self, task: int, *, completed: int, description: str) -> None:
        self.seen.append((description, completed))

    def stop(self) -> None:
        self.stopped += 1


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def rich_bar(monkeypatch: pytest.MonkeyPatch) -> Watched:
    watched = Watched()
    monkeypatch.setattr(progress.Bar, "_on_screen", None)
    monkeypatch.setattr(progress.Bar, "_started", lambda self: (watched, 0))
    return watched


def test_short_work_shows_no_bar(clock: list[float], rich_bar: Watched) -> None:
    bar = progress.Bar("a.run", 100)
    clock[0] += progress.PATIENCE / 2
    bar.advance(100)
    bar.stop()
    assert rich_bar.seen == []


def test_long_work_shows_all_that_is_done(clock: list[float], rich_bar: Watched) -> None:
    bar = progress.Bar("a.run", 100)
    bar.advance(40)
    clock[0] += progress.PATIENCE * 2
    bar.advance(40)
    assert rich_bar.seen == [("a.run", 80)]
    bar.advance(20)
    assert rich_bar.stopped == 1


def test_rows_have_a_label_of_their_own(clock: list[float], rich_bar: Watched) -> None:
    bar = progress.Bar("irds:x", unit="rows")
    clock[0] += progress.PATIENCE * 2
    bar.reach("queries", 7)
    assert rich_bar.seen == [("queries", 7)]


def test_a_result_takes_the_bar_off_the_screen(
    clock: list[float], rich_bar: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    screen = Screen()
    bar = screen.bar("a.run")
    assert bar is not None
    clock[0] += progress.PATIENCE * 2
    bar.advance(1)
    screen.complain("error", ["x"])
    assert rich_bar.stopped == 1


def test_one_bar_at_a_time(clock: list[float], rich_bar: Watched) -> None:
    first, second = progress.Bar("a.qrels"), progress.Bar("a.run")
    clock[0] += progress.PATIENCE * 2
    first.advance(1)
    second.advance(1)
    assert rich_bar.stopped == 1
    assert rich_bar.seen == [("a.qrels", 1), ("a.run", 1)]


def test_nobody_watching_means_no_bar() -> None:
    assert Screen().bar("a.run") is None
