"""Where the host has no memory left the program says so in one sentence, with status 2, and leaves nothing behind: it
does not fall, lose memory, write half a file, or take it for a fault of the unit or of the input."""

import os
import random
import re
import subprocess

import pytest

from tests.harness.program import build_program
from tools.project import ROOT

NEEDS = ["checks"]
MOST = 24  # allocations of a run that fail, one a run, drawn if there are more
STREAMS = "tests/data/streams"

RUNS = {
    "random": "model --system stress_small --workload random --max-requests 60",
    "hashed": "model --system stress_hashed --workload random --max-requests 60",
    "shared": "model --system stress_shared --workload random --max-requests 60",
    "stages": "model --system stress_mesc --workload phases --max-requests 60 --stages",
    "data": "model --system stress_data --workload atax --size 64 --max-iters 1",
    "dram": "model --system stress_dram --workload bfs --size 100 --max-launches 2 "
            "--energy systems/energy/cacti_32nm.ini",
    "l2": "model --system stress_l2 --workload nw --size 64 --max-launches 2 --neighbours",
    "stream": f"model --system stress_small --stream {STREAMS}/own.stream --map {STREAMS}/own.map",
    "tlbs": f"model --system bench_chain --stream {STREAMS}/loop.champsim --map touched --through tlbs",
    "trace": "model --system stress_small --trace tests/data/trace --max-requests 50",
    "trace-info": "trace-info tests/data/trace",
    "hashed table": "hashed --workload mvt --size 64",
    "contiguity": "contiguity --mapping memhog:25",
}
WRITES = {"model"}  # commands with --json


@pytest.fixture(scope="module")
def program():
    return build_program("sanitized", "SANITIZE=1", name="short_of_memory")


def run(program, words, fail_at):
    return subprocess.run([program, *words], cwd=ROOT, capture_output=True, text=True, errors="replace", check=False,
                          env={**os.environ, "FAIL_AT": str(fail_at)})


@pytest.mark.parametrize("name", RUNS)
def test_short_of_memory(program, name, tmp_path):
    words = RUNS[name].split()
    out = tmp_path / "out.json"
    if words[0] in WRITES:
        words += ["--json", out]
    whole = run(program, words, 0)
    assert whole.returncode == 0, whole.stderr
    allocations = int(re.search(r"^allocations: (\d+)$", whole.stderr, re.M)[1])
    assert allocations > 10
    out.unlink(missing_ok=True)
    for n in sorted(random.Random(1).sample(range(1, allocations + 1), min(MOST, allocations))):
        short = run(program, words, n)
        assert short.returncode == 2, (n, short.stderr)
        assert re.fullmatch(r"lockwalk: .*memory.*\n", short.stderr), (n, short.stderr)
        assert not list(tmp_path.iterdir()), n
