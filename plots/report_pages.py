"""What the page of a report shows: of a run, of two, or of a sweep."""

import json
import subprocess
from pathlib import Path

import jinja2

from plots import pictures
from tools.project import ROOT
from tools.refusal import Refusal

LOCKWALK = ROOT / "build" / "lockwalk"


def number(value):
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"


def mean_of(part, stage):
    """Cycles of a request in a stage, in the mean of all requests of the part."""
    requests = part["whole"]["requests"]
    return part["stages"][stage]["cycles"] / requests if requests else 0.0


def means(part):
    return {stage: mean_of(part, stage) for stage in part["stages"]}


def whole_mean(part):
    return part["whole"]["cycles"] / part["whole"]["requests"] if part["whole"]["requests"] else 0.0


def parts_of(run):
    """[(label, part)]: all requests, each way in which they were answered, each kernel; those that there are."""
    stages = run["stages"]
    parts = [("all", stages), *stages["ways"].items(), *((k["kernel"], k) for k in stages["kernels"])]
    return [(label, part) for label, part in parts if part["whole"]["requests"]]


def about(run):
    return f"{run['workload']} on {run['system']}, seed {run['seed']}"


def stage_table(part):
    rows = []
    for name, figures in [*part["stages"].items(), ("whole", part["whole"])]:
        if figures["requests"]:
            share = 100 * figures["cycles"] / part["whole"]["cycles"]
            rows.append([name, number(figures["requests"]), number(figures["cycles"]), f"{share:.1f} %",
                         *(number(figures[key]) for key in ("mean", "p50", "p90", "p99", "max"))])
    return {"head": ["stage", "requests", "cycles", "share", "mean", "p50", "p90", "p99", "max"], "rows": rows}


def memory_section(runs):
    with_banks = [run for run in runs if run["memory"]]
    if not with_banks:
        return []
    rows = [[about(run), *(number(run["memory"][key]) for key in
                           ("reads", "row_hits", "row_misses", "row_conflicts", "wait_cycles"))] for run in with_banks]
    reads = [bank["reads"] for bank in with_banks[0]["memory"]["banks"]]
    return [{"name": "memory", "title": "Memory", "head": ["run", "reads", "row open", "row closed", "another row open",
                                                           "cycles waited for banks"], "rows": rows,
             "picture": pictures.columns("memory", reads, f"bank, {about(with_banks[0])}", "reads")}]


# ------------------------------------------------------------------ the three reports

def run_report(run):
    parts = parts_of(run)
    slowest = max(run["stages"]["stages"], key=lambda stage: mean_of(run["stages"], stage))
    share = 100 * mean_of(run["stages"], slowest) / whole_mean(run["stages"])
    total = sum(run["attribution"].values())
    sections = [
        {"name": "stages", "title": "Where a request's cycles go", "picture": pictures.bars(
            "stages", [(label, means(part)) for label, part in parts], "cycles of a request, mean"),
         **stage_table(run["stages"])},
        {"name": "times", "title": "Whole time of a request", "picture": pictures.histogram(
            "times", {label: part["whole"]["histogram"] for label, part in parts[1:] if label in run["stages"]["ways"]},
            "cycles from transfer to response, by powers of two")},
        *({"name": f"kernel-{n}", "title": f"Kernel {kernel['kernel']}", **stage_table(kernel)}
          for n, kernel in enumerate(run["stages"]["kernels"]) if len(run["stages"]["kernels"]) > 1),
        {"name": "walkers", "title": "What the walkers did", "head": ["cause", "walker cycles", "share"],
         "rows": [[name, number(value), f"{100 * value / total:.1f} %"] for name, value in run["attribution"].items()]},
        *memory_section([run]),
        {"name": "counters", "title": "Counters", "head": ["counter", "value"],
         "rows": [[name, number(value)] for name, value in run["counters"].items()]},
    ]
    lead = (f"{number(run['cycles'])} cycles, {number(run['requests'])} requests; a request takes "
            f"{whole_mean(run['stages']):.1f} cycles, {share:.0f} % of them in {slowest}.")
    return {"title": about(run), "lead": lead, "sections": sections}


