"""Cuts a flat netlist's logic into parts that ABC maps side by side.

The cuts are at registers: a part is all the logic before some registers and outputs, so each path from
register to register lies whole in one part, and is mapped as it would be in one piece. What several parts
want, each has for itself; registers that share much are therefore kept together. The enable of a clock gate goes
with the register that the gate is named after."""

import re
from collections import Counter

import numpy

from synth.cells import clock_gate, delays

CHUNK = 512  # bits of a register that stay together
SMALLEST = 10_000  # gates that a part may always have, and by what steps it may have more
STEP = 1.5
REPEATED = 0.1  # of all gates, how many may be there twice

WIRE = re.compile(r"^  wire (?:width (\d+) )?(?:(input|output) \d+ )?(\S+)$", re.M)
CELL = re.compile(r"^(?:  attribute .*\n)*  cell (\S+) (\S+)\n((?:    .*\n)*)  end\n", re.M)
PIN = re.compile(r"^    connect (\S+) (.+)$", re.M)
ALIAS = re.compile(r"^  connect (\{.*\}|\S+(?: \[[\d:]+\])?) (.+)$", re.M)
BITS = re.compile(r"(\d+)'([01xz-]+)|([\\$]\S+)(?: \[(\d+)(?::(\d+))?\])?")


class Netlist:
    """One flat module as Yosys writes it: `gates` are its own ($_AND_ ..) as (type, pins), `drivers` says
    which gate drives a net, and `ends` which of those nets registers, outputs, macros and clock gates take, by their
    bits' names."""

    def __init__(self, text):
        self.text = text
        self.gates, self.drivers, taken = [], {}, []
        known = widths(text)
        for kind, name, body in CELL.findall(text):
            pins = dict(PIN.findall(body))
            if kind.startswith("$_"):
                self.drivers[pins["\\Y"]] = len(self.gates)
                self.gates.append((kind, pins))
            else:
                # A register by its output's name, a clock gate by its own, a macro by its pin's.
                own = f"\\{name[1:]}" if clock_gate.register(name) else pins.get("\\Q")
                taken += [(net, own or f"{name}.{pin} [{n}]") for pin, signal in pins.items()
                          for n, net in enumerate(bits(signal, known))]
        taken += self._outputs(known)
        self.ends = {}
        for net, end in taken:
            if net in self.drivers:
                self.ends.setdefault(net, []).append(end)
        self.inputs = [[self.drivers[net] for pin, net in pins.items()
                        if pin != "\\Y" and net in self.drivers] for _, pins in self.gates]

    def _outputs(self, known):
        """(net, port's bit) of the module's outputs, which may be aliases of what drives them."""
        ports = {name for _, direction, name in WIRE.findall(self.text) if direction == "output"}
        for port in ports:
            yield from ((bit, bit) for bit in bits(port, known))
        for alias, driver in ALIAS.findall(self.text):
            for left, right in zip(bits(alias, known), bits(driver, known), strict=True):
                if left.split(" ")[0] in ports:
                    yield right, left

    def users(self):
        """For each gate the set of groups of ends that it is in the logic of, as the bits of a number, and
        each group's ends. A group is a register or port, or CHUNK bits of it."""
        groups = {}
        for net, ends in self.ends.items():
            name, bit = clock_gate.register(ends[-1]) or place(ends[-1])
            groups.setdefault((name, bit // CHUNK), []).append(net)
        users = [0] * len(self.gates)
        for n, nets in enumerate(groups.values()):
            for net in nets:
                users[self.drivers[net]] |= 1 << n
        for gate in reversed(self.order()):
            for source in self.inputs[gate]:
                users[source] |= users[gate]
        return users, list(groups.values())

    def fanout(self, count=10):
        """[(net of the source, gates that it goes to)], the most first."""
        loads = Counter(net for _, pins in self.gates for pin, net in pins.items()
                        if pin != "\\Y" and net.startswith("\\"))
        return [(net.lstrip("\\").replace(" ", ""), n) for net, n in loads.most_common(count)]

    def order(self, roots=None):
        """The gates, each after those that drive it; with `roots` only these and those that they need."""
        order, seen = [], bytearray(len(self.gates))
        for root in range(len(self.gates)) if roots is None else roots:
            stack = [] if seen[root] else [(root, iter(self.inputs[root]))]
            seen[root] = 1
            while stack:
                gate, sources = stack[-1]
                below = next((source for source in sources if not seen[source]), None)
                if below is None:
                    order.append(gate)
                    stack.pop()
                else:
                    seen[below] = 1
                    stack.append((below, iter(self.inputs[below])))
        return order


def widths(text):
    """{wire: its bits} of a module."""
    return {name: int(width or 1) for width, _, name in WIRE.findall(text)}


def bits(signal, known):
    """The single bits of a signal as they stand in cells, the lowest first; `known`: the widths."""
    found = []
    for width, constant, name, high, low in BITS.findall(signal):
        if constant:  # of one digit where all are like it
            part = [f"1'{bit}" for bit in constant.rjust(int(width), constant[0])]
        elif high:
            part = [f"{name} [{n}]" for n in range(int(high), int(low or high) - 1, -1)]
        elif known.get(name, 1) > 1:
            part = [f"{name} [{n}]" for n in range(known[name] - 1, -1, -1)]
        else:
            part = [name]
        found += part
    return found[::-1]


def place(bit):
    """(name, number) of a register's or port's bit."""
    name, _, number = bit.partition(" ")
    return name, int(number.strip("[]") or 0)


def choose(users, count):
    """Which groups go together: small parts, but not so small that they repeat much."""
    limit, sizes = SMALLEST, Counter(users)
    while True:
        parts = merged(sizes, count, limit)
        total = sum(size for kind, size in sizes.items() for part in parts if kind & part)
        if total <= (1 + REPEATED) * len(users):
            return parts
        limit *= STEP


def merged(kinds, count, limit):
    """Which groups go together, [set of groups as the bits of a number]: those that share most first, while
    they have no more than `limit` gates in all; then the small ones, so that parts are few. `kinds` is
    {groups that a gate is wanted by: how many gates}."""
    weights = numpy.array(list(kinds.values()), dtype=float)
    member = numpy.array([[kind >> n & 1 for kind in kinds] for n in range(count)], dtype=float)
    shared = (member * weights) @ member.T
    parts = [1 << n for n in range(count)]
    while True:
        sizes = numpy.diag(shared)
        together = sizes[:, None] + sizes - shared
        # Of the pairs that fit, the one that shares most; where none shares, the smallest.
        value = numpy.where(numpy.tri(len(parts), k=-1) * (together <= limit),
                            shared + 1 / (1 + together), 0)
        one, other = numpy.unravel_index(numpy.argmax(value), value.shape)
        if value[one, other] == 0:
            return parts
        member[one] = numpy.maximum(member[one], member[other])
        member = numpy.delete(member, other, axis=0)
        parts[one] |= parts[other]
        del parts[other]
        shared = numpy.delete(numpy.delete(shared, other, axis=0), other, axis=1)
        one -= one > other
        shared[one] = shared[:, one] = member @ (weights * member[one])


def split(flat, folder):
    """Cuts a Netlist into FOLDER/part0.il .. and FOLDER/rest.il, which is the registers with the
    parts' instances: (rest's path, {part's path: its gates}, {end: the part before it}, the source's largest
    fan-outs), an end being a register's or output's bit by its name in the source."""
    users, groups = flat.users()
    instances, sizes, before = [], {}, {}
    for n, part in enumerate(choose(users, len(groups))):
        gates = [gate for gate, wanted in zip(flat.gates, users, strict=True) if wanted & part]
        ends = [net for g, nets in enumerate(groups) if part >> g & 1 for net in nets]
        path = folder / f"part{n}.il"
        ports = write_part(path, f"\\part{n}", gates, ends)
        sizes[path] = len(gates)
        before.update((source_name(*place(end)), path) for net in ends for end in flat.ends[net])
        instances += [f"  cell \\part{n} $part{n}\n",
                      *(f"    connect {port} {net}\n" for net, port in ports), "  end\n"]
    rest = CELL.sub(lambda cell: "" if cell[1].startswith("$_") else cell[0], flat.text)
    end = rest.rindex("end\n")
    path = folder / "rest.il"
    path.write_text("".join([rest[:end], *instances, rest[end:]]))
    return path, sizes, before, flat.fanout()


def source_name(name, number):
    """Of a bit of place(); a register of one bit is its bit 0."""
    return f"{name.lstrip(chr(92))}[{number}]"


def write_part(path, name, gates, ends):
    """Writes a part as a module of its own; its ports as [(net outside, port)]."""
    own = {}
    for n, net in enumerate(ends):
        own[net] = f"\\o{n}"
    for n, (_, pins) in enumerate(gates):
        own.setdefault(pins["\\Y"], f"$n{n}")
    inputs = dict.fromkeys(net for _, pins in gates for net in pins.values()
                           if net not in own and net[0] in "\\$")
    own.update((net, f"\\i{n}") for n, net in enumerate(inputs))
    with path.open("w") as file:
        file.write(f"module {name}\n")
        for n, net in enumerate([*inputs, *ends], 1):
            file.write(f"  wire {'input' if net in inputs else 'output'} {n} {own[net]}\n")
        file.writelines(f"  wire {wire}\n" for wire in own.values() if wire.startswith("$"))
        for n, (kind, pins) in enumerate(gates):
            file.write(f"  cell {kind} $g{n}\n")
            file.writelines(f"    connect {pin} {own.get(net, net)}\n" for pin, net in pins.items())
            file.write("  end\n")
        file.write("end\n")
    return [(net, own[net]) for net in [*inputs, *ends]]


INSTANCE = re.compile(r"^  cell \\(part\d+) \S+\n((?:    .*\n)*)  end\n", re.M)
DATA = "\\D"  # a register's data pin, in every library met
LOAD = re.compile(r"^    connect \\(\w+) \\(i\d+)$", re.M)


def join(rest, parts, technology, limit, to):
    """Writes REST as TO with buffers before parts that are mapped, on nets that have more than `limit` loads in
    all their parts together, and before registers: a part knows of its own loads only."""
    loads = {path.stem: _loads(path.read_text(), technology) for path in parts}
    users = {}
    text = rest.read_text()
    for part, body in INSTANCE.findall(text):
        for port, net in PIN.findall(body):
            if port.lstrip("\\") in loads[part]:
                users.setdefault(net, []).append((len(loads[part][port.lstrip("\\")]), part, port))
    buffered, cells = {}, []
    for net, places in users.items():
        root = sum(count for count, _, _ in places)
        for count, part, port in sorted(places, reverse=True):
            if root <= limit or count == 1:
                break
            root += 1 - count
            buffered[part, port] = f"$part_buffer{len(cells)}"
            cells.append(buffer(net, buffered[part, port], sum(loads[part][port.lstrip("\\")]),
                                technology))

    def connect(instance):
        part = instance[1]
        return PIN.sub(lambda pin: f"    connect {pin[1]} {buffered.get((part, pin[1]), pin[2])}",
                       instance[0])

    text, spread_wires, spread_cells = spread(INSTANCE.sub(connect, text), technology, limit)
    cells += spread_cells
    end = text.rindex("end\n")
    wires = [f"  wire {name}\n" for name in [*buffered.values(), *spread_wires]]
    start = re.search(r"^module .*\n", text, re.M).end()
    to.write_text("".join([text[:start], *wires, text[start:end], *cells, text[end:]]))


def spread(text, technology, limit):
    """(TEXT, wires, cells) with trees of buffers between a net and the data pins of more than `limit` registers: where
    a clock gate takes the place of multiplexers, a net goes to all registers that keep it."""
    users = {}
    for kind, name, body in CELL.findall(text):
        if kind.lstrip("\\") in technology.flops:
            net = dict(PIN.findall(body)).get(DATA, "")
            if net[:1] in ("\\", "$"):
                users.setdefault(net, []).append(name)
    pin = technology.delays[technology.register]["pins"][DATA.lstrip("\\")]
    moved, wires, cells = {}, [], []

    def drive(net, registers):
        if len(registers) <= limit:
            moved.update((register, net) for register in registers)
            return
        branches = min(limit, -(-len(registers) // limit))
        for n in range(branches):
            below = registers[n::branches]
            wires.append(f"$spread{len(wires)}")
            own = wires[-1]
            load = len(below) if len(below) <= limit else min(limit, -(-len(below) // limit))
            cells.append(buffer(net, own, load * pin, technology))
            drive(own, below)

    for net, registers in users.items():
        if len(registers) > limit:
            drive(net, registers)

    def connect(cell):
        net = moved.get(cell[2])
        return cell[0] if net is None else re.sub(r"^    connect \\D .*$", lambda _: f"    connect {DATA} {net}",
                                                  cell[0], flags=re.M)

    return CELL.sub(connect, text), wires, cells


def _loads(text, technology):
    """{input of a mapped part: the capacitances of the pins on it}."""
    found = {}
    for kind, _, body in CELL.findall(text):
        pins = technology.delays.get(kind.lstrip("\\"), {"pins": {}})["pins"]
        for pin, port in LOAD.findall(body):
            found.setdefault(port, []).append(pins.get(pin, 0.0))
    return found


def buffer(net, to, load, technology):
    """The fastest buffer into a load, as a cell from `net` to the wire `to`."""
    cell = min(technology.buffers, key=lambda name: delays.delay(technology.delays[name], load))
    model = technology.delays[cell]
    return (f"  cell \\{cell} {to}_cell\n    connect \\{next(iter(model['pins']))} {net}\n"
            f"    connect \\{model['output']} {to}\n  end\n")
