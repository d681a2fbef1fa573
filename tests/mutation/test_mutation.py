"""The campaign of broken lines (tests/mutation): what it draws, that its judges bark at a line that matters and not at
one that does not, and what it says of both."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation import benches, campaign
from tools.project import ROOT
from tools.refusal import Refusal

NEEDS = ["mutation"]

FILE = "c_model/front/admission.c"
FILE_RTL = "rtl/front/response_queue.sv"


def test_what_is_drawn():
    """Lines of code are changed, each into another line, and comments stay."""
    path = ROOT / FILE
    lines = path.read_text().splitlines(keepends=True)
    drawn = campaign.changes_of(path)
    assert len(drawn) > 50 and len(set(drawn)) == len(drawn)
    for number, line in drawn:
        assert line != lines[number - 1]
        assert not re.match(r"\s*(/\*|#include)", lines[number - 1])
        assert benches.changed(path.read_text(), number, line).splitlines()[:number - 1] == \
            path.read_text().splitlines()[:number - 1]


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """With one of the systems, and one of the unit tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(benches, "STRESS_SYSTEMS", [("stress_small", 0, 0)])
        patch.setattr(benches, "units", lambda part: [f"{part}/front/test_rates"])
        yield benches.Bench(tmp_path_factory.mktemp("mutation"), "c_model")


def change(before, after, file=FILE):
    lines = (ROOT / file).read_text().splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines) if before in line)
    return Path(file), number + 1, lines[number].replace(before, after)


@pytest.mark.recorded
def test_who_notices(bench):
    """Places of the miss queue that are never given back; what means the same; what no compiler takes."""
    broken = change(" - p->miss_left;", ";")
    assert bench.judge(*broken) == {"lockstep": "stress_small", "without_rtl": "contract tester"}
    assert bench.judge(*change("a->miss_used = miss_used;", "a->miss_used = (miss_used);")) is None
    assert bench.judge(*change("a->miss_used = miss_used;", "a->miss_used = (miss_used;")) is None
    assert (bench.folder / FILE).read_text() == (ROOT / FILE).read_text()


@pytest.mark.recorded
def test_who_notices_of_the_rtl(tmp_path, monkeypatch):
    """An answer that is lost where none waits; what means the same; what Verilator does not take; a declaration."""
    monkeypatch.setattr(benches, "STRESS_SYSTEMS", [("stress_small", 0, 0)])
    bench, file = benches.RtlBench(tmp_path), FILE_RTL
    load = "!out_valid_q || rsp_ready_i;"
    assert bench.judge(*change(load, "rsp_ready_i;", file)) == {"lockstep": "stress_small"}
    assert bench.judge(*change(load, "(!out_valid_q || rsp_ready_i);", file)) is None
    assert bench.judge(*change(load, "!out_valid_q || rsp_ready_;", file)) is None
    assert (tmp_path / file).read_text() == (ROOT / file).read_text()
    lines = (ROOT / file).read_text().splitlines()
    drawn = campaign.changes_of(ROOT / file)
    assert len(drawn) > 50 and not any(lines[number - 1].split()[:1] == ["logic"] for number, _ in drawn)


@pytest.mark.recorded
def test_who_notices_of_the_buses(tmp_path):
    """A burst that is answered while its ID is under way; what means the same."""
    bench, file = benches.RtlBench(tmp_path), "rtl/bus/axi_reader.sv"
    assert bench.judge(*change("busy_q[next_tag] || (", "(", file)) == {"lockstep": "axi_reader_64"}
    assert bench.judge(*change("waiting_valid_q || transferred", "transferred || waiting_valid_q", file)) is None


def test_each_file_of_a_bus_has_its_rows():
    """And each row is one of tests/modules."""
    of_buses = {path.relative_to(ROOT) for path in campaign.sources_of(Path("rtl")) if "axi" in path.name}
    assert {file for file in of_buses if benches.is_of_a_bus(file)} == of_buses != set()
    catalogue = (ROOT / "tests/modules/catalogue.c").read_text()
    assert all(f'{{"{row}", ' in catalogue for row in benches.BUS_ROWS)


def test_each_organisation_is_among_the_judges_of_the_rtl(tmp_path, monkeypatch):
    bench, asked = benches.RtlBench(tmp_path), []
    monkeypatch.setattr(bench, "code_of", lambda system: f"{system} {len(asked)} {(tmp_path / FILE_RTL).read_text()}")
    monkeypatch.setattr(bench, "in_lockstep", asked.append)
    assert bench.judge(*change("!out_valid_q || rsp_ready_i;", "rsp_ready_i;", FILE_RTL)) == {"lockstep": None}
    assert asked == benches.RTL_FIRST and set(asked) < {system for system, _, _ in benches.STRESS_SYSTEMS}


