"""One way to plug things in: a package's modules end with a descriptor constant, and a `Registry` finds them.

A registry walks its package on first use and checks the types and the names. What third parties offer under an
entry-point group (`irbridge.formats`, `irbridge.measures`, ...) is added when the built-in entries do not suffice: for
a list of all, or a name or an input that none of them knows (looking entry points up costs more than scoring a small
file). A third party's entry that cannot be loaded is remembered in `broken`; it never takes the built-in ones down.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any, Generic, Protocol, TypeVar

from irbridge.errors import UnknownName


class Named(Protocol):
    """What a descriptor must have."""

    @property
    def name(self) -> str: ...
    @property
    def aliases(self) -> tuple[str, ...]: ...


T = TypeVar("T", bound=Named)


def nearest(name: str, known: list[str], limit: int = 3) -> list[str]:
    """The known names most like `name`, best first; letter case counts less than spelling."""
    import difflib

    folded: dict[str, list[str]] = {}
    for candidate in known:
        folded.setdefault(candidate.lower(), []).append(candidate)
    found = difflib.get_close_matches(name.lower(), list(folded), n=limit, cutoff=0.6)
    return [candidate for match in found for candidate in folded[match]][:limit]


class Registry(Generic[T]):
    """The plug-ins of one kind.

    Args:
        kind: what messages call one of them ("format").
        package: the package whose modules are walked.
        constant: the name of the module constant; its value is one descriptor or a tuple of them.
        type_: the descriptor class.
        group: the entry-point group for third parties.
    """

    def __init__(self, kind: str, package: str, constant: str, type_: type[T], group: str) -> None:
        self.kind = kind
        self.broken: dict[str, str] = {}
        self._package = package
        self._constant = constant
        self._type = type_
        self._group = group
        self._entries: dict[str, T] | None = None
        self._complete = False
        self._names: dict[str, T] = {}

    def _load(self) -> dict[str, T]:
        if self._entries is None:
            # A package that cannot be loaded whole is not loaded at all: the next call fails in the same way.
            self._entries, self._names = {}, {}
            try:
                self._walk()
            except BaseException:
                self._entries = None
                raise
        return self._entries

    def _walk(self) -> None:
        package = importlib.import_module(self._package)
        for found in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
            module = importlib.import_module(f"{self._package}.{found.name}")
            value = getattr(module, self._constant, ())
            for entry in value if isinstance(value, tuple) else (value,):
                self._add(entry, module.__name__)

    def _load_all(self) -> dict[str, T]:
        entries = self._load()
        if self._complete:
            return entries
        self._complete = True
        from importlib import metadata

        for point in sorted(metadata.entry_points(group=self._group), key=lambda point: point.name):
            try:
                value = point.load()
                for entry in value if isinstance(value, tuple) else (value,):
                    self._add(entry, point.value)
            except Exception as error:  # noqa: BLE001 - a third party's fault must not break the rest
                self.broken[point.name] = f"{type(error).__name__}: {error}"
        return entries

    def _add(self, entry: Any, origin: str) -> None:
        if not isinstance(entry, self._type):
            msg = f"{origin}: {self._constant} is a {type(entry).__name__}, not a {self._type.__name__}"
            raise TypeError(msg)
        for name in (entry.name, *entry.aliases):
            if name in self._names:
                msg = f"{origin}: the {self.kind} name {name!r} is taken already"
                raise ValueError(msg)
        if self._entries is not None:
            self._entries[entry.name] = entry
        for name in (entry.name, *entry.aliases):
            self._names[name] = entry

    def builtin(self) -> list[T]:
        """The entries that irbridge brings itself."""
        return list(self._load().values())

    def __iter__(self) -> Iterator[T]:
        return iter(list(self._load_all().values()))

    def names(self) -> list[str]:
        """The main names of all entries, in order."""
        return list(self._load_all())

    def find(self, name: str) -> T | None:
        """The entry of that name or alias, or None."""
        self._load()
        if name not in self._names:
            self._load_all()
        return self._names.get(name)

    def get(self, name: str) -> T:
        """The entry of that name or alias.

        Raises:
            UnknownName: with the nearest names.
        """
        found = self.find(name)
        if found is None:
            raise UnknownName(
                self.kind, name, nearest(name, list(self._names)), hint=f"one of: {', '.join(self.names())}"
            )
        return found
