"""The rules that tests/conftest.py sets for all tests are tested here, where they can be seen to bite."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

CASES = """
import pytest

def test_passes():
    pass

def test_skips():
    pytest.skip("for want of a library")

@pytest.mark.may_skip("no such program everywhere")
def test_may_skip():
    pytest.skip("for want of a program")

@pytest.mark.xfail(reason="known")
def test_known_to_fail():
    assert False
"""
MODULE_SKIPS = "import pytest\npytest.importorskip('a_library_that_is_not_there')\n"


@pytest.mark.parametrize(
    "required, code, summary",
    [("0", 0, "1 passed, 3 skipped, 1 xfailed"), ("1", 1, "1 failed, 1 passed, 1 skipped, 1 xfailed, 1 error")],
)
def test_where_all_is_required_a_skip_is_a_failure(
    root: Path, tmp_path: Path, required: str, code: int, summary: str
) -> None:
    (tmp_path / "test_cases.py").write_text(CASES)
    (tmp_path / "test_module.py").write_text(MODULE_SKIPS)
    environment = {**os.environ, "IRBRIDGE_REQUIRE_SHARED": required, "PYTHONPATH": str(root / "tests")}
    options = ["-p", "conftest", "-c", str(root / "pyproject.toml"), "-p", "no:cacheprovider", "-q"]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--continue-on-collection-errors", "."],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == code, result.stdout + result.stderr
    assert summary in result.stdout.splitlines()[-1]


@pytest.mark.parametrize("call", ["connect", "connect_ex"])
def test_no_other_machine_can_be_reached(call: str) -> None:
    with socket.socket() as open_socket, pytest.raises(OSError, match="tests run without network"):
        getattr(open_socket, call)(("192.0.2.1", 80))  # TEST-NET-1, RFC 5737: nobody's address


def test_no_other_name_can_be_looked_up() -> None:
    with pytest.raises(OSError, match="tests run without network"):
        socket.getaddrinfo("example.org", 443)


def test_this_machine_can_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()


def test_a_program_that_a_test_starts_is_sent_to_a_closed_port() -> None:
    proxies = urllib.request.getproxies()
    assert proxies["http"] == proxies["https"] == "http://127.0.0.1:9"


def test_ir_datasets_lives_in_a_folder_of_this_run(irds_home: Path) -> None:
    import ir_datasets

    assert ir_datasets.util.home_path() == irds_home
    assert irds_home != Path.home() / ".ir_datasets"
    # The count stands in ir_datasets' own metadata and in the collection's description: 225 queries.
    assert sum(1 for _ in ir_datasets.load("cranfield").queries_iter()) == 225
