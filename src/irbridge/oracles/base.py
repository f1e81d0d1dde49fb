"""What an oracle is: somebody else's engine, how to tell whether it is there, what it covers, and how it is called.

An oracle is never trusted with input that would crash or poison it: what it must not see is found before the call and
said as a reason. It knows a measure only by what `Asked` says, so that oracles and measures stay blind to each other.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from irbridge.conventions import Convention, Gain
from irbridge.errors import IrbridgeError, shown

# What an option of a measure may hold.
Option = float | bool | tuple[float, ...]
QrelsDict = Mapping[str, Mapping[str, int]]
RunDict = Mapping[str, Mapping[str, float]]


class Unavailable(IrbridgeError):
    """An oracle that is not installed, or is installed and broken; the message is the reason."""


class AskedFamily(Protocol):
    """What an oracle may know of a measure's family."""

    @property
    def name(self) -> str: ...
    @property
    def takes(self) -> frozenset[str]: ...
    @property
    def trec_eval(self) -> Mapping[str, tuple[float, ...]]: ...
    @property
    def at(self) -> str | None: ...
    @property
    def whole(self) -> frozenset[str]: ...
    @property
    def needs(self) -> str: ...
    @property
    def mean(self) -> Callable[..., float] | None: ...


class Asked(Protocol):
    """What an oracle may know of a measure: `irbridge.measures.base.Measure`, resolved under a convention, is one."""

    @property
    def family(self) -> AskedFamily: ...
    @property
    def asked(self) -> str: ...
    @property
    def cutoff(self) -> int | None: ...
    @property
    def level(self) -> int: ...
    @property
    def gain(self) -> Gain | None: ...
    @property
    def gain_spelled(self) -> bool: ...
    @property
    def judged_only(self) -> bool: ...
    @property
    def options(self) -> Mapping[str, Option]: ...


@dataclass(frozen=True)
class Material:
    """What an oracle is given; its own copy of nothing, so an oracle that writes into its input copies first.

    Attributes:
        qrels: query -> document -> grade; no query without a label.
        run: query -> document -> score, judged queries only; of a repeated document the last row counts. `crosscheck` leaves
            out rankings without a document: trec_eval's code may crash at one.
        repeated: queries whose ranking held a document twice, which no dict can show.
        subtopics: (query, document, grade, subtopic) of labels that were read with their subtopics; `qrels` then has each
            document's highest grade.
    """

    qrels: dict[str, dict[str, int]]
    run: dict[str, dict[str, float]]
    repeated: tuple[str, ...] = ()
    subtopics: tuple[tuple[str, str, int, str], ...] = ()

    @classmethod
    def of(cls, qrels: QrelsDict, run: RunDict, repeated: Sequence[str] = ()) -> Material:
        """Plain dicts of what is given: a query without labels has no answer and is left out, as are its rankings."""
        judged = {query_id: dict(own) for query_id, own in qrels.items() if own}
        return cls(
            judged, {query_id: dict(own) for query_id, own in run.items() if query_id in judged}, tuple(repeated)
        )

    def plain(self) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
        """(qrels, run) of Python's own int and float, which is all that the C code takes.

        The outer dicts are new; a ranking that is plain already is this one, not a copy, for a run may be large.
        """
        qrels = {
            query_id: own if _all_of(int, own) else {doc_id: int(grade) for doc_id, grade in own.items()}
            for query_id, own in self.qrels.items()
        }
        run = {
            query_id: own if _all_of(float, own) else {doc_id: float(score) for doc_id, score in own.items()}
            for query_id, own in self.run.items()
        }
        return qrels, run


def _all_of(kind: type, own: Mapping[str, object]) -> bool:
    return set(map(type, own.values())) <= {kind}


@dataclass(frozen=True)
class Answer:
    """What an oracle said.

    Attributes:
        values: asked name -> query -> value. A query that the oracle leaves out of its mean is absent.
        means: asked name -> the oracle's own aggregate, where it has one.
        refused: why it was not called, or what it died of; then there are no values.
        left_out: asked name -> why this oracle has no such measure.
        declined: asked name -> why it was not asked for this one here, though it has it.
    """

    values: dict[str, dict[str, float]] = field(default_factory=dict)
    means: dict[str, float] = field(default_factory=dict)
    refused: str | None = None
    left_out: dict[str, str] = field(default_factory=dict)
    declined: dict[str, str] = field(default_factory=dict)

    def joined(self, other: Answer) -> Answer:
        """Both together; for an oracle that is called several times."""
        return Answer({**self.values, **other.values}, {**self.means, **other.means})


