"""Gate files: what a build must reach, and how it is measured, as TOML (spec/gates.md)."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from irbridge.errors import InputError, UsageError, shown
from irbridge.gates.base import Gate
from irbridge.gates.expressions import parse
from irbridge.registry import nearest
from irbridge.source import Source

_LARGEST = 1 << 16
#: Dots in one line: a reader of TOML may take time in the square of the parts of a name.
_DOTS = 1000
_KEYS = ("gates", "measures", "k", "convention", "threshold", "baseline", "baseline_run", "strata", "drift")
_STRATA_KEYS = ("worst", "require")
#: What one may look for here, and why it stands elsewhere.
_ELSEWHERE = {"measures_from": "a gate file runs no code: give --measures-from FILE beside --gates"}
_MOST = "max_"
_AT_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
T = TypeVar("T")


@dataclass(frozen=True)
class GateFile:
    """What a gate file says; empty where it does not.

    Attributes:
        path: its label.
        gates: those of `gates`, then those of `strata.worst`, then those of `drift`.
        measures: names, for `-m`.
        k: cutoffs, for `-k`.
        convention: a preset's name.
        threshold: the lowest relevant grade.
        baseline: the path of a report; the file names it relative to its own folder.
        require: strata that must have been scored.
        baseline_run: the path of an earlier run; likewise relative.
    """

    path: str = ""
    gates: tuple[Gate, ...] = ()
    measures: tuple[str, ...] = ()
    k: tuple[int, ...] = ()
    convention: str | None = None
    threshold: int | None = None
    baseline: str | None = None
    require: tuple[str, ...] = ()
    baseline_run: str | None = None


def read(path: str | os.PathLike[str]) -> GateFile:
    """Read a gate file.

    Raises:
        InputError: it cannot be read, is no TOML, or says something that cannot be; with its line.
    """
    source = Source(path)
    with source.open() as stream:
        raw = stream.read(_LARGEST + 1)
    if len(raw) > _LARGEST:
        raise source.error("is too large to be a gate file")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise source.error("is not UTF-8 text", line=raw.count(b"\n", 0, error.start) + 1) from None
    return _Reader(source.label, text).read()


def _toml() -> Any:
    """The TOML reader of the standard library, or the package that it was made from."""
    return importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")


class _Reader:
    """One gate file while it is read."""

    def __init__(self, label: str, text: str) -> None:
        self.label = label
        self.lines = text.splitlines()
        for number, text_of_line in enumerate(self.lines, 1):
            if text_of_line.count(".") > _DOTS:
                raise InputError("is too long to be a line of a gate file", path=label, line=number, text=text_of_line)
        try:
            self.data: dict[str, Any] = _toml().loads(text)
        except RecursionError:
            raise InputError("is nested too deeply to be a gate file", path=label) from None
        except ValueError as error:  # TOMLDecodeError is one
            at = _AT_LINE.search(str(error))
            line = len(self.lines) if at is None or at[1] is None else int(at[1])
            message = _AT_LINE.sub("", str(error))
            raise InputError(f"is no TOML: {message}", path=label, line=line or None) from None

    def read(self) -> GateFile:
        self._keys(self.data, _KEYS, "")
        strata = self._table("strata", 'worst = ["recall@5:0.7"]')
        self._keys(strata, _STRATA_KEYS, "strata.")
        worst = (f"worst-stratum:{each}" for each in self.texts(strata, "worst"))
        gates = [
            *(self._gate(each, each) for each in self.texts(self.data, "gates")),
            *(self._gate(each, each.partition(":")[2]) for each in worst),
            *self._drift(),
        ]
        folder = os.path.dirname(self.label)
        baseline, run = self.text("baseline"), self.text("baseline_run")
        return GateFile(
            self.label,
            tuple(gates),
            self._measures(),
            self._cutoffs(),
            self._convention(),
            self._threshold(),
            None if baseline is None else os.path.join(folder, baseline),
            self.texts(strata, "require"),
            None if run is None else os.path.join(folder, run),
        )

    def _table(self, key: str, example: str) -> Mapping[str, Any]:
        found = self.data.get(key, {})
        if not isinstance(found, Mapping):
            self.refuse(f"{key} is a table", key, hint=f"write [{key}], then {example}")
        return found

    def _drift(self) -> Iterator[Gate]:
        """The gates of the table `drift`: `max_orphaned = 0` is `drift:orphaned:0`."""
        from irbridge.gates.forms.drift import NAMES

        table = self._table("drift", "max_orphaned = 0")
        self._keys(table, tuple(_MOST + name for name in NAMES), "drift.")
        for key, most in table.items():
            share = key.endswith("_rate")
            fits = type(most) is int or (share and type(most) is float)
            if not fits or not 0 <= most <= (1 if share else 1 << 53):
                wanted = "a number from 0 to 1" if share else "a whole number from 0"
                self.refuse(f"{key} is {wanted}, not {shown(most, 40)}", "drift", key)
            yield parse(f"drift:{key.removeprefix(_MOST)}:{most}")

    def refuse(self, message: str, *words: str, hint: str | None = None) -> NoReturn:
        raise InputError(message, path=self.label, line=self.line(*words), hint=hint)

    def line(self, *words: str) -> int | None:
        """The line of the last of `words`, each looked for from the line of the one before; None where there is none."""
        at = 0
        for word in words:
            key = re.compile(rf"\s*\[*[\w.\"' ]*(?<![\w-])[\"']?{re.escape(word)}[\"']?\s*(?:[=.]|\]|$)")
            found = next(
                (number for number in range(at, len(self.lines)) if key.match(self.lines[number])),
                next((number for number in range(at, len(self.lines)) if word in self.lines[number]), None),
            )
            if found is None:
                break
            at = found
        else:
            return at + 1
        return at + 1 if at else None

    def _keys(self, table: Mapping[str, Any], known: tuple[str, ...], inside: str) -> None:
        for key in table:
            if inside + key in _ELSEWHERE:
                self.refuse(f"'{key}' is not a key of a gate file", key, hint=_ELSEWHERE[key])
            if key not in known:
                near = nearest(key, list(known))
                ask = f"; did you mean {' or '.join(near)}?" if near else ""
                words = (inside[:-1], key) if inside else (key,)
                keys = ", ".join(known)
                self.refuse(
                    f"'{shown(inside + key, 60)}' is not a key of a gate file{ask}", *words, hint=f"one of: {keys}"
                )

    def text(self, key: str) -> str | None:
        found = self.data.get(key)
        if found is not None and not (isinstance(found, str) and found):
            self.refuse(f"{key} is a text in quotes, not {shown(found, 40)}", key)
        return found

    def texts(self, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
        """A text, or a list of texts."""
        found = table.get(key, [])
        several = [found] if isinstance(found, str) else found
        if not isinstance(several, list) or not all(isinstance(each, str) and each for each in several):
            self.refuse(f"{key} is a list of texts in quotes, not {shown(found, 60)}", key)
        return tuple(several)

    def _gate(self, expression: str, written: str) -> Gate:
        return self._tried(lambda: parse(expression), "worst" if written != expression else "gates", written)

    def _tried(self, make: Callable[[], T], *words: str) -> T:
        """What `make` makes; a usage error becomes one of this file, with its line."""
        try:
            return make()
        except UsageError as error:
            self.refuse(error.message, *words, hint=error.hint)

    def _measures(self) -> tuple[str, ...]:
        from irbridge.measures.names import parse as parse_measures

        names = self.texts(self.data, "measures")
        for name in names:
            self._tried(lambda name=name: parse_measures(name), "measures", name)  # type: ignore[misc]
        return names

    def _cutoffs(self) -> tuple[int, ...]:
        found = self.data.get("k", [])
        several = found if isinstance(found, list) else [found]
        if not all(type(each) is int and 1 <= each < 1 << 63 for each in several):
            self.refuse(f"k is a whole number from 1, or a list of them, not {shown(found, 40)}", "k")
        return tuple(several)

    def _convention(self) -> str | None:
        from irbridge.conventions import get_convention

        name = self.text("convention")
        if name is not None:
            self._tried(lambda: get_convention(name), "convention")
        return name

    def _threshold(self) -> int | None:
        found = self.data.get("threshold")
        if found is not None and not (type(found) is int and 1 <= found <= 1 << 53):
            self.refuse(f"threshold is a whole number from 1, not {shown(found, 40)}", "threshold")
        return found
