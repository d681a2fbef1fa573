"""Clock gates: registers that share an enable get a clock that stands still where it is 0, and so need no
multiplexer that gives them back what they hold (Yosys's `clockgate`).

A library has a cell for it (liberty: clock_gating_integrated_cell, a latch that is open while the clock is low, and
an AND of it with the clock), or gets one put together of its latch, inverter and AND gate: their areas, leakage and
pins added up. A latch without an area (osu018's) has LATCH of a flip-flop's, as osu018's has in its LEF file. A
library with neither has no gates.

A gate is named after the register that has most bits behind it, and the lowest of them: NAME.gate36."""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from synth.cells import delays
from tools.refusal import Refusal

# As few flip-flops as are worth a gate: its area is that of two multiplexers or less, and its clock pin takes
# what a flip-flop's takes.
FEWEST = 3
LATCH = 0.6
OWN = "clock_gate"

KIND = re.compile(r'clock_gating_integrated_cell\s*:\s*"?latch_posedge"?\s*;')
PINS = tuple(re.compile(rf'clock_gate_{which}_pin\s*:\s*"?true') for which in ("enable", "clock", "out"))
SETUP = re.compile(r'timing_type\s*:\s*"?setup_\w+"?\s*;(.*?)(?=\btiming\s*\(|\Z)', re.S)
ENERGY = re.compile(r"(?:rise|fall)_power\s*\(.*?values\s*\((.*?)\)", re.S)
VALUES = re.compile(r"values\s*\((.*?)\)", re.S)
AREA = re.compile(r"\barea" + delays.NUMBER)
LEAKAGE = re.compile(r"cell_leakage_power" + delays.NUMBER)
VOLTAGE = re.compile(r"nom_voltage" + delays.NUMBER)

CELL = re.compile(r"^  cell (\S+) (\S+)\n((?:    .*\n)*)  end\n", re.M)
PIN = re.compile(r"^    connect (\S+) (.+)$", re.M)
MADE = re.compile(r"\$auto\$clockgate\.cc\S+")
NAME = re.compile(r"[$\\](.+)\.gate(\d+)")


@dataclass
class Gate:
    """The cell, its pins and area, and its liberty where it is none of the library's."""

    cell: str
    enable: str
    clock: str
    output: str
    area: float
    liberty: str = ""

    def steps(self):
        """The Yosys commands that put gates into a netlist of generic gates."""
        pins = f"{self.enable}:{self.clock}:{self.output}"
        # What opt_dff makes of one enable for many bits is one net only after a merge.
        return ["opt_merge", f"clockgate -pos {self.cell} {pins} -min_net_size {FEWEST}", "opt_clean"]

    def model(self):
        """What it does, as Verilog for simulation."""
        return (f"\nmodule {self.cell} (input {self.clock}, input {self.enable}, output {self.output});\n"
                f"  reg open;\n"
                f"  always @* if (!{self.clock}) open = {self.enable};\n"
                f"  assign {self.output} = {self.clock} & open;\n"
                f"endmodule\n")


def find(text, technology, latch, conjunction):
    """The Gate of a library by its liberty; `latch`, (cell, its data, its enable pin), and `conjunction` are cells to
    make one of, or None."""
    starts = [(m.start(), m[1]) for m in delays.CELL.finditer(text)] + [(len(text), None)]
    cells = {name: text[start:end] for (start, name), (end, _) in pairwise(starts)}
    own = [name for name, body in cells.items() if KIND.search(body) and name not in technology.dont_use]
    if own:
        areas = {name: float(AREA.search(cells[name])[1]) for name in own}
        cell = min(own, key=lambda name: (areas[name], name))
        return Gate(cell, *_pins(cells[cell]), areas[cell])
    if latch and conjunction:
        return _composed(text[:starts[0][0]], cells, technology, latch, conjunction)
    return None


def _pins(body):
    """The enable's, the clock's and the output's name of a cell that is a gate."""
    starts = [(m.start(), m[1]) for m in delays.PIN.finditer(body)] + [(len(body), None)]
    pins = {name: body[start:end] for (start, name), (end, _) in pairwise(starts)}
    return [next(name for name, pin in pins.items() if which.search(pin)) for which in PINS]


