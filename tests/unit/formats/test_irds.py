from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.collections import record, registered

from irbridge.errors import InputError, InputErrors, UnknownName, UsageError
from irbridge.formats.irds import FORMAT
from irbridge.model import Document, Judgment, Query, Ranking
from irbridge.reading import Reading

ir_datasets = pytest.importorskip("ir_datasets")


class Mood(enum.Enum):
    GOOD = "good"


class Page(NamedTuple):
    url: str
    text: str


@pytest.fixture
def read() -> Callable[..., list[Any]]:
    def reader(part: str, name: str, reading: Reading | None = None) -> list[Any]:
        found: Callable[[Any, Reading], Iterator[Any]] = getattr(FORMAT, f"read_{part}")
        return list(found(name, reading or Reading()))

    return reader


Read = Callable[..., list[Any]]


class TestLabels:
    """One case per qrels class of ir_datasets."""

    @pytest.mark.parametrize(
        "fields, iteration, extra",
        [
            ({}, "0", {}),
            ({"iteration": "Q0"}, "Q0", {}),
            ({"iteration": "4.5"}, "4.5", {}),
            ({"subtopic_id": "2"}, "2", {}),
            ({"method": 1, "iprob": 0.25}, "0", {"method": 1, "iprob": 0.25}),
            (
                {"trustworthiness": 60, "understandability": 75, "iteration": "0"},
                "0",
                {"trustworthiness": 60, "understandability": 75},
            ),
            ({"start": 7, "length": 9}, "0", {"start": 7, "length": 9}),
            ({"effectiveness": 1, "redibility": -2}, "0", {"effectiveness": 1, "redibility": -2}),
            ({"note": "a \u2013 b"}, "0", {"note": "a \u2013 b"}),
            (
                {"short_answers": ["x", "y"], "yes_no_answer": "NONE"},
                "0",
                {"short_answers": ["x", "y"], "yes_no_answer": "NONE"},
            ),
            ({"quality": 2, "stance": Mood.GOOD, "iteration": "1"}, "1", {"quality": 2, "stance": "good"}),
        ],
    )
    def test_every_field_has_its_place(
        self, read: Read, fields: dict[str, Any], iteration: str, extra: dict[str, Any]
    ) -> None:
        name = registered(qrels=[record(query_id="q", doc_id="d", relevance=-1, **fields)])
        assert read("judgments", name) == [Judgment("q", "d", -1, iteration=iteration, extra=extra)]

    def test_real_classes(self, read: Read, tmp_path: Any) -> None:
        """The subtopic and prels parsers of ir_datasets itself."""
        (tmp_path / "sub").write_text("1 2 d 1\n1 3 d 0\n")
        (tmp_path / "prels").write_text("1 d 2 1 0.5\n")
        download = ir_datasets.util.LocalDownload
        formats = ir_datasets.formats
        for kind, part in (
            ("sub", formats.TrecSubQrels(download(tmp_path / "sub"), {})),
            ("prels", formats.TrecPrels(download(tmp_path / "prels"), {})),
        ):
            ir_datasets.registry.register(f"local/unit-real-{kind}", ir_datasets.Dataset(part))
        assert read("judgments", "local/unit-real-sub") == [
            Judgment("1", "d", 1, iteration="2"),
            Judgment("1", "d", 0, iteration="3"),
        ]
        assert read("judgments", "local/unit-real-prels") == [Judgment("1", "d", 2, extra={"method": 1, "iprob": 0.5})]

    def test_they_carry_the_text_of_their_query(self, read: Read) -> None:
        formats = ir_datasets.formats
        name = registered(
            queries=[formats.GenericQuery("q", "who?")],
            qrels=[
                formats.TrecQrel("q", "d", 1, "0"),
                formats.TrecQrel("p", "d", 1, "0"),
                formats.TrecQrel("p", "e", 1, "0"),
            ],
        )
        reading = Reading()
        assert [label.query for label in read("judgments", name, reading)] == ["who?", None, None]
        assert reading.notes["unknown-queries"].count == 1
        assert (reading.label, reading.rows) == (f"irds:{name}", 3)

    @pytest.mark.parametrize("grade, expected", [("2", 2), (2.0, 2), (True, 1)])
    def test_a_grade_of_another_type_is_taken_if_it_is_whole(self, read: Read, grade: Any, expected: int) -> None:
        (label,) = read("judgments", registered(qrels=[record(query_id="q", doc_id="d", relevance=grade)]))
        assert label.relevance == expected
        assert type(label.relevance) is int

    @pytest.mark.parametrize(
        "grade, message",
        [
            ("high", "relevance 'high' is not a whole number"),
            ("1_0", "relevance '1_0' is not a whole number"),  # int() would make it 10
            ("\uff11", "relevance '\uff11' is not a whole number"),  # and this 1
            (0.5, "relevance 0.5 is not a whole number"),
            (float("inf"), "relevance inf is not a whole number"),
            (None, "relevance is missing"),
            (2**60, "is out of range"),
        ],
    )
    def test_another_is_refused(self, read: Read, grade: Any, message: str) -> None:
        with pytest.raises(InputErrors, match=message):
            read("judgments", registered(qrels=[record(query_id="q", doc_id="d", relevance=grade)]))

    def test_cranfields_scale_is_pointed_out(self, read: Read, irds_home: Any) -> None:
        reading = Reading()
        assert len(read("judgments", "cranfield", reading)) == 1837
        assert "1 is the best grade" in str(reading.notes["caution"])


