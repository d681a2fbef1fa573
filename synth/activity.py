"""How often a run's registers changed, from the waves of the RTL in lockstep, for the power of a netlist:
`lockwalk cosim ... --waves FILE` writes them.

OpenSTA 2.0.17 (Debian's) gets the mean as its global activity, clock apart: its set_power_activity -pins
fails, and what its inner command sets at a flip-flop's output reaches no power figure."""

import re
from pathlib import Path

from refusal import Refusal

UNIT = "TOP.lockstep_tb.u_iommu."
ELEMENT = re.compile(r"^(.*\.)?(\w+)\.\2((?:\[\d+\])+)$")


class Waves:
    """{net's name, or name[bit]: transitions a cycle} below the unit, and the cycles."""

    def __init__(self, path):
        self.bits = {}
        changes = _changes(path)
        clock = changes.names.get("clk_i")
        self.cycles = changes[clock].toggles[0] // 2 if clock is not None else 0
        if self.cycles == 0:
            raise Refusal(f"{path}: has no waves of a lockstep run; allowed: what `lockwalk cosim "
                          "--waves` writes")
        elements = {}
        for name, handle in changes.names.items():
            figures = [n / self.cycles for n in changes[handle].toggles]
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

    def _add(self, name, figures):
        if len(figures) == 1:
            self.bits[name] = figures[0]
        for n, bit in enumerate(figures):
            self.bits[f"{name}[{n}]"] = bit


class _Signal:
    """Counts a vector's changes bit by bit."""

    def __init__(self, width):
        self.value, self.toggles = None, [0] * width

    def change(self, value):
        changed = 0 if self.value is None else self.value ^ value
        self.value = value
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
        raise Refusal(f"{path}: cannot be read ({error.strerror})") from error
    if fst == pylibfst.ffi.NULL:
        raise Refusal(f"{path}: is no FST file; allowed: what `lockwalk cosim --waves` writes")
    # The library's reader of names fails where there is none.
    named = pylibfst.lib.fstReaderGetVarCount(fst) > 0
    changes = _Changes(pylibfst.get_scopes_signals2(fst)[1].by_name if named else {})

    def change(_, _time, handle, value):
        if handle in changes:
            changes[handle].change(int(pylibfst.string(value).translate(TWO_VALUED), 2))

    pylibfst.lib.fstReaderSetFacProcessMaskAll(fst)
    pylibfst.fstReaderIterBlocks(fst, change)
    pylibfst.lib.fstReaderClose(fst)
    return changes


TWO_VALUED = str.maketrans("xXzZ", "0000")


def measured(path, netlist, technology):
    """How often the registers of a mapped netlist change in the waves, on average of those that the waves
    have: {"waves", "cycles", "registers", "matched", "activity" (transitions a cycle)}."""
    waves = Waves(path)
    names = [name for cell, body in re.findall(r"^  (\S+) \S+ +\((.*?)\);$", Path(netlist).read_text(),
                                               re.M | re.S) if cell in technology.flops
             for name in re.findall(r"\.Q\(\s*\\?(\S+?)\s*\)", body)]
    found = [waves.bits[name] for name in names if name in waves.bits]
    if not found:
        raise Refusal(f"{path}: has no register of this netlist; allowed: waves of the same system")
    return {"waves": str(path), "cycles": waves.cycles, "registers": len(names),
            "matched": len(found), "activity": sum(found) / len(found)}
