#!/usr/bin/env python3
"""Gives receivers the corrections of casters that speak TLS and are hostile: their answers and their TLS are cut, damaged,
slow or endless. Then openssl is killed again and again, locwatch is killed and ended while openssl speaks TLS or
passes on corrections, and casters hang up a thousand times. Prints a table; the status is 1 if a row fails: if frames are
lost or torn, or if locwatch ends, hangs or grows, or leaves a process or a descriptor behind.

usage: tls.py LOCWATCH [SECONDS [SEED]]
"""

import collections
import os
import pathlib
import random
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from corrections import BASE, TABLE, Authority, Run, checksum, observation  # noqa: E402

RUNS = 8
RECONNECTS = 1000
KILLS = 20


class Closed(Exception):
    """The connection has ended."""


class Wire:
    """The server's end of TLS, over bytes that can be held back, damaged and torn."""

    def __init__(self, client, context):
        self.client = client
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)
        self.sent = 0
        # After how many bytes nothing more is sent, which of them is changed, and how many are sent at once.
        self.end = self.damaged = None
        self.piece = 1 << 20

    def flush(self):
        data = bytearray(self.outgoing.read())
        if self.damaged is not None and 0 <= self.damaged - self.sent < len(data):
            data[self.damaged - self.sent] ^= 1 << self.damaged % 8
        if self.end is not None:
            data = data[:max(0, self.end - self.sent)]
        for start in range(0, len(data), self.piece):
            self.client.sendall(data[start:start + self.piece])
            if self.piece < 1 << 20:
                time.sleep(0.001)
        self.sent += len(data)
        if self.sent == self.end:
            raise Closed

    def do(self, action):
        while True:
            try:
                result = action()
                self.flush()
                return result
            except ssl.SSLWantReadError:
                self.flush()
                data = self.client.recv(65536)
                if not data:
                    raise Closed from None
                self.incoming.write(data)

    def request(self):
        """Speaks TLS, and returns the path that is asked for."""
        self.do(self.tls.do_handshake)
        text = b""
        while b"\r\n\r\n" not in text:
            text += self.do(lambda: self.tls.read(4096))
        return text.split()[1].decode()

    def write(self, data):
        self.do(lambda: self.tls.write(data))

    def close(self):
        """Ends TLS as it should end."""
        try:
            self.do(self.tls.unwrap)
        except (ssl.SSLError, Closed):
            pass


class Peer:
    """A caster with TLS. It sends the table, then has a function play each connection."""
    isSecure = True

    def __init__(self, authority, play):
        self.authority = authority
        self.play = play
        self.connections = 0
        self.last = None
        self.sent = []  # frames that have to arrive
        self.maySend = set()  # frames that may
        self.lock = threading.Lock()
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.socket.listen(16)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=[client], daemon=True).start()

    def serve(self, client):
        # locwatch connects first, to see whether the address answers, and says nothing.
        if not client.recv(1, socket.MSG_PEEK):
            return client.close()
        with self.lock:
            self.connections += 1
        self.last = client
        try:
            self.play(self, client)
        except (OSError, Closed):
            pass
        finally:
            client.close()

    def wire(self, client):
        return Wire(client, self.authority.contexts["TLS"])

    def frame(self, isCertain=True):
        """A new frame, and the place of the base with every fifth."""
        with self.lock:
            number = len(self.maySend) + 1
            data = observation(number)
            self.maySend.add(data)
            if isCertain:
                self.sent.append(data)
        return data + (BASE if number % 5 == 1 else b"")

    def good(self, client, frames=1, isEndless=False):
        """Answers as a caster should, and hangs up."""
        wire = self.wire(client)
        if wire.request() == "/":
            wire.write(b"SOURCETABLE 200 OK\r\n\r\n" + TABLE.encode())
        else:
            wire.write(b"ICY 200 OK\r\n\r\n")
            while isEndless or frames:
                wire.write(self.frame())
                frames -= 1
                if isEndless:
                    time.sleep(0.2)
        wire.close()


def holds(peer, client):
    """Accepts, and says nothing."""
    client.recv(1 << 20)
    while client.recv(1 << 16):
        pass


def good(peer, client):
    peer.good(client, isEndless=True)


def hangs_up(peer, client):
    peer.good(client)


