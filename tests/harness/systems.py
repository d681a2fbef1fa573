"""What the tests read of the systems: a key of one, its hardware's parameters, and what each of these may be."""

import subprocess

from tests.harness.program import LOCKWALK
from tools.project import ROOT


def setting(system, key):
    """The value of a key in systems/SYSTEM.ini or in what it extends."""
    lines = (ROOT / "systems" / f"{system}.ini").read_text().splitlines()
    pairs = dict((part.strip() for part in line.split("=", 1)) for line in lines
                 if "=" in line and not line.startswith("#"))
    return pairs[key] if key in pairs else setting(pairs["extends"], key)


def parameters_of(system):
    """The system's hardware parameters as Verilator's options have them."""
    done = subprocess.run([str(LOCKWALK), "systems", "--parameters", "--system", system], capture_output=True,
                          text=True, check=True)
    return tuple(word.removeprefix("-G") for word in done.stdout.split())


def hardware_ranges():
    """{key of a system's hardware: (lowest, highest value)}."""
    done = subprocess.run([str(LOCKWALK), "systems", "--keys"], capture_output=True, text=True, check=True)
    return {key: tuple(map(int, span.split("..")))
            for kind, key, span, *_ in map(str.split, done.stdout.splitlines()) if kind == "hardware"}
