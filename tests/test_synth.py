"""Synthesis of one small system with the library that Debian packages: its area and its cycles against
those recorded (a person moves them, in either direction), its netlist in lockstep with the twin, modules
proven equal to their netlists, and what is refused."""

import json
import shutil
import subprocess

import pytest
from conftest import LOCKWALK, ROOT

PYTHON = ROOT / ".venv" / "bin" / "python"
OSU = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
GATE = json.loads((ROOT / "synth" / "gate.json").read_text())
RUN = ["--system", GATE["system"], "--workload", "random", "--max-requests", "15000"]


def synth(script, *arguments, path=None):
    environment = {"PATH": path} if path is not None else None
    return subprocess.run([PYTHON, ROOT / "synth" / script, *map(str, arguments)], cwd=ROOT,
                          capture_output=True, text=True, check=False, env=environment)


def within(figure, recorded):
    return abs(figure / recorded - 1) <= GATE["tolerance"]


@pytest.fixture(scope="module")
def smoke(tmp_path_factory):
    out = tmp_path_factory.mktemp("synth")
    done = synth("synth.py", "--system", GATE["system"], "--no-modules", "--out", out)
    assert done.returncode == 0, done.stderr[-4000:]
    return out, json.loads((out / "report.json").read_text()), done.stdout


def test_smoke(smoke, lockwalk):
    """One test, so that one worker synthesises once: figures, gate, netlist in lockstep."""
    out, figures, text = smoke
    best = figures["best"]
    assert text.startswith("These figures are of synthesis alone")
    assert figures["library"] == GATE["library"]
    assert set(best["groups"]) == {"reg2reg", "in2reg", "reg2out"}
    assert best["flops"] > 1000 and best["area_flops"] + best["area_logic"] == pytest.approx(
        best["area"])
    assert figures["fanout"][0]["pins"] <= 64
    assert within(best["area"], GATE["area"]), \
        f"area {best['area']:.0f}, recorded {GATE['area']}: say why in synth/gate.json's commit"
    run = lockwalk("model", *RUN, figures=True)
    assert within(run.figures["cycles"], GATE["cycles"]), \
        f"cycles {run.figures['cycles']}, recorded {GATE['cycles']}"
    netlist = lockwalk("cosim", *RUN, "--netlist", out, figures=True)
    assert netlist.status == 0, netlist.err[-4000:]
    assert "0 mismatches" in netlist.out
    assert netlist.figures["cycles"] == run.figures["cycles"]


@pytest.mark.parametrize("module", ["admission", "invalidation", "line_decoder", "control"])
def test_equivalence(module):
    done = synth("equivalence.py", "--system", GATE["system"], "--module", module)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all proven" in done.stdout


REFUSED = [
    (["--liberty", "/nope.lib"], "/nope.lib: cannot be read"),
    (["--liberty", "README.md"], "README.md: is no liberty file"),
    (["--system", "nope"], "systems/nope.ini: cannot be read"),
    (["--set", "walkers=99"], "walkers is \"99\""),
    (["--period", "0"], "--period is 0; allowed: 0.01..1000"),
    (["--trials", "99"], "--trials is 99; allowed: 1..10"),
    (["--activity", "3"], "--activity is 3; allowed: 0..2"),
]


@pytest.mark.parametrize("arguments,sentence", REFUSED)
def test_refused(arguments, sentence, tmp_path):
    done = synth("synth.py", *arguments, "--out", tmp_path / "out")
    assert done.returncode == 2, done.stderr
    assert sentence in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_refused_libraries(tmp_path):
    no_flop = tmp_path / "no_flop.lib"
    text = open(OSU).read()
    start = text.index("cell (DFFNEGX1)")
    no_flop.write_text(text[:start] + "}\n")
    cut = tmp_path / "cut.lib.gz"
    cut.write_bytes(b"\x1f\x8b\x08\x00cut")
    for library, sentence in ((no_flop, "no flip-flop"), (cut, "no whole gzip file")):
        done = synth("synth.py", "--liberty", library, "--out", tmp_path / "out")
        assert done.returncode == 2 and sentence in done.stderr, done.stderr
        assert not (tmp_path / "out").exists()


def test_missing_tool(tmp_path):
    done = synth("synth.py", "--out", tmp_path / "out", path=str(tmp_path))
    assert done.returncode == 2 and "sta (OpenSTA) is missing" in done.stderr
    assert not (tmp_path / "out").exists()


def test_netlist_refused():
    for folder, sentence in (("/nope", "is no folder"), ("docs", "docs/netlist.v: cannot be read")):
        done = subprocess.run([LOCKWALK, "cosim", "--netlist", folder], cwd=ROOT, check=False,
                              capture_output=True, text=True)
        assert done.returncode == 2 and sentence in done.stderr
    done = subprocess.run([LOCKWALK, "cosim", "--netlist", "docs", "--inject", "TLB[0].PFN.0@1"],
                          cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 2 and "--inject" in done.stderr
    assert shutil.which("sta")
