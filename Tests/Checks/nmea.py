#!/usr/bin/env python3
"""Checks locwatch-nmea.socket of the Debian package with GeoClue, OpenCPN and readers of its own, in a booted Debian
13 whose gpsd reads a simulated receiver. The commands and settings are those of locwatch-recipes(7). Prints a table; the
status is 1 if a row fails. It needs root.

usage: nmea.py PACKAGE SIMULATED-RECEIVER
"""

import gzip
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from readers import PATH, PORT, GeoClue, OpenCPN, Reader, Sent, as_user, connect  # noqa: E402
from recipes import unescaped  # noqa: E402

PACKAGES = "gpsd,systemd-sysv,dbus,geoclue-2.0,geoclue-2-demo,opencpn,xvfb,python3,sudo"
SOCKET, CONNECTIONS = "locwatch-nmea.socket", "locwatch-nmea@*"
KEPT = pathlib.Path("/run/systemd/system/locwatch-nmea@.service.d/kept.conf")
LIMIT = 32  # connections
SECONDS = 20  # of positions that each reader has to get


class Failure(Exception):
    pass


def do(command):
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    if result.returncode:
        raise Failure(f"{command}: status {result.returncode}: {result.stdout}{result.stderr}".strip())
    return result.stdout.strip()


def wait_for(description, condition, seconds=90):
    """Waits until a condition is true. Returns how long that took."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() > start + seconds:
            raise Failure(f"waited {seconds} s in vain for {description}")
        time.sleep(0.2)
    return time.monotonic() - start


def settings():
    """The blocks of the section of the manual page: the command that enables the socket, and files."""
    page = gzip.open("/usr/share/man/man7/locwatch-recipes.7.gz", "rt").read()
    section = page.split('.SH "NMEA SOCKET"')[1].split("\n.SH ")[0]
    blocks = re.findall(r"^\.nf\n\.RS 4\n(.*?)^\.RE\n\.fi$", section, re.M | re.S)
    enable, geoclue, alone, network, target = map(unescaped, blocks)
    return {"enable": enable, "geoclue": geoclue, "alone": alone, "network": network, "target": target}


def edit(unit, text):
    subprocess.run(["sudo", "systemctl", "edit", "--stdin", unit], input=text, text=True, check=True,
                   capture_output=True)
    do(f"sudo systemctl restart {SOCKET}")


def revert():
    do(f"systemctl revert {SOCKET} locwatch-nmea@.service && systemctl restart {SOCKET}")


def connections():
    """The instances that run, each with its process."""
    names = do(f"systemctl list-units --plain --no-legend '{CONNECTIONS}' | cut -d ' ' -f 1").split()
    return {name: do(f"systemctl show --property MainPID --value '{name}'") for name in names}


def complaints():
    """What failed, by systemd and by locwatch."""
    log = do("journalctl --boot --quiet --output cat | grep 'locwatch: cannot' || true")
    return (log + do("systemctl --failed --plain --no-legend")).strip()


def equal(name, found, sent, since=None):
    """Expects each second's position, as it was sent; after a moment, if one is given. Returns how many there are."""
    if since:
        found = {t: place for t, place in found.items() if t >= since}
    wrong = [t for t, place in found.items() if t not in sent or distance(place, sent[t]) > 1.1e-6]
    if wrong:
        raise Failure(f"{name} has another position than was sent at {wrong}: {found[wrong[0]]}, {sent.get(wrong[0])}")
    sought = [t for t in sent if min(found) <= t <= max(found)]
    if lacking := [t for t in sought if t not in found]:
        raise Failure(f"{name} lacks the positions of {lacking}")
    return f"{name} {len(found)} of {len(sought)}"


def distance(one, other):
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def replaced(before, readers):
    """Expects that the same connections continue in new processes."""
    wait_for("new processes", lambda: set(before.values()).isdisjoint(connections().values()))
    last = max(readers[0].places)
    wait_for("positions", lambda: min(max(reader.places) for reader in readers) > last + 2)
    if connections().keys() != before.keys() or any(reader.has_ended for reader in readers):
        raise Failure(f"connections have ended: {before}, {connections()}")


