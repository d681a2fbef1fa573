"""What files that say what to run have in common: their points, and a sentence for what is not allowed in them."""

import functools
import subprocess

from tools.project import ROOT
from tools.refusal import Refusal
from tools.schema import TEXT, TEXTS, keys

# A system and its settings.
POINT = keys({"set": TEXTS, "system": TEXT}, ("system",))


def once(names, where):
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Refusal(f"{where}: \"{twice}\" stands there twice")


def ask(file, *arguments):
    """What the program says to these arguments; where it does not take them, its sentence is the refusal."""
    try:
        done = subprocess.run(["build/lockwalk", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Refusal("build/lockwalk is missing; `make build` makes it") from None
    if done.returncode != 0:
        raise Refusal(f"{file}: {done.stderr.strip().removeprefix('lockwalk: ')}")
    return done.stdout


@functools.cache
def values_of(*settings):
    """The values of a system, `--system NAME [--set KEY=VALUE ..]`, as an .ini text: a run is another one if they are,
    in whichever of the files that the system extends they stand."""
    return ask(settings[1], "systems", "--show", *settings[1:])


@functools.cache
def parameters_of(*settings):
    """Of the same words the RTL's parameters: an area is another one if they are."""
    return ask(settings[1], "systems", "--parameters", *settings)


def memory_of(values):
    """The file with the timing of its memory, in a list; an empty one where the memory is no DRAM."""
    dram = next(line.partition(" = ")[2] for line in values.splitlines() if line.startswith("dram = "))
    if dram == "none":
        return []
    return [dram if dram.endswith(".ini") else f"systems/dram/{dram}.ini"]
