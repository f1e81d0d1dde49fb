"""The documents that labels are about, out of a whole collection: one at a time, each once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from irbridge.corpora import document_text
from irbridge.errors import InputError, shown
from irbridge.identity import text_sha
from irbridge.inputs import opened
from irbridge.model import Document


def texts_of(documents: Any, wanted: Collection[str]) -> Iterator[tuple[Document, str, str]]:
    """(document, its text, its revision) of each wanted document that is there.

    Args:
        documents: anything that `irbridge.load` takes, or a list of `Document`.
        wanted: ids.

    Raises:
        InputError: they cannot be read, or a wanted one is there twice with two texts.
    """
    source = opened(documents, "documents")
    label = source.label
    seen: dict[str, str] = {}
    for document in source:
        if document.doc_id not in wanted:
            continue
        text = document_text(document)
        try:
            revision = text_sha(text)
        except InputError as error:
            raise InputError(
                f"document {shown(document.doc_id)}: {error.message}", path=label, text=error.text, hint=error.hint
            ) from error
        before = seen.setdefault(document.doc_id, revision)
        if before != revision:
            raise InputError(
                f"document {shown(document.doc_id)} is there twice, with two texts", path=label,
                hint="keep the one that the labels are about",
            )  # fmt: skip
        if revision is before:
            yield document, text, revision
