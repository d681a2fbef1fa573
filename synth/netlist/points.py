"""Registers and outputs proven as gates: what equiv_make lays side by side, as one circuit without registers.

Of each point ($equiv) both sides become outputs, and what reads the point reads the RTL's side, or the constant that
the netlist has there; where that is a loop, the netlist's. As both sides are proven to be equal, the values in this
circuit are those of the RTL and those of the netlist. Yosys writes it as and-inverter graph. A point that on either
side is a single register (and its reset) says which registers stand for the same bit: they become one input, and what
they load is a point of its own. All points together are an induction over the cycles: they hold in the next where they
do in this one. Which registers are taken for the same is a guess that proves nothing: what they load must be equal, as
all points must.

Other wires of the source are no points: the flow may share logic so that a wire's name stands at another function,
and ABC finds inner nodes that are equal by itself. It merges those with few conflicts each (fraig), and proves what is
left by a proof that may take many (&cec). This is what sums of many terms need: the RTL adds them one after another,
the netlist in a tree, and hardly a node between is the same."""

import random
import re
import subprocess
from dataclasses import dataclass

from synth.netlist import netlist
from tools.refusal import Refusal

# What is neither a register's nor a port gets a name that nothing of the netlist has.
HIDE = ["select gold/w:* gold/t:$*ff* %co1:+[Q] %d", "rename -hide", "select -clear"]
GRAPH = ["hierarchy -top equiv", "opt_clean", "setundef -undriven -zero", "memory_map -formal", "techmap",
         "setundef -zero", "formalff -clk2ff", "dffunmap", "simplemap", "aigmap", "opt_clean -purge"]
# Two outputs that are one net of the netlist are read as one on both sides: where one is made of the other, round it
# goes. The other side to be read has no such loop.
LOOP = "combinational logic loop"
EQUIV = re.compile(r"(?:^  attribute .*\n)*^  cell \$equiv \S+\n    connect \\A (.+)\n    connect \\B (.+)\n"
                   r"    connect \\Y (.+)\n  end\n", re.M)
CONSTANT = re.compile(r"1'[01]")
OUTPUT = re.compile(r"^(  wire .*?)output \d+ ", re.M)
NEAR = 64  # gates between a register and its point: those of its reset
SAMPLES = 64
ONES = 2 ** SAMPLES - 1
FEW, MANY = 1_000, 1_000_000  # ABC's conflicts for an inner node, and for a point


def side_by_side(text, reads):
    """(the RTLIL of equiv_make's module with each point's two sides as outputs, how many points). What reads a point
    reads its side `reads`: 0, the RTL's, or 1, the netlist's."""
    points = []

    def point(found):
        *sides, read = found.groups()
        points.append(sides)
        return f"  connect {read} {sides[1 if CONSTANT.fullmatch(sides[1]) else reads]}\n"

    text = EQUIV.sub(point, OUTPUT.sub(r"\1", text))
    if "cell $equiv " in text:
        raise Refusal("a point of comparison is written as no other is")
    head = text.index("\n", text.index("module \\equiv\n")) + 1
    end = text.index("\nend\n", head) + 1
    wires = "".join(f"  wire width {len(points)} output {10 ** 6 + n} \\side{n}\n" for n in range(2))
    sides = "".join(f"  connect \\side{n} {{ {' '.join(point[n] for point in reversed(points))} }}\n"
                    for n in range(2))
    return text[:head] + wires + text[head:end] + sides + text[end:], len(points)


@dataclass
class Graph:
    """An and-inverter graph. A literal is twice its node's number, and one more for its complement; 0 and 1 are the
    constants. `loads`: {register: what it loads}; `gates`: {gate: its two inputs}, inputs first."""

    inputs: list
    loads: dict
    outputs: list
    gates: dict

    def near(self, literal):
        """The one register that a literal is of, with few gates between; None where there is none or several."""
        seen, todo, found = set(), [literal & ~1], set()
        while todo:
            node = todo.pop()
            if node in seen:
                continue
            seen.add(node)
            if node in self.loads:
                found.add(node)
            todo += [pin & ~1 for pin in self.gates.get(node, ())]
            if len(seen) > NEAR or len(found) > 1:
                return None
        return found.pop() if found else None

    def value(self, literal, values):
        """A literal's samples by those of inputs and registers."""
        node = literal & ~1
        if node not in values:
            one, other = self.gates[node]
            values[node] = self.value(one, values) & self.value(other, values)
        return values[node] ^ (ONES if literal & 1 else 0)


def graph(path):
    """The Graph of an ASCII AIGER file."""
    lines = path.read_text().split("\n")
    counts = lines[0].split()
    if counts[0] != "aag" or len(counts) != 6:
        raise Refusal(f"{path}: is no and-inverter graph of inputs, registers, outputs and gates alone")
    rows = (tuple(map(int, line.split())) for line in lines[1:])
    parts = [[next(rows) for _ in range(int(count))] for count in counts[2:]]
    return Graph([row[0] for row in parts[0]], {row[0]: row[1] for row in parts[1]},
                 [row[0] for row in parts[2]], {row[0]: row[1:] for row in parts[3]})


