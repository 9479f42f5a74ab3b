"""What the release is optimised and laid out for."""

import pathlib
import subprocess

import live
from generate import drive, positions

# An hour with outages and satellites.
HOUR = pathlib.Path(__file__).parents[2] / "Fixtures/hour.jsonl"


def follow(command, count):
    """Runs the command on so many live reports."""
    client = live.Client(command + ["--json", "--no-events", "-n", str(count), "localhost:PORT"])
    for report in positions(count):
        client.socket.sendall(report.encode())
        client.read_on(live.latitude(report))
    client.process.wait(live.DEADLINE)


def replays(folder, formats):
    """Returns the arguments of replays to each of the formats, then to each form of report, of an hour and
    of a long drive, which is written to the folder."""
    # Enough fixes for the figures of a day.
    long = pathlib.Path(folder) / "drive.jsonl"
    long.write_text("".join(drive(2_000_000)))
    outputs = [["-f", name] for name in formats]
    outputs += [["--report", f"{folder}/report.{form}"] for form in ["txt", "json", "html"]]
    return [["--replay", recording, *output] for output in outputs for recording in [HOUR, long]]


def replay(command, arguments):
    subprocess.run(
        command + arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
