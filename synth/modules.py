"""A design's modules mapped for area alone, each kept by what it is in build/synth/areas: a design maps anew only
the modules that no design before it had.

A module is known by its RTLIL, and by all that maps it. Of its text, where it stands in the source and how Yosys
numbers its nets say nothing of its logic and are left out; of its children, the ports are told and no more. So
instances that are alike are one, in a design as between designs. Each is mapped in a process of its own
(netlist.run_steps): beside others it would differ by some cells."""

import concurrent.futures
import hashlib
import json
import re
import shutil

from synth import report
from synth.netlist import netlist

MODULE = re.compile(r"^((?:attribute .*\n)*)module \\(\S+)\n((?:.*\n)*?)end\n", re.M)
NOISE = re.compile(r"^ *attribute \\(?:src|hdlname) .*\n", re.M)
PORT = re.compile(r"^  wire .*(?:input|output|inout) \d+ \\\S+\n", re.M)
CHILD = re.compile(r"^  cell \\(\S+)", re.M)
NUMBERED = re.compile(r"^  (?:wire|cell)\b.* (\$\S+)$", re.M)
SIGNAL = re.compile(r"(?<=[ \n])\$\S+")


def mapped(text, technology, kept, folder, processes=netlist.AT_ONCE):
    """({instance: {library cell: count}} of the modules of an RTLIL, each without its children, how many of them had
    to be mapped): these in `folder`, in so many processes side by side, and kept in the folder `kept`."""
    found = {name: (head, NOISE.sub("", body)) for head, name, body in MODULE.findall(text)}
    boxes = {name: _box(name, body) for name, (_, body) in found.items()}
    bodies = {name: _alike(body, boxes) for name, (head, body) in found.items() if r"\blackbox" not in head}
    flow = _flow(technology)
    keys = {name: hashlib.sha256(f"{flow}\n{body}".encode()).hexdigest()[:32] for name, body in bodies.items()}
    missing = {keys[name]: body for name, body in bodies.items() if not (kept / f"{keys[name]}.json").exists()}

    def alone(key, body):
        """A module and what it must know of its children."""
        children = dict(boxes.values())
        return "".join([*(children[name] for name in sorted(set(CHILD.findall(body)))), f"module \\{key}\n{body}end\n"])

    def make(n, chosen):
        stem = folder / f"modules{n}"
        parts = stem.with_suffix(".parts")
        parts.mkdir(exist_ok=True)
        steps = netlist.area_steps(technology, stem)
        for key in chosen:
            (parts / f"{key}.il").write_text(alone(key, missing[key]))
        netlist.run_steps([[f"read_rtlil {parts / key}.il", *netlist.GENERIC, *steps,
                            netlist.counted(technology, parts / key)] for key in chosen], stem.with_suffix(".log"))
        for key in chosen:
            cells = report.module_cells(parts / f"{key}.stat.json", technology)
            netlist.write_whole(kept / f"{key}.json", json.dumps(cells[key]))
        shutil.rmtree(parts)

    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        list(pool.map(make, range(processes), _shares(missing, processes)))
    return {name: json.loads((kept / f"{key}.json").read_text()) for name, key in keys.items()}, len(missing)


def _box(name, body):
    """(name, RTLIL) of a module as its parents see it: one for all that have these ports."""
    ports = "".join(PORT.findall(body))
    name = f"{name.split('$')[0]}${hashlib.sha256(ports.encode()).hexdigest()[:16]}"
    return name, f"attribute \\blackbox 1\nmodule \\{name}\n{ports}end\n"


def _alike(body, boxes):
    """A module's text, the same for all that are the same."""
    body = CHILD.sub(lambda cell: f"  cell \\{boxes[cell[1]][0]}", body)
    order = {name: f"$n{n}" for n, name in enumerate(dict.fromkeys(NUMBERED.findall(body)))}
    return SIGNAL.sub(lambda signal: order.get(signal[0], signal[0]), body)


def _flow(technology):
    """All but its text that the area of a module depends on."""
    return json.dumps(["each module alone", netlist.version(), netlist.GENERIC, netlist.gates(technology),
                       (netlist.CELLS / "abc_area.script").read_text(),
                       hashlib.sha256(technology.path.read_bytes()).hexdigest(), technology.dont_use])


def _shares(texts, most):
    """The keys of texts in at most `most` lists of nearly one length in all."""
    shares = [[] for _ in range(most)]
    for key in sorted(texts, key=lambda key: -len(texts[key])):
        min(shares, key=lambda share: sum(len(texts[k]) for k in share)).append(key)
    return [share for share in shares if share]
