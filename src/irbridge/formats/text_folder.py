"""A folder of Markdown and text files: each file is a document, called by its path in the folder.

Links are left out: one that stays inside would give a text twice, one that leaves is none of the folder's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from irbridge.errors import InputError
from irbridge.formats.base import Format, Head
from irbridge.ids import fault
from irbridge.model import Document
from irbridge.reading import Reading
from irbridge.source import Source
from irbridge.textio import decode, has_bom, whole

ENDINGS = (".md", ".markdown", ".txt", ".rst")
_TEXTS = "texts end in .md, .markdown, .txt or .rst"
#: Sniffing looks into so many folders for a first file, and no further.
_LOOKED_INTO = 1000


class Listing(NamedTuple):
    """The files below a folder.

    Attributes:
        paths: of the files that are wanted, relative, with `/`, in the order of their code points.
        hidden: hidden files that would be wanted, and hidden folders, neither of which is looked into.
        links: links, not followed.
        others: files with other endings.
    """

    paths: list[str]
    hidden: int
    links: int
    others: int


def files_below(folder: str, endings: tuple[str, ...] = ENDINGS) -> Listing:
    """The files below `folder` whose names end in one of `endings`, in whatever case.

    Raises:
        InputError: the folder, or one in it, cannot be read.
    """
    paths: list[str] = []
    hidden = links = others = 0
    for where, folders, names in os.walk(folder, onerror=_unreadable):
        texts = [name for name in names if name.lower().endswith(endings)]
        others += sum(not name.startswith(".") for name in names) - sum(not name.startswith(".") for name in texts)
        seen = [name for name in (*folders, *texts) if not name.startswith(".")]
        hidden += len(folders) + len(texts) - len(seen)
        for name in seen:
            place = os.path.join(where, name)
            if os.path.islink(place):
                links += 1
            elif os.path.isfile(place):
                paths.append(os.path.relpath(place, folder).replace(os.sep, "/"))
        folders[:] = (name for name in folders if not name.startswith("."))
    return Listing(sorted(paths), hidden, links, others)


def _unreadable(error: OSError) -> None:
    raise InputError(f"cannot be read: {error.strerror}", path=error.filename) from error


def _read_documents(folder: Source, reading: Reading) -> Iterator[Document]:
    found = files_below(folder.path)
    if not found.paths:
        raise folder.error("holds no text", hint=_TEXTS)
    _note(found, reading)
    for path in found.paths:
        source = Source(os.path.join(folder.path, *path.split("/")))
        source.watch = folder.watch
        try:
            text = _text(source, path, reading)
        except InputError as error:
            reading.label = source.label
            reading.bad_row(error.message, line=error.line, text=error.text, hint=error.hint)
            reading.label = folder.label
            continue
        reading.rows += 1
        yield Document(path, text)
    reading.finish()


def _text(source: Source, path: str, reading: Reading) -> str:
    wrong = fault(path)
    if wrong:
        raise source.error(f"its name {wrong}", hint="rename it")
    if has_bom(source):
        reading.note("boms", "{n} {file begins|files begin} with a byte order mark, which was dropped")
    return decode(whole(source), source, 1)


def _note(found: Listing, reading: Reading) -> None:
    for code, count, text in (
        ("hidden", found.hidden, "{n} hidden {file or folder was|files and folders were} left out"),
        ("links", found.links, "{n} {link was|links were} left out"),
        ("others", found.others, f"{{n}} other {{file was|files were}} left out: {_TEXTS}"),
    ):
        if count:
            reading.note(code, text, count=count)


def _sniff(head: Head) -> int:
    """Little: any other layout that claims the folder has it."""
    if not head.is_dir:
        return 0
    walked = islice(os.walk(head.path), _LOOKED_INTO)
    for _, folders, names in walked:
        folders[:] = (name for name in folders if not name.startswith("."))
        if any(name.lower().endswith(ENDINGS) and not name.startswith(".") for name in names):
            return 5
    return 0


FORMAT = Format(
    name="text-folder",
    shape="folder",
    summary="folder of Markdown and text files (.md .markdown .txt .rst), each a document",
    sniff=_sniff,
    read_documents=_read_documents,
    endings=ENDINGS,
)
