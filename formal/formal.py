"""Proofs and bounded proofs of the RTL with Yosys and the ABC that pyosys carries (`make formal`).

A row of properties.yaml is a top module of this folder, its parameters and an engine: `pdr` proves for all time,
`bmc` shows that no run of up to DEPTH cycles from reset breaks the property. Prints a row each: property,
configuration, engine, result, seconds. Status 0 where every row holds as far as its row says, else 1; of one that
does not the run that breaks it is kept as build/formal/NAME.vcd.

With --breaks the RTL is broken on purpose, a row's `breaks` one after the other, and each must be seen; and each
assertion of a file all of whose rows are asked for must fail at one of them: what no break violates may say nothing."""

import json
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tools import claim, machine, yaml_file
from tools.project import ROOT
from tools.refusal import Parser, Refusal, guarded

HERE = ROOT / "formal"
BUILD = ROOT / "build" / "formal"
# Modules of this folder that more than one row stands on.
SHARED = [HERE / name for name in ("unit.sv", "hashed_walks.sv", "hashed_memory.sv")]
PYOSYS = next((ROOT / ".venv").glob("lib/python3*/site-packages/pyosys"))

# To the words of the source, with each assertion a cell: what a counterexample is replayed on.
# What the source leaves undefined, as an element beyond an array, is anything before a pass may choose a value for it.
WORDS = ["proc", "flatten", "setundef -anyseq", "async2sync", "chformal -lower", "opt -full", "opt_clean"]
# To bits. What has no reset begins as anything.
BITS = ["setattr -unset keep", "delete -output", "setundef -undriven -anyseq", "memory_map -formal", "techmap",
        "opt -fast", "setundef -anyseq", "formalff -clk2ff -ff2anyinit", "simplemap", "dffunmap", "aigmap",
        "opt_clean -purge"]


@dataclass
class Result:
    """What an engine says: held, how far (a number of cycles, or None for all time), and the run that breaks it; of
    broken RTL also the names of the assertions that fail, each in a run of its own."""

    held: bool
    depth: int | None
    seconds: float
    trace: Path | None = None
    why: str = ""
    failing: frozenset = frozenset()


def yosys(commands, log):
    """Runs Yosys in a process of its own: its memory and output are this run's alone."""
    script = ("import json, sys\nfrom pyosys import libyosys\ndesign = libyosys.Design()\n"
              "for command in json.load(sys.stdin):\n    design.run_pass(command)\n")
    with log.open("w") as out:
        done = subprocess.run([sys.executable, "-c", script], input=json.dumps(commands), text=True, stdout=out,
                              stderr=subprocess.STDOUT, cwd=ROOT, check=False)
    if done.returncode != 0:
        raise Refusal(f"Yosys failed (log: {log})")


