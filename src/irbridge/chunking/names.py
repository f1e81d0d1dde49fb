"""Specs of chunkers: `name/setting/setting`, and the fingerprint that comes of one."""

from __future__ import annotations

from irbridge.chunking.base import Chunker, Method, Setting
from irbridge.errors import UsageError, shown
from irbridge.registry import Registry

CHUNKERS: Registry[Method] = Registry("chunker", "irbridge.chunking", "CHUNKER", Method, "irbridge.chunkers")


def chunker(spec: str) -> Chunker:
    """The chunker of a spec, such as `recursive/512/64`; a fingerprint is a spec of the same chunker.

    Args:
        spec: `name/setting/...`, and `@version` where a certain version is wanted.

    Raises:
        UnknownName: no method has that name; carries the nearest names.
        UsageError: a setting is missing, too many, or out of range; or the version is not the one that is here.
        MissingDependency: the method needs a library that is not installed.
    """
    body, at, version = spec.strip().partition("@")
    name, *given = body.split("/")
    method = CHUNKERS.get(name)
    values = _settings(method, given, spec)
    cut = method.bind(*values)
    stamp = method.stamp()
    if at and version != (stamp[1:] or "1"):
        raise UsageError(
            f"'{shown(spec)}' asks for version {shown(version)} of {method.name}, here is {stamp[1:] or 1}",
            hint=f"install that version, or leave '@{shown(version)}' out; the chunks will differ in their ids",
        )
    return Chunker("/".join([method.name, *map(str, values)]) + stamp, cut)


def _settings(method: Method, given: list[str], spec: str) -> list[int]:
    """The value of each setting.

    Raises:
        UsageError: see `chunker`.
    """
    wanted = method.settings
    form = f"{method.usage}, such as {method.example}"
    if len(given) > len(wanted):
        raise UsageError(
            f"'{shown(spec)}' has {len(given)} settings, {method.name} takes {len(wanted)}", hint=f"write {form}"
        )
    values = [_value(setting, text, method, form) for setting, text in zip(wanted, given, strict=False)]
    for setting in wanted[len(given) :]:
        if setting.default is None:
            raise UsageError(
                f"'{shown(spec)}' lacks the {setting.name} ({setting.meaning})",
                hint=f"write {form}",
            )
        values.append(setting.default)
    for setting, value in zip(wanted, values, strict=True):
        if setting.name == "overlap" and value >= values[0]:
            raise UsageError(
                f"'{shown(spec)}': the overlap, {value}, must be smaller than the {wanted[0].name}, {values[0]}",
                hint=f"write {form}",
            )
    return values


def _value(setting: Setting, text: str, method: Method, form: str) -> int:
    # Longer than any limit: no need to find out how large it is.
    value = (int(text) if len(text) <= 10 else setting.highest + 1) if text.isascii() and text.isdigit() else -1
    if not setting.lowest <= value <= setting.highest:
        allowed = (
            str(setting.lowest)
            if setting.lowest == setting.highest
            else f"a whole number from {setting.lowest} to {setting.highest}"
        )
        raise UsageError(
            f"the {setting.name} of {method.name} must be {allowed}, not '{shown(text)}'", hint=f"write {form}"
        )
    return value
