"""What is measured of a system has a folder by its settings too, which one process at a time has."""

import csv
import gzip
import json
import shutil
import sys
from pathlib import Path

import pytest

from synth import history
from synth.cells import technology
from tests.synth.synthesis import synth
from tools import claim
from tools.project import ROOT
from tools.refusal import Refusal

NEEDS = ["fpga", "synth"]


@pytest.mark.parametrize("script, folder", [("area.py", "synth"), ("synthesis.py", "synth"), ("fpga.py", "fpga"),
                                            ("equivalence.py", "synth/equivalence")])
def test_the_same_is_refused(script, folder):
    """The second of two with the same settings."""
    out = ROOT / "build" / folder / "stress_one_walkers-3_memory_latency-fixed-9"
    with claim.waited(out / "lock"):
        done = synth(script, "--system", "stress_one", "--set", "walkers=3", "--set", "memory_latency=fixed:9")
    assert done.returncode == 2 and done.stderr == (
        f"synth: {out}/lock is held: the same is being measured already; allowed: once it has ended\n")
    assert [path.name for path in out.iterdir()] == ["lock"]
    shutil.rmtree(out)


def test_settings_are_in_the_name():
    names = [claim.name_of("systems/nha.ini", settings) for settings in ([], ["walkers=2"], ["dram=/a b/c.ini"])]
    assert names == ["nha", "nha_walkers-2", "nha_dram--a-b-c.ini"]


def test_a_lock_ends(tmp_path):
    """With the one that waits for nothing else, and with what is done in it."""
    with claim.waited(tmp_path / "lock"), pytest.raises(Refusal):
        claim.hold(tmp_path / "lock")
    claim.hold(tmp_path / "lock")


def test_a_record_is_of_its_settings(tmp_path, monkeypatch):
    """`make synth-record` keeps the report that these settings have, whatever else synthesis.py was told, each figure
    in the unit that its column names."""
    best = {"groups": {"reg2reg": {"from": "a", "to": "b"}, "in2reg": {"from": "c", "to": "d"}}, "limit": "in2reg",
            "area": 1234.4, "kge": 5.67, "flops": 89, "fmax_hz": 123.44e6, "target_s": 4.126e-9}
    for name, walkers in (("nha", 1), ("nha_walkers-2", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "report.json").write_text(json.dumps({
            "best": best, "revision": "r", "system": "nha", "settings": [f"walkers={walkers}"], "library": "l"}))
    monkeypatch.setattr(history.synthesis, "BUILD", tmp_path)
    monkeypatch.setattr(history, "HISTORY", tmp_path / "history.csv")
    monkeypatch.setattr(sys, "argv", ["history.py", "--set", "walkers=2", "--trials", "3", "--technique", "t",
                                      "--accepted", "yes", "--why", "w"])
    assert history.main() == 0
    with (tmp_path / "history.csv").open() as file:
        row, = csv.DictReader(file)
    assert {**row, "date": ""} == {
        "date": "", "revision": "r", "system": "nha", "settings": "walkers=2", "library": "l", "area_um2": "1234",
        "kge": "5.7", "state_bits": "89", "fmax_mhz": "123.4", "worst_path": "c -> d", "mapped_for_ns": "4.13",
        "technique": "t", "accepted": "yes", "why": "w"}


def test_a_library_is_unpacked_by_several(tmp_path, monkeypatch):
    """Another process may unpack it between the write and the rename of this one."""
    source, write, other = tmp_path / "small.lib.gz", Path.write_bytes, []
    source.write_bytes(gzip.compress(b"library"))

    def write_while_another_does(path, data):
        write(path, data)
        if not other:
            other.append(None)
            other[0] = technology._plain(source, tmp_path)

    monkeypatch.setattr(Path, "write_bytes", write_while_another_does)
    assert technology._plain(source, tmp_path) == other[0] and other[0].read_text() == "library"