class Hostile:
    """Every other connection is hostile, in a way drawn by chance. After the others, it is asked again within a second."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = collections.Counter()

    def __call__(self, peer, client):
        # The table, and a first frame, by which gpsd knows the receiver and the source.
        if peer.connections <= 4 or peer.connections % 2:
            return peer.good(client)
        ways = [self.cut, self.damaged, self.torn, self.answer, self.answer, self.noise, self.reset]
        way = self.random.choice(ways)
        self.count[way.__name__] += 1
        way(peer, client)

    def cut(self, peer, client):
        """Ends at any byte of TLS."""
        wire = peer.wire(client)
        wire.end = self.random.randrange(4000)
        wire.request()
        wire.write(b"ICY 200 OK\r\n\r\n")
        for _ in range(60):
            wire.write(peer.frame(isCertain=False))

    def damaged(self, peer, client):
        """A bit of TLS is another one."""
        wire = peer.wire(client)
        wire.damaged = self.random.randrange(3000)
        wire.request()
        wire.write(b"ICY 200 OK\r\n\r\n")
        for _ in range(20):
            wire.write(peer.frame(isCertain=False))

    def torn(self, peer, client):
        """A few bytes at a time, each in a packet of its own; all frames arrive."""
        wire = peer.wire(client)
        wire.piece = self.random.choice([1, 2, 7])
        wire.request()
        wire.write(b"ICY 200 OK\r\n\r\n")
        for _ in range(5):
            wire.write(peer.frame())
        wire.close()

    def answer(self, peer, client):
        """A caster's answer in any pieces, with noise between frames, and often damaged or without an end."""
        wire, draw = peer.wire(client), self.random
        wire.request()
        isChunked, isDamaged = draw.random() < 0.4, draw.random() < 0.6
        body = b"".join(bytes(draw.randrange(0x40, 0x80) for _ in range(draw.randrange(40)))
                        + peer.frame(isCertain=not isDamaged) for _ in range(draw.randrange(1, 9)))
        head = b"HTTP/1.1 200 OK\r\nContent-Type: gnss/data\r\n" if isChunked else b"ICY 200 OK\r\n"
        if isChunked:
            head += b"Transfer-Encoding: chunked\r\n"
            pieces = [body[at:at + 70] for at in range(0, len(body), 70)]
            body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
        data = bytearray(head + b"\r\n" + body)
        for _ in range(draw.randrange(1, 6) if isDamaged else 0):
            place = draw.randrange(len(data))
            if draw.random() < 0.3:
                del data[place:place + draw.randrange(1, 20)]
            else:
                data[place] ^= 1 << draw.randrange(8)
        longest = draw.choice([1, 9, 100, 4000])
        while data:
            count = min(len(data), draw.randrange(1, longest + 1))
            wire.write(bytes(data[:count]))
            del data[:count]
        if draw.random() < 0.5:
            wire.close()

    def noise(self, peer, client):
        """What is no TLS, or too much of it."""
        pieces = [os.urandom(self.random.randrange(1, 4000)), b"\x16\x03\x03\xff\xff" + os.urandom(5000),
                  b"\x15\x03\x03\x00\x02\x01\x00" * 2000, b"\x14\x03\x03\x00\x01\x01" * 2000,
                  b"\x16\x03\x03\x00\x04\x02\xff\xff\xff" * 500, b"ICY 200 OK\r\n\r\n" + peer.frame(isCertain=False)]
        client.sendall(self.random.choice(pieces))

    def reset(self, peer, client):
        """A reset, at any moment."""
        wire = peer.wire(client)
        if self.random.random() < 0.7:
            wire.request()
            wire.write(b"ICY 200 OK\r\n\r\n" + peer.frame(isCertain=False))
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


class Processes:
    """What a locwatch has besides itself."""

    def __init__(self, run):
        self.id = run.process.pid
        self.zombies = set()
        self.mostAtOnce = 0
        self.descriptors = []
        self.memory = []
        self.isOver = False
        threading.Thread(target=self.watch, daemon=True).start()

    @staticmethod
    def status(process):
        """The name, the state and the parent of a process; None if there is none."""
        try:
            text = pathlib.Path(f"/proc/{process}/stat").read_text()
        except OSError:
            return None
        name, rest = text.split("(", 1)[1].rsplit(")", 1)
        state, parent = rest.split()[:2]
        return name, state, int(parent)

    def children(self):
        found = ((int(path.name), self.status(path.name)) for path in pathlib.Path("/proc").glob("[0-9]*"))
        return {number: status for number, status in found if status and status[2] == self.id}

    def openssl(self):
        return [number for number, (name, state, _) in self.children().items() if name == "openssl" and state != "Z"]

    def watch(self):
        before = set()
        while not self.isOver:
            children = self.children()
            dead = {number for number, (_, state, _) in children.items() if state == "Z"}
            # openssl is one until its end is noticed.
            self.zombies |= dead & before
            before = dead
            self.mostAtOnce = max(self.mostAtOnce, len(children))
            try:
                self.descriptors.append(len(os.listdir(f"/proc/{self.id}/fd")))
                status = pathlib.Path(f"/proc/{self.id}/status").read_text()
                self.memory.append(int(status.split("VmRSS:")[1].split()[0]))
            except (OSError, IndexError):
                pass
            time.sleep(0.5)

    def complaints(self):
        self.isOver = True
        quarter = len(self.descriptors) // 4
        found = []
        if self.zombies:
            found.append(f"zombies {self.zombies}")
        # openssl or setpriv, and the shell of gpsd.
        if self.mostAtOnce > 2:
            found.append(f"{self.mostAtOnce} children at once")
        # A connection has two, and a start of openssl more for a moment.
        before, after = min(self.descriptors[:-quarter]), min(self.descriptors[-quarter:])
        if after > before + 2:
            found.append(f"descriptors {before} to {after}")
        if max(self.memory[-quarter:]) > max(self.memory[quarter:2 * quarter]) + 1024:
            found.append(f"memory {self.memory[quarter]} to {self.memory[-1]} kB")
        return found


