"""A copy of the project with one thing broken, to see the check that looks for it bark."""

import json
import os
import shutil
import subprocess

from conftest import LOCKWALK, ROOT, build_program

# A copy has its own: what it builds, and the list of runs that failed.
OWN = {"build", "tests", ".git"}
# Valgrind's is the build without optimisation at link time, which takes longer than the runs.
QUICK = "SANITIZE=memcheck"


def break_copy(folder, file, before, after):
    """Copies the top folder in which `file` lies into `folder`; there `before`, which the file holds once, is
    replaced by `after`."""
    top = file.split("/")[0]
    shutil.copytree(ROOT / top, folder / top)
    path = folder / file
    text = path.read_text()
    assert text.count(before) == 1, f"{file} holds '{before}' {text.count(before)} times"
    path.write_text(text.replace(before, after))


class Mutant:
    """The whole project, broken as in `break_copy`; what is not broken is linked."""

    def __init__(self, folder, file, before, after):
        self.folder = folder
        self.in_c = file.endswith((".c", ".h"))
        if self.in_c:  # before the file is broken: make goes by what is older
            build_program("valgrind", QUICK)
        break_copy(folder, file, before, after)
        for part in ROOT.iterdir():
            if part.name not in OWN and not (folder / part.name).exists():
                (folder / part.name).symlink_to(part)
        (folder / "tests" / "unit").mkdir(parents=True)  # where the Makefile looks for unit tests
        build = folder / "build"
        build.mkdir()
        (build / "gen").symlink_to(ROOT / "build" / "gen")
        # Only what has changed is compiled anew: of the RTL or of the C sources.
        shared = "rtl" if self.in_c else "rtl/runtime"
        (ROOT / "build" / shared).mkdir(parents=True, exist_ok=True)
        (build / shared).parent.mkdir(exist_ok=True)
        (build / shared).symlink_to(ROOT / "build" / shared)
        if self.in_c:
            shutil.copytree(ROOT / "build" / "valgrind" / "obj", build / "valgrind" / "obj")
            self.run("make", "-s", "B=build/valgrind", QUICK, "build/valgrind/lockwalk")
            shutil.copy(build / "valgrind" / "lockwalk", build / "lockwalk")
        else:
            shutil.copy(LOCKWALK, build / "lockwalk")

    def run(self, *command, status=(0,)):
        """Broken RTL is built for the short runs of one test; what is whole may be there already."""
        done = subprocess.run([*map(str, command)], cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "LOCKWALK_RUNS": "tests" if self.in_c else "short"})
        assert done.returncode in status, done.stdout[-2000:] + done.stderr[-2000:]
        return done

    def cosim(self, *arguments, workload="random"):
        """(exit status, what it said)"""
        done = self.run("build/lockwalk", "cosim", "--workload", workload, *arguments, status=(0, 1, 2))
        return done.returncode, done.stdout + done.stderr

    def model(self, *arguments):
        """The figures of a run of the twin alone."""
        path = self.folder / "figures.json"
        self.run("build/lockwalk", "model", *arguments, "--json", path)
        return json.loads(path.read_text())
