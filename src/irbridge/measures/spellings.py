"""Every spelling of every measure, by dialect, and what to say of a name that is none of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple, NoReturn

from irbridge.errors import UnknownName, UsageError, shown
from irbridge.measures import FAMILIES, absent
from irbridge.measures.base import Dialect, Family
from irbridge.measures.modules import MODULES
from irbridge.registry import nearest

_PARAMETERS_FOLLOW = re.compile(r"[-+.0-9]|[A-Za-z]+=")


_NAMES: dict[Dialect, Callable[[Family], tuple[str, ...]]] = {
    "ir_measures": lambda family: (family.name, *family.aliases),
    "trec_eval": lambda family: tuple(family.trec_eval),
    "spec": lambda family: () if family.spec is None else (family.spec,),
}


class Names(Mapping[str, Family]):
    """The names of one dialect; the module of a built-in family is imported when one of its names is looked up.

    Args:
        dialect: whose names these are.
        foreign: families of third parties, which add their names.
    """

    def __init__(self, dialect: Dialect, foreign: Sequence[Family]) -> None:
        self._spelled = _NAMES[dialect]
        self._modules = {name: module for module, own in MODULES.items() for name in getattr(own, dialect).split()}
        self._foreign = {name: family for family in foreign for name in self._spelled(family)}

    def __getitem__(self, name: str) -> Family:
        if name not in self._modules:
            return self._foreign[name]
        return next(family for family in FAMILIES.of_modules(self._modules[name]) if name in self._spelled(family))

    def __contains__(self, name: object) -> bool:
        return name in self._modules or name in self._foreign

    def __iter__(self) -> Iterator[str]:
        yield from self._modules
        yield from (name for name in self._foreign if name not in self._modules)

    def __len__(self) -> int:
        return len(self._modules.keys() | self._foreign.keys())


class Index(NamedTuple):
    """Every spelling of every family, by dialect."""

    ir_measures: Names
    trec_eval: Names
    spec: Names

    def knows(self, head: str) -> bool:
        return head in self.ir_measures or head in self.spec or split_base(head, self.trec_eval) is not None


@cache
def _index(foreign: tuple[Family, ...]) -> Index:
    return Index(Names("ir_measures", foreign), Names("trec_eval", foreign), Names("spec", foreign))


def shipped() -> Index:
    """The names of the measures that irbridge brings itself."""
    return _index(())


def index_for(head: str) -> Index:
    """The built-in names, or those of third parties too where the built-in ones do not know `head`."""
    return shipped() if shipped().knows(head) else _index(tuple(FAMILIES)[len(FAMILIES.builtin()) :])


def split_base(name: str, known: Mapping[str, object]) -> tuple[str, str | None] | None:
    """trec_eval's (base name, parameters) of `NAME`, `NAME.parameters` (asked) or `NAME_parameters` (printed)."""
    if name in known:
        return name, None
    base, dot, parameters = name.partition(".")
    if dot and base in known:
        return base, parameters
    for base in sorted(known, key=len, reverse=True):
        if name.startswith(base + "_") and _PARAMETERS_FOLLOW.match(name, len(base) + 1):
            return base, name[len(base) + 1 :]
    return None


def spellings(base: str, family: Family, k: int) -> list[str]:
    """How a person may say `base` at cutoff `k`; the bare name where there is no such thing."""
    if "cutoff" not in family.takes:
        return [base]
    return [*(f"{name}.{k}" for name, cutoffs in family.trec_eval.items() if cutoffs), f"{family.name}@{k}"]


def not_yet(name: str, where: str) -> UsageError:
    """The error of a measure that exists elsewhere; `where` says which tool has it."""
    return UsageError(f"{shown(name)} is a known measure, but irbridge does not compute it yet", hint=where)


def refuse(name: str, head: str, index: Index) -> NoReturn:
    """Say what is known about a name that is no measure here.

    Raises:
        UsageError: another tool computes it.
        UnknownName: nobody does.
    """
    base = split_base(head, absent.TREC_EVAL)
    if base is not None and head == name:
        raise not_yet(name, absent.TREC_EVAL[base[0]])
    if head in absent.IR_MEASURES:
        raise not_yet(name, absent.IR_MEASURES[head])
    raise UnknownName("measure", name, _near(name, head, index), hint="irbridge measures")


def _near(name: str, head: str, index: Index) -> list[str]:
    """The names most like `name`, spelled out with its cutoff."""
    digits = re.search(r"@([0-9]{1,18}(?:tok|chars)?)$|[._]([0-9]{1,18})$", name)
    k = (digits[1] or digits[2]) if digits else "10"
    bare = head == name
    if bare and digits:
        head = head[: digits.start()]
    forms: dict[str, str] = {}
    main: dict[str, str] = {}  # an alias is as good as the name that it stands for, so one of them is enough
    for table in (index.ir_measures, index.spec):
        for spelled, family in table.items():
            cut = "cutoff" in family.takes and (digits is not None or family.needs_cutoff or table is index.spec)
            forms[spelled] = f"{spelled}@{k}" if cut else spelled
            main[spelled] = family.name if table is index.ir_measures else spelled
    if bare:
        for spelled, family in index.trec_eval.items():
            forms[spelled] = f"{spelled}_{k}" if digits and family.trec_eval[spelled] else spelled
        forms |= {nickname: nickname for nickname in absent.NICKNAMES}
    other = absent.OTHER_NAMES.get(head.lower())
    found = {other: other.format(k=k)} if other else {}
    for spelled in nearest(head, list(forms), limit=6):
        found.setdefault(main.get(spelled, spelled), forms[spelled])
    return list(found.values())[:3]
