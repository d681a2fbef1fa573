"""The program that the tests run: the one that `make` has built, a project of links around it, and other builds of
it."""

import os
import shutil

from tests.harness.make import made
from tools.project import ROOT

LOCKWALK = ROOT / "build" / "lockwalk"


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
    made(f"-j{os.cpu_count() or 1}", f"B=build/{folder}", *options, program, lock=f"{folder}.lock")
    return str(ROOT / program)
