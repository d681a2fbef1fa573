"""Value change dumps (VCD)."""

import re


def read(path):
    """The names with their codes and widths, and the changes: (time, code, value), as IEEE 1364 writes them."""
    head, body = path.read_text().split("$enddefinitions $end\n")
    scopes, names, widths = [], {}, {}
    for line in head.splitlines():
        words = line.split()
        if words[0] == "$scope":
            scopes.append(words[2])
        elif words[0] == "$upscope":
            scopes.pop()
        elif words[0] == "$var":
            assert words[1] == "reg" and words[-1] == "$end" and words[3] not in widths
            names[".".join([*scopes, words[4]]) + (words[5] if words[5] != "$end" else "")] = words[3]
            widths[words[3]] = int(words[2])
    assert not scopes
    changes, time = [], None
    for line in body.splitlines():
        if line.startswith("#"):
            assert time is None or int(line[1:]) > time
            time = int(line[1:])
            continue
        value, code = line[1:].split() if line.startswith("b") else (line[0], line[1:])
        assert re.fullmatch(r"[01]+", value) and len(value) == widths[code]
        changes.append((time, code, int(value, 2)))
    return names, changes
