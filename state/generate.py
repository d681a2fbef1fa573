"""Writes what is made of state/registers.yaml into a folder: registers.h (the names as C enums),
registers.c (the catalogue, and where the twin keeps each register) and places.c (where the RTL does)."""

import sys
from pathlib import Path

from state.registers import Registers
from state.sources import file_of, rules_of
from tools.refusal import Parser, guarded

HEAD = "/* Made by state/generate.py from state/registers.yaml. */\n"
HELPERS = """
static inline uint32_t clog2_of(uint32_t n) {
    return n <= 1 ? 0 : 32 - (uint32_t)__builtin_clz(n - 1);
}
static inline uint32_t width_of(uint32_t n) {
    return n <= 2 ? 1 : clog2_of(n);
}
static inline uint32_t max_of(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}
static inline uint32_t min_of(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}
"""


def names(r):
    """The named expressions as C functions, each after those that it uses."""
    return HELPERS + "".join(
        f"static inline uint32_t {name.lower()}(const lw_params *p) {{\n    return {r.c(text)};\n}}\n"
        for name, text in r.names.items())


def both(*conditions):
    """The conjunction of C conditions, of which 1u says nothing."""
    said = [f"{c} != 0" for c in conditions if c != "1u"]
    return " && ".join(said) or "true"


def header(r):
    text = HEAD + "#ifndef LW_STATE_REGISTERS_H\n#define LW_STATE_REGISTERS_H\n\ntypedef enum lw_structure {\n"
    text += "".join(f"    LW_S_{s},\n" for s in r.structure_names())
    text += "    LW_STRUCTURE_COUNT\n} lw_structure;\n\ntypedef enum lw_field {\n"
    for s in r.structure_names():
        text += "".join(f"    LW_F_{s}_{f},\n" for f in r.field_names(s))
    return text + "    LW_FIELD_COUNT\n} lw_field;\n\n#endif\n"


def string_table(name, kind, rows):
    return (f"static const char *const {name}[{kind}] = {{\n" +
            "".join(f'    [{key}] = "{value}",\n' for key, value in rows) + "};\n")


def cases(rows, result):
    """A switch over a field's or structure's records: the first whose condition holds."""
    text = ""
    for key, records in rows:
        text += f"    case {key}:\n"
        for condition, value in records:
            text += (f"        return {value};\n" if condition == "true" else
                     f"        if ({condition}) {{\n            return {value};\n        }}\n")
        if records[-1][0] != "true":
            text += f"        return {result};\n"
    return text


def by_structure(r, value):
    """For each structure the (condition, value) of each of its records."""
    return [(f"LW_S_{name}", [(both(r.c(s["when"])), value(s)) for s in r.structures if s["structure"] == name])
            for name in r.structure_names()]


def by_field(r, value):
    """For each field of each structure the (condition, value) of each of its records."""
    return [(f"LW_F_{name}_{field}", [
        (both(r.c(s["when"]), r.c(f["when"])), value(s, f))
        for s in r.structures if s["structure"] == name for f in s["fields"] if f["name"] == field])
        for name in r.structure_names() for field in r.field_names(name)]


def instances(r, text_of):
    """The cases of a text on a structure's instance; where a unit does not have it, that on its last record's."""
    return cases([(key, [*records[:-1], ("true", records[-1][1])])
                  for key, records in by_structure(r, lambda s: f'"{text_of(s["instance"])}"')], "NULL")


def member(base, path):
    """`path` of the structure that the expression `base` names."""
    return f"{base}.{path}"


def function(signature, body, default):
    return f"\n{signature} {{\n{body}    default:\n        return {default};\n    }}\n}}\n"


def catalogue(r):
    fields = [(s, f) for s in r.structure_names() for f in r.field_names(s)]
    first = {(s["structure"], f["name"]): (s, f) for s in reversed(r.structures) for f in reversed(s["fields"])}
    text = HEAD + '#include "c_model/front/tlb_parts.h"\n#include "c_model/iommu_parts.h"\n' + names(r) + "\n"
    text += string_table("structure_names", "LW_STRUCTURE_COUNT", [(f"LW_S_{s}", s) for s in r.structure_names()])
    text += string_table("field_names", "LW_FIELD_COUNT", [(f"LW_F_{s}_{f}", f) for s, f in fields])
    text += string_table("meanings", "LW_FIELD_COUNT", [(f"LW_F_{s}_{f}", first[s, f][1]["is"]) for s, f in fields])
    text += "static const lw_structure structures[LW_FIELD_COUNT] = {\n"
    text += "".join(f"    [LW_F_{s}_{f}] = LW_S_{s},\n" for s, f in fields) + "};\n"
    text += "static const lw_field valids[LW_STRUCTURE_COUNT] = {\n"
    for s in r.structures:
        valid = f"LW_F_{s['structure']}_{s['valid']}" if s["valid"] else "LW_FIELD_COUNT"
        if first[s["structure"], s["fields"][0]["name"]][0] is s:
            text += f"    [LW_S_{s['structure']}] = {valid},\n"
    text += "};\n"
    for kind, name, argument, table in [
            ("const char *", "lw_structure_name", "lw_structure s", "structure_names[s]"),
            ("const char *", "lw_field_name", "lw_field f", "field_names[f]"),
            ("const char *", "lw_field_meaning", "lw_field f", "meanings[f]"),
            ("lw_structure ", "lw_field_structure", "lw_field f", "structures[f]"),
            ("lw_field ", "lw_structure_valid", "lw_structure s", "valids[s]")]:
        text += f"\n{kind}{name}({argument}) {{\n    return {table};\n}}\n"
    text += function("uint32_t lw_structure_entries(const lw_params *p, lw_structure s)",
                     "    switch (s) {\n" + cases(by_structure(r, lambda s: r.c(s["entries"])), "0"), "0")
    text += function("uint32_t lw_field_bits(const lw_params *p, lw_field f)",
                     "    switch (f) {\n" + cases(by_field(r, lambda s, f: r.c(f["bits"])), "0"), "0")

    def cell(s, f):
        return f"(lw_cell){{&({member(s['twin'], f['twin'])}), sizeof({member(s['twin'], f['twin'])}), " \
               f"(uint8_t)({f['at']}), (uint8_t){r.c(f['bits'])}}}"

    text += function("lw_cell lw_register_cell(lw_iommu *u, lw_field f, uint32_t i)",
                     "    const lw_params *p = &u->cfg.hw;\n    const lw_cell none = {0};\n    switch (f) {\n" +
                     cases(by_field(r, cell), "none"), "none")
    return text


def places(r):
    text = HEAD + '#include "dpi/places.h"\n' + names(r)
    text += function("const char *lw_rtl_instance(const lw_params *p, lw_structure s)",
                     "    switch (s) {\n" + instances(r, str), "NULL")
    text += function("const char *lw_rtl_file(const lw_params *p, lw_structure s)",
                     "    switch (s) {\n" + instances(r, file_of), "NULL")
    first = {(s["structure"], f["name"]): rules_of(s, f) for s in reversed(r.structures) for f in reversed(s["fields"])}
    text += "\n" + string_table("rules", "LW_FIELD_COUNT", [(f"LW_F_{s}_{f}", said) for (s, f), said in first.items()])
    text += "\nconst char *lw_field_rules(lw_field f) {\n    return rules[f];\n}\n"
    known = [(e["instance"], e["register"]) for e in r.exceptions]
    for s in r.structures:
        known += [(s["instance"], f["name"].lower() + "_q") for f in s["fields"] if not f["array"]]
        known += [(f"{s['instance']}.{f['array']}.*", "mem_q") for f in s["fields"] if f["array"]]
    text += ("\nconst lw_rtl_pattern lw_rtl_known[] = {\n" +
             "".join(f'    {{"{instance}", "{name}"}},\n' for instance, name in known) +
             "};\nconst size_t lw_rtl_known_count = sizeof lw_rtl_known / sizeof lw_rtl_known[0];\n")
    arrays = [(key, [(c, v) for c, v in records if v is not None]) for key, records in by_field(
        r, lambda s, f: f and f["array"] and f'(lw_rtl_array){{"{f["array"]}", {r.c(s["words"])}}}')]
    return text + function("lw_rtl_array lw_rtl_array_of(const lw_params *p, lw_field f)",
                           "    const lw_rtl_array none = {NULL, 0};\n    switch (f) {\n" +
                           cases([row for row in arrays if row[1]], "none"), "none")


def main():
    parser = Parser(prog="generate.py", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the C files go")
    folder = parser.parse_args().folder
    r = Registers()
    made = {"registers.h": header(r), "registers.c": catalogue(r), "places.c": places(r)}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        path = folder / name
        # What has not changed keeps its time, so that nothing is built anew for it.
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main, "lockwalk"))
