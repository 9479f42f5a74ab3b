"""Running a command and what it takes; pairs of them, and their ratio."""

import os
import statistics
import subprocess


class Usage:
    """One run: CPU and wall in seconds, resident memory at its most in KiB."""

    program = None

    def __init__(self, command):
        output = subprocess.check_output([Usage.program, *command], text=True)
        status, cpu, wall, memory = output.split()
        if status != "0":
            raise RuntimeError(f"{command[0]} ended with {status}")
        self.cpu, self.wall, self.memory = float(cpu), float(wall), int(memory)

    @classmethod
    def build(cls, scratch):
        """Builds the program that measures."""
        cls.program = os.path.join(scratch, "usage")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers", "usage.c")
        subprocess.run(["cc", "-O2", "-o", cls.program, source], check=True)


class Ratio:
    """Values of ours and a peer's, taken in turn; their ratios, round by round."""

    def __init__(self, pairs):
        self.ratios = sorted(ours / theirs for ours, theirs in pairs)
        self.ours = statistics.median(ours for ours, _ in pairs)
        self.theirs = statistics.median(theirs for _, theirs in pairs)

    @property
    def median(self):
        return statistics.median(self.ratios)

    @property
    def spread(self):
        return f"{self.ratios[0]:.3f} to {self.ratios[-1]:.3f}"


def paired(rounds, ours, theirs):
    """Ours and the peer's in turn, so that what else the machine does meets both."""
    return Ratio([(ours(), theirs()) for _ in range(rounds)])


def leave_page_cache(path):
    """What was just written is in memory in larger pieces, and more of it is mapped at once: 1.4 MB."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