def judged(paths):
    """Which stage makes the difference, as `lockwalk compare` says it, which also refuses runs of different work."""
    done = subprocess.run([LOCKWALK, "compare", *paths], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Refusal(done.stderr.strip().removeprefix("lockwalk: "))
    sentence = done.stdout.splitlines()[-1]
    return f"{sentence[0].upper()}{sentence[1:]}."


def comparison_report(one, two, paths):
    sentence = judged(paths)
    names = [f"A: {one['system']}", f"B: {two['system']}"]
    first, second = means(one["stages"]), means(two["stages"])
    by = {stage: second[stage] - first[stage] for stage in first}
    whole = whole_mean(two["stages"]) - whole_mean(one["stages"])
    rows = [[stage, number(first[stage]), number(second[stage]), f"{by[stage]:+,.1f}"] for stage in first
            if first[stage] + second[stage] > 0]
    rows.append(["whole", number(whole_mean(one["stages"])), number(whole_mean(two["stages"])), f"{whole:+,.1f}"])
    counters = [[name, number(a), number(b), f"{b - a:+,}"]
                for group in ("counters", "attribution") for name in {**one[group], **two[group]}
                if (a := one[group].get(name, 0)) != (b := two[group].get(name, 0))]
    values = [[key, *(json.dumps(run["values"].get(key)) for run in (one, two))]
              for key in {**one["values"], **two["values"]} if one["values"].get(key) != two["values"].get(key)]
    sections = [
        {"name": "values", "title": "What differs in the systems", "head": ["key", *names], "rows": values},
        {"name": "stages", "title": "Where a request's cycles go", "head": ["stage, mean cycles", *names, "B - A"],
         "rows": rows, "picture": pictures.bars(
             "stages", [(f"{name}, {label}", means(part)) for name, run in zip(names, (one, two), strict=True)
                        for label, part in parts_of(run)], "cycles of a request, mean")},
        {"name": "times", "title": "Whole time of a request", "picture": pictures.histogram(
            "times", {name: run["stages"]["whole"]["histogram"] for name, run in zip(names, (one, two), strict=True)},
            "cycles from transfer to response, by powers of two")},
        *memory_section([one, two]),
        {"name": "counters", "title": "Counters that differ", "head": ["counter", *names, "B - A"], "rows": counters},
    ]
    lead = (f"{number(one['cycles'])} and {number(two['cycles'])} cycles "
            f"({100 * (two['cycles'] / one['cycles'] - 1):+.1f} %). {sentence}")
    return {"title": f"{one['workload']}: {one['system']} against {two['system']}", "lead": lead, "sections": sections}


def sweep_report(rows, path):
    kernels = [name for name in rows[0] if name.endswith("_cycles")]
    panels = dict.fromkeys(row["panel"] for row in rows)
    sections = []
    for n, panel in enumerate(panels):
        points = [row for row in rows if row["panel"] == panel]
        labels = [" ".join([row["system"], row["settings"]]).strip() for row in points]
        drawn = [(float(row["area_um2"]) / 1e6, float(row["cycles_saved_percent"]), label, row["on_front"] == "1")
                 for row, label in zip(points, labels, strict=True)]
        try:
            cycles = [[number(int(row[kernel])) if row[kernel] else "" for kernel in kernels] for row in points]
        except ValueError as error:
            raise Refusal(f"{path}: has a cell that is no number ({error})") from error
        sections.append({
            "name": f"panel-{n}", "title": panel, "picture": pictures.scatter(
                f"panel-{n}", drawn, "area, mm2", "cycles saved, %"),
            "head": ["system", "area, mm2", "cycles saved, %", "on the front",
                     *(kernel.removesuffix("_cycles") for kernel in kernels)],
            "rows": [[label, f"{area:.3f}", f"{saved:.1f}", "yes" if front else "", *of_kernels]
                     for (area, saved, label, front), of_kernels in zip(drawn, cycles, strict=True)]})
    front = sum(row["on_front"] == "1" for row in rows)
    lead = (f"{len(rows)} points, with the cycles of each kernel; {front} of them are on the front: no other of their "
            "panel is smaller and faster (red).")
    return {"title": "Area against cycles", "lead": lead, "sections": sections}


# ------------------------------------------------------------------ the page

def page(report, made):
    folder = Path(__file__).resolve().parent
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folder), autoescape=True, trim_blocks=True,
                                     undefined=jinja2.ChainableUndefined)
    return environment.get_template("report.html.j2").render(**report, made=made)
