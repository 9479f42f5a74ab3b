#!/usr/bin/env python3
"""Makes each system call of locwatch fail, and checks what is left.

For each way to use locwatch, a first run under strace counts the system calls. Each further run makes one
of them fail (the first, the middle or the last call, or all from there on) with an error that the kernel
can give for it. Other runs shorten reads and writes, or set a limit of the shell. One rule holds in all:

- nothing is written twice, and nothing is missing if the status is 0
- no crash and no hang, and the status is a documented one
- every file ends at a whole record, or is a closed document

If the system refuses memory, the runtime ends the process: the files are then as after kill -9.
"""

import argparse
import collections
import json
import os
import pty
import random
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree

FIXES = 30
TIMEOUT = 20
DOCUMENTED = {0, 1, 64, 65, 66, 69, 73, 74, 124, 129, 130, 143}

# Errors that the kernel can give, by manual page. What is not listed is not made to fail: it cannot, or
# it only runs before main. EPIPE is not listed for write: it ends locwatch with status 0, as the reader's end.
ERRORS = {
    "read": ["EINTR", "EIO", "EAGAIN"],
    "pread64": ["EINTR", "EIO"],
    "write": ["EINTR", "EAGAIN", "EIO", "ENOSPC", "EDQUOT"],
    "pwrite64": ["EINTR", "EIO", "ENOSPC", "EFBIG"],
    "openat": ["EMFILE", "ENFILE", "ENOMEM", "EACCES", "EINTR"],
    "close": ["EIO", "EINTR"],
    "newfstatat": ["ENOMEM", "EACCES"],
    "fstat": ["ENOMEM"],
    "lseek": ["ESPIPE"],
    "ftruncate": ["EIO", "EINVAL"],
    "fcntl": ["EMFILE"],
    "ioctl": ["ENOTTY", "EIO"],
    "socket": ["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"],
    "connect": ["ECONNREFUSED", "ETIMEDOUT", "ENETUNREACH", "EINTR"],
    "getsockopt": ["ENOBUFS"],
    "setsockopt": ["ENOBUFS", "ENOMEM"],
    "sendto": ["ECONNRESET", "EPIPE", "ENOBUFS", "EINTR"],
    "recvfrom": ["ECONNRESET", "EINTR", "ENOMEM", "EAGAIN", "ETIMEDOUT"],
    "poll": ["EINTR", "ENOMEM"],
    "epoll_create1": ["EMFILE", "ENFILE", "ENOMEM"],
    "epoll_ctl": ["ENOMEM", "ENOSPC"],
    "epoll_wait": ["EINTR"],
    "eventfd2": ["EMFILE", "ENFILE", "ENOMEM"],
    "timerfd_create": ["EMFILE", "ENFILE", "ENOMEM"],
    "timerfd_settime": ["ECANCELED"],
    "clone3": ["EAGAIN", "ENOMEM"],
    "clone": ["EAGAIN", "ENOMEM"],
    "vfork": ["EAGAIN", "ENOMEM"],
    "execve": ["ENOENT", "EACCES", "ENOMEM"],
    "pipe2": ["EMFILE", "ENFILE"],
    "socketpair": ["EMFILE", "ENFILE"],
    "bind": ["EADDRINUSE", "EACCES"],
    "listen": ["EADDRINUSE"],
    "mkdir": ["ENOSPC", "EACCES"],
    "unlink": ["EACCES", "EROFS"],
    "rt_sigtimedwait": ["EINTR"],
    "getrandom": ["EINTR"],
    "mmap": ["ENOMEM"],
    "munmap": ["ENOMEM"],
    "brk": ["ENOMEM"],
    "mprotect": ["ENOMEM"],
}
MEMORY = {"mmap", "munmap", "brk", "mprotect"}


