"""The figures of synthesis, each from reports so small that it is worked out by hand: what clock gates spare, Fmax, the
slack of registers, the sizes of a netlist, the share in which a gate is open by guess, a point of an exploration; and
which proof says that a module is equivalent."""

import json
import re
import sys
from types import SimpleNamespace

import pytest

from synth import activity, equivalence, power, report
from synth.cells import technology
from synth.explore import pareto
from synth.netlist import enables
from synth.synthesis import Mapping
from synth.timing import paths, timing
from tests.synth.synthesis import OSU
from tools.project import ROOT
from tools.refusal import Refusal

NEEDS = ["synth"]

LIBRARY = SimpleNamespace(areas={"INV": 2.0, "DFF": 10.0, "ICG": 6.0}, flops={"DFF"}, latches=set(), nand2=4.0,
                          gate=SimpleNamespace(cell="ICG", area=6.0), seconds=1e-9)


def test_what_gates_spare():
    """The flip-flops behind a gate and the net to them are charged by the share of cycles in which it is open, the gate
    itself and the flip-flops without one in every cycle."""
    found = {"sequential": {"internal_w": 10.0, "switching_w": 2.0, "leakage_w": 1.0, "total_w": 13.0},
             "combinational": {"internal_w": 3.0, "switching_w": 8.0, "leakage_w": 1.0, "total_w": 12.0},
             "total": {"internal_w": 13.0, "switching_w": 10.0, "leakage_w": 2.0, "total_w": 25.0}}
    clock = {"total_w": 9.0, "gates": {"a": {"flops": 6, "flops_w": 4.0, "net_w": 2.0, "own_w": 0.5},
                                       "b": {"flops": 2, "flops_w": 1.0, "net_w": 0.5, "own_w": 0.25}}}
    # Of a three quarters are spared (3 W and 1.5 W), of b one half (0.5 W and 0.25 W).
    assert power.charged(found, clock, {"a": 0.25, "b": 0.5}) == {
        "sequential": {"internal_w": 6.5, "switching_w": 2.0, "leakage_w": 1.0, "total_w": 9.5},
        "combinational": {"internal_w": 3.0, "switching_w": 6.25, "leakage_w": 1.0, "total_w": 10.25},
        "total": {"internal_w": 9.5, "switching_w": 8.25, "leakage_w": 2.0, "total_w": 19.75},
        "clock": {"free_w": 0.75, "gates_w": 0.75, "gates": 2, "flops": 8, "total_w": 3.75, "open": 2.5 / 8}}


@pytest.mark.parametrize("rate, share", [(0.1, 0.2), (0.5, 1.0), (2.0, 1.0)])
def test_open_by_guess(rate, share):
    """In twice the share of cycles in which a net changes, and never in more than all."""
    assert power.guessed(["a", "b"], rate) == {"a": share, "b": share}


@pytest.mark.parametrize("slacks, limit, period_ns", [
    ({"reg2reg": -1.0, "in2reg": 0.0, "reg2out": 0.0}, "reg2reg", 5.0),
    ({"reg2reg": -1.0, "in2reg": -1.2, "reg2out": 0.8}, "in2reg", 5.5),  # a fifth of the period is outside
    ({"reg2reg": 1.0, "in2reg": 2.0, "reg2out": 0.4}, "reg2out", 3.5)])
def test_fmax(slacks, limit, period_ns, monkeypatch):
    """The largest frequency at which all groups hold, of a netlist that was timed at 4 ns."""
    groups = {name: f"Startpoint: a\nEndpoint: b\n  {slack} slack\n" for name, slack in slacks.items()}
    monkeypatch.setattr(timing, "run", lambda *_: {
        **groups, "unclocked": "", "summary": "tns -3.5\n", "power": "", "clock": "", "every": ""})
    monkeypatch.setattr(timing, "behind", lambda *_: {})
    figures = timing.analyse("x.v", LIBRARY, 4e-9, 0.1)
    assert (figures["limit"], figures["fmax_hz"]) == (limit, pytest.approx(1e9 / period_ns))
    assert figures["tns_s"] == pytest.approx(-3.5e-9)


EVERY = """a_q[0]_reg/CLK (DFF) b_q[0]_reg/D (DFF) -0.5
c_q_reg/CLK (DFF) b_q[1]_reg/D (DFF) -0.75
in_i (input) d_q_reg/D (DFF) 0.8
a_q[0]_reg/CLK (DFF) out_o (output) 0.0
in_i (input) b_q[1]_reg/D (DFF) 0.8
"""


