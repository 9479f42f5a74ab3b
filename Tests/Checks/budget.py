#!/usr/bin/env python3
"""Compares the lines of each target in Sources with the limit that Sources/Budget.md sets it.

With --lower, limits are lowered to today's lines, rounded up to 50; none is raised."""
import pathlib
import re
import sys

STEP = 50
ROW = re.compile(r"^\| `(\w+)` \| ([\d,]+) \|$", re.MULTILINE)


def lines(folder):
    """How many lines of Swift and C a target has, without the files of its documentation."""
    return sum(
        path.read_bytes().count(b"\n") for path in folder.rglob("*")
        if path.suffix in (".swift", ".c", ".h") and not any(part.endswith(".docc") for part in path.parts))


def problems(counts, limits):
    """What is wrong with the limits of targets with these numbers of lines."""
    return (
        [f"Sources/Budget.md has no limit for {name}" for name in sorted(counts.keys() - limits.keys())]
        + [f"Sources/Budget.md: there is no target {name}" for name in sorted(limits.keys() - counts.keys())]
        + [f"{name} has {counts[name]:,} lines, {counts[name] - limits[name]:,} more than Sources/Budget.md allows: "
           "remove some, or raise its limit and say why"
           for name in sorted(counts.keys() & limits.keys()) if counts[name] > limits[name]])


def lowered(text, counts):
    """The table with limits that are no higher than needed."""
    def row(match):
        name, limit = match[1], int(match[2].replace(",", ""))
        return f"| `{name}` | {min(limit, -(-counts.get(name, limit) // STEP) * STEP):,} |"
    return ROW.sub(row, text)


def main():
    sources = pathlib.Path(__file__).parent.parent.parent / "Sources"
    table = sources / "Budget.md"
    # Packaging is no target.
    counts = {folder.name: lines(folder) for folder in sources.iterdir()
              if folder.is_dir() and folder.name != "Packaging"}
    if sys.argv[1:] == ["--lower"]:
        table.write_text(lowered(table.read_text(), counts))
    limits = {name: int(limit.replace(",", "")) for name, limit in ROW.findall(table.read_text())}
    sys.exit("\n".join(problems(counts, limits)) or 0)


if __name__ == "__main__":
    main()
