#!/usr/bin/env python3
"""Checks that no program locks a mutex in the name of another thread.

A Mutex of Swift 6.3 on Linux notes the thread that holds it. In an async function, the optimiser may find the place of
that thread's identifier before an await, and use it after it, on another thread. Such a lock works until a second
thread waits for it; then the program ends with "Call to unlock Mutex on a thread which hasn't acquired the lock". The
remedy is to lock in a function that is not async and not inlined.

On other processors than x86-64 it is skipped. The programs need their symbols.

Usage: stale-threads.py PROGRAM...
"""

import platform
import re
import subprocess
import sys

SYMBOL = re.compile(r"^[0-9a-f]+ <(.*)>:$")
# What follows an await is a function of its own.
CONTINUATION = re.compile(r"T[QY]\d+_")
THREAD = re.compile(r"%fs:|__tls_get_addr|gettid")


def stale(listing):
    """Returns the parts of async functions that lock before they have found their thread, and the number of all."""
    found, parts = [], 0
    symbol, knows, exchanges = None, True, False
    for line in listing:
        if match := SYMBOL.match(line):
            symbol, exchanges = match[1], False
            knows = not CONTINUATION.search(symbol)
            parts += not knows
        elif knows:
            continue
        elif THREAD.search(line):
            # An exchange before it was for the thread of before.
            knows = not exchanges
        elif "lock cmpxchg" in line:
            exchanges = True
        # Values that are no mutexes are exchanged as well.
        elif exchanges and "_MutexHandle" in line:
            found.append(symbol)
            knows = True
    return found, parts


def main(programs):
    if platform.machine() != "x86_64":
        print("skipped: the mutexes of programs are read for x86-64")
        return
    status = 0
    for program in programs:
        command = ["objdump", "--disassemble", "--no-show-raw-insn", program]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as objdump:
            found, parts = stale(objdump.stdout)
        if objdump.returncode != 0 or parts == 0:
            sys.exit(f"{program}: no symbols of async functions")
        for symbol in found:
            name = subprocess.run(["swift", "demangle", "--compact", symbol], capture_output=True, text=True).stdout
            print(f"{program}: locks a mutex for the thread of before an await: {name.strip()}", file=sys.stderr)
            status = 1
        print(f"{program}: {parts} parts of async functions, {len(found)} lock for another thread")
    sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1:])
