"""One parser for three dialects of measure names.

    ir_measures   nDCG@10   RR(rel=2)@10   nDCG(gains={0:0,1:1,2:5})@10   MAP
    trec_eval     ndcg_cut_10   map   P.5,10   ndcg.1=3,2=9   official
    spec          ndcg@10   hit_rate@3   (lower case with a cutoff: the judgments specification)

A name means exactly one thing. Where two dialects share a spelling they mean the same, but for bare `P`, which is
trec_eval's nine cutoffs: ir_measures has no P without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from irbridge.budgets import Budget
from irbridge.conventions import EXPONENTIAL, LINEAR
from irbridge.errors import UsageError, shown
from irbridge.measures import absent
from irbridge.measures.arguments import read_arguments
from irbridge.measures.base import Family, Measure, Value, plain
from irbridge.measures.building import INT64, build, gain_table, option_value, read_cutoff, read_float
from irbridge.measures.spellings import Index, index_for, refuse, spellings, split_base

_LONGEST = 2000
_SPEC_SIX = ("precision", "recall", "ndcg", "mrr", "map", "hit_rate")
# A head, parameters in parentheses, a cutoff.
_AT_SHAPE = re.compile(r"([^(@]*)(?:\((.*)\))?(?:@(.*))?", re.DOTALL)


class Measures(list[Measure]):
    """Measures in the order asked for.

    Attributes:
        left_out: what a nickname such as `official` also stands for and irbridge does not compute: name -> who does.
    """

    def __init__(self, measures: Iterable[Measure] = (), left_out: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.left_out: dict[str, str] = dict(left_out or {})
        self.extend(measures)

    def append(self, measure: Measure) -> None:
        """Add a measure, unless one of its name is there."""
        if all(known.asked != measure.asked for known in self):
            super().append(measure)

    def extend(self, measures: Iterable[Measure]) -> None:
        """Add those whose names are not there yet."""
        for measure in measures:
            self.append(measure)


# ------------------------------------------------------------------------------------------------------------- public


def parse(names: object) -> Measures:
    """Measures by name.

    Args:
        names: a text of one or more names separated by white space, a measure object of irbridge or ir_measures, a
            descriptor (`irbridge.own_measure`), or an iterable of these.

    Returns:
        The measures in the order asked for, each once; trec_eval's lists of cutoffs and nicknames become several. What a
        nickname stands for and irbridge does not compute is in the list's `left_out`.

    Raises:
        UnknownName: no measure is called that; with the nearest names.
        UsageError: the name is impossible (a cutoff of 0, a parameter that the measure has not), or nothing is named.
    """
    found = Measures(left_out=getattr(names, "left_out", None))
    try:
        items = list(_items(names))
    except RecursionError:
        raise UsageError("the list of measures is nested too deeply", hint="give names such as 'nDCG@10 AP'") from None
    for item in items:
        if isinstance(item, str) and item in absent.NICKNAMES:
            for member in absent.NICKNAMES[item]:
                if index_for(member).knows(member):
                    found.extend(_read(member))
                else:
                    found.left_out[member] = absent.TREC_EVAL[member]
        elif isinstance(item, str):
            found.extend(_read(item))
        else:
            _append_object(found, item)
    if not found:
        raise UsageError("no measure is named", hint="irbridge measures")
    return found


def asked_name(measure: object) -> str:
    """The name under which results have a measure: a text as it is, of an object what it is called.

    Raises:
        UsageError: it is no measure.
    """
    return measure if isinstance(measure, str) else parse(measure)[0].asked


def spec_six(k: int) -> Measures:
    """The six measures of the judgments specification at cutoff `k`, in its order.

    Raises:
        UsageError: `k` is not a whole number from 1.
    """
    return parse([f"{name}@{_whole(k)}" for name in _SPEC_SIX])


def at_cutoffs(measures: Sequence[Measure], ks: Iterable[int]) -> Measures:
    """Each measure that takes a cutoff at every one of `ks` instead of its own; the others as they are.

    New names stay in the dialect of the old one; where that has none (trec_eval cannot say RR@10), they are ir_measures'.

    Raises:
        UsageError: a cutoff is not a whole number from 1.
    """
    cutoffs = [_whole(k) for k in ks]
    found = Measures(left_out=getattr(measures, "left_out", None))
    for measure in measures:
        found.extend([_at(measure, k) for k in cutoffs] if "cutoff" in measure.family.takes else [measure])
    return found


def _whole(k: object) -> int:
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= INT64:
        raise UsageError(f"a cutoff must be a whole number from 1, not {shown(k)}")
    return k


def family_named(name: str) -> Family:
    """The family of a name in any dialect, with or without the cutoff that the name needs.

    Raises:
        UnknownName, UsageError: as `parse`.
    """
    index = index_for(name)
    for names in (index.ir_measures, index.trec_eval, index.spec):
        if name in names:
            return names[name]
    families = {measure.family for measure in parse(name)}
    if len(families) > 1:
        raise UsageError(f"'{shown(name)}' stands for several measures", hint="ask for one of them")
    return families.pop()


# ------------------------------------------------------------------------------------------------------------- reading


def _items(names: object) -> Iterator[Any]:
    if isinstance(names, str):
        yield from split_names(names)
    elif isinstance(names, Measure | Family) or _is_foreign(names):
        yield names
    elif isinstance(names, Iterable) and not isinstance(names, bytes):
        for item in names:
            yield from _items(item)
    else:
        raise UsageError(f"'{shown(names)}' is not a measure", hint="give names such as 'nDCG@10 AP'")


def split_names(text: str) -> list[str]:
    """The names in `text`: split at white space that is not inside parentheses, braces or quotes."""
    names: list[str] = []
    current = ""
    depth, quote = 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "({":
            depth += 1
        elif character in ")}":
            depth -= 1
        elif depth <= 0 and character.isspace():
            names += [current] if current else []
            current = ""
            continue
        current += character
    return names + ([current] if current else [])


def _read(name: str) -> list[Measure]:
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
    shape = _AT_SHAPE.fullmatch(name)
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


def _append_object(found: Measures, item: Any) -> None:
    """Add what is given as an object: a measure, a descriptor of somebody's own, or a measure of ir_measures."""
    if isinstance(item, Family):
        item = item()
    elif not isinstance(item, Measure):
        item = _from_object(item)
    if any(known.asked == item.asked and known.family is not item.family for known in found):
        raise UsageError(f"two measures are called '{shown(item.asked)}'", hint="give each a name of its own")
    found.append(item)


