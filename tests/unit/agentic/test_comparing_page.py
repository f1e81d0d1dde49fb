"""The screen of a comparison: no heading without a figure below it, and names that tell the two apart."""

from __future__ import annotations

import pytest

from irbridge.agentic.comparing import Change, Compared
from irbridge.agentic.comparing_page import compare_page
from irbridge.renderers import Look
from irbridge.renderers.text import RENDERER


def screen(low: float | None = None, adapters: tuple[str, str] = ("a", "a"), agents: tuple[str, str] = ("x", "x")) -> str:  # fmt: skip
    changes = [
        Change("success", 0.5, 0.5, None, None),
        Change("agent_calls", 2, 1, low, None if low is None else -0.5),
        Change("model_visible_bytes", 100, 100, None, None),
    ]
    page = compare_page([Compared(adapters, agents, 4, 2, 0, 0, changes, [], [])])
    return "".join(RENDERER.render(page, Look(width=80)))


def test_intervals_have_a_heading_where_there_is_one_and_no_heading_where_there_is_none() -> None:
    assert "95%" not in screen()
    assert "interval" not in screen()
    drawn = screen(low=-1.5)
    assert "95% interval" in drawn
    # The others have none, which a dash says.
    assert [line.split()[-3:-1] for line in drawn.splitlines() if line.split()[:1] == ["success"]] == [["-", "-"]]


@pytest.mark.parametrize(
    "adapters, agents, heads, said",
    [
        (("a", "a"), ("x", "x"), "first second change", "adapter a"),
        (("a", "b"), ("x", "x"), "a b change", None),
        (("a", "a"), ("x", "y"), "x y change", "adapter a"),
        (("a", "b"), ("x", "y"), "a, x b, y change", None),
    ],
)
def test_the_columns_are_called_by_what_differs(
    adapters: tuple[str, str], agents: tuple[str, str], heads: str, said: str | None
) -> None:
    shown = screen(adapters=adapters, agents=agents)
    assert " ".join(shown.splitlines()[0].split()) == f"mean {heads}"
    assert ("adapter" in shown) == (said is not None)
    assert said is None or said in shown
