"""Arrays as memory macros (synth/netlist/sram.py): which of them are one, their areas, the buffers before them, and
what their liberty says, from arrays of a few bits."""

import re
from types import SimpleNamespace

import pytest

from synth.netlist import sram

NEEDS = ["synth"]

# Twice sky130's NAND2 and twice its flip-flop's time; a buffer that takes 2 into nothing.
LIBRARY = SimpleNamespace(nand2=2 * sram.NAND2, flop_delay=2 * sram.FLOP, farads=1e-12, buffers=["BUF"],
                          delays={"BUF": {"pins": {"A": 1.0}, "output": "Y", "loads": [0, 1], "delays": [2, 3]}})


def array(name, width, write="\\write", read="\\read_q [5:0]", lanes=2):
    words = {"Words": "32'" + f"{64:032b}", "Lanes": str(lanes), "Width": str(width)}
    pins = {"clk_i": "\\clk_i", "read_word_i": read, "write_word_i": write, "write_lanes_i": "{ \\one \\other }",
            "write_data_i": f"\\data_{name} [{width - 1}:0]", "read_data_o": f"\\read_{name}"}
    body = [f"    parameter \\{key} {value}\n" for key, value in words.items()]
    body += [f"    connect \\{pin} {signal}\n" for pin, signal in pins.items()]
    return f"  cell \\sram_macro \\{name}\n{''.join(body)}  end\n"


FLAT = ("module \\top\n  wire width 6 input 1 \\write\n  wire width 6 \\read_q\n"
        + array("tags", 4) + array("rows", 12) + array("alone", 4, write="{ 2'00 \\read_q [3:0] }") + "end\n")


def test_arrays_in_one_macro():
    """Those with the same addresses and enables; each has its share of the area by its bits, in the library's um2."""
    found = sram.arrays(FLAT, LIBRARY)
    assert {name: (m.words, m.lanes, m.width, m.table, m.bits, m.cell) for name, m in found.items()} == {
        "\\tags": (64, 2, 4, 16, 512, "sram_64x2x4_of_16"), "\\rows": (64, 2, 12, 16, 1536, "sram_64x2x12_of_16"),
        "\\alone": (64, 2, 4, 4, 512, "sram_64x2x4_of_4")}
    both, alone = (2 * (sram.FIXED + sram.BIT * 64 * 2 * width) for width in (16, 4))
    assert {name: m.area for name, m in found.items()} == pytest.approx(
        {"\\tags": both / 4, "\\rows": both * 3 / 4, "\\alone": alone})


def cells_of(text):
    """{cell: (kind, {pin: signal})}."""
    return {name: (kind, dict(re.findall(r"^    connect (\S+) (.+)$", body, re.M)))
            for kind, name, body in re.findall(r"^  cell (\S+) (\S+)\n((?:    .*\n)*)  end\n", text, re.M)}


def test_buffers_before_macros():
    """One for each `limit` pins of a net that several pins of macros are on; a net with a single pin has none."""
    text, macros = sram.placed(FLAT, LIBRARY, 2)
    cells = cells_of(text)
    buffers = {pins["\\Y"]: pins["\\A"] for kind, pins in cells.values() if kind == "\\BUF"}
    assert [macro.instance for macro in macros] == ["tags", "rows", "alone"]
    assert cells["\\tags"][0] == "\\sram_64x2x4_of_16" and "parameter" not in text
    assert sorted(re.findall(r"^  wire (\$\S+)$", text, re.M)) == sorted(buffers)
    wanted = {"\\one": 2, "\\other": 2, **{f"\\write [{n}]": 1 for n in range(6)},  # 3, 3 and 2 pins
              **{f"\\read_q [{n}]": 2 for n in range(6)}}  # 3 read words and, of four bits, a write word
    assert {net: list(buffers.values()).count(net) for net in wanted} == wanted and len(buffers) == 22
    taken = [signal for kind, pins in cells.values() if kind != "\\BUF" for signals in pins.values()
             for signal in signals.split()]
    assert {taken.count(wire) for wire in buffers} == {1, 2}  # one of the three pins by itself
    assert cells["\\alone"][1]["\\write_word_i"].startswith("{ 1'0 1'0 $macro_buffer")
    for name in ("tags", "rows", "alone"):
        pins = cells[f"\\{name}"][1]
        before = [buffers[wire] for wire in pins["\\read_word_i"].strip("{} ").split()]
        assert before == [f"\\read_q [{n}]" for n in range(5, -1, -1)]
        assert pins["\\clk_i"] == "\\clk_i" and pins["\\read_data_o"] == f"\\read_{name}"
        assert "$macro_buffer" not in pins["\\write_data_i"]
    assert sram.placed("module \\top\nend\n", LIBRARY, 2) == ("module \\top\nend\n", [])


def numbers(text, pattern):
    return [float(n) for n in re.findall(pattern, text)]


def test_liberty_of_a_macro():
    """Times by the library's flip-flop, twice sky130's; leakage and energy by bits."""
    macro = sram.Macro("a", 64, 2, 4, 16, area=1234.0)
    text = sram._liberty([macro], LIBRARY)
    assert text.count("{") == text.count("}") and "area : 1234.0;" in text and "cell (sram_64x2x4_of_16)" in text
    assert numbers(text, r"leakage_power : ([\d.]+)") == pytest.approx([sram.LEAKAGE * 1e9 * 512], rel=1e-2)
    assert numbers(text, r'(?:rise|fall)_power \(scalar\) \{ values \("([\d.]+)"\)') == pytest.approx(
        [sram.READ * 1e12 * 8 / 2] * 2, rel=1e-3)
    assert numbers(text, r'cell_rise \(by_load\) \{ values \("([\d.]+),') == pytest.approx([2 * 3.17])
    assert numbers(text, r'fall_transition \(by_load\) \{ values \("[\d.]+, ([\d.]+)"\)') == pytest.approx([2 * 3.27])
    for kind, time in (("setup", 0.6), ("hold", 0.24)):
        assert numbers(text, rf'{kind}_rising; rise_constraint \(scalar\) \{{ values \("([\d.]+)"\)') == [time] * 4
    widths = dict(re.findall(r"bus \((\w+)\) \{ bus_type : sram_64x2x4_of_16_(\d+);", text))
    assert widths == {"read_word_i": "6", "write_word_i": "6", "write_lanes_i": "2", "write_data_i": "4",
                      "read_data_o": "8"}


def test_files_of_macros(tmp_path):
    """One cell for all arrays of a kind; where there is no macro there are no files, though there were."""
    macros = [sram.Macro(name, 64, 2, 4, 16, area=5.0) for name in ("a", "b")]
    stem = tmp_path / "x"
    sram.write(macros, LIBRARY, stem)
    assert [(m["instance"], m["cell"], m["area"]) for m in sram.read(stem)] == [
        ("a", "sram_64x2x4_of_16", 5.0), ("b", "sram_64x2x4_of_16", 5.0)]
    assert (tmp_path / "x.macros.v").read_text().count("endmodule") == 1
    assert (tmp_path / "x.macros.lib").read_text().count("  cell (") == 1
    sram.write([], LIBRARY, stem)
    assert list(tmp_path.iterdir()) == [] and sram.read(stem) == []
