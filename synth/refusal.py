"""Bad input and missing tools: one sentence on stderr and status 2, before anything is written."""

import sys


class Refusal(Exception):
    """Carries the sentence."""


def guarded(main):
    """Runs main() and turns a refusal into its sentence and status 2."""
    try:
        return main()
    except Refusal as refusal:
        print(f"synth: {refusal}", file=sys.stderr)
        return 2
