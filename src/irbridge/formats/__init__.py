"""Formats: one file each, found by the registry. `identify` names the format of an input, sniffed or prefixed.

An input is a path, `-`, an id such as `irds:cranfield`, or an object in memory (a dict, a DataFrame, an iterable of
records). A prefix names the format where sniffing cannot: `trec-run:results.txt`.
"""

from __future__ import annotations

import os
from typing import Any, get_args

from irbridge.errors import InputError, PluginError, UnknownName, UsageError, shown
from irbridge.formats.base import Collection, Format, Head, Part, Shape, says_nothing
from irbridge.reading import Reading
from irbridge.registry import Registry, nearest, one_of
from irbridge.source import Source
from irbridge.textio import has_bom

FORMATS: Registry[Format] = Registry("format", "irbridge.formats", "FORMAT", Format, "irbridge.formats")

# Sure means that no other format may claim the input too; a contract test holds all formats to that.
_SURE = 90
_USUAL = ("trec_qrels", "trec_run", "judgments", "run_jsonl")
_RECORD = {"judgments": "label", "run": "ranking"}
_USUAL_OF_CHUNKS = ("corpus_jsonl", "corpus")

#: The way out of a file of judgments that holds none.
WITHOUT_LABELS = "a file without labels is no result; check what should have written it"

__all__ = ["FORMATS", "WITHOUT_LABELS", "Collection", "Format", "Head", "Part", "identify", "named_path"]


def identify(what: Any, part: Part, reading: Reading | None = None, *, name: str | None = None) -> tuple[Format, Any]:
    """The format of `what` and what its readers take: a `Source`, an id, or the object itself.

    Args:
        what: a path, `-`, `PREFIX:path`, an id, a `Source`, or an object in memory.
        part: what is wanted of it; formats that have no such part are not considered.
        reading: gets the label, and a note if a byte order mark was dropped.
        name: the format's name, instead of sniffing.

    Raises:
        UnknownName: `name` is no format.
        UsageError: the format has no such part.
        InputError: the input is not there, is binary, or no format recognises it.
    """
    reading = reading or Reading()
    one_of("part of an input", part, get_args(Part))
    if isinstance(what, Source):
        found = _of_path(what.path, part, reading, name, what)
    elif isinstance(what, str | os.PathLike):
        text, name = named_path(what, name)
        found = _of_path(text, part, reading, name, Source(text))
    else:
        found = _of_object(what, part, reading, name)
    entry = found[0]
    if entry.reader(part) is None:
        raise UsageError(
            f"{shown(reading.label, 200)} is {entry.name}, which holds no {part}",
            hint=_together(reading.label, part) or f"formats that hold {part}: {', '.join(_with(part))}",
        )
    return found


def named_path(what: Any, name: str | None = None) -> tuple[str, str | None]:
    """The path or id that `what` is, text or path-like, and the name of its format: that in front of it, else `name`.

    Raises:
        UnknownName: what stands in front of the name of a file is no format.
        UsageError: the path is empty.
    """
    text = os.fspath(what)
    if isinstance(text, bytes):
        text = os.fsdecode(text)
    if ":" in text and not os.path.exists(text):
        prefix, rest = text.split(":", 1)
        named = FORMATS.find(prefix)
        if named is not None and name in {None, named.name, *named.aliases}:
            name, text = named.name, rest
        elif os.path.exists(rest):
            raise UnknownName("format", prefix, nearest(prefix, FORMATS.names()), hint="irbridge formats lists them")
    if not text:
        raise UsageError("an empty path names no input")
    return text, name


def _with(part: Part, *shapes: Shape) -> list[str]:
    """The formats of those shapes, or of all paths and ids, that have the part."""
    wanted = shapes or ("file", "folder", "id")
    return [entry.name for entry in FORMATS if entry.reader(part) is not None and entry.shape in wanted]


def _together(file: str, part: Part) -> str | None:
    """The way out for a file that has a format only together with those beside it, or None."""
    for entry in FORMATS:
        if entry.reader(part) is not None and file.lower().endswith(entry.endings):
            return f"name the folder that it lies in: a folder of {' '.join(entry.endings)} files is {entry.name}"
    return None


def _certainty(entry: Format, head: Head) -> int:
    found: object = 0 if entry.sniff is None else entry.sniff(head)
    if isinstance(found, int):
        return found
    # Of a third party: types are not checked there.
    error = TypeError(f"sniff gives a {type(found).__name__}, not a whole number")
    raise PluginError("format", entry.name, type(entry).__module__, error)


