"""What the reports of synthesis say, and the wrapper in which a module stands on an FPGA: of figures that are made up,
each in its line and unit."""

from synth import fpga, report

NEEDS = ["synth"]

UNIT = """module \\unit
  wire input 1 \\clk_i
  wire width 3 input 2 \\data_i
  wire input 3 \\load_i
  wire width 2 output 4 \\data_o
  wire input 5 \\rst_ni
  wire width 9 \\data_q
end
"""


def test_the_wrapper_of_a_module():
    """A register for each bit of its ports, but for clock and reset; a module without inputs or outputs has none."""
    text, registers = fpga.wrapper(UNIT)
    assert registers == 6 and "reg [3:0] given;" in text and "reg [1:0] kept;" in text and "wire [1:0] result;" in text
    assert ("unit u_unit (.clk_i(clk_i), .data_i(given[2:0]), .load_i(given[3:3]), .data_o(result[1:0]), "
            ".rst_ni(rst_ni));") in text
    assert "kept <= {kept, given[3]} ^ result;" in text and "assign last = kept[1];" in text
    for direction in ("input", "output"):
        assert fpga.wrapper("".join(line for line in UNIT.splitlines(True) if f"{direction} " not in line
                                    or "clk" in line)) == (None, 0)


def test_modules_on_an_fpga():
    """One that does not fit says with how many registers; one that was not mapped has no LUTs."""
    rows = [{"module": "a", "luts": 12, "registers": 3, "rams": 0, "wrapper": 9, "fmax_hz": 123.45e6},
            {"module": "b", "luts": 9000, "registers": 40, "rams": 2, "wrapper": 500, "fmax_hz": None},
            {"module": "c", "luts": None, "registers": 8000, "rams": 0, "wrapper": 70, "fmax_hz": None}]
    text = fpga.text({"system": "s", "settings": ["walkers=2"], "revision": "r", "versions": {"Yosys": "1"},
                      "modules": rows})
    head, versions, _, _, *lines = [" ".join(line.split()) for line in text.splitlines()]
    assert head.startswith("s walkers=2 at revision r, module by module on an iCE40 HX8K") and versions == "Yosys 1"
    assert lines == ["a 12 3 0 123.5", "b 9000 40 2 does not fit, with 500 registers of its wrapper",
                     "c - 8000 0 does not fit, with 70 registers of its wrapper"]


def report_of(**more):
    module = {"module": "m", "instances": 2, "area": 60.0, "area_flops": 40.0, "flops": 4}
    power_of = {"total": {"total_w": 0.0125}, "clock": {"total_w": 0.004, "free_w": 0.001, "gates_w": 0.002, "gates": 1,
                                                        "flops": 3, "open": 0.25}}
    path = {"period_s": 5e-9, "cells": 7, "fanout": 12, "from": "a_q", "to": "b_q"}
    trial = {"target_s": 4e-9, "fmax_hz": 2e8, "area": 100.0, "mapped_parts": 2, "parts": 3, "seconds": 9.4}
    macro = {"words": 64, "lanes": 2, "width": 5, "area": 20.0, "instance": "u_tlb.u_rows.gen_macro.u_array"}
    best = {**trial, "kge": 0.025, "area_flops": 40.0, "flops": 4, "latches": 0, "area_gates": 8.0, "gates": 1,
            "area_logic": 32.0, "cells": 21, "area_sram": 20.0, "sram_bits": 640, "macros": [macro], "limit": "reg2reg",
            "power": power_of, "groups": {"reg2reg": path}}
    return {"system": "s", "settings": ["x=1"], "revision": "r", "library": "l", "liberty": "l.lib",
            "versions": {"Yosys": "1"}, "nand2_area": 4.0, "gate": "ICG", "activity": 0.1, "activity_run": None,
            "best": best, "trials": [trial], "trials_allowed": 1, "seconds": 12.3, "source_fanout": [("wide", 99)],
            "fanout": [{"net": "n", "pins": 12}], "mapped": 1,
            "modules": [{**module, "area": 59.9},
                        {**module, "module": "small", "instances": 1, "area": 0.1, "flops": 0}],
            **more}


def words(text):
    return " ".join(text.split())


def test_what_a_report_says():
    """Each figure of it in its line, in the unit that is named; modules of less than a 500th are left out."""
    text = words(report.text(report_of()))
    for said in ["system s x=1 at revision r library l (l.lib), Yosys 1", "area 100 um2 0.0 kGE (1 GE = 4 um2)",
                 "flip-flops 40 um2 4 bits of state", "latches 0", "clock gates 8 um2 1 of ICG",
                 "logic 32 um2 16 cells", "SRAM 20 um2 640 bits in 1 arrays",
                 "Fmax 200.0 MHz, limited by reg2reg; mapped for 4.00 ns",
                 "power 12.5 mW at that period, 0.1 transitions of a net in a cycle",
                 "clock 4.0 mW of it: 3 of 4 flip-flops behind gates, clocked in 25.0% of the cycles (by guess, twice "
                 "the transitions); 1.0 mW at the others, 2.0 mW in the gates",
                 "reg2reg 5.000 ns, 7 cells, fan-out 12: a_q -> b_q", "Fmax at one guess: no search",
                 "mapped for 4.000 ns: 5.000 ns, 200.0 MHz, 100 um2, 2 of 3 parts mapped, 9 s", "99 wide 12 n",
                 "64 x 2 x 5 20 um2 u_tlb.u_rows", "hierarchy kept (60 um2 in all", "m 2 60 99.8% 4 12 s"]:
        assert said in text, said
    assert "small" not in text
    run = {"matched": 3, "registers": 4, "cycles": 50, "waves": "w.fst", "unknown_gates": 2}
    text = words(report.text(report_of(activity_run=run, trials_allowed=6)))
    for said in ["in a cycle: the mean of 3 of 4 registers over 50 cycles of w.fst",
                 "of the cycles (in that run, 2 gates taken to be open)", "Fmax by search, 1 of at most 6 trials"]:
        assert said in text, said
    run["unknown_gates"] = 0
    assert "(in that run)" in words(report.text(report_of(activity_run=run)))


def test_what_an_estimate_says():
    text = words(report.estimate_text(report_of()))
    for said in ["There is no Fmax in it", "area 100 um2", "64 x 2 x 5 20 um2 u_tlb.u_rows", "m 2 60 99.8% 4",
                 "1 of 3 modules mapped, the others are known from them or from before; 12 s"]:
        assert said in text, said
    assert "MHz" not in text and "small" not in text
