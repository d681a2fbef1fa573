"""Memory macros: which arrays of a netlist are one (the RTL's sram_macro), and the area, timing and energy that
each stands for, as a liberty file of black boxes.

Sources, both of sky130, 1.8 V, 25 C, typical:
- Area: OpenRAM's macros with a read and a write port (sky130_sram_1kbyte_1rw1r_32x256_8 and ..2kbyte..32x512_8,
  github.com/VLSIDA/sky130_sram_macros): their LEF files say 479.78 x 397.50 and 683.10 x 416.54 um for 8192 and
  16384 bits, which is FIXED + BIT a bit. Leakage and the energy of a read of 32 bits by the liberty of the latter.
- Timing: SRAM22's sram22_128x32m4w8 (github.com/rahulk29/sram22_sky130_macros, characterised by Liberate MX): clock
  to data, set-up time, pin capacitances. OpenRAM's own liberty gives data 2.4 to 3.2 ns after the falling edge.
Another library's macros have areas by its NAND2 to sky130's and times by its flip-flop's delay to sky130's.

Arrays that are read and written with the same addresses and enables are one macro: each has its share of it by
its bits. A net with several pins of macros on it gets buffers for them, since the mapper sees one load there."""

import json
import math
import re
from dataclasses import asdict, dataclass

from synth.netlist import partition

MODULE = "sram_macro"

FIXED, BIT = 96_887.9, 11.4533  # um2
NAND2, FLOP = 3.7536, 0.3067e-9  # um2 of sky130_fd_sc_hd__nand2_1, seconds of the smallest flip-flop
CLOCK_TO_DATA = (0.007, 3.17), (0.52, 4.50)  # pF, ns
SLEW = (0.007, 0.145), (0.52, 3.27)  # pF, ns
SETUP, HOLD = 0.30, 0.12  # ns
PIN, CLOCK_PIN = 0.0041, 0.2144  # pF
LEAKAGE = 1.38e-6 / 16384  # W a bit
READ = 5.1e-12 / 32  # J a bit of the word

CELL = re.compile(r"^  cell \\" + MODULE + r" (\S+)\n((?:    .*\n)*)  end\n", re.M)
PARAMETER = re.compile(r"^    parameter \\(\w+) (?:\d+'([01]+)|(\d+))$", re.M)
CONNECT = re.compile(r"^    connect \\(\w+) (.+)$", re.M)


@dataclass
class Macro:
    """One array in a macro: `table` lanes' bits of all the arrays in it."""

    instance: str
    words: int
    lanes: int
    width: int
    table: int
    area: float = 0.0

    @property
    def bits(self):
        return self.words * self.lanes * self.width

    @property
    def cell(self):
        return f"sram_{self.words}x{self.lanes}x{self.width}_of_{self.table}"


def arrays(text, technology):
    """{cell: Macro} of the arrays in a flat RTLIL."""
    found = _found(text)
    tables = {}
    for shape, pins in found.values():
        tables[_key(shape, pins)] = tables.get(_key(shape, pins), 0) + shape["Width"]
    macros = {}
    for name, (shape, pins) in found.items():
        table = tables[_key(shape, pins)]
        macro = Macro(name.lstrip("\\"), shape["Words"], shape["Lanes"], shape["Width"], table)
        whole = FIXED + BIT * macro.words * macro.lanes * table
        macro.area = whole * macro.width / table * technology.nand2 / NAND2
        macros[name] = macro
    return macros


def placed(text, technology, limit):
    """Gives each macro of a flat RTLIL its cell, and buffers of at most `limit` loads: (the RTLIL, [Macro])."""
    found, macros = _found(text), arrays(text, technology)
    if not found:
        return text, []
    loads, buffers = _buffered({name: pins for name, (_, pins) in found.items()}, text, technology, limit)

    def renamed(cell):
        name, pins = cell[1], found[cell[1]][1]
        body = "".join(f"    connect \\{pin} {loads.get((name, pin), signal)}\n" for pin, signal in pins.items())
        return f"  cell \\{macros[name].cell} {name}\n{body}  end\n"

    text = CELL.sub(renamed, text)
    start, end = re.search(r"^module .*\n", text, re.M).end(), text.rindex("end\n")
    wires = [f"  wire {wire}\n" for wire in buffers]
    return "".join([text[:start], *wires, text[start:end], *buffers.values(), text[end:]]), list(
        macros.values())


def _buffered(cells, text, technology, limit):
    """({(macro, input): its bits, some of them behind buffers}, {wire: the buffer before it}), as RTLIL."""
    widths = partition.widths(text)
    bits = {(name, pin): partition.bits(signal, widths) for name, pins in cells.items()
            for pin, signal in pins.items() if pin not in ("clk_i", "read_data_o")}
    users = {}
    for place, nets in bits.items():
        for n, net in enumerate(nets):
            if net[0] in "\\$":
                users.setdefault(net, []).append((place, n))
    buffers = {}
    for net, places in users.items():
        for first in range(0, len(places) if len(places) > 1 else 0, limit):
            chunk = places[first:first + limit]
            wire = f"$macro_buffer{len(buffers)}"
            load = PIN * 1e-12 / technology.farads * len(chunk)
            buffers[wire] = partition.buffer(net, wire, load, technology)
            for place, n in chunk:
                bits[place][n] = wire
    return {place: "{ " + " ".join(reversed(nets)) + " }" for place, nets in bits.items()}, buffers


def _found(text):
    """{cell: (its parameters, {pin: signal})}."""
    return {cell[1]: (_parameters(cell[2]), dict(CONNECT.findall(cell[2]))) for cell in CELL.finditer(text)}


