"""Sealing a fixture again: what its author does not say anew is as it was."""

from __future__ import annotations

import os

from irbridge.agentic.fixture import Fixture, seal
from irbridge.agentic.manifest import MANIFEST, read_manifest
from irbridge.errors import UsageError


def sealed_as(
    folder: str,
    *,
    version: str | None = None,
    license_name: str | None = None,
    provenance: str | None = None,
    scheme: str | None = None,
) -> Fixture:
    """`seal`, with what is None taken from the manifest that is there.

    Raises:
        UsageError: there is no manifest, and something that it must say is not given.
        InputError: the manifest that is there cannot be read, or a check of the fixture fails.
    """
    if not os.path.isdir(folder):
        raise UsageError(f"{folder!a} is no folder")
    given = {"version": version, "license_name": license_name, "provenance": provenance}
    said: dict[str, str] = {}
    if (None in given.values() or scheme is None) and os.path.lexists(os.path.join(folder, MANIFEST)):
        old = read_manifest(folder)
        said = {"version": old.fixture_version, "license_name": old.license, "provenance": old.provenance}
        scheme = scheme or old.uri_scheme
    said.update({name: value for name, value in given.items() if value is not None})
    missing = sorted(set(given) - set(said))
    if missing:
        option = missing[0].removesuffix("_name")
        raise UsageError(f"the manifest must say its {option}", hint=f"--{option} TEXT")
    return seal(folder, **said, scheme=scheme or "corpus")