def test_one_judge(tmp_path, monkeypatch):
    monkeypatch.setattr(benches, "units", lambda part: [])
    assert set(benches.Bench(tmp_path, "c_model", "without_rtl").judges) == {"without_rtl"}


def test_who_notices_in_the_machine(tmp_path, monkeypatch):
    """Of what both sides share the unit tests judge, those of the file's folder first."""
    monkeypatch.setattr(benches, "units", lambda part: [f"{part}/energy/test_energy", f"{part}/memory/test_pte_cache"])
    bench = benches.Bench(tmp_path, "sim")
    file = "sim/memory/pte_cache.c"
    assert benches.nearest_first(bench.units, Path(file)) == ["sim/memory/test_pte_cache", "sim/energy/test_energy"]
    assert bench.judge(*change("c->count--;", ";", file)) == {
        "unit_tests": "unit test sim/memory/test_pte_cache"}


def test_who_notices_of_the_checkers(tmp_path):
    """One that looks at half of a page's number; what means the same; a sentence, which is not drawn."""
    bench, file = benches.CheckerBench(tmp_path), "tb/tlb_fill_checker.sv"
    assert bench.judge(*change("fill_vpn[5:0] == '0", "fill_vpn[2:0] == '0", file)) == {
        "benches": "bench, kind of a subregion's 32nd page"}
    assert bench.judge(*change("fill_vpn[5:0] == '0", "'0 == fill_vpn[5:0]", file)) is None
    assert (tmp_path / file).read_text() == (ROOT / file).read_text()
    lines = (ROOT / file).read_text().splitlines()
    assert not any("$error" in lines[number - 1] for number, _ in campaign.changes_of(ROOT / file))
    assert ROOT / file in campaign.sources_of(Path("tb")) and ROOT / "tb/axi_read_checker.sv" not in \
        campaign.sources_of(Path("tb"))


@pytest.mark.parametrize("part", ["app", "sim/none", "sim/../dpi", "c_model/base/pte.c"])
def test_no_part(part):
    with pytest.raises(argparse.ArgumentTypeError, match="allowed: c_model, sim, oracle, dpi, rtl, tb or a folder of "):
        campaign.folder_of_sources(part)


def test_summary(capsys):
    campaign.print_summary("the twin", [
        {"file": FILE, "line": 3, "becomes": "x\n", "lockstep": "stress_small", "without_rtl": "unit test a/test_b"},
        {"file": FILE, "line": 4, "becomes": "x\n", "lockstep": "stress_small", "without_rtl": "oracle, stress_mesc"},
        {"file": FILE, "line": 5, "becomes": "x\n", "lockstep": None, "without_rtl": "contract tester"},
        {"file": FILE, "line": 6, "becomes": "x\n", "lockstep": None, "without_rtl": None},
    ])
    said = capsys.readouterr().out
    assert said.startswith("4 changes of the twin, one at a time; who noticed first\n"
                           "  in the lockstep              2\n    stress_small               2\n"
                           "  without the RTL              3\n    unit test                  1\n")
    assert f"\n{FILE}:5: not noticed in the lockstep\n" in said
    assert f"\n{FILE}:6: not noticed in the lockstep and not without the RTL\n" in said
    assert said.count("    +x\n") == 2 and f"{FILE}:3" not in said


@pytest.mark.parametrize("arguments, sentence", [
    (["--mutants", "0"], 'argument --mutants: is "0"; allowed: a whole number from 1 on'),
    (["--part", "nope"],
     'argument --part: is "nope"; allowed: c_model, sim, oracle, dpi, rtl, tb or a folder of sources in one'),
    (["--seed", "x"], "argument --seed: invalid int value: 'x'; `campaign.py --help` says what is allowed"),
    (["--judge", "nobody"], "argument --judge: invalid choice: 'nobody' (choose from 'lockstep', 'without_rtl'); "
     "`campaign.py --help` says what is allowed"),
    (["--judge", "lockstep", "--part", "sim/os"], "--judge: sim/os has one judge alone; allowed: with --part c_model"),
    (["--jobs", "two"], 'argument --jobs: is "two"; allowed: a whole number from 1 on'),
    (["--json", "no/such.jsonl"],
     "--json: no/such.jsonl cannot be written (No such file or directory); allowed: a file")])
def test_bad_usage(arguments, sentence):
    done = subprocess.run([sys.executable, "tests/mutation/campaign.py", *arguments], cwd=ROOT, capture_output=True,
                          text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"mutation: {sentence}\n")


def test_full_disk():
    """No other change is judged then."""
    options = argparse.Namespace(json="/dev/full", part="sim/os", seed=1, mutants=100)
    file = open("/dev/full", "w")
    whole = campaign.Campaign(options, file)
    assert whole.next() is not None
    with pytest.raises(Refusal, match=r"^--json: /dev/full cannot be written \(No space left on device\); allowed: "):
        whole.add({"file": FILE})
    assert whole.next() is None
    with pytest.raises(OSError):
        file.close()
