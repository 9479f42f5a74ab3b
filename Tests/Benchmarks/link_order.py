"""Prints the symbols that live reports, replays and the reports of `--report` run through, in the order in
which they first run.

The program has to have its symbols, and valgrind has to be installed.
"""

import re
import subprocess
import sys
import tempfile

import workload

REPORTS = 40


def functions_run(profile):
    with open(profile) as file:
        for line in file:
            if match := re.match(r"c?fn=\(\d+\) (.*?)('\d+)?$", line):
                yield match[1]


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
    run = []
    with tempfile.TemporaryDirectory() as folder:
        profile = f"{folder}/profile"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", program]
        workload.follow(command, REPORTS)
        run += functions_run(profile)
        # What each needs that those before do not follows them.
        for arguments in workload.replays(folder, ["csv"]):
            workload.replay(command, arguments)
            run += functions_run(profile)
    known = symbols(program)
    print("\n".join(dict.fromkeys(known[name] for name in run if name in known)))


if __name__ == "__main__":
    main()
