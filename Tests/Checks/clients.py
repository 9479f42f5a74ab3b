#!/usr/bin/env python3
"""Runs locwatch and the clients of others through twelve faults, and writes a table of what they do.

Each client has a gpsd and a simulated receiver of its own for each fault, in namespaces that end with it, so no
process is left and no port outside is used. What the table says is judged by what the client wrote: the latitude
of each position shows how old it is. All that was written is kept in .build/clients, with the table.

gpsd-py3 comes from PyPI, and is left out if that cannot be reached. It needs root, or unprivileged user namespaces.

Usage: clients.py LOCWATCH [WORD-OF-A-FAULT|CLIENT...]
"""
import concurrent.futures
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Checks"))
from outages import FAULTS, age, slow, torn, two  # noqa: E402
from watchers import WATCHERS, GpsdPy3  # noqa: E402

FOLDER = ROOT / ".build/clients"
AT_ONCE = 24
# A position may be this old: a fix of locwatch is current for 5 s, and gpsd and the receiver take a second each.
GRACE = 8


def verdict(scene):
    """What a client did: when it showed that there is no position, and when it showed the next one."""
    client, began, ended = scene.client, scene.began, scene.ended
    during = [shown for shown in client.shown if began <= shown.at <= ended]
    said = next((shown.at for shown in during if shown.latitude is None), None)
    # A latitude that was cut off is that of another place, and so of another time.
    if any(shown.latitude is not None and age(*shown[:2], scene.start) > GRACE for shown in during):
        meanwhile = "**old**"
    else:
        meanwhile = "–" if said is None else f"{said - began:.0f}"
    back = next((shown.at for shown in client.places() if scene.is_new(shown)), None)
    if client.status() is not None:
        end = ("hangs, " if client.ended_at > ended else "") + f"exits {client.status()}"
        return end if meanwhile == "–" else f"{meanwhile}, {end}"
    if back is None:
        return "hangs"
    return f"{meanwhile}, {max(0, back - ended):.0f}"


def verdict_slow(scene):
    """The same after a reader that stopped: what it shows then is late, and has its time."""
    lost = "" if scene.client.samples else f", loses {missing(scene)}"
    return verdict(scene) + lost


def verdict_torn(scene):
    passed_on = any(line.endswith('"lat":48.0') for _, line in scene.client.log)
    return verdict(scene) + (", passes it on" if passed_on else "")


def verdict_two(scene):
    client = scene.client
    if len({round(shown.latitude / 10) for shown in client.places()}) == 1:
        return "shows one"
    return verdict(scene) if client.names_receivers else "mixes them"


def missing(scene):
    """How many of the positions that were sent during a fault were never shown."""
    moments = [shown.at - age(*shown[:2], scene.start) for shown in scene.client.places()]
    sent = [moment for moment in scene.receivers[0].sent if scene.began + 1 < moment < scene.ended - 1]
    lost = sum(not any(abs(moment - each) < 0.05 for each in moments) for moment in sent)
    return f"{100 * lost / len(sent):.0f}%"


VERDICTS = {slow: verdict_slow, torn: verdict_torn, two: verdict_two}


def run_cell(fault, name, programs, folder):
    """In namespaces of its own: one client and one fault."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    client = next(each for each in WATCHERS if each.name == name)(programs, folder)
    scene = FAULTS[fault](client, folder)
    scene.finish()
    said = VERDICTS.get(FAULTS[fault], verdict)(scene)
    (FOLDER / f"{fault}, {name}.txt").write_text(
        f"{said}\nthe fault: {scene.began:.2f} to {scene.ended:.2f}\n"
        f"a latitude is 48 or 38 + (time - {scene.start}) / 6000\n{client.evidence()}\n")
    print(said)


def cell(fault, watcher, programs):
    user = [] if os.getuid() == 0 else ["--map-root-user"]
    # It is removed when all that could write to it has ended.
    with tempfile.TemporaryDirectory(prefix="clients-") as folder:
        os.chmod(folder, 0o755)
        try:
            ended = subprocess.run(
                ["setpriv", "--pdeathsig", "KILL", "unshare", *user, "--net", "--ipc", "--pid", "--mount-proc",
                 "--kill-child", sys.executable, __file__, "--inside", fault, watcher.name, json.dumps(programs),
                 folder], capture_output=True, text=True, timeout=420)
        except subprocess.TimeoutExpired:
            return "FAILED: it does not end"
    return ended.stdout.strip() if ended.returncode == 0 else f"FAILED: {ended.stderr.strip().splitlines()[-1]}"


def with_gpsd_py3():
    """A Python that has gpsd-py3, and its version; `None` without PyPI."""
    place = FOLDER / "python"
    python = place / "bin/python3"
    if not python.exists():
        subprocess.run(["/usr/bin/python3", "-m", "venv", place], check=True)
    installed = subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "gpsd-py3"],
                               capture_output=True, text=True)
    if installed.returncode != 0:
        print("gpsd-py3 is left out: PyPI cannot be reached", file=sys.stderr)
        return None, ""
    script = "import importlib.metadata; print(importlib.metadata.version('gpsd-py3'))"
    return str(python), subprocess.run([python, "-c", script], capture_output=True, text=True).stdout.strip()


def package_version(package):
    return subprocess.run(["dpkg-query", "--show", "--showformat", "${Version}", package],
                          capture_output=True, text=True, check=True).stdout


def versions(locwatch, gpsd_py3):
    own = subprocess.run([locwatch, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    debian = pathlib.Path("/etc/debian_version").read_text().strip()
    of_debian = {package_version(package) for package in ("gpsd", "gpsd-clients", "python3-gps")}
    return (f"{datetime.date.today()}, Debian {debian}: locwatch {own}; gpsd and its clients "
            f"{' and '.join(sorted(of_debian))}" + (f"; gpsd-py3 {gpsd_py3}" if gpsd_py3 else "") + ".")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    locwatch, words = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:]
    python, gpsd_py3 = with_gpsd_py3()
    watchers = [each for each in WATCHERS if each is not GpsdPy3 or python]
    programs = {"locwatch": locwatch, "python": python or ""}
    # Those that take longest come first.
    wanted = [(fault, watcher) for fault in sorted(FAULTS, key=lambda name: "nothing" not in name)
              for watcher in watchers if not words or any(word in f"{fault} {watcher.name}" for word in words)]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        said = dict(zip(wanted, pool.map(lambda pair: cell(*pair, programs), wanted)))
    lines = ["| | " + " | ".join(each.name for each in watchers) + " |", "|---" * (len(watchers) + 1) + "|"]
    for fault in FAULTS:
        lines.append(f"| {fault} | " + " | ".join(said.get((fault, each), "") for each in watchers) + " |")
    table = "\n".join([*lines, "", versions(locwatch, gpsd_py3)])
    print(table)
    (FOLDER / "table.md").write_text(table + "\n")
    sys.exit(any(each.startswith("FAILED") for each in said.values()))


if __name__ == "__main__":
    if sys.argv[1] == "--inside":
        run_cell(sys.argv[2], sys.argv[3], json.loads(sys.argv[4]), sys.argv[5])
    else:
        main()
