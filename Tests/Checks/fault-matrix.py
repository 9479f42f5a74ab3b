#!/usr/bin/env python3
"""Compares the matrix in Tests/FaultMatrix.md with the tests that say which faults they provoke.

usage: fault-matrix.py [NUMBER]

A test says so by its name, `24: stdout blocked`, or in a line of a doc comment, of its own or of its suite: "Fault 8.",
"Faults 51, 52 and 54."; a session, in such a comment above it. A row whose fault no test provokes names a command in
backquotes in its third column. With a NUMBER, the files of its tests are printed.
"""

import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

NUMBERS = r"\d+(?:(?:, | and | to )\d+)*"
COMMENT = re.compile(rf"^(?: *///|#).*?\bFaults? ({NUMBERS})\b")
NAME = re.compile(rf"\bfunc `({NUMBERS}): ")
ROW = re.compile(r"^\| (\d+) \|.*? \| ([^|]*) \| [^|]* \|$", re.MULTILINE)


def numbers(text):
    """The numbers of `16 to 19, 31 and 40`."""
    found = set()
    for part in re.split(", | and ", text):
        first, _, last = part.partition(" to ")
        found.update(range(int(first), int(last or first) + 1))
    return found


def tagged(root):
    """The files of tests by the numbers of their faults."""
    files = defaultdict(set)
    for path in [*(root / "Tests").rglob("*Tests.swift"), *(root / "Tests").rglob("*.session")]:
        for line in path.read_text().splitlines():
            if match := COMMENT.match(line) or NAME.search(line):
                for number in numbers(match[1]):
                    files[number].add(str(path.relative_to(root)))
    return files


def mistakes(text, files):
    """What is wrong with the matrix."""
    rows = [(int(number), how) for number, how in ROW.findall(text)]
    counts = Counter(number for number, _ in rows)
    return (
        [f"fault {number}: no test and no command provokes it"
         for number, how in rows if number not in files and "`" not in how]
        + [f"fault {number}: {count} rows have this number" for number, count in counts.items() if count > 1]
        + [f"fault {number}: {', '.join(sorted(files[number]))} provokes it, and no row has this number"
           for number in sorted(files.keys() - counts.keys())])


def main():
    root = Path(__file__).resolve().parent.parent.parent
    files = tagged(root)
    if len(sys.argv) > 1:
        print("\n".join(sorted(files[int(sys.argv[1])])))
    elif wrong := mistakes((root / "Tests" / "FaultMatrix.md").read_text(), files):
        sys.exit("\n".join(f"error: {line}" for line in wrong))


if __name__ == "__main__":
    main()
