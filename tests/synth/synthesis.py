"""What the tests of synthesis share: the library that Debian packages, the system whose figures are recorded, and
running a program of synth/."""

import json
import subprocess
from pathlib import Path

from tools.project import ROOT

PYTHON = ROOT / ".venv" / "bin" / "python"
OSU = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
GATE = json.loads((ROOT / "synth" / "gate.json").read_text())


def synth(script, *arguments, path=None):
    environment = {"PATH": path} if path is not None else None
    return subprocess.run([PYTHON, ROOT / "synth" / script, *map(str, arguments)], cwd=ROOT,
                          capture_output=True, text=True, check=False, env=environment)
