#!/usr/bin/env python3
"""Counts the instructions, page faults and written memory of locwatch, and compares them with instructions.md.

More than 3 % more instructions fail, with the functions that grew since the commit that last changed the table, which
is built for that; so do more than 10 % more page faults or written memory. --write writes the table instead.
"""

import argparse
import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from collections import Counter
from pathlib import Path

from generate import drive, positions, raw_log, stamp
from live import Client, latitude
from measuring import leave_page_cache

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
TABLE = HERE / "instructions.md"
MORE_INSTRUCTIONS = 1.03
# Pages hang on when the threads of a run meet, and on what else is in memory.
MORE_PAGES = 1.10
TURNS = 5
GROWN = 12  # functions that are named
MODULES = ("GPSD", "Location", "Locwatch")  # what the names of locwatch's own modules contain
HEADER = ["what", "instructions", "page faults", "KiB written"]


class Cost:
    """What a run takes; `functions` has the instructions by function."""

    def __init__(self, functions, faults, written):
        self.functions, self.faults, self.written = functions, faults, written

    @property
    def instructions(self):
        return sum(self.functions.values())

    def of(self, *words):
        """Returns what the functions take whose names contain one of the words, and the pages of the whole run."""
        counts = {name: count for name, count in self.functions.items() if any(word in name for word in words)}
        return Cost(Counter(counts), self.faults, self.written)


class Program:
    """A binary of locwatch, run under valgrind and by itself."""

    def __init__(self, path, scratch):
        self.path, self.scratch = str(shutil.copy(path, scratch)), Path(scratch)
        leave_page_cache(self.path)
        self.memory = self.scratch / "memory"
        if not self.memory.exists():
            compiler = shutil.which("cc") or "clang"
            subprocess.run([compiler, "-O2", "-o", self.memory, HERE / "peers/memory.c"], check=True)

    def cost(self, run, *options):
        """Returns what a run takes, which is given the command and has to end."""
        command = [self.path, *options]
        counts, pages = self.scratch / "cachegrind", self.scratch / "pages"
        run(["valgrind", f"--log-file={counts}.log", "--tool=cachegrind", "--cache-sim=no",
             f"--cachegrind-out-file={counts}", *command])
        found = []
        for _ in range(TURNS):
            run([str(self.memory), str(pages), *command])
            found.append(tuple(map(int, pages.read_text().split())))
        return Cost(functions(counts), min(f for f, _ in found), min(w for _, w in found))


def functions(path):
    """Returns the instructions of each function in a file of cachegrind."""
    found, name = Counter(), ""
    for line in Path(path).read_text(errors="replace").splitlines():
        if line.startswith("fn="):
            name = line[3:]
        elif line[:1].isdigit():
            found[name] += int(line.split()[1])
    return found


