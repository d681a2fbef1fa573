"""A standard-cell library: what the flow must know of a liberty file, read by Yosys's own reader.

`Technology` gives the path of the plain liberty file, each cell's area (in the library's unit, um2 for
those that we use) and output pins, which cells are flip-flops, latches, inverters and buffers, the clock gate, and the
area of the smallest two-input NAND: one gate equivalent (GE)."""

import fnmatch
import gzip
import hashlib
import itertools
import re
import uuid
from pathlib import Path

from synth.cells import clock_gate, delays
from tools.refusal import Refusal

# Debian's package qflow-tech-osu018.
DEFAULT = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
# Cells that are there but are for no ordinary netlist: those that OpenROAD's platform of sky130hd excludes (probes and
# low-power isolation), delay gates, and flip-flops with an enable, whose load on the enable's net no step of the flow
# sees.
DONT_USE = ("*__probe*", "*__lpflow*", "*dly*", "*__edf*")
NAND2 = (1, 1, 1, 0)
INVERTER = (1, 0)
BUFFER = (0, 1)
AND2 = (0, 0, 0, 1)


class Technology:
    """One library, ready for Yosys, ABC and OpenSTA (which read no compressed files)."""

    def __init__(self, path, build):
        self.source = Path(path)
        self.path = _plain(self.source, build)
        text = self.path.read_text(errors="replace")
        self.name = _library_name(text, self.source)
        self.seconds = _time_unit(text, self.source)
        self.farads = _capacitance_unit(text, self.source)
        self.areas, self.outputs, self.flops, self.latches, functions, plain = _cells(self.path, self.source)
        if not self.flops:
            raise Refusal(f"{self.source}: has no flip-flop; allowed: a liberty with flip-flops")
        self.dont_use = sorted(c for c in self.areas
                               if any(fnmatch.fnmatch(c, p) for p in DONT_USE))
        functions = {c: f for c, f in functions.items() if c not in self.dont_use}
        self.nand2 = min((self.areas[c] for c, f in functions.items() if f == NAND2), default=None)
        self.inverters = _by_area(self, functions, INVERTER)
        self.buffers = _by_area(self, functions, BUFFER)
        if self.nand2 is None or not self.inverters or not self.buffers:
            raise Refusal(f"{self.source}: has no two-input NAND, no inverter or no buffer; allowed: a "
                          "liberty with all three")
        self.delays = delays.read(text)
        # The flip-flop that stands for all where one is wanted: the smallest with delay tables.
        self.register = min((c for c in self.flops if self.delays[c]["delays"]),
                            key=lambda c: (self.areas[c], c), default=None)
        if self.register is None or not all(self.delays[b]["delays"] for b in self.buffers):
            raise Refusal(f"{self.source}: has no delay tables by load for its flip-flops or buffers; "
                          "allowed: a liberty with cell_rise and cell_fall")
        latch = next(iter(_smallest(self, plain)), None)
        self.gate = clock_gate.find(text, self, latch and (latch, *plain[latch]),
                                    next(iter(_by_area(self, functions, AND2)), None))
        if self.gate:
            self.areas[self.gate.cell] = self.gate.area
            self.outputs[self.gate.cell] = {self.gate.output}

    @property
    def driving_cell(self):
        """What drives the unit's inputs: an inverter of middling strength."""
        return self.inverters[len(self.inverters) // 2]

    @property
    def flop_delay(self):
        """Of the flip-flop that stands for all, unloaded, in seconds."""
        return delays.delay(self.delays[self.register], 0.0) * self.seconds


def _plain(source, build):
    """The liberty as a plain file: itself, or what its gzip holds, in the build folder."""
    try:
        data = source.read_bytes()
    except OSError as error:
        raise Refusal(f"{source}: cannot be read ({error.strerror}); allowed: a liberty file, plain "
                      "or gzip") from error
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError) as error:
            raise Refusal(f"{source}: is no whole gzip file ({error})") from error
    elif source.suffix == ".lib":
        return source.resolve()
    folder = build / "liberty" / hashlib.sha256(data).hexdigest()[:16]
    plain = folder / (source.name.removesuffix(".gz").removesuffix(".lib") + ".lib")
    if not plain.exists():
        folder.mkdir(parents=True, exist_ok=True)
        part = plain.with_suffix(f".{uuid.uuid4().hex}")  # another process may unpack it too
        part.write_bytes(data)
        part.rename(plain)
    return plain


def _library_name(text, source):
    found = re.search(r'^\s*library\s*\(\s*"?([^")]+?)"?\s*\)', text, re.M)
    if found is None:
        raise Refusal(f"{source}: is no liberty file: it has no library (...) group")
    return found[1]


