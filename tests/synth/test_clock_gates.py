"""Clock gates in synthesis: which registers are behind one, that a netlist with gates does what the RTL does, that a
wrong gate is noticed, and that nets before many registers are buffered. On a small module of its own."""

import re
from pathlib import Path

import pytest

from synth import equivalence, report
from synth.cells import clock_gate
from synth.cells.technology import Technology
from synth.netlist import netlist, partition
from synth.timing import paths, timing
from tests.synth.synthesis import OSU
from tools.refusal import Refusal

NEEDS = ["synth"]

GATED = """module gated (input logic clk_i, input logic rst_ni, input logic write_i, input logic clear_i,
    input logic [1:0] entry_i, input logic [7:0] data_i, output logic [7:0] read_o, output logic [3:0] count_o,
    output logic [7:0] first_o, output logic [1:0] small_o);
  logic [7:0] data_q[4];
  always_ff @(posedge clk_i) if (write_i) data_q[entry_i] <= data_i;
  assign read_o = data_q[entry_i];
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) count_o <= '0;
    else if (clear_i) count_o <= '0;
    else if (write_i) count_o <= count_o + 4'd1;
  always_ff @(posedge clk_i)
    if (clear_i) first_o <= '0;
    else if (write_i) first_o <= data_i;
  always_ff @(posedge clk_i) if (count_o == 4'd3) small_o <= data_i[1:0];
endmodule
"""
ENTRIES = ["data_q.gate0", "data_q.gate8", "data_q.gate16", "data_q.gate24"]


@pytest.fixture
def gated(tmp_path, monkeypatch):
    """The path of GATED."""
    path = tmp_path / "gated.sv"
    path.write_text(GATED)
    monkeypatch.setattr(netlist, "rtl_files", lambda: [path])
    return path


def osu_with(change, tmp_path):
    path = tmp_path / "changed.lib"
    path.write_text(change(OSU.read_text(), tmp_path))
    return Technology(path, tmp_path)


def own_gate(text, tmp_path):
    """osu018's liberty with a clock gate in it, and a smaller one that it must not be taken for."""
    made = Technology(OSU, tmp_path).gate.liberty
    cell = made[made.index("cell (clock_gate)"):made.rindex("}")].replace("GATE)", "EN)")
    other = cell.replace("latch_posedge", "latch_negedge").replace("area : 1", "area : ")
    return (text[:text.rindex("}")] + cell.replace("clock_gate)", "ICG)") + other.replace("clock_gate)", "ICGN)") + "}")


def without_latch(text, _):
    start = text.index("cell (LATCH)")
    return text[:start] + text[text.index("cell (MUX2X1)"):]


def map_gated(technology, folder):
    """GATED mapped: (what was cut, its netlist, its sizes)."""
    source, stem = netlist.generic({}, folder, top="gated"), folder / "gated"
    whole = netlist.cut(source, technology, folder / "cut", top="gated")
    netlist.mapped(whole, technology, stem, 4e-9)
    return whole, Path(f"{stem}.v"), report.areas(stem, technology)


@pytest.mark.parametrize("change,cell,pin", [(lambda text, _: text, "clock_gate", "GATE"), (own_gate, "ICG", "EN")])
def test_clock_gates(change, cell, pin, tmp_path, gated):
    """Registers that share an enable are behind one gate, the library's own or one of its latch; its enable is timed,
    and belongs to a part; and what has no clock is refused."""
    technology = osu_with(change, tmp_path)
    gate = technology.gate
    assert (gate.cell, gate.enable) == (cell, pin) and gate.area == pytest.approx(0.6 * 96 + 16 + 32)
    whole, mapped, sizes = map_gated(technology, tmp_path)
    assert sizes["gates"] == 5 and sizes["area_gates"] == pytest.approx(5 * gate.area)
    figures = timing.analyse(mapped, technology, 4e-9, 0.1, top="gated", every=True)
    rows = figures["clock"]["gates"]
    assert {name: row["flops"] for name, row in rows.items()} == {**dict.fromkeys(ENTRIES, 8), "count_o.gate0": 4}
    ends = paths.periods(figures["every"], technology.seconds, 4e-9)
    assert {f"{name}[0]" for name in rows} <= ends.keys() & whole.before.keys()
    mapped.write_text(re.sub(rf"  {cell} \\count_o.*?\);\n", "", mapped.read_text(), flags=re.S))
    with pytest.raises(Refusal, match="4 registers or clock gates without a clock"):
        timing.analyse(mapped, technology, 4e-9, 0.1, top="gated")