def frames(written):
    """The whole frames of a kind among what was written to a receiver."""
    found, at = set(), 0
    while (at := written.find(b"\xd3", at)) >= 0:
        end = at + 6 + int.from_bytes(written[at + 1:at + 3], "big")
        data = bytes(written[at:end])
        if len(data) == end - at and checksum(data[:-3]) == int.from_bytes(data[-3:], "big"):
            found.add(data)
            at = end
        else:
            at += 1
    return found


def isGone(process):
    """Whether a process has ended; who was its parent may not have taken note."""
    status = Processes.status(process)
    return status is None or status[1] == "Z"


def wait(what, condition, seconds=40):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(0.02)


def start(locwatch, gpsd, peer):
    run = Run(locwatch, gpsd, peer)
    run.wait("a fix", run.fixes)
    return run


def end(run):
    """Ends locwatch. Returns what is wrong with its end."""
    processes = Processes(run)
    processes.isOver = True
    children = list(processes.children())
    begin = time.monotonic()
    run.process.terminate()
    try:
        status = run.process.wait(10)
    except subprocess.TimeoutExpired:
        run.process.kill()
        return ["it does not end"]
    took = time.monotonic() - begin
    found = [f"ends after {took:.1f} s"] if took > 2 else []
    if status != 143:
        found.append(f"ends with status {status}: {run.stderr()[-300:]}")
    left = [number for number in children if not isGone(number)]
    shutil.rmtree(run.folder)
    return found + ([f"leaves {left}"] if left else [])


def parallel(count, function):
    """Calls a function with each number, at the same time. Returns what is returned."""
    results = [None] * count

    def work(number):
        try:
            results[number] = function(number)
        except Exception as error:
            results[number] = error

    threads = [threading.Thread(target=work, args=[number]) for number in range(count)]
    for thread in threads:
        thread.start()
        time.sleep(0.2)
    for thread in threads:
        thread.join()
    for result in results:
        if isinstance(result, Exception):
            raise result
    return results


def hostile(locwatch, gpsd, authority, seconds, seed):
    """Hostile answers and hostile TLS."""
    counts = collections.Counter()

    def work(number):
        play = Hostile(seed * 1000 + number)
        peer = Peer(authority, play)
        run = start(locwatch, gpsd, peer)
        processes = Processes(run)
        time.sleep(seconds)
        problems = [] if run.process.poll() is None else [f"it has ended: {run.stderr()[-300:]}"]
        # It still takes corrections, at the latest after the pause of a refusal.
        peer.play = good
        count = len(peer.sent)
        wait("a frame", lambda: any(data in run.receiver.written for data in peer.sent[count:]))
        problems += processes.complaints()
        sent = peer.sent[:count]
        passed = frames(run.receiver.written)
        missing = [data for data in sent if data not in passed]
        if missing:
            problems.append(f"{len(missing)} of {len(sent)} frames are missing")
        strange = passed - peer.maySend - {BASE}
        if strange:
            problems.append(f"{len(strange)} frames that were not sent")
        counts.update(play.count)
        counts["frames"] += len(sent)
        return problems + end(run)

    problems = sum(parallel(RUNS, work), [])
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())), problems