def _of_object(what: Any, part: Part, reading: Reading, name: str | None) -> tuple[Format, Any]:
    reading.label = reading.label if reading.label != "input" else part
    if name is not None:
        entry = FORMATS.get(name)
        if entry.shape != "object":
            raise UsageError(f"{entry.name} is read from a path or an id, not from a {type(what).__name__}")
        return entry, what
    for entries in (FORMATS.builtin(), FORMATS):
        for entry in entries:
            if entry.accepts is not None and entry.reader(part) is not None and entry.accepts(what, part):
                return entry, what
    raise InputError(
        f"a {type(what).__name__} cannot be read as {part}",
        path=reading.label,
        hint="a path, a dict of dicts, a DataFrame, or an iterable of records with query_id, doc_id, ...",
    )


def _of_path(text: str, part: Part, reading: Reading, name: str | None, source: Source) -> tuple[Format, Any]:
    if name is not None:
        entry = FORMATS.get(name)
        if entry.shape == "id":
            reading.label = f"{entry.name}:{text}"
            return entry, text
        if entry.shape == "object":
            raise UsageError(
                f"{entry.name} is an object in memory, not a path", hint=f"formats of paths: {', '.join(_with(part))}"
            )
        reading.label = source.label
        if not source.is_dir:
            _check_start(source, reading, binary=entry.binary)
        return entry, source
    reading.label = source.label
    head = Head.of(source)
    found = _usual(head, part) or _best(head, part, FORMATS.builtin()) or _best(head, part, list(FORMATS))
    if not source.is_dir:
        _check_start(source, reading, binary=found is not None and found.binary)
    if found is None:
        raise _unrecognised(source, head, part)
    return found, source


def _usual(head: Head, part: Part) -> Format | None:
    """A format that most files are in, if it is sure: then the modules of the others need not be imported."""
    for entry in FORMATS.of_modules(*(_USUAL_OF_CHUNKS if part == "chunks" else _USUAL)):
        if entry.sniff is not None and entry.reader(part) is not None and entry.sniff(head) >= _SURE:
            return entry
    return None


def _best(head: Head, part: Part, entries: list[Format]) -> Format | None:
    """The most certain format; one that lacks the part wins only where no other format claims the input at all."""
    claims = [(_certainty(entry, head), entry.reader(part) is not None, entry) for entry in entries]
    claims = [claim for claim in claims if claim[0] > 0]
    if not claims:
        return None
    return max(claims, key=lambda claim: (claim[1], claim[0]))[2]


def _check_start(source: Source, reading: Reading, *, binary: bool) -> None:
    head = source.head()
    if not head:
        raise source.error("is empty", hint="an empty file is no result; check what should have written it")
    if not binary and b"\0" in head:
        raise source.error("is not text (it holds NUL bytes)", hint="name the right file")
    if has_bom(source):
        reading.note("bom", "a byte order mark at the start was dropped")


def _unrecognised(source: Source, head: Head, part: Part) -> InputError:
    if head.is_dir:
        inside = ", ".join(shown(name, 30) for name in head.entries[:6]) or "nothing"
        endings = [ending for entry in FORMATS if entry.reader(part) is not None for ending in entry.endings]
        texts = f", or one of {' '.join(endings)} files" if endings else ""
        hint = f"name a file, or a BEIR folder{texts}"
        return source.error(f"is a folder in no known layout; it holds {inside}", hint=hint)
    if part in _RECORD and says_nothing(head.start):
        hint = WITHOUT_LABELS if part == "judgments" else "check what should have written it"
        return source.error(f"holds no {_RECORD[part]}, only blank lines or comments", hint=hint)
    # A first line that is longer than what sniffing sees is none of its whole lines.
    first = head.lines[0] if head.lines else head.start.decode("utf-8-sig", "replace").lstrip()
    together = _together(head.name, part)
    if together is None and "," in first and "\t" not in first and not first.lstrip().startswith(("{", "[")):
        return source.error(
            f"is separated by commas, which no format for {part} is", line=1, text=first[:200],
            hint="separate its columns by tabs, under the header query-id, corpus-id, score (beir-qrels), or as TREC files do",
        )  # fmt: skip
    files = _with(part, "file")
    example = f"name it, for example {files[0]}:{shown(source.path, 40)} (formats: {', '.join(files)})"
    return source.error(
        f"cannot tell the format of this {'run' if part == 'run' else 'input'}; no format for {part} recognises it",
        line=1,
        text=first[:200],
        hint=together or example,
    )