def _composed(header, cells, technology, latch, conjunction):
    """A gate made of a latch, the smallest inverter before its clock, and an AND gate; `header` is what the library's
    liberty has before its cells."""
    inverter = technology.inverters[0]
    latch, data, opens = latch
    areas, delay = technology.areas, technology.delays
    area = (areas[latch] or LATCH * areas[technology.register]) + areas[inverter] + areas[conjunction]
    voltage = VOLTAGE.search(header)
    if voltage is None:
        raise Refusal(f"{technology.source}: has no nom_voltage; allowed: a liberty with one, or with a clock gate")
    own = _cell(
        area=area, leakage=sum(_leakage(cells[part]) for part in (latch, inverter, conjunction)),
        clock=sum(min(delay[part]["pins"].values()) for part in (inverter, conjunction)),
        enable=delay[latch]["pins"][data],
        setup=max((_middle(table) for check in SETUP.findall(cells[latch]) for table in VALUES.findall(check)),
                  default=0.0),
        # Of an edge of the clock: inverter and latch in themselves, and the load between them.
        before=_energy(cells[inverter]) + _energy(cells[latch])
        + delay[latch]["pins"][opens] * float(voltage[1]) ** 2 / 2,
        behind=_energy(cells[conjunction]))
    header = re.sub(r"(?<=\blibrary)\s*\(.*?\)", f" ({OWN})", re.sub(r"/\*.*?\*/", "", header, flags=re.S))
    return Gate(OWN, "GATE", "CLK", "GCLK", area, f"{header.strip()}\n\n{own}}}\n")


def _cell(area, leakage, clock, enable, setup, before, behind):
    """The cell's liberty, by its area, leakage, pins' capacitances, set-up time, and energy before and behind the
    gate at each edge."""
    def scalars(value, *kinds):
        return " ".join(f'{kind} (scalar) {{ values ("{value:.6f}"); }}' for kind in kinds)

    power, check = ("rise_power", "fall_power"), ("rise_constraint", "fall_constraint")
    # Its delays are ideal, as the clock before it.
    ideal = ("cell_rise", "cell_fall", "rise_transition", "fall_transition")
    return f"""cell ({OWN}) {{
  area : {area:g};
  cell_leakage_power : {leakage:g};
  clock_gating_integrated_cell : "latch_posedge";
  pin (CLK) {{ direction : input; clock : true; clock_gate_clock_pin : true; capacitance : {clock:g};
    internal_power () {{ {scalars(before, *power)} }} }}
  pin (GATE) {{ direction : input; clock_gate_enable_pin : true; capacitance : {enable:g};
    timing () {{ related_pin : "CLK"; timing_type : setup_rising; {scalars(setup, *check)} }} }}
  pin (GCLK) {{ direction : output; clock_gate_out_pin : true;
    internal_power () {{ related_pin : "CLK"; {scalars(behind, *power)} }}
    timing () {{ related_pin : "CLK"; timing_sense : positive_unate;
      {scalars(0, *ideal)} }} }}
}}
"""


def _leakage(body):
    """0 of a cell that says none, as in liberty."""
    found = LEAKAGE.search(body)
    return float(found[1]) if found else 0.0


def _energy(body):
    """Of a cell's edge: the mean of its tables' middles."""
    middles = [_middle(table) for table in ENERGY.findall(body)]
    return sum(middles) / len(middles) if middles else 0.0


def _middle(table):
    values = [float(n) for n in re.findall(r"-?[\d.]+(?:[eE][+-]?\d+)?", table)]
    return sorted(values)[len(values) // 2]


def liberty(technology, stem):
    """STEM.gates.lib, the gate's own liberty; none where the library has the cell."""
    path = stem.with_suffix(".gates.lib")
    path.unlink(missing_ok=True)
    if technology.gate and technology.gate.liberty:
        path.write_text(technology.gate.liberty)


def named(text, gate):
    """A flat RTLIL with its gates and their clocks named."""
    if gate is None:
        return text
    clocks, behind = {}, {}
    for kind, name, body in CELL.findall(text):
        pins = dict(PIN.findall(body))
        if kind == f"\\{gate.cell}":
            clocks[pins[f"\\{gate.output}"]] = name
        elif "\\Q" in pins:
            for net in pins.values():
                if MADE.fullmatch(net):
                    behind.setdefault(net, []).append(pins["\\Q"])
    names = {}
    for clock, cell in clocks.items():
        names[clock] = f"\\{_name(behind[clock])}"
        names[cell] = f"${_name(behind[clock])}"  # no cell of an RTLIL is called as a wire
    return MADE.sub(lambda made: names.get(made[0], made[0]), text)


def _name(registers):
    places = [_place(bit) for bit in registers if bit.startswith("\\")] or [_place(registers[0])]
    most = max(Counter(name for name, _ in places).items(), key=lambda item: (item[1], item[0]))[0]
    return f"{most.lstrip(chr(92))}.gate{min(bit for name, bit in places if name == most)}"


def _place(bit):
    name, _, number = bit.partition(" ")
    return name, int(number.strip("[]") or 0)


def register(name):
    """(register, bit) that a gate, as a cell or end, is named after; None where it is no gate's name."""
    found = NAME.fullmatch(name)
    return (f"\\{found[1]}", int(found[2])) if found else None
