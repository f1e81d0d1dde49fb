"""Evidence of spec/drift.md, section 4: where the text of an ORPHANED label is. Overlaps are counted by hand."""

from __future__ import annotations

import pytest

from irbridge.corpora import corpus_of
from irbridge.drift.classify import classify
from irbridge.drift.findings import Evidence, Overlap
from irbridge.model import Chunk, Judgment

pytestmark = pytest.mark.usefixtures("either_way")

# 44 characters each, 37 without spaces.
ONE = "seven wizards quietly vex a bold old knight!"
TWO = "nobody in the whole village minded them much"


def chunk(chunk_id: str, text: str, ordinal: int = 0, doc_uri: str = "d", start: int | None = None, **rest) -> Chunk:
    end = None if start is None else start + len(text)
    return Chunk(chunk_id, doc_uri, rest.pop("revision", None), ordinal, text, None, start, end, **rest)


def evidence(text: str, *chunks: Chunk) -> Evidence | None:
    found = classify([Judgment("q", "d", 1, chunk_id="old", chunk_text=text)], corpus_of(list(chunks))).findings[0]
    assert found.status == "ORPHANED"
    return found.evidence


class TestShifted:
    def test_two_chunks_that_touch(self):
        # "bold old knight!" is 16 characters, "nobody in" 9.
        found = evidence(
            "bold old knight! nobody in", chunk("a", ONE, 0), chunk("b", TWO, 1), chunk("c", "and more of it", 2)
        )
        assert found == Evidence("shifted", 1.0, (Overlap("a", 16), Overlap("b", 9)))

    def test_a_whole_chunk_between_them(self):
        found = evidence(f"knight! {TWO} and", chunk("a", ONE, 0), chunk("b", TWO, 1), chunk("c", "and more", 2))
        assert found == Evidence("shifted", 1.0, (Overlap("a", 7), Overlap("b", 44), Overlap("c", 3)))

    def test_order_is_that_of_ordinals_not_of_the_corpus(self):
        found = evidence("old knight! nobody in", chunk("b", TWO, 1), chunk("a", ONE, 0))
        assert found == Evidence("shifted", 1.0, (Overlap("a", 11), Overlap("b", 9)))
        assert evidence("village minded them much seven wizards", chunk("b", TWO, 1), chunk("a", ONE, 0)) is None

    def test_a_word_that_a_border_cuts(self):
        found = evidence("bold old knight! nobody", chunk("a", ONE[:-3], 0), chunk("b", "ht! " + TWO, 1))
        # "bold old knig" 13, "ht! nobody" 10.
        assert found == Evidence("shifted", 1.0, (Overlap("a", 13), Overlap("b", 10)))

    def test_chunks_that_overlap(self):
        # Both hold "quietly vex a bold old knight!", 26 characters without spaces: no accident.
        late = "quietly vex a bold old knight! " + TWO
        found = evidence("wizards quietly vex a bold old knight! nobody", chunk("a", ONE, 0), chunk("b", late, 1))
        # "wizards" to "knight!" 38; "quietly" to "nobody" 37.
        assert found == Evidence("shifted", 1.0, (Overlap("a", 38), Overlap("b", 37)))

    def test_a_short_overlap_is_an_accident(self):
        # Both have "old"; nothing says that it is the same one.
        chunks = chunk("a", "a knight so old", 0), chunk("b", "old times were good", 1)
        assert evidence("a knight so old times", *chunks) is None
        found = evidence("knight so old old times", *chunks)
        assert found == Evidence("shifted", 1.0, (Overlap("a", 13), Overlap("b", 9)))

    def test_unless_most_neighbours_overlap(self):
        chunks = [chunk("a", "one two three", 0), chunk("b", "three four five", 1), chunk("c", "five six seven", 2)]
        # "two three" 9, "three four" 10.
        found = evidence("two three four", *chunks)
        assert found == Evidence("shifted", 1.0, (Overlap("a", 9), Overlap("b", 10)))

    def test_places_tell_an_overlap_however_short(self):
        chunks = chunk("a", "a knight so old", 0, start=0), chunk("b", "old times were good", 1, start=12)
        found = evidence("a knight so old times", *chunks)
        assert found == Evidence("shifted", 1.0, (Overlap("a", 15), Overlap("b", 9)))
        assert evidence("knight so old old times", *chunks) is None

    def test_over_code_points_of_any_width(self):
        found = evidence("日本語🚲 café", chunk("a", "これは日本語", 0), chunk("b", "🚲 café au lait", 1))
        assert found == Evidence("shifted", 1.0, (Overlap("a", 3), Overlap("b", 6)))


class TestGaps:
    @pytest.mark.parametrize("start, there", [(44, True), (45, True), (46, True), (47, False), (90, False)])
    def test_a_gap_is_bridged_by_as_much_white_space(self, start, there):
        # The label has one space between the chunks: the document may have one or, as CR LF, two.
        chunks = chunk("a", ONE, 0, start=0), chunk("b", TWO, 1, start=start)
        assert (evidence("knight! nobody in", *chunks) is not None) is there

    def test_without_white_space_nothing_is_bridged(self):
        chunks = chunk("a", ONE, 0, start=0), chunk("b", TWO, 1, start=45)
        assert evidence("knight!nobody in", *chunks) is None

    def test_revisions_are_not_joined(self):
        chunks = chunk("a", ONE, 0, revision="1"), chunk("b", TWO, 1, revision="2")
        assert evidence("knight! nobody in", *chunks) is None


