"""In which cycles of a run the clock gates are open: their enables, evaluated on the netlist of generic gates for all
cycles at once, from what the registers and inputs were before each edge of the clock (activity.py reads the waves).

What is found is checked by the registers behind the gates: one that changes at an edge that its gate holds back is
an error. The enable of a gate that asks for something that the waves have not (a memory macro's output) counts as
open in all cycles."""

import json

from synth.netlist import partition
from tools.refusal import Refusal

WINDOW = 16384  # cycles that are evaluated at once
RESET = "rst_ni"

FUNCTIONS = {
    "$_NOT_": lambda p, ones: p["A"] ^ ones,
    "$_BUF_": lambda p, ones: p["A"],
    "$_AND_": lambda p, ones: p["A"] & p["B"],
    "$_OR_": lambda p, ones: p["A"] | p["B"],
    "$_XOR_": lambda p, ones: p["A"] ^ p["B"],
    "$_NAND_": lambda p, ones: (p["A"] & p["B"]) ^ ones,
    "$_NOR_": lambda p, ones: (p["A"] | p["B"]) ^ ones,
    "$_XNOR_": lambda p, ones: p["A"] ^ p["B"] ^ ones,
    "$_ANDNOT_": lambda p, ones: p["A"] & (p["B"] ^ ones),
    "$_ORNOT_": lambda p, ones: p["A"] | (p["B"] ^ ones),
    "$_MUX_": lambda p, ones: p["A"] ^ ((p["A"] ^ p["B"]) & p["S"]),
}


def write(flat, gate, path):
    """Writes what the enables of a flat netlist (partition.Netlist) are made of: their gates, each after those that
    drive it, and {clock gate: its enable's net and the registers' bits behind it}."""
    clocks, behind = {}, {}
    for kind, name, body in partition.CELL.findall(flat.text) if gate else ():
        pins = dict(partition.PIN.findall(body))
        if kind == f"\\{gate.cell}":
            clocks[pins[f"\\{gate.output}"]] = name[1:], pins[f"\\{gate.enable}"]
        elif "\\Q" in pins:
            for net in pins.values():
                behind.setdefault(net, []).append(_source(pins["\\Q"]))
    roots = [flat.drivers[net] for _, net in clocks.values() if net in flat.drivers]
    gates = [[kind, {pin.lstrip("\\"): _source(net) for pin, net in pins.items()}]
             for kind, pins in (flat.gates[n] for n in flat.order(roots))]
    path.write_text(json.dumps({
        "gates": gates,
        "enables": {name: [_source(net), behind[clock]] for clock, (name, net) in clocks.items()}}))


def _source(net):
    """A bit's name as the waves have it."""
    return net.lstrip("\\").replace(" ", "")


def shares(path, waves):
    """({clock gate: the share of cycles that it is open}, how many of them count as open by default)."""
    try:
        netlist = json.loads(path.read_text())
    except OSError as error:
        raise Refusal(f"{path}: cannot be read ({error.strerror}); `make synth` writes it") from error
    opened, cycles = dict.fromkeys(netlist["enables"], 0), 0
    unknown = set()
    for first in range(0, len(waves.edges) - 1, WINDOW):
        last = min(first + WINDOW, len(waves.edges) - 1)
        values, running = _evaluated(netlist["gates"], waves, first, last)
        cycles += running.bit_count()
        for gate, (enable, registers) in netlist["enables"].items():
            value = values(enable)
            if value is None:
                unknown.add(gate)
                value = running
            _check(gate, value, registers, values, running)
            opened[gate] += (value & running).bit_count()
    if cycles == 0:
        raise Refusal(f"{waves.path}: is in reset all the time; allowed: waves of a run")
    return {gate: count / cycles for gate, count in opened.items()}, len(unknown)


def _evaluated(gates, waves, first, last):
    """(the value of a net before each of the edges `first` to `last`, as a number with the first at bit 0; in which
    but the last the unit is not in reset before and after)."""
    ones = (1 << (last + 1 - first)) - 1
    known = {"1'0": 0, "1'1": ones, "1'x": 0}

    def value(net):
        if net not in known:
            known[net] = waves.sampled(net, first, last + 1)
        return known[net]

    for kind, pins in gates:
        inputs = {pin: value(net) for pin, net in pins.items() if pin != "Y"}
        known[pins["Y"]] = None if None in inputs.values() else FUNCTIONS[kind](inputs, ones)
    active = value(RESET)
    return value, active & active >> 1 & ones >> 1


def _check(gate, enable, registers, values, running):
    """Refuses a change of a register at an edge that its gate holds back."""
    for register in registers:
        value = values(register)
        if value is not None and (value ^ value >> 1) & ~enable & running:
            raise Refusal(f"{register} changes in a cycle in which its clock gate {gate} is closed; allowed: waves "
                          "of the system that was synthesised")