def _is_foreign(item: object) -> bool:
    """Whether this looks like a measure of ir_measures (which need not be imported to tell)."""
    return isinstance(getattr(item, "NAME", None), str) and isinstance(getattr(item, "params", None), dict)


def _from_object(item: Any) -> Measure:
    """What ir_measures prints for its object, read back: a name must not mean more than it says."""
    name = str(item)
    index = index_for(item.NAME)
    shape = _AT_SHAPE.fullmatch(name)
    if item.NAME not in index.ir_measures or shape is None:
        refuse(name, item.NAME, index)
    return build(name, index.ir_measures[item.NAME], read_arguments(name, shape[2] or ""), shape[3])


def _at(measure: Measure, k: int) -> Measure:
    """`measure` at cutoff `k`, under a name of the same dialect."""
    moved = replace(measure, cutoff=k, budget=None)
    family = measure.family
    cut_names = [name for name, cutoffs in family.trec_eval.items() if cutoffs]
    if measure.dialect == "spec":
        return replace(moved, asked=f"{family.spec}@{k}")
    if measure.dialect == "trec_eval" and cut_names and not measure.gain_spelled:
        return replace(moved, asked=f"{cut_names[0]}_{k}")
    if measure.dialect == "ir_measures" and "cutoff" not in measure.asked:
        return replace(moved, asked=re.sub(r"@[0-9]+[a-z]*$", "", measure.asked) + f"@{k}")
    return replace(moved, asked=str(moved), dialect="ir_measures")
