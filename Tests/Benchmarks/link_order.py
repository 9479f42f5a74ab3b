"""Prints the symbols that live reports run through, in the order in which they first run.

The program has to have its symbols, and valgrind has to be installed.
"""

import re
import subprocess
import sys
import tempfile

import live
from generate import positions

REPORTS = 40


def functions_run(program, profile):
    """Runs the program on a few reports under callgrind."""
    client = live.Client([
        "valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", program, "--json",
        "--no-events", "-n", str(REPORTS), "localhost:PORT"])
    for report in positions(REPORTS):
        client.socket.sendall(report.encode())
        client.read_on(live.latitude(report))
    client.process.wait(live.DEADLINE)
    names = []
    with open(profile) as file:
        for line in file:
            if match := re.match(r"c?fn=\(\d+\) (.*?)('\d+)?$", line):
                names.append(match[1])
    return dict.fromkeys(names)


def symbols(program):
    """The program's symbols, by their own names and by those that C++ gives them."""
    listing = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    rows = (line.split() for line in listing.splitlines())
    mangled = [row[2] for row in rows if len(row) == 3 and row[1] in "tTwW"]
    plain = subprocess.run(
        ["c++filt"], input="\n".join(mangled), capture_output=True, text=True, check=True)
    return dict(zip(plain.stdout.splitlines(), mangled)) | {name: name for name in mangled}


def main():
    program = sys.argv[1]
    with tempfile.NamedTemporaryFile() as profile:
        run = functions_run(program, profile.name)
    known = symbols(program)
    print("\n".join(dict.fromkeys(known[name] for name in run if name in known)))


if __name__ == "__main__":
    main()
