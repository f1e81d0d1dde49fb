"""A server's process with the SDK's client on it, usable from threads: each call with a limit on its time."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from irbridge.agentic.adapters.base import ToolFailure, Unavailable
from irbridge.agentic.mcp.pipe import Broken, Pipe
from irbridge.agentic.processes import LineProcess, ProcessFailure

T = TypeVar("T")
_PAGES = 20


def require_sdk() -> None:
    """The SDK, loaded.

    Raises:
        Unavailable: mcp_sdk_missing.
    """
    try:
        import mcp.client.client  # noqa: F401 - it is used where it is imported again
    except ImportError as error:
        message = f"the MCP SDK is not installed: {error.name or error}"
        raise Unavailable("mcp_sdk_missing", message, hint="pip install 'irbridge[mcp]'") from error


class Connection:
    """A started server.

    Args:
        command: program and arguments.
        env: its whole environment.
        cwd: the folder it works in.
        timeout: seconds until it must have answered the handshake.
        protocol: "initialize" or "auto".

    Raises:
        Unavailable: mcp_sdk_missing, mcp_start_failed, mcp_start_timeout.
    """

    def __init__(
        self, command: Sequence[str], *, env: Mapping[str, str], cwd: str, timeout: float, protocol: str = "initialize"
    ) -> None:
        require_sdk()
        try:
            self._process = LineProcess(command, cwd=cwd, env=env)
        except ProcessFailure as error:
            raise Unavailable("mcp_start_failed", error.message) from error
        self._pipe = Pipe(self._process)
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready: concurrent.futures.Future[Any] = concurrent.futures.Future()
        self._thread = threading.Thread(target=self._run, args=(protocol,), daemon=True)
        self._thread.start()
        try:
            self._client = self._ready.result(timeout)
        except concurrent.futures.TimeoutError:
            self.close()
            raise Unavailable("mcp_start_timeout", f"the server did not answer in {timeout:.3g} s") from None
        except Exception as error:
            self.close()
            said = self._pipe.broken or error
            raise Unavailable("mcp_start_failed", f"the server did not start: {said}") from error

    def _run(self, protocol: str) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve("legacy" if protocol == "initialize" else "auto"))
        except BaseException as error:  # noqa: BLE001 - told to whoever waits for it
            if not self._ready.done():
                self._ready.set_exception(error if isinstance(error, Exception) else RuntimeError(repr(error)))
        finally:
            if not self._ready.done():
                self._ready.set_exception(RuntimeError("closed"))
            self._loop.close()

    async def _serve(self, mode: str) -> None:
        from mcp.client.client import Client

        async with Client(self._pipe, mode=mode, cache=None) as client:
            self._ready.set_result(client)
            await self._stop.wait()

    def tools(self, timeout: float) -> list[dict[str, Any]]:
        """All tools it lists, as name, description and inputSchema.

        Raises:
            Unavailable: mcp_list_failed, mcp_list_timeout.
        """
        try:
            return self._done(self._listed, timeout)
        except TimeoutError:
            raise Unavailable("mcp_list_timeout", "the server did not list its tools in time") from None
        except Exception as error:
            said = self._pipe.broken or error
            raise Unavailable("mcp_list_failed", f"the server does not list its tools: {said}") from error

    async def _listed(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        cursor = None
        for _ in range(_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            for tool in page.tools:
                whole = tool.model_dump(mode="json", by_alias=True)
                found.append({name: whole.get(name) for name in ("name", "description", "inputSchema")})
            cursor = page.next_cursor
            if cursor is None:
                return found
        raise RuntimeError(f"more than {_PAGES} pages of tools")

    def call(self, tool: str, arguments: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        """The result of a call, as in the protocol: content, structuredContent, isError.

        Raises:
            ToolFailure: tool_timeout, tool_call_failed (it ended, or says so), invalid_tool_result (no result, or none
                that obeys the protocol or the tool's own output schema).
        """

        async def called() -> dict[str, Any]:
            result = await self._client.call_tool(tool, dict(arguments))
            found: dict[str, Any] = result.model_dump(mode="json", by_alias=True, exclude_none=True)
            return found

        try:
            result = self._done(called, timeout)
        except TimeoutError:
            raise ToolFailure("tool_timeout", f"no result after {timeout:g} s") from None
        except Exception as error:  # noqa: BLE001 - what the SDK raises for a hostile server is of many kinds
            self._failed(error)
        if result.get("isError"):
            raise ToolFailure("tool_call_failed", "the server says that the call failed", backend_invocations=1)
        return result

    def _failed(self, error: Exception) -> NoReturn:
        from mcp.shared.exceptions import MCPError

        broken = error if isinstance(error, Broken) else self._pipe.broken
        if broken is not None:
            raise ToolFailure(broken.code, broken.message) from error
        if isinstance(error, MCPError):
            raise ToolFailure("tool_call_failed", f"the server refused the call (code {error.code})") from error
        raise ToolFailure("invalid_tool_result", f"{type(error).__name__} instead of a result") from error

    def _done(self, work: Callable[[], Coroutine[Any, Any, T]], timeout: float) -> T:
        if self._pipe.broken is not None:
            raise self._pipe.broken
        self._pipe.allow()
        coroutine = work()
        try:
            future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        except RuntimeError as error:  # the loop has ended with its server
            coroutine.close()
            raise Broken("tool_call_failed", "the connection is closed") from error
        try:
            return future.result(timeout)
        except concurrent.futures.TimeoutError:
            future.cancel()
            raise TimeoutError from None

    def close(self) -> None:
        """End the session, the process and all that it started."""
        if not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._stop.set)
        self._process.close()
        self._thread.join(2)
