"""The figures of a synthesis run as text and as pictures."""

import json
from pathlib import Path

from synth.netlist import sram
from tools.refusal import Refusal

WHAT_IT_IS_NOT = """These figures are of synthesis alone: no placement, no wires, no clock tree, no scan, one corner
(the liberty's), clock and reset ideal. They serve to compare one design with another under the same
flow; a chip would be larger and slower."""

WHAT_AN_ESTIMATE_IS_NOT = """\
This is an estimate of area alone: each module mapped by itself for area, with no buffers and no sizes
for timing. There is no Fmax in it; `make synth` maps the whole for a period, and was 7 to 10 % larger at the papers'
sizes (baseline, nha, mesc, nha_mesc)."""


def _cells(module, technology):
    """{cell: count} of a module's own library cells."""
    return {cell: int(count["local_count"]) for cell, count in module["num_cells_by_type"].items()
            if cell in technology.areas}


def _sizes(cells, technology):
    """Area (of all, of flip-flops, of clock gates), cells, flops and gates."""
    flops = {cell: n for cell, n in cells.items() if cell in technology.flops}
    gates = cells.get(technology.gate.cell, 0) if technology.gate else 0
    return {"area": sum(n * technology.areas[cell] for cell, n in cells.items()),
            "area_flops": sum(n * technology.areas[cell] for cell, n in flops.items()),
            "area_gates": gates * technology.gate.area if gates else 0.0,
            "cells": sum(cells.values()), "flops": sum(flops.values()), "gates": gates}


def areas(stem, technology):
    """The sizes of a flat netlist, in which no latch may be but in clock gates, with its macros and its gate
    equivalents."""
    design = json.loads(Path(f"{stem}.stat.json").read_text())["design"]
    cells = _cells(design, technology)
    sizes = _sizes(cells, technology)
    latches = {cell: n for cell, n in cells.items() if cell in technology.latches}
    if latches:
        raise Refusal(f"latches in the netlist: {sum(latches.values())} of {', '.join(sorted(latches))}; "
                      "allowed: none")
    return {**totals(sizes, sram.read(Path(stem)), technology), "cell_types": sorted(cells)}


def totals(sizes, macros, technology):
    """The sizes of cells (`_sizes`), with the macros beside them and the gate equivalents of all."""
    area_sram = sum(macro["area"] for macro in macros)
    return {**sizes, "latches": 0, "macros": macros,
            "sram_bits": sum(m["words"] * m["lanes"] * m["width"] for m in macros),
            "area_sram": area_sram, "area_logic": sizes["area"] - sizes["area_flops"] - sizes["area_gates"],
            "area": sizes["area"] + area_sram,
            "kge": (sizes["area"] + area_sram) / technology.nand2 / 1e3}


def estimate(rows, macros, technology):
    """The sizes of a design by those of its modules, and its macros."""
    sizes = {key: sum(row[key] for row in rows)
             for key in ("area", "area_flops", "area_gates", "cells", "flops", "gates")}
    return totals(sizes, macros, technology)


def module_cells(stat, technology):
    """{module: {cell: count}} of a netlist with its hierarchy, each module without its children."""
    modules = json.loads(Path(stat).read_text())["modules"]
    return {name.lstrip("\\"): _cells(module, technology) for name, module in modules.items()}


def module_areas(modules, technology):
    """The sizes of each module of the source, all its instances together, of {instance: {cell: count}}."""
    rows = {}
    for name, cells in modules.items():
        row = rows.setdefault(name.split("$")[0], {"instances": 0})
        row["instances"] += 1
        for key, value in _sizes(cells, technology).items():
            row[key] = row.get(key, 0) + value
    return sorted(({"module": name, **row} for name, row in rows.items()), key=lambda r: -r["area"])


def trial(figures):
    """One mapping: what it was for and what it reached."""
    return (f"mapped for {figures['target_s'] * 1e9:.3f} ns: {1e9 / figures['fmax_hz']:.3f} ns, "
            f"{figures['fmax_hz'] / 1e6:.1f} MHz, {figures['area']:.0f} um2, "
            f"{figures['mapped_parts']} of {figures['parts']} parts mapped, {figures['seconds']:.0f} s")


def _source(figures):
    run = figures["activity_run"]
    return "" if run is None else (
        f":\n            the mean of {run['matched']} of {run['registers']} registers over "
        f"{run['cycles']} cycles of {run['waves']}")


def power(figures):
    """The line of power."""
    return (f"power       {1e3 * figures['best']['power']['total']['total_w']:14.1f} mW at that period, "
            f"{figures['activity']:.3g} transitions of a net in a cycle{_source(figures)}")


def clock(figures):
    """The lines of the clock's part of the power."""
    row, run = figures["best"]["power"]["clock"], figures["activity_run"]
    source = ("by guess, twice the transitions" if run is None else "in that run" +
              (f", {run['unknown_gates']} gates taken to be open" if run["unknown_gates"] else ""))
    return (f"  clock     {1e3 * row['total_w']:14.1f} mW of it: {row['flops']} of {figures['best']['flops']} "
            f"flip-flops behind gates, clocked in {row['open']:.1%} of the cycles ({source});\n"
            f"            {1e3 * row['free_w']:.1f} mW at the others, {1e3 * row['gates_w']:.1f} mW in the gates")


