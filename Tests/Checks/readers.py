"""The readers of nmea.py: programs of others, and sockets."""

import pathlib
import re
import signal
import socket
import subprocess
import threading
import time

PATH, PORT = "/run/locwatch/nmea", ("127.0.0.1", 10110)
HOME = pathlib.Path("/home/owner")
USER = ["setpriv", "--reuid", "owner", "--regid", "owner", "--init-groups", "env", f"HOME={HOME}", "DISPLAY=:9"]


def connect(address, quietly=False):
    """A connection to a socket; `None` if it is refused, and that is no error."""
    client = socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET)
    try:
        client.settimeout(30)
        client.connect(address)
        return client
    except OSError:
        client.close()
        if quietly:
            return None
        raise


def as_user(name, script):
    """What a Python script complains of, run by a user."""
    return subprocess.run(["setpriv", "--reuid", name, "--regid", "nogroup", "--clear-groups", "python3", "-c", script],
                          capture_output=True, text=True).stderr


def version(package):
    return subprocess.run(["dpkg-query", "--show", "--showformat", "${Version}", package],
                          capture_output=True, text=True).stdout


def place(fields):
    """Latitude and longitude of four fields of NMEA."""
    def angle(text, digits, hemisphere):
        value = int(text[:digits]) + float(text[digits:]) / 60
        return -value if hemisphere in "SW" else value
    return round(angle(fields[0], 2, fields[1]), 7), round(angle(fields[2], 3, fields[3]), 7)


class Sentences(threading.Thread):
    """Takes the positions of GGA sentences, by the second of the day."""

    def __init__(self):
        super().__init__(daemon=True)
        self.places = {}
        self.voids = 0
        self.start()

    def take(self, line):
        fields = line.split("*")[0].split(",")
        if fields[0].endswith("GGA") and fields[6] not in ("", "0"):
            text = fields[1]
            self.places[int(text[:2]) * 3600 + int(text[2:4]) * 60 + int(text[4:6])] = place(fields[2:6])
        elif fields[0].endswith("RMC") and fields[2] == "V":
            self.voids += 1


class Reader(Sentences):
    """A reader of the socket of locwatch."""

    def __init__(self, address):
        self.kind = "path" if isinstance(address, str) else "port"
        self.client = connect(address)
        self.client.settimeout(None)
        self.has_ended = False
        super().__init__()

    def run(self):
        try:
            for line in self.client.makefile("r", newline="\r\n"):
                self.take(line)
        except OSError:
            pass
        self.has_ended = True

    def stop(self):
        self.client.shutdown(socket.SHUT_RDWR)
        self.join()
        self.client.close()


class Sent(Sentences):
    """What the receiver sent, as gpsd passes it on."""

    def run(self):
        while True:
            try:
                client = socket.create_connection(("127.0.0.1", 2947))
                client.sendall(b'?WATCH={"enable":true,"nmea":true,"json":false}\n')
                for line in client.makefile("r"):
                    if line.startswith("$"):
                        self.take(line)
            except OSError:
                pass
            # Whoever connects would start a gpsd that is to be away.
            time.sleep(0.5)


class GeoClue:
    """The demo of GeoClue, which prints each position that it gets, with the agent that lets it."""

    def __init__(self):
        demos = "/usr/libexec/geoclue-2.0/demos/"
        self.file = open("/tmp/where-am-i", "w")
        self.agent = subprocess.Popen([*USER, demos + "agent"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)
        self.demo = subprocess.Popen(
            [*USER, "stdbuf", "-oL", demos + "where-am-i", "-t", "800", "-a", "8"], stdout=self.file, stderr=self.file)

    def places(self):
        text = pathlib.Path(self.file.name).read_text()
        found = re.findall(r"Latitude: +(\S+)°\nLongitude: +(\S+)°.*?Timestamp: .*?\((\d+) s", text, re.S)
        return {int(seconds) % 86400: (float(lat), float(lon)) for lat, lon, seconds in found}

    def version(self):
        return f"GeoClue {version('geoclue-2.0')}"

    def ticks(self):
        """How long GeoClue has run on a processor, in ticks."""
        process = subprocess.run(["systemctl", "show", "--property", "MainPID", "--value", "geoclue"],
                                 capture_output=True, text=True).stdout.strip()
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().split(")")[1].split()
        return int(fields[11]) + int(fields[12])

    def stop(self):
        for process in self.demo, self.agent:
            process.kill()
            process.wait()


class OpenCPN:
    """OpenCPN with a connection to the port, and a track from its start, without a screen."""
    folder = HOME / ".opencpn"

    def __init__(self):
        number = version("opencpn").split(":")[-1].split("+")[0].split("-")[0]
        # With settings of this very build it asks nothing at its start.
        build = max(re.findall(rb"20\d\d-\d\d-\d\d", pathlib.Path("/usr/bin/opencpn").read_bytes())).decode()
        self.folder.mkdir()
        (self.folder / "opencpn.conf").write_text(
            f"[Settings]\nConfigVersionString=Version {number} Build {build}\nNavMessageShown=1\n"
            "StartWithTrackActive=1\nTrackIntervalSeconds=2\nTrackDeltaDistance=0.05\nTrackPrecision=2\n"
            f"[Settings/NMEADataSource]\nDataConnections=1;0;{PORT[0]};{PORT[1]};0;;4800;1;0;0;;0;;0;0;0;0;1;;0;;0;0;\n")
        subprocess.run(["chown", "-R", "owner:", self.folder], check=True)
        self.screen = subprocess.Popen(["Xvfb", ":9", "-nolisten", "tcp"], stderr=subprocess.DEVNULL)
        while not pathlib.Path("/tmp/.X11-unix/X9").exists():
            time.sleep(0.1)
        self.process = subprocess.Popen([*USER, "opencpn", "-G", "-l", "debug"], cwd=HOME, stderr=subprocess.DEVNULL)

    def version(self):
        return f"OpenCPN {version('opencpn')}"

    def lines(self, pattern):
        log = self.folder / "opencpn.log"
        text = log.read_text() if log.exists() else ""
        return re.findall(f"^.*{pattern}.*$", text, re.M)

    def count(self, pattern):
        return len(self.lines(pattern))

    def says(self, pattern):
        """The last line of its log that has something, without time and origin; `None` before."""
        lines = self.lines(pattern)
        return re.sub(r"^\S+ +[A-Z]+ \S+ +", "", lines[-1]).strip() if lines else None

    def stop(self):
        """Ends it as its user does, upon which it writes the track."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        self.screen.kill()
        self.screen.wait()

    def track(self):
        text = (self.folder / "navobj.xml").read_text()
        return [(float(lat), float(lon)) for lat, lon in re.findall(r'<trkpt lat="(\S+)" lon="(\S+)"', text)]
