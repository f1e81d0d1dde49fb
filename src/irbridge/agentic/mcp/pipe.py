"""The pipes of a server's process as a transport of the SDK, with limits that the SDK's own has not.

A line that is no JSON-RPC message, a line of more than 4 MB, or more than 16 MB or 10,000 messages for one request end
the connection; `broken` says why. Nothing is logged, and the process is not waited for here.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any

from irbridge.agentic.processes import LineProcess, ProcessFailure
from irbridge.agentic.strict_json import strict_json
from irbridge.errors import InputError

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

_BYTES = 16 << 20
_MESSAGES = 10_000


class Broken(Exception):
    """The connection cannot be used any more; `code` is one of the contract's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Pipe:
    """An async context manager that yields the two streams of a session."""

    def __init__(self, process: LineProcess) -> None:
        self.broken: Broken | None = None
        self._process = process
        self._left = [_BYTES, _MESSAGES]
        self._incoming: Any = None
        self._streams: tuple[Any, ...] = ()
        self._writer: asyncio.Task[None] | None = None

    def allow(self) -> None:
        """A new request: what the server may send begins anew."""
        self._left = [_BYTES, _MESSAGES]

    async def __aenter__(self) -> TransportStreams:
        import anyio

        self._incoming, incoming = anyio.create_memory_object_stream[Any](math.inf)
        outgoing, sent = anyio.create_memory_object_stream[Any](math.inf)
        self._streams = (self._incoming, incoming, outgoing, sent)
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), daemon=True).start()
        self._writer = loop.create_task(self._write(sent))
        return incoming, outgoing

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is not None:
            self._writer.cancel()
            await asyncio.wait([self._writer], timeout=1)
        for stream in self._streams:
            stream.close()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """In a thread of its own: a line waits in the process's queue until the loop has taken the one before it."""
        while self.broken is None:
            try:
                message = self._message(self._process.receive_line(None))
            except Broken as broken:
                self.broken = broken
                break
            except ProcessFailure as failure:
                code = "invalid_tool_result" if failure.code == "line_too_long" else "tool_call_failed"
                self.broken = Broken(code, failure.message)
                break
            if message is not None and not _handed_over(loop, self._incoming.send_nowait, message):
                return
        _handed_over(loop, self._incoming.close)

    def _message(self, line: bytes) -> Any:
        """The message of a line; None for a blank one."""
        from mcp.shared.message import SessionMessage
        from mcp_types import jsonrpc_message_adapter

        if not line.strip():
            return None
        self._left = [self._left[0] - len(line), self._left[1] - 1]
        if min(self._left) < 0:
            raise Broken("invalid_tool_result", "the server sends more than anybody asked for")
        try:
            return SessionMessage(jsonrpc_message_adapter.validate_python(strict_json(line), by_name=False))
        except (InputError, ValueError, RecursionError):
            raise Broken("invalid_tool_result", "the server wrote a line that is no message to its output") from None

    async def _write(self, sent: Any) -> None:
        async for item in sent:
            line = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
            try:
                await asyncio.to_thread(self._process.send_line, line)
            except ProcessFailure as failure:
                self.broken = self.broken or Broken("tool_call_failed", failure.message)
                self._incoming.close()
                return


def _handed_over(loop: asyncio.AbstractEventLoop, action: Any, *arguments: Any) -> bool:
    """Whether the loop did it, and took no longer than it lives."""
    done = threading.Event()

    def act() -> None:
        with contextlib.suppress(Exception):  # the session is gone: there is nobody to tell
            action(*arguments)
        done.set()

    try:
        loop.call_soon_threadsafe(act)
    except RuntimeError:
        return False
    while not done.wait(0.5):
        if loop.is_closed():
            return False
    return True
