#!/usr/bin/env python3
"""Compares what locwatch writes of real receivers with what gpsd's authors expect of their logs.

usage: expectations.py LOCWATCH FOLDER...

Each folder is one of receivers.py. Its recordings are replayed with --json --satellites, and each number of a fix has to
be one that the .log.chk of the log has for that time: in a TPV of that time, or, for satellites, their counts and the
dilution of precision, in a SKY that was current then. Each fix and each quantity that the .log.chk has for a time has to
be there. Prints how many numbers were compared, and by which rule those that differ are right. The status is 1 if one
differs for another reason.
"""

import collections
import json
import math
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Where the gpsd of Debian reports other things than its authors expect, and locwatch writes what it reports.
OTHER_GPSD = {
    "oncore-binary-pos-hold": "three epochs that are not expected",
    "sirfstarv": "a date 1,024 weeks earlier: of the date in the log, Debian's gpsd reads the year alone",
    "trimble-lassen_iq-playacar": "a date 1,024 weeks earlier; a velocity of -0",
    "trimble-lasseniq-bin2d": "a date 1,024 weeks earlier",
    # With 3.27.5:
    "navika-100-fix": "a date 1,024 weeks later",
    "rx210": "a date 1,024 weeks later",
    "skytraq-fix": "a date 1,024 weeks later",
    "skytraq-fixB": "a date 1,024 weeks later",
}
# What locwatch adds: the steps of a receiver's clock.
OWN = {"timeJump", "rollover"}
LISTS_BEFORE = 4  # a fix is written before the list of its epoch is complete


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def reports(path):
    """Returns the reports of a recording or of a .log.chk, which has the receiver's lines as well."""
    lines = (line for line in path.read_bytes().split(b"\n") if line.startswith(b'{"class":'))
    return [json.loads(line, strict=False) for line in lines]


def count(satellites):
    return len({(sat["gnssid"], sat.get("svid")) if "gnssid" in sat else sat["PRN"] for sat in satellites})


def add_sky(numbers, sky):
    """Adds the numbers of a list of satellites."""
    satellites = sky.get("satellites", [])
    used = [satellite for satellite in satellites if satellite["used"]]
    for name, value in [("signalsSeen", len(satellites)), ("signalsUsed", len(used)), ("satsSeen", count(satellites)),
                        ("satsUsed", count(used))]:
        numbers[name].add(value)
    if "uSat" in sky:
        numbers["satsUsed"].add(sky["uSat"])
        numbers["signalsUsed"].add(sky["uSat"])
    for satellite in satellites:
        for name, value in satellite.items():
            if is_number(value):
                numbers[satellite["PRN"], satellite.get("sigid"), name].add(value)


class Epoch:
    """What was reported for one time."""

    def __init__(self, first):
        self.first = self.last = first
        self.positions = []
        self.numbers = collections.defaultdict(set)


def epochs(lines):
    """Returns the epochs by their time."""
    found = {}
    skies = [(place, sky) for place, sky in enumerate(lines) if sky["class"] == "SKY"]
    for place, tpv in enumerate(lines):
        if tpv["class"] != "TPV":
            continue
        epoch = found.setdefault(tpv.get("time"), Epoch(place))
        epoch.last = place
        if tpv.get("mode", 0) >= 2 and "lat" in tpv and "lon" in tpv:
            epoch.positions.append(tpv)
        for name, value in tpv.items():
            if is_number(value):
                epoch.numbers[name].add(value)
    for epoch in found.values():
        following = next((place for place, report in enumerate(lines) if place > epoch.last and
                          report["class"] == "TPV"), len(lines))
        before = [sky for place, sky in reversed(skies) if place < epoch.first]
        since = [sky for place, sky in skies if epoch.first < place < following]
        since += [sky for place, sky in skies if place > following][:2]
        lists = [sky for sky in before if "satellites" in sky or sky.get("nSat") == 0][:LISTS_BEFORE]
        for sky in since + lists + before[:1]:
            add_sky(epoch.numbers, sky)
        for name in ["hdop", "vdop", "pdop"]:
            last = next(([sky] for sky in before if name in sky), [])
            epoch.numbers[name].update(sky[name] for sky in since + last if name in sky)
        for name in ["heading", "mheading", "jam"]:
            # Of another report than that of the position.
            epoch.numbers[name].update(
                report[name] for place, report in enumerate(lines)
                if name in report and place <= epoch.last + 1 and report["class"] in ["ATT", "TPV"])
    return found