class Table:
    """Rows that are checked in their order. Each begins with what the ones before have left."""
    ROWS = []

    def run(self):
        rows = [["check", "result", "took", "seen"], ["---"] * 4]
        for row in self.ROWS:
            start = time.monotonic()
            try:
                result, seen = "ok", row(self)
            except (Failure, OSError, ValueError, IndexError, AttributeError, subprocess.SubprocessError) as failure:
                result, seen = "FAILED", repr(failure)
            rows.append([row.__doc__, result, f"{time.monotonic() - start:.0f} s", seen.replace("|", "\\|")])
            print(": ".join([result, *rows[-1][0:1], seen]), flush=True)
        print()
        for cells in rows:
            print(f"| {' | '.join(cells)} |")
        return all(cells[1] != "FAILED" for cells in rows)


class Check(Table):
    """The rows about the socket."""

    def __init__(self, package):
        self.package = package
        self.readers = []

    def installed(self):
        """not enabled by the package, enabled by the command"""
        do(f"dpkg --install {self.package}")
        self.settings = settings()
        if do(f"systemctl is-enabled {SOCKET} || true") != "disabled" or not connect(PORT, quietly=True) is None:
            raise Failure("the package enables it")
        # So that systemd shows those that have failed.
        do(f"mkdir {KEPT.parent}")
        KEPT.write_text("[Unit]\nCollectMode=inactive\n")
        do(self.settings["enable"])
        do(f"systemd-analyze verify --man=no {SOCKET} locwatch-nmea@x.service")
        exposure = do("systemd-analyze security --no-pager locwatch-nmea@x.service | tail -n 1")
        listening = do(f"systemctl show --property Listen --value {SOCKET}").split("\n")
        enabled, level = do(f"systemctl is-enabled {SOCKET}"), exposure.split(": ")[1].split(" ")[0]
        return f"{enabled}: {', '.join(listening)}; exposure level {level}"

    def geoclue(self):
        """GeoClue: each second's position"""
        pathlib.Path("/etc/geoclue/conf.d/nmea.conf").write_text(self.settings["geoclue"])
        do("sudo systemctl restart geoclue")
        self.sent = Sent()
        self.clue = GeoClue()
        wait_for("GeoClue", lambda: len(self.clue.places()) >= SECONDS)
        return equal(self.clue.version(), self.clue.places(), self.sent.places)

    def opencpn(self):
        """OpenCPN: a connection, and the positions of its track"""
        self.plotter = OpenCPN()
        wait_for("OpenCPN", lambda: self.plotter.says("connection established"))
        return f"{self.plotter.version()}: {self.plotter.says('connection established')}"

    def several(self):
        """two more readers at the same time"""
        self.readers = [Reader(PATH), Reader(PORT)]
        for reader in self.readers:
            wait_for("positions", lambda: len(reader.places) >= SECONDS)
        seen = [equal(reader.kind, reader.places, self.sent.places) for reader in self.readers]
        return f"{len(connections())} connections: {', '.join(seen)}"

    def away(self):
        """gpsd stopped and started again under them; readers that come and go meanwhile"""
        before, ticks = connections(), self.clue.ticks()
        last, gone = max(self.sent.places), {}
        try:
            do("systemctl stop gpsd.socket gpsd")
            for reader in self.readers:
                wait_for("void sentences", lambda: reader.voids)
            for address in PATH, PORT:
                for _ in range(5):
                    connect(address).close()
                gone[address] = wait_for("them to end", lambda: len(connections()) == len(before), 150)
            wait_for("OpenCPN to notice", lambda: self.plotter.says("GPS Watchdog timeout"))
            ticks = (self.clue.ticks() - ticks) / os.sysconf("SC_CLK_TCK")
        finally:
            do("systemctl start gpsd.socket gpsd")
        wait_for("gpsd", lambda: max(self.sent.places) > last + 5)
        back, again = max(self.sent.places), {}
        served = {"GeoClue": self.clue.places}
        served |= {reader.kind: lambda reader=reader: reader.places for reader in self.readers}
        for name, places in served.items():
            wait_for(f"{name} to have positions again", lambda: sum(t > last + 5 for t in places()) >= SECONDS)
            again[name] = min(t for t in places() if t > last + 5)
        seen = [equal(name, places(), self.sent.places, again[name]) for name, places in served.items()]
        if connections() != before or [reader.voids for reader in self.readers] != [1, 1]:
            raise Failure(f"{before}, {connections()}, void {[reader.voids for reader in self.readers]}")
        if ticks > 1:
            raise Failure(f"GeoClue was busy for {ticks} s")
        return (f"the same {len(before)} connections, void once; away {back - last} s; positions again after "
                f"{max(again.values()) - back} s: {', '.join(seen)}; GeoClue busy {ticks} s; 5 short ones on the "
                f"path ended after {gone[PATH]:.0f} s, 5 on the port after {gone[PORT]:.0f} s")

    def drawn(self):
        """OpenCPN's track, and its connection until the end"""
        self.plotter.stop()
        track = self.plotter.track()
        sent = set(self.sent.places.values())
        wrong = [place for place in track if min(distance(place, other) for other in sent) > 1.1e-6]
        established = self.plotter.count("connection established")
        if wrong or len(track) < 3 or established != 1:
            raise Failure(f"{len(wrong)} of {len(track)} points were not sent, {established} connections")
        said = [self.plotter.says("Watchdog timeout at"), self.plotter.says("LOGBOOK.*OFF")]
        return f"{len(track)} of {len(track)} points; one connection; {'; '.join(said)}"

    def short(self):
        """20 short connections, read and unread, leave nothing"""
        before = self.left()
        for number in range(20):
            client = connect([PATH, PORT][number % 2])
            if number % 4 < 2:
                client.recv(10)
            else:
                time.sleep(0.5)
            client.close()
        took = wait_for("them to end", lambda: connections() == before)
        if found := complaints():
            raise Failure(found)
        return f"after {took:.1f} s the {len(before)} connections of before; no failed unit, no complaint"

    def left(self):
        """The connections of GeoClue and the readers, once all others have ended."""
        wait_for("the others to end", lambda: len(connections()) == len(self.readers) + 1)
        return connections()

    def unread(self):
        """readers that read nothing, up to the limit"""
        silent = [connect([PATH, PORT][n % 2]) for n in range(LIMIT - len(connections()))]
        wait_for("all of them", lambda: len(connections()) == LIMIT)
        refused = connect(PATH)
        if refused.recv(10):
            raise Failure(f"connection {LIMIT + 1} was served")
        name, process = list(connections().items())[-1]
        begin, size = time.monotonic(), resident(process)
        old = {reader: len(reader.places) for reader in self.readers}
        for reader in self.readers:
            wait_for("positions", lambda: len(reader.places) >= old[reader] + SECONDS)
        grown = resident(process) - size
        for client in silent:
            client.close()
        took = wait_for("them to end", lambda: len(connections()) == LIMIT - len(silent))
        again = connect(PATH)
        if not again.recv(10):
            raise Failure("no new connection is served")
        again.close()
        return (f"{LIMIT} served, the next one refused; unread for {time.monotonic() - begin:.0f} s: {size} kB, "
                f"{grown:+} kB; closed, they end after {took:.1f} s")

    def hasty(self):
        """2,000 connections as fast as they can be made"""
        start = time.monotonic()
        for _ in range(2000):
            connect(PATH).close()
        made = time.monotonic() - start
        before, took = self.left(), time.monotonic() - start
        last = max(self.readers[0].places)
        wait_for("positions", lambda: min(max(reader.places) for reader in self.readers) > last + 2)
        seen = [equal(reader.kind, reader.places, self.sent.places, last) for reader in self.readers]
        if found := complaints():
            raise Failure(found)
        return f"made in {made:.1f} s, served after {took:.0f} s; {len(before)} connections left, {', '.join(seen)}"

    def stopped(self):
        """the socket restarted: connections stay; stopped: they end, and GeoClue has to be restarted"""
        before, ticks = self.left(), self.clue.ticks()
        do(f"systemctl restart {SOCKET}")
        replaced(before, self.readers)
        do(f"systemctl stop {SOCKET}")
        for reader in self.readers:
            wait_for("the end", lambda: reader.has_ended)
        time.sleep(3)
        ticks = (self.clue.ticks() - ticks) / os.sysconf("SC_CLK_TCK")
        do(f"systemctl start {SOCKET} && systemctl restart geoclue")
        self.clue.stop()
        return f"{len(before)} connections went on in new processes, then ended; GeoClue busy {ticks} of 3 s"

    def alone(self):
        """GeoClue let in alone"""
        edit(SOCKET, self.settings["alone"])
        self.clue = GeoClue()
        wait_for("GeoClue", lambda: len(self.clue.places()) >= 5)
        self.clue.stop()
        attempt = f"import socket; socket.socket(socket.AF_UNIX).connect({PATH!r})"
        refused = as_user("nobody", attempt)
        if "PermissionError" not in refused or connect(PORT, quietly=True) is not None:
            raise Failure(f"others are let in: {refused}")
        revert()
        allowed = as_user("nobody", attempt) or "connected"
        return f"GeoClue has positions, nobody: {refused.splitlines()[-1]}, no port; without the lines: {allowed}"

    def network(self):
        """another address than that of loopback"""
        other = ("127.0.0.2", PORT[1])
        if connect(other, quietly=True) is not None:
            raise Failure("it is open without")
        edit(SOCKET, self.settings["network"])
        reader = Reader(other)
        wait_for("positions", lambda: len(reader.places) >= 3)
        Reader(PATH).stop()
        reader.stop()
        revert()
        return f"{other[0]} refused, then {equal(reader.kind, reader.places, self.sent.places)}"

    def target(self):
        """another gpsd, by its name"""
        with open("/etc/hosts", "a") as hosts:
            hosts.write("127.0.0.1 boat.example\n")
        edit("locwatch-nmea@.service", self.settings["target"])
        reader = Reader(PATH)
        wait_for("positions", lambda: len(reader.places) >= 3)
        command = [pathlib.Path(f"/proc/{process}/cmdline").read_text() for process in connections().values()]
        reader.stop()
        revert()
        if not command[0].endswith("\0boat.example\0"):
            raise Failure(f"it is {command}")
        return f"{command[0].strip(chr(0)).replace(chr(0), ' ')}: {equal('path', reader.places, self.sent.places)}"

    def removed(self):
        """an upgrade ends no connection, the removal all; nothing is left"""
        reader = Reader(PATH)
        wait_for("positions", lambda: reader.places)
        before = connections()
        do(f"dpkg --install {self.package}")
        replaced(before, [reader])
        do("dpkg --remove locwatch")
        wait_for("the end", lambda: reader.has_ended)
        do("dpkg --purge locwatch")
        left = do(f"systemctl list-units --all --plain --no-legend '{SOCKET}' '{CONNECTIONS}'; ls /run/locwatch "
                  "2>/dev/null; find /etc/systemd /usr/lib/systemd -name '*locwatch*'")
        if left:
            raise Failure(f"left: {left}")
        return "the connection went on in a new process until the removal"

    ROWS = [
        installed, geoclue, opencpn, several, away, drawn, short, unread, hasty, stopped, alone, network, target,
        removed]


