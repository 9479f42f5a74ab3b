#!/usr/bin/env python3
"""Runs real gpsds with simulated receivers, kills gpsds and pulls receivers at random, and compares what
one locwatch writes of all of them with what a locwatch for each writes, and with a replay.

- Fixes: those with a time, while both were connected, must be the same but for when they were received.
- States: while both were connected, they must follow each other in the same order.
- The replay of the recording must have the same fixes of each source, byte for byte, and the replay of a source's
  own lines must have what the replay of all has of it. Which states it has instead of others is printed: a
  recording does not know why nothing came.

The table on a terminal is captured once a minute, and printed. Everything runs in namespaces of its own. It
needs root, or unprivileged user namespaces.

usage: fleet.py [--seconds S] [--sources N] [--seed N] DIRECTORY-OF-PROGRAMS
"""
import argparse
import asyncio
import datetime
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter

SCENARIOS = ["drive", "tunnel", "cold-start", "several-tpvs", "still"]
QUIET = 45  # seconds after a fault: a locwatch that failed five times waits for up to 36 s
MARGIN = 2.5  # seconds after a connection, in which the first epochs are incomplete
# What differs by nature: when and how old something was received, and when it will be tried again.
OWN = {"received", "age", "retryIn"}
AWAY = ("connecting", "no-daemon")
GAP = "largest gap between equal states, ms"


class Site:
    """A gpsd and its receiver."""

    def __init__(self, number, folder, programs):
        self.name = f"s{number:02}"
        self.port = 20000 + number
        self.folder = f"{folder}/{self.name}"
        self.programs = programs
        self.scenario = SCENARIOS[number % len(SCENARIOS)]
        self.link = f"{self.folder}/gps0"
        os.mkdir(self.folder)
        os.chmod(self.folder, 0o755)
        self.counts = Counter()

    def plug_in(self):
        self.receiver = subprocess.Popen(
            [f"{self.programs}/simulated-receiver", "--scenario", self.scenario, "--repeat",
             "--link", self.link], stdout=subprocess.PIPE)
        self.receiver.stdout.readline()

    def pull(self):
        self.receiver.terminate()
        self.receiver.wait()

    def start(self):
        self.gpsd = subprocess.Popen(
            ["gpsd", "-N", "-n", "-b", "-s", "38400", "-f", "8N1", "-S", str(self.port),
             "-F", f"{self.folder}/control", self.link], stderr=subprocess.DEVNULL)

    def kill(self):
        self.gpsd.kill()
        self.gpsd.wait()

    def tell(self, command):
        """As udev does when a device comes or goes."""
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(10)
            control.connect(f"{self.folder}/control")
            control.sendall(f"{command}{self.link}\r\n".encode())
            control.shutdown(socket.SHUT_WR)
            control.recv(256)

    async def suffer(self, seed, end):
        chance = random.Random(f"{seed} {self.name}")
        while True:
            quiet, away = chance.uniform(QUIET, 2 * QUIET), chance.uniform(0, 20)
            if time.time() + quiet + away > end:
                return
            await asyncio.sleep(quiet)
            if chance.random() < 0.5:
                self.counts["killed"] += 1
                self.kill()
                await asyncio.sleep(away)
                self.start()
            else:
                self.counts["pulled"] += 1
                self.pull()
                await asyncio.sleep(3 + away)
                self.plug_in()
                await asyncio.to_thread(lambda: (self.tell("-"), self.tell("+")))

    def stop(self):
        self.pull()
        self.gpsd.terminate()
        self.gpsd.wait()


class Client:
    """A locwatch that writes records into a file."""

    def __init__(self, path, programs, *arguments):
        self.path = path
        with open(path, "w") as output:
            self.process = subprocess.Popen([f"{programs}/locwatch", "-j", *arguments], stdout=output)

    def figures(self):
        status = open(f"/proc/{self.process.pid}/status").read()
        cpu = open(f"/proc/{self.process.pid}/stat").read().rpartition(")")[2].split()[11:13]
        return {
            "KiB": int(re.search(r"VmRSS:\s*(\d+)", status)[1]),
            "threads": int(re.search(r"Threads:\s*(\d+)", status)[1]),
            "descriptors": len(os.listdir(f"/proc/{self.process.pid}/fd")),
            "CPU s": sum(map(int, cpu)) / os.sysconf("SC_CLK_TCK"),
        }

    def records(self):
        status = self.process.wait(10)
        if status != 130:
            sys.exit(f"{self.path}: exit status {status}, not 130")
        return [json.loads(line) for line in open(self.path)]


