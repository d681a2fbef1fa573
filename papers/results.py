"""What a paper prints, measured (`make results`): checks its plan, then runs papers/Snakefile with it on this machine;
a cluster by `--profile synth/slurm`. What was measured before, with the same program, is kept.

    results.py [--plan FILE] [--quick] [--program FILE]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "synth"))

import workflow
from plan import load
from refusal import Parser, guarded


def main():
    parser = Parser(prog="results.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--plan", default="papers/nha.yaml", metavar="FILE", help="[papers/nha.yaml]")
    parser.add_argument("--quick", action="store_true", help="kernels cut: minutes instead of hours")
    parser.add_argument("--program", default="build/lockwalk", metavar="FILE", help="what runs [build/lockwalk]")
    wanted = parser.parse_args()
    load(wanted.plan)
    out = f"build/results/{Path(wanted.plan).stem}{'_quick' if wanted.quick else ''}"
    workflow.run("papers/Snakefile", f"{out}.lock", "--config", f"plan={wanted.plan}", f"out={out}",
                 f"quick={int(wanted.quick)}", f"program={wanted.program}")


if __name__ == "__main__":
    sys.exit(guarded(main, "results"))
