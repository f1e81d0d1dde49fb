"""An adapter made ready, outside of every measured time: its index built in a home of its own, its tools compared."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from irbridge.agentic.adapters.base import Adapter, Prepared, Session, Unavailable
from irbridge.agentic.runner.bounded import TimedOut, bounded, code_of
from irbridge.agentic.runner.shapes import misshapen
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.agentic.toolset import TOOLS, tools_fingerprint

T = TypeVar("T")


class NotReady(Exception):
    """Setting something up failed: the code for the receipts, and what was said."""

    def __init__(self, code: str, said: object) -> None:
        super().__init__(code)
        self.code = code
        self.said = said


@dataclass(frozen=True)
class Ready:
    """A prepared adapter and the identity that every attached session must keep."""

    prepared: Prepared
    config: str
    index: str
    home: str
    took_ms: float


@contextlib.contextmanager
def prepared(
    adapter: Adapter, snapshot: CorpusSnapshot, timeout: float, settings: Mapping[str, str]
) -> Iterator[Ready]:
    """The adapter, ready to be attached; its home is removed at the end.

    Raises:
        NotReady: adapter_preparation_failed, or the code of what it lacks.
    """
    with tempfile.TemporaryDirectory(prefix="irbridge-agentic-", ignore_cleanup_errors=True) as home:
        start = time.perf_counter()
        made = within(lambda: adapter.prepare(snapshot, home, timeout, settings), timeout, "adapter_preparation")
        try:
            ready = Ready(
                made, made.config_fingerprint, made.index_fingerprint, home, 1000 * (time.perf_counter() - start)
            )
            disposed(attached(ready, timeout), timeout)  # its tools are compared before anything is measured
            yield ready
        finally:
            disposed(made, timeout)


def attached(ready: Ready, timeout: float) -> Session:
    """A fresh session of a prepared adapter, whose tools are those of the contract.

    Raises:
        NotReady: it does not start, has other tools, or is no longer what was prepared.
    """
    session = within(lambda: ready.prepared.attach(timeout), timeout, "adapter_attach")
    try:
        _hold_to(ready, session, timeout)
    except NotReady:
        disposed(session, timeout)
        raise
    return session


def _hold_to(ready: Ready, session: Session, timeout: float) -> None:
    def told() -> tuple[str, str, str]:
        made = ready.prepared
        return tools_fingerprint(session.tools()), made.config_fingerprint, made.index_fingerprint

    tools, config, index = within(told, timeout, "list_tools")
    if tools != tools_fingerprint(TOOLS):
        raise NotReady("adapter_preparation_failed", "its tools are not those of the contract")
    if (config, index) != (ready.config, ready.index):
        raise NotReady("adapter_identity_changed", "its index or configuration is not the one prepared")


def within(action: Callable[[], T], timeout: float, what: str) -> T:
    """What a step of the setup returns; `what` names it in the code of its failure.

    Raises:
        NotReady: WHAT_timeout, WHAT_failed (what it returned is not what such a step returns, too), or the code of what
            is lacking.
    """
    try:
        found = bounded(action, timeout)
        problem = bounded(lambda: misshapen(what, found), timeout)
    except Unavailable as error:
        raise NotReady(code_of(error, f"{what}_failed"), error) from error
    except TimedOut as error:
        raise NotReady(f"{what}_timeout", f"not done after {timeout:g} s") from error
    except Exception as error:
        raise NotReady(f"{what}_failed", error) from error
    if problem is not None:
        disposed(found, timeout)
        raise NotReady(f"{what}_failed", problem)
    return found


def disposed(what: Any, timeout: float) -> None:
    """Close something, as well as that can be done: a trial is over, and its end must not undo it."""
    with contextlib.suppress(Exception):
        bounded(what.close, timeout)
