"""A fixture: tasks, their hidden oracles and one frozen corpus, loaded only if every check holds."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from irbridge.agentic.canonical_json import fingerprint
from irbridge.agentic.checks import check_leaks, check_oracle, check_task
from irbridge.agentic.evidence import Source
from irbridge.agentic.manifest import (
    BESIDE,
    MANIFEST,
    FileEntry,
    Manifest,
    check_folder,
    entry_of,
    files_of,
    listed,
    read_file,
    read_manifest,
)
from irbridge.agentic.records import AgentTask, HiddenOracle, plain, record
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.agentic.strict_json import strict_json
from irbridge.atomic import atomic_write
from irbridge.canonical import pretty
from irbridge.errors import InputError

T = TypeVar("T")


@dataclass(frozen=True)
class Fixture:
    """A loaded fixture. `fingerprint` is that of the manifest, and so of every byte of it."""

    manifest: Manifest
    tasks: Mapping[str, AgentTask]
    oracles: Mapping[str, HiddenOracle]
    snapshot: CorpusSnapshot
    fingerprint: str


def standard_fixture() -> Path:
    """The folder of the fixture that comes with irbridge: in the wheel, or at the top of a checkout."""
    inside = resources.files("irbridge") / "spec" / "agentic" / "fixtures" / "standard"
    if inside.is_dir():
        return Path(str(inside))
    return Path(__file__).resolve().parents[3] / "spec" / "agentic" / "fixtures" / "standard"


def load_fixture(folder: str | os.PathLike[str]) -> Fixture:
    """Load a fixture and check all of it.

    Raises:
        InputError: anything is not as the manifest and the contract say; it names the file.
    """
    check_folder(folder)
    with files_of(folder):
        return _loaded(folder)


def _loaded(folder: str | os.PathLike[str]) -> Fixture:
    manifest = read_manifest(folder)
    data = {entry.path: _bytes(folder, entry) for entry in manifest.files}
    extra = [path for path in listed(folder) if path not in data]
    if extra:
        inside = extra[0].startswith(("tasks/", "oracles/", "corpus/"))
        hint = "seal the fixture again, or remove the file" if inside else BESIDE
        raise InputError("is not in the manifest", path=extra[0], hint=hint)
    tasks = _records(manifest, data, "task", AgentTask)
    oracles = _records(manifest, data, "oracle", HiddenOracle)
    for kind, lacks, alone in (
        ("tasks", "oracle", set(tasks) - set(oracles)),
        ("oracles", "task", set(oracles) - set(tasks)),
    ):
        if alone:
            raise InputError(f"has no {lacks}", path=f"{kind}/{min(alone)}.json")
    for name, count in (("tasks", len(tasks)), ("oracles", len(oracles))):
        if count != manifest.task_count:
            raise InputError(f"taskCount is {manifest.task_count}, but there are {count} {name}", path=MANIFEST)
    snapshot = _snapshot(manifest, data)
    for task_id in sorted(tasks):
        check_task(task_id, tasks[task_id], snapshot)
        check_oracle(task_id, tasks[task_id], oracles[task_id], snapshot)
    check_leaks([entry.path for entry in manifest.files if entry.kind != "oracle"], tasks, oracles, snapshot)
    if snapshot.fingerprint != manifest.corpus_fingerprint:
        raise InputError(f"corpusFingerprint should be {snapshot.fingerprint}", path=MANIFEST)
    return Fixture(
        manifest, MappingProxyType(dict(tasks)), MappingProxyType(dict(oracles)), snapshot, fingerprint(plain(manifest))
    )


def seal(
    folder: str | os.PathLike[str], *, version: str, license_name: str, provenance: str, scheme: str = "corpus"
) -> Fixture:
    """Write the manifest of the files that lie in a folder, and load the fixture that they now are.

    The manifest stays where a check fails; who has one that must not be lost seals by `sealing.sealed_as`.

    Raises:
        InputError: a file lies where none can, is no UTF-8, or fails a check of `load_fixture`.
    """
    with files_of(folder):
        draft = _draft(folder, version, license_name, provenance, scheme)
    with atomic_write(Path(folder) / MANIFEST) as stream:
        stream.write(pretty(draft).encode())
    return load_fixture(folder)


def _draft(
    folder: str | os.PathLike[str], version: str, license_name: str, provenance: str, scheme: str
) -> dict[str, Any]:
    """The manifest of the files that lie in a folder, as JSON."""
    if os.path.islink(os.path.join(os.fspath(folder), MANIFEST)):
        raise InputError("a link; a fixture holds its files itself", path=MANIFEST)
    data = {path: read_file(folder, path) for path in listed(folder)}
    entries = [entry_of(path, each) for path, each in data.items()]
    draft = {
        "schemaVersion": "1.0",
        "fixtureVersion": version,
        "license": license_name,
        "provenance": provenance,
        "uriScheme": scheme,
        "taskCount": sum(entry.kind == "task" for entry in entries),
        "files": plain(entries),
        "corpusFingerprint": "0" * 64,
    }
    return {**draft, "corpusFingerprint": _snapshot(record(Manifest, draft, MANIFEST), data).fingerprint}


def _records(manifest: Manifest, data: Mapping[str, bytes], name: str, kind: type[T]) -> dict[str, T]:
    return {
        entry.task_id: record(kind, strict_json(data[entry.path], entry.path), entry.path)
        for entry in manifest.files
        if entry.kind == name
    }


def _bytes(folder: str | os.PathLike[str], entry: FileEntry) -> bytes:
    data = read_file(folder, entry.path)
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise InputError("is not the file that the manifest was made for: its SHA-256 differs", path=entry.path)
    return data


def _snapshot(manifest: Manifest, data: Mapping[str, bytes]) -> CorpusSnapshot:
    sources: list[Source] = []
    owners: dict[str, str] = {}
    for entry in manifest.files:
        if entry.kind != "corpus" or entry.collection is None:
            continue
        if owners.setdefault(entry.collection, entry.task_id) != entry.task_id:
            raise InputError(f"collection {entry.collection} belongs to two tasks", path=entry.path)
        path = "/".join(entry.path.split("/")[3:])
        try:
            text = data[entry.path].decode()
        except UnicodeDecodeError as error:
            raise InputError(
                f"not UTF-8: {error.reason} at byte {error.start}",
                path=entry.path,
                hint="convert it first, for example: iconv -f latin1 -t utf-8",
            ) from error
        uri = f"{manifest.uri_scheme}://{entry.collection}/{path}"
        sources.append(Source(uri, entry.collection, path, text, entry.sha256))
    return CorpusSnapshot(tuple(sorted(sources, key=lambda source: source.uri)), MappingProxyType(owners))