class Impostor:
    """A gpsd that sends each fix once: a connection continues where the last one ended."""

    def __init__(self):
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(16)
        self.port = self.listener.getsockname()[1]
        self.next = 0
        self.lock = threading.Lock()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=(client,), daemon=True).start()

    def talk(self, client):
        try:
            client.sendall(
                b'{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,'
                b'"proto_minor":15}\r\n')
            if not client.recv(4096):
                return
            client.sendall(
                b'{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0",'
                b'"activated":"2026-11-20T07:05:00.000Z"}]}\r\n')
            while lines := self.lines():
                client.sendall("".join(lines).encode())
                time.sleep(0.004)
            client.recv(4096)
        except OSError:
            pass
        finally:
            client.close()

    def lines(self):
        """The next reports: a third of them comes one by one, the others in bursts."""
        with self.lock:
            first = self.next
            self.next = min(FIXES, first + (1 if first < FIXES // 3 else 5))
            return [self.line(index) for index in range(first, self.next)]

    @staticmethod
    def line(index):
        return (
            '{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-11-20T07:%02d:%02d.000Z",'
            '"lat":48.%05d1,"lon":11.5,"altHAE":592.2,"altMSL":545.1,"track":1.5,"speed":0.5,'
            '"climb":0.1,"eph":3.1,"epv":4.2}\r\n' % (5 + index // 60, index % 60, index))

    def close(self):
        self.listener.close()


def order(text):
    """The numbers of the fixes in a text, as its latitudes tell them. A transition repeats the last one."""
    lines = [line for line in text.split("\n") if '"type":"state"' not in line]
    return [int(number) for number in re.findall(r"48\.(\d{5})1\b", "\n".join(lines))]


class Use:
    """A way to use locwatch: a command line, and what its files must hold."""

    name = ""
    follows_children = True

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def begin(self):
        """Returns the arguments, and where standard output goes (a path, or None for a pipe)."""
        raise NotImplementedError

    def end(self):
        pass

    def complaint(self, status, output, killed):
        raise NotImplementedError

    def complaint_about_fixes(self, numbers, status):
        if len(set(numbers)) != len(numbers):
            return "a fix is written twice"
        if numbers != sorted(numbers):
            return "the fixes are out of order"
        if status == 0 and numbers != list(range(FIXES)):
            return "%d of %d fixes with status 0" % (len(numbers), FIXES)
        return None

    def complaint_about_lines(self, text, killed):
        lines = text.split("\n")
        if lines[-1] != "" and not killed:
            return "the last line is torn"
        for line in lines[:-1]:
            try:
                json.loads(line)
            except ValueError:
                return "a line is no JSON: %r" % line[:80]
        return None


class Live(Use):
    name = "live"

    def begin(self):
        self.impostor = Impostor()
        return self.arguments() + ["127.0.0.1:%d" % self.impostor.port], self.output()

    def arguments(self):
        return ["--json", "-n", str(FIXES), "-t", "4s"]

    def output(self):
        return None

    def end(self):
        self.impostor.close()

    def complaint(self, status, output, killed):
        # A pipe may have taken a part of the last record when writing failed.
        text = output if status == 0 else output[: output.rfind("\n") + 1]
        return self.complaint_about_lines(text, killed) or self.complaint_about_fixes(
            order(text), status)


class ToFile(Live):
    name = "to a file"

    def output(self):
        return self.path("out.json")

    def complaint(self, status, output, killed):
        return self.complaint_about_lines(output, killed) or self.complaint_about_fixes(
            order(output), status)


class Document(Live):
    name = "document"

    def arguments(self):
        return ["-f", "gpx", "-n", str(FIXES), "-t", "4s"]

    def output(self):
        return self.path("out.gpx")

    def complaint(self, status, output, killed):
        try:
            xml.etree.ElementTree.fromstring(output)
        except xml.etree.ElementTree.ParseError as error:
            if output != "" and not killed:
                return "the document is not closed: %s" % error
        return self.complaint_about_fixes(order(output), status)


class Record(Live):
    name = "recording"

    def arguments(self):
        return ["--json", "-n", str(FIXES), "-t", "4s", "--record", self.path("rec.jsonl")]

    def complaint(self, status, output, killed):
        complaint = super().complaint(status, output, killed)
        if complaint:
            return complaint
        try:
            with open(self.path("rec.jsonl"), encoding="utf-8", newline="") as file:
                text = file.read()
        except FileNotFoundError:
            return "no recording with status 0" if status == 0 else None
        complaint = self.complaint_about_lines(text.replace("\r\n", "\n"), killed)
        numbers = order(text)
        if not complaint and status == 0 and numbers[:FIXES] != list(range(FIXES)):
            complaint = "%d of %d reports recorded with status 0" % (len(numbers), FIXES)
        return complaint and "recording: " + complaint


class Replay(Use):
    name = "replay"

    def begin(self):
        with open(self.path("rec.jsonl"), "w", newline="") as file:
            file.write('{"class":"VERSION","release":"3.25"}\r\n')
            file.writelines(Impostor.line(index) for index in range(FIXES))
        return ["--json", "--replay", self.path("rec.jsonl")], None

    complaint = Live.complaint


class Private(Use):
    """A private gpsd reads a receiver on a pseudo-terminal. gpsd itself is not made to fail."""

    name = "private gpsd"
    follows_children = False

    def begin(self):
        self.master, self.slave = pty.openpty()
        self.is_over = False
        threading.Thread(target=self.send, daemon=True).start()
        return ["--json", "-n", "3", "-t", "12s", os.ttyname(self.slave)], None

    def send(self):
        second = 0
        while not self.is_over:
            second += 1
            clock = "07%02d%02d.00" % (second // 60, second % 60)
            for body in (
                "GPRMC,%s,A,4807.038,N,01131.000,E,000.4,084.4,201126,,,A" % clock,
                "GPGGA,%s,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,," % clock,
            ):
                check = 0
                for character in body:
                    check ^= ord(character)
                try:
                    os.write(self.master, ("$%s*%02X\r\n" % (body, check)).encode())
                except OSError:
                    return
            time.sleep(0.2)

    def end(self):
        self.is_over = True
        os.close(self.master)
        os.close(self.slave)

    def complaint(self, status, output, killed):
        text = output if status == 0 else output[: output.rfind("\n") + 1]
        complaint = self.complaint_about_lines(text, killed)
        if complaint:
            return complaint
        times = [record["time"] for record in map(json.loads, text.splitlines())
                 if record["type"] == "fix" and "time" in record]
        if len(set(times)) != len(times):
            return "a fix is written twice"
        if status == 0 and len(times) != 3:
            return "%d of 3 fixes with status 0" % len(times)
        return None


USES = [Live, ToFile, Document, Record, Replay, Private]

Outcome = collections.namedtuple("Outcome", "status output errors elapsed")


def run(use, prefix, environment=None, limits=()):
    """Runs locwatch in one of its uses behind a prefix such as strace, and returns its outcome."""
    arguments, path = use.begin()
    output = open(path, "w+b") if path else subprocess.PIPE

    def limit():
        for which, value in limits:
            resource.setrlimit(which, (value, value))

    begin = time.monotonic()
    process = subprocess.Popen(
        prefix + [use.program] + arguments, stdin=subprocess.DEVNULL, stdout=output,
        stderr=subprocess.PIPE, preexec_fn=limit if limits else None, start_new_session=True,
        env={**os.environ, **(environment or {})})
    try:
        text, errors = process.communicate(timeout=TIMEOUT)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        text, errors = process.communicate()
        status = "hang"
    elapsed = time.monotonic() - begin
    use.end()
    if path:
        output.seek(0)
        text = output.read()
        output.close()
    return Outcome(status, text.decode("utf-8", "replace"), errors.decode("utf-8", "replace"), elapsed)


def verdict(use, outcome, refuses_memory=False):
    """Returns what kind of end it was, and a complaint if it breaks the rule."""
    status = outcome.status
    if status == "hang":
        return "hang", "hangs"
    # A process that a signal ended: of the shell's numbers only those of the documented signals count.
    is_crash = status < 0 or status in {128 + 4, 128 + 5, 128 + 6, 128 + 7, 128 + 11}
    if is_crash and not refuses_memory:
        return "crash", "crashes with %d: %s" % (status, outcome.errors.strip()[-200:])
    if not is_crash and status not in DOCUMENTED and not (refuses_memory and status == 127):
        return "status", "status %d is not documented: %s" % (status, outcome.errors.strip()[-200:])
    complaint = use.complaint(None if is_crash else status, outcome.output, is_crash)
    if complaint:
        return "broken", "%s (status %s: %s)" % (complaint, status, outcome.errors.strip()[-120:])
    if is_crash:
        return "out of memory", None
    return "complete" if status == 0 else "status %d" % status, None


def strace(use, *options):
    return ["strace", "-qq", "-o", use.path("trace")] + (["-f"] if use.follows_children else []) \
        + list(options)


def calls_after_start(use):
    """Counts the system calls of a run, but for those of the dynamic linker: a fault there is not ours."""
    names = [name for name in ERRORS]
    outcome = run(use, strace(use))
    kind, complaint = verdict(use, outcome)
    if complaint or outcome.status != 0:
        sys.exit("%s does not work without a fault: %s, %s" % (use.name, complaint, outcome.errors))
    all_calls, skipped = collections.Counter(), collections.Counter()
    is_ours = False
    with open(use.path("trace"), errors="replace") as trace:
        for line in trace:
            match = re.match(r"(?:\d+ +)?(\w+)\(", line)
            if not match:
                continue
            all_calls[match[1]] += 1
            # SIGPIPE is ignored first of all.
            is_ours = is_ours or "SIGPIPE" in line or "rt_sigprocmask(SIG_BLOCK, [HUP" in line
            if not is_ours:
                skipped[match[1]] += 1
    return {name: (skipped[name], all_calls[name]) for name in names
            if all_calls[name] > skipped[name]}


def injections(use):
    """All faults of one use: options of strace, with their names."""
    for call, (skipped, count) in calls_after_start(use).items():
        first, last = skipped + 1, count
        places = {"first": first, "middle": (first + last) // 2, "last": last}
        for error in ERRORS[call]:
            done = set()
            for place, number in places.items():
                for when, suffix in ((str(number), ""), ("%d+" % number, " and all after it")):
                    # Errors that pass by themselves do not come for ever.
                    if suffix and error in {"EINTR", "EAGAIN"}:
                        continue
                    if when in done:
                        continue
                    done.add(when)
                    yield ("%s %s: the %s%s" % (call, error, place, suffix), call in MEMORY,
                           ["-e", "inject=%s:error=%s:when=%s" % (call, error, when)])


def limits():
    """Limits of the shell, as the names of ulimit."""
    # With fewer descriptors the dynamic linker finds no library.
    for count in range(4, 13):
        yield "ulimit -n %d" % count, [(resource.RLIMIT_NOFILE, count)], False
    for size in (0, 1, 100, 1000, 1024, 2048, 4000, 4096, 6000):
        yield "ulimit -f of %d bytes" % size, [(resource.RLIMIT_FSIZE, size)], False
    for size in (8, 12, 16, 24, 32, 64, 128):
        yield "ulimit -v %d MB" % size, [(resource.RLIMIT_AS, size * 1024 * 1024)], True
    for size in (64, 256, 1024):
        yield "ulimit -s %d kB" % size, [(resource.RLIMIT_STACK, size * 1024)], False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=1800, help="0 makes every run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--use", action="append", help="only these uses")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="locwatch-faults.")
    uses = [use(options.program, folder) for use in USES if not options.use or use.name in options.use]
    shortener = os.path.join(folder, "short.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "short.c")
    subprocess.run(
        [shutil.which("cc") or "clang", "-shared", "-fPIC", "-O1", "-o", shortener, source, "-ldl"],
        check=True)
    work = []
    for use in uses:
        work += [(use, name, strace(use, *words), None, (), memory)
                 for name, memory, words in injections(use)]
        work += [(use, name, [], None, values, memory) for name, values, memory in limits()]
        for seed in range(20):
            work.append((use, "short and interrupted calls, seed %d" % seed, [],
                         {"LD_PRELOAD": shortener, "SHORT_SEED": str(seed)}, (), False))
    total = len(work)
    random.Random(options.seed).shuffle(work)
    begin = time.monotonic()
    kinds = collections.defaultdict(collections.Counter)
    complaints = []
    done = 0
    for use, name, prefix, environment, values, memory in work:
        if options.seconds and time.monotonic() - begin > options.seconds:
            break
        for file in os.listdir(folder):
            if not file.endswith(".so"):
                os.remove(use.path(file))
        outcome = run(use, prefix, environment, values)
        kind, complaint = verdict(use, outcome, memory)
        kinds[use.name][kind] += 1
        done += 1
        if complaint:
            complaints.append("%s, %s: %s" % (use.name, name, complaint))
            print(complaints[-1], flush=True)
    shutil.rmtree(folder)
    print("\n%d of %d runs in %.0f s" % (done, total, time.monotonic() - begin))
    for name, counts in kinds.items():
        print("%s: %s" % (name, ", ".join("%s %d" % pair for pair in counts.most_common())))
    print("complaints: %d" % len(complaints))
    sys.exit(1 if complaints else 0)


main()
