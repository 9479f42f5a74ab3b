#!/usr/bin/env python3
"""Gives a receiver the corrections of casters that misbehave, with the gpsds of several Debians, and prints tables:
what was said, after how long corrections came again, and how many frames reached the receiver. Then it looks for the
password in all that is written, and compares how long positions take with a caster that is dead and without one.
Gpsds other than the local one need root, patchelf and the network.

usage: corrections.py LOCWATCH [SUITE...]
"""

import base64
import json
import os
import pathlib
import pty
import select
import shutil
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import tty

PROJECT = pathlib.Path(__file__).resolve().parents[2]
# No other process has these, whoever tests beside this.
USER, PASSWORD = "someone", f"s3cret{os.urandom(8).hex()}"
MOUNT = "NEAR00DEU0"
BAD_SECONDS = 12
PATIENCE = 75


def checksum(data):
    """CRC-24Q"""
    remainder = 0
    for byte in data:
        remainder ^= byte << 16
        for _ in range(8):
            remainder <<= 1
            if remainder & 0x1000000:
                remainder ^= 0x1864CFB
    return remainder


def frame(message):
    head = bytes([0xD3, len(message) >> 8, len(message) & 255]) + message
    return head + checksum(head).to_bytes(3, "big")


def bits(*fields):
    value = length = 0
    for number, count in fields:
        value = value << count | number & (1 << count) - 1
        length += count
    return (value << -length % 8).to_bytes((length + 7) // 8, "big")


def observation(number):
    """A frame of the type 1074, distinguished from the others by its number."""
    return frame(bits((1074, 12), (23, 12), (number, 32)) + bytes(60))


# About 3.4 km from where the receiver is.
BASE = frame(bits((1005, 12), (23, 12), (0, 6), (0, 4), (41792170000, 38), (0, 2), (8517400000, 38), (0, 2), (47270950000, 38)))
TABLE = "".join([
    "CAS;example;2101;x;y;0;DEU;0;0\r\n",
    f"STR;{MOUNT};town;RTCM 3.2;1005(10),1074(1);2;GPS;NET;DEU;48.12;11.52;1;0;x;none;B;N;0;\r\n",
    "STR;OTHER;town;RTCM 3.2;;2;GPS;NET;DEU;48.12;11.52;0;0;x;none;B;N;0;\r\n",
    "ENDSOURCETABLE\r\n"])


class Authority:
    """Signs the certificates of casters with TLS: one with the right name, and those that no client should accept."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.certificate = self.folder / "authority.pem"
        self.run("req", "-x509", "-subj", "/CN=authority", "-days", "2", "-keyout", "authority.key", "-out", self.certificate)
        self.contexts = {name: self.context(name.replace(" ", "-"), *arguments) for name, arguments in {
            "TLS": ("IP:127.0.0.1", "2"), "TLS, another name": ("DNS:caster.example", "2"),
            "TLS, unknown authority": ("IP:127.0.0.1", None), "TLS, expired": ("IP:127.0.0.1", "-1"),
        }.items()}

    def run(self, command, *arguments):
        new = ["-newkey", "rsa:2048", "-nodes"] if command == "req" else []
        subprocess.run(["openssl", command, *new, *arguments], cwd=self.folder, check=True, stderr=subprocess.DEVNULL)

    def context(self, name, subject, days):
        """What a server with such a certificate needs. Without days, it has signed the certificate by itself."""
        extension = f"subjectAltName={subject}"
        if days is None:
            self.run("req", "-x509", "-subj", "/CN=caster", "-addext", extension, "-keyout", f"{name}.key", "-out", f"{name}.pem")
        else:
            (self.folder / f"{name}.txt").write_text(extension)
            self.run("req", "-subj", "/CN=caster", "-keyout", f"{name}.key", "-out", f"{name}.csr")
            self.run("x509", "-req", "-in", f"{name}.csr", "-CA", self.certificate, "-CAkey", "authority.key",
                     "-CAcreateserial", "-days", days, "-extfile", f"{name}.txt", "-out", f"{name}.pem")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / f"{name}.pem", self.folder / f"{name}.key")
        return context


class Caster:
    """A caster that misbehaves in one way until it is repaired. It sends a frame a second to each accepted client."""

    def __init__(self, behaviour, authority=None):
        self.behaviour = behaviour
        self.isSecure = behaviour.startswith("TLS")
        self.authority = authority
        self.number = 0
        self.sent = {}
        self.requests = []
        self.positions = 0
        self.mended = None
        self.lock = threading.Lock()
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.others = []
        self.refuses = behaviour.endswith("refuses")
        if behaviour.endswith("unreachable"):
            # Nobody is accepted, and the queue is full.
            self.socket.listen(0)
            for _ in range(3):
                other = socket.socket()
                other.setblocking(False)
                other.connect_ex(("127.0.0.1", self.port))
                self.others.append(other)
        elif not self.refuses:
            self.listen()

    def listen(self):
        self.socket.listen(8)
        threading.Thread(target=self.accept, daemon=True).start()

    def mend(self):
        self.mended = time.monotonic()
        if self.refuses or self.behaviour.endswith("unreachable"):
            for other in self.others:
                other.close()
            self.listen()

    def accept(self):
        while True:
            client, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=[client], daemon=True).start()

    def serve(self, client):
        try:
            if self.behaviour == "TLS, not spoken" and self.mended is None:
                client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                return
            if self.isSecure:
                name = "TLS" if self.mended or self.behaviour not in self.authority.contexts else self.behaviour
                client = self.authority.contexts[name].wrap_socket(client, server_side=True)
            self.answer(client)
        except OSError:
            pass
        finally:
            client.close()

    def answer(self, client):
        request = b""
        while b"\r\n\r\n" not in request:
            piece = client.recv(4096)
            if not piece:
                return
            request += piece
        path = request.split()[1].decode()
        self.requests.append((time.monotonic(), path))
        behaviour = self.behaviour.removeprefix("TLS, ") if self.mended is None else "NTRIP 1"
        chunked = behaviour in ("NTRIP 2", "torn chunks")
        if behaviour == "silent":
            client.recv(1)
        elif behaviour in ("noise", "flood"):
            noise = os.urandom(100_000 if behaviour == "noise" else 1 << 20)
            client.sendall(b"ICY 200 OK\r\n\r\n" + noise.replace(frame(b"")[:1], b" "))
            # It is given the position after a while.
            while client.recv(4096):
                pass
        elif behaviour == "no header's end":
            client.sendall(b"HTTP/1.1 200 OK\r\n" + b"X-Padding: " + b"x" * 100_000)
            client.recv(1)
        elif behaviour == "redirect":
            client.sendall(b"HTTP/1.1 301 Moved Permanently\r\nLocation: http://else.example/\r\n\r\n")
        elif path == "/" and behaviour.startswith("no table"):
            client.sendall(b"HTTP/1.1 404 Not Found\r\n\r\n")
        elif path == "/" or behaviour == "wrong mount point":
            table = TABLE.replace(MOUNT, MOUNT.replace("0", "1", 1)) if behaviour == "wrong mount point" else TABLE
            head = f"Content-Length: {len(table)}\r\n\r\n"
            client.sendall(("SOURCETABLE 200 OK\r\nContent-Type: text/plain\r\n" + head if not chunked else
                            "HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\n" + head).encode() + table.encode())
        elif behaviour == "401" or b"Authorization: Basic " not in request:
            client.sendall(b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\n\r\n")
        else:
            client.sendall(b"HTTP/1.1 200 OK\r\nNtrip-Version: Ntrip/2.0\r\nContent-Type: gnss/data\r\n"
                           b"Transfer-Encoding: chunked\r\n\r\n" if chunked else b"ICY 200 OK\r\n\r\n")
            self.stream(client, behaviour, chunked)

    def stream(self, client, behaviour, chunked):
        if behaviour == "no table, needs the position":
            self.positions += client.recv(4096).count(b"GGA,")
        end = time.monotonic() + 3 if behaviour == "hangs up" else None
        while end is None or time.monotonic() < end:
            if behaviour == "hangs up" and self.mended:
                return
            with self.lock:
                self.number += 1
                data = observation(self.number)
                self.sent[data] = time.monotonic()
            if self.number % 5 == 1:
                data = BASE + data
            if chunked:
                data = f"{len(data):x}\r\n".encode() + data + b"\r\n"
            for piece in [bytes([byte]) for byte in data] if behaviour == "torn chunks" else [data]:
                client.sendall(piece)
            readable, _, _ = select.select([client], [], [], 1)
            if readable:
                received = client.recv(4096)
                if not received:
                    return
                self.positions += received.count(b"GGA,")


class Receiver:
    """A receiver on a pseudo-terminal behind a link. It keeps what is written to it."""

    def __init__(self, link, rate=2):
        self.link = pathlib.Path(link)
        self.rate = rate
        self.written = bytearray()
        self.epochs = {}
        self.master = None
        self.plug()
        threading.Thread(target=self.run, daemon=True).start()

    def plug(self):
        master, slave = pty.openpty()
        tty.setraw(master)
        # gpsd has given up root when it opens a receiver again.
        os.chmod(os.ttyname(slave), 0o666)
        self.link.symlink_to(os.ttyname(slave))
        # Nobody else has it open, as with a receiver.
        os.close(slave)
        self.master = master

    def unplug(self):
        self.link.unlink()
        master, self.master = self.master, None
        time.sleep(1.5 / self.rate)
        os.close(master)

    @staticmethod
    def isOpen(master):
        poll = select.poll()
        poll.register(master, 0)
        return not poll.poll(0)

    def run(self):
        due = time.time()
        while True:
            master = self.master
            wait = max(0, due - time.time())
            if master is None or not self.isOpen(master):
                time.sleep(min(wait, 0.05))
            elif select.select([master], [], [], wait)[0]:
                try:
                    self.written += os.read(master, 65536)
                except OSError:
                    pass
            if time.time() < due:
                continue
            now = round(time.time() * self.rate) / self.rate
            due = now + 1 / self.rate
            if master is not None and self.isOpen(master):
                try:
                    os.write(master, self.epoch(now))
                except OSError:
                    pass

    def epoch(self, now):
        """What it sends of an instant."""
        stamp, date = moment(now)
        name = f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now))}.{round(now % 1 * 1000):03}Z"
        self.epochs[name] = time.monotonic()
        return (sentence(f"GPGGA,{stamp},4807.118,N,01131.040,E,5,08,0.9,545.4,M,46.9,M,1.2,0023")
                + sentence(f"GPRMC,{stamp},A,4807.118,N,01131.040,E,022.4,084.4,{date},003.1,W"))


def moment(now):
    """The time and the date of a sentence."""
    stamp = time.strftime("%H%M%S", time.gmtime(now)) + f".{round(now % 1 * 100):02}"
    return stamp, time.strftime("%d%m%y", time.gmtime(now))


def sentence(text):
    value = 0
    for byte in text.encode():
        value ^= byte
    return f"${text}*{value:02X}\r\n".encode()


class Run:
    """locwatch with a receiver of its own. Its records, each with the moment at which it was read."""

    def __init__(self, locwatch, gpsd, caster, *arguments, rate=2, home=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="corrections-"))
        self.folder.chmod(0o755)
        self.receiver = Receiver(self.folder / "gps0", rate)
        bin = self.folder / "bin"
        bin.mkdir()
        (bin / "gpsd").symlink_to(gpsd)
        environment = os.environ | {"PATH": f"{bin}:{os.environ['PATH']}", "HOME": str(home or self.folder)}
        (self.folder / ".netrc").write_text(f"machine 127.0.0.1 login {USER} password {PASSWORD}\n")
        (self.folder / ".netrc").chmod(0o600)
        url = []
        if caster is not None:
            scheme = "ntrips" if caster.isSecure else "ntrip"
            url = ["--corrections", f"{scheme}://127.0.0.1:{caster.port}/{MOUNT}"]
            if caster.isSecure:
                environment["SSL_CERT_FILE"] = str(caster.authority.certificate)
        self.errors = open(self.folder / "stderr", "w+")
        self.process = subprocess.Popen(
            [locwatch, "--json", self.receiver.link, *url, *arguments], env=environment, stdout=subprocess.PIPE,
            stderr=self.errors, text=True)
        self.records = []
        self.text = ""
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.text += line
            self.records.append((time.monotonic(), json.loads(line)))

    def told(self):
        """The transitions of the corrections, with their moments."""
        return [(moment, record) for moment, record in list(self.records) if record["type"] == "corrections"]

    def fixes(self):
        return [(moment, record) for moment, record in list(self.records) if record["type"] == "fix"]

    def wait(self, what, condition, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end or self.process.poll() is not None:
                raise TimeoutError(f"{what}: {self.text[-300:]} {self.stderr()}")
            time.sleep(0.02)

    def stderr(self):
        return pathlib.Path(self.errors.name).read_text()

    def end(self):
        self.process.terminate()
        self.process.wait()


REFUSED = "its certificate is not accepted"
# The message about each, or None; and whether the caster works from the beginning.
BEHAVIOURS = {
    "NTRIP 1": None, "NTRIP 2": None, "torn chunks": None, "hangs up": None,
    "no table": None, "no table, needs the position": None,
    "refuses": "Connection refused", "unreachable": "Connection timed out", "silent": "silent for 30 s",
    "401": "401 Unauthorized", "wrong mount point": f"no such mount point; did you mean {MOUNT.replace('0', '1', 1)}?",
    "redirect": "301 Moved Permanently to http://else.example/", "noise": "no RTCM 3 in 100000 bytes, for 30 s",
    "flood": "it sends more than 64 KiB a second", "no header's end": "its header has no end in 8192 bytes",
    "TLS": None, "TLS, NTRIP 2": None, "TLS, hangs up": None, "TLS, silent": "silent for 30 s",
    "TLS, 401": "401 Unauthorized", "TLS, refuses": "Connection refused",
    "TLS, unreachable": "Connection timed out",
    "TLS, another name": f"{REFUSED}: IP address mismatch", "TLS, unknown authority": f"{REFUSED}: self-signed certificate",
    "TLS, expired": f"{REFUSED}: certificate has expired", "TLS, not spoken": "TLS: wrong version number",
}


def misbehave(locwatch, gpsd, behaviour, authority):
    """A row of the table: what was said, seconds until it works again, frames sent and passed on, positions."""
    caster = Caster(behaviour, authority)
    run = Run(locwatch, gpsd, caster)
    problems = []
    try:
        reason = BEHAVIOURS[behaviour]
        run.wait("a fix", run.fixes)
        if reason is None:
            run.wait("connected", run.told)
            run.wait("a frame", lambda: any(data in run.receiver.written for data in list(caster.sent)))
            time.sleep(BAD_SECONDS)
            back = None
        else:
            run.wait("lost", run.told)
            time.sleep(BAD_SECONDS)
            caster.mend()
            run.wait("connected", lambda: run.told()[-1][1]["state"] == "connected")
            back = run.told()[-1][0] - caster.mended
            time.sleep(5)
        last = time.monotonic() - 1
        told = [(record["state"], record.get("reason")) for _, record in run.told()]
        expected = [("connected", None)] if reason is None else [("lost", reason), ("connected", None)]
        if told != expected:
            problems.append(f"told {told}")
        sent = [data for data, moment in list(caster.sent.items()) if moment < last]
        passed = [data for data in sent if data in run.receiver.written]
        if len(passed) < len(sent):
            problems.append("frames are missing")
        if run.receiver.written.count(BASE) == 0:
            problems.append("no base")
        gaps = [later - earlier for (earlier, _), (later, _) in zip(run.fixes(), run.fixes()[1:])]
        if max(gaps) > 2.5:
            problems.append(f"no position for {max(gaps):.1f} s")
        if any("ntrip" in str(record.get("device")) or "tcp://" in str(record.get("device")) for _, record in run.records):
            problems.append("a receiver that is none")
        refusals = [moment for moment, path in caster.requests if path != "/"]
        if behaviour.removeprefix("TLS, ") in ("401", "wrong mount point", "redirect"):
            pauses = [later - earlier for earlier, later in zip(refusals, refusals[1:])]
            if any(pause < 29.9 for pause in pauses):
                problems.append(f"asked again after {min(pauses):.1f} s")
        # Only a caster that needs the position is given it, and one message says so.
        for what, count in ("GGA", min(caster.positions, 1)), ("messages", run.stderr().count("is given the receiver's position")):
            if count != (behaviour != "no table"):
                problems.append(f"{count} {what}")
        said = "; ".join(f"{state} ({reason})" if reason else state for state, reason in told)
        return [said, "" if back is None else f"{back:.1f} s", f"{len(passed)} of {len(sent)}",
                f"{max(gaps):.2f} s", ", ".join(problems) or "ok"]
    except TimeoutError as error:
        return [f"{error}"[:300], "", "", "", "late"]
    finally:
        run.end()
        shutil.rmtree(run.folder)


def unplug(locwatch, gpsd):
    """The receiver is unplugged for 5 s while corrections come."""
    caster = Caster("NTRIP 2")
    run = Run(locwatch, gpsd, caster)
    try:
        run.wait("a fix", run.fixes)
        run.wait("a frame", lambda: any(data in run.receiver.written for data in list(caster.sent)))
        run.receiver.unplug()
        time.sleep(5)
        run.receiver.plug()
        plugged, count = time.monotonic(), len(run.records)
        run.wait("a fix again", lambda: any(record["type"] == "fix" for _, record in run.records[count:]))
        back = time.monotonic() - plugged
        run.wait("a frame again", lambda: any(
            data in run.receiver.written for data, moment in list(caster.sent.items()) if moment > plugged))
        told = "; ".join(record["state"] for _, record in run.told())
        return [told, f"{back:.1f} s", "", "", "ok" if told == "connected" else "told"]
    except TimeoutError as error:
        return [f"{error}"[:300], "", "", "", "late"]
    finally:
        run.end()
        shutil.rmtree(run.folder)


def delays(locwatch, gpsd):
    """How long a record takes from the receiver, in milliseconds: the median without and with a dead caster."""
    result = []
    for behaviour in [None, "unreachable"]:
        run = Run(locwatch, gpsd, behaviour and Caster(behaviour), rate=5)
        run.wait("fixes", lambda: len(run.fixes()) > 100)
        epochs = run.receiver.epochs
        result.append(statistics.median(
            (moment - epochs[record["time"]]) * 1000 for moment, record in run.fixes()[5:] if record["time"] in epochs))
        run.end()
        shutil.rmtree(run.folder)
    return result


def credentials(locwatch, gpsd, authority):
    """Where the password is found: a list of places, which should be empty but for the memory."""
    found = []
    for source, behaviour in [("netrc", "401"), ("environment", "NTRIP 2"), ("environment", "TLS"), ("netrc", "TLS, 401")]:
        caster = Caster(behaviour, authority)
        folder = pathlib.Path(tempfile.mkdtemp(prefix="corrections-"))
        extra = {} if source == "netrc" else {"NTRIP_USER": USER, "NTRIP_PASSWORD": PASSWORD}
        before = dict(os.environ)
        os.environ.update(extra)
        run = Run(locwatch, gpsd, caster, "--verbose", "--record", folder / "recording", "--report", folder / "report.html",
                  home=None if source == "netrc" else folder)
        os.environ.clear()
        os.environ.update(before)
        run.wait("a transition", run.told)
        run.wait("a fix", run.fixes)
        time.sleep(3)
        places = {}
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            for name in "cmdline", "environ":
                try:
                    places[f"/proc/{process.name}/{name}"] = (process / name).read_bytes()
                except OSError:
                    pass
        own = f"/proc/{run.process.pid}/environ"
        if source == "environment":
            # Whoever can read this file has the user's rights.
            places.pop(own)
        run.end()
        places |= {"stdout": run.text.encode(), "stderr": run.stderr().encode()}
        for file in folder.iterdir():
            places[file.name] = file.read_bytes()
        for encoded in PASSWORD.encode(), base64.b64encode(f"{USER}:{PASSWORD}".encode()):
            found += [f"{source}: {place}" for place, data in places.items() if encoded in data]
        shutil.rmtree(run.folder)
        shutil.rmtree(folder)
    return found


def gpsds(suites):
    """The programs by their versions: the local one, and Debian's, which run without being installed."""
    path = os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin"
    programs = [pathlib.Path(shutil.which("gpsd", path=path))]
    for suite in suites:
        debian = [PROJECT / "Tests/Checks/debian.sh", "--folder", suite, "gpsd,libgps-dev"]
        root = pathlib.Path(subprocess.run(debian, check=True, stdout=subprocess.PIPE, text=True).stdout.strip())
        folder = PROJECT / ".build/matrix" / suite
        folder.mkdir(parents=True, exist_ok=True)
        libraries = next((root / "usr/lib").glob("*-linux-gnu*"))
        programs.append(folder / "gpsd")
        shutil.copy(root / "usr/sbin/gpsd", programs[-1])
        subprocess.run(["patchelf", "--set-interpreter", next(libraries.glob("ld-linux*.so.*")), "--force-rpath",
                        "--set-rpath", libraries, programs[-1]], check=True)
    return {subprocess.run([program, "-V"], stdout=subprocess.PIPE, text=True).stdout.split()[1]: program
            for program in programs}


def main():
    locwatch, programs = pathlib.Path(sys.argv[1]).resolve(), gpsds(sys.argv[2:])
    rows = {}
    folder = tempfile.TemporaryDirectory(prefix="authority-")
    authority = Authority(folder.name)

    def work(key, function, *arguments):
        rows[key] = function(*arguments)

    threads = []
    for version, program in programs.items():
        for behaviour in BEHAVIOURS:
            threads.append(threading.Thread(target=work, args=[(behaviour, version), misbehave, locwatch, program, behaviour, authority]))
        threads.append(threading.Thread(target=work, args=[("unplugged receiver", version), unplug, locwatch, program]))
    for thread in threads:
        thread.start()
        time.sleep(0.3)
    for thread in threads:
        thread.join()
    print("| caster | gpsd | said | works again after | frames passed on | longest time without a position | |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    isGood = True
    for (behaviour, version), row in sorted(rows.items(), key=lambda item: list(BEHAVIOURS).index(item[0][0]) if item[0][0] in BEHAVIOURS else 99):
        print(f"| {behaviour} | {version} | " + " | ".join(row) + " |")
        isGood = isGood and row[-1] == "ok"
    for version, program in programs.items():
        without, dead = delays(locwatch, program)
        print(f"gpsd {version}: the median delay of a record is {without:.1f} ms, with a dead caster {dead:.1f} ms")
    found = credentials(locwatch, next(iter(programs.values())), authority)
    print("the password is found in: " + (", ".join(found) or "nothing that is written, and no command line"))
    sys.exit(0 if isGood and not found else "something is wrong")


if __name__ == "__main__":
    main()
