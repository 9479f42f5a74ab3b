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


def replay(command, recording, *arguments):
    subprocess.run(
        command + ["--replay", recording, *arguments], check=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)


def write_drive(path):
    """Writes a drive with enough fixes for the figures of a day."""
    path.write_text("".join(drive(2_000_000)))
    return path
