"""The fields of a module's ports as Verilator lays them out, for the module lockstep (run by make):

    layout.py TREE.json OUT.h

TREE.json is what `verilator --json-only` says of the module as the top. OUT.h gets one row a port and, where a port
is a packed struct or an array of such, one a field: {"mark_i.pasid", "mark_i", lsb, width, count, stride}. The fields
of an array's elements are one row, `count` pieces `stride` bits apart; a table that names it sees them side by side."""

import json
import sys


def nodes(tree):
    """All dicts of the tree."""
    if isinstance(tree, dict):
        yield tree
        for value in tree.values():
            yield from nodes(value)
    elif isinstance(tree, list):
        for item in tree:
            yield from nodes(item)


def bits(text, opening=""):
    """The number of bits of a range "high:low"."""
    high, low = (int(number) for number in text.strip(opening + "]").split(":"))
    return abs(high - low) + 1


class Types:
    """The types of the tree by their addresses."""

    def __init__(self, tree):
        self.of = {node["addr"]: node for node in nodes(tree) if node.get("type", "").endswith("DTYPE")}

    def resolved(self, address):
        node = self.of[address]
        while node["type"] in ("REFDTYPE", "ENUMDTYPE", "MEMBERDTYPE"):
            node = self.of[node["refDTypep"] if node["type"] == "ENUMDTYPE" else node["dtypep"]]
        return node

    def width(self, address):
        node = self.resolved(address)
        if node["type"] == "PACKARRAYDTYPE":
            return bits(node["declRange"], "[") * self.width(node["refDTypep"])
        if node["type"] == "STRUCTDTYPE":
            return sum(self.width(member["dtypep"]) for member in node["membersp"])
        return bits(node["range"]) if "range" in node else 1

    def fields(self, name, address, lsb=0, count=1, stride=0):
        """Rows (name, lsb, width, count, stride) of a port and what is in it."""
        node = self.resolved(address)
        yield name, lsb, self.width(address), count, stride
        if node["type"] == "PACKARRAYDTYPE" and count == 1:
            element = self.resolved(node["refDTypep"])
            if element["type"] == "STRUCTDTYPE":
                width = self.width(node["refDTypep"])
                rows = self.fields(name, node["refDTypep"], lsb, bits(node["declRange"], "["), width)
                yield from list(rows)[1:]
        elif node["type"] == "STRUCTDTYPE":
            for member in reversed(node["membersp"]):  # the last is lowest
                yield from self.fields(f"{name}.{member['name']}", member["dtypep"], lsb, count, stride)
                lsb += self.width(member["dtypep"])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        tree = json.load(file)
    types = Types(tree)
    top = next(node for node in nodes(tree) if node.get("type") == "MODULE" and node.get("level") == 1)
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        for port in nodes(top):
            if port.get("type") == "VAR" and port.get("varType") == "PORT":
                for row in types.fields(port["name"], port["dtypep"]):
                    print(f'{{"{row[0]}", "{port["name"]}", {row[1]}, {row[2]}, {row[3]}, {row[4]}}},', file=out)


if __name__ == "__main__":
    main()
