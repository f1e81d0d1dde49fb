"""A measure that is not irbridge's own: its name must be free, and what its functions do wrong is told by file, line and query.

Whoever brings it, an installed package, a file that is named on the command line or a call of Python: what it dies of, or
gives that is no number, must neither be a traceback nor stand in a report.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from math import inf, isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from irbridge.arrays import Floats
from irbridge.errors import InputError, IrbridgeError, UsageError, quoted, shown
from irbridge.measures.base import Family, Measure

if TYPE_CHECKING:
    from irbridge.hits import Hits

_NAME = re.compile(r"[^\W\d]\w*")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_VETTED: WeakKeyDictionary[Family, Family] = WeakKeyDictionary()
_ASIDE: ContextVar[bool] = ContextVar("aside", default=False)


@contextmanager
def printing_aside() -> Iterator[None]:
    """As long as this lasts standard output is a command's own: what somebody else's code prints goes to standard error."""
    before = _ASIDE.set(True)
    try:
        yield
    finally:
        _ASIDE.reset(before)


def aside() -> AbstractContextManager[object]:
    """In which somebody else's code is run."""
    return redirect_stdout(sys.stderr) if _ASIDE.get() else nullcontext()


def vetted(family: Family) -> Family:
    """The family with its functions guarded; the same for the same one, and itself where it is vetted already.

    Raises:
        UsageError: a name of it is none, or belongs to another measure.
    """
    found = family if family.origin else _VETTED.get(family)
    if found is None:
        check_names(family)
        code = code_of(family.compute)
        found = _VETTED[family] = replace(
            family,
            origin=code.co_filename if code is not None else "this call",
            **{name: _guarded(name, getattr(family, name), family.name) for name in _GUARDS},
        )  # fmt: skip
    return found


def check_names(family: Family) -> None:
    """Refuse names that cannot be written, and those that mean another measure already, in any dialect.

    Raises:
        UsageError: see there.
    """
    from irbridge.measures.absent import NICKNAMES
    from irbridge.measures.spellings import shipped

    names = [family.name, *family.aliases, *family.trec_eval, *([] if family.spec is None else [family.spec])]
    for name in names:
        if type(name) is not str or _NAME.fullmatch(name) is None:
            raise UsageError(
                f"{quoted(name, 40)} is no name of a measure",
                hint="a letter, then letters, digits and underscores: the cutoff is written behind it, after @",
            )
        if shipped().knows(name) or name in NICKNAMES:
            raise UsageError(
                f"the name '{name}' belongs to a measure of irbridge's", hint="give your own measure another name"
            )


class Guarded:
    """A function of somebody else's: what it raises becomes an `InputError` that says where.

    Args:
        function: theirs.
        measure: what the measure is called.
    """

    def __init__(self, function: Callable[..., Any], measure: str) -> None:
        self.function = function
        self.measure = measure

    def __call__(self, *arguments: Any) -> Any:
        return self.called("", *arguments)

    def called(self, where: str, *arguments: Any) -> Any:
        """What the function gives; `where` says in an error what it was called for (" on query q1")."""
        try:
            with aside():
                return self.function(*arguments)
        except IrbridgeError:
            raise
        except (Exception, SystemExit) as error:
            path, line = place_of(error, self.function)
            said = shown(error) or "without a word"
            raise InputError(
                f"{self._named} failed{where}: {type(error).__name__}: {said}",
                path=path,
                line=line,
                hint=self._hint(path),
            ) from error

    def refused(self, what: str) -> InputError:
        """The error of a function that gives what it must not."""
        code = code_of(self.function)
        path, line = (None, None) if code is None else (code.co_filename, code.co_firstlineno)
        return InputError(f"{self._named} gives {what}", path=path, line=line, hint=self._hint(path))

    def number(self, value: Any, where: str) -> float:
        """`value` as a float.

        Raises:
            InputError: it is no finite number.
        """
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        if not isinstance(value, Real | np.bool_):
            raise self.refused(f"{quoted(value, 40)}{where}; it takes a number")
        try:
            found = float(value)
        except OverflowError:
            found = inf
        if not isfinite(found):
            raise self.refused(f"{found}{where}; it takes a finite number")
        return found

    @property
    def _named(self) -> str:
        return (
            f"{shown(getattr(self.function, '__name__', 'a function'), 40)} of the measure '{shown(self.measure, 40)}'"
        )

    @staticmethod
    def _hint(path: str | None) -> str:
        return f"the measure is not irbridge's own: mend it{'' if path is None else f' in {shown(path, 200)}'}"


class Checked(Guarded):
    """A `compute`: what it gives must be a finite number for each query."""

    def __call__(self, hits: Hits, measure: Measure) -> Floats:
        made = self.called(" on all queries at once", hits, measure)
        try:
            values = np.asarray(made)
        except ValueError:  # of rows of several lengths there is no array
            values = np.array(None)
        if values.dtype.kind not in "fiub":
            raise self.refused(f"a {type(made).__name__} that holds no numbers; it takes a float64 for each query")
        if values.shape != (hits.queries,):
            raise self.refused(f"an array of shape {values.shape}; it takes ({hits.queries},), a number for each query")
        broken = np.flatnonzero(~np.isfinite(values))
        if len(broken):
            query_id = shown(hits.qrels.query_ids[broken[0]], 40)
            raise self.refused(f"{values[broken[0]]} on query {query_id}; it takes a finite number")
        return values.astype(np.float64)


class Aggregate(Guarded):
    """A `mean`, which must be a finite number."""

    def __call__(self, *arguments: Any) -> float | None:
        return self.number(self.called(" on all queries at once", *arguments), " for all queries")


class Overall(Guarded):
    """An `overall`: a finite number, or None where the mean is to be taken."""

    def __call__(self, *arguments: Any) -> float | None:
        made = self.called(" on all queries at once", *arguments)
        return None if made is None else self.number(made, " for all queries")


_GUARDS: dict[str, type[Guarded]] = {"compute": Checked, "expected": Checked, "overall": Overall, "mean": Aggregate}


def _guarded(field: str, function: Any, measure: str) -> Any:
    """A function that guards itself (`irbridge.measures.own`) stays as it is."""
    return function if function is None or isinstance(function, Guarded) else _GUARDS[field](function, measure)


def place_of(error: BaseException, function: object = None, path: str | None = None) -> tuple[str | None, int | None]:
    """(file, line) where somebody else's code failed: the innermost in the function's own file, else outside irbridge."""
    code = code_of(function)
    path = code.co_filename if code is not None else path
    frames: list[tuple[str | None, int | None]] = [
        (frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__, limit=-200)
    ]
    own = [place for place in frames if place[0] == path]
    outside = [place for place in frames if not os.path.abspath(place[0] or "").startswith(_PACKAGE + os.sep)]
    return (own or outside or [(path, None)])[-1]


def code_of(function: object) -> Any:
    """The code of a function, of what a guard or `functools.partial` wraps, or of an object's `__call__`; or None."""
    if isinstance(function, Guarded | partial):
        return code_of(function.function if isinstance(function, Guarded) else function.func)
    code = getattr(function, "__code__", None)
    return getattr(vars(type(function)).get("__call__"), "__code__", None) if code is None else code
