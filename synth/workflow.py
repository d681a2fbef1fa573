"""Runs one of the project's Snakefiles on this machine, in the place of this process."""

import os
import sys
from pathlib import Path

SNAKEMAKE = Path(__file__).resolve().parent.parent / ".venv" / "bin" / "snakemake"


def run(snakefile, *arguments):
    """How far it is stands on a terminal; a log has only what the programs that run have said."""
    quiet = ["rules", "host", "reason"] if sys.stderr.isatty() else ["all"]
    os.execv(SNAKEMAKE, [str(SNAKEMAKE), "-q", *quiet, "-s", snakefile, "--cores", "2", *arguments])