def abc(script, log):
    done = subprocess.run([PYOSYS / "yosys-abc", "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)
    log.write_text(done.stdout + done.stderr)
    return done.stdout


def needed(text, files):
    """Those of the files whose modules stand in the text, or in one that does: reading all takes seconds."""
    found, left = set(), [text]
    while left:
        words = set(re.findall(r"\w+", re.sub(r"//.*", "", left.pop())))
        more = [f for f in files if f.stem in words and f not in found]
        found.update(more)
        left += [f.read_text() for f in more]
    return [f for f in files if f in found]


def sources(folder, row, broken):
    """The RTL's files that the row needs, the broken one as a copy."""
    files = [ROOT / "rtl" / name for name in (ROOT / "rtl" / "files.f").read_text().split()]
    files = needed(row["top"] + "\n" + (HERE / row["file"]).read_text(), [*files, *SHARED])
    if broken is None:
        return files
    path = ROOT / broken["file"]
    text = path.read_text()
    if path not in files or text.count(broken["text"]) != 1:
        raise Refusal(f"{broken['file']} has not one '{broken['text']}'")
    copy = folder / path.name
    copy.write_text(text.replace(broken["text"], broken["wrong"]))
    return [copy if file == path else file for file in files]


def replay(base, top):
    """Runs ABC's counterexample through the words: the .vcd. Yosys sees the assertion fail there once more."""
    names = json.loads(base.with_suffix(".ywa").read_text())
    lines = base.with_suffix(".aiw").read_text().split()
    steps = [line for line in lines[1:] if set(line) <= set("01")]  # the first is the latches, all zero
    wanted = [(n, False) for n in names["inputs"] + names["seqs"]] + [(n, True) for n in names["inits"]]
    signals = [{"path": n["path"], "offset": n["offset"], "width": 1, "init_only": first} for n, first in wanted]
    later = [n for n, first in wanted if not first]
    witness = {
        "format": "Yosys Witness Trace", "generator": "formal.py",
        "clocks": [{k: c[k] for k in ("path", "edge", "offset")} for c in names["clocks"]], "signals": signals,
        "steps": [{"bits": "".join(step[n["input"]] for n in
                                   reversed([n for n, _ in wanted] if number == 0 else later))}
                  for number, step in enumerate(steps)]}
    base.with_suffix(".yw").write_text(json.dumps(witness))
    vcd = base.with_suffix(".vcd")
    log = base.with_suffix(".replay.log")
    yosys([f"read_rtlil {base.with_suffix('.il')}", f"sim -hdlname -r {base.with_suffix('.yw')} -vcd {vcd} {top}"],
          log)
    if "Failed assertion" not in log.read_text():
        raise Refusal(f"{base.name}: the counterexample does not fail when it is run again (log: {log})")
    return vcd


def emptied(name):
    """The folder of a row's files, empty; its lock stands beside it."""
    folder = BUILD / f"{name}.d"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def reading(folder, row, broken):
    """The commands that read the row's top module and the RTL below it, as it stands or broken."""
    values = " ".join(f"-G {name}={value}" for name, value in row.get("parameters", {}).items())
    files = [*sources(folder, row, broken), HERE / row["file"]]
    return [f"read_slang -I {ROOT / 'rtl' / 'pkg'} --no-implicit-memories --top {row['top']} {values} "
            f"{' '.join(map(str, files))}", f"hierarchy -top {row['top']}"]


def read(row):
    """Only reads a row: a Refusal where it does not fit the RTL, whose ports have changed."""
    name = f"{row['name']}.read"
    with claim.waited(BUILD / f"{name}.lock"):
        folder = emptied(name)
        yosys(reading(folder, row, None), folder / "read.log")


def prove(row, broken=None):
    """The Result of a row, of the RTL as it stands or broken."""
    name = row["name"] if broken is None else f"{row['name']}.broken{row['breaks'].index(broken)}"
    with claim.waited(BUILD / f"{name}.lock"):
        return proved(row, broken, name)


def proved(row, broken, name):
    start = time.monotonic()
    folder = emptied(name)
    base = folder / name.replace(".", "_")
    top = row["top"]
    log = base.with_suffix(".log")
    yosys([*reading(folder, row, broken), *WORDS, f"write_rtlil {base.with_suffix('.il')}",
           *BITS, f"write_aiger -I -B -zinit -no-startoffset -map {base.with_suffix('.aim')} "
           f"-ywmap {base.with_suffix('.ywa')} {base.with_suffix('.aig')}"], log)
    names = json.loads(base.with_suffix(".ywa").read_text())
    if names["input_count"] != sum(len(names[kind]) for kind in ("inputs", "seqs", "inits")):
        raise Refusal(f"{row['name']}: something in the design is driven by nobody (log: {log})")
    if not names["asserts"]:
        raise Refusal(f"{row['name']}: nothing is asserted (log: {log})")
    limit = row.get("limit", 120)
    engine = f"pdr -T {limit}" if row["engine"] == "pdr" else f"bmc3 -F {row['depth']} -T {limit}"
    aiw = base.with_suffix(".aiw")

    def run(reduce):
        return abc(f"read_aiger {base.with_suffix('.aig')}; fold; strash; print_stats; orpos; {reduce}; print_stats; "
                   f"{engine}; write_cex -a {aiw}", base.with_suffix(".abc.log"))

    said = run("dc2; scorr")
    if "All outputs solved" in said:  # nothing is left of them, which PDR does not call proved
        said = run("dc2")
    seconds = time.monotonic() - start
    failed = re.search(r"was asserted in frame (\d+)", said)
    if failed:
        seen = base.with_suffix(".vcd")
        kept = BUILD / f"{name}.vcd"
        shutil.copy(replay(base, top), kept)
        seen.unlink()
        each = frozenset() if broken is None else failing(base, assertions(names), int(failed[1]))
        return Result(False, int(failed[1]), time.monotonic() - start, kept, "fails", each)
    if row["engine"] == "pdr":
        if "Property proved" in said:
            return Result(True, None, seconds)
        return Result(False, None, seconds, None, "is not proved in time")
    reached = re.search(r"No output asserted in (\d+) frames", said)
    depth = int(reached[1]) if reached else 0
    if depth >= row["depth"]:
        return Result(True, depth, seconds)
    return Result(False, depth, seconds, None, f"is shown to depth {depth} of {row['depth']} in time")


def asserted_in(file):
    """The names that the assertions of a file of this folder have."""
    return set(re.findall(r"\b(\w+)\s*:\s*assert property", (HERE / file).read_text()))


def assertions(names):
    """The names of the assertions, without those of the blocks that they stand in, in the order of the outputs; one
    that has none gets a number from Yosys."""
    return [path[-1].rpartition(".")[2].removeprefix("\\") for path in names["asserts"]]


def failing(base, asserted, depth):
    """Those of the assertions that fail up to some cycles after the first one does. Alone, without an order among them:
    which of them the engine breaks first says nothing of the others. Where none has a name nobody asks, and where all
    have one it is this one."""
    if not any(name[0].isalpha() for name in asserted):
        return frozenset()
    if len(set(asserted)) == 1:
        return frozenset(asserted)
    said = abc(f"read_aiger {base.with_suffix('.aig')}; fold; strash; dc2; bmc3 -a -F {depth + 12} -T 10",
               base.with_suffix(".each.log"))
    return frozenset(asserted[int(number)] for number in re.findall(r"Output (\d+) was asserted in frame", said))


def configuration(row):
    return " ".join(f"{name}={value}" for name, value in row.get("parameters", {}).items()) or "-"


def told(row, result):
    """What the engine says of the RTL as it stands."""
    if result.held:
        return "proved" if result.depth is None else f"depth {result.depth}"
    where = f" in cycle {result.depth}: {result.trace.relative_to(ROOT)}" if result.trace else ""
    return f"{row['name']} {result.why}{where}"


def wanted(names, only_cheap):
    rows = yaml_file.read(HERE / "properties.yaml")
    known = [row["name"] for row in rows]
    for name in names:
        if name not in known:
            raise Refusal(f"--property: {name} is none; allowed: {', '.join(known)}")
    left = [row for row in rows if row["name"] in (names or known) and (row.get("cheap") or not only_cheap)]
    if not left:
        cheap = ", ".join(row["name"] for row in rows if row.get("cheap"))
        raise Refusal(f"--cheap: {', '.join(names)} takes longer than seconds; allowed: {cheap}")
    return left


def table(rows, jobs):
    """Prints the rows as they come; how many do not hold."""
    wide = max(len(row["name"]) for row in rows)
    bad = 0
    print(f"{'property':{wide}}  engine  {'result':10}  {'time':>6}  configuration")
    with ThreadPoolExecutor(jobs) as pool:
        for row, result in zip(rows, pool.map(prove, rows), strict=True):
            bad += not result.held
            print(f"{row['name']:{wide}}  {row['engine']:6}  {told(row, result):10}  {result.seconds:4.0f} s  "
                  f"{configuration(row)}", flush=True)
    print(f"{len(rows) - bad} hold, {bad} do not")
    return bad


def breaks(rows, jobs):
    """Breaks the RTL on purpose; how many breaks nobody sees, and how many assertions none of them violates."""
    pairs = [(row, broken) for row in rows for broken in row.get("breaks", [])]
    files = {row["file"] for row in rows} - {row["file"] for row in wanted([], only_cheap=False) if row not in rows}
    silent = {(file, name) for file in files for name in asserted_in(file)}
    bad = 0
    with ThreadPoolExecutor(jobs) as pool:
        for (row, broken), result in zip(pairs, pool.map(lambda pair: prove(*pair), pairs), strict=True):
            seen = result.trace is not None
            bad += not seen
            silent -= {(row["file"], name) for name in result.failing}
            print(f"{row['name']}: {broken['file']}: {broken['says']}: "
                  f"{'seen in cycle ' + str(result.depth) if seen else 'NOT SEEN'}, {result.seconds:.0f} s", flush=True)
    for file, name in sorted(silent):
        print(f"{file}: {name}: no break violates it")
    print(f"{len(pairs) - bad} breaks seen, {bad} not")
    return bad + len(silent)


def main():
    parser = Parser(prog="formal.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--property", action="append", default=[], metavar="NAME", help="only this one; repeatable")
    parser.add_argument("--cheap", action="store_true", help="only those that take seconds")
    parser.add_argument("--breaks", action="store_true", help="break the RTL on purpose, and see that it is seen")
    parser.add_argument("--jobs", type=int, default=machine.side_by_side(), metavar="N",
                        help="at a time [as many as there are processors and memory for]")
    options = parser.parse_args()
    if options.jobs < 1:
        raise Refusal(f"--jobs is {options.jobs}; allowed: 1 and more")
    rows = wanted(options.property, options.cheap)
    return min(1, (breaks if options.breaks else table)(rows, options.jobs))


if __name__ == "__main__":
    sys.exit(guarded(main, "formal"))
