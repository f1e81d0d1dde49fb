"""A small MCP server without the SDK, which obeys the protocol until its mode says how it misbehaves.

    python mcp_server.py MODE FOLDER

It serves the files of FOLDER/COLLECTION/PATH whole, as `COLLECTION/PATH`. A mode is what it does at the first call of a
tool, or `start-...` and `list-...` for what it does before.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

MODE, FOLDER = sys.argv[1], sys.argv[2]


def write(message: object) -> None:
    raw(json.dumps(message) + "\n")


def raw(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def text_of(uri: str) -> str:
    with open(os.path.join(FOLDER, *uri.split("/")), encoding="utf-8", newline="") as stream:
        return stream.read()


def all_uris() -> list[str]:
    found = []
    for where, _, names in os.walk(FOLDER):
        found += [os.path.relpath(os.path.join(where, name), FOLDER) for name in names]
    return sorted(found)


def tool(name: str, *properties: str, required: tuple[str, ...] = ()) -> dict[str, object]:
    schema = {"type": "object", "properties": {each: {} for each in properties}, "required": list(required)}
    return {"name": name, "description": name, "inputSchema": schema}


def listed() -> list[dict[str, object]]:
    tools = [
        tool("find", "q", "where", "n", required=("q",)),
        tool("read", "ref", "first", "count", "plain", required=("ref",)),
        tool("read_all", "refs", required=("refs",)),
    ]
    if MODE == "list-missing":
        return tools[:2]
    if MODE == "list-fields":
        tools[1] = tool("read", "ref")
    if MODE == "list-demands":
        tools[0] = tool("find", "q", "where", "n", "token", required=("q", "token"))
    if MODE == "list-twice":
        tools.append(tools[0])
    if MODE == "list-schema":
        tools[0]["inputSchema"] = {"type": "array"}
    if MODE == "list-changes":
        tools[0]["description"] = str(time.time())
    return tools


def item(uri: str, first: int = 1, count: int | None = None) -> dict[str, object]:
    lines = text_of(uri).replace("\r\n", "\n").split("\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    wanted = lines[first - 1 :] if count is None else lines[first - 1 : first - 1 + count]
    return {"at": {"uri": uri, "from": first, "to": first + len(wanted) - 1}, "body": "\n".join(wanted)}


def found(name: str, arguments: dict[str, object]) -> list[dict[str, object]]:
    if name == "find":
        where = arguments.get("where") or []
        uris = [uri for uri in all_uris() if not where or uri.split("/")[0] in where]
        return [item(uri) for uri in uris]
    if name == "read":
        return [item(str(arguments["ref"]), int(arguments.get("first", 1)), arguments.get("count"))]
    return [item(str(uri)) for uri in arguments["refs"]]


def result(name: str, arguments: dict[str, object]) -> dict[str, object]:  # noqa: C901 - a table of modes
    items = found(name, arguments)
    if MODE == "foreign":
        items.append({"at": {"uri": "cb/c.md", "from": 1, "to": 1}, "body": "# Gamma"})
    if MODE == "nowhere":
        items.append({"at": {"uri": "elsewhere/x.md"}, "body": "text of another corpus"})
    if MODE == "inexact":
        items = [{**each, "body": str(each["body"])[:-3] + "..."} for each in items]
    if MODE == "shifted":
        items = [{**each, "at": {**each["at"], "from": each["at"]["from"] + 1}} for each in items]
    if MODE == "hash":
        items = [{**each, "sha": "0" * 64} for each in items]
    if MODE == "number-uri":
        items = [{**each, "at": {"uri": 7}} for each in items]
    if MODE == "no-uri":
        items = [{"body": each["body"]} for each in items]
    if MODE == "list-items":
        items = [[]]
    if MODE == "many":
        items = [{"at": {"uri": "ca/a.md"}}] * 10_001
    plain = {"content": [{"type": "text", "text": "see structured"}], "structuredContent": {"hits": items}}
    if MODE == "no-structure":
        del plain["structuredContent"]
    if MODE == "error":
        plain = {"content": [{"type": "text", "text": "secret path"}], "isError": True}
    if MODE == "envelope":
        plain = {"content": "no list"}
    return plain


def misbehave(number: object) -> bool:  # noqa: C901, PLR0912 - a table of modes
    """Whether the answer has been given, or will never be."""
    if MODE == "hang":
        time.sleep(600)
    if MODE == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(15, 1); time.sleep(600)"])
        while True:
            time.sleep(1)
    if MODE == "die":
        os._exit(3)
    if MODE == "garbage":
        raw("Listening on port 80\n")
    if MODE == "binary":
        sys.stdout.buffer.write(b"\xff\xfe\x00\n")
        sys.stdout.buffer.flush()
    if MODE == "twice":
        raw(f'{{"jsonrpc":"2.0","id":{number},"id":{number},"result":{{}}}}\n')
    if MODE == "flood":
        while True:
            write(
                {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x" * 9_000}}
            )
    if MODE == "endless":
        while True:
            raw("x" * 65_536)
    if MODE == "huge":
        content = [{"type": "text", "text": "x" * 5_000_000}]
        write({"jsonrpc": "2.0", "id": number, "result": {"content": content}})
    if MODE == "refuses":
        write({"jsonrpc": "2.0", "id": number, "error": {"code": -32603, "message": "secret path"}})
    if MODE == "other-id":
        write({"jsonrpc": "2.0", "id": 10**6, "result": {"content": []}})
        return True
    if MODE == "deep":
        raw("[" * 100_000 + "\n")
    return MODE in {"garbage", "binary", "twice", "huge", "refuses", "deep"}


def main() -> None:
    if MODE == "start-dies":
        sys.exit(1)
    if MODE == "start-hangs":
        time.sleep(600)
    if MODE == "start-garbage":
        raw("hello\n")
    for line in sys.stdin:
        message = json.loads(line)
        number, method = message.get("id"), message["method"]
        if number is None:
            continue
        if method == "initialize":
            answer = {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "fake", "version": "1"},
            }
            write({"jsonrpc": "2.0", "id": number, "result": answer})
        elif method == "tools/list":
            if MODE == "list-hangs":
                time.sleep(600)
            page = {"tools": listed()}
            if MODE == "list-endless":
                page["nextCursor"] = "more"
            write({"jsonrpc": "2.0", "id": number, "result": page})
        elif method == "tools/call":
            if not misbehave(number):
                own = result(message["params"]["name"], message["params"].get("arguments") or {})
                write({"jsonrpc": "2.0", "id": number, "result": own})
        else:
            write({"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "no such method"}})


main()
