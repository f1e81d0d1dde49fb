"""Is a set of judgments sound? Every check sees every label once, whatever is wrong with the others.

Where a scoring refuses a set with two grades for one document, validating has to read on and say all of it. So the labels
are taken as they stand in the file, never through the table of `Qrels`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from irbridge.inputs import Input, Progress, at_hand, opened
from irbridge.judgments import CHECKS
from irbridge.judgments.base import Check, Issue, Tally, Watcher
from irbridge.judgments.nothing import NoLabels, holds_nothing
from irbridge.model import Judgment, Query
from irbridge.reading import Reading

if TYPE_CHECKING:
    from irbridge.corpora import Corpus

# The modules of the specification's own checks, in its order: a scoring runs these alone, and loads no others.
_SPECIFIED = (
    "duplicate_label", "inconsistent_query_text", "bad_chunk_id", "bad_text_sha", "missing_query_text", "empty",
    "no_positives", "no_human_labels", "mixed_fingerprints", "thin_stratum", "mixed_granularity", "no_chunk_ids",
)  # fmt: skip


class Validation(NamedTuple):
    """What the checks found.

    Attributes:
        issues: those of single rows in file order, then those of the set, then irbridge's own; checks in their order.
        strata: name -> labels, in order of first appearance.
        fingerprint: the one corpus that the labels were made on, or None.
        checks: the checks that ran.
        skipped: those that need a corpus or queries and had none.
        notes: what was noticed while reading, in words.
    """

    issues: tuple[Issue, ...]
    queries: int
    labels: int
    human_labels: int
    synthetic_labels: int
    fingerprint: str | None
    strata: dict[str, int]
    checks: tuple[Check, ...]
    skipped: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def errors(self) -> tuple[str, ...]:
        """The codes of the errors, each once, in the order of the issues; what makes a set unsound."""
        return tuple(dict.fromkeys(issue.code for issue in self.issues if issue.severity == "error"))

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings may be there."""
        return not self.errors

    def count(self, severity: str) -> int:
        """How many issues have that severity."""
        return sum(issue.severity == severity for issue in self.issues)

    def as_dict(self) -> dict[str, Any]:
        """JSON values: the specification's members in its order, then irbridge's own."""
        return {
            "issues": [issue.as_dict() for issue in self.issues],
            "queries": self.queries,
            "labels": self.labels,
            "humanLabels": self.human_labels,
            "syntheticLabels": self.synthetic_labels,
            "fingerprint": self.fingerprint,
            "strata": self.strata,
            "ok": self.ok,
            "checks": [check.name for check in self.checks],
            "skipped": [{"code": check.name, "needs": check.needs} for check in self.skipped],
            "notes": list(self.notes),
        }


def contract_checks() -> list[Check]:
    """The specification's own checks, in its order: what a verdict rests on, without what takes time."""
    return list(CHECKS.of_modules(*_SPECIFIED))


