"""Timing and power of a mapped netlist by OpenSTA, and the nets with the largest fan-out.

A path is what a designer can follow: start and end are registers or ports by their names in the
source. An empty report is an error, never a pass."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from synth.cells import clock_gate
from synth.netlist.netlist import liberties
from tools.refusal import Refusal

HERE = Path(__file__).resolve().parent
INSTANCE = re.compile(r"^  (\S+) (\S+) +\((.*?)\);$", re.M | re.S)
CONNECTION = re.compile(r"\.(\w+)\(\s*(.*?)\s*\)(?=,?$)", re.M)
GROUPS = ("reg2reg", "in2reg", "reg2out")
IO = 0.2  # of the period: input arrival, and output required before the edge


def version():
    if shutil.which("sta") is None:
        raise Refusal("sta (OpenSTA) is missing; `./setup.sh synth` installs Debian's package opensta")
    done = subprocess.run(["sta", "-version"], capture_output=True, text=True, check=False)
    return done.stdout.split()[0] if done.stdout.split() else "unknown"


def run(netlist, technology, period, top="iommu", activity=0.0, every=False):
    """What timing.tcl prints of a netlist under the constraints (constraints.tcl): {part: text}; `every` asks for
    the worst path to each register and output too."""
    environment = dict(os.environ, CONSTRAINTS=str(HERE / "constraints.tcl"), TOP=top,
                       LIBERTIES=" ".join(f"{{{path}}}" for path in (technology.path, *liberties(Path(netlist)))),
                       NETLIST=str(netlist), GATE=technology.gate.enable if technology.gate else "",
                       PERIOD=f"{period / technology.seconds:.4f}", IO=str(IO),
                       DRIVER=technology.driving_cell,
                       LOAD=f"{20e-15 / technology.farads:g}", ACTIVITY=f"{activity:g}",
                       EVERY=str(int(every)))
    done = subprocess.run(["sta", "-exit", str(HERE / "timing.tcl")], env=environment, check=False,
                          capture_output=True, text=True)
    log = Path(f"{netlist}.timing.log")
    log.write_text(done.stdout + done.stderr)
    errors = re.findall(r"^Error: (.*)$", done.stdout + done.stderr, re.M)
    if errors:
        raise Refusal(f"OpenSTA failed: {errors[0]} (log: {log})")
    return dict(re.findall(r"^== (\w+)\n(.*?)(?=^== )", done.stdout, re.M | re.S))


def analyse(netlist, technology, period, activity, top="iommu", every=False):
    """{"groups": {group: path}, "tns_s": seconds, "power": {...}, "clock": {...} for power.py, "fmax_hz": Hz, "limit":
    group, "every": text for paths.py} for a period in seconds. The netlist's Fmax is the largest at which every group
    holds; for the groups with a port the share IO of the period is outside."""
    unit = technology.seconds
    parts = run(netlist, technology, period, top, activity, every)
    groups = {group: _path(parts.get(group, ""), unit) for group in GROUPS}
    missing = [group for group, path in groups.items() if path is None]
    if missing:
        raise Refusal(f"OpenSTA reports no path in {', '.join(missing)} (log: {netlist}.timing.log)")
    unclocked = re.search(r"There \w+ (\d+) unclocked", parts["unclocked"])
    if unclocked:
        raise Refusal(f"OpenSTA finds {unclocked[1]} registers or clock gates without a clock (log: "
                      f"{netlist}.timing.log)")
    for group, path in groups.items():
        inside = 1.0 if group == "reg2reg" else 1.0 - IO
        path["period_s"] = period - path["slack_s"] / inside
    limit = max(groups, key=lambda group: groups[group]["period_s"])
    tns = re.search(r"^tns (-?[\d.]+)", parts["summary"], re.M)
    return {"groups": groups, "limit": limit, "fmax_hz": 1 / groups[limit]["period_s"],
            "tns_s": float(tns[1]) * unit if tns else None, "power": _power(parts["power"]),
            "clock": _clock(parts["clock"], behind(netlist, technology)), "every": parts["every"]}


def _path(text, unit):
    start = re.search(r"^Startpoint: (\S+)", text, re.M)
    end = re.search(r"^Endpoint: (\S+)", text, re.M)
    slack = re.search(r"^\s*(-?[\d.]+)\s+slack", text, re.M)
    if not (start and end and slack):
        return None
    stages = re.findall(r"^.*\s(-?[\d.]+)\s+(-?[\d.]+)\s+[v^]\s+(\S+)/(\S+) \((\S+)\)$", text, re.M)
    loads = [int(n) for n in re.findall(r"^\s*(\d+)\s+[\d.]+\s+\S+ \(net\)$", text, re.M)]
    return {"from": source_name(start[1]), "to": source_name(end[1]),
            "slack_s": float(slack[1]) * unit, "cells": len({s[2] for s in stages}),
            "fanout": max(loads, default=0),
            "stages": [{"at_s": float(s[1]) * unit, "cell": s[4], "net": source_name(s[2])}
                       for s in stages]}


def source_name(cell):
    """Yosys names a cell after the wire it drives (`rename -wire`): that wire is the source's name."""
    name = cell.replace("\\", "")
    return name.removesuffix("_reg")


def _power(text):
    rows = re.findall(r"^(\w+)\s+([\d.e+-]+)\s+([\d.e+-]+)\s+([\d.e+-]+)\s+([\d.e+-]+)", text, re.M)
    return {row[0].lower(): {"internal_w": float(row[1]), "switching_w": float(row[2]),
                             "leakage_w": float(row[3]), "total_w": float(row[4])} for row in rows}


def _clock(text, behind):
    """{"total_w": what the clock costs, "gates": {clock gate: {"flops": those behind it, "flops_w", "net_w", "own_w"}}}
    where the clock goes through all gates in every cycle."""
    cost = {source_name(name): (float(internal), float(switching)) for internal, switching, name in re.findall(
        r"^ *([\d.e+-]+) +([\d.e+-]+) +[\d.e+-]+ +[\d.e+-]+ (\S+)$", text, re.M)}
    return {"total_w": sum(map(sum, cost.values())),
            "gates": {gate: {"flops": len(flops), "flops_w": sum(cost[flop][0] for flop in flops),
                             "net_w": cost[gate][1], "own_w": cost[gate][0]} for gate, flops in behind.items()}}


def behind(netlist, technology):
    """{clock gate: [the registers that it clocks]} of a mapped netlist in Verilog, by their names in the source."""
    clocks, users = {}, {}
    for cell, name, body in INSTANCE.findall(Path(netlist).read_text()) if technology.gate else ():
        if cell == technology.gate.cell:
            clocks[dict(CONNECTION.findall(body))[technology.gate.output]] = source_name(name)
        elif cell in technology.flops:
            for _, net in CONNECTION.findall(body):
                users.setdefault(net, []).append(source_name(name))
    return {gate: users[clock] for clock, gate in clocks.items()}


def fanout(netlist, technology, count=10):
    """The `count` nets with the most input pins on them, clocks and reset apart: [(net, pins)]."""
    pins = {}
    for cell, _, body in INSTANCE.findall(Path(netlist).read_text()):
        if cell not in technology.areas:
            continue
        for pin, net in CONNECTION.findall(body):
            if pin not in technology.outputs[cell] and not net[:1].isdigit():
                pins[net] = pins.get(net, 0) + 1
    ranked = sorted(((n, net) for net, n in pins.items()
                     if net not in ("clk_i", "rst_ni") and not clock_gate.register(net)), reverse=True)
    return [{"net": source_name(net.lstrip("\\")), "pins": n} for n, net in ranked[:count]]
