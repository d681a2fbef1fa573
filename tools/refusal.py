"""Bad input and missing tools: one sentence on stderr and status 2, before anything is written."""

import argparse
import sys


class Refusal(Exception):
    """Carries the sentence."""


class Parser(argparse.ArgumentParser):
    """A wrong argument is a refusal too, without the usage before it."""

    def error(self, message):
        raise Refusal(message if "; allowed: " in message else f"{message}; `{self.prog} --help` says what is allowed")


def guarded(main, program="synth"):
    """Runs main() and turns a refusal into its sentence, which the program opens, and status 2."""
    try:
        return main()
    except Refusal as refusal:
        print(f"{program}: {refusal}", file=sys.stderr)
        return 2
