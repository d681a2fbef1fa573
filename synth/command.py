"""The options that name a design and a library, alike in every tool here."""

from synth.cells.technology import DEFAULT


def add_design(parser, system):
    """The system and its values; `system` is what stands where none is named."""
    parser.add_argument("--system", default=system, metavar="NAME",
                        help=f"a name of `lockwalk systems`, or a file [{system}]")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                        help="change a value of the system; repeatable")


def add_liberty(parser):
    parser.add_argument("--liberty", default=str(DEFAULT), metavar="FILE",
                        help="plain or gzip [Debian's osu018]")


def add_modules(parser):
    parser.add_argument("--module", action="append", default=[], metavar="NAME",
                        help="only this one; repeatable")
