"""Keeps what synthesis gave: `make synth-record` appends a run's figures to synth/history.csv, with the
technique tried, whether it stays, and why.

    history.py --technique TEXT --accepted yes|no --why TEXT [what synthesis.py was told: --system NAME ..]"""

import csv
import datetime
import sys
from pathlib import Path

from synth import synthesis
from tools import json_file
from tools.refusal import Refusal, guarded

HISTORY = Path(__file__).resolve().parent / "history.csv"
FIELDS = ["date", "revision", "system", "settings", "library", "area_um2", "kge", "state_bits",
          "fmax_mhz", "worst_path", "mapped_for_ns", "technique", "accepted", "why"]


def main():
    parser = synthesis.options_of()
    parser.prog, parser.description = "history.py", __doc__.split("\n\n", maxsplit=1)[0]
    for name, meaning in (("technique", "what was tried"), ("why", "what it gave, and why it stays or not")):
        parser.add_argument(f"--{name}", required=True, metavar="TEXT", help=meaning)
    parser.add_argument("--accepted", required=True, choices=("yes", "no"), help="whether it stays")
    options = parser.parse_args()
    for name in ("technique", "why"):
        if not getattr(options, name).strip():
            raise Refusal(f"--{name} is empty; allowed: a few words")
    source = synthesis.folder_of(options) / "report.json"
    allowed = "what `make synth` has written of the same system"
    figures = json_file.read(source, allowed)
    try:
        best = figures["best"]
        path = best["groups"][best["limit"]]
    except (KeyError, TypeError) as error:
        raise Refusal(f"{source}: is no report of `make synth`; allowed: {allowed}") from error
    row = [datetime.date.today().isoformat(), figures["revision"], figures["system"],
           " ".join(figures["settings"]), figures["library"], round(best["area"]),
           round(best["kge"], 1), best["flops"], round(best["fmax_hz"] / 1e6, 1),
           f"{path['from']} -> {path['to']}", round(best["target_s"] * 1e9, 2), options.technique,
           options.accepted, options.why]
    new = not HISTORY.exists()
    with HISTORY.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if new:
            writer.writerow(FIELDS)
        writer.writerow(row)
    print(", ".join(f"{name} {value}" for name, value in zip(FIELDS, row, strict=True) if value != ""))
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main))
