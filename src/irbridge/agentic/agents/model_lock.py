"""The lock of a local model: which file, byte for byte, which tokenizer, which budgets, which three trials."""

from __future__ import annotations

import hashlib
import os
from typing import Annotated, Literal

from msgspec import Meta

from irbridge.agentic.adapters.base import Unavailable
from irbridge.agentic.records import Id, Positive, Record, Sha256, record
from irbridge.agentic.strict_json import strict_json
from irbridge.errors import IrbridgeError


class LockedTrial(Record, frozen=True):
    """A repetition of each task, with the seed of the sampler."""

    trial_id: Id
    seed: int


class ModelLock(Record, frozen=True):
    """What `agent-model.lock.json` holds."""

    schema_version: Literal["1.0"]
    uri: Annotated[str, Meta(min_length=1)]
    sha256: Sha256
    tokenizer_id: Annotated[str, Meta(min_length=1)]
    max_steps: Positive
    max_output_tokens: Positive
    trials: Annotated[list[LockedTrial], Meta(min_length=3, max_length=3)]


def read_lock(path: str | None) -> ModelLock:
    """The lock in a file.

    Raises:
        Unavailable: model_lock_missing, model_lock_invalid.
    """
    if not path:
        raise Unavailable("model_lock_missing", "no lock file", hint="--agent-set lock=agent-model.lock.json")
    try:
        with open(path, "rb") as stream:
            lock = record(ModelLock, strict_json(stream.read(1 << 20), path), path)
    except OSError as error:
        raise Unavailable("model_lock_missing", f"the lock cannot be read: {error.strerror}") from error
    except IrbridgeError as error:
        raise Unavailable("model_lock_invalid", error.message) from error
    if len({trial.trial_id for trial in lock.trials}) < 3 or len({trial.seed for trial in lock.trials}) < 3:
        raise Unavailable("model_lock_invalid", "its three trials need three ids and three seeds")
    return lock


def verified_model(path: str | None, lock: ModelLock) -> str:
    """The path of the model file, if its bytes are those of the lock.

    Raises:
        Unavailable: model_path_missing, model_hash_mismatch.
    """
    if not path or not os.path.isabs(path) or not os.path.isfile(path):
        raise Unavailable(
            "model_path_missing", "no model file: an absolute path of the file that the lock names",
            hint="--agent-set model=/path/to/model.gguf; nothing is downloaded",
        )  # fmt: skip
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as stream:
            while part := stream.read(1 << 20):
                digest.update(part)
    except OSError as error:
        raise Unavailable("model_path_missing", f"the model cannot be read: {error.strerror}") from error
    if digest.hexdigest() != lock.sha256:
        raise Unavailable("model_hash_mismatch", "the model file is not the one of the lock")
    return path
