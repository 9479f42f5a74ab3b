"""Measures locwatch against its peers and prints a table; see README.md."""

import argparse
import os
import subprocess
import tempfile

import live
from generate import drive, positions
from measuring import Ratio, Usage, leave_page_cache, paired

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3"  # The one that apt gives the module gps.
FIELDS = ("device,time,mode,lat,lon,altMSL,altHAE,geoidSep,speed,track,climb,epx,epy,epv,ept,eps,epc,"
          "eph,sep,magtrack,magvar")
SELECTION = f'select(.class=="TPV" and .mode>=2)|{{{FIELDS}}}'


class Table:
    """Each row has the ratio that holds, and where it should get: `to do`, or nothing if it is there."""

    def __init__(self):
        print("| # | what | median | spread | holds | to do | |\n| --- | --- | --- | --- | --- | --- | --- |")

    def row(self, number, what, ratio, limit, to_do, is_reached, more):
        mark = "" if is_reached else "**worse** "
        print(f"| {number} | {what} | {ratio.median:.3f} | {ratio.spread} | {limit} | {to_do} | {mark}{more} |",
              flush=True)

    def at_most(self, number, what, ratio, limit, to_do="", more=""):
        self.row(number, what, ratio, f"<= {limit} x", to_do and f"{to_do} x", ratio.median <= limit, more)

    def at_least(self, number, what, ratio, limit, to_do="", more=""):
        self.row(number, what, ratio, f">= {limit} x", to_do and f"{to_do} x", ratio.median >= limit, more)


def replays(table, locwatch, path, rounds):
    def cpu(*command):
        # What others do on the machine only ever makes a run longer.
        return lambda: min(Usage(command).cpu for _ in range(3))

    ratio = paired(rounds, cpu(locwatch, "--replay", path, "--format", "csv:time,lat,lon,altHAE"),
                   cpu("gpscsv", "--file", path))
    table.at_most(1, "replay to CSV, CPU, gpscsv --file", ratio, 0.1, 0.075, f"{ratio.ours:.3f} s")
    ratio = paired(rounds, cpu(locwatch, "--replay", path, "--json", "--no-events"),
                   cpu("jq", "-c", SELECTION, path))
    table.at_most(2, "replay to NDJSON, CPU, jq -c", ratio, 0.095, 0.05, f"{ratio.ours:.3f} s")


def decoding(table, decoder, path, scratch, rounds):
    text = subprocess.run([decoder, path, str(rounds)], capture_output=True, text=True, check=True)
    pairs = [tuple(map(float, line.split())) for line in text.stdout.splitlines()]
    ratio = Ratio(pairs)
    table.at_least(3, "decoding, gps_unpack", ratio, 7.5, 9, f"{ratio.ours:.0f} MB/s")
    program = os.path.join(scratch, "simdjson")
    source = os.path.join(HERE, "peers", "simdjson.cpp")
    build = ["c++", "-O3", "-std=c++17", "-o", program, source, "-lsimdjson"]
    if subprocess.run(build, capture_output=True).returncode != 0:
        print("| 3 | decoding, simdjson on demand | | | >= 1.0 x | | libsimdjson-dev is not installed |")
        return

    def ours():
        output = subprocess.check_output([decoder, path, "1"], text=True)
        return float(output.split()[0])

    def theirs():
        return float(subprocess.check_output([program, path, "1"], text=True))

    table.at_least(3, "decoding, simdjson on demand", paired(rounds, ours, theirs), 1.0)


def memory(table, locwatch, large, small, rounds):
    def replay(path):
        return lambda: Usage([locwatch, "--replay", path, "--format", "csv:time,lat,lon,altHAE"]).memory

    ratio = paired(rounds, replay(large), replay(small))
    table.at_most(4, "memory, replay of 72 MB, 45 KB", ratio, 1.1, more=f"{ratio.ours:.0f} KiB")
    ratio = paired(rounds, replay(large), lambda: Usage(["gpscsv", "--file", large]).memory)
    table.at_most(4, "memory, replay of 72 MB, gpscsv", ratio, 1.0, 0.7)


