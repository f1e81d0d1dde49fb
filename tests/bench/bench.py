"""Speed, side by side: `python tests/bench/bench.py` for all of scoring, or some of `WHAT` by name.

Every line is a whole process, from files on disk to values on disk; the median of `--runs` interleaved runs. Quote the
ratios: times depend on the machine and on what else it does, CPU time less so than wall time. Workloads are made once, in
`--folder`; they take 1.2 GB there. The last line, `read`, is the limit: the bytes of the run, and nothing done with them.

Peers that are not there are left out. `--ranx` names the Python of an environment that has ranx, whose requirements are
better kept apart. Runs in JSON lines, and drift, are held against the command `retrieval-eval`; `--retrieval-eval` names it
where it is not on the path. It takes two minutes for drift-one, and ten for drift-one-stale.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from drift_workloads import DRIFT_WORKLOADS, make_drift
from workloads import JSONL, WORKLOADS, make, make_jsonl

IRBRIDGE = str(Path(sys.executable).with_name("irbridge"))
WHAT = ["startup", *WORKLOADS, JSONL, *DRIFT_WORKLOADS]
HERE = Path(__file__).resolve().parent
MEASURES = "P@10 R@100 nDCG@10 RR@10 AP@100"
# Byte code is kept as in an installed package; where it is not, every start compiles irbridge and no peer.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def measure(command: list[str], fine: tuple[int, ...] = (0,)) -> tuple[float, float, float]:
    """(wall seconds, CPU seconds, peak MB) of one process that exits with a code that is `fine`."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT) as process:
        said = process.stderr.read() if process.stderr else b""
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in fine:
        raise SystemExit(f"{' '.join(command)}\n{said.decode(errors='replace')[-2000:]}")
    scale = 1024 if sys.platform != "darwin" else 1024 * 1024
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / scale


def table(title: str, commands: dict[str, list[str]], runs: int, fine: tuple[int, ...] = (0,)) -> None:
    """Run all commands in turn, `runs` times, and print medians and ratios to the first."""
    taken: dict[str, list[tuple[float, float, float]]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            taken[name].append(measure(command, fine))
    print(f"\n{title}  (median of {runs})", flush=True)
    print(f"  {'':16}{'wall s':>9}{'cpu s':>9}{'peak MB':>9}   wall and cpu / those of {next(iter(commands))}")
    own = [statistics.median(one[part] for one in next(iter(taken.values()))) for part in range(3)]
    for name, rows in taken.items():
        wall, cpu, peak = (statistics.median(one[part] for one in rows) for part in range(3))
        print(f"  {name:16}{wall:9.3f}{cpu:9.3f}{peak:9.0f}   {wall / own[0]:6.1f} {cpu / own[1]:6.1f}")


def scoring(name: str, folder: Path, runs: int, skip: set[str], ranx: str | None) -> None:
    qrels, run = make(WORKLOADS[name], folder)
    out = Path(tempfile.mkdtemp())
    python = sys.executable
    commands = {
        "irbridge": [
            IRBRIDGE, "score", "--judgments", str(qrels), "--run", str(run), "-m", MEASURES,
            "--per-query", str(out / "per-query.jsonl"),
        ]
    }  # fmt: skip
    peers = ["pytrec_eval", "ir_measures", "beir", "ranx", "read"]
    for peer in peers:
        interpreter = ranx if peer == "ranx" and ranx else python
        there = peer == "read" or interpreter is not python or importlib.util.find_spec(peer)
        if peer not in skip and there:
            commands[peer] = [interpreter, str(HERE / "peers.py"), peer, str(qrels), str(run), str(out / peer)]
    trec_eval = shutil.which("trec_eval")
    if trec_eval and "trec_eval" not in skip and name != "many":  # quadratic in queries
        wanted = [
            arg for one in ("P.10", "recall.100", "ndcg_cut.10", "recip_rank", "map_cut.100") for arg in ("-m", one)
        ]
        commands["trec_eval"] = [trec_eval, "-q", *wanted, str(qrels), str(run)]
    table(f"{name}: {WORKLOADS[name].rows:,} rows, {run.stat().st_size / 1e6:.0f} MB", commands, runs)
    shutil.rmtree(out)


def lines(folder: Path, runs: int, other: str | None) -> None:
    """A run in JSON lines, each line checked in full, against labels in JSON lines."""
    labels, run = make_jsonl(WORKLOADS["large"], folder)
    arguments = ["score", "--judgments", str(labels), "--run", str(run), "-k", "10"]
    commands = {"irbridge": [IRBRIDGE, *arguments]}
    if other:
        commands["retrieval-eval"] = [other, *arguments]
    commands["read"] = [sys.executable, str(HERE / "peers.py"), "read", str(labels), str(run), os.devnull]
    table(f"{JSONL}: {WORKLOADS['large'].rows:,} entries, {run.stat().st_size / 1e6:.0f} MB", commands, runs)


def drift(name: str, folder: Path, runs: int, other: str | None) -> None:
    workload = DRIFT_WORKLOADS[name]
    labels, lines, whole = make_drift(workload, folder)
    arguments = ["drift", "--judgments", str(labels), "--corpus"]
    commands = {"irbridge": [IRBRIDGE, *arguments, str(lines)], "irbridge, JSON": [IRBRIDGE, *arguments, str(whole)]}
    if other:
        commands["retrieval-eval"] = [other, *arguments, str(whole)]
    commands["read"] = [sys.executable, str(HERE / "peers.py"), "read", str(labels), str(lines), os.devnull]
    title = f"{name}: {workload.documents * workload.chunks:,} chunks, {workload.labels:,} labels"
    # Labels have drifted, which is no failure but a finding: exit code 1.
    table(f"{title}, {lines.stat().st_size / 1e6:.0f} MB", commands, runs, (0, 1))


def startup(runs: int) -> None:
    python = sys.executable
    commands = {
        "--version": [IRBRIDGE, "--version"],
        "--help": [IRBRIDGE, "--help"],
        "import click": [python, "-c", "import click"],
        "python": [python, "-c", "pass"],
    }
    table("start-up", commands, max(runs, 15))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    usual = ["startup", *WORKLOADS, JSONL]
    parser.add_argument("what", nargs="*", default=usual, metavar="WHAT", help=", ".join(WHAT))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "irbridge-bench")
    parser.add_argument("--skip", default="", help="peers to leave out, separated by commas")
    parser.add_argument("--ranx", metavar="PYTHON", help="the Python of an environment that has ranx")
    parser.add_argument(
        "--retrieval-eval", default=shutil.which("retrieval-eval"), help="the command of the drift reference"
    )
    options = parser.parse_args()
    if unknown := set(options.what) - set(WHAT):
        parser.error(f"no such workload: {', '.join(sorted(unknown))}; there are {', '.join(WHAT)}")
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}")
    for what in options.what:
        if what == "startup":
            startup(options.runs)
        elif what in DRIFT_WORKLOADS:
            drift(what, options.folder, options.runs, options.retrieval_eval)
        elif what == JSONL:
            lines(options.folder, options.runs, options.retrieval_eval)
        else:
            scoring(what, options.folder, options.runs, set(options.skip.split(",")), options.ranx)


if __name__ == "__main__":
    main()
