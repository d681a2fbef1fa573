"""A paper's plan (papers/*.yaml): its kernels, the runs and the figures that are made of them; what it may hold.

  paper     its name
  kernels   classes of kernels: {class: [kernel, ..]}; a kernel may be of several
  options   {kernel: options of `lockwalk model`}, where a size is not the program's default
  quick     {kernel: options that cut it}, for a look in minutes instead of a night
  long      {kernel: options that cut it} without `quick`, where the whole kernel would take days
  kernels_of  in place of these four, a plan beside this one that says them
  set       settings of all points: [key=value, ..]
  energy    the table of energies of all points, which values of energy need
  points    {point: {system: NAME, set: [key=value, ..]}}, each run on every kernel that a figure wants of it
  figures   a list of
    figure    its name in the paper
    says      what the value is, in words
    value     one of VALUES
    of        the classes that it is about; all where it is left out
    bars      {bar: [point]}, or {bar: [point, the one that it is relative to]}
    printed   what the paper prints: {bar, of: a class or a kernel, value, note}"""

import shlex
from dataclasses import dataclass
from pathlib import Path

from tools.plan_file import POINT, ask, once
from tools.refusal import Refusal
from tools.schema import ABOVE_ZERO, TEXT, TEXTS, WORDS, each, fits, keys, many
from tools.yaml_file import read


def ratio(part, rest):
    """None where there is nothing to divide, or to divide by."""
    return part / rest if rest and part is not None else None


def hits(part):
    return None if part is None else ratio(part["hits"], part["hits"] + part["misses"])


@dataclass(frozen=True)
class Value:
    """How a bar is made of a run; or of it and the one that it is relative to."""

    of: object
    relative: bool = False
    of_energy: bool = False  # the runs need a table of energies
    of_neighbours: bool = False  # the runs must count neighbours


def share(of, of_energy=False):
    """What one value of a run is of the other's."""
    return Value(lambda run, other: ratio(of(run), of(other)), True, of_energy)


def energy(on_chip):
    """That of the translation path, if all but main memory takes so many times what the table says."""
    def of(run):
        memory = run["energy"]["structures"]["memory"]["nj"]
        return memory + on_chip * (run["energy"]["nj"] - memory)
    return share(of, of_energy=True)


def walk_energy(run):
    """nJ of page walks, as NHA counts them: main memory and the CAM."""
    return sum(run["energy"]["structures"][part]["nj"] for part in ("memory", "cam"))


def saved_power(run, other):
    """mW, or nJ a us: what page walks take less than the other run's, over the time that the other took."""
    return (walk_energy(other) - walk_energy(run)) / (other["cycles"] / other["values"]["clock_mhz"])


def walk_lines(run):
    """What part of the lines that main memory has read and written is page walks'; None without a DRAM."""
    dram = (run["memory"] or {}).get("dram")
    if dram is None:
        return None
    lines = {user: dram[user]["reads"] + dram[user]["writes"] for user in ("walks", "data")}
    return ratio(lines["walks"], sum(lines.values()))


def l1_misses_a_line(run):
    """Misses of the CUs' TLBs, of the lines of data: of the accesses behind the coalescer, as Power counts, where ours
    asks the TLB once for each page of an instruction. None without a data path."""
    if run["data"] is None or run["l1_tlb"] is None:
        return None
    return ratio(run["l1_tlb"]["misses"], run["data"]["lines"])


def walk_latency(run):
    """None where nothing has walked: the JSON has 0 there, which is no walk's."""
    return run["walk_latency_mean"] or None


def live_remote(run):
    """Remote regions that will be accessed again, in the mean over the run, of all regions that have a place; None
    without a hashed table."""
    table = run["hashed_table"]
    if table is None:
        return None
    return ratio(table["live_cycles"] / run["cycles"], table["local"] + table["remote"] + table["victim_regions"])


