"""What a check of judgments is: a descriptor, and a watcher that sees labels, queries and chunks go by."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from irbridge.model import NO_FIELDS, Judgment, Query

if TYPE_CHECKING:
    from irbridge.model import Chunk

Severity = Literal["error", "warning", "info"]
Needs = Literal["labels", "corpus", "queries"]
#: A stratum with fewer labels is too thin to gate on.
THIN = 5
UNSTRATIFIED = "_unstratified"
_NO_KEYS: dict[str, int] = {}


class Issue(NamedTuple):
    """One thing that is wrong with a set of judgments, or may be.

    Attributes:
        code: the check's name.
        message: what is wrong, in the words that other implementations match on; unescaped.
        line: the 1-based line of the label it was noticed at, or None where the input has no lines or it is no one label's.
        evidence: further JSON values: ids, grades, digests.
    """

    severity: Severity
    code: str
    message: str
    line: int | None = None
    evidence: Mapping[str, Any] = NO_FIELDS

    def as_dict(self) -> dict[str, Any]:
        """JSON values: the specification's three members, then irbridge's own."""
        made: dict[str, Any] = {"severity": self.severity, "code": self.code, "message": self.message}
        if self.line is not None:
            made["line"] = self.line
        return {**made, **self.evidence}


class Tally:
    """What all checks look at: labels as they are counted. Memory follows the labels, and holds no text but the queries'.

    Attributes:
        texts: query id -> the text that its last row with one had, or None; in order of first appearance.
        keys: query id -> key -> number of the first row that has it.
        crowded: (query id, document) of which several labels name different places, or one a place and one all of it.
        grades, lines, by: per row its grade, its line (0 where the input has none), and the number of its `labeled_by`.
        names: the `labeled_by` of all rows, each once; the first is None.
        strata: name -> labels, in order of first appearance.
        anchored: how many labels have a chunk_id.
        fingerprints: every non-empty corpus fingerprint, in order of first appearance.
        given: query id -> text, from the collection's queries, where the labels have none.
    """

    def __init__(self) -> None:
        self.texts: dict[str, str | None] = {}
        self.keys: dict[str, dict[str, int]] = {}
        self.crowded: set[tuple[str, str]] = set()
        # Labels of places are rare: only for documents that have one the first row of each target is kept.
        self._placed: set[int] = set()
        self._targets: dict[tuple[str, str], int] = {}
        self.grades, self.lines, self.by = array("q"), array("q"), array("i")
        self.names: list[str | None] = [None]
        self.strata: dict[str, int] = {}
        self.anchored = 0
        self.fingerprints: dict[str, None] = {}
        self.given: dict[str, str] = {}
        self._number: dict[str | None, int] = {None: 0}
        self._counts = [0]
        self._query_id: str | None = None
        self._own: dict[str, int] = _NO_KEYS

    def __len__(self) -> int:
        """The number of labels."""
        return len(self.grades)

    def first_row(self, label: Judgment) -> int | None:
        """The row that has the label's query and target already, or None."""
        if label.query_id != self._query_id:
            self._query_id = label.query_id
            self._own = self.keys.get(label.query_id, _NO_KEYS)
        chunk_id = label.chunk_id
        row = self._own.get(label.doc_uri if chunk_id is None else chunk_id)
        if row is None or chunk_id is not None or not (label.extra or self._placed):
            return row
        target = label.target
        apart = target != label.doc_uri or row in self._placed
        return self._targets.get((label.query_id, target)) if apart else row

    def add(self, label: Judgment, line: int) -> None:
        """Count one label; `first_row` was asked about it before."""
        query_id, _, grade, query, chunk_id = label[:5]
        if self._own is _NO_KEYS:
            self._own = self.keys[query_id] = {}
            self.texts[query_id] = None
        first = self._own.setdefault(label.doc_uri if chunk_id is None else chunk_id, len(self.grades))
        if chunk_id is None and (label.extra or self._placed):
            self._add_place(label, first)
        if query is not None:
            self.texts[query_id] = query
        self.anchored += chunk_id is not None
        annotator = label.labeled_by
        by = self._number.get(annotator)
        if by is None:
            by = self._named(annotator or "")
        self._counts[by] += 1
        self.grades.append(grade)
        self.lines.append(line)
        self.by.append(by)
        stratum = label.stratum or UNSTRATIFIED
        self.strata[stratum] = self.strata.get(stratum, 0) + 1
        if label.corpus_fingerprint:
            self.fingerprints[label.corpus_fingerprint] = None

    def _add_place(self, label: Judgment, first: int) -> None:
        """Count a label of a document if it names a place of it, or another one does; `first`: the first row of its key."""
        row, name = len(self.grades), (label.query_id, label.target)
        if name[1] != label.doc_uri:
            self._placed.add(row)
        elif first not in self._placed:
            return
        if first != row and name not in self._targets:
            self.crowded.add((label.query_id, label.doc_uri))
        self._targets.setdefault(name, row)

    def _named(self, name: str) -> int:
        number = self._number[name] = len(self.names)
        self.names.append(name)
        self._counts.append(0)
        return number

    def labels_by(self, kind: str) -> int:
        """How many labels have a `labeled_by` that begins with `kind`."""
        return sum(
            count for name, count in zip(self.names, self._counts, strict=True) if name and name.startswith(kind)
        )

    @property
    def human(self) -> int:
        """Labels that people made."""
        return self.labels_by("human:")

    @property
    def synthetic(self) -> int:
        """Labels that machines made."""
        return self.labels_by("synthetic:")

    @property
    def fingerprint(self) -> str | None:
        """The one corpus that all labels with a fingerprint were made on, or None."""
        return next(iter(self.fingerprints)) if len(self.fingerprints) == 1 else None

    def text_of(self, query_id: str) -> str | None:
        """The text of a judged query, as the labels have it, else as the queries have it."""
        text = self.texts.get(query_id)
        return self.given.get(query_id) if text is None else text

    def place(self, row: int) -> int | None:
        """The line of a row, where the input has lines."""
        return self.lines[row] or None


