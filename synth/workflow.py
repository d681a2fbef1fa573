"""Runs one of the project's Snakefiles on this machine, in the place of this process."""

import os
import sys
from pathlib import Path

from claim import hold

SNAKEMAKE = Path(__file__).resolve().parent.parent / ".venv" / "bin" / "snakemake"


def run(snakefile, lock, *arguments):
    """How far it is stands on a terminal; a log has only what the programs that run have said. What was cut short is
    measured anew. Snakemake's own lock outlives a workflow that was killed, and the next one would end without a word;
    this one is held by the process, which passes it on as it becomes Snakemake."""
    os.set_inheritable(hold(lock), True)
    quiet = ["rules", "host", "reason"] if sys.stderr.isatty() else ["all"]
    os.execv(SNAKEMAKE, [str(SNAKEMAKE), "-q", *quiet, "-s", snakefile, "--cores", "2", "--nolock",
                         "--rerun-incomplete", *arguments])
