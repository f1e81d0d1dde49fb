"""Runs of the small fixture, for tests of what is made of a run.

With the fixture agent both adapters answer both tasks: `lexical` in two calls each (search, then read), `capsule` in one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from support.agentic_fixture import write

from irbridge.agentic.adapters import ADAPTERS
from irbridge.agentic.agents import AGENTS
from irbridge.agentic.benchmark import Benchmarked, Gate, benchmark
from irbridge.agentic.fixture import Fixture, load_fixture
from irbridge.agentic.runner.preparing import NotReady
from irbridge.agentic.runner.running import Plan


def small(folder: Path) -> Fixture:
    """The small fixture, written into a folder."""
    write(folder)
    return load_fixture(folder)


def ran(
    fixture: Fixture, adapters: Sequence[str] = ("lexical", "capsule"), gate: Gate | None = None, **plan: Any
) -> Benchmarked:
    """A run of the fixture agent."""
    return benchmark(Plan(fixture, [ADAPTERS.get(name) for name in adapters], AGENTS.get("fixture"), **plan), gate=gate)


@contextlib.contextmanager
def not_ready(*_: Any) -> Iterator[None]:
    """In place of the preparation of an adapter: it fails."""
    raise NotReady("adapter_preparation_failed", "it is not here")
    yield
