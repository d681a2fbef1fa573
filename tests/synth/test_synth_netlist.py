"""From the RTL to a netlist: nets before many loads are buffered, modules are proven equal to their netlists and a
wrong gate is noticed, registers without a value and latches are refused, and large tables become memory macros."""

import json

import pytest

from synth import equivalence, report
from synth.cells import delays, fanout
from synth.cells.technology import Technology
from synth.netlist import netlist, points, sram
from synth.timing import timing
from tests.synth.synthesis import GATE, OSU, synth
from tools.refusal import Refusal

NEEDS = ["synth"]


def tree_depths(gates, net, depth=0):
    """The number of buffers before each load of a net."""
    for cell, pins in gates:
        if pins["A"] == net and cell == "BUFX2":
            yield from tree_depths(gates, pins["Y"], depth + 1)
        elif pins["A"] == net:
            yield depth


def test_fanout(tmp_path):
    """1000 like loads make a balanced tree; of unlike ones the urgent are near the root."""
    library = delays.read(OSU.read_text())
    source = tmp_path / "in.blif"
    wide = [f".gate INVX1 A=a Y=x{n}" for n in range(1000)]
    chain = [f".gate INVX1 A=x{n} Y=x{n + 1}" for n in range(1000, 1010)]
    lines = [".model netlist", ".inputs a", f".outputs {' '.join(f'x{n}' for n in range(1000))} x1010",
             *wide, ".gate INVX1 A=a Y=x1000", *chain, ".end"]
    source.write_text("\n".join(lines) + "\n")
    blif = fanout.Blif(source)
    network = fanout.Network(blif, library, fanout.Trees(library, ["BUFX2", "BUFX4"], 12),
                             library["DFFPOSX1"])
    network.grow()
    network.grow(network.critical(fanout.CRITICAL))
    network.connect()
    loads = {}
    for cell, pins in blif.gates:
        loads[pins["A"]] = loads.get(pins["A"], 0) + 1
        blif.gates[blif.gates.index([cell, pins])][0] = "BUFX2" if cell.startswith("BUF") else cell
    assert max(loads.values()) <= 12
    depths = sorted(tree_depths(blif.gates, "a"))
    assert len(depths) == 1001 and depths[-1] <= 4 and depths[0] < depths[-1]


@pytest.mark.parametrize("module", ["admission", "invalidation", "line_decoder", "control", "response_queue"])
def test_equivalence(module):
    done = synth("equivalence.py", "--system", GATE["system"], "--module", module)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ("outputs proven from reset on" if module == "response_queue" else "all proven") in done.stdout


def test_a_difference_after_reset_barks(tmp_path):
    """The proof from reset on, of response_queue: it holds, and not where one gate of the mapped side is another."""
    gold, modules = equivalence.instances(netlist.parameters(GATE["system"], ()), tmp_path)
    name = modules["response_queue"]
    steps = equivalence.both("response_queue", name, gold, Technology(OSU, tmp_path), tmp_path)
    assert equivalence.from_reset("response_queue", name, gold, steps, tmp_path, 100)
    text = gold.read_text()
    start = text.index(f"\nmodule {name}\n")
    wrong = tmp_path / "wrong.il"
    wrong.write_text(text[:start] + text[start:].replace("cell $logic_or ", "cell $logic_and ", 1))
    assert not equivalence.from_reset("response_queue", name, gold, mapped_from(wrong, steps, gold), tmp_path, 100)


def mapped_from(wrong, steps, gold):
    """The steps of equivalence.both with another source for the mapped side."""
    read, saved = steps.index(f"read_rtlil {gold}"), steps.index("design -save gold")
    return [*steps[read:saved + 1], "design -reset", f"read_rtlil {wrong}", *steps[read + 1:saved], *steps[saved + 1:]]


PRODUCT = """module product (input logic clk_i, input logic rst_ni, input logic load_i, input logic [11:0] number_i,
                output logic [11:0] product_o);
  logic [11:0] n, product_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      n         <= '0;
      product_q <= '0;
    end else if (load_i) begin
      n         <= number_i;
      product_q <= (n << 10) - (n << 8) - (n << 6) + (n << 4) - (n << 2) + n;
    end
  end
  assign product_o = product_q;
endmodule
"""


