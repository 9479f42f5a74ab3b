#!/usr/bin/env python3
"""Runs each command of the README that shows locwatch, and compares what the README says that it prints.

Usage: readme.py DIRECTORY-OF-THE-PROGRAMS

A simulated receiver that drives through a tunnel stands for /dev/ttyACM0, and this machine for others. What runs on is
ended after some seconds as by Ctrl-C. The network is a namespace of its own, so that gpsd can have port 2947.
"""

import contextlib
import os
import pathlib
import pty
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import termios
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# What each command may end with: success, or the end of a command that runs on.
FINE = {0, 130}
# A receiver without a fix ends with a status of its own, and so does a machine on which something is wrong.
SAMPLES = {"locwatch --once": {0, 124}, "locwatch --doctor": {0, 1, 2}}
# No caster is at hand, and `make check-corrections` tries them.
ELSEWHERE = "ntrip://"


def examples(text):
    """The scripts and commands of the README in their order, each with the lines that it prints there."""
    found = []
    blocks = r"^```(\w*)\n(.*?)^```$|^((?: {4}locwatch[^\n]*\n)+)|^\|[^\n|]*\| `(locwatch [^`]*)`"
    for block in re.finditer(blocks, text, re.M | re.S):
        language, body, indented, cell = block.groups()
        if language == "sh" and "locwatch " in body and "make" not in body:
            found.append((body, []))
        elif language == "":
            for part in re.split(r"^\$ ", body, flags=re.M)[1:]:
                command, *printed = part.splitlines()
                found.append((command, printed))
        elif indented:
            found += [(line.strip(), []) for line in indented.splitlines()]
        elif cell:
            found.append((cell, []))
    return found


def shape(line):
    """A line with each number as 0: what is the same in another run."""
    return re.sub(r"\d+(\.\d+)?", "0", line.strip())


def missing(expected, printed):
    """The first line of the README that was not printed, in its order; `None` if all were."""
    shapes = iter([shape(line) for line in printed.replace("\r", "\n").splitlines()])
    for line in expected:
        # A command names a serial port, and the simulated receiver is none.
        if line.startswith("    sudo ") or line == "…":
            continue
        start, is_cut, _ = re.sub(r"(process):$", r"\1.", line).partition("…")
        wanted = shape(start)
        if not any(each.startswith(wanted) if is_cut else each == wanted for each in shapes):
            return line
    return None


def on_a_terminal(script, folder, environment):
    """Runs a script on a terminal of its own: its status, and what it wrote, without what moves the cursor."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        termios.tcsetwinsize(0, (24, 200))
        os.execvpe("dash", ["dash", "-uc", script], environment)
    written = b""
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # All that had it open have ended.
            data = b""
        if not data:
            break
        written += data
    os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return status, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[78=>]", "", written.decode(errors="replace"))


@contextlib.contextmanager
def simulated(tool, receiver, *options):
    """A tool with a simulated receiver, from the line on by which it says that it works."""
    process = subprocess.Popen([tool, "--scenario", "tunnel", "--link", receiver, *options], stdout=subprocess.PIPE)
    if not process.stdout.readline():
        sys.exit(f"readme.py: {tool} did not start")
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def beside(folder, receiver):
    """A program that has the receiver open beside gpsd, and takes none of its bytes: the cat of the README."""
    program = shutil.copy(shutil.which("sleep"), folder / "other" / "cat")
    with open(receiver) as opened:
        process = subprocess.Popen([program, "60"], stdin=opened)
    yield
    process.terminate()
    process.wait()


def run(programs):
    folder = pathlib.Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    (folder / "other").mkdir()
    receiver = folder / "ttyACM0"
    wrapper = folder / "locwatch"
    wrapper.write_text(f'#!/bin/sh\nexec timeout --foreground --signal INT 12 "{programs}/locwatch" "$@"\n')
    wrapper.chmod(0o755)
    environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", TERM="xterm-256color")
    failures = 0
    # The first command finds no gpsd, and starts one of its own.
    site = contextlib.ExitStack()
    site.enter_context(simulated(programs / "simulated-receiver", receiver))
    try:
        for index, (script, expected) in enumerate(examples((ROOT / "README.md").read_text())):
            if index == 1:
                site.close()
                site.enter_context(simulated(programs / "simulated-site", receiver, "--port", "2947"))
            first = script.strip().splitlines()[0]
            if ELSEWHERE in script:
                print(f"skipped: {first}")
                continue
            here = re.sub(r"(boat|phone)\.example", "localhost", script.replace("/dev/ttyACM0", str(receiver)))
            # The recordings of the README's day are of today.
            here = here.replace("2026-05-01", time.strftime("%Y-%m-%d", time.gmtime()))
            here = re.sub(r"10\.0\.0\.(\d)", r"127.0.0.\1", here)
            # The doctor of the README finds a program beside gpsd.
            with beside(folder, receiver) if "--doctor" in script else contextlib.nullcontext():
                ended, printed = on_a_terminal(here, folder, environment)
            # timeout(1) has 124 of its own for what it had to end.
            was_ended = ended == 124 and "no fix" not in printed
            fine = next((s for c, s in SAMPLES.items() if script.startswith(c)), FINE)
            written = printed + "".join(
                str(file) for file in folder.rglob("*") if file.is_file() and file.stat().st_size)
            absent = missing(expected, re.sub(f"{receiver}|{receiver.resolve()}", "/dev/ttyACM0", printed))
            is_fine = (ended in fine or was_ended) and written.strip() and "--help" not in printed and absent is None
            failures += not is_fine
            print(f"{'ok    ' if is_fine else 'FAILED'} {first}")
            if not is_fine:
                print(f"status {ended}" + (f"; not printed: {absent}" if absent else "") + f"\n{printed}")
    finally:
        site.close()
        shutil.rmtree(folder)
    return failures


if __name__ == "__main__":
    if len(sys.argv) == 2:
        user = [] if os.getuid() == 0 else ["--map-root-user"]
        os.execvp(
            "unshare", ["unshare", "--net", "--uts", *user, sys.executable, __file__, sys.argv[1], "inside"])
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    socket.sethostname("raspberrypi")
    sys.exit(1 if run(pathlib.Path(sys.argv[1]).resolve()) else 0)
