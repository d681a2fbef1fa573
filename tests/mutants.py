"""A copy of the project with one thing broken, to see the check that looks for it bark."""

import json
import os
import shutil
import subprocess

from conftest import LOCKWALK, ROOT

# What the program needs to build and run a lockstep.
PARTS = ["Makefile", "setup.sh", "requirements.txt", "mk", "rtl", "tb", "dpi", "common", "c_model", "state",
         "systems", "app", "sim", "oracle"]


class Mutant:
    """`change` turns the text of one file below `folder` into the broken one."""

    def __init__(self, folder, file, before, after):
        self.folder = folder
        for part in PARTS:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, folder / part)
        path = folder / file
        text = path.read_text()
        assert text.count(before) == 1, f"{file} holds '{before}' {text.count(before)} times"
        path.write_text(text.replace(before, after))
        (folder / "tests" / "unit").mkdir(parents=True)
        build = folder / "build"
        build.mkdir()
        (folder / ".venv").symlink_to(ROOT / ".venv")
        (build / "gen").symlink_to(ROOT / "build" / "gen")
        shutil.copy(LOCKWALK, build / "lockwalk")
        if file.endswith((".c", ".h")):
            # Only what has changed is compiled anew.
            shutil.copytree(ROOT / "build" / "obj", build / "obj", copy_function=shutil.copy2)
            os.utime(path)
            self.make("build/lockwalk")

    def make(self, target):
        done = subprocess.run(["make", "-s", target], cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]

    def cosim(self, *arguments):
        """(exit status, what it said)"""
        done = subprocess.run(["build/lockwalk", "cosim", "--workload", "random", *map(str, arguments)],
                              cwd=self.folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def model(self, *arguments):
        """The figures of a run of the twin alone."""
        path = self.folder / "figures.json"
        done = subprocess.run(["build/lockwalk", "model", *arguments, "--json", path], cwd=self.folder,
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(path.read_text())
