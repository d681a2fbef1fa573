"""Runs one of the project's Snakefiles on this machine, in the place of this process."""

import fcntl
import os
import sys
from pathlib import Path

from refusal import Refusal

SNAKEMAKE = Path(__file__).resolve().parent.parent / ".venv" / "bin" / "snakemake"


def hold(lock):
    """Snakemake's own lock outlives a workflow that was killed, and the next one would end without a word; this one is
    held by the process, which passes it on as it becomes Snakemake."""
    Path(lock).parent.mkdir(parents=True, exist_ok=True)
    file = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Refusal(f"{lock} is held: the same is being measured already; allowed: once it has ended") from None
    os.set_inheritable(file, True)


def run(snakefile, lock, *arguments):
    """How far it is stands on a terminal; a log has only what the programs that run have said. What was cut short is
    measured anew."""
    hold(lock)
    quiet = ["rules", "host", "reason"] if sys.stderr.isatty() else ["all"]
    os.execv(SNAKEMAKE, [str(SNAKEMAKE), "-q", *quiet, "-s", snakefile, "--cores", "2", "--nolock",
                         "--rerun-incomplete", *arguments])
