"""What a report rests on: who made the labels, which files it was made of, and when."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from irbridge.arguments import whole_number
from irbridge.errors import UsageError, shown
from irbridge.inputs import Input
from irbridge.measures.base import Family, Measure, budgets
from irbridge.model import Judgment
from irbridge.source import Source

if TYPE_CHECKING:
    from irbridge.corpora import Corpus


class Provenance:
    """Who made the labels, and on which corpus: counted while they are read, so that nothing is held or read twice.

    Attributes:
        human, synthetic: labels whose `labeled_by` starts with `human:` and `synthetic:`.
        fingerprints: every corpus fingerprint that a label names.
    """

    def __init__(self) -> None:
        self.human = 0
        self.synthetic = 0
        self.fingerprints: set[str] = set()

    def counted(self, labels: Iterable[Judgment]) -> Iterator[Judgment]:
        """The labels as they are, counted on their way."""
        for label in labels:
            by = label.labeled_by
            if by is not None:
                self.human += by.startswith("human:")
                self.synthetic += by.startswith("synthetic:")
            if label.corpus_fingerprint:
                self.fingerprints.add(label.corpus_fingerprint)
            yield label

    @property
    def fingerprint(self) -> str | None:
        """The one corpus that all labels with a fingerprint were made on, or None."""
        return next(iter(self.fingerprints)) if len(self.fingerprints) == 1 else None


class InputRecord(NamedTuple):
    """One input of a report; `sha256` is None where the input is no regular file or no digest was asked for."""

    role: str
    path: str
    format: str
    sha256: str | None

    @classmethod
    def of(cls, role: str, source: Input, *, digest: bool) -> InputRecord:
        path = source.source.path if source.size is not None else None
        return cls(role, source.label, source.format.name, _sha256(path, digest=digest))


def _sha256(path: str | None, *, digest: bool) -> str | None:
    """Of a file's bytes. A digest reads it once more, so that a screen, which does not show it, goes without."""
    if path is None or not digest:
        return None
    from irbridge.canonical import file_sha256

    return file_sha256(path)


def own_files(family: Family) -> tuple[str, ...]:
    """The files that a measure which is not irbridge's own comes from: the one that names it, and the one of its function."""
    if not family.origin:
        return ()
    from irbridge.measures.foreign import code_of

    code = code_of(family.compute)
    named = (family.origin, *([] if code is None else [code.co_filename]))
    return tuple(dict.fromkeys(path for path in named if Source(path).size is not None))


def files_beside(
    measures: Iterable[Measure], lengths: Any, corpus: Corpus | None = None, *, digest: bool
) -> Iterator[InputRecord]:
    """What numbers rest on beside labels and run: files of measures that are not irbridge's; lengths, or the corpus, that budgets need."""
    measures = list(measures)
    for path in dict.fromkeys(path for measure in measures for path in own_files(measure.family)):
        yield InputRecord("measures", path, "python", _sha256(path, digest=digest))
    if not budgets(measures):
        return
    if lengths is not None:
        source = Source(lengths) if isinstance(lengths, str | os.PathLike) else None
        file = source.path if source is not None and source.size is not None else None
        label = "the program" if source is None else source.label
        yield InputRecord("lengths", label, "lengths", _sha256(file, digest=digest))
    elif corpus is not None:
        file = corpus.source.path if corpus.size is not None else None
        part = "chunks" if corpus.chunker is None else "documents"
        yield InputRecord("corpus", corpus.label, part, _sha256(file, digest=digest))


def now() -> str:
    """This second in UTC; SOURCE_DATE_EPOCH stands in for it, so that a report can be made again to the byte.

    Raises:
        UsageError: SOURCE_DATE_EPOCH is no number of seconds.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        at = time.gmtime(None if not given else whole_number(given))
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", at)
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"SOURCE_DATE_EPOCH is '{shown(given, 40)}', not a number of seconds since 1970",
            hint="unset it, or set it to a whole number",
        ) from None
