"""The servers of recipes.py: how each is started, killed and asked for what arrived."""
import contextlib
import csv
import datetime
import glob
import http.server
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.parse
import urllib.request


def place(latitude, longitude):
    """What a fix is known by: NMEA has six decimals of a minute."""
    return round(float(latitude), 6), round(float(longitude), 6)


def wait_for(port, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        try:
            socket.create_connection(("localhost", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(f"nothing listens on port {port}")


# Where servers of PyPI are installed.
ENVIRONMENT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.build/recipes"))


class Server:
    """A server as a process that is started and killed."""
    # What PyPI has of it, with the program, and a script that names what that needs besides.
    needs = {}
    more = None
    port = 0
    command = []
    version_command = []
    # Whether a replay of the recording adds what is missing; records() then returns all that it stores.
    refills = False
    # Whether it asks now and then, and so cannot have every fix.
    samples = False
    # How many places have to arrive, for how long they are waited for after the restart, and how many seconds
    # a fix or a loss takes to its consumer.
    least = 5
    after = 12
    latest = 1.0

    def __init__(self, folder):
        self.folder = folder
        self.log = open(f"{folder}/server", "a")
        self.others = []

    def start(self):
        self.process = self.spawn(*(part.format(folder=self.folder) for part in self.command))
        wait_for(self.port)

    def spawn(self, *command, **options):
        return subprocess.Popen(
            command, start_new_session=True,
            **{"stdout": self.log, "stderr": self.log, "cwd": self.folder} | options)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def listen(self):
        """Starts what keeps the messages of a server that only passes them on."""

    def stop(self):
        for process in [self.process, *self.others]:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def version(self):
        result = subprocess.run(self.version_command, capture_output=True, text=True)
        return re.search(r"\d+\.\d+(\.\d+)?", result.stdout + result.stderr).group()

    @staticmethod
    def shown(place):
        """A place of a fix as the server has it."""
        return place

    def output_of(self, *command):
        return subprocess.run(command, capture_output=True, text=True).stdout


class Mosquitto(Server):
    """A broker that stores what subscribers who are away have to get."""
    port = 1883
    command = ["mosquitto", "-c", "{folder}/mosquitto.conf"]
    version_command = ["mosquitto", "-h"]

    def __init__(self, folder):
        super().__init__(folder)
        with open(f"{folder}/mosquitto.conf", "w") as file:
            file.write(f"listener 1883 localhost\nallow_anonymous true\nuser root\npersistence true\n"
                       f"persistence_location {folder}/\nautosave_on_changes true\nautosave_interval 1\n")

    def listen(self):
        self.file = open(f"{self.folder}/messages", "w")
        self.others = [self.spawn(
            "bash", "-c", "while mosquitto_sub -c -i check -q 1 -t '#' -F '%t %p'; sleep 0.1; do :; done",
            stdout=self.file)]
        time.sleep(0.5)

    def messages(self):
        return [line.split(" ", 1) for line in open(self.file.name)]

    def places(self):
        found = [json.loads(text) for _, text in self.messages()]
        return {place(m["lat"], m["lon"]) for m in found if m["_type"] == "location"}

    def losses(self):
        return sum('"lwt","tid"' in text for _, text in self.messages())


class MQTTBridge(Mosquitto):
    """The hub, with TLS and passwords, and the broker of a vehicle, both of which are killed."""
    port = 8883
    command = ["mosquitto", "-c", "{folder}/hub/hub.conf"]

    def __init__(self, folder):
        super().__init__(folder)
        self.vehicle = None
        with open(f"{folder}/mosquitto.conf", "a") as file:
            file.write(f"include_dir {folder}/conf.d\n")
        os.mkdir(f"{folder}/hub")
        os.mkdir(f"{folder}/conf.d")

        def run(command):
            subprocess.run(command, shell=True, check=True, cwd=f"{folder}/hub", stdout=self.log, stderr=self.log)

        run("openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out certificate -days 2 -subj /CN=hub.example "
            "-addext subjectAltName=DNS:hub.example")
        run("mosquitto_passwd -b -c passwords boat secret && mosquitto_passwd -b passwords reader secret")
        # For this namespace alone.
        run("echo '127.0.0.1 localhost hub.example' >hosts && mount --bind hosts /etc/hosts")
        run("mount --bind certificate /etc/ssl/certs/ca-certificates.crt")
        with open(f"{folder}/hub/acl", "w") as file:
            file.write("pattern write owntracks/%u/#\nuser reader\ntopic read #\n")
        with open(f"{folder}/hub/hub.conf", "w") as file:
            file.write(f"listener 8883 localhost\ncertfile {folder}/hub/certificate\nkeyfile {folder}/hub/key\nuser root\n"
                       f"password_file {folder}/hub/passwords\nacl_file {folder}/hub/acl\nmax_queued_messages 0\n"
                       f"persistence true\npersistence_location {folder}/hub/\nautosave_on_changes true\nautosave_interval 1\n")

    def listen(self):
        os.replace(f"{self.folder}/hub.conf", f"{self.folder}/conf.d/hub.conf")
        self.vehicle = self.spawn("mosquitto", "-c", f"{self.folder}/mosquitto.conf")
        wait_for(1883)
        self.file = open(f"{self.folder}/messages", "w")
        self.others = [self.spawn(
            "bash", "-c", "while mosquitto_sub -h hub.example -p 8883 --cafile hub/certificate -u reader -P secret "
            "-c -i check -q 1 -t '#' -F '%t %p'; sleep 0.1; do :; done", stdout=self.file)]
        time.sleep(0.5)

    def start(self):
        super().start()
        # The other broker is killed once the hub has been away.
        if self.vehicle:
            time.sleep(3)
            self.vehicle.terminate()
            self.vehicle.wait()
            time.sleep(2)
            self.vehicle = self.spawn("mosquitto", "-c", f"{self.folder}/mosquitto.conf")
            wait_for(1883)

    def stop(self):
        self.others.append(self.vehicle)
        super().stop()
        subprocess.run(["umount", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt"])


class AnchorAlarm(Mosquitto):
    """The broker, which gets a place when a receiver that drives in a circle enters or leaves the area."""
    samples = True
    least = 3
    after = 210

    def places(self):
        found = [json.loads(text) for _, text in self.messages()]
        return {place(m["lat"], m["lon"]) for m in found if m.get("lat")}

    def losses(self):
        return ", ".join(dict.fromkeys(json.loads(text)["presence"] for _, text in self.messages()))


class HomeAssistant(Server):
    """Home Assistant itself, with a broker that stays. Its log has each state of the tracker."""
    needs = {"homeassistant": "hass"}
    # What those of its integrations need that the recipe uses, and its start.
    more = """import json, pathlib, homeassistant
folder = pathlib.Path(homeassistant.__file__).parent / "components"
names, seen, needed = ["mqtt", "frontend", "automation", "onboarding", "analytics", "hardware"], set(), set()
while names:
    name = names.pop()
    if name not in seen:
        manifest = json.loads((folder / name / "manifest.json").read_text())
        needed |= set(manifest.get("requirements", []))
        names += manifest.get("dependencies", [])
        seen.add(name)
print(*sorted(needed))"""
    version_command = [f"{ENVIRONMENT}/bin/hass", "--version"]
    command = [f"{ENVIRONMENT}/bin/hass", "--config", "{folder}", "--skip-pip", "-v"]
    settings = """
logger: {default: warning, logs: {homeassistant.core: debug}}
homeassistant: {name: Van, latitude: 0, longitude: 0}
automation:
- trigger: {platform: mqtt, topic: locwatch/boat}
  action:
    service: homeassistant.set_location
    data:
      latitude: "{{ trigger.payload_json.latitude }}"
      longitude: "{{ trigger.payload_json.longitude }}"
"""

    def __init__(self, folder):
        super().__init__(folder)
        self.broker = Mosquitto(folder)
        self.broker.start()
        os.mkdir(f"{folder}/.storage")
        with open(f"{folder}/configuration.yaml", "w") as file:
            file.write(self.settings)
        entry = {"domain": "mqtt", "title": "localhost", "data": {"broker": "localhost", "discovery": True},
                 "entry_id": "0" * 32, "version": 1, "source": "user", "options": {}, "unique_id": None,
                 "disabled_by": None, "pref_disable_new_entities": False, "pref_disable_polling": False}
        with open(f"{folder}/.storage/core.config_entries", "w") as file:
            json.dump({"version": 1, "minor_version": 1, "key": "core.config_entries", "data": {"entries": [entry]}}, file)

    def start(self):
        started = self.said().count("homeassistant_started")
        self.process = self.spawn(*(part.format(folder=self.folder) for part in self.command))
        end = time.time() + 90
        while self.said().count("homeassistant_started") == started:
            if time.time() > end:
                raise TimeoutError("Home Assistant does not start")
            time.sleep(0.2)

    def said(self):
        return open(f"{self.folder}/server").read()

    def states(self, name):
        return re.findall(rf"new_state=<state {name}=(\w+)([^>]*)>", self.said())

    def places(self):
        found = [re.search("latitude=([^,;]+), longitude=([^,;]+)", text) for _, text in self.states("device_tracker.boat")]
        return {place(match[1], match[2]) for match in found if match}

    def losses(self):
        states = [state for state, _ in self.states("device_tracker.boat")]
        lost = sum(b == "unavailable" != a for a, b in zip(states, states[1:]))
        return f"{lost}, home follows" if len(self.states("zone.home")) > 5 else lost

    def stop(self):
        super().stop()
        self.broker.stop()


class PostgreSQL(Server):
    port = 5432
    bin = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1] if os.path.exists("/usr/lib/postgresql") else ""
    version_command = [f"{bin}/postgres", "--version"]
    refills = True

    def start(self):
        data = f"{self.folder}/data"
        isNew = not os.path.exists(data)
        if isNew:
            os.mkdir(data)
            if os.geteuid() == 0:
                subprocess.run(["chown", "postgres", data], check=True)
            self.run(f"{self.bin}/initdb", "-A", "trust", "-U", "postgres", "-D", data)
        # The postmaster's own process, so that it can be killed.
        self.process = self.spawn(
            *self.user(), f"{self.bin}/postgres", "-D", data, "-k", "/tmp", "-c", "fsync=off")
        wait_for(5432)
        os.environ |= {"PGHOST": "localhost", "PGUSER": "postgres"}
        while subprocess.run(["pg_isready", "-q"]).returncode:
            time.sleep(0.1)
        if isNew:
            subprocess.run(["createdb", "gps"], check=True)

    def user(self):
        return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] \
            if os.geteuid() == 0 else []

    def run(self, *command):
        subprocess.run([*self.user(), *command], check=True, stdout=self.log, cwd=self.folder)

    def query(self, text):
        return self.output_of("psql", "-At", "-F", " ", "gps", "-c", text).splitlines()

    def places(self):
        rows = self.query("SELECT ST_Y(place::geometry), ST_X(place::geometry) FROM records "
                          "WHERE place IS NOT NULL")
        return {place(*row.split()) for row in rows}

    def records(self):
        return map(json.loads, self.query("SELECT record FROM records"))

    def losses(self):
        return self.query("SELECT count(*) FROM records WHERE state = 'lost'")[0]


class Spreadsheet(Server):
    """A file, which nobody kills, as a program with a decimal comma reads it."""
    header = ["time", "lat", "lon", "altMSL", "speed:kmh"]

    def __init__(self, folder):
        super().__init__(folder)
        open(f"{folder}/track.csv", "w").close()

    def start(self):
        self.process = self.spawn("sleep", "infinity")

    def version(self):
        return "-"

    def rows(self):
        with open(f"{self.folder}/track.csv", newline="") as file:
            text = file.read()
        # The last line may not be whole yet.
        rows = list(csv.reader(text[:text.rfind("\n") + 1].splitlines(), delimiter=";"))
        assert not rows or rows[0] == self.header
        return rows[1:]

    def places(self):
        places = set()
        for time_, *cells in self.rows():
            datetime.datetime.strptime(time_, "%Y-%m-%d %H:%M:%S")
            assert len(cells) == 4 and "." not in "".join(cells)
            places.add(place(*(cell.replace(",", ".") for cell in cells[:2])))
        return places

    def losses(self):
        return "-"


class InfluxDB(Server):
    """InfluxDB itself, with a stand-in for telegraf unless that is installed."""
    port = 8086
    # telegraf writes once a second.
    latest = 2.0
    version_command = ["influxd", "version"]
    command = ["influxd", "-config", "{folder}/influxdb.conf"]

    def __init__(self, folder):
        super().__init__(folder)
        with open(f"{folder}/influxdb.conf", "w") as file:
            file.write(f'[meta]\n dir = "{folder}/meta"\n[data]\n dir = "{folder}/data"\n '
                       f'wal-dir = "{folder}/wal"\n[http]\n bind-address = "localhost:8086"\n')
        if not shutil.which("telegraf"):
            print("telegraf: skipped, Debian does not have it; telegraf.py reads its configuration instead", flush=True)
            os.mkdir(f"{folder}/bin")
            os.symlink(os.path.join(os.path.dirname(os.path.abspath(__file__)), "telegraf.py"), f"{folder}/bin/telegraf")
            os.environ["PATH"] = f"{folder}/bin:" + os.environ["PATH"]

    def start(self):
        super().start()
        # It listens before it answers.
        end = time.time() + 60
        while time.time() < end:
            with contextlib.suppress(OSError):
                return self.query("SHOW DATABASES")
            time.sleep(0.1)
        raise TimeoutError("InfluxDB does not answer")

    def query(self, text):
        address = "http://localhost:8086/query?" + urllib.parse.urlencode({"db": "gps", "q": text})
        result = json.load(urllib.request.urlopen(address))["results"][0]
        return result["series"][0].get("values", []) if "series" in result else []

    def places(self):
        return {place(lat, lon) for _, lat, lon in self.query("SELECT lat, lon FROM gps WHERE type = 'fix' AND source = 'boat'")}

    def losses(self):
        return len(self.query("SELECT state FROM gps WHERE type = 'state' AND state = 'lost'"))


class Prometheus(Server):
    """Scrapes what node_exporter finds."""
    port = 9090
    samples = True
    version_command = ["prometheus", "--version"]
    command = ["prometheus", "--config.file={folder}/prometheus.yml", "--storage.tsdb.path={folder}/data"]
    textfiles = "/var/lib/prometheus/node-exporter"

    def __init__(self, folder):
        super().__init__(folder)
        with open(f"{folder}/prometheus.yml", "w") as file:
            file.write("global: {scrape_interval: 250ms, scrape_timeout: 200ms}\n"
                       "scrape_configs:\n- job_name: node\n  static_configs:\n"
                       "  - targets: ['localhost:9100']\n")
        os.makedirs(self.textfiles, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "none", self.textfiles], check=True)

    def listen(self):
        self.others = [self.spawn(
            "prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
            f"--collector.textfile.directory={self.textfiles}", "--web.listen-address=localhost:9100")]

    def series(self, text):
        # The same moments for each series.
        end = time.time() // 10 * 10
        parameters = {"query": text, "start": end - 60, "end": end, "step": 0.25}
        address = "http://localhost:9090/api/v1/query_range?" + urllib.parse.urlencode(parameters)
        result = json.load(urllib.request.urlopen(address))["data"]["result"]
        return dict(map(tuple, result[0]["values"])) if result else {}

    def places(self):
        latitudes = self.series("locwatch_latitude_degrees")
        longitudes = self.series("locwatch_longitude_degrees")
        return {place(v, longitudes[t]) for t, v in latitudes.items() if t in longitudes}

    def losses(self):
        values = list(self.series('locwatch_receiver_state{state="lost"}').values())
        return sum(b == "1" != a for a, b in zip(values, values[1:]))


class Traccar(Server):
    """A stand-in that takes what OwnTracks' rules allow, and nothing else."""
    port = 5144

    def start(self):
        self.messages = getattr(self, "messages", [])
        messages = self.messages

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                text = self.rfile.read(int(self.headers["Content-Length"]))
                isGood = self.headers["Content-Type"] == "application/json" and isOwnTracks(json.loads(text))
                if isGood:
                    messages.append(json.loads(text))
                self.send_response(200 if isGood else 400)
                self.end_headers()

            def log_message(self, *_):
                pass

        http.server.HTTPServer.allow_reuse_address = True
        self.server = http.server.HTTPServer(("localhost", 5144), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def kill(self):
        self.server.shutdown()
        self.server.server_close()

    stop = kill

    def version(self):
        return "rules"

    def places(self):
        return {place(m["lat"], m["lon"]) for m in self.messages if m["_type"] == "location"}

    def losses(self):
        return sum(m["_type"] == "lwt" for m in self.messages)


def isOwnTracks(message):
    """Whether a message keeps the rules of https://owntracks.org/booklet/tech/json/."""
    integers = {"tst", "created_at", "acc", "alt", "vac", "vel", "cog"}
    if message["_type"] == "lwt":
        return isinstance(message["tst"], int)
    return (
        message["_type"] == "location" and {"lat", "lon", "tst", "tid"} <= set(message)
        and all(isinstance(message[name], int) for name in integers & set(message))
        and abs(message["lat"]) <= 90 and abs(message["lon"]) <= 180 and len(message["tid"]) <= 2
        and 0 <= message.get("cog", 0) < 360 and message.get("acc", 0) >= 0)


class SignalK(Server):
    """A stand-in that takes what the schema of a delta allows, and nothing else."""
    paths = {"navigation.position": dict, "navigation.gnss.methodQuality": str}

    def start(self):
        self.deltas = getattr(self, "deltas", [])
        self.isOver = False
        peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        peer.bind(("127.0.0.1", 8375))
        peer.settimeout(0.1)
        self.reader = threading.Thread(target=self.receive, args=[peer], daemon=True)
        self.reader.start()

    def receive(self, peer):
        # A port is free once nobody reads from it.
        while not self.isOver:
            with contextlib.suppress(TimeoutError):
                delta = json.loads(peer.recv(65536))
                if self.isDelta(delta):
                    self.deltas.append(delta)
        peer.close()

    def isDelta(self, delta):
        """Whether it keeps the rules of https://signalk.org/specification/1.8.2/schemas/delta.json."""
        def isValue(value):
            kind = self.paths.get(value["path"], (int, float))
            return value["path"].startswith("navigation.") and (value["value"] is None or isinstance(value["value"], kind))

        return set(delta) == {"context", "updates"} and delta["context"].startswith("vessels.") and all(
            set(update) == {"$source", "timestamp", "values"} and update["timestamp"].endswith("Z")
            and all(map(isValue, update["values"])) for update in delta["updates"])

    def kill(self):
        self.isOver = True
        self.reader.join()

    stop = kill

    def version(self):
        return "rules"

    def positions(self):
        return [value["value"] for delta in self.deltas for update in delta["updates"] for value in update["values"]
                if value["path"] == "navigation.position"]

    def places(self):
        return {place(found["latitude"], found["longitude"]) for found in self.positions() if found}

    def losses(self):
        return self.positions().count(None)


class OpenCPN(Server):
    """gpsd stands in for the plotter: it reads NMEA from UDP, too."""
    port = 2950
    command = ["gpsd", "-N", "-n", "-S", "2950", "udp://localhost:10110"]
    version_command = ["gpsd", "-V"]

    def start(self):
        super().start()
        self.others.append(self.spawn(
            "gpspipe", "-w", "localhost:2950", stdout=open(f"{self.folder}/reports", "a")))

    def reports(self):
        lines = [line for line in open(f"{self.folder}/reports") if line.startswith('{"class":"TPV"')]
        return [json.loads(line) for line in lines if line.endswith("}\n")]

    def places(self):
        return {place(r["lat"], r["lon"]) for r in self.reports() if r["mode"] > 1}

    def losses(self):
        modes = [r["mode"] > 1 for r in self.reports()]
        return sum(a and not b for a, b in zip(modes, modes[1:]))


class GPSD(OpenCPN):
    """The gpsd of the recipe, beside the one of the receiver."""
    command = ["gpsd", "-N", "-n", "-S", "2950", "udp://127.0.0.1:10111"]


class PortReader(Server):
    """A program that opens the port of a recipe, which is there once that runs."""
    link = ""

    def __init__(self, folder):
        super().__init__(folder)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.link)

    def start(self):
        if os.path.lexists(self.link):
            super().start()
        else:
            self.process = self.spawn("true")

    def listen(self):
        threading.Thread(target=self.open, daemon=True).start()

    def open(self):
        while not os.path.lexists(self.link):
            time.sleep(0.1)
        self.start()


class SerialPort(PortReader, OpenCPN):
    """A gpsd that has the port open stands in for its programs."""
    link = "/run/locwatch/gps0"
    command = ["gpsd", "-N", "-n", "-b", "-S", "2950", link]

    def __init__(self, folder):
        super().__init__(folder)
        open(f"{folder}/reports", "w").close()


class Direwolf(PortReader):
    """direwolf, whose transmitter is ALSA's null. It says what it sends."""
    port = 8001
    link = SerialPort.link
    command = ["direwolf", "-c", "direwolf.conf", "-t", "0", "-q", "d"]
    samples = True
    least = 3
    after = 90

    def __init__(self, folder):
        super().__init__(folder)
        with open(f"{folder}/direwolf.conf", "w") as file:
            file.write("ADEVICE null null\nMYCALL T3ST\n")

    def open(self):
        # More often than the recipe wants it.
        with open(f"{self.folder}/direwolf.conf") as file:
            settings = file.read()
        with open(f"{self.folder}/direwolf.conf", "w") as file:
            file.write(re.sub("delay=.* every=[0-9:]*", "delay=0:02 every=0:10", settings))
        super().open()

    @staticmethod
    def shown(place):
        return tuple(f"{int(abs(degrees))} {abs(degrees) % 1 * 60:.2f}" for degrees in place)

    def places(self):
        beacons = re.findall(r"T3ST>[^:]*:!(\d\d)([\d.]{5})N.(\d{3})([\d.]{5})E", self.said())
        return {(f"{int(a)} {float(b):.2f}", f"{int(c)} {float(d):.2f}") for a, b, c, d in beacons}

    def losses(self):
        return f"{self.said().count('location is not available')} beacons left out"

    def said(self):
        return open(f"{self.folder}/server", errors="replace").read()

    def version(self):
        return re.search(r"version ([\d.]+)", self.said())[1]


class TAK(Server):
    """taky, with a client that keeps the events which it passes on."""
    port = 8087
    needs = {"taky": "taky"}

    def __init__(self, folder):
        super().__init__(folder)
        self.events = []
        self.isOver = False
        self.command = [f"{ENVIRONMENT}/bin/taky", "-c", f"{folder}/taky.conf"]
        self.version_command = [f"{ENVIRONMENT}/bin/taky", "--version"]
        with open(f"{folder}/taky.conf", "w") as file:
            file.write(f"[taky]\nhostname = localhost\nnode_id = check\nbind_ip = 127.0.0.1\nroot_dir = {folder}\n"
                       f"[cot_server]\nport = 8087\nmon_ip =\nmon_port =\n[dp_server]\nupload_path = {folder}\n"
                       "[ssl]\nenabled = false\n")

    def listen(self):
        threading.Thread(target=self.receive, daemon=True).start()
        time.sleep(0.5)

    def receive(self):
        me = (b'<event version="2.0" uid="check" type="a-f-G-U-C" how="m-g" time="2026-11-24T00:00:00Z" '
              b'start="2026-11-24T00:00:00Z" stale="2036-11-24T00:00:00Z"><point lat="0" lon="0" hae="0" ce="1" '
              b'le="1"/><detail><contact callsign="check"/><takv device="" platform="" os="" version=""/>'
              b'<__group name="Cyan" role="Team Member"/></detail></event>')
        while not self.isOver:
            with contextlib.suppress(OSError), socket.create_connection(("localhost", 8087)) as connection:
                connection.sendall(me)
                text = b""
                while piece := connection.recv(65536):
                    *events, text = (text + piece).split(b"</event>")
                    self.events += [event.decode() for event in events if b'uid="locwatch-boat"' in event]
            time.sleep(0.05)

    def places(self):
        found = [re.search(r'<point[^>]* lat="([^"]+)"[^>]* lon="([^"]+)"', event) for event in list(self.events)]
        return {place(match[1], match[2]) for match in found if match}

    def losses(self):
        return "stale" if all('stale="' in event for event in self.events) else "-"

    def stop(self):
        self.isOver = True
        super().stop()


SERVERS = {
    "MQTT": Mosquitto, "MQTT bridge": MQTTBridge, "Home Assistant": HomeAssistant,
    "PostgreSQL": PostgreSQL, "InfluxDB": InfluxDB, "Spreadsheet": Spreadsheet, "Prometheus": Prometheus, "Traccar": Traccar,
    "OpenCPN": OpenCPN, "Signal K": SignalK, "TAK": TAK, "gpsd": GPSD, "Serial port": SerialPort,
    "direwolf": Direwolf, "Anchor alarm": AnchorAlarm,
}
