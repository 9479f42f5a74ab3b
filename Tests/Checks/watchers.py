"""The clients of clients.py: how each is run, and what it shows at each moment."""
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time
import typing


class Shown(typing.NamedTuple):
    """What a client showed at a moment: a latitude in degrees, or `None` if it said that there is none."""
    latitude: float | None
    at: float
    # What it said, or the receiver that it named.
    text: str = ""


class Watcher(threading.Thread):
    """A client that writes lines. They are read at once, unless its reader pauses."""
    name = ""
    # The arguments, where {locwatch} and {python} stand for programs.
    command = []
    # Whether each position is shown with its receiver.
    names_receivers = False
    # Whether it asks, or is looked at, now and then, and so does not show every position.
    samples = False
    # When it was first seen to have ended.
    ended_at = None

    def __init__(self, programs, folder):
        super().__init__(daemon=True)
        self.arguments = [each.format(**programs) for each in self.command]
        self.folder = pathlib.Path(folder)
        self.shown = []
        self.log = []
        self.may_read = threading.Event()
        self.may_read.set()
        self.waits = threading.Event()
        self.process = None

    def start(self):
        with open(self.folder / "stderr", "w") as errors:
            # A pipe of a page, which Python would make 64 KiB.
            self.process = subprocess.Popen(
                self.arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                pipesize=4096, bufsize=0)
        super().start()

    def run(self):
        rest = b""
        while True:
            if not self.may_read.is_set():
                self.waits.set()
                self.may_read.wait()
            data = self.process.stdout.read(4096)
            if not data:
                break
            *lines, rest = (rest + data).split(b"\n")
            # Blank lines filled the pipe.
            for line in filter(None, lines):
                self.take(line.decode(errors="replace").rstrip())

    def take(self, line):
        now = time.time()
        self.log.append((now, line))
        shown = self.reading(line, now)
        if shown is not None:
            self.shown.append(shown)

    def reading(self, line, now):
        """What a line shows; `None` if nothing."""

    def pause(self):
        """Stops reading, with the pipe full."""
        self.may_read.clear()
        pipe = os.open(f"/proc/{self.process.pid}/fd/1", os.O_WRONLY | os.O_NONBLOCK)
        # What it was reading comes first.
        while not self.waits.wait(0.1):
            os.write(pipe, b"\n")
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(pipe, b"\n")
        os.close(pipe)

    def resume(self):
        self.may_read.set()

    def status(self):
        """Its exit status; `None` while it runs."""
        status = self.look()
        if status is not None and self.ended_at is None:
            self.ended_at = time.time()
        return status

    def look(self):
        return self.process.poll() if self.process else None

    def places(self):
        return [shown for shown in list(self.shown) if shown.latitude is not None]

    def errors(self):
        return (self.folder / "stderr").read_text(errors="replace").strip()

    def evidence(self):
        lines = [f"{at:.2f} {line}" for at, line in self.log]
        return "\n".join([*lines, "on stderr:", self.errors(), f"status: {self.status()}"])


class Locwatch(Watcher):
    name = "locwatch"
    command = ["{locwatch}", "--json"]
    names_receivers = True

    def reading(self, line, now):
        record = json.loads(line)
        if record["type"] == "fix":
            return Shown(record["lat"], now, record["device"])
        if record.get("state") in ("searching", "lost", "no-device", "no-daemon"):
            return Shown(None, now, record["state"])


class Gpspipe(Watcher):
    name = "gpspipe -w"
    command = ["gpspipe", "-w"]
    names_receivers = True

    def reading(self, line, now):
        try:
            report = json.loads(line)
        except ValueError:
            return None
        if report["class"] == "TPV":
            has_fix = report["mode"] >= 2 and "lat" in report
            return Shown(report["lat"] if has_fix else None, now, f"mode {report['mode']}")
        if report["class"] == "DEVICE" and report.get("activated", 0) == 0:
            return Shown(None, now, "not activated")


class Gpxlogger(Watcher):
    name = "gpxlogger -r"
    command = ["gpxlogger", "-r", "localhost"]

    def reading(self, line, now):
        if found := re.search(r'<trkpt lat="([-\d.]+)"', line):
            return Shown(float(found[1]), now)


class Scripted(Watcher):
    """A program in Python, as the documentation of its library shows: it prints a latitude or "no fix"."""

    def reading(self, line, now):
        return Shown(None, now, line) if line == "no fix" else Shown(float(line), now)


class PythonGPS(Scripted):
    name = "python3-gps"
    command = ["/usr/bin/python3", "-uc", """
import gps
session = gps.gps(mode=gps.WATCH_ENABLE)
while session.read() == 0:
    if gps.MODE_SET & session.valid:
        fix = session.fix
        print(fix.latitude if fix.mode >= 2 and gps.isfinite(fix.latitude) else "no fix")
"""]


class GpsdPy3(Scripted):
    name = "gpsd-py3"
    samples = True
    command = ["{python}", "-uc", """
import time, gpsd
gpsd.connect()
while True:
    try:
        print(gpsd.get_current().position()[0])
    except (gpsd.NoFixError, UserWarning):
        print("no fix")
    time.sleep(1)
"""]


class Cgps(Watcher):
    """A screen in tmux, which is looked at twice a second."""
    name = "cgps"
    samples = True

    def __init__(self, programs, folder):
        super().__init__(programs, folder)
        self.tmux = ["tmux", "-L", "clients", "-f", "/dev/null"]

    def start(self):
        line = f"cgps 2>{self.folder}/stderr; echo $? >{self.folder}/new; mv {self.folder}/new {self.folder}/status"
        (self.folder / "stderr").touch()
        subprocess.run([*self.tmux, "new-session", "-d", "-x", "100", "-y", "40", f"{line}; sleep 600"],
                       check=True, env={"PATH": "/usr/bin:/bin", "TMUX_TMPDIR": str(self.folder)})
        self.tmux = ["env", f"TMUX_TMPDIR={self.folder}", *self.tmux]
        self.server = int(subprocess.run([*self.tmux, "display-message", "-p", "#{pid}"],
                                         check=True, capture_output=True, text=True).stdout)
        threading.Thread.start(self)

    def run(self):
        while True:
            self.may_read.wait()
            screen = subprocess.run([*self.tmux, "capture-pane", "-p"], capture_output=True, text=True).stdout
            if self.status() is None:
                self.take(screen)
            time.sleep(0.5)

    def reading(self, line, now):
        if found := re.search(r"Latitude:?\s+([\d.]+)", line):
            return Shown(float(found[1]), now)
        # Before it knows of a satellite, that there is no fix says nothing.
        if re.search(r"Latitude:?\s+n/a", line) and re.search(r"x[A-Z]{2} +\d", line):
            return Shown(None, now, "n/a")
        return None

    def pause(self):
        """A terminal that takes nothing, such as one over a network that stalls."""
        self.may_read.clear()
        os.kill(self.server, signal.SIGSTOP)

    def resume(self):
        os.kill(self.server, signal.SIGCONT)
        super().resume()

    def look(self):
        file = self.folder / "status"
        return int(file.read_text()) if file.exists() else None


WATCHERS = [Locwatch, Gpspipe, Cgps, Gpxlogger, PythonGPS, GpsdPy3]
