"""The trec_eval program on the PATH, whichever release it is.

It reads files and prints four decimals; its -q output gives values for each query. Release 9 is run without -c (missing
queries are skipped); release 10 refuses such a run, so it is run with -c (they score 0) where queries are missing.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence

from irbridge.conventions import LINEAR, Convention, get_convention
from irbridge.errors import shown
from irbridge.oracles.base import Answer, Asked, Material, Oracle, Unavailable
from irbridge.oracles.guards import all_negative, endless_ndcg, high_grades, repeats, spaced_ids, undefined_precision
from irbridge.oracles.trec_names import batches, trec_name, uncovered

# For each judged query it scans all queries of the run: 20,000 take 1.5 s, a million about an hour.
_QUERIES = 20_000
_SECONDS = 300
_HINT = "build https://github.com/usnistgov/trec_eval with make, and put its folder on the PATH"


def _binary() -> str:
    found = shutil.which("trec_eval")
    if found is None:
        raise Unavailable("there is no trec_eval on the PATH", hint=_HINT)
    return found


def _probe() -> str:
    """What `trec_eval -v` says, without its name.

    Raises:
        Unavailable: not on the PATH, or what is there does not say a version.
    """
    try:
        said = subprocess.run([_binary(), "-v"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"the trec_eval on the PATH cannot be run: {shown(error, 80)}") from error
    text = (said.stderr + said.stdout).decode("utf-8", "replace")
    version = re.search(r"version\s+(\d\S*)", text)
    if version is None:
        raise Unavailable(f"the trec_eval on the PATH does not say its version: {shown(text.strip(), 60)}")
    return version[1]


def _release() -> int:
    number = re.match(r"\d+", _probe())
    return int(number[0]) if number else 0


def _convention(measure: Asked) -> Convention:
    if _release() >= 10:
        return get_convention("trec_eval-10").changed(missing="zero", gain=LINEAR)
    return get_convention("trec_eval-9").changed(gain=LINEAR)


def _name(measure: Asked) -> tuple[str, str, int | None] | None:
    """(what to ask for, what the answer is called, -M). RR@k is RR of the top k; trec_eval has no other name for it."""
    named = trec_name(measure)
    if named is not None:
        return (*named, None)
    # -M cuts before -J takes documents out, which is not the top k of what is left.
    top_k = measure.family.name == "RR" and not measure.judged_only
    return ("recip_rank", "recip_rank", measure.cutoff) if top_k else None


def _uncovered(measure: Asked) -> str | None:
    named = _name(measure)
    return None if named is not None and named[2] is not None and measure.level >= 1 else _lacks(measure)


def _lacks(measure: Asked) -> str | None:
    if measure.family.mean is not None:
        return f"prints {measure.family.name} for all queries together, not for each"
    if measure.family.name == "rbp":
        return "finds the highest gain of rbp by a variable that it never sets"
    return uncovered(measure, _release())


def _refuses(material: Material, measures: Sequence[Asked]) -> str | None:
    if len(material.qrels) > _QUERIES:
        return f"trec_eval matches queries in quadratic time; more than {_QUERIES:,} are not given to it"
    empty = next((query_id for query_id, own in material.run.items() if not own), None)
    if empty is not None:
        return f"the ranking of query {shown(empty, 30)} is empty, which a TREC run file cannot hold"
    if not material.run:
        return "the run is empty, at which trec_eval stops (exit 2)"
    for query_id in material.qrels:
        if query_id == "all" or query_id.startswith("#"):
            return f"a query is called '{shown(query_id, 30)}', which trec_eval reads or prints as something else"
    negative = all_negative(material)
    if negative is not None:
        return f"all grades of query {shown(negative, 30)} are negative, at which trec_eval stops (exit 4)"
    return repeats(material) or high_grades(material, measures) or spaced_ids(material)


def _call(material: Material, measures: Sequence[Asked]) -> Answer:
    found = Answer()
    with tempfile.TemporaryDirectory(prefix="irbridge-") as folder:
        qrels, run = os.path.join(folder, "qrels"), os.path.join(folder, "run")
        with open(qrels, "w", encoding="utf-8", newline="\n") as stream:
            for query_id, grades in material.qrels.items():
                stream.writelines(f"{query_id} 0 {doc_id} {int(grade)}\n" for doc_id, grade in grades.items())
        with open(run, "w", encoding="utf-8", newline="\n") as stream:
            for query_id, scores in material.run.items():
                stream.writelines(f"{query_id} Q0 {doc_id} 0 {float(score)!r} r\n" for doc_id, score in scores.items())
        missing = material.qrels.keys() - material.run.keys()
        general = ["-q", *(["-c"] if missing and _release() >= 10 else [])]
        for (level, judged_only, _), batch in batches(measures).items():
            for depth in dict.fromkeys(_named(measure)[2] for measure in batch):
                chosen = [measure for measure in batch if _named(measure)[2] == depth]
                options = [*general, f"-l{level}", *(["-J"] if judged_only else []), *([f"-M{depth}"] if depth else [])]
                found = found.joined(_run(options, chosen, [qrels, run]))
    return found


def _named(measure: Asked) -> tuple[str, str, int | None]:
    named = _name(measure)
    if named is None:
        raise ValueError(measure.asked)
    return named


def _run(options: list[str], measures: Sequence[Asked], files: list[str]) -> Answer:
    by_base: dict[str, list[str]] = {}
    for measure in measures:
        base, _, parameter = _named(measure)[0].partition(".")
        by_base.setdefault(base, []).extend([parameter] if parameter else [])
    # num_ret tells which queries count; the cutoffs of one measure have to come in one option.
    wanted = {"num_ret": [], **by_base}
    asked = [part for base, parameters in wanted.items() for part in ("-m", _option(base, parameters))]
    done = subprocess.run(
        [_binary(), *options, *asked, *files],
        capture_output=True,
        timeout=_SECONDS,
        check=False,
        env={**os.environ, "LC_ALL": "C"},
    )
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise RuntimeError(f"trec_eval ended with exit code {done.returncode}: {said}")
    return _read(done.stdout.decode("utf-8"), measures, complete="-c" in options)


def _option(base: str, parameters: list[str]) -> str:
    if not parameters:
        return base
    # Cutoffs are a set; other parameters are one text.
    several = len(parameters) > 1
    return f"{base}.{','.join(sorted(set(parameters), key=float)) if several else parameters[0]}"


def _read(printed: str, measures: Sequence[Asked], *, complete: bool = False) -> Answer:
    table: dict[str, dict[str, float]] = {}
    for line in printed.split("\n"):
        cells = line.split()
        if len(cells) == 3:
            table.setdefault(cells[0], {})[cells[1]] = float(cells[2])
    found = Answer()
    for measure in measures:
        _, key, _ = _named(measure)
        values = dict(table[key])
        found.means[measure.asked] = values.pop("all")
        if key == "num_q":  # printed for all queries together only
            values = {query_id: 1.0 for query_id in table["num_ret"] if query_id != "all"}
        if key == "num_rel" and complete and measure.level > 1:
            del found.means[measure.asked]  # with -c the total is of all grades above 0, whatever -l says
        found.values[measure.asked] = values
    return found


def _declines(material: Material, measures: Sequence[Asked]) -> dict[str, str]:
    return endless_ndcg(material, measures) | undefined_precision(material, measures)


ORACLE = Oracle(
    name="trec_eval",
    summary="the trec_eval program on the PATH",
    probe=_probe,
    covers=_uncovered,
    convention=_convention,
    call=_call,
    refuses=_refuses,
    declines=_declines,
    # Four decimals are printed.
    tolerance=5e-5 + 1e-9,
)
