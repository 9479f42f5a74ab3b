"""The faults of clients.py: a gpsd, its receivers, and what happens to them.

A receiver is a hundredth of a minute further north each second, so a latitude shows how old a position is.
"""
import contextlib
import os
import socket
import subprocess
import threading
import time

from corrections import Receiver, moment, sentence

PORT = 2947
STEP = 0.01 / 60  # degrees of latitude a second
SOUTHS = [48.0, 38.0]  # where each of the receivers started
# How long a fault lasts, in seconds. cgps has the longest timer of all clients: it gives up after 120 s.
AWAY, LONG, SLOW = 15, 150, 40
PATIENCE = 60  # seconds until a client must show a position, and until it must be back after a fault


class Mover(Receiver):
    """A receiver on its way north, which has a fix, has none, repeats an instant, or is silent."""

    def __init__(self, link, number, start, rate):
        self.south = SOUTHS[number]
        self.start = start
        self.state = "fix"
        self.last = time.time()
        self.sent = []
        super().__init__(link, rate)

    def epoch(self, now):
        if self.state == "silent":
            return b""
        if self.state != "stuck":
            self.last = now
            self.sent.append(now)
        stamp, date = moment(self.last)
        degrees = self.south + (self.last - self.start) * STEP
        place = f"{int(degrees):02}{degrees % 1 * 60:09.6f},N,01131.040000,E"
        satellites = [f"{n:02},{10 * n},{30 * n:03},{30 + n}" for n in range(1, 9)]
        views = [f"GPGSV,2,{n + 1},08," + ",".join(satellites[4 * n:4 * n + 4]) for n in range(2)]
        if self.state == "none":
            texts = [f"GPGGA,{stamp},,,,,0,00,99.9,,M,,M,,", f"GPRMC,{stamp},V,,,,,,,{date},,,N",
                     "GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9"]
        else:
            texts = [f"GPGGA,{stamp},{place},1,08,0.9,545.4,M,46.9,M,,",
                     f"GPRMC,{stamp},A,{place},036.0,000.0,{date},,,A",
                     "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.2,0.8,0.9"]
        return b"".join(map(sentence, texts + views))


def age(latitude, at, start):
    """How old a position was at a moment, in seconds."""
    south = min(SOUTHS, key=lambda south: abs(latitude - south))
    return at - (start + (latitude - south) / STEP)


