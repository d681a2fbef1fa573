"""A copy of the project with something broken, to see the check that looks for it bark."""

import json
import os
import shutil
import subprocess

from tests.harness.program import LOCKWALK, build_program
from tools.project import ROOT

# A copy has its own: what it builds, and the list of runs that failed.
OWN = {"build", "tests", ".git"}
# Valgrind's is the build without optimisation at link time, which takes longer than the runs.
QUICK = "SANITIZE=memcheck"
BUILD = "build/valgrind"


def break_copy(folder, file, before, after):
    """Copies the top folder in which `file` lies into `folder`; there `before`, which the file holds once, is
    replaced by `after`."""
    top = file.split("/")[0]
    shutil.copytree(ROOT / top, folder / top)
    path = folder / file
    text = path.read_text()
    assert text.count(before) == 1, f"{file} holds '{before}' {text.count(before)} times"
    path.write_text(text.replace(before, after))


class Copy:
    """The whole project, of which one top folder is a copy that may be broken; what is not copied is linked."""

    def __init__(self, folder, top, in_c):
        self.folder = folder
        self.in_c = in_c
        if in_c:  # before a file is broken: make goes by what is older
            build_program("valgrind", QUICK)
        if not (folder / top).exists():
            shutil.copytree(ROOT / top, folder / top)
        for part in ROOT.iterdir():
            if part.name not in OWN and not (folder / part.name).exists():
                (folder / part.name).symlink_to(part)
        (folder / "tests").mkdir()
        build = folder / "build"
        build.mkdir()
        (build / "gen").symlink_to(ROOT / "build" / "gen")
        # Only what has changed is compiled anew: of the RTL or of the C sources.
        shared = "rtl" if in_c else "rtl/runtime"
        (ROOT / "build" / shared).mkdir(parents=True, exist_ok=True)
        (build / shared).parent.mkdir(exist_ok=True)
        (build / shared).symlink_to(ROOT / "build" / shared)
        if in_c:
            shutil.copytree(ROOT / BUILD / "obj", folder / BUILD / "obj")
        else:
            shutil.copy(LOCKWALK, build / "lockwalk")

    def make(self, *targets, status=(0,)):
        """The C sources, or what is made of them."""
        return self.run("make", "-s", f"B={BUILD}", QUICK, *(f"{BUILD}/{target}" for target in targets), status=status)

    def run(self, *command, status=(0,)):
        """Broken RTL is built for the short runs of one test; what is whole may be there already."""
        done = subprocess.run([*map(str, command)], cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "LOCKWALK_RUNS": "tests" if self.in_c else "short"})
        assert done.returncode in status, done.stdout[-2000:] + done.stderr[-2000:]
        return done


class Judged(Copy):
    """A copy whose C sources may be broken one after the other, with the tests that judge them beside it."""

    UNIT_TESTS = {"LW_TEST_DATA": "tests/data", "LW_TWIN_ALONE": "1"}  # their environment: no RTL beside them

    def __init__(self, folder, top):
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder, top, in_c=True)
        for part in ("unit", "contract", "modules", "data"):
            (folder / "tests" / part).symlink_to(ROOT / "tests" / part)


class Mutant(Copy):
    """The whole project, broken as in `break_copy`."""

    def __init__(self, folder, file, before, after):
        break_copy(folder, file, before, after)
        super().__init__(folder, file.split("/")[0], file.endswith((".c", ".h")))
        (folder / "tests" / "unit").mkdir()  # where the Makefile looks for unit tests
        if self.in_c:
            (folder / file).touch()  # later than the objects that were copied
            self.make("lockwalk")
            shutil.copy(folder / BUILD / "lockwalk", folder / "build" / "lockwalk")

    def cosim(self, *arguments, workload="random"):
        """(exit status, what it said)"""
        done = self.run("build/lockwalk", "cosim", "--workload", workload, *arguments, status=(0, 1, 2))
        return done.returncode, done.stdout + done.stderr

    def model(self, *arguments):
        """The figures of a run of the twin alone."""
        path = self.folder / "figures.json"
        self.run("build/lockwalk", "model", *arguments, "--json", path)
        return json.loads(path.read_text())
