"""The pictures of a report, as SVG to stand in a page: bars of stages, histograms, banks, area against cycles."""

import io
import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

plt.rcParams.update({"svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9})


def svg(figure, name):
    """The figure without what only a file needs; its ids begin with the name, since a page has several pictures."""
    plt.rcParams["svg.hashsalt"] = name
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    plt.close(figure)
    text = out.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg"):], flags=re.S)
    text = re.sub(r'\bid="', f'id="{name}-', text)
    return re.sub(r'(url\(#|xlink:href="#)', rf"\g<1>{name}-", text)


def bars(name, rows, unit):
    """Horizontal bars, [(label, {part: value})], their parts one behind the other, in one colour each."""
    figure, axis = plt.subplots(figsize=(9, 1.4 + 0.42 * len(rows)))
    parts = [part for part in rows[0][1] if any(values[part] > 0 for _, values in rows)]
    colours = plt.get_cmap("tab20").colors
    left = [0.0] * len(rows)
    for n, part in enumerate(parts):
        widths = [values[part] for _, values in rows]
        axis.barh(range(len(rows)), widths, left=left, height=0.7, color=colours[n % len(colours)], label=part)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    axis.set_yticks(range(len(rows)), [label for label, _ in rows])
    axis.invert_yaxis()
    axis.set_xlabel(unit)
    axis.legend(ncols=8, fontsize=7, loc="lower left", bbox_to_anchor=(0, 1), frameon=False)
    figure.tight_layout()
    return svg(figure, name)


def histogram(name, lists, unit):
    """{label: [[from, count], ..]} by powers of two, beside each other."""
    figure, axis = plt.subplots(figsize=(9, 2.8))
    places = sorted({first for pairs in lists.values() for first, _ in pairs})
    width = 0.8 / len(lists)
    for n, (label, pairs) in enumerate(lists.items()):
        counts = dict(pairs)
        axis.bar([i + n * width for i in range(len(places))], [counts.get(p, 0) for p in places], width, label=label)
    axis.set_xticks(range(len(places)), [f"{p}.." for p in places])
    axis.set_xlabel(unit)
    axis.set_ylabel("requests")
    axis.legend(fontsize=8, frameon=False)
    figure.tight_layout()
    return svg(figure, name)


def columns(name, values, x, y):
    figure, axis = plt.subplots(figsize=(9, 2.4))
    axis.bar(range(len(values)), values, color="C0")
    axis.set_xlabel(x)
    axis.set_ylabel(y)
    figure.tight_layout()
    return svg(figure, name)


def scatter(name, points, x, y):
    """[(x, y, label, is it on the front)]"""
    figure, axis = plt.subplots(figsize=(9, 4.2))
    axis.scatter([p[0] for p in points], [p[1] for p in points], c=["C3" if p[3] else "C0" for p in points], s=24)
    for px, py, label, front in points:
        if front:
            axis.annotate(label, (px, py), textcoords="offset points", xytext=(5, 3), fontsize=7)
    axis.set_xlabel(x)
    axis.set_ylabel(y)
    figure.tight_layout()
    return svg(figure, name)
