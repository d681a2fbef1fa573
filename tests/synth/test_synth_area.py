"""The area alone, for which modules that are alike are mapped once; and the sweep that compares such areas."""

import json
import subprocess

import pytest

from synth import modules, report
from synth.cells.technology import Technology
from synth.explore import pareto
from synth.netlist import netlist
from tests.synth.synthesis import GATE, OSU, synth
from tools.project import ROOT
from tools.refusal import Refusal

NEEDS = ["synth"]


def test_area(tmp_path):
    """The area alone of a small system: near its netlist's, without Fmax, and from what is kept the second time."""
    figures = []
    for _ in range(2):
        done = synth("area.py", "--system", GATE["system"], "--out", tmp_path)
        assert done.returncode == 0, done.stderr[-4000:]
        figures.append(json.loads((tmp_path / "area.json").read_text()))
        assert "There is no Fmax in it" in done.stdout and done.stdout == (tmp_path / "area.txt").read_text()
    first, again = figures
    assert again["mapped"] == 0 and again["best"] == first["best"] and again["modules"] == first["modules"]
    assert abs(first["best"]["area"] / GATE["area"] - 1) < 0.1
    assert first["best"]["area"] == pytest.approx(sum(row["area"] for row in first["modules"]))
    assert first["best"]["sram_bits"] == 0 and "fmax_hz" not in first["best"]


FAMILY = """module family (input logic clk_i, input logic [3:0] a_i, input logic [3:0] b_i, output logic [3:0] y_o);
  logic [3:0] left;
  parent u_left (.clk_i, .a_i, .b_i, .y_o(left));
  parent u_right (.clk_i, .a_i(left), .b_i, .y_o);
endmodule

module parent (input logic clk_i, input logic [3:0] a_i, input logic [3:0] b_i, output logic [3:0] y_o);
  logic [3:0] one, two;
  child u_one (.clk_i, .d_i(a_i), .q_o(one));
  child u_two (.clk_i, .d_i(b_i), .q_o(two));
  assign y_o = one ^ two;
endmodule

module child (input logic clk_i, input logic [3:0] d_i, output logic [3:0] q_o);
  always_ff @(posedge clk_i) q_o <= d_i + 4'd3;
endmodule
"""


def test_modules(tmp_path, monkeypatch):
    """Modules that are alike are mapped once, within a design and between designs; what differs is mapped again; and
    what is kept is what mapping them together gives."""
    technology = Technology(OSU, tmp_path)
    source, rtl = tmp_path / "family.sv", tmp_path / "family.il"
    monkeypatch.setattr(netlist, "rtl_files", lambda: [source])

    def mapped(text):
        source.write_text(text)
        netlist.run_steps([*netlist.read({}, "family", macros=False), *netlist.ACROSS, f"write_rtlil {rtl}"],
                          tmp_path / "read.log")
        return modules.mapped(rtl.read_text(), technology, tmp_path / "areas", tmp_path)

    first, count = mapped(FAMILY)
    assert len(first) == 7 and count == 3
    netlist.mapped_modules(netlist.generic({}, tmp_path, top="family"), technology, tmp_path / "all", "family")
    together = report.module_cells(tmp_path / "all.stat.json", technology)
    assert report.module_areas(first, technology) == report.module_areas(together, technology)
    for change, expected in ((("u_one", "u_other"), 1),  # the parents' text alone
                             (("module child (", "\n// moved\nmodule child ( "), 0),
                             (("4'd3", "4'd5"), 1), (("one ^ two", "one + two"), 1),
                             (("q_o <= d_i + 4'd3", "q_o <= d_i - 4'd3"), 1)):
        assert mapped(FAMILY.replace(*change))[1] == expected, change
    monkeypatch.setattr(netlist, "GENERIC", [*netlist.GENERIC, "opt_clean"])
    assert mapped(FAMILY)[1] == 3


def test_a_module_is_mapped_by_itself(tmp_path):
    """What Yosys has read before changes the names that it gives, and so the order of its gates: of lists of commands
    each is as if it were the first."""
    for name, width in (("first", 4), ("other", 7)):
        (tmp_path / f"{name}.sv").write_text(f"module {name} (input [{width}:0] a, b, output [{width}:0] y);\n"
                                             "  assign y = a + b;\nendmodule\n")

    def steps(name, to):
        return [f"read_verilog -sv {tmp_path / name}.sv", "alumacc", "techmap", f"write_rtlil {tmp_path / to}"]

    def names(to):
        return modules.NUMBERED.findall((tmp_path / to).read_text())

    netlist.run_steps([steps("first", "a"), steps("other", "b"), steps("first", "c")], tmp_path / "alone.log")
    netlist.run_steps([*steps("other", "d"), "delete other", *steps("first", "e")], tmp_path / "together.log")
    assert names("a") == names("c") != names("e")
    with pytest.raises(Refusal, match="Yosys failed: ERROR: No such command: nope"):
        netlist.run_steps([["nope"], steps("first", "a")], tmp_path / "wrong.log")


def test_alike():
    """A module's text is the same however Yosys numbers its names, not if a cell is of another type."""
    body = "  wire $3y\n  cell $not $auto$x.cc:9$3\n    connect \\A \\a_i\n    connect \\Y $3y\n  end\n"
    renamed = body.replace("$auto$x.cc:9$3", "$auto$x.cc:9$41").replace("$3y", "$40y")
    assert modules._alike(renamed, {}) == modules._alike(body, {}) != body
    assert modules._alike(body.replace("$not", "$neg"), {}) != modules._alike(body, {})


def test_front():
    """A point is on the front unless another is no larger and saves no less; cycles are by the geometric mean."""
    points = [{"area_um2": area, "a_cycles": a, "b_cycles": b} for area, a, b in (
        (100, 1000, 1000), (120, 250, 1000), (120, 500, 1000), (150, 500, 500), (90, 2000, 1000))]
    pareto.compare(points, ["a", "b"])
    assert [p["cycles_saved_percent"] for p in points] == [0, 50, 29.3, 50, -41.4]
    assert [p["on_front"] for p in points] == [1, 1, 0, 0, 1]


def test_slurm_profile(tmp_path):
    """The profile is one that Snakemake and its plugin take, and the sweep one that they can plan."""
    done = subprocess.run([ROOT / ".venv" / "bin" / "snakemake", "-n", "-s", "synth/explore/Snakefile", "--profile",
                           "tools/slurm", "--config", f"out={tmp_path}"], cwd=ROOT, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "area" in done.stdout and "pareto" in done.stdout