def test_slack_of_registers():
    """The bits of a register together, the worst first, and how many of them fail; a slack of 0 holds."""
    rows = paths.groups(EVERY, 1e-9)
    assert [(row["end"], row["from"], row["failing"], row["endpoints"]) for row in rows] == [
        ("b_q", "c_q", 2, 3), ("out_o", "a_q[0]", 0, 1), ("d_q", "in_i", 0, 1)]
    assert [row["slack_s"] for row in rows] == pytest.approx([-0.75e-9, 0, 0.8e-9])
    periods = paths.periods(EVERY, 1e-9, 4e-9)
    assert periods == pytest.approx({"b_q[0]": 4.5e-9, "b_q[1]": 4.75e-9, "d_q[0]": 3e-9, "out_o[0]": 4e-9})


def test_sizes():
    """All instances of a module together; macros are in the area and in the gate equivalents."""
    rows = report.module_areas({"a$1": {"INV": 3, "DFF": 2}, "a$2": {"DFF": 1}, "b": {"INV": 1, "ICG": 2}}, LIBRARY)
    assert [(row["module"], row["instances"], row["area"], row["flops"]) for row in rows] == [
        ("a", 2, 36.0, 3), ("b", 1, 14.0, 0)]
    macro = {"area": 150.0, "words": 64, "lanes": 2, "width": 5}
    best = report.estimate(rows, [macro], LIBRARY)
    assert best == {"area": 200.0, "area_flops": 30.0, "area_gates": 12.0, "area_logic": 8.0, "area_sram": 150.0,
                    "cells": 9, "flops": 3, "gates": 2, "latches": 0, "macros": [macro], "sram_bits": 640, "kge": 0.05}


def test_power_of_the_clock():
    """Of a flip-flop what is inside it, of a gate what is inside it and the net behind it; the clock costs all."""
    text = "  1.0 0.5 0.1 1.6 a_q[0]_reg\n  2.0 0.25 0.1 2.35 a_q[1]_reg\n  0.125 4.0 0.1 4.225 a_q.gate0\n"
    clock = timing._clock(text, {"a_q.gate0": ["a_q[0]", "a_q[1]"]})
    assert clock == {"total_w": 7.875,
                     "gates": {"a_q.gate0": {"flops": 2, "flops_w": 3.0, "net_w": 4.0, "own_w": 0.125}}}


def test_a_point_of_an_exploration(tmp_path):
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "area.json").write_text(json.dumps({
        "system": "nha", "settings": ["walkers=2", "x=1"], "library": "l",
        "best": {"area": 1234.4, "kge": 5.67, "flops": 89, "sram_bits": 640}}))
    for name, cycles in (("a", 100), ("b", 200)):
        (tmp_path / "p" / f"{name}.json").write_text(json.dumps({"cycles": cycles}))
    assert pareto.read(tmp_path, "gpu", "p", ["a", "b"]) == {
        "panel": "gpu", "system": "nha", "settings": "walkers=2 x=1", "library": "l", "area_um2": 1234, "kge": 5.7,
        "flip_flop_bits": 89, "sram_bits": 640, "a_cycles": 100, "b_cycles": 200}


@pytest.mark.parametrize("as_gates, by_points, from_reset, verdict, equivalent", [
    ((8, 0), None, False, "8 points, all proven", True),
    ((8, 3), (9, 0), False, "9 points, all proven", True),
    (None, (9, 2), True, "outputs proven from reset on", True),
    ((8, 3), (9, 2), False, "9 points, 2 not proven", False),
    ((8, 3), None, False, "8 points, 3 not proven", False),
    (None, None, False, "does not converge in time", False)])
def test_who_proves_a_module(as_gates, by_points, from_reset, verdict, equivalent, monkeypatch):
    """As gates, else by Yosys's own SAT, else from reset on; what none of them proves is not equivalent."""
    for name, found in (("both", []), ("as_gates", as_gates), ("by_points", by_points), ("from_reset", from_reset)):
        monkeypatch.setattr(equivalence, name, lambda *_, found=found: found)
    assert equivalence.check("m", "m", None, None, None, 1)[:3] == ("m", verdict, equivalent)


@pytest.mark.parametrize("unproven, status", [((), 0), (("msc",), 1), (("msc", "admission"), 1)])
def test_the_status_of_a_proof(unproven, status, tmp_path, monkeypatch, capsys):
    """1 where any module is not proven. All are compared but those that only put others together, and one that has no
    logic."""
    known = [path.stem for path in (ROOT / "rtl").rglob("*.sv")]
    compared = [module for module in known if module not in ("iommu", "walk_engine", "parameter_check")]
    for module, name, value in (
            (equivalence, "Technology", lambda *_: None), (equivalence.netlist, "parameters", lambda *_: {}),
            (equivalence.claim, "taken", lambda _: tmp_path),
            (equivalence, "instances", lambda *_: (None, dict.fromkeys(known, "m"))),
            (equivalence, "check", lambda module, *_: (module, "in words", module not in unproven, 2.6))):
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(sys, "argv", ["equivalence.py"])
    assert equivalence.main() == status
    *rows, end = capsys.readouterr().out.splitlines()
    assert [row.split() for row in rows] == [[module, "in", "words,", "3", "s"] for module in compared]
    assert end == f"{len(compared) - len(unproven)} modules equivalent, {len(unproven)} not proven"