class Table:
    """A locwatch on a terminal."""

    def __init__(self, command):
        self.screens = []
        self.tmux("new-session", "-d", "-x", "110", "-y", "40", command)

    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-L", f"fleet-{os.getpid()}", "-f", "/dev/null", *arguments],
                              capture_output=True, text=True).stdout

    async def watch(self):
        while True:
            await asyncio.sleep(60)
            self.screens.append((time.time(), self.tmux("capture-pane", "-p").rstrip()))


def moment(record):
    return datetime.datetime.fromisoformat(record["received"].replace("Z", "+00:00")).timestamp()


def connections(records, ended):
    """When a client was connected: from the first record after a failure to the next failure."""
    spans, begin = [], None
    for record in records:
        isAway = record.get("state") in AWAY or record["type"] == "retry"
        if isAway and begin is not None:
            spans.append((begin, moment(record)))
            begin = None
        elif not isAway and begin is None:
            begin = moment(record)
    return spans + ([(begin, ended)] if begin is not None else [])


def both(one, other):
    """The spans in which two clients were connected, without the first epochs."""
    spans = [(max(a, c) + MARGIN, min(b, d)) for a, b in one for c, d in other]
    return [(begin, end) for begin, end in spans if begin < end]


def compare(name, fleet, alone, ended):
    """Compares the records of a source with those of a locwatch that had it alone. Returns counts, and
    what is wrong."""
    counts, wrong = Counter(), []
    spans = both(connections(fleet, ended), connections(alone, ended))

    def within(record, begin, end):
        return begin <= moment(record) <= end - 0.5

    def content(record):
        return {name: value for name, value in record.items() if name not in OWN}

    fixes = [{r["time"]: r for r in records if r["type"] == "fix" and "time" in r} for records in (fleet, alone)]
    for instant in sorted(fixes[0].keys() | fixes[1].keys()):
        pair = [each.get(instant) for each in fixes]
        found = [record for record in pair if record]
        if len(found) == 2 and content(pair[0]) == content(pair[1]):
            counts["fixes equal"] += 1
        elif not any(within(found[0], *span) for span in spans):
            counts["fixes while one was away, or in its first epochs"] += 1
        else:
            wrong.append(f"{name}: fixes of the fleet and alone: {pair}")
    for span in spans:
        states = [[r for r in records if r["type"] == "state" and r["state"] not in AWAY and within(r, *span)]
                  for records in (fleet, alone)]
        if len({tuple((r["state"], r.get("reason")) for r in each) for each in states}) == 1:
            counts["states equal"] += len(states[0])
            gaps = [1000 * abs(moment(one) - moment(other)) for one, other in zip(*states)]
            counts[GAP] = max([counts[GAP], *map(round, gaps)])
        else:
            wrong.append(f"{name}: states of the fleet and alone: {states}")
    failures = [sum(r.get("state") == "no-daemon" for r in records) for records in (fleet, alone)]
    counts["no-daemon"] += failures[0]
    if failures[0] != failures[1]:
        wrong.append(f"{name}: no-daemon {failures[0]} and {failures[1]} times")
    return counts, wrong


def compare_replay(programs, live, recording, folder, names):
    """Compares what was written live with the replay of the recording, and that with the replay of the
    lines of each source alone. Returns what is wrong."""
    wrong = []
    live = open(live).read().splitlines()
    replay = output([f"{programs}/locwatch", "-j", "--replay", recording]).splitlines()
    fixes = [[line for line in lines if line.startswith('{"type":"fix"')] for lines in (live, replay)]
    for name in names:
        mine = [[line for line in lines if f'"source":"{name}"' in line] for lines in (*fixes, replay)]
        if mine[0] != mine[1]:
            wrong.append(f"{name}: fixes live and replayed: {set(mine[0]) ^ set(mine[1])}")
        own = f"{folder}/{name}.recording"
        extract(name, recording, own)
        alone = output([f"{programs}/locwatch", "-j", "--replay", f"{name}={own}"]).splitlines()
        # The source of a fleet begins at its own time, a recording alone at its start.
        if alone[1:] != mine[2][1:]:
            wrong.append(f"{name}: a replay of its lines alone has other records: {set(alone) ^ set(mine[2])}")
    kinds = [Counter(re.findall('"state":"([^"]*)"', "\n".join(lines.elements())))
             for lines in (Counter(live) - Counter(replay), Counter(replay) - Counter(live))]
    print(f"replay: {len(fixes[1])} fixes; states of the {len(live)} records live that it lacks: "
          f"{dict(kinds[0])}; that it has instead: {dict(kinds[1])}")
    return wrong


