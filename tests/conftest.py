"""What every test shares: the program, and running it for its JSON."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOCKWALK = ROOT / "build" / "lockwalk"


class Run:
    """One finished run of the program."""

    def __init__(self, done, figures):
        self.status = done.returncode
        self.out = done.stdout
        self.err = done.stderr
        self.figures = figures


@pytest.fixture
def lockwalk(tmp_path):
    """Calls build/lockwalk; with figures=True also reads what it wrote with --json."""

    def call(*arguments, figures=False, cwd=ROOT):
        command = [str(LOCKWALK), *(a if isinstance(a, bytes) else str(a) for a in arguments)]
        path = tmp_path / "figures.json"
        if figures:
            command += ["--json", str(path)]
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
        return Run(done, json.loads(path.read_text()) if figures and path.exists() else None)

    return call


def project_of_links(folder, own):
    """The program in a project whose parts are links, but for those that a test brings of its own."""
    for part in ROOT.iterdir():
        if part.name not in ("build", ".git", own):
            (folder / part.name).symlink_to(part)
    (folder / "build").mkdir()
    for part in ("gen", "rtl"):
        (ROOT / "build" / part).mkdir(exist_ok=True)  # no RTL may have been built yet
        (folder / "build" / part).symlink_to(ROOT / "build" / part)
    return shutil.copy(LOCKWALK, folder / "build" / "lockwalk")


def build_program(folder, *options, name="lockwalk"):
    """The program as `make B=build/FOLDER` builds it with these options; workers wait for each other."""
    program = f"build/{folder}/{name}"
    done = subprocess.run(["flock", f"build/{folder}.lock", "make", "-s", f"-j{os.cpu_count() or 1}", f"B=build/{folder}",
                           *options, program], cwd=ROOT, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return str(ROOT / program)


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
