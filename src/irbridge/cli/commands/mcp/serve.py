"""`irbridge mcp serve`: search, get and multi_get over a corpus, for any MCP client."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from irbridge.cli.command import command, option
from irbridge.cli.options import INPUTS
from irbridge.errors import UsageError

if TYPE_CHECKING:
    from irbridge.agentic.snapshot import CorpusSnapshot


@command(
    "serve",
    short_help="Serve a corpus on standard input and output.",
    arguments=(("JUDGMENTS", "A collection: a BEIR folder, irds:ID, or judgments that carry their texts."),),
    examples=(
        "irbridge mcp serve my-collection/",
        "irbridge mcp serve --corpus notes/",
        "irbridge mcp serve judged.jsonl --corpus corpus.jsonl --index notes.index",
    ),
)
@click.argument("judgments", required=False)
@option("--corpus", metavar="C", section=INPUTS, help="The documents: a BEIR folder, a corpus file, irds:ID, a folder of Markdown. With JUDGMENTS only those that are judged.")  # fmt: skip
@option("--fixture", metavar="FOLDER", section=INPUTS, help="A corpus as the files FOLDER/COLLECTION/PATH.")
@option("--index", metavar="FILE", help="Keep the index in this file, and use it again while the corpus is the same.")
@option("--uri-scheme", metavar="NAME", default="corpus", help="The scheme of the URIs. Default: corpus.")
def serve(*, judgments: str | None, corpus: str | None, fixture: str | None, index: str | None, uri_scheme: str) -> int:
    """Serve a corpus over the Model Context Protocol, read-only, until the input ends.

    The tools are search, get and multi_get; each line that they return has its URI, its number and its SHA-256. Needs the
    extra mcp.
    """
    from irbridge.integrations import mcp_server

    mcp_server.serve(_snapshot(judgments, corpus, fixture, uri_scheme), index)
    return 0


def _snapshot(judgments: str | None, corpus: str | None, fixture: str | None, scheme: str) -> CorpusSnapshot:
    import re

    from irbridge.integrations import mcp_corpus

    if re.fullmatch(r"[a-z][a-z0-9+.-]*", scheme) is None:
        raise UsageError(f"'{scheme}' is no scheme of a URI", hint="small letters and digits, such as corpus")
    if "-" in {judgments, corpus}:
        raise UsageError("standard input is the client's", hint="save the corpus to a file")
    if fixture is not None:
        if judgments is not None or corpus is not None:
            raise UsageError("--fixture is a corpus by itself", hint="leave the others out")
        return mcp_corpus.of_fixture(fixture, scheme)
    if corpus is not None:
        only = None if judgments is None else mcp_corpus.judged_ids(judgments)
        return mcp_corpus.of_corpus(corpus, only=only, scheme=scheme)
    if judgments is None:
        raise UsageError("nothing to serve", hint="name a collection, or --corpus FOLDER")
    return mcp_corpus.of_judgments(judgments, scheme)


COMMAND = serve
