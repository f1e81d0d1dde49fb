"""The queue: which labels are in it, in which order, with which candidates; worked out by hand from the specification."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from irbridge.corpora import Corpus, corpus_of
from irbridge.errors import InputError
from irbridge.model import Chunk, Document, Judgment
from irbridge.reading import Reading
from irbridge.review.queue import Queue, queue_of


def cid(number: int) -> str:
    return f"c1:{number:032x}"


def label(
    query: str, number: int | None, text: str | None = None, relevance: int = 1, doc: str = "d", **more: Any
) -> Judgment:
    return Judgment(query, doc, relevance, chunk_id=None if number is None else cid(number), chunk_text=text, **more)


def chunk(number: int, text: str, ordinal: int = 0, doc: str = "d", **more: Any) -> Chunk:
    return Chunk(cid(number), doc, ordinal=ordinal, text=text, **more)


CHUNKS = [
    chunk(11, "Dogs ride free.", 0),
    chunk(12, "So do cats.", 1),
    chunk(13, "A refund is paid within ten days, when the form", 2),
    chunk(14, "was sent in time. Smoking costs forty crowns.", 3),
    chunk(21, "Of another document.", 0, "e"),
]


def asked(labels: list[Judgment], chunks: list[Chunk] = CHUNKS, **more: Any) -> Queue:
    return queue_of(labels, corpus_of(chunks), **more)


def ids(queue: Queue, number: int = 0) -> list[str]:
    return [each.chunk.chunk_id for each in queue.items[number].candidates]


def test_only_what_needs_a_person_is_in_it() -> None:
    labels = [
        label("valid", 11, "Dogs ride free."),
        label("same text", 1, "So do cats."),
        label("merged", 2, "Smoking costs forty crowns."),
        label("document", None),
        label("split", 3, "Dogs ride free. So do cats."),
    ]
    queue = asked(labels)
    assert [item.label.query_id for item in queue.items] == ["split"]
    assert queue.labels == 5


def test_a_chunk_around_an_irrelevant_text_is_asked_about() -> None:
    queue = asked([label("q", 2, "Smoking costs forty crowns.", 0)])
    assert (ids(queue), queue.items[0].candidates[0].how) == ([cid(14)], "around")
    # "was sent in time. " has 18 characters.
    assert queue.items[0].candidates[0].shared == ([(18, 45)], [(0, 27)])


def test_split_names_the_pieces_in_the_order_of_the_text() -> None:
    queue = asked([label("q", 3, "Dogs ride free. So do cats.")])
    assert ids(queue) == [cid(11), cid(12)]
    assert [each.how for each in queue.items[0].candidates] == ["inside", "inside"]
    assert queue.items[0].candidates[1].shared == ([(0, 11)], [(16, 27)])
    assert "cut into 2 chunks" in queue.items[0].said


def test_shifted_names_the_chunks_and_what_each_holds() -> None:
    # "paid within ten days, when the form" is 35 characters, "was sent in time." 17.
    queue = asked([label("q", 3, "paid within ten days, when the form was sent in time.")])
    assert ids(queue) == [cid(13), cid(14)]
    assert [each.overlap for each in queue.items[0].candidates] == [35, 17]
    assert queue.items[0].candidates[0].shared == ([(12, 47)], [(0, 35)])
    assert "across the borders of 2 chunks" in queue.items[0].said


def test_the_chunk_with_most_of_the_text_comes_first_and_only_the_text_is_marked() -> None:
    text = "## Fares\n\nThe fare of a dog is two crowns on the days of a fair."
    chunks = [
        # The end is the label's beginning; "the ", "a dog" and "days." are accidents.
        chunk(31, "On the other days a dog goes with the guard. It pays at the end of the days.\n\n## Fares", 0),
        chunk(32, "The fare of a dog is two crowns on the days of a fair. The guard knows.", 1),
    ]
    queue = asked([label("q", 3, text)], chunks)
    assert ids(queue) == [cid(32), cid(31)]
    # "## Fares" has 8 characters, what follows the empty line 54.
    assert [each.overlap for each in queue.items[0].candidates] == [54, 8]
    first, second = (each.shared for each in queue.items[0].candidates)
    assert (first, second.label) == (([(0, 54)], [(10, 64)]), [(0, 8)])
    assert [chunks[0].text and chunks[0].text[start:end] for start, end in second.chunk] == ["## Fares"]
    evidence = queue.items[0].finding.evidence
    assert evidence is not None
    assert [each.chunk_id for each in evidence.chunks] == [cid(31), cid(32)], "evidence is in the order of the text"


def test_a_label_named_by_its_chunk_alone_is_looked_for_in_the_chunk_s_document() -> None:
    old = corpus_of([chunk(3, "Dogs ride free. So do cats."), chunk(4, "Nobody knows it now.")])
    queue = asked([label("q", 3, doc=cid(3)), label("r", 4, doc=cid(4))], made_on=old)
    assert (ids(queue), queue.items[0].finding.status) == ([cid(11), cid(12)], "SPLIT")
    assert queue.items[0].label.doc_uri == cid(3)
    assert queue.items[1].said == "Its text is gone, and no chunk of its document shares a word with it."


def test_ambiguous_names_every_place() -> None:
    chunks = [chunk(1, "one. The same\ntext. two"), chunk(2, "three. The same\ntext. four", 1)]
    queue = asked([label("q", 9, "The same text.")], chunks)
    assert (ids(queue), queue.items[0].finding.evidence and queue.items[0].finding.evidence.kind) == (
        [cid(1), cid(2)],
        "ambiguous",
    )
    assert "several places" in queue.items[0].said


def test_a_text_that_is_gone_gets_the_chunks_most_like_it_as_a_suggestion() -> None:
    queue = asked([label("q", 9, "Smoking was never free: forty crowns for whoever did it.")])
    # smoking, forty, crowns with chunk 14; "free" with 11; nothing with the others.
    assert ids(queue) == [cid(14), cid(11)]
    assert {each.how for each in queue.items[0].candidates} == {"suggested"}
    assert "a suggestion, not evidence" in queue.items[0].said


def test_a_label_without_text_gets_chunks_by_its_query() -> None:
    queue = asked([label("q", 9)._replace(query="What does smoking cost?")])
    assert ids(queue) == [cid(14)]
    assert "keeps no text" in queue.items[0].said


def test_a_document_that_is_gone_offers_nothing() -> None:
    queue = asked([label("q", None, doc="gone"), label("r", 9, "text", doc="gone")])
    assert [ids(queue, number) for number in (0, 1)] == [[], []]
    assert {item.said for item in queue.items} == {"Its document is not in the corpus any more."}


def test_it_is_sorted_and_a_row_that_stands_twice_is_one_question() -> None:
    one, two, three = label("b", 1, "x", doc="z"), label("b", 2, "x", doc="a"), label("a", 3, "x", doc="z")
    queue = asked([one, two, three, one])
    assert [item.label for item in queue.items] == [three, two, one]


def test_rows_that_contradict_each_other_are_two_questions() -> None:
    assert len(asked([label("q", 1, "x", 1), label("q", 1, "x", 2)]).items) == 2


def test_what_a_candidate_is_judged_already_is_said() -> None:
    queue = asked([label("q", 3, "Dogs ride free. So do cats."), label("q", 12, "So do cats.", 3)])
    assert [each.labelled for each in queue.items[0].candidates] == [None, 3]


def test_labels_get_their_text_from_what_they_were_made_on() -> None:
    old = corpus_of([chunk(3, "Dogs ride free. So do cats.")])
    queue = asked([label("q", 3)], made_on=old)
    assert (ids(queue), queue.items[0].text) == ([cid(11), cid(12)], "Dogs ride free. So do cats.")
    assert queue.items[0].label.chunk_text is None
    assert queue.as_dict()["items"][0]["keeps_text"] is False


def test_the_digest_follows_what_is_asked_and_not_the_names_of_files() -> None:
    labels = [label("q", 3, "Dogs ride free. So do cats.")]
    digest = asked(labels).as_dict()["digest"]
    assert asked(labels, label="elsewhere").as_dict()["digest"] == digest
    assert asked([labels[0]._replace(relevance=2)]).as_dict()["digest"] != digest


def test_a_chunk_whose_id_no_label_may_have_is_told_before_anybody_works() -> None:
    chunks = [Chunk("mine-1", "d", text="Dogs ride free."), Chunk("mine-2", "d", ordinal=1, text="So do cats.")]
    with pytest.raises(InputError, match="no id that a label may have") as raised:
        asked([label("q", 3, "Dogs ride free. So do cats.")], chunks)
    assert "irbridge stamp" in str(raised.value.hint)


def test_of_the_corpus_only_what_is_asked_for_is_kept() -> None:
    alive = 0
    most = 0

    class Counted(str):
        __slots__ = ()

        def __new__(cls, text: str) -> Counted:  # noqa: PYI034 - typing.Self is of Python 3.11
            nonlocal alive, most
            alive += 1
            most = max(most, alive)
            return super().__new__(cls, text)

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def read() -> Iterator[Chunk]:
        for number in range(20_000):
            yield chunk(100 + number, Counted(f"Filler number {number} of the corpus."), doc=f"doc{number}")
        yield from CHUNKS

    corpus = Corpus("corpus", read, Reading(label="corpus"))
    queue = queue_of([label("q", 9, "Smoking was never free."), label("q", 3, "Dogs ride free. So do cats.")], corpus)
    assert len(queue.items) == 2
    assert most < 3 * 1024  # the pieces in which the corpus is read have 1,024 chunks


def test_a_chunk_that_holds_all_of_the_text_is_told_from_one_that_holds_a_part() -> None:
    # Only white space differs; "Dogs\nride  free." has 15 characters with one space each.
    queue = asked([label("q", 9, "Dogs ride free.")], [chunk(11, "Here it is: Dogs\nride  free. No more.")])
    (candidate,) = queue.items[0].candidates
    assert (queue.items[0].finding.evidence, candidate.overlap) != (None, None)
    assert candidate.holds_all("Dogs ride free.")
    queue = asked([label("q", 3, "paid within ten days, when the form was sent in time.")])
    assert [each.holds_all(queue.items[0].text) for each in queue.items[0].candidates] == [False, False]
    # A suggestion shares words with the text, and is no evidence.
    queue = asked([label("q", 9, "Smoking")._replace(chunk_text="Smoking")], [chunk(14, "smoking area and others")])
    assert [each.holds_all(queue.items[0].text) for each in queue.items[0].candidates] == [False]


def test_the_label_itself_is_not_what_a_candidate_is_judged_already() -> None:
    text = "The museum opens at nine and closes at five."
    old = corpus_of([Document("d", text), Document("e", "Another one.")])
    new = corpus_of([Document("d", text.replace("five", "seven")), Document("e", "Another one.")])
    queue = queue_of([label("q", None)], new, old)
    assert [(each.chunk.doc_uri, each.labelled) for each in queue.items[0].candidates] == [("d", None)]


def test_a_space_that_no_chunk_holds_is_not_missing_from_a_place() -> None:
    # 0 to 15 and 16 to 27 of the text; what is in no chunk is the space at 15.
    place = {"doc_revision": "r", "span": {"start": 5, "end": 24}}
    chunks = [
        chunk(11, "Dogs ride free.", 0, doc_revision="r", start=0, end=15),
        chunk(12, "So do cats.", 1, doc_revision="r", start=16, end=27),
    ]
    said = "Its text is still in the document, across the borders of 2 chunks"
    queue = asked([label("q", 9, "ride free. So do ca", extra=place)], chunks)
    assert (queue.items[0].said, queue.items[0].finding.evidence and queue.items[0].finding.evidence.covered) == (
        f"{said}.",
        1,
    )
    # Without the text nobody knows what the one of nineteen characters is.
    queue = asked([label("q", 9, extra=place)], chunks)
    assert queue.items[0].said == f"{said}; 95% of it is in them."


def test_a_text_with_something_put_in_is_all_there() -> None:
    text = "The museum opens at nine and closes at five on every day of the week."
    queue = asked([label("q", 9, text)], [chunk(11, text.replace("nine and", "nine in May and"))])
    assert queue.items[0].said == "All of its text is still there, in 1 chunk, with other text put in."
    assert queue.items[0].candidates[0].holds_all(text)