class Same:
    """Which registers are taken for the same bit, or its complement, or a constant."""

    def __init__(self):
        self.instead = {}

    def of(self, literal):
        """What stands for a literal."""
        while literal & ~1 in self.instead:
            literal = self.instead[literal & ~1] ^ literal & 1
        return literal

    def join(self, one, other):
        """Takes two literals for the same; whether that is news."""
        one, other = sorted((self.of(one), self.of(other)))
        if one & ~1 == other & ~1:
            return False
        self.instead[other & ~1] = one ^ other & 1
        return True


def without_registers(circuit, count):
    """(what stands for each register, [the two literals of each pair to be proven])."""
    pairs = list(zip(circuit.outputs[:count], circuit.outputs[count:], strict=True))
    samples = random.Random(0)
    given = {0: 0, **{node: samples.getrandbits(SAMPLES) for node in [*circuit.inputs, *circuit.loads]}}
    same, loads = Same(), []
    for rtl, gates in pairs:
        mine, theirs = circuit.near(rtl), circuit.near(gates)
        if mine is None or (theirs is None and gates > 1):
            continue
        for complement in (0, 1):
            # A constant stands for a register as another register does.
            other = (theirs or 0) ^ complement
            values = {**given, mine: given[other & ~1] ^ (ONES if complement else 0)}
            if circuit.value(rtl, values) == circuit.value(gates, dict(given)):
                if same.join(mine, other):
                    loads.append((circuit.loads[mine],
                                  circuit.loads[theirs] ^ complement if theirs else complement))
                break
    return same, pairs + loads


def write(circuit, same, pairs, path):
    """BLIF with an output for each pair, which is 1 where its two literals differ."""
    def net(literal):
        return f"n{literal >> 1}"

    inputs = [net(node) for node in [*circuit.inputs, *circuit.loads]]
    lines = [".model points", f".inputs {' '.join(inputs)}",
             f".outputs {' '.join(f'o{n}' for n in range(len(pairs)))}", ".names n0"]
    for node, pins in circuit.gates.items():
        one, other = map(same.of, pins)
        lines += [f".names {net(one)} {net(other)} {net(node)}", f"{1 - (one & 1)}{1 - (other & 1)} 1"]
    for n, pair in enumerate(pairs):
        one, other = map(same.of, pair)
        rows = ["00 1", "11 1"] if (one ^ other) & 1 else ["01 1", "10 1"]
        lines += [f".names {net(one)} {net(other)} o{n}", *rows]
    netlist.write_whole(path, "\n".join([*lines, ".end", ""]))


def proven(abc, path, count, log, limit):
    """How many of the BLIF's outputs, `count`, are proven to be 0; `abc` is the program."""
    left = path.with_suffix(".left.blif")
    left.unlink(missing_ok=True)
    script = (f"read_blif {path}; strash; fraig -C {FEW}; write_blif {left}; orpos; print_stats; &get; "
              f"&cec -m -C {MANY}")
    with log.open("a") as file:
        try:
            subprocess.run([abc, "-c", script], stdout=file, stderr=subprocess.STDOUT, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            file.write(f"ABC took more than {limit} seconds\n")
    if "Networks are equivalent" in log.read_text():
        return count
    return len(re.findall(r"^\.names o\d+\n 0\n", left.read_text(), re.M)) if left.exists() else 0


def prove(steps, stem, abc, limit):
    """(points, points not proven) of the modules `gold` and `gate` that Yosys's `steps` make; None where the time
    comes first. Writes STEM.*."""
    sides, source, ascii_graph = (stem.with_suffix(f".points.{end}") for end in ("sides.il", "il", "aag"))
    log = stem.with_suffix(".points.log")
    if not netlist.run_steps([*steps, *HIDE, "async2sync", "opt_clean", "equiv_make gold gate equiv",
                              "hierarchy -top equiv", "opt_clean", f"write_rtlil {source}"], log, limit):
        return None
    for reads in (0, 1):
        text, count = side_by_side(source.read_text(), reads)
        if count == 0:
            raise Refusal(f"{stem.name}: Yosys compared nothing (log: {log})")
        netlist.write_whole(sides, text)
        try:
            if not netlist.run_steps([f"read_rtlil {sides}", *GRAPH, f"write_aiger -ascii {ascii_graph}"], log, limit):
                return None
            break
        except Refusal as refusal:
            if LOOP not in str(refusal):
                raise
    else:
        return None
    circuit = graph(ascii_graph)
    same, pairs = without_registers(circuit, count)
    blif = stem.with_suffix(".points.blif")
    write(circuit, same, pairs, blif)
    return len(pairs), len(pairs) - proven(abc, blif, len(pairs), log, limit)
