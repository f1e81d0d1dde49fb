"""The manifest of a fixture: which files it has, byte for byte; and how its author seals it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from irbridge.agentic.records import Count, Id, Record, Sha256, record
from irbridge.agentic.strict_json import strict_json
from irbridge.errors import InputError, quoted

MANIFEST = "manifest.json"
_LARGEST = 16 << 20
_PATH = re.compile(
    r"(?:tasks|oracles)/[A-Za-z0-9._-]+\.json|corpus/[A-Za-z0-9._-]+/[A-Za-z0-9._-]+(?:/[^/\\\x00-\x1f]+)+"
)

#: What to do with a file that is none of the fixture's, a README or a licence among them.
BESIDE = "remove it, or keep it beside the folder"
_NOWHERE = "a file lies as tasks/ID.json, oracles/ID.json or corpus/ID/COLLECTION/..."

Kind = Literal["task", "oracle", "corpus"]


class FileEntry(Record, frozen=True):
    """A file of the fixture: its path with `/`, the SHA-256 of its bytes, and whose it is."""

    path: str
    kind: Kind
    sha256: Sha256
    task_id: Id
    collection: Id | None


class Manifest(Record, frozen=True):
    """What `manifest.json` holds; `uriScheme` makes `SCHEME://COLLECTION/PATH` the URI of a source."""

    schema_version: Literal["1.0"]
    fixture_version: Annotated[str, Meta(min_length=1)]
    license: Annotated[str, Meta(min_length=1)]
    provenance: Annotated[str, Meta(min_length=1)]
    uri_scheme: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9+.-]*\Z")]
    task_count: Count
    files: list[FileEntry]
    corpus_fingerprint: Sha256


@contextlib.contextmanager
def files_of(folder: str | os.PathLike[str]) -> Iterator[None]:
    """What goes wrong with a file of a fixture, named by its path within, is named by its whole path."""
    try:
        yield
    except InputError as error:
        place = os.path.join(os.fspath(folder), *(error.path or MANIFEST).split("/"))
        raise InputError(error.message, path=place, line=error.line, text=error.text, hint=error.hint) from error


def read_file(folder: str | os.PathLike[str], path: str) -> bytes:
    """The bytes of a file of a fixture, which lies in its folder; no step to it is a link.

    Raises:
        InputError: it is missing, is a link, a folder, a pipe or a device, or is larger than 16 MB.
    """
    place = os.fspath(folder)
    for part in path.split("/"):
        place = os.path.join(place, part)
        if os.path.islink(place):
            raise InputError("a link; a fixture holds its files itself", path=path)
    try:
        if not os.path.lexists(place):
            raise InputError("no such file in the fixture", path=path)
        if not os.path.isfile(place):
            what = "is a folder, a file is needed" if os.path.isdir(place) else "is no regular file"
            raise InputError(what, path=path)
        with open(place, "rb") as stream:
            data = stream.read(_LARGEST + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    if len(data) > _LARGEST:
        raise InputError("larger than 16 MB", path=path)
    return data


def read_manifest(folder: str | os.PathLike[str]) -> Manifest:
    """The manifest, with paths that are well formed and stand once.

    Raises:
        InputError: it is not there, not JSON, not closed, or names a path badly or twice.
    """
    manifest = record(Manifest, strict_json(read_file(folder, MANIFEST), MANIFEST), MANIFEST)
    seen: set[str] = set()
    for entry in manifest.files:
        if not well_formed(entry):
            raise InputError(
                f"{quoted(entry.path)} is no path of a {entry.kind} file of {entry.task_id}", path=MANIFEST
            )
        if entry.path.lower() in seen:
            raise InputError(f"{quoted(entry.path)} stands twice", path=MANIFEST)
        seen.add(entry.path.lower())
    return manifest


def well_formed(entry: FileEntry) -> bool:
    """Whether the path is relative, without a step up, and where a file of its kind, task and collection lies."""
    parts = entry.path.split("/")
    if not _PATH.fullmatch(entry.path) or any(part in {"", ".", ".."} for part in parts):
        return False
    if entry.kind == "corpus":
        return parts[:3] == ["corpus", entry.task_id, entry.collection] and len(parts) > 3
    return entry.collection is None and parts == [f"{entry.kind}s", f"{entry.task_id}.json"]


def listed(folder: str | os.PathLike[str]) -> list[str]:
    """The paths of all files in the folder but the manifest, sorted; links are named and not followed.

    Raises:
        InputError: a folder in it cannot be looked into.
    """

    def refuse(error: OSError) -> None:
        path = os.path.relpath(error.filename, folder).replace(os.sep, "/")
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error

    found: list[str] = []
    for where, folders, names in os.walk(folder, onerror=refuse):
        links = [name for name in folders if os.path.islink(os.path.join(where, name))]
        found += [os.path.relpath(os.path.join(where, name), folder) for name in [*names, *links]]
    return sorted(path for path in (each.replace(os.sep, "/") for each in found) if path != MANIFEST)


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Refuse what is no folder.

    Raises:
        InputError: it is none, or not there.
    """
    if not os.path.isdir(folder):
        what = "is no folder" if os.path.lexists(folder) else "there is no such folder"
        hint = f"name the folder that has {MANIFEST}, tasks/, oracles/ and corpus/"
        raise InputError(what, path=os.fspath(folder), hint=hint)


def entry_of(path: str, data: bytes) -> FileEntry:
    """The manifest's entry for a file that lies at `path`.

    Raises:
        InputError: none of a fixture can lie there.
    """
    if not _PATH.fullmatch(path):
        raise InputError(_NOWHERE, path=path, hint=BESIDE)
    parts = path.split("/")
    kind = {"tasks": "task", "oracles": "oracle", "corpus": "corpus"}[parts[0]]
    value = {
        "path": path,
        "kind": kind,
        "sha256": hashlib.sha256(data).hexdigest(),
        "taskId": parts[1] if kind == "corpus" else parts[-1].removesuffix(".json"),
        "collection": parts[2] if kind == "corpus" else None,
    }
    entry = record(FileEntry, value, path)
    if not well_formed(entry):
        raise InputError(_NOWHERE, path=path, hint=BESIDE)
    return entry
