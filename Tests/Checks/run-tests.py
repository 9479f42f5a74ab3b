#!/usr/bin/env python3
"""Runs a program of tests quietly: prints what failed, with its output, and what was skipped.

usage: run-tests.py LOG PROGRAM [OPTION...]

Everything that the tests print is in LOG. The last line is that of Swift Testing, "Test run with N tests ...". The
status is that of the program. On a terminal, a line counts the tests that have ended.
"""

import re
import signal
import subprocess
import sys
from pathlib import Path

MOST = 50  # failures that are printed
LONGEST = 60  # lines of one
LAST_WORDS = 40  # lines before a crash

COLOUR = re.compile(rb"\x1b\[[\d;]*m")
EVENT = re.compile(r"^[◇✔✘➜━⚠] ")
STARTED = re.compile(r"^◇ Test (?!run |case )(.+) started\.$")
ENDED = re.compile(r"^[✔✘━] Test (?!run |case )(.+?) (?:with \d+ test cases? )?(?:passed|failed) after ")
ISSUE = re.compile(r"^✘ (?:Test|Suite) (?!run ).+ recorded an issue")
SKIPPED = re.compile(r'^➜ ((?:Test|Suite) .+?) skipped(?:: "(.*)")?\.?$')
SUMMARY = re.compile(r"^[✔✘━] (Test run with .+)")


class Run:
    """What the lines of a run say so far."""

    def __init__(self):
        self.under_way = []
        self.ended = 0
        self.failures = []
        self.skipped = set()
        self.summary = ""
        self.last_words = []
        self._is_in_failure = False

    def read(self, line):
        """Takes a line, without its end."""
        if not EVENT.match(line):
            if self._is_in_failure:
                self.failures[-1].append(line)
            self.last_words = [*self.last_words, line][-LAST_WORDS:]
            return
        self._is_in_failure = False
        if match := STARTED.match(line):
            self.under_way.append(match[1])
        elif ISSUE.match(line):
            self.failures.append([line])
            self._is_in_failure = True
        elif match := ENDED.match(line):
            self.ended += 1
            if match[1] in self.under_way:
                self.under_way.remove(match[1])
        elif match := SKIPPED.match(line):
            self.skipped.add(f"skipped: {match[1]}" + (f": {match[2]}" if match[2] else ""))
        elif match := SUMMARY.match(line):
            self.summary = match[1]

    def report(self, status):
        """Returns the lines for a person."""
        lines = []
        for failure in self.failures[:MOST]:
            lines += ["", *failure[:LONGEST]]
            if len(failure) > LONGEST:
                lines.append(f"({len(failure) - LONGEST} more lines are in the log)")
        if len(self.failures) > MOST:
            lines += ["", f"error: {len(self.failures) - MOST} more failures are in the log"]
        if not self.summary:
            lines += ["", f"error: the tests ended with status {status} before the last of them. Their last lines:"]
            lines += ["  " + line for line in self.last_words]
            lines += [f"error: was under way: {name}" for name in self.under_way]
        if self.skipped:
            lines += ["", *sorted(self.skipped), f"tests and suites that were skipped: {len(self.skipped)}"]
        return lines


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.split("\n\n")[1])
    log, command = Path(sys.argv[1]), [sys.argv[2], "--testing-library", "swift-testing", *sys.argv[3:]]
    log.parent.mkdir(parents=True, exist_ok=True)
    run = Run()
    process, is_over = None, False

    def end(*_):
        nonlocal is_over
        is_over = True
        if process:
            process.terminate()
            # A stopped process takes no other signal.
            process.send_signal(signal.SIGCONT)

    # Whoever ends this script gets a report of what was under way.
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
        signal.signal(number, end)
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    # A signal may have come while the program was started.
    if is_over:
        end()
    is_watched, shown = sys.stdout.isatty(), 0
    with log.open("wb", buffering=0) as whole:
        for line in process.stdout:
            # NO_COLOR would be in the environment of what the tests start, too.
            line = COLOUR.sub(b"", line)
            whole.write(line)
            run.read(line.decode(errors="replace").rstrip("\r\n"))
            if is_watched and run.ended > shown:
                shown = run.ended
                print(f"\r{shown} tests, {len(run.failures)} failures", end="", flush=True)
    status = process.wait()
    if is_watched:
        print("\r\x1b[K", end="")
    # The process ended by a signal has the status that a shell gives it.
    status = status if status >= 0 else 128 - status
    for line in run.report(status):
        print(line)
    print(f"The whole output is in {log}.")
    print(run.summary or "No test run came to its end.")
    sys.exit(status or (0 if run.summary else 1))


if __name__ == "__main__":
    main()