class Watcher:
    """One check at work on one set; a check overrides what it needs, and what is not overridden is never called.

    Args:
        check: the descriptor, for the severity and the code of its issues.
        tally: what was counted so far; while `row` runs, the row at hand is not in it yet.
    """

    def __init__(self, check: Check, tally: Tally) -> None:
        self.check = check
        self.tally = tally

    #: Of labels without this field `row` is not told: most fields are absent from most files.
    field: ClassVar[str | None] = None

    def row(self, label: Judgment, line: int) -> Issue | None:
        """One label. An issue returned here stands in file order with those of the other checks of rows."""
        return None

    def repeated(self, label: Judgment, line: int, first: int) -> Issue | None:
        """A label whose query and key the row number `first` has already; an issue stands in file order, as of `row`."""
        return None

    def query(self, query: Query) -> None:
        """One query of the collection."""

    def chunk(self, chunk: Chunk) -> None:
        """One chunk of the corpus."""

    @property
    def once_more(self) -> bool:
        """Whether the corpus is to be read a second time, for `again`."""
        return False

    def again(self, chunk: Chunk) -> None:
        """One chunk of the corpus, in the second reading."""

    def end(self) -> Iterable[Issue]:
        """What is known when everything was seen."""
        return ()

    def issue(self, message: str, line: int | None = None, **evidence: Any) -> Issue:
        """An issue of this check."""
        return Issue(self.check.severity, self.check.name, message, line or None, evidence)


@dataclass(frozen=True, eq=False)
class Check:
    """One check.

    Attributes:
        name: its code.
        severity: "error" where something is provably wrong, "warning" where a person should look, "info" where one may.
        order: where its issues stand. Below 100: the specification's own codes, in its order.
        summary: what it finds, in one line.
        why: what goes wrong where nobody looks.
        certainty: how sure a finding is.
        watch: makes a watcher of (check, tally).
        needs: "corpus" or "queries" where it can only run with one.
    """

    name: str
    severity: Severity
    order: int
    summary: str
    why: str
    certainty: str
    watch: Callable[[Check, Tally], Watcher]
    needs: Needs = "labels"
    aliases: tuple[str, ...] = ()

    @property
    def own(self) -> bool:
        """Whether the code is irbridge's, not the specification's."""
        return self.order >= 100
