"""Runs one of the project's Snakefiles on this machine, in the place of this process."""

import logging
import os
import sys

from tools import machine
from tools.claim import hold
from tools.project import ROOT

SNAKEMAKE = ROOT / ".venv" / "bin" / "snakemake"
ERRORS_ALONE = "LOCKWALK_ERRORS_ALONE"


def run(snakefile, lock, *arguments):
    """On all processors, as far as the memory that the rules name is there. How far it is stands on a terminal; a log
    has only what the programs that run have said, and why it failed. What was cut short is measured anew. Snakemake's
    own lock outlives a workflow that was killed, and the next one would end without a word; this one is held by the
    process, which passes it on as it becomes Snakemake. For each job that has ended Snakemake looks for new ones again
    after each timespan of its limit, to the end: with a second, its own, that was a quarter of a processor."""
    os.set_inheritable(hold(lock), True)
    if not sys.stderr.isatty():
        os.environ[ERRORS_ALONE] = "1"
    os.execv(SNAKEMAKE, [str(SNAKEMAKE), "-q", "rules", "host", "reason", "-s", snakefile,
                         "--cores", str(machine.processors()), "--resources", f"mem_mb={machine.memory_mb()}",
                         "--max-jobs-per-timespan", "1000/3s", "--nolock", "--rerun-incomplete", *arguments])


def hush():
    """For a Snakefile, before its rules: Snakemake's `-q all` keeps its errors back too."""
    if ERRORS_ALONE in os.environ:
        from snakemake.logging import logger

        logger.setLevel(logging.ERROR)