@dataclass(frozen=True)
class Oracle:
    """One engine.

    Attributes:
        name: as on the command line.
        summary: one line for the table of oracles.
        probe: its version, or `Unavailable`; anything else that it raises counts as broken.
        covers: None if it can compute a (resolved) measure, else why not.
        convention: what it does to a measure, as a convention; differences are explained by it first.
        declines: by asked name: why just these measures are not asked for with this input.
        formula: the code of a formula of its own that it has for a measure (`irbridge.crosscheck.variants`), or None.
        note: which part of the group this is, for a sentence ("its msmarco provider"), or an empty string.
        tolerance: how far its values may be from the exact ones, because of how it rounds or prints.
        refuses: why this input must not reach it, or None. Ids, scores and grades are known to be of the right types.
        call: asks it. Covered measures only; may raise anything.
        group: oracles that a table shows as one column.
    """

    name: str
    summary: str
    probe: Callable[[], str]
    covers: Callable[[Asked], str | None]
    convention: Callable[[Asked], Convention]
    call: Callable[[Material, Sequence[Asked]], Answer]
    refuses: Callable[[Material, Sequence[Asked]], str | None]
    declines: Callable[[Material, Sequence[Asked]], dict[str, str]] = lambda _material, _measures: {}
    formula: Callable[[Asked], str | None] = lambda _: None
    note: str = ""
    tolerance: float = 1e-9
    group: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def column(self) -> str:
        """The group, or the name where it stands alone."""
        return self.group or self.name

    def status(self) -> tuple[str | None, str | None]:
        """(version, None), or (None, "skipped: reason")."""
        version, skipped, _ = self.probed()
        return version, skipped

    def probed(self) -> tuple[str | None, str | None, str | None]:
        """(version, None, None), or (None, "skipped: reason", how to get it or None)."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return self.probe(), None, None
        except IrbridgeError as error:
            return None, f"skipped: {error}", error.hint
        except Exception as error:  # noqa: BLE001 - a broken package may raise anything when it is imported
            return None, f"skipped: broken: {reason(error)}", None

    def evaluate(
        self, qrels: QrelsDict, run: RunDict, measures: Sequence[Asked], repeated: Sequence[str] = ()
    ) -> Answer:
        """Ask for values. Never raises; never changes what it is given.

        Args:
            qrels: query -> document -> grade.
            run: query -> document -> score; queries without labels are not handed on.
            measures: resolved measures; those that are not covered are left out of the answer, with the reason.
            repeated: queries whose ranking held a document twice.
        """
        return self.answer(Material.of(qrels, run, repeated), measures)

    def answer(self, material: Material, measures: Sequence[Asked]) -> Answer:
        """`evaluate` on material that is at hand already."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return self._answer(material, measures)
        except Exception as error:  # noqa: BLE001 - a foreign engine may die of anything
            return Answer(refused=f"failed: {reason(error)}")

    def _answer(self, material: Material, measures: Sequence[Asked]) -> Answer:
        from irbridge.oracles.guards import malformed

        uncovered = {measure.asked: self.covers(measure) for measure in measures}
        left_out = {asked: why for asked, why in uncovered.items() if why is not None}
        wanted = [measure for measure in measures if measure.asked not in left_out]
        if not wanted:
            return Answer(left_out=left_out)
        refused = malformed(material, wanted) or self.refuses(material, wanted)
        if refused is not None:
            return Answer(refused=f"not called: {refused}", left_out=left_out)
        declined = {asked: f"not called: {why}" for asked, why in self.declines(material, wanted).items()}
        wanted = [measure for measure in wanted if measure.asked not in declined]
        found = self.call(material, wanted) if wanted else Answer()
        return replace(found, left_out=left_out, declined=declined)


def reason(error: BaseException) -> str:
    """An exception as one short line."""
    first = str(error).strip().split("\n")[0]
    return shown(f"{type(error).__name__}: {first}" if first else type(error).__name__, 160)


def module(name: str, hint: str) -> Any:
    """Import a module.

    Raises:
        Unavailable: it is not installed; a module that fails in any other way raises what it raises.
    """
    from importlib import import_module

    package = name.split(".", maxsplit=1)[0]
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        itself = missing.split(".", maxsplit=1)[0] == package
        what = "is not installed" if itself else f"needs {missing}, which is not installed"
        raise Unavailable(f"{package} {what}", hint=hint) from error