def numbers_of(fix):
    """Yields the numbers of a fix under gpsd's names."""
    for name, value in fix.items():
        if is_number(value) and name not in OWN:
            yield {"accuracy": "eph"}.get(name, name), value
    for satellite in fix.get("satellites", []):
        for name, value in satellite.items():
            if is_number(value):
                yield (satellite["PRN"], satellite.get("sigid"), name), value


def is_at_rest(fix):
    """Returns whether the course of a fix is noise; see LocationFix+Quantities.swift."""
    return "speed" in fix and fix["speed"] < min(fix.get("eps", 0.1), 0.5)


def rule(name, value, epoch):
    """Returns why a number is right, or nothing."""
    numbers = epoch.numbers
    if value in numbers.get(name, ()):
        return "equal"
    if name == "magtrack":
        # gpsd adds the variation to the track; see LocationFix+TPV.swift.
        for track in numbers["track"]:
            for variation in numbers["magvar"]:
                if abs((value - (track - variation) + 180) % 360 - 180) < 1e-3:
                    return "track minus variation, where gpsd adds them"
    if name == "eph" and any(
            abs(math.hypot(x, y) - value) < 1e-3 for x in numbers.get("epx", ()) for y in numbers.get("epy", ())):
        return "accuracy from epx and epy, where gpsd reports no eph"
    return ""


class Comparison:
    """What was found in one log."""

    def __init__(self, locwatch, recording, written):
        self.name = recording.stem
        self.rules = collections.Counter()
        self.complaints = []
        expected = epochs(reports(recording.parents[1] / f"log/{self.name}.log.chk"))
        reported = None
        run = subprocess.run(
            [locwatch, "--replay", recording, "--json", "--no-events", "--satellites"], capture_output=True,
            text=True, check=False)
        times = set()
        for fix in map(json.loads, run.stdout.splitlines()):
            time = fix.get("time")
            times.add(time)
            epoch = expected.get(time, Epoch(0))
            for name, value in numbers_of(fix):
                found = rule(name, value, epoch)
                if not found and self.name in OTHER_GPSD:
                    reported = reported or epochs(reports(recording))
                    if rule(name, value, reported.get(time, Epoch(0))):
                        found = f"Debian's gpsd reports {OTHER_GPSD[self.name]}"
                self.rules[found] += 1
                if not found:
                    self.complaints.append(f"{time} {name}: {value}, expected {sorted(epoch.numbers.get(name, []))}")
            # What each TPV of the time has.
            always = set.intersection(*(set(tpv) for tpv in epoch.positions)) if epoch.positions else set()
            if 999.9 in epoch.numbers["magvar"]:
                # gpsd's number for an unknown variation, which it adds to the track.
                always -= {"magvar", "magtrack"}
            if is_at_rest(fix):
                self.rules["course left out at rest"] += len(always & {"track", "magtrack"})
                always -= {"track", "magtrack"}
            for name in always & written:
                if {"eph": "accuracy"}.get(name, name) not in fix:
                    self.complaints.append(f"{time} {name}: missing")
        for time, epoch in expected.items():
            # A position before the first time belongs to the epoch that has one.
            if epoch.positions and time and time not in times and self.name not in OTHER_GPSD:
                self.complaints.append(f"{time}: no fix")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    locwatch, *folders = sys.argv[1:]
    schema = json.loads(subprocess.run([locwatch, "--generate", "schema"], capture_output=True, check=True).stdout)
    written = {*schema["$defs"]["fix"]["properties"], "eph"} - {"time", "device"}
    status = 0
    for folder in map(Path, folders):
        recordings = sorted(folder.glob("json/*.jsonl"))
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda recording: Comparison(locwatch, recording, written), recordings))
        rules = sum((comparison.rules for comparison in found), collections.Counter())
        first = recordings[0].read_text(errors="replace") if recordings else ""
        release = re.search(r'"release":"([^"]*)"', first)
        print(f"{folder}: {len(found)} receivers, gpsd {release[1] if release else '?'}: {sum(rules.values())} numbers")
        for text, number in rules.most_common():
            print(f"{number:9}  {text or 'DIFFERENT'}")
        for comparison in found:
            for complaint in comparison.complaints[:5]:
                print(f"{comparison.name}: {complaint}")
            if len(comparison.complaints) > 5:
                print(f"{comparison.name}: {len(comparison.complaints) - 5} more")
        if not found or any(comparison.complaints for comparison in found):
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
