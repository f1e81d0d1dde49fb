"""Run JSONL: `{"query_id": ..., "ranking": [ids, best first]}`, one query a line (spec/formats.md).

irbridge adds two optional members, so that a TREC run comes back as it was: `scores`, one number for each entry of the
ranking, and `tag`. Other implementations ignore them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import gt
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

from irbridge.errors import InputError, shown
from irbridge.formats.base import Format, Head
from irbridge.formats.jsonlines import decoder, records, records_among, single_keyed
from irbridge.formats.scanning import keep_memory, line_ends
from irbridge.ids import fault
from irbridge.model import Ranking
from irbridge.reading import Reading
from irbridge.source import Source
from irbridge.textio import counted_blocks, decode

if TYPE_CHECKING:
    from irbridge.rows import RunRows

# Ids are short: of so many bytes the arrays stay in a near cache.
_BLOCK_BYTES = 1 << 19
_EXACT = 2**53  # beyond, an integer need not have a double of its own
_AGAIN = "give each query one line"
_OTHER_ID = "NUL ends a text in many tools, half a surrogate pair is no text; rename it"


def read(source: Source, reading: Reading) -> Iterator[Ranking]:
    """Rankings in file order; a key that is repeated inside one ranking is left as it is. Counts entries as rows.

    Raises:
        InputErrors: lines that are no JSON object, members that are missing or of the wrong kind, or a query twice.
    """
    lines = _Lines(reading)
    for line in records(source, reading):
        ranking = lines.ranking(line)
        if ranking is not None:
            yield ranking
    reading.finish()


def scan(source: Source, reading: Reading) -> Iterator[RunRows | Ranking]:
    """The same, plain rankings as columns, for scoring: several times as fast."""
    from irbridge.rankingcolumns import rows_of

    keep_memory()
    lines = _Lines(reading)
    for first, _, block in counted_blocks(source, _BLOCK_BYTES, count=line_ends):
        text = None if block.isascii() else decode(block, source, first)
        rows = rows_of(block, first)
        if rows is not None and lines.fresh(rows.columns.texts_at(0, rows.starts), rows.lines[rows.starts].tolist()):
            reading.rows += len(rows)
            yield rows
            continue
        text = (text or decode(block, source, first)).replace("\r\n", "\n").removesuffix("\r")
        for line in records_among(text.split("\n"), first, reading):
            ranking = lines.ranking(line)
            if ranking is not None:
                yield ranking
    reading.finish()


class _Lines:
    """Lines on their way to rankings; those that cannot be used are reported."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._fast, self._careful = _typed(), decoder()
        self._lines: dict[str, int] = {}

    def fresh(self, query_ids: Sequence[str], at: Sequence[int]) -> bool:
        """Whether none of these queries came before; they are taken as come then."""
        if len(set(query_ids)) < len(query_ids) or not self._lines.keys().isdisjoint(query_ids):
            return False
        self._lines.update(zip(query_ids, at, strict=True))
        return True

    def ranking(self, line: str) -> Ranking | None:
        """The ranking of the line that `reading` is at, or None after it was reported."""
        reading = self._reading
        ranking = self._fast(line)
        if ranking is None:
            value = self._careful(line)
            if isinstance(value, str):
                reading.bad_row(
                    f"invalid JSON, {value}", line=reading.line, text=line, hint="each line holds one JSON object"
                )
                return None
            ranking = _ranking(value, line, reading)
            if ranking is None:
                return None
        already = self._lines.setdefault(ranking.query_id, reading.line)
        if already != reading.line:
            reading.bad_row(
                f"duplicate entry for query {shown(ranking.query_id)}, already on line {already}",
                line=reading.line, text=line, hint=_AGAIN,
            )  # fmt: skip
            return None
        reading.rows += len(ranking.doc_ids)
        return ranking


def _typed() -> Callable[[str], Ranking | None]:
    """A function that reads a plain and faultless line, and gives None for every other."""
    import msgspec

    text = Annotated[str, msgspec.Meta(min_length=1)]
    members: list[Any] = [
        ("query_id", text),
        ("ranking", list[text]),
        ("scores", list[int | float], None),
        ("tag", str, None),
    ]
    decode = msgspec.json.Decoder(msgspec.defstruct("row", members, forbid_unknown_fields=True)).decode

    def fast(line: str) -> Ranking | None:
        try:
            found: Any = decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return None
        query_id, ranking, scores, tag = found.query_id, found.ranking, found.scores, found.tag
        if "\\u0000" in line or not single_keyed(line, 2 + (scores is not None) + (tag is not None)):
            return None
        if scores is not None:
            falling = len(scores) == len(ranking) and not any(map(gt, scores[1:], scores))
            if not falling or (scores and not -_EXACT <= scores[-1] <= scores[0] <= _EXACT):
                return None
        return Ranking(query_id, ranking, scores, None, tag)

    return fast


