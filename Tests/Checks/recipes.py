#!/usr/bin/env python3
"""Runs the recipes of locwatch-recipes(7), as they stand there, against the real servers: from a
simulated receiver through gpsd, with the server killed and started again. Prints what was sent, what
arrived, and what a replay of the recording added.

Everything runs in a network namespace of its own, where the ports of the recipes are free. It needs
root, or unprivileged user namespaces.

Usage: recipes.py DIRECTORY-OF-PROGRAMS [RECIPE...]
"""
import datetime
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from servers import ENVIRONMENT, SERVERS, place  # noqa: E402

RATE = 4  # epochs a second
BEFORE, AWAY = 12, 3  # seconds until the server is killed, and without it
MARGIN = 1.5  # seconds that a fix may be under way when something starts or stops


def recipes(locwatch):
    """The recipes by their names: what to run once, and what to run then, read from the manual page."""
    page = subprocess.run([locwatch, "--generate", "man-recipes"], capture_output=True, text=True, check=True)
    found = {}
    # The last recipe ends where another section of the page begins.
    for section in page.stdout.split("\n.SH RECIPES")[1].split("\n.SH ")[0].split("\n.SS ")[1:]:
        title = section.split("\n", 1)[0].strip('"')
        *once, then = map(unescaped, re.findall(r"^\.nf\n\.RS 4\n(.*?)^\.RE\n\.fi$", section, re.M | re.S))
        # The lines to run can be those of an earlier recipe.
        if other := re.search(r"[Rr]un the lines of ([\w ]+)", section.replace("\n", " ")):
            once, then = [*once, then], found[other[1]][1]
        found[title] = once, then
    return found


def unescaped(roff):
    for code, text in {r"\&": "", r"\-": "-", r"\(aq": "'", r"\(dq": '"', r"\(ti": "~",
                       r"\(ha": "^", r"\(ga": "`", r"\e": "\\"}.items():
        roff = roff.replace(code, text)
    return roff


class Sent:
    """What locwatch itself writes, beside the recipe, with a recording."""

    def __init__(self, locwatch, folder):
        self.folder = folder + "/recording"
        self.path = folder + "/sent"
        with open(self.path, "w") as output:
            self.process = subprocess.Popen(
                [locwatch, "-j", "boat=localhost", "--record", self.folder + "/"], stdout=output)

    def stop(self):
        self.process.terminate()
        self.process.wait()
        records = [json.loads(line) for line in open(self.path)]
        self.fixes = [(moment(r), place(r["lat"], r["lon"])) for r in records if r["type"] == "fix"]
        self.losses = [moment(r) for r in records if r.get("state") == "lost"]

    def places(self, start, end):
        return {p for moment, p in self.fixes if start <= moment <= end}


def moment(record):
    """When a record was received, in seconds since 1970."""
    return datetime.datetime.fromisoformat(record["received"].replace("Z", "+00:00")).timestamp()


def kinds(records):
    """What each record is about, without the names that a server may have to change."""
    return {(r["type"], r.get("state"), r.get("region"), r.get("time") or r.get("received")) for r in records}


