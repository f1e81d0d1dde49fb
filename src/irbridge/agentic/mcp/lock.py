"""A product pinned to one state: its checkout, its files, its tools and its models; anything else is not measured.

What a lock says is held against what is there. Nothing is fetched, checked out or written; each thing that is missing or
other than locked has a code of its own, PRODUCT_WHAT, which ends up in every receipt of the lane.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NoReturn

import msgspec
from msgspec import Meta

from irbridge.agentic.adapters.base import Unavailable
from irbridge.agentic.canonical_json import fingerprint
from irbridge.agentic.processes import ProcessFailure, environment, run_to_end
from irbridge.agentic.records import Sha256
from irbridge.agentic.strict_json import strict_json
from irbridge.canonical import file_sha256
from irbridge.errors import InputError

GitObject = Annotated[str, Meta(pattern=r"^[0-9a-f]{40}\Z")]
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class _Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All members must be there, but for those with a default, and no other."""


class Repository(_Closed, frozen=True):
    """Where the checkout comes from and which state of it is meant."""

    url: Annotated[str, Meta(pattern=r"^https://")]
    commit: GitObject
    tree: GitObject


class Model(_Closed, frozen=True):
    """A model file by its size and its bytes; `file` is its name in the cache."""

    role: Annotated[str, Meta(min_length=1)]
    uri: Annotated[str, Meta(min_length=1)]
    file: Annotated[str, Meta(min_length=1)]
    bytes: Annotated[int, Meta(ge=1)]
    sha256: Sha256


class Lock(_Closed, frozen=True):
    """A locked product.

    Attributes:
        product: its name.
        repository: the checkout.
        files: path in the checkout -> SHA-256: package manifest, lock file, entry point.
        tools: tool -> SHA-256 of the canonical JSON of name, description and inputSchema; all of its tools, or none are
            pinned and only what is mapped is looked at.
        models: the model files.
        note: what is to be known of the lock, such as what it does not pin; it pins nothing.
    """

    product: Annotated[str, Meta(min_length=1)]
    repository: Repository
    files: dict[str, Sha256]
    tools: dict[str, Sha256]
    models: list[Model]
    note: str = ""

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of all that is locked."""
        return fingerprint({name: value for name, value in msgspec.to_builtins(self).items() if name != "note"})


@dataclass(frozen=True)
class Pinned:
    """A checkout and its models, verified. `models` is role -> path."""

    lock: Lock
    repository: str
    models: Mapping[str, str]


@dataclass(frozen=True)
class Product:
    """A pinned product: its name, and the variables that say where its checkout and its models are."""

    name: str
    repo_variable: str
    models_variable: str

    @property
    def settings(self) -> dict[str, str]:
        """What an adapter's settings may hold, name -> meaning."""
        return {
            "repo": f"the absolute path of its checkout; default ${self.repo_variable}",
            "models": f"the absolute path of the folder of its models; default ${self.models_variable}",
            "bun": "the path of bun; default: on the PATH",
            "lock": f"another lock, as src/irbridge/agentic/mcp/locks/{self.name}.json",
        }

    def verified(self, settings: Mapping[str, str], timeout: float) -> Pinned:
        """Its checkout and models by the settings or the variables, if they are exactly what is locked.

        Raises:
            Unavailable: see `load_lock` and `verified`.
        """
        lock = load_lock(self.name, settings.get("lock"))
        repository = settings.get("repo") or os.environ.get(self.repo_variable)
        models = settings.get("models") or os.environ.get(self.models_variable)
        return verified(lock, repository, models, timeout)


def load_lock(product: str, path: str | None) -> Lock:
    """The lock at `path`, or the one that comes with irbridge.

    Raises:
        Unavailable: PRODUCT_lock_missing, PRODUCT_lock_invalid.
    """
    place = os.path.join(os.path.dirname(__file__), "locks", f"{product}.json") if path is None else path
    try:
        with open(place, "rb") as stream:
            data = stream.read(1 << 20)
    except OSError as error:
        _missing(product, "lock_missing", f"no lock at {place}: {error.strerror}")
    try:
        lock = msgspec.convert(strict_json(data, place), Lock)
    except (InputError, msgspec.ValidationError) as error:
        _missing(product, "lock_invalid", f"no lock: {error}")
    names = [model.file for model in lock.models]
    if lock.product != product or any(_NAME.fullmatch(name) is None for name in names):
        _missing(product, "lock_invalid", f"not a lock of {product}, or a model's file is a path")
    if any(os.path.isabs(name) or ".." in name.split("/") for name in lock.files):
        _missing(product, "lock_invalid", "a file that leaves the checkout")
    return lock


