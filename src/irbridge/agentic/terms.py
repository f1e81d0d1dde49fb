"""Words of a text for lexical search: lower case, compatibility forms folded; scripts without spaces as character pairs."""

from __future__ import annotations

import re
import unicodedata

_RUNS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+|[^\W_]+(?:[-'\u2019.][^\W_]+)*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")


def terms(text: str) -> list[str]:
    """The terms in their order; `AB-12.c` is one and its parts are more."""
    found: list[str] = []
    for run in _RUNS.findall(unicodedata.normalize("NFKC", text).lower()):
        if _UNSPACED.match(run):
            found += [run[at : at + 2] for at in range(max(1, len(run) - 1))]
            continue
        parts = re.split(r"[-'\u2019.]", run)
        found += [run, *parts] if len(parts) > 1 else [run]
    return found
