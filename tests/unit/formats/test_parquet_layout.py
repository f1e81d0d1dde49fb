from __future__ import annotations

from pathlib import Path

import pytest

from irbridge.errors import InputError, UsageError
from irbridge.formats.parquet_layout import Layout, pick


def folder(tmp_path: Path, *names: str) -> Layout:
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return Layout.of(str(tmp_path))


def named(layout: Layout, tmp_path: Path, kind: str) -> dict[str, dict[str, list[str]]]:
    return {
        language: {split: [str(Path(path).relative_to(tmp_path)) for path in paths] for split, paths in splits.items()}
        for language, splits in getattr(layout, kind).items()
    }


@pytest.mark.parametrize(
    "name",
    [
        "default/test-00000-of-00001.parquet",
        "data/test-00000-of-00001.parquet",
        "qrels/test-00000-of-00001.parquet",
        "qrels/test-00000-of-00001-0123456789abcdef.parquet",
        "qrels/test.parquet",
        "default/test/0000.parquet",
        "test.parquet",
        "test-00000-of-00001.parquet",
    ],
)
def test_labels_of_a_split(tmp_path: Path, name: str) -> None:
    assert named(folder(tmp_path, name), tmp_path, "judgments") == {"": {"test": [name]}}


@pytest.mark.parametrize(
    "name", ["corpus/corpus-00000-of-00001.parquet", "corpus/corpus/0000.parquet", "corpus.parquet"]
)
def test_a_corpus(tmp_path: Path, name: str) -> None:
    assert named(folder(tmp_path, name), tmp_path, "documents") == {"": {"corpus": [name]}}


def test_queries_under_either_name(tmp_path: Path) -> None:
    layout = folder(tmp_path, "queries.parquet", "query/train.parquet")
    assert named(layout, tmp_path, "queries") == {
        "": {"queries": ["queries.parquet"], "train": ["query/train.parquet"]}
    }


def test_pieces_are_in_order(tmp_path: Path) -> None:
    names = [f"corpus/corpus-{number:05}-of-00011.parquet" for number in range(11)]
    assert named(folder(tmp_path, *reversed(names)), tmp_path, "documents") == {"": {"corpus": names}}


def test_languages(tmp_path: Path) -> None:
    layout = folder(
        tmp_path,
        "de-corpus/test.parquet",
        "zh-Hans-queries/test.parquet",
        "de-qrels/dev.parquet",
        "de-qrels/test.parquet",
    )
    assert named(layout, tmp_path, "documents") == {"de": {"test": ["de-corpus/test.parquet"]}}
    assert named(layout, tmp_path, "queries") == {"zh-Hans": {"test": ["zh-Hans-queries/test.parquet"]}}
    assert list(layout.judgments["de"]) == ["dev", "test"]


def test_other_files_and_configurations_are_left_alone(tmp_path: Path) -> None:
    layout = folder(
        tmp_path, "README.md", "corpus.jsonl", "qrels/test.tsv", "top_ranked/test.parquet", "de-top_ranked/test.parquet",
        "instruction/test.parquet", "-corpus/a.parquet", "images/a.parquet",
    )  # fmt: skip
    assert layout == Layout()


MANY = {"": {"dev": ["d"], "test": ["t"], "train": ["n"]}}
LANGUAGES = {"de": {"test": ["de-t"]}, "fr": {"dev": ["fr-d"], "test": ["fr-t"]}}


@pytest.mark.parametrize(
    "configs, wanted, paths",
    [
        ({"": {"dev": ["d"]}}, None, ["d"]),
        (MANY, None, ["t"]),
        (MANY, "dev", ["d"]),
        (MANY, "*", ["d", "t", "n"]),
        (LANGUAGES, "de", ["de-t"]),
        (LANGUAGES, "fr", ["fr-t"]),
        (LANGUAGES, "fr/dev", ["fr-d"]),
        (LANGUAGES, "fr/*", ["fr-d", "fr-t"]),
    ],
)
def test_the_split_that_is_meant(
    configs: dict[str, dict[str, list[str]]], wanted: str | None, paths: list[str]
) -> None:
    assert [path for found in pick(configs, wanted, "mine", "judgments") for path in found.paths] == paths


@pytest.mark.parametrize(
    "configs, wanted, message",
    [
        ({"": {"dev": ["d"], "train": ["n"]}}, None, "mine: has several splits of judgments; there are dev, train"),
        ({"": {"dev": ["d"]}}, "test", "mine: has no judgments of the split 'test'; there are dev"),
        (LANGUAGES, None, "mine: has judgments in several languages; there are de/test, fr/dev, fr/test"),
        (LANGUAGES, "*", "mine: has judgments in several languages; there are de/test, fr/dev, fr/test"),
        (LANGUAGES, "es/test", "mine: has no judgments in 'es'; there are de/test, fr/dev, fr/test"),
        (LANGUAGES, "de/dev", "mine: has no judgments of the split 'dev'; there are de/test, fr/dev, fr/test"),
    ],
)
def test_what_is_not_there_is_listed(
    configs: dict[str, dict[str, list[str]]], wanted: str | None, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        pick(configs, wanted, "mine", "judgments")
    assert str(caught.value) == message


def test_a_part_that_is_not_there_is_no_fault_of_the_folder() -> None:
    """Whoever wants all parts of a collection goes without it; an InputError would stop them."""
    with pytest.raises(UsageError, match=r"^mine has no queries$"):
        pick({}, None, "mine", "queries")


@pytest.mark.parametrize("wanted", [None, "test", "dev", "*"])
def test_a_corpus_for_all_splits_is_read_whatever_split_is_wanted(wanted: str | None) -> None:
    (found,) = pick({"": {"corpus": ["c"]}}, wanted, "mine", "documents", own="corpus")
    assert found.paths == ["c"]


def test_a_corpus_without_a_language_serves_all() -> None:
    (found,) = pick({"": {"corpus": ["c"]}}, "de/test", "mine", "documents", own="corpus")
    assert found.paths == ["c"]


@pytest.mark.parametrize("wanted, path", [("dev", "d"), ("train", "n"), (None, "t")])
def test_a_corpus_of_the_split_comes_first(wanted: str | None, path: str) -> None:
    (found,) = pick({"": {"dev": ["d"], "train": ["n"], "test": ["t"]}}, wanted, "mine", "documents", own="corpus")
    assert found.paths == [path]