def start(table, locwatch, rounds):
    def wall(*command):
        # One start is short: the fastest of some is what it takes.
        return lambda: min(Usage(command).wall for _ in range(20))

    ratio = paired(rounds, wall(locwatch, "--version"), wall("gpspipe", "-V"))
    table.at_most(5, "--version, gpspipe -V", ratio, 1.5, more=f"{ratio.ours * 1e3:.2f} ms")
    table.at_most(5, "--version, gpscsv -V",
                  paired(rounds, wall(locwatch, "--version"), wall("gpscsv", "-V")), 0.07)


def clients(locwatch, scratch):
    def compiled(name):
        program = os.path.join(scratch, name)
        source = os.path.join(HERE, "peers", name + ".c")
        subprocess.run(["cc", "-O2", "-o", program, source, "-lgps"], check=True)
        return program

    return {
        "ours": [locwatch, "--json", "--no-events", "localhost:PORT"],
        "gpspipe": ["gpspipe", "-w", "localhost:PORT"],
        "python": [PYTHON, os.path.join(HERE, "peers", "python_gps.py"), "PORT"],
        "copy": [compiled("copy"), "PORT"],
        "loop": [compiled("libgps_loop"), "PORT"],
    }


def at_10_hz(table, commands, rounds):
    runs = [{name: live.at_10_hz(commands[name]) for name in ("ours", "gpspipe", "python", "copy")}
            for _ in range(rounds)]

    def ratio(index, peer):
        return Ratio([(run["ours"][index], run[peer][index]) for run in runs])

    latency = ratio(0, "gpspipe")
    table.at_most(6, "10 Hz, p50, gpspipe -w", latency, 1.6, 1.2, f"{latency.ours:.0f} us")
    table.at_most(6, "10 Hz, p50, copy in C", ratio(0, "copy"), 2.2)
    cpu = ratio(1, "gpspipe")
    table.at_most(7, "10 Hz, CPU a report, gpspipe -w", cpu, 3.2, 1.6, f"{cpu.ours:.0f} us")
    table.at_most(7, "10 Hz, CPU a report, copy in C", ratio(1, "copy"), 5.5)
    table.at_most(7, "10 Hz, CPU a report, Python gps", ratio(1, "python"), 1.0, 0.65)
    resident = ratio(2, "gpspipe")
    table.at_most(8, "live, memory, gpspipe -w", resident, 3.9, 3.0, f"{resident.ours:.0f} KiB")


def floods(table, commands, rounds, count):
    reports = positions(count)
    runs = [{name: live.flood(commands[name], reports) for name in ("ours", "gpspipe", "loop")}
            for _ in range(rounds)]
    lost = count - min(run["ours"][1] for run in runs)
    for peer, limit, to_do, name in (("gpspipe", 0.85, 1.1, "gpspipe -w"),
                                     ("loop", 2.4, 5, "libgps loop in C")):
        ratio = Ratio([(run["ours"][0], run[peer][0]) for run in runs])
        table.at_least(9, f"flood, reports/s, {name}", ratio, limit, to_do,
                       f"{ratio.ours / 1e3:.0f} k/s, {lost} lost")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locwatch", required=True, help="the release binary")
    parser.add_argument("--decoder", required=True, help="the release binary of decode-benchmark")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--megabytes", type=float, default=72.7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        Usage.build(scratch)
        locwatch = os.path.join(scratch, "locwatch")
        # As it is installed, and read from the disk like the peers.
        subprocess.run(["strip", "-o", locwatch, options.locwatch], check=True)
        leave_page_cache(locwatch)
        large, small = os.path.join(scratch, "large.jsonl"), os.path.join(scratch, "small.jsonl")
        for path, size in ((large, options.megabytes * 1e6), (small, 45e3)):
            with open(path, "w", newline="") as file:
                file.writelines(drive(size))
        table = Table()
        replays(table, locwatch, large, options.rounds)
        decoding(table, options.decoder, large, scratch, options.rounds)
        memory(table, locwatch, large, small, options.rounds)
        start(table, locwatch, options.rounds)
        commands = clients(locwatch, scratch)
        at_10_hz(table, commands, options.rounds)
        floods(table, commands, options.rounds, 100_000)


if __name__ == "__main__":
    main()