def extract(name, recording, path):
    """Writes the lines of one source into a recording of its own."""
    isOwn = False
    with open(recording, newline="") as lines, open(path, "w", newline="") as out:
        for line in lines:
            if line.startswith('{"class":"LOCWATCH"'):
                isOwn = f'"source":"{name}"' in line
                line = re.sub(',"source":"[^"]*"', "", line)
                if isOwn or '"start"' in line:
                    out.write(line)
            elif isOwn:
                out.write(line)


def output(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


async def wait_for_fixes(path, names, since):
    """Waits until every source has a fix again. Returns the names of those that have none after 2 min."""
    lacking = set(names)
    while lacking and time.time() < since + 120:
        await asyncio.sleep(1)
        # The last line may not be whole yet.
        records = map(json.loads, open(path).read().rpartition("\n")[0].splitlines()[-2000:])
        lacking -= {r["source"] for r in records if r["type"] == "fix" and moment(r) > since}
    return lacking


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--sources", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("programs")
    arguments = parser.parse_args()
    programs = os.path.abspath(arguments.programs)
    os.environ["PATH"] += ":/usr/sbin"
    folder = tempfile.mkdtemp(prefix="locwatch-fleet-")
    os.chmod(folder, 0o755)
    sites = [Site(number, folder, programs) for number in range(1, arguments.sources + 1)]
    for site in sites:
        site.plug_in()
        site.start()
    await asyncio.sleep(3)
    targets, recording = f"{folder}/targets", f"{folder}/recording"
    names = [f"{site.name}=127.0.0.1:{site.port}" for site in sites]
    # tmux accepts no command that is longer than 16 KB.
    with open(targets, "w") as file:
        file.write("\n".join(names))
    fleet = Client(f"{folder}/fleet", programs, *names, "--record", recording)
    alone = [Client(f"{folder}/{s.name}.alone", programs, f"{s.name}=127.0.0.1:{s.port}") for s in sites]
    table = Table(f"{programs}/locwatch $(cat {targets})")
    watching = asyncio.create_task(table.watch())
    await asyncio.sleep(10)
    before = fleet.figures()
    end = time.time() + arguments.seconds
    await asyncio.gather(*(site.suffer(arguments.seed, end) for site in sites))
    await asyncio.sleep(max(0, end - time.time()))
    lacking = await wait_for_fixes(fleet.path, [site.name for site in sites], time.time())
    after = fleet.figures()
    watching.cancel()
    ended = time.time()
    for client in [fleet, *alone]:
        client.process.send_signal(signal.SIGINT)
    records = fleet.records()
    records_alone = [client.records() for client in alone]
    table.tmux("kill-server")
    for site in sites:
        site.stop()

    for when, screen in table.screens:
        print(f"== table at {datetime.datetime.fromtimestamp(when, datetime.timezone.utc):%H:%M:%S}\n{screen}\n")
    counts, wrong = Counter(), [f"{name} did not come back" for name in sorted(lacking)]
    for site, own in zip(sites, records_alone):
        mine = [r for r in records if r["source"] == site.name]
        wrong += [f"{site.name} has {r}" for r in mine if r.get("device", site.link) != site.link]
        more, problems = compare(site.name, mine, own, ended)
        gap = max(counts[GAP], more[GAP])
        counts += more + site.counts
        counts[GAP] = gap
        wrong += problems
    if after["descriptors"] > before["descriptors"]:
        wrong.append(f"{after['descriptors']} descriptors, {before['descriptors']} before")
    wrong += compare_replay(programs, fleet.path, recording, folder, [site.name for site in sites])
    print(f"{len(sites)} sources, {arguments.seconds:.0f} s, seed {arguments.seed}; {len(records)} records; "
          f"before {before}, after {after}")
    for name, count in sorted(counts.items()):
        print(f"{count:8}  {name}")
    if wrong:
        sys.exit("\n".join([*wrong, f"{len(wrong)} differences; everything is in {folder}"]))
    shutil.rmtree(folder)
    print("no difference")


if __name__ == "__main__":
    if "LOCWATCH_NAMESPACE" not in os.environ:
        os.environ["LOCWATCH_NAMESPACE"] = "1"
        flags = "-nip" if os.geteuid() == 0 else "-rnip"
        # The first process takes all others with it, whatever ends it.
        os.execvp("unshare", ["unshare", flags, "--fork", "--kill-child", "--mount-proc", sys.executable, *sys.argv])
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    asyncio.run(main())