def verified(lock: Lock, repository: str | None, models: str | None, timeout: float) -> Pinned:
    """The checkout and the models, if they are exactly what is locked.

    Args:
        lock: the lock.
        repository: the absolute path of the checkout.
        models: the absolute path of the folder of model files.
        timeout: seconds for each question to git.

    Raises:
        Unavailable: repo_missing, git_missing, not_a_checkout, commit_mismatch, tree_mismatch, checkout_dirty,
            origin_mismatch, file_missing, file_mismatch, model_cache_missing, model_missing, model_size_mismatch or
            model_hash_mismatch, with the product's name in front.
    """
    product = lock.product
    if not repository or not os.path.isabs(repository) or not os.path.isdir(repository):
        _missing(product, "repo_missing", f"{product} is not there: the absolute path of its checkout is needed")
    _check_checkout(lock, repository, timeout)
    for path, sha in sorted(lock.files.items()):
        place = os.path.join(repository, *path.split("/"))
        if not os.path.isfile(place) or os.path.islink(place):
            _missing(product, "file_missing", f"{path} is no file of the checkout")
        if file_sha256(place) != sha:
            _missing(product, "file_mismatch", f"{path} is not the locked one")
    if not models or not os.path.isabs(models) or not os.path.isdir(models):
        _missing(product, "model_cache_missing", "the absolute path of the folder of its models is needed")
    return Pinned(lock, repository, {model.role: _checked_model(product, model, models) for model in lock.models})


def _check_checkout(lock: Lock, repository: str, timeout: float) -> None:
    product = lock.product
    git = shutil.which("git")
    if git is None:
        _missing(product, "git_missing", "git is not installed")
    # Nobody's configuration, no lock taken, no file system monitor started: it is looked at and left as it is.
    env = environment(
        repository, {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0"}
    )

    def asked(*arguments: str) -> str:
        command = [
            git,
            "-c",
            "core.fsmonitor=false",
            "-c",
            f"safe.directory={repository}",
            "-C",
            repository,
            *arguments,
        ]
        try:
            return run_to_end(command, timeout, env=env).strip()
        except ProcessFailure as error:
            _missing(product, "not_a_checkout", f"git {arguments[0]} says: {error.message}")

    if os.path.realpath(asked("rev-parse", "--show-toplevel")) != os.path.realpath(repository):
        _missing(product, "not_a_checkout", "the path is inside a checkout and not its top")
    for what, code, wanted in (
        ("HEAD^{commit}", "commit_mismatch", lock.repository.commit),
        ("HEAD^{tree}", "tree_mismatch", lock.repository.tree),
    ):
        found = asked("rev-parse", what)
        if found != wanted:
            _missing(product, code, f"the checkout is at {found}, locked is {wanted}")
    changed = asked("status", "--porcelain=v1", "--untracked-files=all")
    if changed:
        _missing(product, "checkout_dirty", f"the checkout has changes, such as {changed.splitlines()[0]}")
    origin = asked("config", "--get", "remote.origin.url")
    if _plain_url(origin) != _plain_url(lock.repository.url):
        _missing(product, "origin_mismatch", f"the checkout comes from {origin}")


def _checked_model(product: str, model: Model, folder: str) -> str:
    place = os.path.join(folder, model.file)
    if not os.path.isfile(place):
        _missing(product, "model_missing", f"{model.role}: no {model.file}")
    size = os.path.getsize(place)
    if size != model.bytes:
        _missing(product, "model_size_mismatch", f"{model.role}: {size:,} bytes, locked are {model.bytes:,}")
    if file_sha256(place) != model.sha256:
        _missing(product, "model_hash_mismatch", f"{model.role}: not the bytes of the locked model")
    return place


def copied_models(pinned: Pinned, folder: str) -> None:
    """Copies of the models in a folder of the run's own, verified again: the cache they come from stays as it is.

    Raises:
        Unavailable: PRODUCT_model_hash_mismatch, PRODUCT_model_missing.
    """
    os.makedirs(folder, exist_ok=True)
    for model in pinned.lock.models:
        try:
            shutil.copyfile(pinned.models[model.role], os.path.join(folder, model.file))
        except OSError as error:
            _missing(pinned.lock.product, "model_missing", f"{model.role}: cannot be copied: {error.strerror}")
        _checked_model(pinned.lock.product, model, folder)


def check_locked_tools(lock: Lock, listed: Sequence[Mapping[str, Any]]) -> None:
    """Hold what a server lists against the locked tools, if there are any.

    Raises:
        Unavailable: PRODUCT_tool_mismatch.
    """
    if not lock.tools:
        return
    found = {str(tool["name"]): fingerprint(dict(tool)) for tool in listed}
    differing = sorted(name for name in {*found, *lock.tools} if found.get(name) != lock.tools.get(name))
    if differing:
        _missing(lock.product, "tool_mismatch", f"{differing[0]} is not the locked tool")


def runtime(product: str, settings: Mapping[str, str]) -> str:
    """The path of bun, by the setting `bun` or on the PATH.

    Raises:
        Unavailable: PRODUCT_runtime_missing.
    """
    found = settings.get("bun") or shutil.which("bun")
    if found is None or not os.access(found, os.X_OK):
        _missing(product, "runtime_missing", "bun, which runs it, is not there")
    return found


def _plain_url(url: str) -> str:
    plain = re.sub(r"^(?:git\+)?(?:https?://|ssh://git@|git@)", "", url.strip()).replace(":", "/")
    return plain.removesuffix("/").removesuffix(".git").lower()


def _missing(product: str, code: str, message: str) -> NoReturn:
    raise Unavailable(f"{product}_{code}", message)