def _heading(figures):
    return [" ".join(["system", figures["system"], *figures["settings"], "at revision",
                      figures["revision"]]),
            f"library {figures['library']} ({figures['liberty']}), "
            + ", ".join(f"{tool} {v}" for tool, v in figures["versions"].items()), ""]


def _areas(figures):
    best = figures["best"]
    return [f"area        {best['area']:14.0f} um2 {best['kge']:9.1f} kGE"
            f"   (1 GE = {figures['nand2_area']:g} um2)",
            f"  flip-flops{best['area_flops']:14.0f} um2 {best['flops']:9d} bits of state",
            f"  latches   {best['latches']:32d}",
            f"  clock gates{best['area_gates']:13.0f} um2 {best['gates']:9d} of {figures['gate'] or 'none'}",
            f"  logic     {best['area_logic']:14.0f} um2 {best['cells'] - best['flops'] - best['gates']:9d} cells",
            f"  SRAM      {best['area_sram']:14.0f} um2 {best['sram_bits']:9d} bits in "
            f"{len(best['macros'])} arrays"]


def _macros(figures):
    macros = figures["best"]["macros"]
    return [] if not macros else ["", "arrays in memory macros (synth/netlist/sram.py), words x lanes x bits"] + [
        f"  {m['words']:5d} x {m['lanes']:2d} x {m['width']:3d} {m['area']:10.0f} um2  "
        f"{m['instance'].removesuffix('.gen_macro.u_array')}" for m in macros]


def _modules(figures):
    total = sum(row["area"] for row in figures["modules"])
    return [f"  {'module':30} {'x':>3} {'um2':>10} {'share':>6} {'bits':>7}"] + [
        f"  {row['module']:30} {row['instances']:3d} {row['area']:10.0f} {row['area'] / total:6.1%} "
        f"{row['flops']:7d}" for row in figures["modules"] if row["area"] >= 0.002 * total]


def estimate_text(figures):
    """The report of area.py."""
    return "\n".join([WHAT_IT_IS_NOT, WHAT_AN_ESTIMATE_IS_NOT, "", *_heading(figures), *_areas(figures),
                      *_macros(figures), "", "area by module, without macros", *_modules(figures), "",
                      f"{figures['mapped']} of {sum(row['instances'] for row in figures['modules'])} modules mapped, "
                      "the others are known from them or from before; "
                      f"{figures['seconds']:.0f} s", ""])


def text(figures):
    """The report of synthesis.py."""
    best = figures["best"]
    lines = [WHAT_IT_IS_NOT, "", *_heading(figures), *_areas(figures),
             f"Fmax        {best['fmax_hz'] / 1e6:14.1f} MHz, limited by {best['limit']}; mapped for "
             f"{best['target_s'] * 1e9:.2f} ns",
             power(figures), clock(figures), ""]
    for group, path in best["groups"].items():
        lines.append(f"{group}  {path['period_s'] * 1e9:.3f} ns, {path['cells']} cells, "
                     f"fan-out {path['fanout']}: {path['from']} -> {path['to']}")
    allowed = figures["trials_allowed"]
    lines += ["", "Fmax at one guess: no search (--trials N makes one)" if allowed == 1 else
              f"Fmax by search, {len(figures['trials'])} of at most {allowed} trials"]
    lines += [f"  {trial(one)}" for one in figures["trials"]]
    lines += ["", "largest fan-out: of the source's nets in generic gates, before buffer trees; and of the "
              "netlist's, in pins"]
    lines += [f"  {loads:6d}  {net:52} {row['pins']:6d}  {row['net']}"
              for (net, loads), row in zip(figures["source_fanout"], figures["fanout"], strict=True)]
    lines += _macros(figures)
    if figures["modules"]:
        total = sum(row["area"] for row in figures["modules"])
        lines += ["", f"area by module, hierarchy kept ({total:.0f} um2 in all; the netlist above is "
                  "flat)", *_modules(figures)]
    lines += ["", f"{figures['seconds']:.0f} s", ""]
    return "\n".join(lines)


def area_picture(figures, path):
    """Area by module: flip-flops and logic."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    total = sum(row["area"] for row in figures["modules"])
    rows = [row for row in figures["modules"] if row["area"] >= 0.005 * total][::-1]
    figure, axis = plt.subplots(figsize=(8, 0.3 * len(rows) + 1.2))
    names = [row["module"] for row in rows]
    places = range(len(rows))
    flops = [row["area_flops"] / 1e3 for row in rows]
    axis.barh(places, flops, label="flip-flops", color="C0")
    axis.barh(places, [row["area"] / 1e3 - f for row, f in zip(rows, flops, strict=True)], left=flops,
              label="logic", color="C1")
    axis.set_yticks(places, names, fontsize=7)
    axis.set_xlabel("area (1000 um2)")
    axis.set_title(f"{figures['system']}, {figures['library']}", fontsize=9)
    axis.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
