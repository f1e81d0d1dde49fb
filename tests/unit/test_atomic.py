from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from irbridge import atomic
from irbridge.atomic import atomic_write, folder_place, new_folder, refuse_input
from irbridge.errors import InputError, UsageError


def fill(place: Path, name: str = "x", text: str = "new") -> None:
    with new_folder(place) as made, atomic_write(made / name) as stream:
        stream.write(text.encode())


def content(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture
def full(tmp_path: Path) -> Path:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    return tmp_path / "full"


class TestPlaces:
    def test_a_new_one_and_an_empty_one(self, tmp_path: Path) -> None:
        assert folder_place(tmp_path / "new") == tmp_path / "new"
        (tmp_path / "empty").mkdir()
        fill(folder_place(tmp_path / "empty"))
        assert content(tmp_path) == {"empty/x": "new"}

    def test_a_full_one_only_by_force(self, full: Path) -> None:
        with pytest.raises(UsageError, match="is not empty"):
            folder_place(full)
        assert folder_place(full, force=True) == full

    @pytest.mark.parametrize("there", [True, False])
    def test_a_link_to_an_empty_folder_or_to_none_is_followed(self, tmp_path: Path, there: bool) -> None:
        if there:
            (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to("real")
        fill(folder_place(tmp_path / "link"))
        assert (tmp_path / "link").is_symlink()
        assert content(tmp_path / "real") == {"x": "new"}

    def test_a_link_to_a_full_folder_is_refused_even_by_force(self, tmp_path: Path, full: Path) -> None:
        (tmp_path / "link").symlink_to("full")
        with pytest.raises(UsageError, match=r"link is a link to .*full, which is not empty"):
            folder_place(tmp_path / "link", force=True)
        assert content(full) == {"mine.txt": "mine"}

    def test_links_that_lead_nowhere(self, tmp_path: Path) -> None:
        (tmp_path / "loop").symlink_to("loop")
        (tmp_path / "deep").symlink_to("absent/folder")
        with pytest.raises(UsageError, match="leads to itself"):
            folder_place(tmp_path / "loop")
        with pytest.raises(UsageError, match="absent does not exist"):
            folder_place(tmp_path / "deep")
        with pytest.raises(InputError, match="leads to itself"), atomic_write(tmp_path / "loop"):
            pass
        assert (tmp_path / "loop").is_symlink()

    def test_no_name_and_no_folder_to_stand_in(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(UsageError, match="file is no folder"):
            folder_place(tmp_path / "file" / "new")
        with pytest.raises(UsageError, match="the name of the folder is empty"):
            folder_place("")

    def test_a_mount_point_is_refused_before_anything_is_read(
        self, full: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(os.path, "ismount", lambda path: Path(path) == full)
        with pytest.raises(UsageError, match="is a mount point"):
            folder_place(full, force=True)

    def test_the_current_folder_and_a_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(UsageError, match="no folder"):
            folder_place(tmp_path / "file", force=True)
        monkeypatch.chdir(tmp_path)
        with pytest.raises(UsageError, match="is the current folder"):
            folder_place(".", force=True)


class TestInputs:
    @pytest.mark.parametrize("source", ["full", "full/mine.txt", "full/./mine.txt"])
    def test_a_folder_with_the_input_in_it_is_refused(self, full: Path, source: str) -> None:
        with pytest.raises(UsageError, match="would be gone"):
            refuse_input(full, str(full.parent / source))

    def test_so_is_a_part_of_an_input(self, full: Path) -> None:
        for place in (full / "mine.txt", full):
            with pytest.raises(UsageError, match="is a part of the input"):
                refuse_input(place, str(full.parent))

    def test_what_destroys_nothing_is_fine(self, full: Path) -> None:
        (full / "empty").mkdir()
        refuse_input(full / "new", str(full))
        refuse_input(full / "empty", str(full))
        refuse_input(full, str(full.parent / "full-of-it"))
        refuse_input(full / "mine.txt", str(full / "mine.txt"))  # a file onto itself is for the caller to judge


@pytest.fixture
def in_two_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a system whose folders cannot change names in one step."""
    monkeypatch.setattr(atomic, "_exchanged", lambda one, other: False)


class TestFolders:
    @pytest.mark.skipif(sys.platform not in {"linux", "darwin"}, reason="folders change names in two steps there")
    def test_two_folders_change_names_in_one_step(self, tmp_path: Path, full: Path) -> None:
        (tmp_path / "other").mkdir()
        assert atomic._exchanged(tmp_path / "other", full)
        assert content(tmp_path) == {"other/mine.txt": "mine"}
        assert not atomic._exchanged(tmp_path / "absent", full)

    @pytest.mark.usefixtures("in_two_steps")
    def test_in_two_steps_it_replaces_what_was_there_too(self, tmp_path: Path, full: Path) -> None:
        fill(full)
        assert content(tmp_path) == {"full/x": "new"}
        assert os.listdir(tmp_path) == ["full"]

    def test_it_replaces_what_was_there_whole(self, tmp_path: Path, full: Path) -> None:
        full.chmod(0o750)
        fill(full)
        assert content(tmp_path) == {"full/x": "new"}
        assert full.stat().st_mode & 0o777 == 0o750

    def test_permissions_are_the_usual(self, tmp_path: Path) -> None:
        old = os.umask(0o027)
        try:
            fill(tmp_path / "new")
        finally:
            os.umask(old)
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o750
        assert (tmp_path / "new" / "x").stat().st_mode & 0o777 == 0o640

    @pytest.mark.usefixtures("in_two_steps")
    @pytest.mark.parametrize("number", [errno.EBUSY, errno.EXDEV, errno.ENOSPC])
    @pytest.mark.parametrize("step", [1, 2])
    def test_a_place_that_cannot_be_taken_keeps_what_it_has(
        self, tmp_path: Path, full: Path, monkeypatch: pytest.MonkeyPatch, number: int, step: int
    ) -> None:
        """A bind mount is seen only when the renaming fails: with EBUSY."""
        rename, refused = Path.rename, full if step == 1 else None

        def failing(self: Path, target: Any) -> Path:
            if self == refused or (step == 2 and Path(target) == full and self.name != "old"):
                raise OSError(number, os.strerror(number))
            return rename(self, target)

        monkeypatch.setattr(Path, "rename", failing)
        expected = UsageError if number == errno.EBUSY else InputError
        with pytest.raises(expected, match=r"mount point|cannot be written"):
            fill(full)
        assert content(tmp_path) == {"full/mine.txt": "mine"}
        assert os.listdir(tmp_path) == ["full"]

    @pytest.mark.usefixtures("in_two_steps")
    def test_an_interruption_in_the_middle_of_it_too(
        self, tmp_path: Path, full: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rename = Path.rename

        def interrupted(self: Path, target: Any) -> Path:
            found = rename(self, target)
            if Path(target).name == "old":
                raise KeyboardInterrupt
            return found

        monkeypatch.setattr(Path, "rename", interrupted)
        with pytest.raises(KeyboardInterrupt):
            fill(full)
        assert content(tmp_path) == {"full/mine.txt": "mine"}
        assert os.listdir(tmp_path) == ["full"]

    def test_an_interrupted_removal_is_finished(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "x").mkdir()
        calls: list[Callable[..., None]] = []
        rmtree = shutil.rmtree

        def once(path: Path, **options: Any) -> None:
            calls.append(rmtree)
            if len(calls) == 1:
                raise KeyboardInterrupt
            rmtree(path, **options)

        monkeypatch.setattr(shutil, "rmtree", once)
        with pytest.raises(KeyboardInterrupt):
            atomic._remove(tmp_path / "x")
        assert os.listdir(tmp_path) == []

    def test_a_mounted_folder(self, tmp_path: Path, full: Path) -> None:
        """The real thing, where the system lets an ordinary process mount something for itself."""
        if shutil.which("unshare") is None:
            pytest.skip("this system has no unshare")
        program = (
            "mount --bind full full 2>/dev/null || exit 77; "
            "PYTHONPATH=$1 $2 -m irbridge convert j.jsonl --to beir -o full --force"
        )
        (tmp_path / "j.jsonl").write_text('{"query_id":"q","doc_uri":"d","relevance":1}\n')
        source = str(Path(atomic.__file__).parents[1])
        import sys

        done = subprocess.run(
            ["unshare", "-rm", "sh", "-c", program, "sh", source, sys.executable],
            cwd=tmp_path, capture_output=True, check=False, text=True,
        )  # fmt: skip
        if done.returncode not in {0, 2}:
            pytest.skip("this system does not let us mount")
        assert done.returncode == 2
        assert "full is a mount point, which cannot be replaced" in done.stderr
        assert content(full) == {"mine.txt": "mine"}
        assert sorted(os.listdir(tmp_path)) == ["full", "j.jsonl"]


class TestDurability:
    @pytest.fixture
    def waits(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """What waited for the disk."""
        seen: list[str] = []
        fsync = os.fsync

        def counting(descriptor: int) -> None:
            seen.append("fsync")
            fsync(descriptor)

        monkeypatch.setattr(os, "fsync", counting)
        monkeypatch.setattr(os, "sync", lambda: seen.append("sync"))
        return seen

    def write(self, place: Path, files: int) -> None:
        with new_folder(place) as made:
            (made / "sub").mkdir()
            for number in range(files):
                with atomic_write(made / "sub" / str(number)) as stream:
                    stream.write(b"x")

    def test_many_files_of_a_folder_wait_once(self, tmp_path: Path, waits: list[str]) -> None:
        self.write(tmp_path / "many", 300)
        assert waits == ["sync"]
        assert len(os.listdir(tmp_path / "many" / "sub")) == 300

    def test_few_wait_for_themselves_only(self, tmp_path: Path, waits: list[str]) -> None:
        self.write(tmp_path / "few", 3)
        assert waits == ["fsync"] * 3

    def test_a_file_by_itself_waits(self, tmp_path: Path, waits: list[str]) -> None:
        with atomic_write(tmp_path / "x") as stream:
            stream.write(b"x")
        assert waits == ["fsync"]

    def test_a_file_of_a_folder_can_be_written_anew(self, tmp_path: Path) -> None:
        with new_folder(tmp_path / "made") as made:
            for text in (b"one", b"two"):
                with atomic_write(made / "x") as stream:
                    stream.write(text)
        assert content(tmp_path) == {"made/x": "two"}

    @pytest.mark.parametrize("number", [errno.ENOSPC, errno.EFBIG])
    def test_a_full_disk_is_told_with_the_folder(self, tmp_path: Path, number: int) -> None:
        with pytest.raises(InputError, match=r"made: cannot be written: ") as told, new_folder(tmp_path / "made"):
            raise OSError(number, os.strerror(number))
        assert told.value.path == str(tmp_path / "made")
        with pytest.raises(ConnectionError), new_folder(tmp_path / "made"):
            raise ConnectionError
        assert os.listdir(tmp_path) == []

    def test_a_file_of_it_is_told_by_the_name_that_it_would_have(self, tmp_path: Path) -> None:
        with pytest.raises(InputError) as told, new_folder(tmp_path / "made") as made, atomic_write(made / "x"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        assert told.value.path == str(tmp_path / "made" / "x")

    def test_a_file_that_fails_leaves_nothing_in_a_folder(self, tmp_path: Path) -> None:
        with new_folder(tmp_path / "made") as made:
            with pytest.raises(ZeroDivisionError), atomic_write(made / "x"):
                raise ZeroDivisionError
            assert os.listdir(made) == []