class Validator:
    """The checks at work on one set: labels first, then queries, then the corpus, then `result`.

    Args:
        checks: those to run; None for all that irbridge brings.
        queries, corpus: whether queries and a corpus will be shown.
    """

    def __init__(self, checks: Iterable[Check] | None = None, *, queries: bool = False, corpus: bool = False) -> None:
        wanted = sorted(CHECKS.builtin() if checks is None else checks, key=lambda check: (check.order, check.name))
        given = {"labels": True, "queries": queries, "corpus": corpus}
        self.tally = Tally()
        self.checks = tuple(check for check in wanted if given[check.needs])
        self.skipped = tuple(check for check in wanted if not given[check.needs])
        self._watchers = [check.watch(check, self.tally) for check in self.checks]
        self._rows = [
            (None if watcher.field is None else Judgment._fields.index(watcher.field), watcher.row)
            for watcher in self._watchers
            if _does(watcher, "row")
        ]
        self._repeats = [watcher.repeated for watcher in self._watchers if _does(watcher, "repeated")]
        self._found: list[Issue] = []

    def add(self, label: Judgment, line: int = 0) -> None:
        """Show one label; `line` is 0 where the input has no lines.

        A repeated label is told before what else is wrong with its row, which is the specification's order.
        """
        first = self.tally.first_row(label)
        if first is not None:
            for again in self._repeats:
                issue = again(label, line, first)
                if issue is not None:
                    self._found.append(issue)
        for field, row in self._rows:
            if field is None or label[field] is not None:
                issue = row(label, line)
                if issue is not None:
                    self._found.append(issue)
        self.tally.add(label, line)

    def watched(self, labels: Iterable[Judgment], reading: Reading) -> Iterator[Judgment]:
        """The labels as they are, each shown to the checks on its way; so that nothing needs to be read twice."""
        for label in labels:
            self.add(label, reading.line)
            yield label

    def see_queries(self, queries: Iterable[Query]) -> None:
        """Show the collection's queries."""
        watching = [watcher.query for watcher in self._watchers if _does(watcher, "query")]
        texts = self.tally.texts
        for query in queries:
            if query.query_id in texts and texts[query.query_id] is None:
                self.tally.given[query.query_id] = query.text
            for look in watching:
                look(query)

    def see_corpus(self, corpus: Corpus) -> None:
        """Show the corpus, once, or twice where a check asks for it."""
        watching = [watcher.chunk for watcher in self._watchers if _does(watcher, "chunk")]
        for chunk in corpus:
            for look in watching:
                look(chunk)
        again = [watcher.again for watcher in self._watchers if watcher.once_more]
        if again:
            for chunk in corpus:
                for look in again:
                    look(chunk)

    def result(self, notes: Sequence[str] = ()) -> Validation:
        """What was found."""
        issues = [*self._found, *(issue for watcher in self._watchers for issue in watcher.end())]
        tally = self.tally
        return Validation(
            tuple(issues), len(tally.texts), len(tally), tally.human, tally.synthetic, tally.fingerprint, tally.strata,
            self.checks, self.skipped, tuple(notes),
        )  # fmt: skip


def _does(watcher: Watcher, hook: str) -> bool:
    return getattr(type(watcher), hook) is not getattr(Watcher, hook)


def validate(
    judgments: Any,
    *,
    corpus: Any = None,
    queries: Any = None,
    chunker: str | None = None,
    checks: Iterable[Check] | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Validation:
    """Check a set of judgments.

    Args:
        judgments: anything that `irbridge.load` takes, or the `Input` that it returned. Memory follows the labels.
        corpus: chunks or documents for the checks that need them: anything that `corpus_of` takes. It is read once, or
            twice where judged documents may have copies; it is never held.
        queries: the collection's queries: anything that `irbridge.load` takes, or a list of `Query`.
        chunker: how the documents of the corpus are chunked, where it has no chunks of its own.
        checks: the checks to run; None for all that irbridge brings.
        progress: called with the bytes of each piece of the judgments read.
        options: of `Input`, for the judgments.

    Raises:
        InputError: the judgments, the corpus or the queries cannot be read.
    """
    what = at_hand(judgments)
    labels: Input | NoLabels = NoLabels() if holds_nothing(what) else opened(what, "judgments", **options)
    if isinstance(labels, Input):
        labels.watch(progress)
    validator = Validator(checks, queries=queries is not None, corpus=corpus is not None)
    # Opened before the labels are read: a name that is mistyped should not cost a long reading.
    asked = None if queries is None else _queries(queries)
    live = None if corpus is None else _corpus(corpus, chunker)
    for label in cast("Iterable[Judgment]", labels.records()):
        validator.add(label, labels.reading.line)
    if asked is not None:
        validator.see_queries(asked)
    if live is not None:
        validator.see_corpus(live)
    return validator.result([str(note) for note in labels.reading.notes.values()])


def _queries(what: Any) -> Iterable[Query]:
    if isinstance(what, list | tuple) and all(isinstance(each, Query) for each in what):
        return what
    return cast("Iterable[Query]", opened(what, "queries"))


def _corpus(what: Any, chunker: str | None) -> Corpus:
    from irbridge.corpora import corpus_of

    return corpus_of(what, chunker)
