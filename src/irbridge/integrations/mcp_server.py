"""irbridge as an MCP server: search, get and multi_get over a corpus, read-only, on standard input and output.

The official SDK (extra `mcp`) speaks the protocol. Each result is structured content, and the same as JSON in a text:

    {"items": [{"uri", "startLine", "endLine", "text", "sourceHash", "spanHash"}], ...}

An item of a search without lines names a candidate only. What a call cannot do is a result with `isError` and a code.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

from irbridge._version import __version__
from irbridge.agentic.adapters import fts, lexical
from irbridge.agentic.adapters.base import ToolFailure, Unavailable
from irbridge.agentic.adapters.reading import Scope
from irbridge.agentic.canonical_json import canonical_json, fingerprint
from irbridge.agentic.records import Evidence
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.agentic.strict_json import strict_json
from irbridge.agentic.toolset import TOOLS, check_arguments
from irbridge.agentic.trajectory import ToolResult
from irbridge.errors import IrbridgeError, MissingDependency, UsageError

INSTRUCTIONS = (
    "Search the corpus, then read what was found: search answers with candidates and their best lines, get and multi_get"
    " with lines of sources. Line numbers start at 1. Nothing can be changed."
)


class Answering:
    """The tools over an open index.

    Args:
        snapshot: the corpus.
        path: its index.
    """

    def __init__(self, snapshot: CorpusSnapshot, path: str) -> None:
        self._session = lexical.Session(snapshot, path)
        self._session.scope = Scope(snapshot, snapshot.owners)

    def answer(self, tool: str, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
        """The structured result of a call, and whether it is an error."""
        problem = check_arguments(tool, arguments)
        if problem is not None:
            return {"error": "invalid_arguments", "message": problem}, True
        try:
            result = self._session.call(tool, arguments, 0).result
        except ToolFailure as error:
            return {"error": error.code, "message": error.message}, True
        if result.status == "error":
            return {"error": result.error_code, "message": f"{tool} failed: {result.error_code}"}, True
        return _structured(result), False

    def close(self) -> None:
        """Close the index."""
        self._session.close()


def _structured(result: ToolResult) -> dict[str, Any]:
    said = strict_json(result.content)
    items = [_item(each) for each in result.evidence]
    with_lines = {item["uri"] for item in items}
    items += [{"uri": uri} for uri in said.get("candidates", []) if uri not in with_lines]
    return {"items": items, **said}


def _item(each: Evidence) -> dict[str, Any]:
    return {
        "uri": each.uri,
        "startLine": each.start_line,
        "endLine": each.end_line,
        "text": each.text,
        "sourceHash": each.source_hash,
        "spanHash": each.span_hash,
    }


@contextlib.contextmanager
def index_of(snapshot: CorpusSnapshot, path: str | None = None) -> Iterator[str]:
    """The path of the corpus's index: the one kept at `path` if it is of this corpus, else one built there, or for now.

    Raises:
        UsageError: there is a file that is no such index, or none can be written.
    """
    if path is None:
        with tempfile.TemporaryDirectory(prefix="irbridge-mcp-", ignore_cleanup_errors=True) as folder:
            place = os.path.join(folder, "index")
            _build(snapshot, place)
            yield place
        return
    own = _identity(snapshot)
    if _kept(path) != own:
        if os.path.exists(path) and _kept(path) is None:
            raise UsageError(f"{path} is no index of irbridge", hint="name a file that may be written")
        draft = f"{path}.{os.getpid()}"
        try:
            _build(snapshot, draft)
            os.replace(draft, path)
        except (OSError, sqlite3.Error) as error:
            raise UsageError(f"the index cannot be written to {path}: {error}") from error
        finally:
            with contextlib.suppress(OSError):
                os.remove(draft)
    yield path


def _identity(snapshot: CorpusSnapshot) -> str:
    return fingerprint(
        {"corpus": snapshot.fingerprint, "uris": [each.uri for each in snapshot.sources], "v": fts.VERSION}
    )


def _build(snapshot: CorpusSnapshot, path: str) -> None:
    try:
        fts.build(snapshot, path)
    except Unavailable as error:
        raise UsageError(error.message) from error
    with contextlib.closing(sqlite3.connect(path)) as base, base:
        base.execute("CREATE TABLE about (identity TEXT)")
        base.execute("INSERT INTO about VALUES (?)", [_identity(snapshot)])


def _kept(path: str) -> str | None:
    """The identity of the corpus that an index is of; None where it is no index."""
    if not os.path.isfile(path):
        return None
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as base:
            return str(base.execute("SELECT identity FROM about").fetchone()[0])
    except (sqlite3.Error, TypeError):
        return None


def serve(snapshot: CorpusSnapshot, index: str | None = None) -> None:
    """Serve the corpus on standard input and output until the input ends.

    Args:
        snapshot: the corpus.
        index: a file to keep the index in; None: it is built anew and removed at the end.

    Raises:
        MissingDependency: the SDK is not installed.
        UsageError: see `index_of`.
    """
    _load_sdk()
    import anyio

    with contextlib.ExitStack() as opened:
        answering = Answering(snapshot, opened.enter_context(index_of(snapshot, index)))
        opened.callback(answering.close)
        with _ended_by_signals(opened):
            anyio.run(_run, answering)


@contextlib.contextmanager
def _ended_by_signals(opened: contextlib.ExitStack) -> Iterator[None]:
    """End at once when told to: the SDK waits for the next line of its input, which nothing can interrupt."""

    def end(number: int, frame: object) -> None:
        opened.close()
        os._exit(128 + number)

    before = {}
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(ValueError):  # not the main thread: its owner ends it
            before[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _load_sdk() -> None:
    """Import the SDK, without what a start need not wait for: plug-ins of its models, and the search for cycles."""
    import gc

    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    was = gc.isenabled()
    gc.disable()
    try:
        import mcp.server.lowlevel
        import mcp.server.stdio  # noqa: F401 - loaded here, used below
    except ImportError as error:
        if not (error.name or "").startswith("mcp") and "mcp" in sys.modules:
            raise IrbridgeError(f"the MCP SDK cannot be loaded: {error}", hint="pip install 'irbridge[mcp]'") from error
        raise MissingDependency("mcp", "mcp") from error
    finally:
        gc.freeze()
        if was:
            gc.enable()


async def _run(answering: Answering) -> None:
    import mcp_types as types
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        hints = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    description=tool.description,
                    input_schema=dict(tool.input_schema),
                    annotations=hints,
                )
                for tool in TOOLS
            ]
        )

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        found, failed = answering.answer(params.name, params.arguments or {})
        text = types.TextContent(type="text", text=canonical_json(found))
        return types.CallToolResult(content=[text], structured_content=found, is_error=failed)

    server: Server[Any] = Server(
        "irbridge",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
