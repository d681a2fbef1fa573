"""How often a run's registers changed, and what they were in each cycle, from the waves of the RTL in lockstep, for
the power of a netlist: `lockwalk cosim ... --waves FILE` writes them.

OpenSTA 2.0.17 (Debian's) gets the mean as its global activity, clock apart: its set_power_activity -pins
fails, and what its inner command sets at a flip-flop's output reaches no power figure."""

import re
from array import array
from itertools import pairwise
from pathlib import Path

import numpy

from tools.refusal import Refusal

UNIT = "TOP.lockstep_tb.u_iommu."
ELEMENT = re.compile(r"^(.*\.)?(\w+)\.\2((?:\[\d+\])+)$")


class Waves:
    """{net's name, or name[bit]: transitions a cycle} below the unit, the cycles, and when the clock rose."""

    def __init__(self, path):
        self.path = path
        self.bits, self.places = {}, {}
        changes = _changes(path)
        clock = changes.names.get("clk_i")
        self.cycles = changes[clock].toggles[0] // 2 if clock is not None else 0
        if self.cycles == 0:
            raise Refusal(f"{path}: has no waves of a lockstep run; allowed: what `lockwalk cosim "
                          "--waves` writes")
        self.edges = changes[clock].rises()
        elements = {}
        for name, handle in changes.names.items():
            figures = [(changes[handle], n) for n in range(len(changes[handle].toggles))]
            found = ELEMENT.match(name)
            if found:
                index = tuple(int(n) for n in re.findall(r"\d+", found[3]))
                elements.setdefault((found[1] or "") + found[2], []).append((index, figures))
            else:
                self._add(name, figures)
        for name, parts in elements.items():
            # Yosys's slang reader puts an unpacked array's first element at its top bits.
            self._add(name, [bit for _, figures in sorted(parts, reverse=True, key=lambda p: p[0])
                             for bit in figures])

    def _add(self, name, places):
        for n, (signal, bit) in enumerate(places):
            for known in (f"{name}[{n}]", name)[:2 if len(places) == 1 else 1]:
                self.bits[known] = signal.toggles[bit] / self.cycles
                self.places[known] = signal, bit

    def sampled(self, name, first, last):
        """A bit before each of the clock's edges from `first` to before `last`, as a number whose bit 0 is the
        first; None where the waves do not have it."""
        if name not in self.places:
            return None
        signal, bit = self.places[name]
        return signal.sampled(self.edges[first:last])[bit]


class _Signal:
    """A vector's changes, and how many there are of each bit."""

    def __init__(self, width):
        self.times, self.values, self.toggles = array("Q"), [], [0] * width
        self.kept = None, None

    def rises(self):
        """When its lowest bit became 1."""
        return [time for time, (old, new) in zip(self.times[1:], pairwise(self.values), strict=True) if new & ~old & 1]

    def sampled(self, edges):
        """Of each bit a number: what it was before each of the edges, the first at bit 0."""
        if self.kept[0] != (edges[0], edges[-1]):
            self.kept = (edges[0], edges[-1]), self._transposed(edges)
        return self.kept[1]

    def _transposed(self, edges):
        size = (len(self.toggles) + 7) // 8
        # How many changes there were before each edge; the vector is 0 before the first.
        changes = numpy.searchsorted(numpy.array(self.times), edges)
        values = b"".join((self.values[n - 1] if n else 0).to_bytes(size, "little")
                          for n in range(changes[0], changes[-1] + 1))
        rows = numpy.unpackbits(numpy.frombuffer(values, numpy.uint8).reshape(-1, size), axis=1, bitorder="little")
        columns = numpy.packbits(rows[changes - changes[0]], axis=0, bitorder="little").T
        return [int.from_bytes(column.tobytes(), "little") for column in columns]

    def change(self, time, value):
        changed = self.values[-1] ^ value if self.values else 0
        self.times.append(time)
        self.values.append(value)
        while changed:
            bit = changed.bit_length() - 1
            changed ^= 1 << bit
            self.toggles[bit] += 1


class _Changes(dict):
    """{handle: _Signal} and the names below the unit: {name: handle}."""

    def __init__(self, signals):
        super().__init__()
        self.names = {}
        for full, signal in signals.items():
            if full.startswith(UNIT):
                name = full.split(" ")[0].removeprefix(UNIT)
                self.names[name] = signal.handle
                self.setdefault(signal.handle, _Signal(signal.length))


def _changes(path):
    import pylibfst

    try:
        with Path(path).open("rb"):
            fst = pylibfst.lib.fstReaderOpen(str(path).encode())
    except OSError as error:
        raise Refusal(f"{path}: cannot be read ({error.strerror}); allowed: what `lockwalk cosim --waves` "
                      "writes") from error
    if fst == pylibfst.ffi.NULL:
        raise Refusal(f"{path}: is no FST file; allowed: what `lockwalk cosim --waves` writes")
    # The library's reader of names fails where there is none.
    named = pylibfst.lib.fstReaderGetVarCount(fst) > 0
    changes = _Changes(pylibfst.get_scopes_signals2(fst)[1].by_name if named else {})

    def change(_, time, handle, value):
        if handle in changes:
            changes[handle].change(time, int(pylibfst.string(value).translate(TWO_VALUED), 2))

    pylibfst.lib.fstReaderSetFacProcessMaskAll(fst)
    pylibfst.fstReaderIterBlocks(fst, change)
    pylibfst.lib.fstReaderClose(fst)
    return changes


TWO_VALUED = str.maketrans("xXzZ", "0000")


def measured(waves, netlist, technology):
    """How often the registers of a mapped netlist change in the waves, on average of those that the waves
    have: {"waves", "cycles", "registers", "matched", "activity" (transitions a cycle)}."""
    names = [name for cell, body in re.findall(r"^  (\S+) \S+ +\((.*?)\);$", Path(netlist).read_text(),
                                               re.M | re.S) if cell in technology.flops
             for name in re.findall(r"\.Q\(\s*\\?(\S+?)\s*\)", body)]
    found = [waves.bits[name] for name in names if name in waves.bits]
    if not found:
        raise Refusal(f"{waves.path}: has no register of this netlist; allowed: waves of the same system")
    return {"waves": str(waves.path), "cycles": waves.cycles, "registers": len(names),
            "matched": len(found), "activity": sum(found) / len(found)}
