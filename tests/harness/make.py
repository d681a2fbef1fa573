"""make, as a person calls it from a shell, and what tests need made."""

import contextlib
import fcntl
import os
import subprocess

from tools.project import ROOT


def make(*arguments, folder=ROOT, **environment):
    """As from a shell, not from the make that runs the tests."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    return subprocess.run(["make", *arguments], cwd=folder, capture_output=True, text=True, check=False,
                          env={**env, **environment})


@contextlib.contextmanager
def alone(lock):
    """By a file below build/ the workers of a test run wait for each other, and for whoever else builds there."""
    path = ROOT / "build" / lock
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def made(*arguments, lock):
    """Makes what a test cannot do without."""
    with alone(lock):
        done = make("-s", *arguments)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
