#!/usr/bin/env python3
"""Runs locwatch against hostile peers for a long time, and checks that it stays as small as it was.

Each peer does one thing without end: ever new names, satellites or classes, junk, floods, hang-ups. Each
locwatch has its own options, so that filters, diagnosis, log and live lines are used. Memory,
descriptors and processor time are sampled every ten seconds. After a warm-up of a tenth of the time, memory
may grow by 1 MB, the number of descriptors must not grow, and the processor time for a batch may be a half
more in the last quarter than in the second one.
"""

import argparse
import fcntl
import os
import pty
import random
import signal
import socket
import subprocess
import sys
import termios
import threading
import time

VERSION = '{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}'


def fix(number, device="/dev/ttyACM0", seconds=None):
    seconds = number if seconds is None else seconds
    return (
        '{"class":"TPV","device":"%s","mode":3,"time":"20%02d-%02d-%02dT%02d:%02d:%02d.000Z",'
        '"lat":%.6f,"lon":11.5,"altMSL":545.1,"track":1.5,"speed":0.5,"eph":3.1}' % (
            device, 26 + seconds // 29030400 % 70, 1 + seconds // 2419200 % 12,
            1 + seconds // 86400 % 28, seconds // 3600 % 24, seconds // 60 % 60, seconds % 60,
            48 + number % 1000 / 1000))


def names(number, _):
    return fix(number, "/dev/tty%d" % number)


def devices(number, _):
    return '{"class":"DEVICE","path":"/dev/tty%d","activated":"2026-11-20T07:05:00.000Z"}' % number


def satellites(number, chance):
    list_of = ",".join(
        '{"PRN":%d,"el":%d,"az":%d,"ss":%d,"used":%s}' % (
            chance.randrange(500), chance.randrange(90), chance.randrange(360), chance.randrange(60),
            chance.choice(["true", "false"])) for _ in range(chance.randrange(200)))
    return '{"class":"SKY","device":"/dev/ttyACM0","satellites":[%s]}\r\n%s' % (list_of, fix(number))


def classes(number, _):
    return '{"class":"NEW%d","member%d":[{"a":%d}]}\r\n%s' % (number, number, number, fix(number))


def flood(number, _):
    return "\r\n".join(fix(20 * number + index) for index in range(20))


def junk(number, chance):
    return chance.randbytes(chance.randrange(1, 400)).decode("latin-1") + "\r\n" + fix(number)


def long_lines(number, chance):
    return fix(number) + "\r\n" + "x" * chance.choice([60_000, 65_536, 65_537, 200_000])


def times(number, chance):
    return fix(number, seconds=chance.randrange(2_000_000_000))


def errors(number, _):
    return "\r\n".join(
        ['{"class":"ERROR","message":"error %d"}' % number, VERSION,
         '{"class":"WATCH","enable":true,"device":"/dev/tty%d"}' % number, fix(number)])


def lists(number, _):
    return '{"class":"DEVICES","devices":[%s]}' % ",".join(
        '{"class":"DEVICE","path":"/dev/tty%d"}' % (64 * number + index) for index in range(64))


def hang_ups(number, chance):
    return None if chance.randrange(40) == 0 else fix(number)


# The peer, its pause between two batches in seconds, the options, and whether it runs on a terminal.
PEERS = [
    (names, 0.002, ["--json", "--min-move", "1"], False),
    (devices, 0.002, ["--json", "--verbose"], False),
    (satellites, 0.01, ["--satellites"], True),
    (classes, 0.002, ["--json", "-v"], False),
    (flood, 0.005, ["--json"], False),
    (junk, 0.005, ["--json"], False),
    (long_lines, 0.02, ["--json"], False),
    (times, 0.005, ["--json", "--interval", "1s"], False),
    (errors, 0.005, ["--verbose"], False),
    (lists, 0.01, [], True),
    (hang_ups, 0.05, ["--json", "--accuracy", "20"], False),
]


class Peer:
    def __init__(self, make, pause, seed):
        self.make, self.pause, self.chance = make, pause, random.Random(seed)
        self.number = 0
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(16)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client, _ = self.listener.accept()
            try:
                client.sendall((VERSION + "\r\n").encode())
                while True:
                    self.number += 1
                    text = self.make(self.number, self.chance)
                    if text is None:
                        break
                    client.sendall((text + "\r\n").encode("latin-1"))
                    time.sleep(self.pause)
            except OSError:
                pass
            client.close()


class Subject:
    def __init__(self, program, make, pause, options, on_terminal, seed):
        self.name = make.__name__
        self.peer = Peer(make, pause, seed)
        self.samples = []
        command = [program] + options + ["127.0.0.1:%d" % self.peer.port]
        if on_terminal:
            source, end = pty.openpty()
            self.process = subprocess.Popen(
                command, stdin=end, stdout=end, stderr=subprocess.DEVNULL, start_new_session=True,
                # Lines are drawn only in the foreground of a terminal.
                preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
                env={**os.environ, "TERM": "xterm"})
            os.close(end)
        else:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            source = self.process.stdout.fileno()
        self.written = 0
        threading.Thread(target=self.drain, args=(source,), daemon=True).start()

    def drain(self, source):
        try:
            while piece := os.read(source, 65536):
                self.written += len(piece)
        except OSError:
            pass

    def sample(self):
        folder = "/proc/%d" % self.process.pid
        with open(folder + "/status") as status:
            memory = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
        with open(folder + "/stat") as stat:
            words = stat.read().rsplit(")", 1)[1].split()
        cpu = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
        self.samples.append((memory, len(os.listdir(folder + "/fd")), cpu, self.peer.number))

    def report(self):
        """Prints a line of the figures, and returns whether they stay within the limits."""
        if self.process.poll() is not None:
            print("%-12s ended with %d" % (self.name, self.process.returncode))
            return False
        rest = self.samples[len(self.samples) // 10:]
        memory = [sample[0] for sample in rest]
        descriptors = [sample[1] for sample in rest]
        quarter = len(self.samples) // 4

        def passed(index, figure):
            return self.samples[index * quarter + quarter - 1][figure] - self.samples[index * quarter][figure]

        def cpu(index):
            return passed(index, 2)

        # On a busy machine, the program reads less in one quarter than in another.
        expected = cpu(1) * passed(3, 3) / max(1, passed(1, 3))
        growth = sum(memory[-5:]) / 5 - sum(memory[:5]) / 5
        is_good = growth < 1024 and max(descriptors[-5:]) <= max(descriptors[:5]) + 1 \
            and cpu(3) < expected * 1.5 + 1
        print("%-12s memory %5d to %5d kB, descriptors %d to %d, processor %.1f s and %.1f s a quarter, "
              "%d batches, %.1f MB written%s" % (
                  self.name, memory[0], memory[-1], descriptors[0], descriptors[-1], cpu(1), cpu(3),
                  self.peer.number, self.written / 1e6, "" if is_good else ": TOO MUCH"))
        return is_good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=7200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    subjects = [Subject(options.program, *peer, options.seed + index)
                for index, peer in enumerate(PEERS)]
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        time.sleep(min(10, max(0.1, options.seconds / 100)))
        for subject in subjects:
            if subject.process.poll() is None:
                subject.sample()
    is_good = all([subject.report() for subject in subjects])
    for subject in subjects:
        if subject.process.poll() is None:
            subject.process.send_signal(signal.SIGTERM)
            subject.process.wait(5)
    sys.exit(0 if is_good else 1)


main()
