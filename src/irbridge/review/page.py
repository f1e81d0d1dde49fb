"""The queue as one HTML page that needs nothing else: no network, no other file.

What comes from labels and corpora is data inside a script element that is never run, and is put on the page as text. The
page's own policy allows exactly the one script and the one style that are in it.
"""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import Any

from irbridge.canonical import dumps
from irbridge.review.queue import Queue

# Inside a script element only these end or change anything; the two separators end lines in old JavaScript.
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def page(queue: Queue, by: str | None = None) -> bytes:
    """The page as UTF-8.

    Args:
        queue: what is to be decided.
        by: the reviewer's name, where it need not be asked.
    """
    data: dict[str, Any] = {**queue.as_dict(), **({"by": by} if by else {})}
    style, script = _asset("page.css"), _asset("page.js")
    parts = {
        "%CSP%": _policy(style, script),
        "%STYLE%": style,
        "%SCRIPT%": script,
        "%QUEUE%": dumps(data).translate(_ESCAPES),
    }
    made: list[str] = []
    rest = _asset("page.html")
    for mark, content in sorted(parts.items(), key=lambda part: rest.index(part[0])):
        before, _, rest = rest.partition(mark)
        made += before, content
    return "".join([*made, rest]).encode()


def _asset(name: str) -> str:
    return (resources.files("irbridge.review") / "assets" / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src '{_hashed(script)}'",
            f"style-src '{_hashed(style)}'",
            "img-src data:",  # the empty icon, which keeps a browser from asking for one
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ]
    )


def _hashed(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
