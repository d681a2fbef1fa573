"""Readers of files under random input (tests/fuzz): some of it drawn anew by one seed, and all that a reader once did
not keep to."""

import subprocess
import sys

import pytest

from tests.fuzz import fuzzing
from tools.project import ROOT
from tools.refusal import Refusal

NEEDS = ["checks"]
RUNS = 1000  # inputs of each reader; some seconds


@pytest.fixture(scope="module", autouse=True)
def fuzzers():
    fuzzing.build()


def test_each_reader_has_a_fuzzer():
    assert {path.stem.removeprefix("fuzz_")
            for path in (ROOT / "tests" / "fuzz").glob("fuzz_*.c")} == set(fuzzing.SEEDS)


def test_each_reader_begins_with_files(monkeypatch):
    for reader in fuzzing.SEEDS:
        assert fuzzing.seeds(reader)
    monkeypatch.setitem(fuzzing.SEEDS, "energy", [*fuzzing.SEEDS["energy"], "systems/energy/*.none"])
    with pytest.raises(Refusal, match=r"^energy: systems/energy/\*\.none names no file$"):
        fuzzing.seeds("energy")


@pytest.mark.parametrize("reader", fuzzing.SEEDS)
def test_random_input(reader, tmp_path):
    result = fuzzing.fuzz(reader, tmp_path / "corpus", tmp_path / "found", f"-runs={RUNS}")
    assert result.broken == ""
    assert result.runs >= RUNS and result.reached > 50


@pytest.mark.parametrize("path", sorted(fuzzing.FOUND.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_found_input(path):
    assert fuzzing.again(path.parent.name, [path]).broken == ""


def test_a_broken_promise_is_told(tmp_path, monkeypatch):
    """The fuzzers promise themselves a folder; without one each stops, and what it stopped at is kept."""
    monkeypatch.setattr(fuzzing.tempfile, "TemporaryDirectory", lambda: Gone(tmp_path))
    result = fuzzing.again("energy", [__file__])
    assert result.broken == "fuzz: broken: the folder for files is there"


def test_what_a_fuzzer_stops_at_is_kept(tmp_path, monkeypatch):
    run = subprocess.run
    monkeypatch.setattr(fuzzing.subprocess, "run", lambda *command, env, **how: run(
        *command, env={**env, "FUZZ_FOLDER": str(tmp_path / "gone")}, **how))
    result = fuzzing.fuzz("energy", tmp_path / "corpus", tmp_path / "found", "-runs=10")
    assert result.broken == "fuzz: broken: the folder for files is there"
    assert result.found == sorted((tmp_path / "found").iterdir()) != []


@pytest.mark.parametrize(("options", "said"), [
    (["--reader", "nope"], "--reader: \"nope\" is none; allowed: address_map, dram"),
    (["--seconds", "0"], "--seconds and --seed: allowed: whole numbers from 1 on"),
    (["--seconds", "x"], "invalid int value"),
    (["--frob"], "unrecognized arguments: --frob")])
def test_refusals(options, said):
    done = subprocess.run([sys.executable, ROOT / "tests" / "fuzz" / "fuzzing.py", *options], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1


class Gone:
    """A folder that is not there."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        return str(self.path / "gone")

    def __exit__(self, *_):
        return False