def test_a_product_is_proven_and_a_wrong_one_barks(tmp_path, monkeypatch):
    """A sum of many terms equals what the flow makes of it; not where a term is another, nor where one bit is wrong for
    one number of 4096, nor where a register starts with another value."""
    technology = Technology(OSU, tmp_path)

    def source(name, text):
        (tmp_path / f"{name}.sv").write_text(text)
        monkeypatch.setattr(netlist, "rtl_files", lambda: [tmp_path / f"{name}.sv"])
        to = tmp_path / f"{name}.il"
        netlist.run_steps([*netlist.read({}, top="product", macros=False), "proc", "opt_clean", f"write_rtlil {to}"],
                          tmp_path / f"{name}.log")
        return to

    def proof(steps):
        return points.prove(steps, tmp_path / "product", equivalence.PYOSYS / "yosys-abc", 100)

    gold = source("gold", PRODUCT)
    steps = equivalence.both("product", "product", gold, technology, tmp_path)
    # Both registers as they are, and what they load.
    assert proof(steps) == (4 * 12, 0)
    for right, wrong in (("n << 4", "n << 5"), ("+ n;", "+ (n ^ 12'(&n));"), ("product_q <= '0", "product_q <= 12'd1")):
        assert PRODUCT.count(right) == 1
        assert proof(mapped_from(source("wrong", PRODUCT.replace(right, wrong)), steps, gold))[1] > 0


LATCH = """module latchy (input logic en_i, input logic d_i, output logic held);
  always_latch if (en_i) held = d_i;
endmodule
"""


UNSET = """module unset (input logic clk_i, input logic rst_ni, input logic d_i, output logic q_o);
  logic only_reset_q, q_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {only_reset_q, q_q} <= '0;
    end else begin
      q_q <= d_i && !only_reset_q;
    end
  end
  assign q_o = q_q;
endmodule
"""


def test_registers_without_a_value(tmp_path, monkeypatch):
    """Simulation has such a register at its reset's value, the reader of the RTL at none: it is refused."""
    (tmp_path / "unset.sv").write_text(UNSET)
    monkeypatch.setattr(netlist, "rtl_files", lambda: [tmp_path / "unset.sv"])
    with pytest.raises(Refusal, match="signals of the RTL without a value: 1, the first only_reset_q; allowed: none"):
        netlist.generic({}, tmp_path, top="unset")


def test_latches(tmp_path, monkeypatch):
    """A latch is refused, in the RTL and in what the cells of a netlist are."""
    (tmp_path / "latchy.sv").write_text(LATCH)
    monkeypatch.setattr(netlist, "rtl_files", lambda: [tmp_path / "latchy.sv"])
    with pytest.raises(Refusal, match="latches in the RTL: 1, the first held; allowed: none"):
        netlist.generic({}, tmp_path, top="latchy")
    assert not list(tmp_path.rglob("*.il")) and not list(tmp_path.rglob("*.part"))
    (tmp_path / "gates.stat.json").write_text(json.dumps({"design": {"num_cells_by_type": {
        "DFFPOSX1": {"local_count": 2}, "LATCH": {"local_count": 3}}}}))
    with pytest.raises(Refusal, match="latches in the netlist: 3 of LATCH; allowed: none"):
        report.areas(tmp_path / "gates", Technology(OSU, tmp_path))


def test_macros(tmp_path):
    """A table of 64 sets is macros, those read and written together one; of 32 sets flip-flops. Its paths
    go through them, and its netlist reads and writes them as the RTL does."""
    technology = Technology(OSU, tmp_path)
    areas = {}
    for entries in (64, 128):
        shape = {"MscEntries": entries, "MscWays": 2}
        source = netlist.generic(shape, tmp_path, top="msc")
        stem = tmp_path / f"msc{entries}"
        whole = netlist.cut(source, technology, tmp_path / f"cut{entries}", top="msc")
        netlist.mapped(whole, technology, stem, 4e-9)
        areas[entries] = report.areas(stem, technology)
    small, large = areas[64], areas[128]
    assert small["macros"] == [] and small["flops"] > 32 * 2 * (4 + 22 + 36 + 7)
    assert {(m["words"], m["lanes"], m["width"], m["table"]) for m in large["macros"]} == {
        (64, 2, 4, 68), (64, 2, 21, 68), (64, 2, 36, 68), (64, 2, 7, 68)}
    whole = (sram.FIXED + sram.BIT * 64 * 2 * 68) * technology.nand2 / sram.NAND2
    assert large["area_sram"] == pytest.approx(whole) and large["flops"] < small["flops"]
    figures = timing.analyse(f"{stem}.v", technology, 4e-9, 0.1, top="msc")
    path = figures["groups"]["reg2reg"]
    assert path["period_s"] > sram.CLOCK_TO_DATA[0][1] * technology.flop_delay / sram.FLOP * 1e-9
    assert "gen_macro.u_array" in path["from"]
