"""What a chunker is: a `Method` (the descriptor that a module of this package ends with) and a `Chunker`, its use.

A method is a way to cut with settings still open; a chunker has them filled in. A chunker's spans obey five laws,
which are checked whenever spans are made, whoever wrote the method:

1. a span is half open, in code points of the document, and lies inside it;
2. neither end of a span is blank (the white space of spec/chunk-id.md), so identity takes nothing away from a chunk;
3. starts never fall and ends rise, so no span lies inside an earlier one;
4. between one span and the next there is only white space, and so there is before the first and after the last;
5. the same text gives the same spans.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from irbridge.chunking.extents import Extent
from irbridge.errors import IrbridgeError
from irbridge.identity import STRIPPED


@dataclass(frozen=True)
class Setting:
    """A whole number that a method takes.

    Attributes:
        name: what messages call it; an "overlap" has to be smaller than the method's first setting.
        meaning: one line, with the unit.
        lowest, highest: its range.
        default: its value where a spec leaves it out, or None where it must be given.
    """

    name: str
    meaning: str
    lowest: int = 1
    highest: int = 10**9
    default: int | None = None


@dataclass(frozen=True, eq=False)
class Method:
    """One way to cut.

    Attributes:
        name: as in a spec, without slashes and `@`.
        summary: one line for the table of chunkers.
        settings: in the order of a spec; those with a default stand last.
        bind: the settings' values -> the function that cuts. Imports what it needs, and raises `MissingDependency` where
            that is not there.
        example: a spec that works.
        version: raised whenever the same settings may give other spans; a function where a library's release decides.
        extra: the pip extra that it needs, or None.
    """

    name: str
    summary: str
    settings: tuple[Setting, ...]
    bind: Callable[..., Callable[[str], Sequence[Extent]]]
    example: str
    version: int | Callable[[], str] = 1
    extra: str | None = None
    aliases: tuple[str, ...] = ()

    @property
    def usage(self) -> str:
        """The form of its specs, such as `fixed/SIZE[/OVERLAP]`."""
        parts = (
            f"/{setting.name.upper()}" if setting.default is None else f"[/{setting.name.upper()}]"
            for setting in self.settings
        )
        return self.name + "".join(parts)

    def stamp(self) -> str:
        """What a fingerprint ends with: nothing for the first version, `@2` for the second, `@1.4.0` for a library."""
        if callable(self.version):
            return f"@{self.version()}"
        return "" if self.version == 1 else f"@{self.version}"


@dataclass(frozen=True)
class Chunker:
    """A method with its settings.

    Attributes:
        fingerprint: names method, settings and version. Equal fingerprints cut alike. It is part of every chunk id.
        cut: the function that cuts.
    """

    fingerprint: str
    cut: Callable[[str], Sequence[Extent]] = field(repr=False, compare=False)

    def spans(self, text: str) -> list[Extent]:
        """The chunks of a document as (start, end) in code points, half open, in order of start.

        A document without anything but white space has none.

        Raises:
            IrbridgeError: the method broke one of the laws above.
        """
        found = list(self.cut(text))
        broken = broken_law(text, found)
        if broken:
            raise IrbridgeError(
                f"the chunker {self.fingerprint} broke its contract: {broken}",
                hint="this is a fault of the chunker, not of the document; take another one, such as recursive/512/64",
            )
        return found


def broken_law(text: str, spans: Sequence[Extent]) -> str | None:
    """What is wrong with the spans of a text, or None."""
    low, high, size = 0, 0, len(text)
    for number, (start, end) in enumerate(spans):
        if not 0 <= start < end <= size:
            return f"span {number} is [{start}, {end}) in a text of {size} characters"
        if text[start] in STRIPPED or text[end - 1] in STRIPPED:
            return f"span {number} begins or ends with white space"
        if start < low or end <= high:
            return f"span {number}, [{start}, {end}), is out of order"
        if start > high and text[high:start].strip(STRIPPED):
            return f"text before span {number} is in no span"
        low, high = start, end
    return "text at the end is in no span" if text[high:].strip(STRIPPED) else None