def resident(process):
    """How much memory a process has, in kB."""
    return int(re.search(r"VmRSS:\s*(\d+)", pathlib.Path(f"/proc/{process}/status").read_text())[1])


def inside(check, preparation="true"):
    """Runs a table as root in the booted Debian, with the receiver as /dev/ttyACM0."""
    signal.alarm(900)
    pathlib.Path("/etc/default/gpsd").write_text("DEVICES=/dev/ttyACM0\nGPSD_OPTIONS='-n -b -s 38400 -f 8N1'\n")
    # systemd says nothing on the console from here on.
    os.kill(1, signal.SIGRTMIN + 21)
    do(f"systemctl restart gpsd && {preparation}")
    if not check.run():
        do("journalctl --boot >/dev/console")
        sys.exit("some rows failed")


def main(script, packages, package, receiver):
    """Runs a script in the booted Debian, as root."""
    with tempfile.TemporaryDirectory() as folder:
        link = pathlib.Path(folder, "gps0")
        process = subprocess.Popen(
            [receiver, "--scenario", "drive", "--rate", "1", "--repeat", "--link", link], stdout=subprocess.DEVNULL)
        try:
            wait_for("the simulated receiver", link.exists)
            sys.exit(subprocess.run(
                [script.parent / "debian.sh", "--boot", "--device", f"{link.resolve()}:/dev/ttyACM0", "trixie", packages,
                 "/usr/bin/python3", script, "--inside", package.resolve()]).returncode)
        finally:
            process.kill()
            process.wait()


if __name__ == "__main__":
    if sys.argv[1] == "--inside":
        inside(Check(sys.argv[2]), "useradd --create-home owner")
    else:
        main(pathlib.Path(__file__).resolve(), PACKAGES, *map(pathlib.Path, sys.argv[1:]))
