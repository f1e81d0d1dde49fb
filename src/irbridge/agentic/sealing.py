"""Sealing a fixture again: what its author does not say anew is as it was, and a seal that fails changes nothing."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from irbridge.agentic.fixture import Fixture, seal
from irbridge.agentic.manifest import MANIFEST, Manifest, files_of, read_file, read_manifest
from irbridge.atomic import atomic_write
from irbridge.errors import InputError, UsageError, quoted


def sealed_as(
    folder: str,
    *,
    version: str | None = None,
    license_name: str | None = None,
    provenance: str | None = None,
    scheme: str | None = None,
) -> Fixture:
    """`seal`, with what is None taken from the manifest that is there; it is as it was where a check fails.

    Raises:
        UsageError: there is no manifest, and something that it must say is not given.
        InputError: the manifest that is there cannot be read, or a check of the fixture fails.
    """
    if not os.path.isdir(folder):
        raise UsageError(
            f"{quoted(folder, 200)} is no folder", hint="name the folder that has tasks/, oracles/ and corpus/"
        )
    given = {"version": version, "license_name": license_name, "provenance": provenance}
    said: dict[str, str] = {}
    if (None in given.values() or scheme is None) and os.path.lexists(os.path.join(folder, MANIFEST)):
        old = _manifest(folder)
        said = {"version": old.fixture_version, "license_name": old.license, "provenance": old.provenance}
        scheme = scheme or old.uri_scheme
    said.update({name: value for name, value in given.items() if value is not None})
    missing = sorted(name for name in given if not said.get(name))
    if missing:
        option = missing[0].removesuffix("_name")
        raise UsageError(f"the manifest must say its {option}", hint=f"--{option} TEXT")
    with _kept(folder):
        return seal(folder, **said, scheme=scheme or "corpus")


def _manifest(folder: str) -> Manifest:
    try:
        with files_of(folder):
            return read_manifest(folder)
    except InputError as error:
        hint = "say --version, --license, --provenance and --uri-scheme to write it anew"
        raise InputError(error.message, path=error.path, line=error.line, text=error.text, hint=hint) from error


@contextlib.contextmanager
def _kept(folder: str) -> Iterator[None]:
    """Put the manifest back, or take it away again, where something goes wrong: none is left that no fixture goes with."""
    place = os.path.join(folder, MANIFEST)
    with files_of(folder):
        before = read_file(folder, MANIFEST) if os.path.isfile(place) else None
    try:
        yield
    except BaseException:
        if before is not None:
            with atomic_write(place) as stream:
                stream.write(before)
        elif os.path.isfile(place):
            os.unlink(place)
        raise