def flood(locwatch, gpsd, authority):
    """A caster that sends as much as it can."""
    taken = [0]

    def play(peer, client):
        wire = peer.wire(client)
        if wire.request() == "/":
            wire.write(b"SOURCETABLE 200 OK\r\n\r\n" + b"STR;NEAR;" + b"x" * 60_000 + b"\r\n")
        else:
            wire.write(b"ICY 200 OK\r\n\r\n")
        while True:
            wire.write(os.urandom(16384))
            taken[0] += 16384

    run = start(locwatch, gpsd, Peer(authority, play))
    processes = Processes(run)
    wait("lost", run.told)
    time.sleep(40)
    _, record = run.told()[0]
    problems = [] if record.get("reason") == "it sends more than 64 KiB a second" else [f"told {record}"]
    gaps = [later - earlier for (earlier, _), (later, _) in zip(run.fixes(), run.fixes()[1:])]
    problems += [f"no position for {max(gaps):.1f} s"] if max(gaps) > 2.5 else []
    problems += processes.complaints() + end(run)
    return f"{taken[0] >> 10} kB taken in 40 s; {record.get('reason')}", problems


def kills(locwatch, gpsd, authority, seed):
    """openssl killed while it passes on corrections."""
    draw = random.Random(seed)
    peer = Peer(authority, good)
    run = start(locwatch, gpsd, peer)
    processes = Processes(run)
    slowest = 0
    for _ in range(KILLS):
        wait("openssl", processes.openssl)
        time.sleep(draw.random() / 2)
        count = len(peer.maySend)
        begin = time.monotonic()
        for process in processes.openssl():
            os.kill(process, signal.SIGKILL)
        wait("a frame", lambda: len(peer.maySend) > count + 1
             and any(data in run.receiver.written for data in peer.sent[count + 1:]))
        slowest = max(slowest, time.monotonic() - begin)
    return f"{KILLS} times; a frame again within {slowest:.1f} s", processes.complaints() + end(run)


PHASES = {"waits for TLS": holds, "passes on corrections": good}


def ends(locwatch, gpsd, authority, number):
    """locwatch killed, or ended, while openssl is in a phase."""
    said, problems = [], []
    for phase, play in PHASES.items():
        peer = Peer(authority, play)
        run = start(locwatch, gpsd, peer)
        processes = Processes(run)
        wait("openssl", processes.openssl)
        if play is good:
            wait("a frame", lambda: any(data in run.receiver.written for data in list(peer.sent)))
        children = list(processes.children())
        openssl = processes.openssl()
        begin = time.monotonic()
        run.process.send_signal(number)
        run.process.wait(10)
        try:
            wait("the end of openssl", lambda: all(map(isGone, openssl)), 10)
            said.append(f"{phase}: {time.monotonic() - begin:.2f} s")
            wait("the end of the others", lambda: all(map(isGone, children)), 10)
        except TimeoutError as error:
            problems.append(f"{phase}: {error}")
        processes.isOver = True
        shutil.rmtree(run.folder, ignore_errors=True)
    return "openssl ends while it " + ", ".join(said), problems


def reconnects(locwatch, gpsd, authority):
    """Casters that hang up after each frame."""
    def work(_):
        peer = Peer(authority, hangs_up)
        run = start(locwatch, gpsd, peer)
        processes = Processes(run)
        wait("enough connections", lambda: peer.connections > RECONNECTS // RUNS, 600)
        time.sleep(3)
        missing = [data for data in peer.sent[:-3] if data not in run.receiver.written]
        problems = [f"{len(missing)} frames are missing"] if missing else []
        return peer.connections, problems + processes.complaints() + end(run)

    results = parallel(RUNS, work)
    return f"{sum(count for count, _ in results)} connections", sum((problems for _, problems in results), [])


def main():
    locwatch = pathlib.Path(sys.argv[1]).resolve()
    seconds, seed = (list(map(int, sys.argv[2:])) + [90, 1][len(sys.argv[2:]):])[:2]
    gpsd = shutil.which("gpsd", path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")
    folder = tempfile.TemporaryDirectory(prefix="authority-")
    authority = Authority(folder.name)
    rows = [
        ("hostile", lambda: hostile(locwatch, gpsd, authority, seconds, seed)),
        ("flood", lambda: flood(locwatch, gpsd, authority)),
        ("kill -9 of openssl", lambda: kills(locwatch, gpsd, authority, seed)),
        ("kill -9 of locwatch", lambda: ends(locwatch, gpsd, authority, signal.SIGKILL)),
        ("SIGTERM to locwatch", lambda: ends(locwatch, gpsd, authority, signal.SIGTERM)),
        ("reconnects", lambda: reconnects(locwatch, gpsd, authority)),
    ]
    print("| caster with TLS | seen | |")
    print("| --- | --- | --- |")
    isGood = True
    for name, row in rows:
        try:
            said, problems = row()
        except Exception as error:
            said, problems = "", [f"{type(error).__name__}: {error}"]
        isGood = isGood and not problems
        print(f"| {name} | {said} | {'; '.join(map(str, problems)) or 'ok'} |", flush=True)
    sys.exit(0 if isGood else "something is wrong")


if __name__ == "__main__":
    main()
