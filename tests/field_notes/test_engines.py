"""Field notes B58, B59, B69: what an engine costs, and what happens when one is missing."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import irbridge

STATM = Path("/proc/self/statm")
# In a process of its own: what other tests have loaded would blur the picture.
REPEATED = """
import gc, resource, irbridge
for _ in range(8):
    assert irbridge.score("a.qrels", "a.run", "num_ret").aggregates() == {"num_ret": 100_000}
    gc.collect()
    with open("/proc/self/statm") as sizes:
        print(int(sizes.read().split()[1]) * resource.getpagesize())
"""


@pytest.mark.may_skip("memory of the process is read from /proc")
@pytest.mark.skipif(not STATM.exists(), reason="no /proc here")
def test_b58_scoring_again_and_again_keeps_no_memory(note: Any) -> None:
    """100 queries of 1,000 documents, eight times; a leak of one run's ids would be some 8 MB each time."""
    with (note.folder / "a.run").open("w") as stream:
        for query in range(100):
            stream.write("".join(f"q{query} Q0 d{rank} {rank} {1000 - rank} t\n" for rank in range(1000)))
    note.qrels(" / ".join(f"q{query} 0 d{query} 1" for query in range(100)))
    done = subprocess.run([sys.executable, "-c", REPEATED], capture_output=True, text=True, check=True)
    seen = [int(line) for line in done.stdout.split()]
    assert len(seen) == 8
    assert seen[-1] - seen[1] < 8 * 2**20


def seconds(queries: int) -> float:
    """Processor time for that many queries of one document, whose ids share a long beginning; the best of three."""
    ids = [f"a-prefix-that-all-of-the-queries-of-this-test-share-{number}" for number in range(queries)]
    qrels, run = {each: {"d": 1} for each in ids}, {each: ["d"] for each in ids}
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        assert irbridge.score(qrels, run, "AP num_q").aggregates() == {"AP": 1.0, "num_q": queries}
        best = min(best, time.process_time() - started)
    return best


def test_b59_queries_are_matched_in_linear_time() -> None:
    """Four times the queries: trec_eval takes 12 to 28 times as long, and sixteen would be quadratic."""
    assert seconds(12_000) < 9 * seconds(3_000)


def test_b69_an_engine_that_is_absent_is_skipped_with_the_reason(note: Any) -> None:
    """In a process of its own, which can import no pytrec_eval and finds no program."""
    note.qrels("q1 0 a 1")
    note.run("a 2, b 1")
    program = "import sys; sys.modules['pytrec_eval'] = None; from irbridge.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "crosscheck", "--judgments", "a.qrels", "--run", "a.run", "-m", "AP"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": str(note.folder)},
    )
    said = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "skipped trec_eval: there is no trec_eval on the PATH" in said, done
    assert any(line.startswith("skipped pytrec_eval: ") for line in said), done
    # What remains is compared, or it is said that nothing was.
    assert done.returncode == (1 if any(line.startswith("verdict nothing was compared") for line in said) else 0)


def test_b69_ir_measures_names_stay_clear_of_modules() -> None:
    """`from ir_measures import *` rebinds pytrec_eval; nothing of irbridge imports with a star."""
    package = Path(irbridge.__file__).parent
    starred = [path.name for path in package.rglob("*.py") if "import *" in path.read_text(encoding="utf-8")]
    assert starred == []
