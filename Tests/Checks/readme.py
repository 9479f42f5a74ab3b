#!/usr/bin/env python3
"""Runs each command of the README that shows locwatch, with dash, against a gpsd of its own.

Usage: readme.py DIRECTORY-OF-THE-PROGRAMS

A simulated receiver stands for /dev/ttyACM0, and this machine for others. What runs on is ended after some
seconds as by Ctrl-C. The network is a namespace of its own, so that gpsd can have port 2947.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# What each command may end with: success, or the end of what goes on.
FINE = {0, 130}
# A receiver without a fix ends with a status of its own, and so does a machine on which something is wrong.
SAMPLES = {"locwatch --once --timeout 3s": {0, 124}, "locwatch --doctor": {0, 1, 2}}


def scripts(text):
    """The blocks for a shell, and each command that stands alone or in a session, in their order."""
    found = []
    for block in re.finditer(r"^```(\w*)\n(.*?)^```$|^((?: {4}locwatch[^\n]*\n)+)", text, re.M | re.S):
        language, body, indented = block.groups()
        if language == "sh" and "locwatch " in body and "make" not in body:
            found.append(body)
        elif language == "":
            found += [line[2:] for line in body.splitlines() if line.startswith("$ ")]
        elif indented:
            found += [line.strip() for line in indented.splitlines()]
    return found


def wait_for(what, condition):
    deadline = time.monotonic() + 30
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"readme.py: waited in vain for {what}")
        time.sleep(0.05)


def run(programs):
    folder = pathlib.Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    receiver = folder / "ttyACM0"
    children = [
        subprocess.Popen(
            [programs / "simulated-receiver", "--scenario", "tunnel", "--link", receiver],
            stdout=subprocess.DEVNULL)
    ]
    wrapper = folder / "locwatch"
    wrapper.write_text(f'#!/bin/sh\nexec timeout --signal INT 8 "{programs}/locwatch" "$@"\n')
    wrapper.chmod(0o755)
    environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}")
    failures = 0
    try:
        wait_for("the receiver", receiver.exists)
        children.append(
            subprocess.Popen(["gpsd", "-N", "-n", receiver], stderr=subprocess.DEVNULL))
        wait_for(
            "gpsd", lambda: subprocess.run(
                [programs / "locwatch", "--once", "--timeout", "5"],
                capture_output=True).returncode == 0)
        for script in scripts((ROOT / "README.md").read_text()):
            here = script.replace("/dev/ttyACM0", str(receiver)).replace("boat.example", "localhost")
            here = re.sub(r"10\.0\.0\.(\d)", r"127.0.0.\1", here)
            ended = subprocess.run(
                ["dash", "-uc", here], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                capture_output=True, text=True, errors="replace")
            # timeout(1) has 124 of its own for what it had to end.
            was_ended = ended.returncode == 124 and "no fix" not in ended.stderr
            fine = next((s for c, s in SAMPLES.items() if script.startswith(c)), FINE)
            written = ended.stdout + ended.stderr + "".join(
                str(file) for file in folder.glob("drive.*") if file.stat().st_size)
            is_fine = (ended.returncode in fine or was_ended) and written.strip() \
                and "--help" not in ended.stderr
            failures += not is_fine
            print(f"{'ok    ' if is_fine else 'FAILED'} {script.strip().splitlines()[0]}")
            if not is_fine:
                print(f"status {ended.returncode}\n{ended.stdout}{ended.stderr}")
    finally:
        for child in reversed(children):
            child.terminate()
            child.wait()
        shutil.rmtree(folder)
    return failures


if __name__ == "__main__":
    if len(sys.argv) == 2:
        user = [] if os.getuid() == 0 else ["--map-root-user"]
        os.execvp(
            "unshare", ["unshare", "--net", *user, sys.executable, __file__, sys.argv[1], "inside"])
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    sys.exit(1 if run(pathlib.Path(sys.argv[1]).resolve()) else 0)
