"""What a paper prints, measured (`make results`): checks its plan, then runs papers/Snakefile with it on this machine;
a cluster by `--profile tools/slurm`. What was measured before, with the same program, is kept.

    results.py [--plan FILE] [--quick] [--kernels KERNEL ..] [--points POINT ..] [--program FILE] [--check]"""

import json
import os
import sys
from pathlib import Path

from papers.plan import load, narrow
from tools import workflow
from tools.refusal import Parser, Refusal, guarded


def main():
    parser = Parser(prog="results.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--plan", default="papers/nha.yaml", metavar="FILE", help="[papers/nha.yaml]")
    parser.add_argument("--quick", action="store_true", help="kernels cut: minutes instead of hours")
    parser.add_argument("--kernels", nargs="+", default=[], metavar="KERNEL", help="only these of the plan's [all]")
    parser.add_argument("--points", nargs="+", default=[], metavar="POINT",
                        help="only the bars that are made of these points of the plan alone [all]")
    parser.add_argument("--program", default="build/lockwalk", metavar="FILE", help="what runs [build/lockwalk]")
    parser.add_argument("--check", action="store_true", help="only say what is wrong with the plan")
    wanted = parser.parse_args()
    if not (Path(wanted.program).is_file() and os.access(wanted.program, os.X_OK)):
        raise Refusal(f"--program: {wanted.program} cannot be run; allowed: a lockwalk that is built")
    narrow(load(wanted.plan), wanted.plan, wanted.kernels, wanted.points)
    if wanted.check:
        return
    out = f"build/results/{Path(wanted.plan).stem}{'_quick' if wanted.quick else ''}"
    workflow.run("papers/Snakefile", f"{out}.lock", "--config", f"plan={wanted.plan}", f"out={out}",
                 f"quick={int(wanted.quick)}", f"program={wanted.program}", f"kernels={json.dumps(wanted.kernels)}",
                 f"points={json.dumps(wanted.points)}")


if __name__ == "__main__":
    sys.exit(guarded(main, "results"))
