"""Traces through the whole program: lockstep on them, what trace-info counts, the real ones if there."""

import gzip
import shutil

import pytest
from conftest import ROOT

SAMPLE = ROOT / "tests" / "data" / "trace"
REAL = ROOT.parent / "shared" / "traces"


def test_lockstep_on_a_trace(lockwalk):
    run = lockwalk("cosim", "--system", "nha", "--trace", SAMPLE, "--set", "lanes=32", figures=True)
    assert run.status == 0, run.err[-3000:]
    assert run.figures["wave_instructions"] > 0
    assert run.figures["requests"] == run.figures["responses"] > 0


# Counted by an independent script: blocks, warps, instructions, wave and lane accesses, pages.
@pytest.mark.parametrize(("name", "counts"), [
    ("matrixmul-32-32-trace", ["1", "32", "4416", "96", "3072", "3"]),
    ("vectoradd-100-32-trace", ["1", "32", "344", "12", "300", "1"]),
])
def test_real_traces(lockwalk, name, counts):
    if not (REAL / name).is_dir():
        pytest.skip("the real traces are not on this machine")
    run = lockwalk("trace-info", REAL / name)
    assert run.status == 0 and run.out.splitlines()[1].split()[1:] == counts
    run = lockwalk("cosim", "--system", "nha_power", "--trace", REAL / name, figures=True)
    assert run.status == 0, run.err[-3000:]
    assert run.figures["wave_instructions"] == int(counts[3])


@pytest.mark.parametrize(("damage", "said"), [
    (lambda text: "", "empty"),
    (lambda text: text[: len(text) // 2], "kernel-1.traceg"),
    (lambda text: text.replace("#BEGIN_TB", "#BEGIN", 1), "kernel-1.traceg:"),
])
def test_damaged_trace(lockwalk, tmp_path, damage, said):
    shutil.copytree(SAMPLE, tmp_path / "t")
    kernel = tmp_path / "t" / "kernel-1.traceg"
    kernel.write_text(damage(kernel.read_text()))
    for command in (["trace-info", tmp_path / "t"], ["model", "--trace", tmp_path / "t"]):
        run = lockwalk(*command)
        assert run.status == 2 and said in run.err and run.err.count("\n") == 1, run.err


def test_corrupt_gzip(lockwalk, tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "t")
    kernel = tmp_path / "t" / "kernel-1.traceg"
    packed = bytearray(gzip.compress(kernel.read_bytes()))
    packed[len(packed) // 2] ^= 0xFF
    (tmp_path / "t" / "kernel-1.traceg.gz").write_bytes(packed)
    kernel.unlink()
    run = lockwalk("model", "--trace", tmp_path / "t")
    assert run.status == 2 and "kernel-1.traceg" in run.err and run.err.count("\n") == 1, run.err
