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

from irbridge.errors import UsageError, shown
from irbridge.measures import absent
from irbridge.measures.arguments import read_arguments
from irbridge.measures.base import Family, Measure
from irbridge.measures.building import INT64, build
from irbridge.measures.dialects import AT_SHAPE, read_name
from irbridge.measures.spellings import index_for, refuse

_SPEC_SIX = ("precision", "recall", "ndcg", "mrr", "map", "hit_rate")


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
                    found.extend(read_name(member))
                else:
                    found.left_out[member] = absent.TREC_EVAL[member]
        elif isinstance(item, str):
            found.extend(read_name(item))
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
    shape = AT_SHAPE.fullmatch(name)
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
