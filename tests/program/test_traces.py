"""Traces through the whole program: lockstep on them, what trace-info counts, the real ones if there."""

import gzip
import shutil

import pytest

from tools.project import ROOT

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


def as_version_6(text, number):
    """Version 5's lines as version 6 writes them, every other one with values."""
    lines = text.replace("tracer version = 5", "tracer version = 6").splitlines()
    for i, line in enumerate(lines):
        if line.startswith("#traces format"):
            lines[i] = line.replace(" immediate", " immediate1 immediate2 Val|NoVal [dest_val_n]")
        elif line[:4].isalnum() and line[4:5] == " " and line[5:13].isalnum():
            number += 1
            lines[i] = line.rstrip() + (" 0 NoVal" if number % 2 else " 0 Val 1 2 0x7f0000000000 3f800000")
    return "\n".join(lines) + "\n", number


def test_version_6_says_what_version_5_says(lockwalk, tmp_path):
    text = (SAMPLE / "kernel-3.traceg").read_text()
    new, changed = as_version_6(text, 0)
    assert changed == 9
    figures = []
    for name, content in (("old", text), ("new", new)):
        (tmp_path / f"{name}.traceg").write_text(content)
        run = lockwalk("model", "--trace", tmp_path / f"{name}.traceg", "--set", "lanes=32", figures=True)
        assert run.status == 0 and run.figures.pop("workload") == str(tmp_path / f"{name}.traceg"), run.err
        del run.figures["arguments"]
        figures.append(run.figures)
    assert figures[0] == figures[1] and figures[0]["wave_instructions"] == 6


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