VALUES = {
    "speed": Value(lambda run, other: ratio(other["cycles"], run["cycles"]), relative=True),
    "accesses": share(lambda run: run["page_table_accesses"]),
    "walk_latency": share(walk_latency),
    "energy": energy(1),
    "energy_on_chip_halved": energy(0.5),
    "energy_on_chip_doubled": energy(2),
    "saved_power": Value(saved_power, relative=True, of_energy=True),
    "accesses_a_walk": Value(lambda run: ratio(run["page_table_accesses"], run["walks"])),
    "upper_reads": Value(lambda run: ratio(run["page_table_accesses"] - run["walks"], run["walks"])),
    "cache_hits": Value(lambda run: ratio(run["counters"]["pwc_hits"], run["counters"]["pwc_lookups"])),
    "live_remote": Value(live_remote),
    "victim_reads": Value(lambda run: ratio(run["counters"]["victim_reads"], run["page_table_accesses"])),
    "neighbours": Value(lambda run: ratio(run["neighbours"], run["requests"]), of_neighbours=True),
    "upper_neighbours": Value(lambda run: ratio(run["upper_neighbours"]["met"], run["upper_neighbours"]["accesses"]),
                              of_neighbours=True),
    "walk_lines": Value(walk_lines),
    "l1_hits": Value(lambda run: hits(run["l1_tlb"])),
    "l1_misses": Value(lambda run: None if hits(run["l1_tlb"]) is None else 1 - hits(run["l1_tlb"])),
    "l1_misses_a_line": Value(l1_misses_a_line),
    "in_flight_mean": Value(lambda run: run["in_flight"]["mean"]),
    "in_flight_max": Value(lambda run: run["in_flight"]["max"]),
    "tlb_hits": Value(lambda run: hits(run["tlb"])),
}

PRINTED = keys({"bar": TEXT, "of": TEXT, "value": ABOVE_ZERO, "note": TEXT}, ("bar", "of", "value"))
FIGURE = keys({"figure": TEXT, "says": TEXT, "value": TEXT, "of": TEXTS, "bars": each(TEXTS, 1),
               "printed": many(PRINTED)}, ("figure", "says", "value", "bars"))
CUTS = ("options", "quick", "long")
KERNELS = {"kernels": each(TEXTS, 1), **dict.fromkeys(CUTS, each(WORDS))}
TAKEN = {"kernels_of": TEXT}
REST = {"set": TEXTS, "energy": TEXT, "points": each(POINT, 1), "figures": many(FIGURE, 1)}
PLAN = keys({"paper": TEXT, **KERNELS, **TAKEN, **REST}, ("paper", "kernels", "points", "figures"))
TAKING = keys({"paper": TEXT, **TAKEN, **REST}, ("paper", "kernels_of", "points", "figures"))


def kernels_of(plan, classes=None):
    """The kernels of these classes, or of all, each once."""
    return list(dict.fromkeys(kernel for name, kernels in plan["kernels"].items() if classes is None or name in classes
                              for kernel in kernels))


def check_printed(plan, figure, where):
    """What is printed stands beside a value of this figure, each by itself."""
    allowed = [*figure.get("of", plan["kernels"]), *kernels_of(plan, figure.get("of"))]
    for n, row in enumerate(figure["printed"], 1):
        if row["bar"] not in figure["bars"]:
            raise Refusal(f"{where}, printed {n}: bar \"{row['bar']}\" is none; allowed: {', '.join(figure['bars'])}")
        if row["of"] not in allowed:
            raise Refusal(f"{where}, printed {n}: of \"{row['of']}\" is none; allowed: {', '.join(allowed)}")
    once([f"{row['bar']}, {row['of']}" for row in figure["printed"]], f"{where}, printed")


def check_figure(plan, figure, where):
    if figure["value"] not in VALUES:
        raise Refusal(f"{where}: value \"{figure['value']}\" is none; allowed: {', '.join(VALUES)}")
    if VALUES[figure["value"]].of_energy and "energy" not in plan:
        raise Refusal(f"{where}: value \"{figure['value']}\" needs a table of energies, by the plan's key energy")
    for name in figure.get("of", []):
        if name not in plan["kernels"]:
            raise Refusal(f"{where}: of \"{name}\" is no class; allowed: {', '.join(plan['kernels'])}")
    wanted = 2 if VALUES[figure["value"]].relative else 1
    for bar, points in figure["bars"].items():
        if len(points) != wanted:
            raise Refusal(f"{where}: bar \"{bar}\" has {len(points)} points; allowed: {wanted} for {figure['value']}")
        for point in points:
            if point not in plan["points"]:
                raise Refusal(f"{where}: bar \"{bar}\": \"{point}\" is no point; allowed: {', '.join(plan['points'])}")
    figure.setdefault("printed", [])
    check_printed(plan, figure, where)


