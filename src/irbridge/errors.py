"""Every error that irbridge raises on purpose.

    IrbridgeError                 exit code 2 unless said otherwise
    |- UsageError                 a name, option or combination that cannot be
    |  `- UnknownName             not in a registry; carries the nearest names
    |- InputError                 a file, row or value that cannot be used; carries where and what
    |  `- InputErrors             several of them, gathered from one reading
    |- MissingDependency          an optional package is not installed; carries the pip line
    |- PluginError                what a third party plugged in failed; names it
    `- LossError                  a strict conversion would drop something

A message says what is wrong; `where` says where; `hint` says the way out. Texts and ids are shown escaped and shortened,
so that no input can send control codes to a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

_SHOWN = 80


def shown(text: object, limit: int = _SHOWN) -> str:
    """`text` for a human: control characters, bidi marks and lone surrogates escaped, cut at `limit` characters."""
    plain = _said(text, str)
    cut = plain if len(plain) <= limit else plain[: limit - 3] + "..."
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii") for c in cut)


def quoted(value: object, limit: int = _SHOWN) -> str:
    """`value` as Python writes it, for a human, as `shown`: a text in quotes."""
    return shown(_said(value, repr), limit)


def _said(value: object, how: Callable[[object], str]) -> str:
    try:
        return how(value)
    except Exception:  # noqa: BLE001 - what was handed over may be of any class; Python prints no integer of 4,301 digits
        return (
            "a number of thousands of digits" if isinstance(value, int) else f"a {type(value).__name__} without a text"
        )


class IrbridgeError(Exception):
    """Base of all. `hint` is one line that says what to do next (or None)."""

    exit_code = 2

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def lines(self) -> list[str]:
        """The error as lines for a screen: the message first, what to try last."""
        return [str(self), *([f"try  {self.hint}"] if self.hint else [])]


class UsageError(IrbridgeError):
    """The call itself cannot be carried out."""


class UnknownName(UsageError):
    """A name that no registry entry has. `near` holds the closest known names, best first."""

    def __init__(self, kind: str, name: str, near: Sequence[str] = (), *, hint: str | None = None) -> None:
        ask = f"; did you mean {' or '.join(near)}?" if near else ""
        article = "an" if kind[:1] in "aeio" else "a"
        super().__init__(f"'{shown(name)}' is not {article} {kind}{ask}", hint=hint)
        self.kind = kind
        self.name = name
        self.near = list(near)


class InputError(IrbridgeError):
    """Something that was read cannot be used.

    Args:
        message: what is wrong, in plain words.
        path: the file's label (a path, `-`, or the name of an in-memory object).
        line: 1-based line number, where the input has lines.
        text: the offending text, unescaped; shown escaped.
        hint: the way out.
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        line: int | None = None,
        text: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.path = path
        self.line = line
        self.text = text

    @property
    def where(self) -> str:
        """`path:line`, `path` or an empty string."""
        if self.path is None:
            return ""
        return shown(self.path, 200) + (f":{self.line}" if self.line is not None else "")

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.path is not None else self.message

    def lines(self) -> list[str]:
        found = [str(self)]
        if self.text is not None:
            found.append(f"text {shown(self.text)}")
        if self.hint:
            found.append(f"try  {self.hint}")
        return found


class InputErrors(InputError):
    """The problems of one reading, in file order; `errors` holds at least one."""

    def __init__(self, errors: Sequence[InputError], *, more: bool = False) -> None:
        first = errors[0]
        super().__init__(first.message, path=first.path, line=first.line, text=first.text, hint=first.hint)
        self.errors = list(errors)
        self.more = more

    def lines(self) -> list[str]:
        found: list[str] = []
        last_hint: str | None = None
        for number, error in enumerate(self.errors):
            body = error.lines()
            # The same way out for ten rows is said once.
            if error.hint and error.hint == last_hint:
                body = body[:-1]
            last_hint = error.hint
            found.extend(body if number == 0 else [f"also {body[0]}", *body[1:]])
        if self.more:
            found.append(f"reading stopped after {len(self.errors)} problems; there may be more")
        return found


class MissingDependency(IrbridgeError):
    """An optional package is needed and not there.

    Args:
        package: the import or package name that is missing.
        extra: the irbridge extra that brings it, or None if the package is to be installed by itself.
    """

    def __init__(self, package: str, extra: str | None = None) -> None:
        target = f"'irbridge[{extra}]'" if extra else package
        super().__init__(f"{package} is not installed", hint=f"pip install {target}")
        self.package = package
        self.extra = extra


class LossError(IrbridgeError):
    """A conversion with `strict` would lose something; nothing was written."""


class PluginError(IrbridgeError):
    """What a third party plugged in raised something that is no error of irbridge's.

    Args:
        kind: what it is ("format").
        name: what it is called.
        origin: the module that it comes from.
        error: what it raised.
    """

    def __init__(self, kind: str, name: str, origin: str, error: BaseException) -> None:
        said = shown(error) or "without a word"
        super().__init__(
            f"the {kind} '{shown(name, 40)}' of {shown(origin)} failed: {type(error).__name__}: {said}",
            hint=f"report it to who made {shown(origin.partition(':')[0].partition('.')[0], 40)}, or uninstall that",
        )
