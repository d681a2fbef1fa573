"""The register map of the unit on a bus (regmap/control.rdl), elaborated for its parameters, and what is made of it: a
C header and pages by PeakRDL, an SV package of addresses here."""

import argparse
import sys
from pathlib import Path

from peakrdl_cheader.c_standards import CStandard
from peakrdl_cheader.exporter import CHeaderExporter
from peakrdl_html import HTMLExporter
from systemrdl import RDLCompileError, RDLCompiler

SOURCE = Path(__file__).resolve().parent / "control.rdl"
NAME = "lockwalk_control"


def elaborate(source=SOURCE, **parameters):
    """The address map for these parameters of control.rdl."""
    compiler = RDLCompiler()
    compiler.compile_file(str(source))
    return compiler.elaborate(NAME, parameters=parameters).top


def registers(top):
    """Every register, those of an array one by one."""
    return list(top.registers(unroll=True))


def reset_of(register):
    """The value that is read after reset."""
    return sum((field.get_property("reset") or 0) << field.low for field in register.fields())


def mask(field):
    return ((1 << field.width) - 1) << field.low


def package(top):
    """Addresses, and of each field the bits, as localparams in bytes and bits."""
    lines = ["// Made by regmap/regmap.py from regmap/control.rdl.", f"package {NAME}_pkg;"]
    for register in top.registers():
        name = register.inst_name.title().replace("_", "")
        address = register.raw_address_offset
        lines.append(f"  parameter logic [14:0] Addr{name} = 15'h{address:04x};")
        if register.is_array:
            lines.append(f"  parameter int unsigned Num{name} = {register.array_dimensions[0]};")
        for field in register.fields():
            of = f"{name}{field.inst_name.title().replace('_', '')}"
            lines.append(f"  parameter int unsigned {of}Lsb = {field.low};")
            lines.append(f"  parameter int unsigned {of}W = {field.width};")
    return "\n".join([*lines, "endpackage", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the files go")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    try:
        top = elaborate()
    except RDLCompileError:  # the compiler has said where
        sys.exit(2)
    CHeaderExporter().export(top, path=str(folder / f"{NAME}.h"), std=CStandard.gnu11)
    HTMLExporter().export(top, str(folder / "html"))
    (folder / f"{NAME}_pkg.sv").write_text(package(top))
    print(f"{folder}/{NAME}.h, {NAME}_pkg.sv, html/index.html")


if __name__ == "__main__":
    main()
