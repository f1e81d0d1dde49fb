"""Every spelling of every measure, by dialect, and what to say of a name that is none of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, NoReturn

from irbridge.errors import UnknownName, UsageError, shown
from irbridge.measures import FAMILIES, absent
from irbridge.measures.base import Family
from irbridge.registry import nearest

_PARAMETERS_FOLLOW = re.compile(r"[-+.0-9]")


class Index(NamedTuple):
    """Every spelling of every family, by dialect."""

    ir_measures: dict[str, Family]
    trec_eval: dict[str, Family]
    spec: dict[str, Family]

    def knows(self, head: str) -> bool:
        return head in self.ir_measures or head in self.spec or split_base(head, self.trec_eval) is not None


@cache
def _index(*, everything: bool) -> Index:
    families = list(FAMILIES) if everything else FAMILIES.builtin()
    return Index(
        {name: family for family in families for name in (family.name, *family.aliases)},
        {name: family for family in families for name in family.trec_eval},
        {family.spec: family for family in families if family.spec is not None},
    )


def index_for(head: str) -> Index:
    """The built-in names, or those of third parties too where the built-in ones do not know `head`."""
    index = _index(everything=False)
    return index if index.knows(head) else _index(everything=True)


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
    if head in absent.UNREADABLE_NICKNAMES:
        raise not_yet(name, absent.UNREADABLE_NICKNAMES[head])
    raise UnknownName("measure", name, _near(name, head, index), hint="irbridge measures")


def _near(name: str, head: str, index: Index) -> list[str]:
    """The names most like `name`, spelled out with its cutoff."""
    digits = re.search(r"[@._]([0-9]{1,18})$", name)
    k = digits[1] if digits else "10"
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
