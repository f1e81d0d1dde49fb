"""Decimal numbers on the command line, in ASCII digits."""

from __future__ import annotations

from typing import Any

import click

from irbridge.arguments import number


class Number(click.FloatRange):
    """A decimal number between two others, which it is not; click's own type takes whatever `float` takes: 1_0, nan."""

    def __init__(self, low: float, high: float) -> None:
        super().__init__(low, high, min_open=True, max_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            given = float(number(value)) if isinstance(value, str) else value
        except (ValueError, OverflowError):
            self.fail(f"'{value}' is no number", param, ctx)
        return super().convert(given, param, ctx)