def _time_unit(text, source):
    found = re.search(r'time_unit\s*:\s*"\s*([\d.]+)\s*(ns|ps|us)\s*"', text)
    if found is None:
        raise Refusal(f"{source}: has no time_unit")
    return float(found[1]) * {"us": 1e-6, "ns": 1e-9, "ps": 1e-12}[found[2]]


def _capacitance_unit(text, source):
    found = re.search(r'capacitive_load_unit\s*\(\s*([\d.]+)\s*,\s*"?(pf|ff)"?\s*\)', text, re.I)
    if found is None:
        raise Refusal(f"{source}: has no capacitive_load_unit")
    return float(found[1]) * {"pf": 1e-12, "ff": 1e-15}[found[2].lower()]


def _cells(path, source):
    from pyosys import libyosys as yosys

    design = yosys.Design()
    try:
        design.run_pass(f"tee -q read_liberty -ignore_miss_func {path}")
    except Exception as error:
        raise Refusal(f"{source}: Yosys cannot read it ({error})") from error
    areas, outputs, flops, latches, functions, plain = {}, {}, set(), set(), {}, {}
    for name, module in design.modules_.items():
        cell = str(name).lstrip("\\")
        area = {str(k): v for k, v in module.attributes.items()}.get("\\area")
        if area is None:
            continue
        areas[cell] = float(area.decode_string())
        outputs[cell] = {str(w.name).lstrip("\\") for w in module.wires_.values() if w.port_output}
        kinds = [str(c.type) for c in module.cells_.values()]
        if any("DFF" in kind for kind in kinds):
            flops.add(cell)
        elif any("LATCH" in kind or "_SR_" in kind for kind in kinds):
            latches.add(cell)
            pins = _plain_latch(module)
            if pins is not None:
                plain[cell] = pins
        elif all(kind in _GATES for kind in kinds):
            function = _truth_table(module)
            if function is not None:
                functions[cell] = function
    return areas, outputs, flops, latches, functions, plain


def _plain_latch(module):
    """The data and the enable pin of a latch that is open while its enable is 1, without set or reset; None of any
    other. Each of its outputs is a latch to Yosys, or that one's complement."""
    inputs = {str(w.name) for w in module.wires_.values() if w.port_input}
    cells = [(str(c.type), {str(k): _signal(v) for k, v in c.connections_.items()}) for c in module.cells_.values()]
    found = {(pins.get("\\D"), pins.get("\\E")) for kind, pins in cells if kind == "$_DLATCH_P_"}
    if len(found) != 1 or {kind for kind, _ in cells} - {"$_DLATCH_P_", "$_NOT_"}:
        return None
    pins = found.pop()
    return tuple(pin.lstrip("\\") for pin in pins) if set(pins) <= inputs else None


_GATES = {"$_NOT_": lambda a, b: 1 - a, "$_BUF_": lambda a, b: a, "$_AND_": lambda a, b: a & b,
          "$_OR_": lambda a, b: a | b, "$_XOR_": lambda a, b: a ^ b}


def _truth_table(module):
    """The function of a cell with one output and at most two inputs, by rising input value."""
    wires = module.wires_.values()
    inputs = sorted(str(w.name) for w in wires if w.port_input)
    outputs = [str(w.name) for w in module.wires_.values() if w.port_output]
    if len(outputs) != 1 or not 1 <= len(inputs) <= 2:
        return None
    gates, aliases = {}, {}
    for cell in module.cells_.values():
        ports = {str(k): _signal(v) for k, v in cell.connections_.items()}
        gates[ports["\\Y"]] = (_GATES[str(cell.type)], ports["\\A"], ports.get("\\B"))
    for left, right in module.connections_:
        aliases[_signal(left)] = _signal(right)

    def value(signal, given):
        if signal in given:
            return given[signal]
        if signal in aliases:
            return value(aliases[signal], given)
        gate, a, b = gates[signal]
        return gate(value(a, given), value(b, given) if b else 0)

    try:
        return tuple(value(outputs[0], dict(zip(inputs, bits, strict=True)))
                     for bits in itertools.product((0, 1), repeat=len(inputs)))
    except (KeyError, RecursionError):
        return None


def _signal(spec):
    return str(spec.as_wire().name) if spec.is_wire() else repr(spec)


def _by_area(technology, functions, function):
    return _smallest(technology, (c for c, f in functions.items() if f == function))


def _smallest(technology, cells):
    return sorted(cells, key=lambda c: (technology.areas[c], c))