class Tearing(threading.Thread):
    """Passes on what a gpsd at another port sends, and cuts one latitude off."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port = port
        self.is_due = False
        self.listener = socket.create_server(("127.0.0.1", PORT))
        self.start()

    def run(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(("127.0.0.1", self.port))
            threading.Thread(target=self.pass_commands, args=(client, server), daemon=True).start()
            threading.Thread(target=self.pass_reports, args=(client, server), daemon=True).start()

    @staticmethod
    def pass_commands(client, server):
        with contextlib.suppress(OSError):
            while data := client.recv(4096):
                server.sendall(data)
        with contextlib.suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)

    def pass_reports(self, client, server):
        with contextlib.suppress(OSError):
            for line in server.makefile("rb"):
                if self.is_due and b'"lat":' in line:
                    self.is_due = False
                    line = line[:line.index(b'"lat":') + len('"lat":48.0')] + b"\r\n"
                client.sendall(line)
        with contextlib.suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)


class Stranger(threading.Thread):
    """A server of another protocol: it greets, and waits."""

    def __init__(self):
        super().__init__(daemon=True)
        self.clients = []
        self.listener = socket.create_server(("127.0.0.1", PORT))
        self.start()

    def run(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                self.clients.append(client)
                client.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")

    def stop(self):
        for each in [self.listener, *self.clients]:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


class Scene:
    """A client with a gpsd, and the fault that comes between them."""

    def __init__(self, client, folder, receivers=1, rate=1, port=PORT):
        self.client = client
        self.folder = folder
        self.port = port
        self.start = int(time.time()) - 100
        self.receivers = [Mover(f"{folder}/gps{n}", n, self.start, rate) for n in range(receivers)]
        # The first moment of the fault, and that after its last.
        self.began = self.ended = None

    def start_gpsd(self):
        self.gpsd = subprocess.Popen(
            ["gpsd", "-N", "-n", "-b", "-s", "38400", "-f", "8N1", "-S", str(self.port),
             "-F", f"{self.folder}/control", *(str(each.link) for each in self.receivers)],
            stderr=subprocess.DEVNULL)

    def order(self, command):
        """Has gpsd add or remove the receiver, as udev does."""
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(10)
            control.connect(f"{self.folder}/control")
            control.sendall(f"{command}{self.receivers[0].link}\r\n".encode())
            control.recv(256)

    def serve(self):
        """Starts gpsd, and waits until it has a fix of each receiver, or its lack."""
        self.start_gpsd()
        deadline, missing = time.time() + PATIENCE, {str(each.link) for each in self.receivers}
        while missing:
            if time.time() > deadline:
                raise TimeoutError("gpsd has no fix")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 2) as gpsd:
                gpsd.sendall(b'?WATCH={"enable":true,"json":true}\n')
                for line in gpsd.makefile("r"):
                    if '"class":"TPV"' in line and ('"lat"' in line or '"mode":1' in line):
                        missing = {link for link in missing if link not in line}
                    if not missing:
                        break
            time.sleep(0.1)

    def show(self):
        """Starts the client, and waits until it has shown positions for some seconds."""
        self.client.start()
        if not self.wait(lambda: self.client.places(), PATIENCE):
            raise TimeoutError(f"the client shows no position: {self.client.errors()}")
        self.wait(lambda: False, 4)

    def wait(self, condition, seconds):
        """Whether a condition held in time, before the client ended."""
        deadline = time.time() + seconds
        while self.client.status() is None and time.time() < deadline:
            if condition():
                return True
            time.sleep(0.1)
        return condition()

    @contextlib.contextmanager
    def fault(self, seconds=AWAY):
        self.began = time.time()
        yield
        self.wait(lambda: False, self.began + seconds - time.time())
        self.ended = time.time()

    def is_new(self, shown):
        """Whether a position is one from after the fault, of the receiver that had it."""
        return shown.latitude > 45 and shown.at - age(*shown[:2], self.start) > self.ended

    def finish(self):
        """Waits until the client is back."""
        self.wait(lambda: any(map(self.is_new, self.client.places())), PATIENCE)


def killed(client, folder):
    scene = Scene(client, folder)
    scene.serve()
    scene.show()
    with scene.fault():
        scene.gpsd.kill()
        scene.gpsd.wait()
    scene.start_gpsd()
    return scene


def pulled(client, folder):
    scene = Scene(client, folder)
    scene.serve()
    scene.show()
    with scene.fault():
        scene.receivers[0].unplug()
        scene.order("-")
    scene.receivers[0].plug()
    scene.order("+")
    return scene


def behaving(state, seconds=AWAY):
    """What a receiver does for some time."""
    def run(client, folder):
        scene = Scene(client, folder)
        scene.serve()
        scene.show()
        with scene.fault(seconds):
            scene.receivers[0].state = state
        scene.receivers[0].state = "fix"
        return scene
    return run


def never_fixed(client, folder):
    scene = Scene(client, folder)
    scene.receivers[0].state = "none"
    scene.serve()
    with scene.fault(60):
        client.start()
    scene.receivers[0].state = "fix"
    return scene


def torn(client, folder):
    scene = Scene(client, folder, port=PORT + 1)
    scene.serve()
    relay = Tearing(scene.port)
    scene.show()
    with scene.fault(3):
        relay.is_due = True
    return scene


def slow(client, folder):
    """a reader that stops, with little room on the way"""
    for name in "rmem", "wmem":
        with open(f"/proc/sys/net/ipv4/tcp_{name}", "w") as file:
            file.write("4096 8192 8192")
    scene = Scene(client, folder, rate=5)
    scene.serve()
    scene.show()
    with scene.fault(SLOW):
        client.pause()
    client.resume()
    return scene


def absent(client, folder):
    scene = Scene(client, folder)
    with scene.fault():
        client.start()
    scene.start_gpsd()
    return scene


def held(client, folder):
    scene = Scene(client, folder)
    stranger = Stranger()
    with scene.fault(20):
        client.start()
    stranger.stop()
    scene.start_gpsd()
    return scene


def two(client, folder):
    scene = Scene(client, folder, receivers=2)
    scene.serve()
    scene.show()
    with scene.fault():
        scene.receivers[0].state = "none"
    scene.receivers[0].state = "fix"
    return scene


FAULTS = {
    "gpsd is killed and restarted": killed,
    "the receiver is unplugged and replugged": pulled,
    "the receiver is silent": behaving("silent"),
    "the fix is lost": behaving("none"),
    "no fix for the first minute": never_fixed,
    "the receiver's time is stuck": behaving("stuck"),
    "gpsd sends half a line": torn,
    f"the receiver sends nothing for {LONG} s": behaving("silent", LONG),
    f"the client's reader pauses for {SLOW} s": slow,
    "gpsd is not running yet": absent,
    "another server uses port 2947": held,
    "one of two receivers loses its fix": two,
}
