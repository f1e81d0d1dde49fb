from __future__ import annotations

import pytest

from irbridge import catalogue
from irbridge.errors import UnknownName

ir_datasets = pytest.importorskip("ir_datasets")


class TestLookup:
    def test_an_unknown_id_has_neighbours(self) -> None:
        with pytest.raises(UnknownName) as raised:
            catalogue.dataset("cranfeild")
        assert raised.value.near == ["cranfield"]

    @pytest.mark.parametrize("name", ["", "nonsense", "clirmatrix/xx", "clirmatrix/af/bi139-base/zz/train", "beir/"])
    def test_no_name_ends_in_anything_else(self, name: str) -> None:
        with pytest.raises(UnknownName):
            catalogue.dataset(name)

    def test_what_lies_below(self) -> None:
        assert catalogue.below("beir/scifact", "judgments") == ["beir/scifact/test", "beir/scifact/train"]
        assert catalogue.below("cranfield", "judgments") == []

    def test_parts(self) -> None:
        assert catalogue.has("beir/scifact", "documents")
        assert not catalogue.has("beir/scifact", "judgments")
        assert catalogue.has("msmarco-passage/trec-dl-2019", "run")


class TestFacts:
    def test_every_id_can_be_described(self) -> None:
        """Nothing in ir_datasets' documentation is of a shape that was not foreseen."""
        found = {name: catalogue.about(name) for name in catalogue.ids() if not name.startswith("local/")}
        assert len(found) >= 790
        for name, about in found.items():
            assert about.title
            for text in (about.title, about.description, about.licence or "", *about.levels.values()):
                assert "<" not in text.replace("<=", ""), (name, text)

    def test_levels_and_measures(self) -> None:
        about = catalogue.about("antique/test")
        assert about.levels[1] == "It is completely out of context or does not make any sense."
        assert list(about.levels) == [1, 2, 3, 4]
        assert about.measures == ()
        # The Deep Learning track's own, with the grade from which a passage counts as relevant.
        assert catalogue.about("msmarco-passage/trec-dl-2020").measures == ("nDCG@10", "RR(rel=2)", "AP(rel=2)")

    @pytest.mark.parametrize(
        "name, words",
        [
            (
                "antique/test",
                "Please confirm you agree to the authors' data usage agreement found at https://ciir.cs.umass.edu/downloads/Antique/readme.txt",
            ),
            ("argsme/1.0", "This collection is licensed with the Creative Commons Attribution 4.0 International."),
            ("cranfield", None),
        ],
    )
    def test_the_licence_is_what_ir_datasets_says_of_it(self, name: str, words: str | None) -> None:
        assert catalogue.about(name).licence == words

    def test_a_dataset_of_ones_own_has_no_family(self) -> None:
        ir_datasets.registry.register("unit-lonely/x", ir_datasets.Dataset())
        assert catalogue.about("unit-lonely/x").title == "unit-lonely/x"
        assert catalogue.entries("unit-lonely")[0].contents == ()


class TestEntries:
    def test_a_word_is_looked_for_in_ids_and_descriptions(self) -> None:
        assert [entry.id for entry in catalogue.entries("CRANFIELD")] == ["cranfield"]
        assert "cranfield" in [entry.id for entry in catalogue.entries("scientific abstracts")]
        assert catalogue.entries("no such word anywhere") == []

    def test_counts_and_contents(self) -> None:
        (found,) = [entry for entry in catalogue.entries("cranfield") if entry.id == "cranfield"]
        assert found[:6] == ("cranfield", 1400, 225, 1837, ("documents", "queries", "judgments"), "en")
        (found,) = [entry for entry in catalogue.entries("scifact") if entry.id == "beir/scifact"]
        assert (found.judgments, found.contents) == (None, ("documents", "queries"))

    def test_nothing_is_said_and_nothing_is_fetched(self, capfd: pytest.CaptureFixture[str]) -> None:
        catalogue.entries()
        assert capfd.readouterr() == ("", "")
