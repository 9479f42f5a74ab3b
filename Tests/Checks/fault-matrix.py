#!/usr/bin/env python3
"""Compares the last column of the matrix in Tests/FaultMatrix.md with the tests that say which faults they provoke.

usage: fault-matrix.py [--write] [ROOT]

A test says so by its name, `24: stdout blocked`, or in a line of a doc comment, of its own or of its suite: "Fault 8.",
"Faults 51, 52 and 54." The column has the files of these tests by their names, then what is no test, in backquotes.
With --write it is written; otherwise each difference is an error, as is a number that two rows have or none.
"""

import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

NUMBERS = r"\d+(?:(?:, | and | to )\d+)*"
COMMENT = re.compile(rf"^ *///.*?\bFaults? ({NUMBERS})\b")
NAME = re.compile(rf"\bfunc `({NUMBERS}): ")
ROW = re.compile(r"^\| (\d+) \|(.*)\| ([^|]*)\|$")


def numbers(text):
    """The numbers of `16 to 19, 31 and 40`."""
    found = set()
    for part in re.split(", | and ", text):
        first, _, last = part.partition(" to ")
        found.update(range(int(first), int(last or first) + 1))
    return found


def tagged(root):
    """The names of the files of tests by the numbers of their faults."""
    files = defaultdict(set)
    for path in (root / "Tests").rglob("*Tests.swift"):
        for line in path.read_text().splitlines():
            if match := COMMENT.match(line) or NAME.search(line):
                for number in numbers(match[1]):
                    files[number].add(path.stem)
    return files


def check(text, files):
    """The text with the column that the tags make, and what is wrong with the column that it has."""
    lines, wrong, rows = text.split("\n"), [], Counter()
    for index, line in enumerate(lines):
        if not (match := ROW.match(line)):
            continue
        number, cell = int(match[1]), match[3].strip()
        rows[number] += 1
        names = [*sorted(files.get(number, ())), *re.findall(r"`[^`]+`", cell)]
        if not names:
            wrong.append(f"fault {number}: no test says that it provokes it")
        if cell != ", ".join(names):
            wrong.append(f"fault {number}: the matrix names '{cell}', the tests are '{', '.join(names)}'")
            lines[index] = f"| {number} |{match[2]}| {', '.join(names)} |"
    wrong += [f"fault {number}: {count} rows have this number" for number, count in rows.items() if count > 1]
    wrong += [f"fault {number}: {', '.join(sorted(files[number]))} provokes it, and no row has this number"
              for number in sorted(files.keys() - rows.keys())]
    return "\n".join(lines), wrong


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent.parent
    page = root / "Tests" / "FaultMatrix.md"
    text, wrong = check(page.read_text(), tagged(root))
    if "--write" in sys.argv and text != page.read_text():
        page.write_text(text)
        _, wrong = check(text, tagged(root))
    if wrong:
        sys.exit("\n".join([f"error: {line}" for line in wrong] + ["fault-matrix.py --write writes the column"]))


if __name__ == "__main__":
    main()
