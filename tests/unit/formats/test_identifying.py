from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from irbridge.errors import InputError, PluginError
from irbridge.formats import Format, base, identify
from irbridge.inputs import Input
from irbridge.registry import Registry


def _broken(*arguments: Any) -> Any:
    raise RuntimeError("a bug of theirs")


def _leaving(*arguments: Any) -> Any:
    raise SystemExit(3)


def _nothing(*arguments: Any) -> Any:
    return None


def _late(given: Any, reading: Any) -> Iterator[Any]:
    yield from ()
    raise KeyError("gone")


def _sure(*arguments: Any) -> int:
    return 99


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Callable[[Format], None]:
    """Offer a format as a third party does."""

    def offer(entry: Format) -> None:
        point = metadata.EntryPoint("theirs", "their.formats:FORMAT", "irbridge.formats")
        monkeypatch.setattr(metadata.EntryPoint, "load", lambda self: entry)
        monkeypatch.setattr(metadata, "entry_points", lambda group: [point])
        fresh = Registry("format", "irbridge.formats", "FORMAT", Format, "irbridge.formats")
        monkeypatch.setattr("irbridge.formats.FORMATS", fresh)

    return offer


class TestThirdParties:
    @pytest.mark.parametrize(
        "sniff, said",
        [
            (_broken, "RuntimeError: a bug of theirs"),
            (_leaving, "SystemExit: 3"),
            (_nothing, "TypeError: sniff gives a NoneType, not a whole number"),
        ],
    )
    def test_a_sniff_that_fails_names_its_format(
        self, tmp_path: Path, plug: Callable[[Format], None], sniff: Any, said: str
    ) -> None:
        plug(Format("odd", "file", "an odd format of somebody", sniff=sniff, read_judgments=_broken))
        (tmp_path / "input").write_text("hello\n")
        with pytest.raises(PluginError, match=rf"^the format 'odd' of .* failed: {said}$"):
            identify(tmp_path / "input", "judgments")

    @pytest.mark.parametrize("accepts", [_broken, _leaving])
    def test_so_does_one_of_objects(self, plug: Callable[[Format], None], accepts: Any) -> None:
        plug(Format("odd", "object", "an odd format of somebody", accepts=accepts, read_judgments=_broken))
        with pytest.raises(PluginError, match=r"^the format 'odd' of their.formats:FORMAT failed: "):
            identify(5, "judgments")

    @pytest.mark.parametrize("read", [_broken, _leaving, _late])
    def test_so_does_a_reader(self, tmp_path: Path, plug: Callable[[Format], None], read: Any) -> None:
        plug(Format("odd", "file", "an odd format of somebody", sniff=_sure, read_judgments=read))
        (tmp_path / "input").write_text("hello\n")
        with pytest.raises(PluginError, match=r"^the format 'odd' of their.formats:FORMAT failed: "):
            list(Input(tmp_path / "input", "judgments"))

    def test_what_our_own_formats_know_asks_no_third_party(
        self, tmp_path: Path, plug: Callable[[Format], None]
    ) -> None:
        plug(Format("odd", "file", "an odd format of somebody", sniff=_broken, read_judgments=_broken))
        (tmp_path / "input").write_text("q 0 d 1\n")
        assert identify(tmp_path / "input", "judgments")[0].name == "trec-qrels"


class TestUnknown:
    def test_only_formats_of_files_are_named_for_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "input").write_text("hello\n")
        with pytest.raises(InputError, match="no format for judgments recognises it") as raised:
            identify(tmp_path / "input", "judgments")
        hint = raised.value.hint or ""
        assert "beir-qrels" in hint
        assert not {"beir", "collection", "irds"} & set(
            hint.rstrip(")").replace("(formats: ", "").replace(",", "").split()
        )
        assert hint.startswith("name it, for example beir-qrels:")

    def test_a_first_line_beyond_what_is_sniffed_is_shown(self, tmp_path: Path) -> None:
        (tmp_path / "input").write_text("x" * (base.HEAD_BYTES + 10) + "\n")
        with pytest.raises(InputError) as raised:
            identify(tmp_path / "input", "judgments")
        assert raised.value.text == "x" * 200
