"""A progress bar for what takes a while: on a terminal only, and only after it has taken one."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

#: Seconds before a bar appears. Most inputs are read by then, and the screen stays calm (and rich unloaded).
PATIENCE = 0.7

Unit = Literal["bytes", "rows"]


class Bar:
    """A bar that appears once the work has taken a while.

    Args:
        label: what is read.
        total: how much of it there is, or None where that is unknown (a pipe, a compressed file).
        unit: what is counted.
        color: whether it has colours.
    """

    _on_screen: ClassVar[Bar | None] = None

    def __init__(self, label: str, total: int | None = None, unit: Unit = "bytes", *, color: bool = True) -> None:
        self._color = color
        self._label = label
        self._total = total
        self._unit = unit
        self._begun = time.monotonic()
        self._done = 0
        self._bar: tuple[Progress, TaskID] | None = None

    def advance(self, size: int) -> None:
        """Count `size` more."""
        self.reach(self._label, self._done + size)

    def reach(self, label: str, done: int) -> None:
        """Show that `done` is done of what is called `label` now."""
        self._done = done
        if self._bar is None:
            if time.monotonic() - self._begun < PATIENCE:
                return
            if Bar._on_screen is not None:
                Bar._on_screen.stop()  # the judgments have been read, now it is the run's turn
            self._bar = self._started()
            Bar._on_screen = self
        progress, task = self._bar
        progress.update(task, completed=done, description=label)
        if self._total is not None and done >= self._total:
            self.stop()

    def stop(self) -> None:
        """Take the bar off the screen; the cursor comes back."""
        if self._bar is not None:
            self._bar[0].stop()

    def _started(self) -> tuple[Progress, TaskID]:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

        done = DownloadColumn() if self._unit == "bytes" else TextColumn("{task.completed:,} rows")
        progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            done,
            TimeElapsedColumn(),
            console=Console(stderr=True, no_color=not self._color),
            transient=True,
        )
        task = progress.add_task(self._label, total=self._total)
        progress.start()
        return progress, task