class TestReflowed:
    def test_one_chunk_with_other_white_space(self):
        found = evidence(ONE, chunk("a", "x " + ONE.replace(" ", "\n") + " y", 0), chunk("b", TWO, 1))
        assert found == Evidence("reflowed", 1.0, (Overlap("a", 44),))

    def test_in_two_overlapping_chunks_it_is_one_place(self):
        text = ONE.replace(" ", "\n")
        found = evidence(ONE, chunk("a", "x " + text, 0), chunk("b", text + " y", 1))
        assert found == Evidence("reflowed", 1.0, (Overlap("a", 44), Overlap("b", 44)))


class TestAmbiguous:
    def test_at_two_places(self):
        chunks = chunk("a", ONE, 0), chunk("b", TWO, 1), chunk("c", ONE, 2), chunk("e", TWO, 3)
        found = evidence("knight! nobody in", *chunks)
        assert found == Evidence(
            "ambiguous", 1.0, (Overlap("a", 7), Overlap("b", 9), Overlap("c", 7), Overlap("e", 9))
        )  # fmt: skip


class TestEdited:
    TEXT = f"{ONE} {TWO}"  # 74 characters without spaces

    def test_a_word_added(self):
        found = evidence(self.TEXT, chunk("a", self.TEXT.replace("bold", "very bold"), 0))
        # All 74 are there, in a stretch of 78.
        assert found is not None
        assert (found.kind, found.covered, found.chunks) == ("edited", 1.0, (Overlap("a", 89),))
        assert found.similarity == pytest.approx(74 / 78)

    def test_a_word_removed_across_a_border(self):
        chunks = chunk("a", ONE.replace("bold ", ""), 0), chunk("b", TWO, 1)
        found = evidence(self.TEXT, *chunks)
        assert found is not None
        # 70 of 74.
        assert (found.kind, found.covered, found.similarity) == ("edited", 70 / 74, 70 / 74)
        assert [each.chunk_id for each in found.chunks] == ["a", "b"]

    def test_half_of_it_is_not_it(self):
        assert evidence(self.TEXT, chunk("a", ONE, 0), chunk("b", "something quite different stands here", 1)) is None

    def test_too_short_to_tell(self):
        assert evidence("old knight told", chunk("a", "an old knight sold it", 0)) is None


class TestMoved:
    TEXT = f"knight! {TWO}"  # 44 bytes without spaces

    def test_to_one_document(self):
        chunks = chunk("z", "else"), chunk("a", ONE, 0, "e"), chunk("b", TWO, 1, "e")
        found = evidence(self.TEXT, *chunks)
        assert found == Evidence("moved", 1.0, (Overlap("a", 7), Overlap("b", 44)), doc_uri="e")

    def test_to_several(self):
        chunks = [chunk(f"{doc}{n}", text, n, doc) for doc in ("e", "f") for n, text in enumerate((ONE, TWO))]
        assert evidence(self.TEXT, *chunks) == Evidence(
            "ambiguous", 1.0,
            (Overlap("e0", 7, "e"), Overlap("e1", 44, "e"), Overlap("f0", 7, "f"), Overlap("f1", 44, "f")),
        )  # fmt: skip

    def test_the_own_document_comes_first(self):
        chunks = chunk("x", ONE, 0), chunk("y", TWO, 1), chunk("a", ONE, 0, "e"), chunk("b", TWO, 1, "e")
        found = evidence(self.TEXT, *chunks)
        assert found is not None
        assert found.kind == "shifted"

    def test_what_is_short_is_somewhere_else_by_accident(self):
        assert evidence("knight! nobody in", chunk("a", ONE, 0, "e"), chunk("b", TWO, 1, "e")) is None

    def test_not_where_only_most_of_it_stands(self):
        chunks = chunk("a", ONE, 0, "e"), chunk("b", TWO.replace("much", "a lot"), 1, "e")
        assert evidence(self.TEXT, *chunks) is None

    def test_scripts_without_spaces(self):
        text = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"
        found = evidence(text, chunk("a", "一　" + text[:20], 0, "e"), chunk("b", text[20:] + "何でも", 1, "e"))
        assert found == Evidence("moved", 1.0, (Overlap("a", 20), Overlap("b", 13)), doc_uri="e")


def test_no_evidence_of_what_is_gone():
    assert evidence("there never was such a text in any document of this corpus", chunk("a", ONE, 0)) is None


def test_chunks_without_text_are_no_part_of_the_document():
    found = evidence("knight! nobody in", chunk("a", ONE, 0), Chunk("n", "d", None, 1), chunk("b", TWO, 2))
    assert found == Evidence("shifted", 1.0, (Overlap("a", 7), Overlap("b", 9)))


def test_as_json():
    found = Evidence("edited", 1 / 3, (Overlap("a", 7), Overlap("b", 9, "e")), 0.9, "e").as_dict()
    assert found == {
        "kind": "edited", "covered": 0.333333333333, "similarity": 0.9, "doc_uri": "e",
        "chunks": [{"chunk_id": "a", "overlap": 7}, {"chunk_id": "b", "overlap": 9, "doc_uri": "e"}],
    }  # fmt: skip
