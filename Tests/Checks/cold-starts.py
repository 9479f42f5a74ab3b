#!/usr/bin/env python3
"""Starts a program of tests in virtual time many times, each beside two busy loops.

Usage: cold-starts.py PROGRAM COUNT

The status is 1 if one of them failed. Before each start the program's pages are evicted from memory, as far as
the kernel does so for a file that others use.
"""
import os
import subprocess
import sys
import time

program, count = sys.argv[1], int(sys.argv[2])
busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
failures = []
start = time.monotonic()
try:
    for number in range(count):
        with open(program, "rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        run = subprocess.run(
            [program], capture_output=True, text=True, timeout=600, env=dict(os.environ, SWIFT_BACKTRACE="enable=no")
        )
        if run.returncode != 0:
            failures.append(run.stderr.strip()[-400:])
            print(f"{number}: {failures[-1]}", flush=True)
finally:
    for process in busy:
        process.kill()
seconds = time.monotonic() - start
print(f"{len(failures)} of {count} cold starts failed, {seconds / count:.2f} s each")
sys.exit(bool(failures))
