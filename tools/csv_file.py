"""CSV files that a person has named: read, with a sentence for what is none."""

import csv
import math

from tools.refusal import Refusal


def read(path, what, kinds, allowed):
    """The rows, [{column: text}]: `kinds` says what the cells of a column are, {column: str, int or float}, that there
    may be others; `what` a file of these columns is, and `allowed` which files are."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise Refusal(f"{path}: cannot be read ({error.strerror}); allowed: {allowed}") from error
    except (ValueError, csv.Error) as error:
        raise Refusal(f"{path}: is no CSV ({error}); allowed: {allowed}") from error
    missing = next((name for name in kinds if not rows or name not in rows[0]), None)
    if missing is not None:
        raise Refusal(f"{path}: is no {what}, it has no column \"{missing}\"; allowed: {allowed}")
    for n, row in enumerate(rows, 1):
        if None in row or None in row.values():
            raise Refusal(f"{path}: row {n} has more or fewer cells than there are columns; allowed: a cell of each")
        for name, kind in kinds.items():
            if not _is(kind, row[name]):
                raise Refusal(f"{path}: row {n}, {name} is \"{row[name]}\"; allowed: a "
                              f"{'whole number' if kind is int else 'number'}")
    return rows


def _is(kind, text):
    try:
        return kind is str or math.isfinite(kind(text))
    except (ValueError, OverflowError):  # an integer that no float holds is none that anybody has measured
        return False
