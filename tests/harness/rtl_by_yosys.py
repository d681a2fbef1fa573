"""Yosys on the RTL of a system, in a process of its own."""

import subprocess
import sys

from tests.harness.systems import parameters_of
from tools.project import ROOT

RUN = """
from pyosys import libyosys
design = libyosys.Design()
for step in {steps!r}:
    design.run_pass(step)
"""


def yosys(top, system, steps, rtl=ROOT / "rtl"):
    """What Yosys prints in the passes `steps`, behind those that make one module of the RTL with the system's
    parameters."""
    files = " ".join(str(rtl / name) for name in (rtl / "files.f").read_text().split())
    values = " ".join(f"-G {value}" for value in parameters_of(system))
    read = f"read_slang -I {rtl}/pkg --unroll-limit=100000 --top {top} {values} {files}"
    done = subprocess.run([sys.executable, "-c", RUN.format(steps=[read, "proc", "flatten", *steps])],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout
