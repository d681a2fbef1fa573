"""How fast a library's cells are, from its liberty: each cell's input capacitances and its delay by load.

The delay is the slower of rise and fall, over all inputs, at the middle of the table's input slews: exact
enough to shape buffer trees, and no more than that (ABC sizes, OpenSTA judges)."""

import bisect
import re
from itertools import pairwise

CELL = re.compile(r'^\s*cell\s*\(\s*"?([\w.]+)"?\s*\)', re.M)
PIN = re.compile(r'^\s*pin\s*\(\s*"?(\w+)"?\s*\)\s*\{', re.M)
TABLE = re.compile(r'cell_(?:rise|fall)\s*\(\s*"?(\w+)"?\s*\)\s*\{(.*?)\}', re.S)
TEMPLATE = re.compile(r'^\s*lu_table_template\s*\(\s*"?(\w+)"?\s*\)\s*\{(.*?)\}', re.M | re.S)
NUMBER = r"\s*:\s*\"?([\d.eE+-]+)"


def read(text):
    """{cell: {"pins": {input: capacitance}, "output": its last output pin, "loads": [..], "delays": [..]}}
    in the liberty's units; loads and delays are empty for a cell without delay tables."""
    templates = dict(TEMPLATE.findall(text))
    starts = [(m.start(), m[1]) for m in CELL.finditer(text)] + [(len(text), None)]
    return {name: _cell(text[start:end], templates)
            for (start, name), (end, _) in pairwise(starts)}


def _cell(text, templates):
    starts = [(m.start(), m[1]) for m in PIN.finditer(text)] + [(len(text), None)]
    pins, output, tables = {}, None, []
    for (start, name), (end, _) in pairwise(starts):
        body = text[start:end]
        if re.search(r'direction\s*:\s*"?input', body):
            found = re.search(r"\bcapacitance" + NUMBER, body)
            pins[name] = float(found[1]) if found else 0.0
        else:
            output = name
        tables += [_row(template, table, templates) for template, table in TABLE.findall(body)]
    tables = [table for table in tables if table]
    loads = tables[0][0] if tables else []
    # Tables of one cell have the same loads in every library met; others would not compare.
    same = [delays for other, delays in tables if other == loads]
    return {"pins": pins, "output": output, "loads": loads,
            "delays": [max(column) for column in zip(*same, strict=True)]}


def _row(template, table, templates):
    """(loads, delays at the middle slew) of a delay table; None where it has no load in it."""
    shape = templates.get(template, "")
    variables = re.findall(r'variable_(\d)\s*:\s*"?(\w+)', shape)
    axis = {variable: int(n) for n, variable in variables}.get("total_output_net_capacitance")
    if axis is None or len(variables) != 2:
        return None
    indexes = dict(re.findall(r'index_(\d)\s*\(\s*"([^"]*)"', shape))
    indexes.update(re.findall(r'index_(\d)\s*\(\s*"([^"]*)"', table))
    loads, slews = (_numbers(indexes[str(n)]) for n in (axis, 3 - axis))
    values = _numbers(re.search(r"values\s*\((.*?)\)", table, re.S)[1])
    middle, width = len(slews) // 2, len(values) // len(_numbers(indexes["1"]))
    if axis == 2:
        return loads, values[middle * width:(middle + 1) * width]
    return loads, values[middle::width]


def _numbers(text):
    return [float(n) for n in re.findall(r"[\d.eE+-]+", text)]


def delay(cell, load):
    """The delay of a cell of read() into a capacitance, beyond the table's ends by its last slope."""
    loads, delays = cell["loads"], cell["delays"]
    if not loads:
        return 0.0
    n = min(max(bisect.bisect(loads, load), 1), len(loads) - 1)
    slope = (delays[n] - delays[n - 1]) / (loads[n] - loads[n - 1])
    return max(0.0, delays[n - 1] + slope * (load - loads[n - 1]))
