"""What qrels cannot hold, kept beside them: the judgments file as it was, to be put together again on the way back.

A sidecar is a copy of the judgments JSONL. On the way back each qrels row finds its line by query and document; if the
grade is unchanged the line comes back as it was, else with the new grade. If nothing was added, removed or regraded the
result equals the original byte for byte, in its order.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from typing import cast

from irbridge.atomic import atomic_write
from irbridge.errors import UsageError
from irbridge.formats.judgments import write
from irbridge.inputs import Input
from irbridge.model import Judgment
from irbridge.source import Source
from irbridge.wording import worded


class Sidecar:
    """The labels of a sidecar by query and document, in their order."""

    def __init__(self, labels: Iterable[Judgment]) -> None:
        # By target, for several places of a document are several labels, which one row of qrels stands for.
        self._labels = {(label.query_id, label.target, label.iteration): label for label in labels}
        self._regraded = 0
        self._new = 0
        self._gone = 0

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Sidecar:
        return cls(cast("Iterable[Judgment]", iter(Input(path, "judgments", name="judgments"))))

    @staticmethod
    def write(source: Input, path: str | os.PathLike[str]) -> None:
        """Copy the judgments file that `source` is; of another source write its labels as one.

        Raises:
            UsageError: the source cannot be read again.
        """
        if isinstance(source.source, Source) and source.source.size is None and not source.source.is_dir:
            raise UsageError("a sidecar is made of what can be read twice", hint="save the judgments to a file first")
        with atomic_write(path) as stream:
            if source.format.name == "judgments" and isinstance(source.source, Source):
                with source.source.open() as original:
                    shutil.copyfileobj(original, stream)
            else:
                write(cast("Iterable[Judgment]", iter(source)), stream)

    def restored(self, rows: Iterable[Judgment]) -> Iterator[Judgment]:
        """The labels that `rows` stand for, in the sidecar's order; rows that it does not have come last."""
        grades = {(row.query_id, row.key, row.iteration): row for row in rows}
        known = {(label.query_id, label.key, label.iteration) for label in self._labels.values()}
        for label in self._labels.values():
            row = grades.get((label.query_id, label.key, label.iteration))
            if row is None:
                self._gone += 1
            elif row.relevance == label.relevance:
                yield label
            else:
                self._regraded += 1
                yield label._replace(relevance=row.relevance)
        new = [row for key, row in grades.items() if key not in known]
        self._new = len(new)
        yield from new

    def notes(self) -> list[str]:
        """What differs between the qrels and the sidecar, in words."""
        said = (
            (self._regraded, "{n} {label has|labels have} another grade than in the sidecar"),
            (self._new, "{n} {label is|labels are} not in the sidecar"),
            (
                self._gone,
                "{n} {label|labels} of the sidecar {is not in the qrels and was|are not in the qrels and were} left out",
            ),
        )
        return [worded(text, count) for count, text in said if count]
