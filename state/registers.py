"""Reads state/registers.yaml, the unit's registers as data: checked, with the defaults filled in, and
with its expressions as C or as numbers for given parameters."""

import ast
from fnmatch import fnmatchcase

from tools.project import ROOT
from tools.refusal import Refusal
from tools.yaml_file import read

SOURCE = ROOT / "state" / "registers.yaml"
# The hardware parameters (chapter "Parameters" of the contract), as c_model/base/params.h has them.
PARAMETERS = """LEVELS PA_WIDTH PASIDS ID_W SRC_W TLB_ENTRIES TLB_WAYS TLB_LATENCY TLB_PARTITION TLB_BIMODAL HIT_QUEUE
MISS_QUEUE WALK_QUEUE BUFFER_ENTRIES LINES WALKERS PWC_ORG PWC_ENTRIES PWC_WAYS PWC_LATENCY COALESCE SUBREGIONS
PAR_LOOKUP MSC_ENTRIES MSC_WAYS CHECK_QUEUE HEAD_FIRST COLT SLOT_PAGES PAGES_64K SECOND_LOOKUP""".split()

STRUCTURE_KEYS = {"structure", "when", "instance", "entries", "valid", "words", "twin", "is", "fields"}
FIELD_KEYS = {"name", "bits", "twin", "at", "array", "when", "is"}

C_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "/", ast.Eq: "==", ast.NotEq: "!=",
               ast.Lt: "<", ast.GtE: ">=", ast.And: "&&", ast.Or: "||"}


def clog2(n):
    return (n - 1).bit_length()


def width(n):
    return max(1, clog2(n))


FUNCTIONS = {"clog2": clog2, "width": width, "max": max, "min": min}


def to_c(text, names, where):
    """An expression of the file in C, over `p`, a pointer to lw_params."""

    def convert(node):
        match node:
            case ast.Expression(body=body):
                return convert(body)
            case ast.Constant(value=int(value)):
                return f"{value}u"
            case ast.Name(id=name) if name in PARAMETERS:
                return f"p->{name.lower()}"
            case ast.Name(id=name) if name in names:
                return f"{name.lower()}(p)"
            case ast.BinOp(left=left, op=op, right=right) if type(op) in C_OPERATORS:
                return f"({convert(left)} {C_OPERATORS[type(op)]} {convert(right)})"
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in C_OPERATORS:
                return f"({convert(left)} {C_OPERATORS[type(op)]} {convert(right)})"
            case ast.BoolOp(op=op, values=values):
                return "(" + f" {C_OPERATORS[type(op)]} ".join(f"{convert(v)} != 0" for v in values) + ")"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"({convert(operand)} == 0)"
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return f"({convert(test)} != 0 ? {convert(body)} : {convert(orelse)})"
            case ast.Call(func=ast.Name(id=name), args=args) if name in FUNCTIONS:
                return f"{name}_of({', '.join(convert(a) for a in args)})"
        raise SyntaxError

    try:
        return convert(ast.parse(str(text), mode="eval"))
    except SyntaxError as error:
        raise Refusal(f"{where}: '{text}' is no expression over the parameters and names; allowed are + - * // "
                      "== != < >= and or not, a if c else b, clog2, width, max, min") from error


class Registers:
    """The whole file: `names`, and `structures`, a list of dicts with every key present."""

    def __init__(self, source=SOURCE):
        data = read(source)
        self.names = data["names"]
        self.structures = [self._structure(s) for s in data["structures"]]
        self.exceptions = data["exceptions"]
        for e in self.exceptions:
            if set(e) != {"instance", "register", "why"}:
                raise Refusal(f"registers.yaml, exceptions: {e} needs an instance, a register and a why")

    def _structure(self, given):
        where = f"registers.yaml, {given.get('structure', 'a structure without a name')}"
        if unknown := set(given) - STRUCTURE_KEYS:
            raise Refusal(f"{where}: {', '.join(sorted(unknown))} is not known; allowed: {sorted(STRUCTURE_KEYS)}")
        if missing := {"structure", "instance", "twin", "is", "fields"} - set(given):
            raise Refusal(f"{where}: {', '.join(sorted(missing))} is missing")
        s = {"when": "1", "entries": "1", "valid": None, "words": None, **given}
        s["fields"] = [self._field(f, where) for f in given["fields"]]
        if s["valid"] and s["valid"] not in [f["name"] for f in s["fields"]]:
            raise Refusal(f"{where}: valid is {s['valid']}, which is none of its fields")
        for text in (s["when"], s["entries"], s["words"] or "1"):
            to_c(text, self.names, where)
        return s

    def _field(self, given, where):
        where = f"{where}.{given.get('name', 'a field without a name')}"
        if unknown := set(given) - FIELD_KEYS:
            raise Refusal(f"{where}: {', '.join(sorted(unknown))} is not known; allowed: {sorted(FIELD_KEYS)}")
        if missing := {"name", "bits", "is"} - set(given):
            raise Refusal(f"{where}: {', '.join(sorted(missing))} is missing")
        f = {"when": "1", "twin": given["name"].lower(), "at": "0", "array": None, **given}
        for text in (f["when"], f["bits"]):
            to_c(text, self.names, where)
        return f

    def c(self, text):
        return to_c(text, self.names, "registers.yaml")

    def structure_names(self):
        return list(dict.fromkeys(s["structure"] for s in self.structures))

    def field_names(self, structure):
        return list(dict.fromkeys(f["name"] for s in self.structures if s["structure"] == structure
                                  for f in s["fields"]))

    def value(self, text, params):
        """An expression's value for parameters by name."""
        scope = {**FUNCTIONS, **params}
        for name, expression in self.names.items():
            scope[name] = eval(str(expression), {"__builtins__": {}}, scope)  # our own file
        return int(eval(str(text), {"__builtins__": {}}, scope))

    def of(self, params):
        """(structure, field, entries) of each register that a unit with these parameters has."""
        for s in self.structures:
            if self.value(s["when"], params):
                for f in s["fields"]:
                    if self.value(f["when"], params):
                        yield s, f, self.value(s["entries"], params)

    def is_exception(self, instance, register):
        return any(fnmatchcase(instance, e["instance"]) and fnmatchcase(register, e["register"])
                   for e in self.exceptions)

    def place(self, s, f, params):
        """Where the RTL has a register: instance and name."""
        if f["array"] is None:
            return s["instance"], f["name"].lower() + "_q"
        kind = "gen_macro.u_array" if self.value(s["words"], params) >= 64 else "gen_flops"
        return f"{s['instance']}.{f['array']}.{kind}", "mem_q"
