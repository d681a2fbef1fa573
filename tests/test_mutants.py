"""Broken lines of the RTL that only a corner of hits shows: the random streams must reach it."""

import os
import shutil
import subprocess

import pytest
from conftest import LOCKWALK, ROOT

# (file, the line as it is, the line broken, system, options)
MUTANTS = {
    # The output register is overwritten while it waits, with the hit queue full.
    "full_hit_queue": (
        "rtl/front/response_queue.sv",
        "assign load     = !out_valid_q || rsp_ready_i;",
        "assign load     = !out_valid_q || rsp_ready_i || (32'(hit_count_q) == HitQueue && walk_any);",
        ["--system", "stress_small", "--workload", "phases", "--max-requests", "20000"]),
}


def mutated_tree(folder, file, line, broken):
    """A copy of the project as far as a run needs it, with the RTL's line broken."""
    for name in ["Makefile", "mk", "c_model", "dpi", "systems", "tb", ".venv"]:
        (folder / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "rtl", folder / "rtl")
    (folder / "build").mkdir()
    (folder / "build" / "gen").symlink_to(ROOT / "build" / "gen")
    shutil.copy(LOCKWALK, folder / "build" / "lockwalk")
    (folder / "tests").mkdir()  # the report keeps the run there
    text = (folder / file).read_text()
    assert text.count(line) == 1, f"{file}: not once: {line}"
    (folder / file).write_text(text.replace(line, broken))


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_caught(tmp_path, name):
    file, line, broken, options = MUTANTS[name]
    mutated_tree(tmp_path, file, line, broken)
    run = subprocess.run([tmp_path / "build" / "lockwalk", "cosim", *options, "--seed", "1"],
                         cwd=tmp_path, capture_output=True, text=True, check=False,
                         env={**os.environ, "LOCKWALK_RUNS": "short"})
    assert run.returncode == 1, run.stdout + run.stderr[-2000:]
    assert "MISMATCH in cycle" in run.stderr
