"""Evidence: lines of one version of one source, with the hashes that say which.

A source's hash is over its exact bytes. For selecting lines alone, CRLF and a lone CR count as LF and one final LF ends
the last line; the lines chosen are joined with LF, without a final one, untrimmed and not normalised.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass

from irbridge.agentic.records import Coordinate, Evidence, Provenance
from irbridge.errors import InputError, quoted

NO_BACKEND_HASHES = "the adapter does not return hashes of its own"


def sha256(text: str) -> str:
    """The lower-case hex SHA-256 of a text's UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Source:
    """One document of the corpus: its exact text (line ends as in the file) and the SHA-256 of the file's bytes."""

    uri: str
    collection: str
    path: str
    text: str
    source_hash: str


@functools.lru_cache(maxsize=4096)
def lines_of(text: str) -> tuple[str, ...]:
    """The lines of a text; an empty text has one, empty."""
    return tuple(text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n"))


def line_span(text: str, start: int, end: int) -> str:
    """Lines `start` to `end` of a text, 1-based and inclusive.

    Raises:
        InputError: no such lines.
    """
    if type(start) is not int or type(end) is not int:
        raise InputError(f"{quoted(start, 20)} to {quoted(end, 20)} are no line numbers")
    lines = lines_of(text)
    if not 1 <= start <= end <= len(lines):
        raise InputError(f"no lines {start} to {end}: the text has {len(lines)}, and a span starts before it ends")
    return "\n".join(lines[start - 1 : end])


def coordinate(
    source: Source,
    start: int,
    end: int,
    *,
    source_provenance: Provenance = "harness_observed",
    span_provenance: Provenance = "harness_observed",
) -> Coordinate:
    """The coordinate of lines of a source.

    Raises:
        InputError: no such lines.
    """
    return Coordinate(
        uri=source.uri,
        source_hash=source.source_hash,
        start_line=start,
        end_line=end,
        span_hash=sha256(line_span(source.text, start, end)),
        source_hash_provenance=source_provenance,
        span_hash_provenance=span_provenance,
    )


def evidence_of(source: Source, start: int, end: int) -> Evidence:
    """Lines of a source as a tool returns them, with hashes that the harness observed.

    Raises:
        InputError: no such lines.
    """
    text = line_span(source.text, start, end)
    return Evidence(
        uri=source.uri,
        source_hash=source.source_hash,
        start_line=start,
        end_line=end,
        span_hash=sha256(text),
        source_hash_provenance="harness_observed",
        span_hash_provenance="harness_observed",
        text=text,
        backend_source_hash=None,
        backend_span_hash=None,
        backend_hash_unavailable_reason=NO_BACKEND_HASHES,
    )


def evidence_key(of: Coordinate) -> tuple[str, str, int, int, str, str, str]:
    """What makes two coordinates the same: all seven members, provenance too."""
    return (
        of.uri,
        of.source_hash,
        of.start_line,
        of.end_line,
        of.span_hash,
        of.source_hash_provenance,
        of.span_hash_provenance,
    )
