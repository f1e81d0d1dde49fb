"""Documents or queries in a file of their own, as a BEIR folder holds them: `{"_id": ..., "title": ..., "text": ...}` a line.

What a line is, a document or a query, the file does not say; it is read as what is asked for.
"""

from __future__ import annotations

import re

from irbridge.formats.base import Format, Head
from irbridge.formats.beirlines import read_documents, read_queries

_KEY = re.compile(r'(?<!\\)"(_id|text)"\s*:')


def sniff(head: Head) -> int:
    """Certain where the first record has both members."""
    if head.is_dir:
        return 0
    text = head.start.decode("utf-8-sig", "replace")
    first = next((line for line in text.split("\n") if line.strip()), "")
    if not first.lstrip().startswith("{"):
        return 0
    keys = set(_KEY.findall(first))
    return 92 if keys == {"_id", "text"} else 70 if "_id" in keys else 0


FORMAT = Format(
    name="texts",
    shape="file",
    summary="documents or queries as JSON Lines with _id and text",
    sniff=sniff,
    read_documents=read_documents,
    read_queries=read_queries,
    suffix=".jsonl",
    required=("_id",),
    example='{"_id":"d1","title":"Rent","text":"Rent is due on the first."}',
)
