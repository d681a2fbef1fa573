"""What one system costs more than another, by the reports of `make synth`: area, gates, bits of state, in all
and by module.

    delta.py FROM TO [--json FILE]

The modules are compared where both reports have them (synthesis.py without --no-modules). Two of `make area` do as
well: then all is the sum of the modules, and there is no Fmax."""

import json
import sys
from pathlib import Path

from tools import json_file, output
from tools.refusal import Parser, Refusal, guarded

NHA = ("NHA prints for its buffer of 256: 1.5 KB of state (256 x 48 = 12288 bits), 48000 um2 by FabScalar, of no named "
       "process")


def read(path):
    report = json_file.read(path, "a folder of `make synth` or `make area`, or a report in one")
    try:
        best = report["best"]
        return {"system": " ".join([report["system"], *report["settings"]]),
                "library": report["library"], "fmax_hz": best.get("fmax_hz"),
                "total": {key: best[key] for key in ("area", "kge", "flops")},
                "nand2": report["nand2_area"],
                "modules": {row["module"]: row for row in report["modules"]}}
    except (KeyError, TypeError) as error:
        raise Refusal(f"{path}: is no report; allowed: what `make synth` and `make area` write") from error


def of_one_kind(before, after):
    """The reports of two folders: of whole netlists, or else of areas alone; what is no folder is itself a report."""
    if not (Path(before).is_dir() and Path(after).is_dir()):
        return before, after
    for name in ("report.json", "area.json"):
        pair = Path(before) / name, Path(after) / name
        if all(path.is_file() for path in pair):
            return pair
    raise Refusal(f"{before} and {after}: have no reports of one kind; allowed: folders in which both have one of "
                  "`make synth`, or both one of `make area`")


def compare(before, after):
    """{"total": {..}, "modules": [{"module", "area", "kge", "flops"}]}, each figure (before, after)."""
    rows = []
    for name in {**before["modules"], **after["modules"]}:
        one, other = (side["modules"].get(name, {"area": 0, "flops": 0}) for side in (before, after))
        rows.append({"module": name, "area": (one["area"], other["area"]),
                     "kge": (one["area"] / before["nand2"] / 1e3, other["area"] / after["nand2"] / 1e3),
                     "flops": (one["flops"], other["flops"])})
    rows.sort(key=lambda row: row["area"][0] - row["area"][1])
    return {"total": {key: (before["total"][key], after["total"][key]) for key in before["total"]},
            "fmax_hz": (before["fmax_hz"], after["fmax_hz"]), "modules": rows}


def line(name, row):
    area, kge, flops = row["area"], row["kge"], row["flops"]
    times = area[1] / area[0] if area[0] else None
    share = f"{'new':>8}" if times is None else f"{times:7.0f}x" if times >= 10 else f"{times - 1:+8.1%}"
    return (f"{name:30} {area[0]:11.0f} {area[1]:11.0f} {area[1] - area[0]:+11.0f} {share} "
            f"{kge[1] - kge[0]:+9.1f} {flops[0]:7d} {flops[1]:7d} {flops[1] - flops[0]:+7d}")


def text(before, after, figures):
    fmax = figures["fmax_hz"]
    lines = [f"from {before['system']} to {after['system']}, {before['library']}",
             f"{'':30} {'um2':>11} {'um2':>11} {'more':>11} {'':8} {'kGE more':>9} {'bits':>7} "
             f"{'bits':>7} {'more':>7}", line("all" if None in fmax else "all, flat", figures["total"])]
    lines += [line(row["module"], row) for row in figures["modules"] if row["area"][0] != row["area"][1]]
    if not figures["modules"]:
        lines.append("by module: not in the reports (--no-modules)")
    if None not in fmax:
        lines.append(f"Fmax {fmax[0] / 1e6:.1f} MHz to {fmax[1] / 1e6:.1f} MHz")
    return "\n".join([*lines, NHA, ""])


def main():
    parser = Parser(prog="delta.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("before", metavar="FROM", help="a folder of `make synth` or `make area`, or a report in one")
    parser.add_argument("after", metavar="TO", help="another of the same kind")
    parser.add_argument("--json", metavar="FILE", help="the same as JSON")
    options = parser.parse_args()
    files = of_one_kind(options.before, options.after)
    if options.json:
        output.spare("--json", options.json, dict(zip(("FROM", "TO"), files, strict=True)))
    before, after = map(read, files)
    if before["library"] != after["library"]:
        raise Refusal(f"{options.after}: is mapped to {after['library']}, {options.before} to "
                      f"{before['library']}; allowed: one library")
    if (before["fmax_hz"] is None) != (after["fmax_hz"] is None):
        raise Refusal(f"{options.after}: one of the two is of `make area`, the other a whole netlist; allowed: two of "
                      "one kind")
    figures = compare(before, after)
    if options.json:
        output.write("--json", options.json, json.dumps(figures, indent=1) + "\n")
    print(text(before, after, figures), end="")
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main))
