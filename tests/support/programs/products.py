"""What qmd and GNO answer over MCP, from the files of their collections: run as `bun` would run them.

    products.py ENTRYPOINT [OPTION...] COMMAND

The collections are those of the configuration that the adapter wrote; an index is the file INDEX_PATH names.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys

QMD = sys.argv[1].endswith("qmd")
COMMAND = sys.argv[-1]
HOME = os.environ["HOME"]


def configuration() -> dict[str, object]:
    folder = os.environ["QMD_CONFIG_DIR"] if QMD else os.environ["GNO_CONFIG_DIR"]
    with open(os.path.join(folder, "index.yml"), encoding="utf-8") as stream:
        return json.load(stream)


def folders() -> dict[str, str]:
    found = configuration()["collections"]
    if QMD:
        return {name: value["path"] for name, value in found.items()}
    return {each["name"]: each["path"] for each in found}


def texts(names: list[str]) -> dict[str, str]:
    found = {}
    for name, folder in folders().items():
        for where, _, files in os.walk(folder):
            for file in files:
                place = os.path.join(where, file)
                with open(place, encoding="utf-8", newline="") as stream:
                    if not names or name in names:
                        found[f"{name}/{os.path.relpath(place, folder)}"] = stream.read()
    return dict(sorted(found.items()))


def numbered(text: str, start: int = 1) -> str:
    return "\n".join(f"{start + at}: {line}" for at, line in enumerate(text.split("\n")))


def qmd(name: str, given: dict[str, object]) -> dict[str, object]:
    if name == "query":
        hits = []
        for path, text in texts(given["collections"]).items():
            lines = text.split("\n")[:4]
            snippet = f"@@ -1,{len(lines)} @@ (0 before, 9 after)\n" + "\n".join(lines)
            hits.append({"file": path, "line": 1, "snippet": numbered(snippet), "score": 0.5})
        return {"content": [{"type": "text", "text": "found"}], "structuredContent": {"results": hits}}
    assert given["lineNumbers"] is False
    paths = str(given["file"] if name == "get" else given["pattern"]).split(",")
    blocks = []
    for path in paths:
        lines = texts([])[path].split("\n")
        first = int(given.get("fromLine", 1))
        most = int(given.get("maxLines", len(lines)))
        text = "\n".join(lines[first - 1 : first - 1 + most])
        blocks.append(
            {"type": "resource", "resource": {"uri": f"qmd://{path}", "mimeType": "text/markdown", "text": text}}
        )
    return {"content": blocks}


def gno(name: str, given: dict[str, object]) -> dict[str, object]:
    def document(path: str) -> dict[str, object]:
        text = texts([])[path]
        sha = hashlib.sha256(text.encode()).hexdigest()
        return {"uri": f"gno://{path}?index=agentic", "content": text, "source": {"sourceHash": sha}}

    if name == "gno_query":
        hits = []
        for path in texts([given["collection"]]):
            each = document(path)
            snippet = str(each.pop("content")).split("\n")[2]
            hits.append({**each, "snippet": snippet, "snippetRange": {"startLine": 3, "endLine": 3}})
        return {"content": [], "structuredContent": {"results": hits, "meta": {}}}
    assert given["lineNumbers"] is False
    if name == "gno_get":
        found = document(str(given["ref"]).removeprefix("gno://"))
        first, count = int(given.get("fromLine", 1)), given.get("lineCount")
        if count is not None:
            found["content"] = "\n".join(str(found["content"]).split("\n")[first - 1 : first - 1 + int(count)])
            found["returnedLines"] = {"start": first, "end": first + int(count) - 1}
        return {"content": [], "structuredContent": found}
    found_all = [document(str(ref).removeprefix("gno://")) for ref in given["refs"]]
    return {"content": [], "structuredContent": {"documents": found_all, "skipped": []}}


def tools() -> list[dict[str, object]]:
    fields = (
        {
            "query": ("query", "collections", "limit", "minScore", "intent", "rerank"),
            "get": ("file", "fromLine", "maxLines", "lineNumbers"),
            "multi_get": ("pattern", "maxBytes", "lineNumbers"),
            "status": (),
        }
        if QMD
        else {
            "gno_query": (
                "query", "collection", "limit", "minScore", "lang", "intent", "exclude", "since", "until", "author",
                "fast", "rerank", "tagsAll", "tagsAny",
            ),
            "gno_get": ("ref", "fromLine", "lineCount", "lineNumbers"),
            "gno_multi_get": ("refs", "maxBytes", "lineNumbers"),
        }
    )  # fmt: skip
    return [
        {
            "name": name,
            "description": name,
            "inputSchema": {"type": "object", "properties": {each: {} for each in names}},
        }
        for name, names in fields.items()
    ]


def serve() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        method, given = message["method"], message.get("params") or {}
        if "id" not in message:
            continue
        if method == "initialize":
            result: object = {
                "protocolVersion": given["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "product", "version": "1"},
            }
        elif method == "tools/list":
            result = {"tools": tools()}
        else:
            result = (qmd if QMD else gno)(given["name"], given["arguments"])
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


if COMMAND == "mcp":
    serve()
elif QMD:
    with open(os.environ["INDEX_PATH"], "a", encoding="utf-8") as index:
        index.write(COMMAND + "\n")
else:
    with open(os.path.join(os.environ["GNO_DATA_DIR"], "index"), "a", encoding="utf-8") as index:
        index.write(COMMAND + "\n")