@pytest.mark.parametrize("said, found", [
    ("Found 7 $equiv cells in equiv:\n  Of those cells 5 are proven and 2 are unproven.", (7, 2)),
    ("Found 0 $equiv cells in equiv:\n  Of those cells 0 are proven and 0 are unproven.", None), ("", None)])
def test_points_that_yosys_has_proven(said, found, tmp_path, monkeypatch):
    """Where nothing was compared nothing is proven; in time that was not enough neither."""
    def run_steps(_, log, limit):
        log.write_text(said)
        return limit > 1

    monkeypatch.setattr(equivalence.netlist, "run_steps", run_steps)
    if found:
        assert equivalence.by_points("m", [], tmp_path, 2) == found
    else:
        with pytest.raises(Refusal, match="m: Yosys compared nothing"):
            equivalence.by_points("m", [], tmp_path, 2)
    assert equivalence.by_points("m", [], tmp_path, 1) is None


# What a gate gives for (A, B) of 00, 10, 01 and 11.
GATES = {"AND": "0001", "OR": "0111", "XOR": "0110", "NAND": "1110", "NOR": "1000", "XNOR": "1001", "ANDNOT": "0100",
         "ORNOT": "1101"}


@pytest.mark.parametrize("kind, table", GATES.items())
def test_gates_of_enables(kind, table):
    """Yosys's gates of two inputs; ANDNOT and ORNOT invert the second."""
    found = enables.FUNCTIONS[f"$_{kind}_"]({"A": 0b1010, "B": 0b1100}, 0b1111)
    assert f"{found:04b}"[::-1] == table


def test_gates_of_enables_of_other_kinds():
    """The multiplexer gives B where S is 1."""
    pins = {"A": 0b10101010, "B": 0b11001100, "S": 0b11110000}
    given = {kind: enables.FUNCTIONS[f"$_{kind}_"](pins, 0b11111111) for kind in ("NOT", "BUF", "MUX")}
    assert given == {"NOT": 0b01010101, "BUF": 0b10101010, "MUX": 0b11001010}


@pytest.mark.parametrize("window", [1, 3, 100])
def test_share_in_which_a_gate_is_open(window, tmp_path, monkeypatch):
    """Of the cycles that are out of reset at both ends, however many are evaluated at once: four of these eight, in
    one of which `a` and not `b` is 1; what the waves have not is open in all."""
    values = {"rst_ni": "001111011", "a": "111101001", "b": "000100000", "q": "111011011"}
    waves = SimpleNamespace(edges=range(9), path="w", sampled=lambda net, first, last: (
        int(values[net][first:last][::-1], 2) if net in values else None))
    monkeypatch.setattr(enables, "WINDOW", window)
    path = tmp_path / "enables.json"
    path.write_text(json.dumps({"gates": [["$_ANDNOT_", {"A": "a", "B": "b", "Y": "y"}]],
                                "enables": {"g": ["y", ["none"]], "h": ["none", ["q"]]}}))
    assert enables.shares(path, waves) == ({"g": 0.25, "h": 1.0}, 1)


def test_what_a_register_was_before_an_edge():
    """A change at the time of an edge comes after it; before its first value a register is 0."""
    signal = activity._Signal(2)
    for time, value in ((10, 0b01), (20, 0b11), (40, 0b10)):
        signal.change(time, value)
    assert signal.sampled([10, 20, 30, 40, 50])[:2] == [0b01110, 0b11100]
    assert signal.toggles == [1, 1]


def test_the_fastest_mapping_of_a_part_is_kept():
    """By the slowest path of each part, from one trial to the next."""
    mapping = Mapping(SimpleNamespace(before={"a_q[0]": "p", "b_q[0]": "p", "c_q[0]": "q"}), LIBRARY, None, None, 3)
    path = "x_q_reg/CLK (DFF) {}_reg/D (DFF) {}\n"

    def learn(files, slacks):
        mapping.learn(files, "".join(path.format(*row) for row in slacks.items()), 4e-9)
        return {part: (mapping.files[part], round(mapping.periods[part] * 1e9, 3)) for part in files}

    assert learn({"p": "p0", "q": "q0"}, {"a_q[0]": 1.0, "b_q[0]": -1.0, "c_q[0]": 0.5}) == {
        "p": ("p0", 5.0), "q": ("q0", 3.5)}
    assert learn({"p": "p1", "q": "q1"}, {"a_q[0]": -0.5, "b_q[0]": 1.0, "c_q[0]": 0.25}) == {
        "p": ("p1", 4.5), "q": ("q0", 3.5)}


