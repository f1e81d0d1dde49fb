"""Measures from a Python file that somebody names: it is run, and what it ends with is a measure like any other."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType

from irbridge.errors import InputError, IrbridgeError, shown
from irbridge.measures import FAMILIES
from irbridge.measures.base import Family
from irbridge.measures.foreign import aside, place_of, printing_aside, vetted

#: More than any Python file needs: 16 MB.
LARGEST = 1 << 24
_CONSTANTS = ("MEASURE", "MEASURES")
_HINT = "end it with MEASURE = irbridge.own_measure(f, 'Name', 'what it is'), or with MEASURES, a tuple of them"


def measures_from(path: str | os.PathLike[str]) -> tuple[Family, ...]:
    """Run a Python file, and take the measures that its `MEASURE` or `MEASURES` names.

    Args:
        path: the file. Its code runs in this process and may do whatever Python may.

    Raises:
        InputError: it cannot be read or run, names no measure, or a name is taken.
    """
    label = os.fspath(path)
    module = _run(label)
    named = [getattr(module, constant) for constant in _CONSTANTS if hasattr(module, constant)]
    families = [each for value in named for each in (value if isinstance(value, tuple | list) else (value,))]
    if not families:
        raise InputError("names no measure", path=label, hint=_HINT)
    found: dict[str, Family] = {}
    taken_in: dict[Family, Family] = {}
    for family in families:
        if not isinstance(family, Family):
            raise InputError(f"{_CONSTANTS[0]} is a {type(family).__name__}, not a measure", path=label, hint=_HINT)
        try:
            # The file names it, also where its function is imported from another one.
            own = taken_in.setdefault(family, replace(vetted(family), origin=label))
        except IrbridgeError as error:
            raise InputError(error.message, path=label, hint=error.hint) from error
        for name in (own.name, *own.aliases):
            if found.setdefault(name, own) is not own:
                raise InputError(f"two measures are called '{name}'", path=label, hint="give each a name of its own")
    return tuple(dict.fromkeys(found.values()))


def _source(path: str) -> bytes:
    """The bytes of the file; of a device there may be no end, and a pipe may have none to wait for."""
    hint = "name a Python file that holds measures"
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise InputError("is no regular file", path=path, hint=hint)
        with open(path, "rb") as file:
            source = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise InputError(shown(getattr(error, "strerror", None) or error), path=path, hint=hint) from error
    if len(source) > LARGEST:
        raise InputError(f"is larger than {LARGEST >> 20} MB", path=path, hint=hint)
    return source


def _run(path: str) -> ModuleType:
    source = _source(path)
    # Not by the import system, which would leave a folder of bytecode beside the file.
    name = f"measures_from_{abs(hash(os.path.abspath(path)))}"
    module = ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module  # dataclasses and pickle look their module up
    try:
        with aside():
            exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - what the user asked for by name
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise _failed(error, path) from error
    return module


def _failed(error: BaseException, path: str) -> InputError:
    if isinstance(error, SyntaxError) and error.filename == path:
        return InputError(f"is no Python: {shown(error.msg)}", path=path, line=error.lineno, text=error.text)
    if isinstance(error, IrbridgeError):
        message, hint = error.message, error.hint
    else:
        message, hint = f"{type(error).__name__}: {shown(error) or 'without a word'}", None
    where, line = place_of(error, path=path)
    return InputError(
        message, path=where or path, line=line, hint=hint or "mend the file, and run it with python alone"
    )


@contextmanager
def plugged(path: str | os.PathLike[str]) -> Iterator[tuple[Family, ...]]:
    """The measures of a file are found by name, as long as this lasts; gives them. What its code prints goes to standard error."""
    with printing_aside():
        families = measures_from(path)
        for family in families:
            for name in (family.name, *family.aliases):
                taken = FAMILIES.find(name)
                if taken is not None:
                    raise InputError(
                        f"the measure name '{name}' is taken already, by {shown(taken.origin or 'irbridge', 80)}",
                        path=os.fspath(path), hint="give your own measure another name",
                    )  # fmt: skip
        with FAMILIES.beside(families):
            yield families
