"""Where a register is written and by which rules: the RTL's file of an instance, the rule numbers that its text
cites."""

import re

from tools.project import ROOT
from tools.refusal import Refusal

RTL = ROOT / "rtl"
# A module of parameters, or without, and the name of its instance.
INSTANCE = r"^ *(\w+) (?:#\((?:[^;]*?)\n? *\) )?{name} \("


def files():
    """The file of each module."""
    return {path.stem: path for path in RTL.rglob("*.sv")}


def module_of(text, name):
    """The module that is instantiated under this name in a module's text, or None."""
    found = re.search(INSTANCE.format(name=re.escape(name)), text, re.M)
    return found and found[1]


def file_of(instance, top="iommu"):
    """The file, from the project's folder, that an instance below the unit is written in."""
    known = files()
    path = known[top]
    text = path.read_text()
    for part in filter(None, instance.split(".")):
        if part.startswith("gen_"):
            text = text[text.index(f": {part}"):]
            continue
        path = known[module_of(text, part)]
        text = path.read_text()
    return str(path.relative_to(RTL.parent))


def rules_of(structure, field):
    """The rules that a field's text cites; or else its structure's; or else the fields' beside it."""
    beside = " ".join(other["is"] for other in structure["fields"])
    for text in (field["is"], structure["is"], beside):
        if found := re.findall(r"R\d+\.\d+", text):
            return ", ".join(dict.fromkeys(found))
    raise Refusal(f"registers.yaml: no text of {structure['structure']} cites a rule")
