"""What synthesis refuses, in one sentence and before anything is made: options, libraries, waves, missing tools; and
what a run with a netlist refuses."""

import shutil
import subprocess

import pylibfst
import pytest

from tests.harness.program import LOCKWALK
from tests.synth.synthesis import OSU, synth
from tools.project import ROOT

NEEDS = ["synth"]

REFUSED = [
    (["--liberty", "/nope.lib"], "/nope.lib: cannot be read"),
    (["--liberty", "README.md"], "README.md: is no liberty file"),
    (["--system", "nope"], "systems/nope.ini: cannot be read"),
    (["--set", "walkers=99"], "walkers is \"99\""),
    (["--period", "0"], "--period is 0; allowed: 0.01..1000"),
    (["--trials", "99"], "--trials is 99; allowed: 1..10"),
    (["--waves", "README.md"], "README.md: is no FST file"),
    (["--waves", "/nope.fst"], "/nope.fst: cannot be read (No such file or directory); allowed: what `lockwalk cosim "),
    (["--activity", "3"], "--activity is 3; allowed: 0..2"),
]


@pytest.mark.parametrize("arguments,sentence", REFUSED)
def test_refused(arguments, sentence, tmp_path):
    done = synth("synthesis.py", *arguments, "--out", tmp_path / "out")
    assert done.returncode == 2, done.stderr
    assert sentence in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("arguments,sentence", [*REFUSED[:4], (["--period", "4"], "unrecognized arguments"),
                                                (["--processes", "0"], "--processes is 0; allowed: 1..")])
def test_area_refused(arguments, sentence, tmp_path):
    done = synth("area.py", *arguments, "--out", tmp_path / "out")
    assert done.returncode == 2 and sentence in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()
    done = synth("area.py", "--out", "README.md/x")
    assert done.returncode == 2 and "README.md/x: cannot be made" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("limit", ["0.5", "-1", "nan", "1e6"])
def test_equivalence_refused(limit):
    """ABC takes whole seconds, and 0 of them for no limit."""
    done = synth("equivalence.py", "--limit", limit, "--system", "nope")
    assert done.returncode == 2
    assert done.stderr == f"synth: --limit is {float(limit):g}; allowed: 1..100000\n"


def test_refused_libraries(tmp_path):
    no_flop = tmp_path / "no_flop.lib"
    text = OSU.read_text()
    start = text.index("cell (DFFNEGX1)")
    no_flop.write_text(text[:start] + "}\n")
    cut = tmp_path / "cut.lib.gz"
    cut.write_bytes(b"\x1f\x8b\x08\x00cut")
    no_tables, no_buffer = tmp_path / "no_tables.lib", tmp_path / "no_buffer.lib"
    no_tables.write_text(text.replace("cell_rise", "rise").replace("cell_fall", "fall"))
    no_buffer.write_text(text.replace('function : "A";', 'function : "(!A)";'))
    for library, sentence in ((no_flop, "no flip-flop"), (cut, "no whole gzip file"),
                              (no_tables, "no delay tables by load"), (no_buffer, "no buffer")):
        done = synth("synthesis.py", "--liberty", library, "--out", tmp_path / "out")
        assert done.returncode == 2 and sentence in done.stderr, done.stderr
        assert not (tmp_path / "out").exists()


def test_empty_waves(tmp_path):
    path = tmp_path / "empty.fst"
    writer = pylibfst.lib.fstWriterCreate(str(path).encode(), 1)
    pylibfst.lib.fstWriterClose(writer)
    done = synth("synthesis.py", "--waves", path, "--out", tmp_path / "out")
    assert done.returncode == 2 and "has no waves of a lockstep run" in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()


def test_paths_refused(tmp_path):
    allowed = "allowed: what `make synth` has written into DIR"
    for arguments, sentence in (([tmp_path], f"report.json: cannot be read (No such file or directory); {allowed}"),
                                ([tmp_path, "--period", "0"], "--period is 0; allowed: 0.01..1000")):
        done = synth("timing/paths.py", *arguments)
        assert done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(("text", "said"), [
    (None, "cannot be read (No such file or directory)"),
    ("x", "is no JSON (Expecting value: line 1 column 1 (char 0))"),
    ("[" * 100000, "is no JSON (it nests too deeply)"), ("[]", "is no report of `make synth`"),
    ('{"liberty": "a", "best": {}}', "is no report of `make synth`")], ids=lambda text: str(text)[:20])
@pytest.mark.parametrize("program", [["power.py", "--waves", "/nope.fst"], ["timing/paths.py"]], ids=lambda p: p[0])
def test_no_report(program, text, said, tmp_path):
    path = tmp_path / "report.json"
    if text is not None:
        path.write_text(text)
    done = synth(*program, tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"synth: {path}: {said}; allowed: what `make synth` has written into DIR\n"


def test_missing_tool(tmp_path):
    done = synth("synthesis.py", "--out", tmp_path / "out", path=str(tmp_path))
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