def alone(command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def in_lockstep(reports):
    """A run of a client that is sent each report once it has written the one before."""
    def run(command):
        client = Client(command)
        for report in reports:
            client.socket.sendall(report.encode())
            client.read_on(latitude(report))
        finish(client, command)
    return run


def at_once(reports):
    """A run of a client that is sent all reports at once, and whose output nobody waits for."""
    def run(command):
        client = Client(command, subprocess.DEVNULL)
        client.socket.sendall("".join(reports).encode())
        finish(client, command)
    return run


def finish(client, command):
    """Waits for the end that the client's --count brings."""
    if client.process.wait(300) != 0:
        sys.exit(f"{' '.join(command)} ended with {client.process.returncode}")
    client.close()


def screen(output):
    """Returns what a terminal shows after this output."""
    cells, row, column = {}, 0, 0
    for numbers, command, character in re.findall(r"\x1b\[([\d;?]*)([A-Za-z])|(.)", output, re.DOTALL):
        if command == "H":
            row, column = map(int, numbers.split(";")) if ";" in numbers else (1, 1)
        elif command == "J":
            cells = {}
        elif not command:
            cells[row, column] = character
            column += 1
    return "".join(cells.get((row, column), " ") for row in range(25) for column in range(81))


def in_a_view(goes_back):
    """A run in a view, whose user goes back by 10 s at the end of the recording, or leaves there."""
    def run(command):
        process, terminal = pty.fork()
        if process == 0:
            os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
            os.execvp(command[0], command)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
        drawn, shown = b"", ""
        for is_over, keys in [(True, " \x1b[D")] * goes_back + [(not goes_back, "q")]:
            while ("End of the recording" in shown) != is_over or "seeking" in shown:
                drawn += os.read(terminal, 65_536)
                shown = screen(drawn.decode(errors="replace"))
            os.write(terminal, keys.encode())
        _, status = os.waitpid(process, 0)
        os.close(terminal)
        if status != 0:
            sys.exit(f"{' '.join(command)} ended with {status}")
    return run


def time_stamp(second, start):
    """A line of locwatch before the reports of a second."""
    start_of_file = f',"start":"{stamp(start)}"' if second == start else ""
    return f'{{"class":"LOCWATCH","t":{second - start}.000{start_of_file}}}\r\n'


def write_recording(size, path, folder, length=600):
    """Writes a drive as locwatch records it, in a file and in a folder of files of `length` seconds.

    Returns the options for its last minute."""
    folder.mkdir()
    with open(path, "w", newline="") as whole:
        for second, reports in enumerate(drive(size)):
            whole.write(time_stamp(second, 0) + reports)
            start = second - second % length
            name = f"{start // length + 1:06}-{stamp(start).replace(':', '')}.jsonl"
            with open(folder / name, "a", newline="") as part:
                part.write(time_stamp(second, start) + reports)
    return ["--from", stamp(second - 60), "--to", stamp(second)]


def costs(path, scratch):
    """Returns the costs of each row of the table."""
    program = Program(path, scratch)
    recording = Path(scratch) / "drive.jsonl"
    with open(recording, "w", newline="") as file:
        file.writelines(drive(3e6))
    raw, page = Path(scratch) / "drive.nmea", Path(scratch) / "report.html"
    with open(raw, "w", newline="") as file:
        file.writelines(raw_log(300))
    replay = ["--replay", str(recording)]
    hours, folder = Path(scratch) / "hours.jsonl", Path(scratch) / "copied"
    minute = [*write_recording(12e6, hours, folder), "--format", "csv"]

    def live(kind, count):
        return program.cost(
            kind(positions(count)), "--json", "--no-events", "--count", str(count), "127.0.0.1:PORT")

    def a_report(kind, few, many):
        """Returns what a report takes, and the pages of a whole run."""
        less, more = live(kind, few), live(kind, many)
        grown = Counter({name: (count - less.functions[name]) / (many - few)
                         for name, count in more.functions.items()})
        return Cost(grown, more.faults, more.written)

    def a_step_back():
        """Returns how much is decoded again for 10 s."""
        once, again = (program.cost(in_a_view(back), "--view", *replay, "--speed", "max").of("12GPSDProtocol")
                       for back in (False, True))
        again.functions.subtract(once.functions)
        return again

    return {
        "a replay of 3 MB to CSV": program.cost(alone, *replay, "--format", "csv:time,lat,lon,altHAE"),
        "the same to NDJSON": program.cost(alone, *replay, "--json", "--no-events"),
        "the same to the page of a report": program.cost(alone, *replay, "--report", str(page)),
        "the same to the text of a report": program.cost(alone, *replay, "--report", "-"),
        "the same to NMEA": program.cost(alone, *replay, "--format", "nmea"),
        # How often locwatch looks for its gpsd depends on the machine, and takes place in Swift's library.
        "a raw log of 300 s to GPX": program.cost(alone, "--replay", str(raw), "--format", "gpx").of(*MODULES),
        "the last minute of 12 MB to CSV": program.cost(alone, "--replay", str(hours), *minute),
        "the same of a folder that was copied": program.cost(alone, "--replay", str(folder), *minute),
        "the decoding for a step back in a view": a_step_back(),
        "a report of a flood": a_report(at_once, 1000, 5000),
        "a live report, one at a time": a_report(in_lockstep, 50, 250),
        "the start of a live run and one report": live(in_lockstep, 1),
        "--version": program.cost(alone, "--version"),
    }


def swift_version():
    words = subprocess.run(["swift", "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return re.search(r"Swift version (\S+)", words.stdout)[1]


def written_table(found):
    rows = [HEADER, ["---"] * len(HEADER)]
    rows += [[name, f"{cost.instructions:,.0f}", f"{cost.faults:,}", f"{cost.written:,}"]
             for name, cost in found.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def read_table():
    """Returns the compiler of the table, and its rows: instructions, faults and KiB."""
    text = TABLE.read_text() if TABLE.exists() else ""
    version = re.search(r"Swift (\d[\d.]*\d)", text)
    rows = re.findall(r"^\| (.+?) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", text, re.MULTILINE)
    return version and version[1], {
        name: [int(number.replace(",", "")) for number in numbers] for name, *numbers in rows}


def worse(found, known):
    """Returns what is worse than the table: the row, the column, and a sentence."""
    complaints = []
    for name, cost in found.items():
        instructions, faults, written = known[name]
        for what, now, before, limit in (
            ("instructions", cost.instructions, instructions, MORE_INSTRUCTIONS),
            ("page faults", cost.faults, faults, MORE_PAGES),
            ("KiB written", cost.written, written, MORE_PAGES),
        ):
            if now > before * limit:
                words = f"{name}: {now:,.0f} {what} where the table has {before:,}, {now / before - 1:+.1%}"
                complaints.append((name, what, words))
    return complaints


def named(names):
    """Returns the names of functions as Swift's sources have them."""
    words = subprocess.run(["swift", "demangle", "--simplified", "--compact"], input="\n".join(names),
                           stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return dict(zip(names, words))


def print_growth(now, before):
    """Prints the functions that take more instructions than before."""
    growth = Counter({name: count - before.functions[name] for name, count in now.functions.items()})
    grown = [(name, more) for name, more in growth.most_common(GROWN) if more > 0.001 * now.instructions]
    words = named([name for name, _ in grown])
    for name, more in grown:
        print(f"    {more:+12,.0f}  {words[name][:120]}")


def build_before():
    """Builds the commit that last changed the table, and returns its program, or none if it cannot be built."""
    git = ["git", "-C", PROJECT]
    log = subprocess.run([*git, "log", "-1", "--format=%H", "--", TABLE], stdout=subprocess.PIPE, text=True)
    commit = log.stdout.strip()
    if not commit:
        print("without the history of the table, the functions that grew cannot be named")
        return None
    print(f"building {commit[:8]}, which last changed the table, to name the functions that grew", flush=True)
    tree = PROJECT / ".build/instructions"
    # What was built there before is kept.
    for old in tree.glob("*"):
        if old.name != ".build":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    tree.mkdir(parents=True, exist_ok=True)
    sources = subprocess.run([*git, "archive", commit], check=True, stdout=subprocess.PIPE).stdout
    subprocess.run(["tar", "-x", "-C", tree], check=True, input=sources)
    made = subprocess.run(["make", "--no-print-directory", "-C", tree, "release"], text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if made.returncode != 0:
        print(made.stdout[-2000:])
        return None
    return tree / ".build/release/locwatch"


def write(found):
    words = TABLE.read_text().partition("| what")[0]
    words = re.sub(r"Swift \d[\d.]*\d", f"Swift {swift_version()}", words)
    TABLE.write_text(words + written_table(found) + "\n")


def print_all_growth(found, path, scratch):
    """Prints what each row takes more than with another program, with the functions."""
    before = costs(path, scratch)
    for name, cost in found.items():
        print(f"{name}: {cost.instructions / before[name].instructions - 1:+.2%}")
        print_growth(cost, before[name])


def compare(found, scratch):
    """Compares with the table, and ends the program where a row is worse."""
    version, known = read_table()
    if version != swift_version():
        print(f"skipped: the comparison with the table, which is of Swift {version}")
        return
    if known.keys() != found.keys():
        sys.exit("error: instructions.md has other rows: 'make bench-instructions WRITE=1' writes it")
    complaints = worse(found, known)
    if not complaints:
        print("nothing is worse than instructions.md")
        return
    for *_, words in complaints:
        print(f"error: {words}", flush=True)
    rows = [name for name, what, _ in complaints if what == "instructions"]
    if rows and (program := build_before()):
        before = costs(program, scratch)
        for name in rows:
            print(f"{name}: functions that take more instructions")
            print_growth(found[name], before[name])
    sys.exit("error: if this has to be, 'make bench-instructions WRITE=1' writes the table for the same commit")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locwatch", required=True, help="the release binary, with its symbols")
    parser.add_argument("--write", action="store_true", help="write the table")
    parser.add_argument("--against", help="another binary, to print the functions that grew since it")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("skipped: the count of instructions, which needs valgrind")
        return
    with tempfile.TemporaryDirectory() as scratch:
        found = costs(options.locwatch, scratch)
        print(written_table(found), flush=True)
        if options.write:
            write(found)
        elif options.against:
            print_all_growth(found, options.against, scratch)
        else:
            compare(found, scratch)


if __name__ == "__main__":
    main()
