from __future__ import annotations

import io
import logging
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from irbridge.errors import InputError
from irbridge.fetching import rows

ir_datasets = pytest.importorskip("ir_datasets")


class TestRows:
    def test_they_come_in_batches_and_in_order(self) -> None:
        begun: list[int] = []

        def numbers() -> Iterator[int]:
            for number in range(600):
                begun.append(number)
                yield number

        found = rows("x", "judgments", numbers)
        assert begun == []
        assert next(found) == 0
        assert len(begun) == 256
        assert list(found) == list(range(1, 600))

    def test_the_source_is_closed_with_them(self) -> None:
        closed: list[bool] = []

        def numbers() -> Iterator[int]:
            try:
                yield from range(1000)
            finally:
                closed.append(True)

        found = rows("x", "judgments", numbers)
        next(found)
        found.close()  # type: ignore[attr-defined]
        assert closed == [True]

    def test_log_lines_and_bars_are_kept_off_the_screen_while_it_works(self, capfd: pytest.CaptureFixture[str]) -> None:
        def noisy() -> Iterator[int]:
            ir_datasets.log.easy().info("opening the docstore")
            yield from ir_datasets.log.easy().pbar(iter(range(3)), desc="reading")

        found = rows("x", "judgments", noisy)
        assert list(found) == [0, 1, 2]
        assert capfd.readouterr() == ("", "")
        # Afterwards ir_datasets speaks again to whoever uses it himself.
        records: list[logging.LogRecord] = []
        handler = logging.Handler()
        handler.emit = records.append  # type: ignore[method-assign]
        logging.getLogger("ir_datasets").addHandler(handler)
        ir_datasets.log.easy().info("hello")
        logging.getLogger("ir_datasets").removeHandler(handler)
        assert [record.getMessage() for record in records] == ["hello"]

    def test_other_threads_keep_their_standard_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        screen = io.StringIO()
        monkeypatch.setattr(sys, "stderr", screen)

        def reading() -> Iterator[int]:
            sys.stderr.write("noise")
            bar = threading.Thread(target=lambda: sys.stderr.write("bar"))
            bar.start()
            bar.join()
            yield 1

        assert list(rows("x", "judgments", reading)) == [1]
        assert screen.getvalue() == "bar"
        assert sys.stderr is screen

    @pytest.mark.parametrize(
        "error", [AssertionError("columns"), RuntimeError("a", []), KeyError("x"), OSError(5, "I/O")]
    )
    def test_whatever_goes_wrong_is_one_error_of_ours(self, error: Exception) -> None:
        def failing() -> Iterator[int]:
            yield 1
            raise error

        with pytest.raises(InputError, match="irds:cranfield: ir_datasets cannot read the queries") as raised:
            list(rows("cranfield", "queries", failing))
        assert raised.value.hint is not None
        assert str(ir_datasets.util.home_path() / "cranfield") in raised.value.hint

    @pytest.mark.parametrize(
        "why, words",
        [
            (OSError("no route"), "cannot be reached"),
            (type("HTTPError", (OSError,), {"response": type("R", (), {"status_code": 404})})("gone"), "answers 404"),
            (ir_datasets.util.HashVerificationError("md5"), "has another file now than ir_datasets expects"),
            (ValueError("disk"), "cannot be fetched (ValueError: disk)"),
        ],
    )
    def test_why_a_download_failed(
        self, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, why: Exception, words: str
    ) -> None:
        def failing(self: Any) -> Iterator[Any]:
            raise why

        util = ir_datasets.util
        monkeypatch.setattr(util.RequestsDownload, "stream", failing)
        mirrors = [util.RequestsDownload("https://one.example/f"), util.RequestsDownload("https://two.example/f")]
        download = util.Download(mirrors, cache_path=str(tmp_path / "f"))
        with pytest.raises(InputError) as raised:
            list(rows("cranfield", "queries", lambda: [download.path()]))
        assert raised.value.message == f"the queries are not on this machine, and https://one.example/f {words}"
        assert raised.value.hint == f"place that file at {tmp_path / 'f'}, or try again with a network"

    def test_a_file_that_is_only_kept_unpacked_is_named_in_that_form(self, tmp_path: Any) -> None:
        util = ir_datasets.util
        download = util.Download([util.RequestsDownload("https://one.example/a.tgz")])
        kept = util.Cache(util.TarExtract(download, "member"), tmp_path / "member.txt")

        def reading() -> Iterator[bytes]:
            with kept.stream() as stream:
                yield from stream

        with pytest.raises(InputError) as raised:
            list(rows("cranfield", "queries", reading))
        assert raised.value.hint == f"place that file at {tmp_path / 'member.txt'}, or try again with a network"
