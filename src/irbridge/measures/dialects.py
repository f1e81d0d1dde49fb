"""One name in any of three dialects, read into the measures that it means; `irbridge.measures.names` says what these are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from irbridge.budgets import Budget
from irbridge.conventions import EXPONENTIAL, LINEAR
from irbridge.errors import UsageError, shown
from irbridge.measures.arguments import read_arguments
from irbridge.measures.base import Family, Measure, Value, plain
from irbridge.measures.building import build, gain_table, option_value, read_cutoff, read_float
from irbridge.measures.spellings import Index, index_for, refuse, spellings, split_base

_LONGEST = 2000
#: A head, parameters in parentheses, a cutoff.
AT_SHAPE = re.compile(r"([^(@]*)(?:\((.*)\))?(?:@(.*))?", re.DOTALL)


def read_name(name: str) -> list[Measure]:
    """The measures of one name; trec_eval's list of cutoffs stands for several.

    Raises:
        UnknownName: no measure is called that; with the nearest names.
        UsageError: the name is impossible.
    """
    if len(name) > _LONGEST:
        raise UsageError(
            f"a measure name is at most {_LONGEST:,} characters long", hint=f"this one begins {shown(name, 40)}"
        )
    head = re.split(r"[(@]", name, maxsplit=1)[0]
    if not head:
        raise UsageError(
            f"'{shown(name)}' names no measure", hint="write cutoff and parameters without a space: nDCG@10"
        )
    index = index_for(head)
    if head != name:
        return [_read_at(name, head, index)]
    base = split_base(name, index.trec_eval)
    if base is not None:
        return _read_trec(name, base[0], base[1], index.trec_eval[base[0]])
    if name in index.ir_measures:
        return [build(name, index.ir_measures[name], {})]
    if name in index.spec:
        others = " or ".join([f"{name}@10", *index.spec[name].trec_eval])
        raise UsageError(f"{name} needs a cutoff", hint=f"write {others}")
    return refuse(name, head, index)


def _read_at(name: str, head: str, index: Index) -> Measure:
    """A name with parameters in parentheses, or a cutoff after `@`."""
    shape = AT_SHAPE.fullmatch(name)
    if shape is None:
        raise UsageError(
            f"'{shown(name)}' is not complete", hint="write parameters in parentheses, then the cutoff: RR(rel=2)@10"
        )
    if not (head in index.spec or head in index.ir_measures or head in index.trec_eval):
        refuse(name, head, index)
    inside = shape[2]
    if head in index.spec:
        family = index.spec[head]
        budget = Budget.read(shape[3])
        cutoff = None if shape[3] is None or budget else read_cutoff(name, shape[3])
        if inside is not None:
            raise UsageError(
                f"{head} takes no parameters", hint=f"use the name that does: {family.name}(...)@{cutoff or 10}"
            )
        gain = EXPONENTIAL if "gain" in family.takes else None
        return Measure(family, name, "spec", cutoff=cutoff, gain=gain, budget=budget)
    if head in index.ir_measures:
        family = index.ir_measures[head]
        return build(name, family, read_arguments(name, inside) if inside else {}, shape[3])
    family = index.trec_eval[head]
    cutoff = None if shape[3] is None or family.at is not None else read_cutoff(name, shape[3])
    spelled = " or ".join(spellings(head, family, cutoff or 10))
    raise UsageError(f"{head} is trec_eval's name, which takes no '{name[len(head)]}'", hint=f"write {spelled}")


def _read_trec(name: str, base: str, parameters: str | None, family: Family) -> list[Measure]:
    gain = LINEAR if "gain" in family.takes else None
    plain_measure = Measure(family, base, "trec_eval", gain=gain)
    points = family.trec_eval[base]
    if parameters is None:
        return [_point(plain_measure, base, point) for point in points] or [plain_measure]
    if points and family.at is not None:
        given = [option_value(name, family, family.at, read_float(name, part)) for part in parameters.split(",")]
        return [replace(_point(plain_measure, base, _only(each)), options=each) for each in given]
    if points:
        if "." in parameters:
            right = f"{base}.{','.join(part for part in re.split(r'[.,]', parameters) if part)}"
            raise UsageError(
                f"{shown(name)}: cutoffs are separated by commas; trec_eval would use the first one and drop the rest",
                hint=f"write {shown(right)}",
            )
        return [_point(plain_measure, base, read_cutoff(name, part)) for part in parameters.split(",")]
    asked = f"{base}_{parameters}"
    pairs = parameters.split("=", 1)[0] in family.options
    if "=" in parameters and (pairs or gain is not None):
        return [replace(_with_pairs(plain_measure, name, parameters), asked=asked)]
    if family.options and gain is None:
        option = next(iter(family.options))
        several = isinstance(family.options[option], tuple)
        value = parameters if several else read_float(name, parameters)
        return [replace(plain_measure, asked=asked, options=option_value(name, family, option, value))]
    digits = re.match(r"[0-9]{1,18}", parameters)
    others = " or ".join(spellings(base, family, int(digits[0]) if digits else 10))
    raise UsageError(f"{shown(name)}: {base} takes no parameters", hint=f"write {others}")


def _point(measure: Measure, base: str, point: float) -> Measure:
    """The measure at a cutoff, or at a value of what its family takes after @, under the name that trec_eval prints."""
    if measure.family.at is None:
        return replace(measure, asked=f"{base}_{int(point)}", cutoff=int(point))
    # trec_eval prints two decimals always; what they do not tell apart is spelled out, for a name means one thing.
    said = f"{point:.2f}" if float(f"{point:.2f}") == point else plain(point)
    return replace(measure, asked=f"{base}_{said}", options={measure.family.at: float(point)})


def _only(options: Mapping[str, Value]) -> float:
    (value,) = options.values()
    if not isinstance(value, int | float):
        raise TypeError(value)
    return value


def _with_pairs(measure: Measure, name: str, parameters: str) -> Measure:
    """trec_eval's `1=3,2=9` are gains of grades; `p=0.8` among them is an option of the family."""
    gains: list[str] = []
    options: dict[str, Value] = {}
    for pair in parameters.split(","):
        key, _, value = pair.partition("=")
        if key in measure.family.options:
            options.update(option_value(name, measure.family, key, read_float(name, value)))
        else:
            gains.append(pair.replace("=", ":"))
    if not gains:
        return replace(measure, options=options)
    table = read_arguments(name, f"gains={{{','.join(gains)}}}")["gains"]
    return replace(measure, gain=gain_table(name, table), gain_spelled=True, options=options)
