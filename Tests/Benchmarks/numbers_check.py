"""Whether every number that locwatch writes is, bit for bit, the one that Python's json reads."""

import glob
import json
import os
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
COPIED = ("lat", "lon", "altMSL", "altHAE", "geoidSep", "speed", "track", "climb", "epx", "epy", "epv",
          "ept", "eps", "epd", "epc", "sep", "magtrack", "magvar", "velN", "velE", "velD")


def recordings():
    """The receivers' recordings where they are, else the fixtures."""
    base = os.environ.get("LOCWATCH_RECEIVERS", os.path.join(ROOT, ".build", "receivers"))
    paths = glob.glob(os.path.join(base, "json", "*.jsonl"))
    if paths:
        return sorted(paths), f"{len(paths)} recordings"
    paths = glob.glob(os.path.join(ROOT, "Fixtures", "*.jsonl"))
    return sorted(paths), f"{len(paths)} fixtures"


def reports(path):
    with open(path, "rb") as file:
        for line in file:
            try:
                report = json.loads(line)
            except ValueError:
                continue
            if isinstance(report, dict) and report.get("class") == "TPV":
                yield report


def correct(name, fix):
    """The magnetic track that gpsd should have sent where it added the variation to the track."""
    if name != "magtrack" or not fix.get("magvar") or "track" not in fix:
        return None
    return float(round((fix["track"] - fix["magvar"]) % 360, 4) % 360).hex()


def compare(locwatch):
    """How many numbers are equal, how many are not, and of what."""
    paths, where = recordings()
    equal = different = 0
    for path in paths:
        known = {}
        for report in reports(path):
            for name in COPIED:
                if name in report:
                    known.setdefault((report.get("time"), name), set()).add(float(report[name]).hex())
        command = [locwatch, "--replay", path, "--json", "--no-events"]
        for line in subprocess.run(command, capture_output=True).stdout.splitlines():
            fix = json.loads(line)
            for name in COPIED:
                if name not in fix:
                    continue
                number = float(fix[name]).hex()
                if number in known.get((fix.get("time"), name), ()) or number == correct(name, fix):
                    equal += 1
                else:
                    different += 1
    return equal, different, where
