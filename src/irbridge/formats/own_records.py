"""irbridge's own records of documents, queries and chunks, in a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from irbridge.formats.base import Format, Part
from irbridge.ids import fault
from irbridge.model import Chunk, Document, Query
from irbridge.reading import Reading

_TYPES: dict[Part, type] = {"documents": Document, "queries": Query, "chunks": Chunk}


def accepts(what: Any, part: Part) -> bool:
    """Whether it is a list of such records, and of nothing else."""
    wanted = _TYPES.get(part)
    return wanted is not None and isinstance(what, list | tuple) and all(isinstance(each, wanted) for each in what)


def read(what: Sequence[Any], reading: Reading) -> Iterator[Any]:
    """The records as they are.

    Raises:
        InputErrors: an id that can be none.
    """
    for number, each in enumerate(what):
        for name in each._fields[: 2 if isinstance(each, Chunk) else 1]:
            wrong = fault(getattr(each, name))
            if wrong is not None:
                reading.bad_row(f"[{number}]: {name} {wrong}", text=repr(each))
                break
        else:
            reading.rows += 1
            yield each
    reading.finish()


FORMAT = Format(
    name="own-records",
    shape="object",
    summary="lists of irbridge's own Document, Query or Chunk records",
    accepts=accepts,
    read_documents=read,
    read_queries=read,
    read_chunks=read,
)
