"""Folders that one process at a time makes something in, and their names by what is made. A lock is held by the
process: it ends with it, also where that is killed."""

import fcntl
import os
import re
from contextlib import contextmanager
from pathlib import Path

from tools.refusal import Refusal


def name_of(system, settings):
    """What is of a system and its settings: two that differ in a setting are two. Yosys takes no blank in a path."""
    return re.sub(r"[^\w.-]", "-", "_".join([Path(system).stem, *settings]))


def hold(lock, wait=False):
    """The descriptor of a lock that this process has from now on; where another has it, waits for that to end, or
    refuses."""
    Path(lock).parent.mkdir(parents=True, exist_ok=True)
    file = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        os.close(file)
        raise Refusal(f"{lock} is held: the same is being measured already; allowed: once it has ended") from None
    return file


@contextmanager
def waited(lock):
    """For what is made in moments or by several alike: the next one waits."""
    file = hold(lock, wait=True)
    try:
        yield
    finally:
        os.close(file)


def taken(folder):
    """The folder, which is this process's until it ends."""
    folder = Path(folder)
    try:
        hold(folder / "lock")
    except OSError as error:
        raise Refusal(f"{folder}: cannot be made ({error.strerror}); allowed: a folder") from error
    return folder
