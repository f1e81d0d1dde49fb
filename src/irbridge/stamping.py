"""Identity for chunks that somebody else's chunker made: `chunk_id` and `text_sha` for rows that have none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irbridge.errors import InputError, shown
from irbridge.formats.chunk_rows import MEMBERS, Refused, chunk
from irbridge.formats.jsonlines import decoder, records
from irbridge.identity import chunk_id, text_sha
from irbridge.model import NO_FIELDS, Chunk
from irbridge.reading import Reading
from irbridge.source import Source

_UNNAMED = "c1:" + "0" * 32
_OWN = frozenset(MEMBERS)


def stamped(source: Source, reading: Reading, chunker: str, revision: str | None = None) -> Iterator[Chunk]:
    """The chunks of a file of JSON Lines with `doc_uri` and `text`, named by what they hold.

    Args:
        source: rows; `doc_revision` and `ordinal` are taken from them where they stand there.
        reading: gets the rows that cannot be used.
        chunker: the chunker's fingerprint, part of each name.
        revision: the revision of documents whose rows do not say it.

    Yields:
        Chunks in file order; without an `ordinal` a document's rows are numbered 0, 1, 2, ...

    Raises:
        InputErrors: rows that are no chunk, or lack a text or a revision.
    """
    decode = decoder()
    following: dict[str, int] = {}
    for line in records(source, reading):
        value = decode(line)
        try:
            if isinstance(value, str):
                raise Refused(f"invalid JSON, {value}")  # noqa: TRY301 - told with the line below, like the others
            found = named(value, chunker, revision, following)
        except Refused as refused:
            reading.bad_row(
                str(refused),
                line=reading.line,
                text=line,
                hint="each line has doc_uri, text, doc_revision; --revision V is that of rows that name none",
            )
            continue
        except InputError as error:
            reading.bad_row(error.message, line=reading.line, text=line, hint=error.hint)
            continue
        reading.rows += 1
        yield found
    reading.finish()


def named(value: dict[str, Any], chunker: str, revision: str | None, following: dict[str, int]) -> Chunk:
    """One row as a chunk, named by what it holds.

    Args:
        value: its members.
        chunker: the chunker's fingerprint.
        revision: the revision of its document where it does not say it.
        following: by document the ordinal that comes next, for rows without one; kept up.

    Raises:
        Refused: a member is missing or of the wrong kind, or says something else than what is computed.
        InputError: the text holds a lone surrogate.
    """
    found = _row(value, revision, following)
    text = found.text or ""
    name = chunk_id(found.doc_uri, found.doc_revision or "", found.ordinal or 0, text, chunker)
    return found._replace(chunk_id=name, text_sha=text_sha(text))


def _row(value: dict[str, Any], revision: str | None, following: dict[str, int]) -> Chunk:
    """The chunk of a row, its name still open.

    Raises:
        Refused: a member is missing or of the wrong kind, or says something else than what is computed.
    """
    given = value.get("text_sha")
    found = chunk({**value, "chunk_id": _UNNAMED})
    if found.text is None:
        raise Refused("missing text")
    if given is not None and given != text_sha(found.text):
        raise Refused(f"text_sha is {shown(str(given), 40)}, which is not that of the text")
    ordinal = following.get(found.doc_uri, 0) if found.ordinal is None else found.ordinal
    following[found.doc_uri] = ordinal + 1
    own_revision = found.doc_revision if found.doc_revision is not None else revision
    if own_revision is None:
        raise Refused("missing doc_revision")
    extra = {name: member for name, member in value.items() if name not in _OWN}
    return found._replace(ordinal=ordinal, doc_revision=own_revision, extra=extra or NO_FIELDS)