def _ranking(value: dict[str, Any], line: str, reading: Reading) -> Ranking | None:
    """The ranking that an object holds, or None after it was reported."""
    query_id, ranking = value.get("query_id"), value.get("ranking")
    scores, tag = value.get("scores"), value.get("tag")
    message, hint = _fault(query_id, ranking) or _extension_fault(ranking, scores, tag) or ("", "")
    if message:
        reading.bad_row(message, line=reading.line, text=line, hint=hint)
        return None
    return Ranking(
        value["query_id"], value["ranking"], None if scores is None else [_exact(score) for score in scores], None, tag
    )


def _exact(score: float) -> float:
    return score if abs(score) <= _EXACT else float(score)


def _fault(query_id: object, ranking: object) -> tuple[str, str] | None:
    if query_id is None or query_id == "":
        return "missing query_id", "every line has a query_id and a ranking"
    if not isinstance(query_id, str):
        return "query_id must be a non-empty string", "write it in quotes"
    if (wrong := fault(query_id)) is not None:
        return f"query_id {wrong}", _OTHER_ID
    if not isinstance(ranking, list):
        return "ranking must be an array", "a ranking is an array of ids, best first; [] where nothing was found"
    for position, entry in enumerate(ranking):
        if not entry or not isinstance(entry, str):
            return f"ranking[{position}] must be a non-empty string", "write ids in quotes"
        if (wrong := fault(entry)) is not None:
            return f"ranking[{position}] {wrong}", _OTHER_ID
    return None


def _extension_fault(ranking: Any, scores: object, tag: object) -> tuple[str, str] | None:
    if tag is not None and not isinstance(tag, str):
        return "tag must be a string", "leave it out where the run has no name"
    if scores is None:
        return None
    wanted = "one number for each entry of the ranking, or no scores at all"
    if not isinstance(scores, list) or len(scores) != len(ranking):
        return "scores must be an array as long as ranking", wanted
    for position, score in enumerate(scores):
        if isinstance(score, bool) or not isinstance(score, int | float) or not _finite(score):
            return f"scores[{position}] must be a number", wanted
        if position and score > scores[position - 1]:
            return f"scores[{position}] is higher than the one before it", "a ranking is written best first"
    return None


def _finite(score: float) -> bool:
    try:
        return math.isfinite(float(score))
    except OverflowError:
        return False


def write(run: Iterable[Ranking], stream: BinaryIO) -> int:
    """Rankings, one a line, in the order they have; returns the number of entries.

    Raises:
        InputError: a query twice, an empty id, scores that rise, or a value that JSON cannot hold.
    """
    import msgspec

    encode = msgspec.json.Encoder().encode
    rows = 0
    seen: set[str] = set()
    for ranking in run:
        if ranking.query_id in seen:
            raise InputError(
                f"query {shown(ranking.query_id)} has two rankings; a line holds all of one query", hint=_AGAIN
            )
        seen.add(ranking.query_id)
        doc_ids, scores, tag = list(ranking.doc_ids), ranking.scores, ranking.tag
        scores = None if scores is None else [score if isinstance(score, int) else float(score) for score in scores]
        fault = _fault(ranking.query_id, doc_ids) or _extension_fault(doc_ids, scores, tag)
        if fault:
            raise InputError(f"query {shown(ranking.query_id)}: {fault[0]}", hint=fault[1])
        try:
            members = [b'"query_id":' + encode(ranking.query_id), b'"ranking":' + encode(doc_ids)]
            if scores is not None:
                # Python's own shortest form: the one that `dumps` and a TREC file have.
                members.append(b'"scores":[' + ",".join(map(repr, scores)).encode() + b"]")
            if tag is not None:
                members.append(b'"tag":' + encode(tag))
        except UnicodeEncodeError as error:
            raise InputError(f"query {shown(ranking.query_id)}: an id holds a lone surrogate") from error
        stream.write(b"{" + b",".join(members) + b"}\n")
        rows += len(doc_ids)
    return rows


_KEY = re.compile(r'(?<!\\)"(\w+)"\s*:')


def sniff(head: Head) -> int:
    """Certain where the first record has a ranking."""
    # A ranking may be longer than what sniffing sees: keys are looked for in whatever there is of the first record.
    text = head.start.decode("utf-8-sig", "replace")
    first = next((line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("//")), "")
    if head.is_dir or not first.lstrip().startswith("{"):
        return 0
    keys = set(_KEY.findall(first))
    return 90 if "ranking" in keys and not keys & {"relevance", "_id", "chunks"} else 0


FORMAT = Format(
    name="run",
    shape="file",
    summary="run JSONL: one query a line with its ranking, best first",
    sniff=sniff,
    read_run=read,
    scan_run=scan,
    write_run=write,
    keeps=frozenset({"scores", "tag", "empty"}),
    suffix=".jsonl",
    more_suffixes=(".ndjson",),
    required=("query_id", "ranking"),
    example='{"query_id":"q1","ranking":["d2","d1"],"scores":[2.5,1.25]}',
)
