"""Buffer trees for the nets of a mapped netlist with many loads; ABC calls it between mapping and sizing.

    fanout.py JOB.json

The netlist comes and goes as ABC's BLIF of library gates in topological order. A net's loads are merged,
those with the shortest way still to go first, under buffers until few enough are left for the driver: the
least possible worst way for a given delay of a buffer (Golumbic 1976), so a balanced tree where all loads
are alike, and critical loads near the root where they are not. A register's output is an input here."""

import heapq
import json
import sys
import typing
from pathlib import Path

from synth.cells import delays

# What ABC adds to the library: the gates _const0_ and _const1_.
CONSTANT = {"pins": {}, "loads": [], "delays": []}


# A buffer counts this many times its delay where loads are merged, so that loads of nearly the same
# urgency make a balanced tree and no chain; and the share of the longest path within which a net is critical.
CAUTION = 3
CRITICAL = 0.2


class Load(typing.NamedTuple):
    """A pin on a net: the time from it to the end of its longest path, and its capacitance. `cell` is
    the gate's number, or the name of a new buffer that drives `loads`, or None for an output."""

    way: float
    capacitance: float
    cell: object
    pin: str
    loads: tuple


class Trees:
    """What buffers there are, and the trees made of them."""

    def __init__(self, library, buffers, limit):
        self.library, self.limit = library, limit
        self.buffers = [(name, *next(iter(library[name]["pins"].items()))) for name in buffers]
        # What a step up in a buffer's input capacitance costs the buffer that drives it.
        middle = library[buffers[len(buffers) // 2]]
        self.resistance = ((delays.delay(middle, middle["loads"][-1]) - delays.delay(middle, 0)) /
                           middle["loads"][-1])
        self.chosen = {}

    def buffer(self, load):
        """The buffer that is fastest into a load, its own input's burden counted: (name, pin, input
        capacitance, delay)."""
        key = round(load, 4)
        if key not in self.chosen:
            costs = [(delays.delay(self.library[name], load) + self.resistance * capacitance, n)
                     for n, (name, _, capacitance) in enumerate(self.buffers)]
            name, pin, capacitance = self.buffers[min(costs)[1]]
            self.chosen[key] = (name, pin, capacitance, delays.delay(self.library[name], load))
        return self.chosen[key]

    def grow(self, loads):
        """Merges `loads`, [Load], into at most `limit`, outputs of the netlist apart: such a one is its
        net by name and stays at the root."""
        if len(loads) <= self.limit:
            return loads
        fixed = [load for load in loads if load.cell is None]
        loads = [load for load in loads if load.cell is not None]
        heap = [(load.way, n, load) for n, load in enumerate(loads)]
        heapq.heapify(heap)
        made = len(heap)
        # The first group takes what does not divide, so that all the others, nearer the root, are full.
        size = (len(heap) - self.limit - 1) % (self.limit - 1) + 2
        while len(heap) > self.limit:
            group = [heapq.heappop(heap) for _ in range(size)]
            tree = self.tree([load for _, _, load in group])
            made += 1
            heapq.heappush(heap, (group[-1][0] + CAUTION * (tree.way - furthest(tree.loads)),
                                  made, tree))
            size = self.limit
        return fixed + [load for _, _, load in heap]

    def relieve(self, root, driver):
        """Moves to a buffer as many loads, those with the shortest way first, as make the longest way
        from the driver's input the shortest."""
        root = sorted(root, key=lambda load: (load.cell is None, load.way), reverse=True)
        best, least = root, delays.delay(driver, burden(root)) + furthest(root)
        for n in range(len(root) - 1):
            if root[n].cell is None:
                continue
            split = [*root[:n], self.tree(root[n:])]
            time = delays.delay(driver, burden(split)) + furthest(split)
            if time < least:
                best, least = split, time
        return best

    def tree(self, loads):
        name, pin, capacitance, time = self.buffer(burden(loads))
        return Load(time + furthest(loads), capacitance, name, pin, loads)


class Blif:
    """ABC's BLIF: gates as [cell, {pin: net}], the ports as they stand in the text."""

    def __init__(self, path):
        self.gates, self.ports = [], {".model": [], ".inputs": [], ".outputs": []}
        text = Path(path).read_text().replace("\\\n", " ")
        for line in text.splitlines():
            words = line.split()
            if words and words[0] == ".gate":
                self.gates.append([words[1], dict(word.split("=") for word in words[2:])])
            elif words and words[0] in self.ports:
                self.ports[words[0]] = words[1:]
            elif words and words[0] != ".end" and not line.startswith("#"):
                raise SystemExit(f"fanout.py: {path}: does not know \"{line}\"")

    def write(self, path):
        with Path(path).open("w") as file:
            for key, names in self.ports.items():
                file.write(f"{key} {' '.join(names)}\n")
            for cell, pins in self.gates:
                file.write(f".gate {cell} {' '.join(f'{pin}={net}' for pin, net in pins.items())}\n")
            file.write(".end\n")


class Network:
    """A netlist and, for each net, what its driver has on it: loads and buffers that drive more."""

    def __init__(self, blif, library, trees, register):
        self.blif, self.library, self.trees = blif, library, trees
        # What the netlist's inputs come from and its outputs go to, nearly all of them.
        self.register = register
        self.roots = {}

    def models(self):
        """(gate's number, cell's delays, output net, [(pin, net)]) in topological order."""
        for n, (cell, pins) in enumerate(self.blif.gates):
            model = self.library.get(cell, CONSTANT)
            inputs = [(pin, net) for pin, net in pins.items() if pin in model["pins"]]
            output = next(net for pin, net in pins.items() if pin not in model["pins"])
            yield n, model, output, inputs

    def grow(self, critical=frozenset()):
        """Trees for all nets from the outputs backward, so that a load's way to go counts its trees. The
        drivers of critical nets are relieved of uncritical loads."""
        sinks, end = {}, max(self.register["pins"].values())
        for net in self.blif.ports[".outputs"]:
            sinks.setdefault(net, []).append(Load(0.0, end, None, None, ()))
        for n, model, output, inputs in reversed(list(self.models())):
            root = self._root(output, sinks, model, critical)
            way = furthest(root) + delays.delay(model, burden(root))
            for pin, net in inputs:
                sinks.setdefault(net, []).append(Load(way, model["pins"][pin], n, pin, ()))
        for net in self.blif.ports[".inputs"]:
            self._root(net, sinks, self.register, critical)

    def _root(self, net, sinks, driver, critical):
        root = self.trees.grow(sinks.pop(net, []))
        if net in critical:
            root = self.trees.relieve(root, driver)
        self.roots[net] = root
        return root

    def critical(self, share):
        """The nets whose slack is less than `share` of the longest path."""
        arrival, within = {}, {}
        for net in self.blif.ports[".inputs"]:
            arrival[net] = delays.delay(self.register, burden(self.roots[net]))
            spread(self.roots[net], 0.0, within)
        longest = 0.0
        for n, model, output, inputs in self.models():
            start = max((arrival[net] + within[n, pin] for pin, net in inputs), default=0.0)
            root = self.roots[output]
            arrival[output] = start + delays.delay(model, burden(root))
            longest = max(longest, arrival[output] + furthest(root))
            spread(root, 0.0, within)
        return {net for net, time in arrival.items()
                if time + furthest(self.roots[net]) > (1 - share) * longest}

    def connect(self):
        """Puts the trees into the netlist."""
        for net, root in self.roots.items():
            for load in root:
                self._connect(load, net)

    def _connect(self, load, net):
        if not load.loads:
            if load.cell is not None:
                self.blif.gates[load.cell][1][load.pin] = net
            return
        own = f"fanout{len(self.blif.gates)}"
        self.blif.gates.append([load.cell, {load.pin: net, self.library[load.cell]["output"]: own}])
        for below in load.loads:
            self._connect(below, own)


def furthest(loads):
    return max((load.way for load in loads), default=0.0)


def burden(loads):
    return sum(load.capacitance for load in loads)


def spread(loads, time, within):
    """Notes how long the trees take from their root to each gate's pin."""
    for load in loads:
        if load.loads:
            spread(load.loads, time + load.way - furthest(load.loads), within)
        else:
            within[load.cell, load.pin] = time


def main(path):
    job = json.loads(Path(path).read_text())
    library = job["library"]
    blif = Blif(job["from"])
    network = Network(blif, library, Trees(library, job["buffers"], job["limit"]),
                      library[job["register"]])
    network.grow()
    network.grow(network.critical(CRITICAL))
    network.connect()
    blif.write(job["to"])


if __name__ == "__main__":
    main(sys.argv[1])
