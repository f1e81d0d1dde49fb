"""Laws of review: skipping changes nothing, undo gives the bytes back, and no decision makes a set less sound."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis.strategies as st
from hypothesis import given, settings

from irbridge.corpora import Corpus, corpus_of
from irbridge.drift import rewriting
from irbridge.errors import UsageError
from irbridge.formats.judgments import write
from irbridge.identity import chunk_id, text_sha
from irbridge.inputs import Input
from irbridge.judgments.validation import validate
from irbridge.model import NO_FIELDS, Chunk, Judgment
from irbridge.review.decisions import Choice, Decision, name_of, written
from irbridge.review.highlight import Flat, common
from irbridge.review.queue import Queue, queue_of
from irbridge.review.workflow import apply

SENTENCES = ["Dogs ride free.", "So do cats.", "No smoking.", "A refund takes ten days.", "Doors close at once."]
DOCUMENTS = ("d1", "d2")


def chunk(doc: str, number: int, text: str) -> Chunk:
    return Chunk(chunk_id(doc, "r", number, text, "new/1"), doc, "r", number, text, text_sha(text))


CHUNKS = [chunk(doc, number, text) for doc in DOCUMENTS for number, text in enumerate(SENTENCES)]
OLD_TEXTS = ["Dogs ride free. So do cats.", "smoking. A refund takes", "Gone for good, with all its words.", "No smoking. A refund takes ten days.", None]  # fmt: skip


def old_label(query: str, doc: str, which: int, relevance: int, by: str | None, extra: bool) -> Judgment:
    text = OLD_TEXTS[which]
    found = Judgment(
        query, doc, relevance, query=f"text of {query}", chunk_id=f"c1:{which:032x}", chunk_text=text, labeled_by=by,
        corpus_fingerprint="old/1", extra={"own": which} if extra else NO_FIELDS,
    )  # fmt: skip
    return found._replace(text_sha=None if text is None else text_sha(text))


def live_label(query: str, place: int, relevance: int, by: str | None) -> Judgment:
    return Judgment(
        query,
        CHUNKS[place].doc_uri,
        relevance,
        query=f"text of {query}",
        chunk_id=CHUNKS[place].chunk_id,
        labeled_by=by,
    )


QUERIES = st.sampled_from(["q1", "q2"])
GRADES = st.integers(-1, 3)
NAMES = st.sampled_from([None, "human:x", "synthetic:y"])
LABELS = st.one_of(
    st.builds(old_label, QUERIES, st.sampled_from(DOCUMENTS), st.integers(0, 4), GRADES, NAMES, st.booleans()),
    st.builds(live_label, QUERIES, st.integers(0, 9), GRADES, NAMES),
    st.tuples(QUERIES, st.sampled_from([*DOCUMENTS, "gone"]), GRADES).map(lambda row: Judgment(*row)),
)
SETS = st.lists(LABELS, min_size=1, max_size=8)
ANSWER = st.one_of(
    st.sampled_from(["none", "skip"]),
    st.dictionaries(st.integers(0, len(CHUNKS) - 1), st.integers(0, 4), min_size=1, max_size=3),
)


def corpus() -> Corpus:
    found = corpus_of(CHUNKS)
    found.reading.about["corpus_fingerprint"] = "new/1"
    return found


def decisions_of(queue: Queue, answers: list[object]) -> bytes:
    made = []
    for item, answer in zip(queue.items, answers, strict=False):
        action = answer if isinstance(answer, str) else "choose"
        choices = answer if isinstance(answer, dict) else {}
        chosen = tuple(
            Choice(
                CHUNKS[place].chunk_id,
                CHUNKS[place].doc_uri,
                grade,
                text_sha(CHUNKS[place].text or ""),
                CHUNKS[place].text,
            )
            for place, grade in choices.items()
        )
        made.append(
            written(Decision(*name_of(item.label), action, chosen, "human:ana", "2026-01-01T00:00:00Z", "new/1"))  # type: ignore[arg-type]
        )
    return b"".join(made)


def errors(path: Path) -> Counter[str]:
    return Counter(issue.code for issue in validate(str(path)).issues if issue.severity == "error")


@settings(max_examples=150)
@given(labels=SETS, answers=st.lists(ANSWER, min_size=8, max_size=8), with_corpus=st.booleans())
def test_no_decision_makes_a_set_less_sound_and_undo_gives_the_bytes_back(
    labels: list[Judgment], answers: list[object], with_corpus: bool
) -> None:
    with TemporaryDirectory() as folder:
        path, decisions = Path(folder, "j.jsonl"), Path(folder, "d.jsonl")
        with path.open("wb") as stream:
            stream.write(b"// a comment\n\n")
            write(labels, stream)
        before, wrong = path.read_bytes(), errors(path)
        # The labels as they are read: a negative grade is a field of the row.
        read = list(Input(str(path), "judgments"))
        queue = queue_of(read, corpus())
        decisions.write_bytes(decisions_of(queue, answers))
        try:
            done = apply(str(decisions), Input(str(path), "judgments"), corpus() if with_corpus else None)
        except UsageError as refused:
            assert "nothing was written" in str(refused)  # noqa: PT017 - both ways out are right
            assert path.read_bytes() == before
            return
        assert errors(path) - wrong == Counter()
        assert (done.journal is None) == (path.read_bytes() == before)
        taken = answers[: len(queue.items)]
        if set(map(str, taken)) <= {"skip"}:
            assert path.read_bytes() == before
        if done.journal is not None:
            rewriting.undo(str(path))
            assert path.read_bytes() == before


@given(labels=SETS)
def test_what_was_decided_is_asked_no_more(labels: list[Judgment]) -> None:
    """Every label of the queue put on the first chunk: it is live, so drift has nothing left to ask."""
    read = [label for label in labels if label.chunk_id is not None]
    queue = queue_of(read, corpus())
    with TemporaryDirectory() as folder:
        path, decisions = Path(folder, "j.jsonl"), Path(folder, "d.jsonl")
        with path.open("wb") as stream:
            write([*read, live_label("another", 9, 1, None)], stream)
        queue = queue_of(list(Input(str(path), "judgments")), corpus())
        decisions.write_bytes(decisions_of(queue, [{0: 3}] * len(queue.items)))
        apply(str(decisions), Input(str(path), "judgments"), corpus())
        assert queue_of(list(Input(str(path), "judgments")), corpus()).items == []


TEXTS = st.text(st.sampled_from("ab c\n\u00e9e\u0301\U0001f600"), max_size=40)


@given(label=TEXTS, text=TEXTS)
def test_marks_lie_in_their_texts_in_order_and_hold_no_white_space_alone(label: str, text: str) -> None:
    found = common(Flat(label), Flat(text))
    for ranges, within in ((found.chunk, text), (found.label, label)):
        reached = -1
        for start, end in ranges:
            assert reached < start < end <= len(within)
            assert within[start:end].strip() == within[start:end] != ""
            reached = end - 1
    assert bool(found.chunk) == bool(found.label)