def test_no_clock_gates(tmp_path, gated):
    """A library with neither a clock gate nor a latch has none."""
    technology = osu_with(without_latch, tmp_path)
    _, mapped, sizes = map_gated(technology, tmp_path)
    assert technology.gate is None and sizes["gates"] == 0
    assert timing.analyse(mapped, technology, 4e-9, 0.1, top="gated")["clock"]["gates"] == {}


WRONG = [("if (!CLK)", "if (CLK)"), ("open = GATE", "open = !GATE"), ("open = GATE", "open = 1"),
         ("CLK & open", "CLK & GATE")]


def test_gated_cycles(tmp_path, gated):
    """A netlist with clock gates, simulated as the lockstep does it, is the RTL for nine changes of clock and inputs in
    whatever order; with a gate that does anything else it is not."""
    technology = Technology(OSU, tmp_path)
    _, mapped, sizes = map_gated(technology, tmp_path)
    cells = tmp_path / "cells.v"
    netlist.cell_models({**sizes, "stem": mapped.with_suffix("")}, technology, cells)
    gate = ["proc", "flatten", "opt_clean"]
    steps = [*netlist.read({}, "gated", macros=False), *gate, "rename gated gold", "design -stash gold",
             f"read_verilog {mapped.with_suffix('.netlist.v')} {cells}", "hierarchy -top gated_netlist", *gate,
             "design -copy-from gold -as gold gold", "rename gated_netlist gate", "clk2fflogic", "opt_clean",
             "miter -equiv -flatten gold gate miter", "hierarchy -top miter", "opt_clean",
             "sat -verify -prove trigger 0 -seq 9 -set-init-zero miter"]
    netlist.run_steps(steps, tmp_path / "sat.log")
    right = cells.read_text()
    for before, after in WRONG:
        assert right.count(before) == 1
        cells.write_text(right.replace(before, after))
        with pytest.raises(Refusal, match="proof did fail"):
            netlist.run_steps(steps, tmp_path / "sat.log")


@pytest.mark.parametrize("right,wrong", [("", ""), *WRONG[1:]])
def test_gated_equivalence(right, wrong, tmp_path, gated, monkeypatch):
    """Modules with clock gates are proven equal to theirs, and are not where a gate does something else (but for the
    level that opens its latch)."""
    model = clock_gate.Gate.model
    monkeypatch.setattr(clock_gate.Gate, "model", lambda gate: model(gate).replace(right, wrong))
    gold = tmp_path / "gold.il"
    netlist.run_steps([*netlist.read({}, "gated", macros=False), "proc", "opt_clean", f"write_rtlil {gold}"],
                      tmp_path / "gold.log")
    _, verdict, equivalent, _ = equivalence.check("gated", "gated", gold, Technology(OSU, tmp_path), tmp_path, 300)
    points, left = re.fullmatch(r"(\d+) points, (\d+|all) \w.*", verdict).groups()
    assert int(points) > 40 and (not equivalent and int(left) > 30 if right else equivalent and left == "all")


WIDE = """module gated (input logic clk_i, input logic write_i, input logic [5:0] entry_i, input logic [3:0] data_i,
    output logic [3:0] read_o);
  logic [3:0] kept_q, data_q[64];
  always_ff @(posedge clk_i) kept_q <= data_i;
  always_ff @(posedge clk_i) if (write_i) data_q[entry_i] <= kept_q;
  assign read_o = data_q[entry_i];
endmodule
"""


def test_registers_before_one_net(tmp_path, gated, monkeypatch):
    """With clock gates a net goes to all registers that keep it, past every part: it gets a tree of buffers."""
    gated.write_text(WIDE)
    technology = Technology(OSU, tmp_path)
    _, mapped, _ = map_gated(technology, tmp_path)
    assert timing.fanout(mapped, technology, 1)[0]["pins"] <= 2 * netlist.FANOUT
    monkeypatch.setattr(partition, "spread", lambda text, *_: (text, [], []))
    _, mapped, _ = map_gated(technology, tmp_path)
    assert timing.fanout(mapped, technology, 1)[0]["pins"] >= 64


def test_bits_of_a_signal():
    """The lowest first; a constant of one digit stands for as many as its width says."""
    assert partition.bits("{ 3'x \\a [1:0] 2'10 \\b 4'0 }", {"\\b": 2}) == [
        *["1'0"] * 4, "\\b [0]", "\\b [1]", "1'0", "1'1", "\\a [0]", "\\a [1]", *["1'x"] * 3]
