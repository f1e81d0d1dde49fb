"""How long documents are, for budgets in tokens or characters: counted in a corpus, or as somebody says."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from irbridge.arguments import LARGEST, whole_number
from irbridge.budgets import UNITS, Budget, Budgets
from irbridge.errors import InputError, UsageError, quoted, shown
from irbridge.inputs import Input
from irbridge.registry import one_of
from irbridge.source import Source
from irbridge.textio import lines

Tokenizer = Callable[[str], int]


def words(text: str) -> int:
    """The tokens of `ws`: the longest runs of characters that are no white space to Unicode (Python's `str.split`)."""
    return len(text.split())


#: Tokenizers by name, as counts; a program may give a function of its own.
TOKENIZERS: dict[str, Tokenizer] = {"ws": words}


def budgets_of(
    limits: Iterable[Budget], *, corpus: Any = None, lengths: Any = None, tokenizer: str | Tokenizer | None = None
) -> Budgets | None:
    """What budgets need to be kept, or None where there is no budget.

    Args:
        limits: the budgets; each counts once.
        corpus: where documents, or chunks, stand that the run returns: anything that `corpus_of` takes. Characters are code
            points, of a document's title and text with a space between.
        lengths: instead of counting them: a file of `doc_id <TAB> length`, or a dict; in the one unit that is asked for.
        tokenizer: what a token is where the corpus is counted: "ws" (also None), or a function that gives the number of tokens
            of a text.

    Raises:
        UsageError: there is a budget and neither a corpus nor lengths, or lengths for two units; lengths beside a tokenizer; either
            of them without a budget.
        IrbridgeError: the corpus or the lengths cannot be read.
    """
    if lengths is not None and tokenizer is not None:
        raise UsageError(
            "lengths are given, so that no tokenizer counts any",
            hint="leave out --tokenizer (tokenizer=); or --lengths (lengths=), and give the corpus",
        )
    name, count = _tokenizer(tokenizer)
    asked = tuple(dict.fromkeys(limits))
    if not asked:
        for what, given in (("lengths are", lengths), ("tokenizer is", tokenizer)):
            if given is not None:
                raise UsageError(
                    f"the {what} for budgets, and no measure has one",
                    hint="ask for one, such as nDCG@2000tok, or leave it out",
                )
        return None
    units = tuple(dict.fromkeys(budget.unit for budget in asked))
    if lengths is not None:
        if len(units) > 1:
            raise UsageError(
                "lengths are in one unit, and there are budgets in tokens and in characters",
                hint="score them apart, or give the corpus",
            )
        found, label = _given(lengths)
        return Budgets({units[0]: found}, {units[0]: f"lengths of {label}"}, asked)
    if corpus is None:
        raise UsageError(
            f"a budget of {asked[0]} needs the lengths of documents",
            hint="--corpus C (corpus=) counts them, --lengths FILE (lengths=) gives them",
        )
    measured: dict[str, Tokenizer] = {"tok": count, "chars": len}
    label, texts = _texts(corpus)
    counted: dict[str, dict[str, int]] = {unit: {} for unit in units}
    for doc_id, text in texts:
        for unit in units:
            counted[unit][doc_id] = measured[unit](text)
    said = {unit: f"{UNITS[unit]}{f' ({name})' if unit == 'tok' else ''} of {label}" for unit in units}
    return Budgets(counted, said, asked)


def _tokenizer(given: str | Tokenizer | None) -> tuple[str, Tokenizer]:
    """(what reports call it, the count)."""
    if not callable(given):
        name = one_of("tokenizer", "ws" if given is None else given, list(TOKENIZERS))
        return name, TOKENIZERS[name]
    return getattr(given, "__name__", "a function"), given


def _texts(corpus: Any) -> tuple[str, Iterator[tuple[str, str]]]:
    """(what messages call it, the id and the text of each chunk, or of each document)."""
    from irbridge.corpora import corpus_of, document_text  # a small file without budgets needs no corpus

    found = corpus_of(corpus)
    label = shown(found.label, 200)
    if found.assumed:
        # Whole documents, and not without the white space at their ends, as a chunk would be.
        documents = Input(corpus, "documents")
        return label, ((document.doc_id, document_text(document)) for document in documents)
    return label, (
        (chunk.chunk_id, chunk.text) for piece in found.pieces() for chunk in piece if chunk.text is not None
    )


def _given(lengths: Any) -> tuple[Mapping[str, int], str]:
    """(document -> length, what messages call them)."""
    if isinstance(lengths, Mapping):
        for doc_id, length in lengths.items():
            if type(length) is not int or not isinstance(doc_id, str) or not 0 <= length <= LARGEST:
                raise UsageError(
                    f"{quoted(length, 40)} is no length of {quoted(doc_id, 40)}",
                    hint="lengths is {document id: whole number from 0}",
                )
        return lengths, "the program"
    if not isinstance(lengths, str | os.PathLike):
        raise UsageError(f"{quoted(lengths, 40)} holds no lengths", hint="name a file, or give a dict")
    source = Source(lengths)
    return dict(_rows(source)), shown(source.label, 200)


def _rows(source: Source) -> Iterator[tuple[str, int]]:
    seen: dict[str, int] = {}
    for number, line in lines(source):
        if not line.strip():
            continue
        doc_id, tab, text = line.rstrip("\r").partition("\t")
        try:
            length = whole_number(text.strip()) if tab else -1
        except ValueError:
            length = -1
        if not 0 <= length <= LARGEST or not doc_id:
            raise source.error(
                "is no length", line=number, text=line, hint="write doc_id <TAB> length, a whole number from 0"
            )
        if seen.setdefault(doc_id, length) != length:
            raise InputError(
                f"document {shown(doc_id)} has two lengths, {seen[doc_id]} and {length}", path=source.label, line=number
            )
        yield doc_id, length
