"""The files that a program in Python writes where a person has said, as app/host/output.h says it of the C program: a
regular file is replaced whole or stays as it was; what is none (a FIFO, a device, where stdout goes) is written to."""

import os
import shutil
import sys
from pathlib import Path

from tools.refusal import Refusal


def spare(option, path, read):
    """Refuses to write over what is read: {who names it: its path, or None}."""
    for name, other in read.items():
        if other is not None and os.path.isfile(path) and os.path.isfile(other) and os.path.samefile(path, other):
            raise Refusal(f"{option}: {path} is the file of {name} too; allowed: another")


def write(option, path, content):
    """A text or, of a picture, its bytes. A name that is no text in UTF-8 may stand in a text: its odd bytes are
    escaped."""
    if isinstance(content, str):
        content = content.encode("utf-8", errors="backslashreplace")
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            Path(path).write_bytes(content)
        elif os.path.exists(path) and os.path.samestat(os.stat(path), os.fstat(1)):
            _add_to_stdout(content)
        else:
            _replace(os.path.realpath(path), content)
    except OSError as error:
        raise Refusal(f"{option}: {path} cannot be written ({error.strerror})") from error


def _add_to_stdout(content):
    """Opened anew, the file that stdout goes to would be written over from its beginning."""
    sys.stdout.flush()
    with open(os.dup(1), "wb") as file:
        file.write(content)


def _replace(target, content):
    """By a file beside it, with its permissions. What may not be written is not replaced either."""
    is_there = os.path.exists(target)
    if is_there:
        os.close(os.open(target, os.O_WRONLY))
    part = Path(f"{target}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        if is_there:
            shutil.copymode(target, part)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
