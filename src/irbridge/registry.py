"""One way to plug things in: a package's modules end with a descriptor constant, and a `Registry` finds them.

A registry walks its package on first use and checks the types and the names. What third parties offer under an
entry-point group (`irbridge.formats`, `irbridge.measures`, ...) is added when the built-in entries do not suffice: for
a list of all, or a name or an input that none of them knows (looking entry points up costs more than scoring a small
file). A third party's entry that cannot be loaded is remembered in `broken`; it never takes the built-in ones down.
"""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

from irbridge.errors import PluginError, UnknownName, UsageError, quoted


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


def one_of(what: str, value: object, choices: Sequence[str]) -> str:
    """`value`, if it is one of `choices`.

    Raises:
        UnknownName: it is another text; with the nearest choices.
        UsageError: it is no text.
    """
    listed = f"one of: {', '.join(choices)}"
    if not isinstance(value, str):
        raise UsageError(f"{quoted(value, 40)} is not a {what}", hint=listed)
    if value not in choices:
        raise UnknownName(what, value, nearest(value, list(choices)), hint=listed)
    return value


class Registry(Generic[T]):
    """The plug-ins of one kind.

    Args:
        kind: what messages call one of them ("format").
        package: the package whose modules are walked.
        constant: the name of the module constant; its value is one descriptor or a tuple of them.
        type_: the descriptor class.
        group: the entry-point group for third parties.
        vet: makes of a third party's entry one whose functions are guarded, or refuses it; None: they are guarded here.
    """

    def __init__(
        self,
        kind: str,
        package: str,
        constant: str,
        type_: type[T],
        group: str,
        *,
        vet: Callable[[T], T] | None = None,
    ) -> None:
        self.kind = kind
        self.broken: dict[str, str] = {}
        self._package = package
        self._constant = constant
        self._type = type_
        self._group = group
        self._vet = vet
        self._beside: tuple[T, ...] = ()
        self._by_module: dict[str, tuple[T, ...]] = {}
        self._foreign: list[T] | None = None
        self._names: dict[str, T] = {}
        self._modules: list[str] | None = None

    def _entries(self, module_name: str) -> tuple[T, ...]:
        """The entries of one module of the package; imported once."""
        found = self._by_module.get(module_name)
        if found is None:
            module = importlib.import_module(f"{self._package}.{module_name}")
            value = getattr(module, self._constant, ())
            found = _several(value)
            self._add(found, module.__name__)
            self._by_module[module_name] = found
        return found

    def builtin(self) -> list[T]:
        """The entries that irbridge brings itself, in the order of their modules."""
        return [entry for name in self._all_modules() for entry in self._entries(name)]

    def _all_modules(self) -> list[str]:
        if self._modules is None:
            package = importlib.import_module(self._package)
            self._modules = sorted(found.name for found in pkgutil.iter_modules(package.__path__))
        return self._modules

    def of_modules(self, *names: str) -> Iterator[T]:
        """The entries of some modules only, each imported when it is reached."""
        for name in names:
            yield from self._entries(name)

    def _foreign_entries(self) -> list[T]:
        """What third parties offer."""
        self.builtin()
        if self._foreign is None:
            self._foreign = []
            from importlib import metadata

            for point in sorted(metadata.entry_points(group=self._group), key=lambda point: point.name):
                try:
                    value = point.load()
                    offered = tuple(self._guarded(entry, point.value) for entry in _several(value))
                    self._add(offered, point.value)
                    self._foreign.extend(offered)
                except (Exception, SystemExit) as error:  # noqa: BLE001 - a third party's fault must not break the rest
                    self.broken[point.name] = f"{type(error).__name__}: {error}"
        return self._foreign

    def _guarded(self, entry: Any, origin: str) -> Any:
        """A third party's descriptor, the functions of which raise `PluginError` for whatever they die of."""
        import dataclasses  # wanted by few calls, and half a millisecond of each

        if self._vet is not None and isinstance(entry, self._type):
            return self._vet(entry)
        if not dataclasses.is_dataclass(entry) or isinstance(entry, type):
            return entry
        name = str(getattr(entry, "name", origin))
        fields = {field.name: getattr(entry, field.name) for field in dataclasses.fields(entry) if field.init}
        functions = {
            each: _guarding(value, lambda error: PluginError(self.kind, name, origin, error))
            for each, value in fields.items()
            if callable(value) and not isinstance(value, type)
        }
        return dataclasses.replace(entry, **functions)

    def _add(self, entries: tuple[Any, ...], origin: str) -> None:
        taken: dict[str, T] = {}
        for entry in entries:
            if not isinstance(entry, self._type):
                msg = f"{origin}: {self._constant} is a {type(entry).__name__}, not a {self._type.__name__}"
                raise TypeError(msg)
            for name in (entry.name, *entry.aliases):
                if name in self._names or name in taken:
                    msg = f"{origin}: the {self.kind} name {name!r} is taken already"
                    raise ValueError(msg)
                taken[name] = entry
        self._names.update(taken)

    def __iter__(self) -> Iterator[T]:
        # One after the other: who finds what it looks for among the first has no need of the others.
        yield from self.of_modules(*self._all_modules())
        yield from self._foreign_entries()
        yield from self._beside

    @contextlib.contextmanager
    def beside(self, entries: Sequence[T]) -> Iterator[None]:
        """These entries, whose names must be free, are there too as long as this lasts."""
        before, names = self._beside, dict(self._names)
        self._add(tuple(entries), "this call")
        self._beside = (*before, *entries)
        try:
            yield
        finally:
            self._beside, self._names = before, names

    def names(self) -> list[str]:
        """The main names of all entries, in order."""
        return [entry.name for entry in self]

    def find(self, name: str) -> T | None:
        """The entry of that name or alias, or None."""
        module = name.replace("-", "_")
        if name not in self._names and module in self._all_modules():
            self._entries(module)  # most are called like their module, and the others need not be loaded then
        if name not in self._names:
            self.builtin()
        if name not in self._names:
            self._foreign_entries()
        return self._names.get(name)

    def get(self, name: object) -> T:
        """The entry of that name or alias.

        Raises:
            UnknownName: with the nearest names.
            UsageError: the name is no text.
        """
        if not isinstance(name, str):
            raise UsageError(f"{quoted(name, 40)} is not a {self.kind}", hint=f"one of: {', '.join(self.names())}")
        found = self.find(name)
        if found is None:
            raise UnknownName(
                self.kind, name, nearest(name, list(self._names)), hint=f"one of: {', '.join(self.names())}"
            )
        return found


def _several(value: Any) -> tuple[Any, ...]:
    """What a constant holds: one descriptor, or a tuple of them."""
    return value if isinstance(value, tuple) else (value,)


def _guarding(function: Callable[..., Any], failure: Callable[[BaseException], PluginError]) -> Callable[..., Any]:
    """`function`, also in what it yields, with `failure` in place of whatever it raises that irbridge does not know."""

    @contextlib.contextmanager
    def guarded() -> Iterator[None]:
        try:
            yield
        except (Exception, SystemExit) as error:
            if type(error).__module__.split(".")[0] == __package__:
                raise
            raise failure(error) from error

    def yielded(found: Iterator[Any]) -> Iterator[Any]:
        with guarded():
            yield from found

    def called(*arguments: Any, **options: Any) -> Any:
        with guarded():
            found = function(*arguments, **options)
        return yielded(found) if isinstance(found, Iterator) else found

    return called