class TestTexts:
    def test_title_and_text_are_kept_apart_where_the_default_text_joins_them(self, read: Read) -> None:
        def joined(self: Any) -> str:
            return f"{self.title} {self.abstract}"

        name = registered(docs=[record(doc_id="d", url="u", title="T", abstract="A b", default_text=joined)])
        assert read("documents", name) == [Document("d", "A b", "T", {"url": "u"})]

    def test_what_is_not_the_text_is_kept(self, read: Read) -> None:
        def joined(self: Any) -> str:
            return f"{self.headline} {self.body} {self.tail}"

        name = registered(docs=[record(doc_id="d", headline="", body="B", tail="Z", text="B", default_text=joined)])
        assert read("documents", name) == [Document("d", "B Z", "", {"body": "B", "tail": "Z", "source_text": "B"})]

    def test_a_title_that_the_text_does_not_begin_with_is_a_field(self, read: Read) -> None:
        name = registered(docs=[record(doc_id="d", title="T", text="x", default_text=lambda self: self.text)])
        assert read("documents", name) == [Document("d", "x", None, {"source_title": "T"})]

    @pytest.mark.parametrize(
        "fields, text",
        [
            ({"text": "ask", "reasoning": "r", "gold_answer": "g"}, "ask"),
            ({"conclusion": "c", "premises_texts": "p", "source_id": "s"}, "p c"),
            (
                {"title": "T", "condition": "c", "summary": "", "detailed_description": "d", "eligibility": "e"},
                "T c d e",
            ),
            ({"repo": "r", "path": "p", "func_name": "f", "code": "def f()", "language": "py"}, "f def f()"),
            ({"png": b"x", "url": "u", "pages": [Page("u1", "one"), Page("u2", "two")]}, "one two"),
            ({"doc_id": "d", "url": "https://x/y"}, "https://x/y"),
            ({"nothing": 1}, ""),
        ],
    )
    def test_a_class_without_default_text_has_a_stand_in(self, read: Read, fields: dict[str, Any], text: str) -> None:
        """The six classes of ir_datasets 0.6.3 that have none, and one that nobody has seen."""
        (found,) = read("queries", registered(queries=[record(query_id="q", **fields)]))
        assert (found.query_id, found.text) == ("q", text)

    def test_the_classes_without_default_text_are_those_that_have_a_stand_in(self) -> None:
        classes = set()
        for name in ir_datasets.registry:
            dataset = ir_datasets.registry[name]
            classes |= {
                getattr(dataset, f"{entity}_cls")()
                for entity in ("docs", "queries")
                if dataset.has(entity) and not name.startswith("local/")
            }
        without = {found.__name__ for found in classes if not hasattr(found, "default_text")}
        assert without <= {
            "ArgsMeProcessedDoc", "BrightQuery", "ClinicalTrialsDoc", "CodeSearchNetDoc", "ToucheImageDoc", "TrecBackgroundLinkingQuery",
        }  # fmt: skip

    def test_fields_become_json_or_are_noted(self, read: Read) -> None:
        name = registered(
            docs=[
                record(
                    doc_id="d",
                    text="t",
                    body=b"\xff",
                    when=dt.date(2020, 5, 17),
                    pages=(Page("u", "x"),),
                    mood=Mood.GOOD,
                    score=float("nan"),
                    sections={"a": ("b",)},
                    default_text=lambda self: self.text,
                )
            ]
        )
        reading = Reading()
        (found,) = read("documents", name, reading)
        assert found.fields == {
            "when": "2020-05-17", "pages": [{"url": "u", "text": "x"}], "mood": "good", "sections": {"a": ["b"]},
        }  # fmt: skip
        assert set(reading.notes) == {"unheld-body", "unheld-score"}

    def test_queries_keep_their_fields(self, read: Read) -> None:
        formats = ir_datasets.formats
        name = registered(queries=[formats.TrecQuery("q", "T", "D", "N")])
        assert read("queries", name) == [Query("q", "T", {"description": "D", "narrative": "N"})]


class TestRun:
    def test_rows_are_gathered_by_query_in_their_order(self, read: Read) -> None:
        row = ir_datasets.formats.GenericScoredDoc
        name = registered(scoreddocs=[row("q", "a", 1.0), row("p", "b", 2.0), row("q", "c", 3)])
        found = [ranking._replace(scores=list(ranking.scores)) for ranking in read("run", name)]
        assert found == [Ranking("q", ["a", "c"], [1.0, 3.0]), Ranking("p", ["b"], [2.0])]