def _parameters(body):
    return {name: int(binary, 2) if binary else int(decimal)
            for name, binary, decimal in PARAMETER.findall(body)}


def _key(shape, pins):
    return shape["Words"], shape["Lanes"], *(pins[p] for p in
                                             ("read_word_i", "write_word_i", "write_lanes_i"))


def write(macros, technology, stem):
    """STEM.macros.json, .lib (for Yosys and OpenSTA) and .v (what they do, for simulation); none of them
    where there is no macro."""
    paths = [stem.with_suffix(f".macros.{end}") for end in ("json", "lib", "v")]
    for path in paths:
        path.unlink(missing_ok=True)
    if macros:
        kinds = list({macro.cell: macro for macro in macros}.values())
        paths[0].write_text(json.dumps([{**asdict(m), "cell": m.cell} for m in macros], indent=1))
        paths[1].write_text(_liberty(kinds, technology))
        paths[2].write_text("".join(map(_model, kinds)))


def read(stem):
    """The macros of a netlist, as STEM.macros.json has them."""
    path = stem.with_suffix(".macros.json")
    return json.loads(path.read_text()) if path.exists() else []


def _liberty(kinds, technology):
    own = technology.flop_delay / FLOP
    lines = ["library (macros) {", "  delay_model : table_lookup;", '  time_unit : "1ns";',
             '  voltage_unit : "1V";', '  current_unit : "1mA";', '  pulling_resistance_unit : "1kohm";',
             '  leakage_power_unit : "1nW";', "  capacitive_load_unit (1, pf);", "  nom_voltage : 1.8;",
             *(f"  {side}put_threshold_pct_{edge} : 50;" for side in ("in", "out")
               for edge in ("rise", "fall")),
             *(f"  slew_{end}_threshold_pct_{edge} : {percent};" for end, percent in (
                 ("lower", 10), ("upper", 90)) for edge in ("rise", "fall")),
             "  lu_table_template (by_load) {", "    variable_1 : total_output_net_capacitance;",
             f'    index_1 ("{CLOCK_TO_DATA[0][0]}, {CLOCK_TO_DATA[1][0]}");', "  }"]
    for macro in kinds:
        for bits in (_address(macro), macro.lanes, macro.width, macro.lanes * macro.width):
            lines += [f"  type ({macro.cell}_{bits}) {{ base_type : array; data_type : bit; "
                      f"bit_width : {bits}; bit_from : {bits - 1}; bit_to : 0; }}"]
    for macro in kinds:
        lines += _cell(macro, own)
    return "\n".join([*lines, "}", ""])


def _address(macro):
    return max(1, math.ceil(math.log2(macro.words)))


def _cell(macro, own):
    def values(kind, points):
        return f'{kind} (by_load) {{ values ("{points[0][1] * own:.4f}, {points[1][1] * own:.4f}"); }}'

    check = ("timing () {{ related_pin : clk_i; timing_type : {0}_rising; rise_constraint (scalar) "
             '{{ values ("{1:.4f}"); }} fall_constraint (scalar) {{ values ("{1:.4f}"); }} }}')
    energy = READ * 1e12 * macro.lanes * macro.width / 2  # pJ at each edge
    lines = [f"  cell ({macro.cell}) {{", f"    area : {macro.area:.1f};", "    interface_timing : true;",
             f"    cell_leakage_power : {LEAKAGE * 1e9 * macro.bits:.3f};",
             f"    pin (clk_i) {{ direction : input; clock : true; capacitance : {CLOCK_PIN};",
             f'      internal_power () {{ rise_power (scalar) {{ values ("{energy:.4f}"); }} '
             f'fall_power (scalar) {{ values ("{energy:.4f}"); }} }} }}']
    for name, bits in (("read_word_i", _address(macro)), ("write_lanes_i", macro.lanes),
                       ("write_word_i", _address(macro)), ("write_data_i", macro.width)):
        lines += [f"    bus ({name}) {{ bus_type : {macro.cell}_{bits}; direction : input; "
                  f"capacitance : {PIN};", "      " + check.format("setup", SETUP * own),
                  "      " + check.format("hold", HOLD * own) + " }"]
    data = macro.lanes * macro.width
    return [*lines, f"    bus (read_data_o) {{ bus_type : {macro.cell}_{data}; direction : output; "
            f"max_capacitance : {CLOCK_TO_DATA[1][0]};",
            "      timing () { related_pin : clk_i; timing_type : rising_edge;",
            *(f"        {values(kind, points)}" for kind, points in (
                ("cell_rise", CLOCK_TO_DATA), ("cell_fall", CLOCK_TO_DATA),
                ("rise_transition", SLEW), ("fall_transition", SLEW))), "      } }", "  }"]


def _model(macro):
    """rtl/prim/sram_macro.sv with its parameters' values, as Verilog that needs no package."""
    bits, address = macro.lanes * macro.width, _address(macro)
    return f"""
module {macro.cell} (input clk_i, input [{address - 1}:0] read_word_i, output reg [{bits - 1}:0] read_data_o,
    input [{macro.lanes - 1}:0] write_lanes_i, input [{address - 1}:0] write_word_i,
    input [{macro.width - 1}:0] write_data_i);
  reg [{bits - 1}:0] words [0:{macro.words - 1}];
  integer l;
  always @(posedge clk_i) begin
    read_data_o <= words[read_word_i];
    for (l = 0; l < {macro.lanes}; l = l + 1)
      if (write_lanes_i[l]) words[write_word_i][l*{macro.width} +: {macro.width}] <= write_data_i;
  end
endmodule
"""
