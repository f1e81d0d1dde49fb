from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Irbridge = Callable[..., Any]


@pytest.mark.parametrize(
    "command, option, meant",
    [
        ("score", "--metrics", "-m / --measures"),
        ("score", "--metric", "-m / --measures"),
        ("crosscheck", "--measure", "-m / --measures"),
        ("score", "--cutoffs", "-k / --k"),
        ("score", "--qrel", "--judgments / --qrels"),
        ("explain", "--results", "--run"),
        ("crosscheck", "--engine", "--oracle"),
        # A slip of the keys.
        ("score", "--judgements", "--judgments / --qrels"),
        ("score", "--convetion", "--convention"),
    ],
)
def test_an_option_by_another_name(irbridge: Irbridge, command: str, option: str, meant: str) -> None:
    done = irbridge(command, option, "x")
    assert done.code == 2
    assert done.err.splitlines() == [
        f"error  no such option '{option}'; did you mean {meant}?",
        f"       try  irbridge {command} --help",
    ]


@pytest.mark.parametrize("command, option", [("explain", "--metrics"), ("score", "--xyzzy"), ("score", "-Z")])
def test_an_option_that_is_like_none(irbridge: Irbridge, command: str, option: str) -> None:
    done = irbridge(command, option, "x")
    assert done.code == 2
    assert done.err.splitlines()[0] == f"error  no such option '{option}'"
