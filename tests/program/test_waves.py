"""The waves of both sides: a VCD that says what the registers and ports were, and a view that opens on what differs."""

import re

from tests.harness.vcd import read
from tools.project import ROOT

RUN = ["--system", "stress_small", "--workload", "random", "--max-requests", "400", "--no-progress"]
FLIP = "BUFFER[1].PL.1@1999"


def values(names, changes, name):
    """The value that a signal has from each time on."""
    return {time: value for time, code, value in changes if code == names[name]}


def at(history, time):
    return next(value for moment, value in sorted(history.items(), reverse=True) if moment <= time)


def test_both_sides_beside_each_other(lockwalk, tmp_path):
    """A flip after cycle 1999 is in the registers of cycle 2000, on its side alone, and only there they differ."""
    waves = tmp_path / "both.vcd"
    run = lockwalk("cosim", *RUN, "--inject", FLIP, "--waves", waves, "--waves-from", "1990")
    assert run.status == 1 and "MISMATCH in cycle 1999" in run.err
    names, changes = read(waves)
    rtl, twin = (values(names, changes, f"lockstep.BUFFER_1.PL_{side}[2:0]") for side in ("rtl", "twin"))
    assert min(rtl) == min(twin) == 1990
    assert at(rtl, 1999) == at(twin, 1999) and at(rtl, 2000) == at(twin, 2000) ^ 2
    differs = values(names, changes, "lockstep.differs")
    assert differs == {1990: 0, 2000: 1}
    assert values(names, changes, "lockstep.cycle[63:0]") == {cycle: cycle for cycle in range(1990, 2001)}
    assert "lockstep.ports.rsp_valid_rtl" in names and "lockstep.ports.rsp_valid_twin" in names


def test_the_view_names_what_differs(lockwalk):
    run = lockwalk("cosim", *RUN, "--inject", FLIP)
    waves, view = re.search(r"^waves of both sides: (\S+); `gtkwave (\S+)` opens", run.err, re.M).groups()
    lines = (ROOT / view).read_text().splitlines()
    assert f'[dumpfile] "{waves}"' in lines
    names, _ = read(ROOT / waves)
    shown = [line for line in lines if line.startswith("lockstep.")]
    assert set(shown) <= set(names)
    assert shown[:4] == ["lockstep.cycle[63:0]", "lockstep.differs", "lockstep.BUFFER_1.PL_rtl[2:0]",
                         "lockstep.BUFFER_1.PL_twin[2:0]"]


def test_the_command_ends_with_the_mismatch(lockwalk):
    run = lockwalk("cosim", *RUN, "--inject", FLIP)
    command = re.search(r"^reproduce: \S+ cosim (.*)$", run.err, re.M)[1]
    assert command.endswith(" --max-cycles 2000")
    again = lockwalk("cosim", *command.replace("'", "").split())
    assert again.status == 1 and "MISMATCH in cycle 1999" in again.err


def test_the_twin_alone(lockwalk, tmp_path):
    """Its waves hold the responses that the log has, and change no figure."""
    waves, log = tmp_path / "twin.vcd", tmp_path / "log"
    bare = lockwalk("model", *RUN)
    run = lockwalk("model", *RUN, "--waves", waves, "--waves-from", "500", "--waves-to", "3000", "--log", log)
    assert run.status == 0 and run.out == bare.out
    names, changes = read(waves)
    assert not [name for name in names if "_rtl" in name]
    times = {time for time, _, _ in changes}
    assert min(times) >= 500 and max(times) <= 3001
    valid, ready, number = (values(names, changes, f"lockstep.ports.{name}") for name in (
        "rsp_valid_twin", "rsp_ready", "rsp_id_twin[11:0]"))
    seen = {(time, at(number, time)) for time in range(501, 3001)
            if at(valid, time) and at(ready, time) and time in times}
    responses = re.findall(r"^ *cycle (\d+) +response +id (\d+)", log.read_text(), re.M)
    told = {(int(cycle), int(request)) for cycle, request in responses if 500 < int(cycle) <= 3000}
    assert told and told <= seen


def test_cycles_of_the_rtl(lockwalk, tmp_path):
    """An FST file begins with its header: a byte, its length, and the first and the last point in time, of which a
    cycle has two."""
    spans = []
    for options in ([], ["--waves-from", "100", "--waves-to", "149"]):
        waves = tmp_path / "w.fst"
        assert lockwalk("cosim", *RUN, "--max-cycles", "300", "--waves", waves, *options).status == 0
        head = waves.read_bytes()[:25]
        first, last = (int.from_bytes(head[at:at + 8], "big") for at in (9, 17))
        assert first >= 2 * (100 if options else 0)
        spans.append(last - first)
    assert abs(spans[0] - 2 * 300) <= 2 and abs(spans[1] - 2 * 50) <= 2, spans


def test_refusals(lockwalk, tmp_path):
    for arguments, said in ((["model", *RUN, "--waves", tmp_path / "w.fst"], "allowed: a name that ends with .vcd"),
                            (["cosim", *RUN, "--waves-to", "5"], "--waves-to: goes with --waves"),
                            (["cosim", *RUN, "--waves", tmp_path / "w.vcd", "--waves-from", "9", "--waves-to", "5"],
                             "--waves-to: allowed: a cycle from --waves-from on")):
        run = lockwalk(*arguments)
        assert run.status == 2 and said in run.err and run.err.count("\n") == 1
    assert not list(tmp_path.iterdir())
