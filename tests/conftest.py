"""What all tests share: real collections where they are at hand, no network, the same examples on every run."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
REQUIRE_SHARED = os.environ.get("IRBRIDGE_REQUIRE_SHARED") == "1"

# Derandomised: a run that failed fails again. Choose `--hypothesis-profile search` to look for new examples.
hypothesis.settings.register_profile("deterministic", derandomize=True, database=None, deadline=None, max_examples=100)
hypothesis.settings.register_profile("search", deadline=None, max_examples=2000, print_blob=True)
hypothesis.settings.load_profile("deterministic")

# Programs that a test starts cannot be patched; a proxy at a closed port stops those that respect it, at once.
_OFFLINE = {
    **{f"{scheme}_proxy": "http://127.0.0.1:9" for scheme in ("http", "https", "ftp", "all")},
    **{f"{scheme}_PROXY": "http://127.0.0.1:9" for scheme in ("HTTP", "HTTPS", "FTP", "ALL")},
    "no_proxy": "localhost,127.0.0.1,::1",
    "NO_PROXY": "localhost,127.0.0.1,::1",
    "IR_DATASETS_DL_TRIES": "1",
    "IR_DATASETS_DL_DISABLE_PBAR": "true",
    "HF_HUB_OFFLINE": "1",
}


def pytest_configure(config: pytest.Config) -> None:
    """Give ir_datasets an empty home of its own before anything can import it: it reads the variable only then."""
    home = tempfile.mkdtemp(prefix="irbridge-tests-")
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    patch = pytest.MonkeyPatch()
    config.add_cleanup(patch.undo)
    patch.setenv("IR_DATASETS_HOME", home)
    patch.setenv("IR_DATASETS_TMP", os.path.join(home, ".tmp"))
    for name, value in _OFFLINE.items():
        patch.setenv(name, value)
    patch.delenv("COLUMNS", raising=False)  # a width that the shell exports would cut what is read here


# ---------------------------------------------------------------------------------------------------------------- data


@pytest.fixture(scope="session")
def root() -> Path:
    """The top folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real collections beside the repository; read-only."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the folder ../shared with real collections is absent")
    return SHARED


@pytest.fixture(scope="session")
def irds_home(shared: Path) -> Path:
    """IR_DATASETS_HOME, filled with a copy of the collections in `shared` (ir_datasets writes beside what it reads).

    Every worker has its own copy. Before the first test that asks for it the home is empty, so a test of an absent
    collection must take an id that the copy does not serve.
    """
    home = Path(os.environ["IR_DATASETS_HOME"])
    source = shared / "data" / "irds-home"
    # Contents only: the originals are without write bits, which a copy must not inherit.
    for folder, _, files in os.walk(source):
        target = home / Path(folder).relative_to(source)
        target.mkdir(parents=True, exist_ok=True)
        for name in files:
            shutil.copyfile(os.path.join(folder, name), target / name)
    return home


# ------------------------------------------------------------------------------------------------------------- network


class NetworkBlockedError(OSError):
    """A test tried to reach another machine. An OSError, because that is what an unplugged cable gives."""


def _is_local(host: object) -> bool:
    text = host.decode() if isinstance(host, bytes) else str(host or "")
    return text in {"", "localhost", "::1", "0.0.0.0", "::"} or text.startswith("127.")


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    real_connect, real_connect_ex = socket.socket.connect, socket.socket.connect_ex
    real_lookup = socket.getaddrinfo

    def check(address: object) -> None:
        host = address[0] if isinstance(address, tuple) else None  # a str or bytes is a Unix socket's path
        if not _is_local(host):
            msg = f"tests run without network; {host} was asked for"
            raise NetworkBlockedError(msg)

    def connect(self: socket.socket, address: Any) -> None:
        check(address)
        real_connect(self, address)

    def connect_ex(self: socket.socket, address: Any) -> int:
        check(address)
        return real_connect_ex(self, address)

    def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        check((host,))
        return real_lookup(host, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect)
        patch.setattr(socket.socket, "connect_ex", connect_ex)
        patch.setattr(socket, "getaddrinfo", getaddrinfo)
        yield


# --------------------------------------------------------------------------------------------------------------- skips
# IRBRIDGE_REQUIRE_SHARED=1 says that nothing is missing here: the real collections and every optional library are
# there. A test that would skip then fails, unless it is marked `may_skip(reason)`.


def _refuse(report: pytest.TestReport | pytest.CollectReport) -> None:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"{report.nodeid}: skipped although IRBRIDGE_REQUIRE_SHARED=1 says nothing is missing: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skipped test into a failed one where nothing may be skipped."""
    report = yield
    expected = hasattr(report, "wasxfail") or item.get_closest_marker("may_skip") is not None
    if REQUIRE_SHARED and report.skipped and not expected:
        _refuse(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a whole module that skips itself while it is imported."""
    report = yield
    if REQUIRE_SHARED and report.skipped:
        _refuse(report)
    return report
