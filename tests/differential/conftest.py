"""What the comparisons with programs share."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest


@pytest.fixture(scope="module")
def release() -> int:
    """The release of the trec_eval on the PATH: 9 or 10."""
    if shutil.which("trec_eval") is None:
        pytest.skip("there is no trec_eval on the PATH")
    done = subprocess.run(["trec_eval", "-v"], capture_output=True, text=True, check=False)
    found = re.search(r"version\s+(\d+)", done.stderr + done.stdout)
    assert found is not None
    return int(found[1])
