"""What a screen is to a renderer: a terminal has a width, a pipe has none unless COLUMNS says one."""

from __future__ import annotations

import io

import pytest

from irbridge.cli.screen import Screen


@pytest.mark.parametrize(
    "columns, width",
    [
        (None, None), ("", None), ("0", None), ("wide", None), ("-5", None), ("120", 120), ("100", 100), ("40", 40),
        # Narrower than this nothing can be read.
        ("7", 40),
    ],
)  # fmt: skip
def test_a_pipe_is_as_wide_as_columns_says(
    monkeypatch: pytest.MonkeyPatch, columns: str | None, width: int | None
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    assert Screen().look(io.StringIO()).width == width