def check(plan, file):
    """All names are known. A kernel twice in a class would weigh twice in its mean, and a class of a kernel's name
    would have the kernel's row."""
    for name, of in plan["kernels"].items():
        once(of, f"{file}: kernels, {name}")
    once([*plan["kernels"], *kernels_of(plan)], f"{file}: kernels")
    for key in CUTS:
        for kernel in plan.setdefault(key, {}):
            if kernel not in kernels_of(plan):
                raise Refusal(f"{file}: {key} of \"{kernel}\": allowed: a text, of one of "
                              f"{', '.join(kernels_of(plan))}")
    once([folder_of(name) for name in plan["points"]], f"{file}: points, by their folders")
    for n, figure in enumerate(plan["figures"], 1):
        check_figure(plan, figure, f"{file}: figure {n}")


def taken_from(plan, file):
    """The file of the plan whose kernels this one takes."""
    return Path(file).parent / plan["kernels_of"]


def read_plan(file):
    """The plan in a file, whole, in which all names are known."""
    plan = read(file)
    takes = isinstance(plan, dict) and "kernels_of" in plan
    fits(plan, TAKING if takes else PLAN, file)
    if takes:
        other = taken_from(plan, file)
        own = read(other)
        fits(own, PLAN, other)
        plan |= {key: own[key] for key in KERNELS if key in own}
    check(plan, file)
    return plan


def some(names, known, where):
    """These names, each of which must be known; all where there are none."""
    for name in names:
        if name not in known:
            allowed = ", ".join(f'"{one}"' for one in known)
            raise Refusal(f"{where}: \"{name}\" is none; allowed: {allowed}")
    return names or list(known)


def narrow(plan, file, kernels, points):
    """The plan with these kernels alone, and with the bars that are made of these points alone; an empty list is all of
    them. What the paper prints of a class stands beside the mean of all of it alone."""
    kernels = some(kernels, kernels_of(plan), f"{file}: --kernels")
    points = some(points, plan["points"], f"{file}: --points")
    classes = {name: [kernel for kernel in of if kernel in kernels] for name, of in plan["kernels"].items()}
    whole = [name for name, of in classes.items() if of == plan["kernels"][name]]
    plan["kernels"] = {name: of for name, of in classes.items() if of}
    figures = []
    for figure in plan["figures"]:
        of = [name for name in figure.get("of", plan["kernels"]) if name in plan["kernels"]]
        bars = {bar: of_bar for bar, of_bar in figure["bars"].items() if set(of_bar) <= set(points)}
        known = [*kernels_of(plan, of), *(name for name in of if name in whole)]
        printed = [row for row in figure["printed"] if row["bar"] in bars and row["of"] in known]
        if of and bars:
            figures.append({**figure, "of": of, "bars": bars, "printed": printed})
    if not figures:
        raise Refusal(f"{file}: no figure of it is made of these kernels and points alone")
    plan["figures"] = figures


def settings(plan, point):
    values = [*plan.get("set", []), *point.get("set", [])]
    return ["--system", point["system"], *(word for value in values for word in ("--set", value))]


def options(plan, kernel, quick):
    keys = ("options", "quick" if quick else "long")
    words = [word for key in keys for word in shlex.split(plan[key].get(kernel, ""))]
    counts = any(VALUES[figure["value"]].of_neighbours for figure in plan["figures"])
    return [*words, *(["--energy", plan["energy"]] if "energy" in plan else []), *(["--neighbours"] if counts else [])]


def load(file):
    """The plan in a file, of which every system, setting and kernel is there."""
    plan = read_plan(file)
    for point in plan["points"].values():
        ask(file, "systems", "--parameters", *settings(plan, point))
    for kernel in kernels_of(plan):
        # the options of a quick run are those of the whole kernel and more, but not those of a long one
        short = kernel in plan["quick"]
        for quick in {short, short and kernel not in plan["long"]}:
            own = options(plan, kernel, quick)
            cut = [] if quick or "--max-launches" in own else ["--max-launches", "1"]
            ask(file, "model", "--max-requests", "1", *cut, "--workload", kernel, *own)
    return plan


def runs(plan):
    """Every (point, kernel) that a figure wants, once."""
    wanted = {(point, kernel): None for figure in plan["figures"] for points in figure["bars"].values()
              for point in points for kernel in kernels_of(plan, figure.get("of"))}
    return list(wanted)


def folder_of(point):
    """A point's name as that of a folder."""
    return "".join(c if c.isalnum() else "_" for c in point)