class Ages(threading.Thread):
    """Asks the server again and again what has arrived, until it is killed: how old each fix and each loss was by then."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.isOver = server, False
        self.places, self.losses = {}, []

    def run(self):
        known = self.count()
        while not self.isOver:
            for found in self.server.places():
                self.places.setdefault(found, time.time())
            self.losses += [time.time()] * (self.count() - known - len(self.losses))
            time.sleep(0.1)

    def count(self):
        """How many losses have arrived, of a server that counts them."""
        losses = self.server.losses()
        return int(losses) if str(losses).isdigit() else 0

    def stop(self):
        self.isOver = True
        self.join()

    def oldest(self, sent, begin, end):
        """The greatest age of a fix, and of a loss, that was received in this time; None where there is none."""
        fixes = [self.places[shown] - moment for moment, found in sent.fixes
                 if begin < moment < end and (shown := self.server.shown(found)) in self.places]
        losses = [there - moment for moment, there in zip([loss for loss in sent.losses if loss > begin], self.losses)]
        return max(fixes, default=None), max(losses, default=None)


def run(script, folder, **options):
    return subprocess.Popen(["bash", "-c", script], cwd=folder, start_new_session=True, **options)


def stop(process):
    try:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(5)
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, subprocess.TimeoutExpired):
        pass


def install(names):
    """Installs what PyPI has of the servers. What cannot be installed is skipped later."""
    if not os.path.exists(ENVIRONMENT):
        subprocess.run(["/usr/bin/python3", "-m", "venv", ENVIRONMENT], check=True)
    pip = [ENVIRONMENT + "/bin/pip", "install", "--quiet", "--disable-pip-version-check"]
    for server in map(SERVERS.get, names):
        # pip completes what an earlier run did not finish.
        if server.needs and subprocess.run([*pip, *server.needs]).returncode == 0 and server.more:
            needed = subprocess.run([ENVIRONMENT + "/bin/python", "-c", server.more], capture_output=True, text=True)
            subprocess.run([*pip, *needed.stdout.split()])


def lacking(server):
    """What of a server is not installed."""
    return [package for package, program in server.needs.items() if not os.path.exists(f"{ENVIRONMENT}/bin/{program}")]


def wait_for_places(server):
    """Waits until the recipe works: what it needs to start is not counted."""
    end = time.time() + 30
    while not server.places() and time.time() < end:
        time.sleep(0.2)


def check(name, preparation, lines, programs):
    folder = tempfile.mkdtemp(prefix="locwatch-recipe-")
    os.chmod(folder, 0o755)
    server = SERVERS[name](folder)
    errors = open(folder + "/errors", "w")
    server.start()
    for script in preparation:
        subprocess.run(["bash", "-c", script], cwd=folder, check=True, stdout=errors, stderr=errors)
    server.listen()
    sent = Sent(programs + "/locwatch", folder)
    recipe = run(lines, folder, stdout=errors, stderr=errors)
    wait_for_places(server)
    begin = time.time()
    ages = Ages(server)
    ages.start()
    time.sleep(BEFORE)
    ages.stop()
    killed = time.time()
    server.kill()
    time.sleep(AWAY)
    server.start()
    time.sleep(server.after)
    isRunning = recipe.poll() is None
    stop(recipe)
    end = time.time()
    time.sleep(1)
    sent.stop()
    arrived = server.places()

    def places(*span):
        return set(map(server.shown, sent.places(*span)))

    before = places(begin, killed - MARGIN)
    after = places(killed - MARGIN, end - MARGIN)
    if server.samples:
        before, after = arrived, set()
        arrived = arrived & places(0, end + 9)
    row = [name, server.version(), f"{len(before & arrived)}/{len(before)}",
           f"{server.losses()}/{sum(begin < loss < end for loss in sent.losses)}",
           f"{len(after & arrived)}/{len(after)}" if after else "-"]
    isWhole = True
    if server.refills:
        # A name that a server may not be able to store, and several changes of one moment.
        with open(f"{sent.folder}/999999.jsonl", "w") as file:
            file.write(r'{"class":"TPV","device":"/dev/\u0000\\u0000","mode":3,"status":8,"time":"2026-11-20T07:05:00.000Z",'
                       '"lat":1.5,"lon":2.5}\n')
        options = f"--replay boat={sent.folder} --region near=1.5,2.5,9 --region far=1.5,2.5,99 -"
        subprocess.run(["bash", "-c", lines.replace(" boat=localhost", "").replace("locwatch -", f"locwatch {options}")],
                       cwd=folder, timeout=120, stdout=errors, stderr=errors)
        everything = places(0, end + 9)
        row.append(f"{len(everything & server.places())}/{len(everything)}")
        replayed = subprocess.run(["bash", "-c", f"locwatch {options}j"], stdout=subprocess.PIPE, text=True)
        missing = kinds(map(json.loads, replayed.stdout.splitlines())) - kinds(server.records())
        for kind in missing:
            print(f"{name} lacks {kind}", file=sys.stderr)
        isWhole = not missing
    else:
        row.append("-")
    oldest = ages.oldest(sent, begin, killed - MARGIN)
    row += ["-" if age is None else f"{age:.2f} s" for age in oldest]
    isInTime = server.samples or all(age is None or age < server.latest for age in oldest)
    isComplete = before <= arrived and len(before) >= server.least and isRunning and isInTime and isWhole
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)
    return row, isComplete


def main():
    programs = os.path.abspath(sys.argv[1])
    os.environ["PATH"] = programs + ":" + os.environ["PATH"] + ":/usr/sbin"
    known = recipes(programs + "/locwatch")
    odd = set(known) ^ set(SERVERS)
    if odd:
        sys.exit(f"recipes without a check, or checks without a recipe: {odd}")
    site = subprocess.Popen(
        [programs + "/simulated-site", "--port", "2947", "--scenario", "tunnel", "--rate", str(RATE), "--repeat"],
        stdout=subprocess.PIPE)
    if not site.stdout.readline():
        sys.exit("the simulated site did not start")
    rows = [["server", "version", "arrived", "losses", "after a kill", "with the recording", "oldest fix", "oldest loss"]]
    failed = []
    try:
        for name in sys.argv[2:] or known:
            if packages := lacking(SERVERS[name]):
                print(f"{name}: skipped, without {', '.join(packages)} from PyPI")
                continue
            row, isComplete = check(name, *known[name], programs)
            rows.append(row)
            print(*row, sep="\t", flush=True)
            if not isComplete:
                failed.append(name)
    finally:
        site.terminate()
        site.wait()
    print()
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())
    if failed:
        sys.exit(f"not every fix arrived, or not in time, or the recipe ended: {', '.join(failed)}")


if __name__ == "__main__":
    if "LOCWATCH_NAMESPACE" not in os.environ:
        os.environ["LOCWATCH_NAMESPACE"] = "1"
        # There is no network inside.
        install(sys.argv[2:] or SERVERS)
        flags = "-nm" if os.geteuid() == 0 else "-rnm"
        os.execvp("unshare", ["unshare", flags, sys.executable, *sys.argv])
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    main()