class TestNames:
    def test_an_unknown_id_has_neighbours(self, read: Read) -> None:
        with pytest.raises(UnknownName, match=r"did you mean beir/scifact/test ") as raised:
            read("judgments", "beir/scifat/test")
        assert raised.value.near[0] == "beir/scifact/test"

    def test_an_id_without_judgments_names_those_that_have_some(self, read: Read) -> None:
        with pytest.raises(UsageError, match="irds:beir/scifact has no judgments of its own") as raised:
            read("judgments", "beir/scifact")
        assert raised.value.hint == "ids below it that have judgments: beir/scifact/test, beir/scifact/train"

    def test_an_id_with_nothing_below_it_says_where_to_look(self, read: Read) -> None:
        with pytest.raises(UsageError) as raised:
            read("run", "cranfield")
        assert raised.value.hint == "irbridge datasets cranfield lists what has"

    def test_a_prefix_too_many_does_no_harm(self, read: Read, irds_home: Any) -> None:
        reading = Reading()
        assert len(read("judgments", "irds:vaswani/", reading)) == 2083
        assert reading.label == "irds:vaswani"

    def test_a_split_is_the_end_of_an_id(self, read: Read, irds_home: Any) -> None:
        reading = Reading(split="train")
        assert len(read("judgments", "beir/scifact", reading)) == 919
        assert reading.label == "irds:beir/scifact/train"

    def test_a_split_that_is_none_is_refused(self, read: Read) -> None:
        with pytest.raises(UsageError, match="has no split 'dev'") as raised:
            read("judgments", "beir/scifact", Reading(split="dev"))
        assert raised.value.hint == "ids below it: beir/scifact/test, beir/scifact/train"

    def test_deprecated_ids_are_noted(self, read: Read) -> None:
        reading = Reading()
        with pytest.raises(InputError):
            read("judgments", "trec-robust04", reading)
        assert "trec-robust04 is deprecated" in str(reading.notes["caution"])


@pytest.fixture
def place_named() -> Iterator[Callable[[InputError, bytes], None]]:
    """Puts a file where an error says it belongs, and takes it away again: other tests share the home."""
    placed: list[Path] = []

    def put(error: InputError, content: bytes) -> None:
        assert error.hint is not None
        place = Path(error.hint.removeprefix("place that file at ").split(", or try")[0])
        assert place.is_relative_to(ir_datasets.util.home_path())
        place.write_bytes(content)
        placed.append(place)

    yield put
    for place in placed:
        place.unlink()


class TestAbsentFiles:
    def test_the_file_its_address_and_its_place_are_named(self, read: Read, capfd: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(InputError) as raised:
            read("judgments", "antique/test")
        message, hint = raised.value.lines()
        assert message.startswith("irds:antique/test: the judgments are not on this machine, and https://")
        assert message.endswith("/antique-test.qrel cannot be reached")
        place = ir_datasets.util.home_path() / "antique" / "test" / "qrels"
        assert hint == f"try  place that file at {place}, or try again with a network"
        assert capfd.readouterr() == ("", "")

    def test_a_file_at_that_place_is_read(self, read: Read, place_named: Callable[[InputError, bytes], None]) -> None:
        with pytest.raises(InputError) as raised:
            read("judgments", "antique/train")
        place_named(raised.value, b"1 U0 d 3\n")
        reading = Reading()
        assert read("judgments", "antique/train", reading) == [Judgment("1", "d", 3, iteration="U0")]
        assert "the labels carry no query text: the queries are not on this machine" in str(reading.notes["no-queries"])

    def test_what_has_to_be_got_by_hand_says_so(self, read: Read) -> None:
        with pytest.raises(InputError, match="have to be obtained by hand") as raised:
            read("documents", "nyt/trec-core-2017")
        assert raised.value.hint is not None
        assert str(ir_datasets.util.home_path() / "nyt" / "nyt.tgz") in raised.value.hint
        assert "It is available from the LDC via: https://" in raised.value.hint

    def test_a_broken_file_is_no_absent_one(self, read: Read, place_named: Callable[[InputError, bytes], None]) -> None:
        with pytest.raises(InputError, match="not on this machine") as absent:
            read("judgments", "disks45/nocr/trec7")
        place_named(absent.value, b"no archive")
        with pytest.raises(InputError, match="ir_datasets cannot read the judgments") as raised:
            read("judgments", "disks45/nocr/trec7")
        assert raised.value.hint == f"look for a damaged file under {ir_datasets.util.home_path() / 'disks45'}"

    def test_a_package_that_ir_datasets_lacks_is_named(self, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
        from irbridge.errors import MissingDependency

        def lacking(self: Any) -> Iterator[Any]:
            raise ImportError(
                "This dataset requires ijson. Run 'pip install ir_datasets[ijson]' to install dependencies"
            )

        name = registered(qrels=[record(query_id="q", doc_id="d", relevance=1)])
        monkeypatch.setattr(type(ir_datasets.registry[name].qrels_handler()), "qrels_iter", lacking)
        with pytest.raises(MissingDependency) as raised:
            read("judgments", name)
        assert raised.value.lines() == ["ir_datasets[ijson] is not installed", "try  pip install ir_datasets[ijson]"]
