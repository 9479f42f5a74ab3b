#!/usr/bin/env python3
"""Checks locwatch-page.service of the Debian package, in a booted Debian 13 whose gpsd reads a simulated receiver. Prints a
table; the status is 1 if a row fails. It needs root.

usage: units.py PACKAGE SIMULATED-RECEIVER
"""

import json
import os
import pathlib
import re
import socket
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from nmea import Failure, Table, do, inside, main, wait_for  # noqa: E402

PACKAGES = "gpsd,gpsd-clients,systemd-sysv,dbus,prometheus,python3"
PORT = ("127.0.0.1", 9947)
PAGE = "locwatch-page.service"


def request(text, seconds=30):
    """What is answered to a request: its head and its body."""
    with socket.create_connection(PORT, seconds) as client:
        client.sendall(text.encode())
        answer = b""
        while piece := client.recv(65536):
            answer += piece
    head, _, body = answer.decode().partition("\r\n\r\n")
    return head, body


def get(path):
    return request(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")


def reachable():
    try:
        socket.create_connection(PORT, 5).close()
        return True
    except OSError:
        return False


def status(head):
    return int(head.split(" ")[1])


def resident():
    """The resident memory of the service, in KiB."""
    process = do(f"systemctl show --property MainPID --value {PAGE}")
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{process}/status").read_text())[1])


def metric(name):
    found = re.search(rf"^{name}(?:{{[^}}]*}})? (\S+)$", get("/metrics")[1], re.M)
    return float(found[1]) if found else None


class Check(Table):
    """The rows of the table, in their order. Each begins with what the ones before have left."""

    def __init__(self, package):
        self.package = package

    def installed(self):
        """nothing is enabled by the package"""
        do(f"dpkg --install {self.package}")
        enabled = do(f"systemctl is-enabled {PAGE} || true")
        if enabled != "disabled":
            raise Failure(f"{enabled}")
        do(f"systemd-analyze verify --man=no {PAGE}")
        # A receiver whose time is off has locwatch ask the kernel.
        for name in "locwatch@x.service", "locwatch-nmea@x.service", PAGE:
            if "clock_adjtime" not in do(f"systemctl show --property SystemCallFilter {name}").split():
                raise Failure(f"{name} may not ask whether the clock is synchronised")
        level = do(f"systemd-analyze security --no-pager {PAGE} | tail -n 1").split(": ")[1].split(" ")[0]
        return f"{PAGE} {level}"

    def page(self):
        """a page with a position, and its records"""
        do(f"systemctl enable --now {PAGE}")
        took = wait_for("a page", lambda: reachable() and '<p class="place"' in get("/")[1])
        head, body = get("/")
        if "text/html; charset=utf-8" not in head or "</html>" not in body:
            raise Failure(f"{head} {body[:200]}")
        record = json.loads(get("/fix")[1])
        if record["type"] != "fix":
            raise Failure(f"{record}")
        title = re.search("<title>(.*?)</title>", body)[1]
        return f"after {took:.0f} s {len(body)} bytes: {title}"

    def metrics(self):
        """metrics, as promtool wants them, with what gpsd says"""
        head, body = get("/metrics")
        found = subprocess.run(["promtool", "check", "metrics"], input=body, capture_output=True, text=True)
        if found.returncode or "text/plain; version=0.0.4" not in head:
            raise Failure(f"{head} {found.stdout}{found.stderr}")
        reports = map(json.loads, do("gpspipe -w -n 12").splitlines())
        wait_for("a position", lambda: metric("locwatch_latitude_degrees"))
        latitudes = [report["lat"] for report in reports if "lat" in report]
        if abs(metric("locwatch_latitude_degrees") - latitudes[-1]) > 0.001:
            raise Failure(f"{metric('locwatch_latitude_degrees')}, {latitudes[-1]}")
        return f"{body.count('# TYPE')} metrics, {len(body)} bytes; promtool finds nothing"

    def other(self):
        """requests that are none, and HEAD"""
        expected = {"GET /x HTTP/1.0\r\n\r\n": 404, "POST / HTTP/1.0\r\n\r\n": 405, "GET /\r\n\r\n": 400,
                    "\r\n\r\n": 400, "\x00\xff\r\n\r\n": 400, "GET /../../etc/passwd HTTP/1.0\r\n\r\n": 404,
                    "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n": 421,
                    "GET /metrics?x=1 HTTP/1.0\n\n": 200}
        for text, number in expected.items():
            head, _ = request(text)
            if status(head) != number:
                raise Failure(f"{text!r}: {head}")
        head, body = request("HEAD / HTTP/1.0\r\n\r\n")
        if status(head) != 200 or body:
            raise Failure(f"HEAD: {head} {body[:80]}")
        return f"{', '.join(map(str, expected.values()))}; HEAD without a body"

    def unread(self):
        """requests that do not end or are endless, and answers that are not read"""
        memory = resident()
        silent = [socket.create_connection(PORT) for _ in range(100)]
        get("/fix")
        for client in silent:
            client.settimeout(10)
            client.recv(1)
        sent = 0
        with socket.create_connection(PORT) as client:
            client.settimeout(10)
            try:
                while sent < 1 << 28:
                    sent += client.send(b"x" * 65536)
            except OSError:
                pass
        for path in ["/", "/events"] * 50:
            with socket.create_connection(PORT) as client:
                client.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
        if status(get("/")[0]) != 200:
            raise Failure("it answers no more")
        if (grown := resident() - memory) > 16384:
            raise Failure(f"it has grown by {grown} KiB")
        return f"100 silent ones are ended, a line of {sent >> 10} kB and 100 that do not read: {grown} KiB more"

    def away(self):
        """gpsd stopped and started again; the writer killed"""
        try:
            do("systemctl stop gpsd.socket gpsd")
            wait_for("no position", lambda: metric("locwatch_latitude_degrees") is None)
            up = metric("locwatch_up")
        finally:
            do("systemctl start gpsd.socket gpsd")
        took = wait_for("a position", lambda: metric("locwatch_latitude_degrees"))
        do(f"systemctl kill --signal KILL {PAGE}")
        again = wait_for("metrics", lambda: reachable() and status(get("/metrics")[0]) == 200, 60)
        if up != 0:
            raise Failure(f"locwatch_up {up}")
        return f"locwatch_up 0 without a position, back after {took:.0f} s; killed: back after {again:.0f} s"

    def stopped(self):
        """the service stopped: all of it ends"""
        do(f"systemctl disable --now {PAGE}")
        wait_for("the end", lambda: not do("systemctl list-units --plain --no-legend 'locwatch-page*'"))
        return "nothing is left"

    def removed(self):
        """an upgrade and the removal"""
        do(f"systemctl enable --now {PAGE}")
        wait_for("metrics", lambda: reachable() and status(get("/metrics")[0]) == 200)
        before = do(f"systemctl show --property MainPID --value {PAGE}")
        do(f"dpkg --install {self.package}")
        if do(f"systemctl show --property MainPID --value {PAGE}") == before:
            raise Failure("the old version still runs")
        do("dpkg --remove locwatch")
        do("dpkg --purge locwatch")
        left = do("systemctl list-units --plain --no-legend 'locwatch*'; ls -d /run/locwatch* 2>/dev/null; "
                  "find /etc/systemd /usr -name '*locwatch*'")
        if left:
            raise Failure(f"left: {left}")
        return "the writer was started again, then nothing was left"

    ROWS = [installed, page, metrics, other, unread, away, stopped, removed]


if __name__ == "__main__":
    if sys.argv[1] == "--inside":
        inside(Check(sys.argv[2]))
    else:
        main(pathlib.Path(__file__).resolve(), PACKAGES, *map(pathlib.Path, sys.argv[1:]))