@pytest.mark.parametrize("unit, seconds", [("1ns", 1e-9), ("10ps", 1e-11), ("1us", 1e-6)])
def test_unit_of_time(unit, seconds):
    assert technology._time_unit(f'time_unit : "{unit}";', "x") == pytest.approx(seconds)


@pytest.mark.parametrize("unit, farads", [("1,pf", 1e-12), ('10.0, "ff"', 1e-14), ("1.0,FF", 1e-15)])
def test_unit_of_capacitance(unit, farads):
    assert technology._capacitance_unit(f"capacitive_load_unit ({unit});", "x") == pytest.approx(farads)


def test_gate_equivalent(tmp_path):
    """The area of the smallest two-input NAND, of whatever size other gates are."""
    path = tmp_path / "x.lib"
    path.write_text(re.sub(r"(cell \(NAND2X1\) \{.*?area : )\d+", r"\g<1>21", OSU.read_text(), count=1, flags=re.S))
    assert technology.Technology(path, tmp_path).nand2 == 21


PATH = """Startpoint: a_q[0]_reg (rising edge-triggered flip-flop clocked by clk)
Endpoint: b_q_reg (rising edge-triggered flip-flop clocked by clk)
Fanout     Cap    Slew   Delay    Time   Description
                          0.50    0.50 ^ a_q[0]_reg/CLK (DFF)
                          0.25    0.75 ^ a_q[0]_reg/Q (DFF)
    12    0.30                           a_q[0] (net)
                          0.00    0.75 ^ n1_reg/A (INV)
                          0.50    1.25 v n1_reg/Y (INV)
     3    0.10                           n1 (net)
                          0.00    1.25 v b_q_reg/D (DFF)
                                 -0.25   slack (VIOLATED)
"""


def test_a_path():
    """From and to by their names in the source, each cell once, the most loads on its way, and where it is when."""
    path = timing._path(PATH, 1e-9)
    stages = path.pop("stages")
    assert path == {"from": "a_q[0]", "to": "b_q", "slack_s": pytest.approx(-0.25e-9), "cells": 3, "fanout": 12}
    assert [(round(stage["at_s"] * 1e9, 3), stage["cell"], stage["net"]) for stage in stages] == [
        (0.5, "DFF", "a_q[0]"), (0.75, "DFF", "a_q[0]"), (0.75, "INV", "n1"), (1.25, "INV", "n1"), (1.25, "DFF", "b_q")]
    assert timing._path("No paths found.\n", 1e-9) is None


MAPPED = """module iommu (clk_i);
  INV _1_ (
    .A(\\a_q[0] ),
    .Y(n1)
  );
  INV _2_ (
    .A(\\a_q[0] ),
    .Y(n2)
  );
  DFF \\b_q_reg  (
    .CLK(\\b_q.gate0 ),
    .D(n1),
    .Q(b_q)
  );
  DFF \\c_q_reg  (
    .CLK(\\b_q.gate0 ),
    .D(1'h0),
    .Q(c_q)
  );
  DFF \\d_q_reg  (
    .CLK(clk_i),
    .D(n1),
    .Q(d_q)
  );
  ICG \\b_q.gate0_reg  (
    .CLK(clk_i),
    .EN(n1),
    .GCLK(\\b_q.gate0 )
  );
  INV _3_ (
    .A(\\b_q.gate0 ),
    .Y(n4)
  );
  part \\u_part  (
    .A(n2),
    .Y(n3)
  );
endmodule
"""


def test_what_is_on_a_net(tmp_path):
    """Pins of the library's cells that take it, the most first; no clocks, no constants, nothing that a cell drives."""
    path = tmp_path / "x.v"
    path.write_text(MAPPED)
    library = SimpleNamespace(areas=dict.fromkeys(("INV", "DFF", "ICG"), 1.0), flops={"DFF"},
                              gate=SimpleNamespace(cell="ICG", output="GCLK"),
                              outputs={"INV": {"Y"}, "DFF": {"Q"}, "ICG": {"GCLK"}})
    assert timing.fanout(path, library) == [{"net": "n1", "pins": 3}, {"net": "a_q[0]", "pins": 2}]
    assert timing.fanout(path, library, 1) == [{"net": "n1", "pins": 3}]
    assert timing.behind(path, library) == {"b_q.gate0": ["b_q", "c_q"]}
    assert timing.behind(path, SimpleNamespace(gate=None)) == {}
