"""A gpsd that sends given lines, and what a client makes of them."""

import os
import socket
import subprocess
import tempfile
import threading
import time

from generate import BANNER, positions

WATCH = '{"class":"WATCH","enable":true,"json":true}\r\n'
DEADLINE = 60


def processor_time(pid):
    """Nanoseconds that all threads of a process have run."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
            total += int(file.read().split()[0])
    return total


def peak_memory(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def latitude(report):
    """What every client writes of a report, and of no other."""
    return report.split('"lat":')[1].split(",")[0].rstrip("0")[:9].encode()


class Client:
    """A client of ours or a peer's, connected and watching, its output read here."""

    def __init__(self, command, output=subprocess.PIPE):
        listener = socket.create_server(("127.0.0.1", 0))
        listener.settimeout(DEADLINE)
        port = str(listener.getsockname()[1])
        self.process = subprocess.Popen(
            [word.replace("PORT", port) for word in command],
            stdout=output, stderr=subprocess.DEVNULL)
        self.socket, _ = listener.accept()
        listener.close()
        self.socket.settimeout(DEADLINE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(BANNER.encode())
        while b"WATCH" not in self.socket.recv(4096):
            pass
        self.socket.sendall(WATCH.encode())

    def read_on(self, marker):
        """Reads until the output holds `marker`."""
        text = b""
        while marker not in text:
            piece = os.read(self.process.stdout.fileno(), 65_536)
            if not piece:
                raise RuntimeError(f"{self.process.args[0]} ended")
            text += piece

    def close(self):
        self.socket.close()
        self.process.terminate()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.process.wait(DEADLINE)


def at_10_hz(command, count=50):
    """From send to the line of output: the median in us, CPU in us a report, memory in KiB."""
    client = Client(command)
    times = []
    # Reports that come a little later than 100 ms after the last would find gpspipe just awake.
    due = time.perf_counter()
    for index, report in enumerate(positions(count + 10)):
        if index == 10:
            before = processor_time(client.process.pid)
        due += 0.1
        time.sleep(max(0, due - time.perf_counter()))
        begin = time.perf_counter()
        client.socket.sendall(report.encode())
        client.read_on(latitude(report))
        times.append(time.perf_counter() - begin)
    spent = (processor_time(client.process.pid) - before) / 1e3 / count
    memory = peak_memory(client.process.pid)
    client.close()
    return sorted(times[10:])[count // 2] * 1e6, spent, memory


def flood(command, reports):
    """Reports a second that go through, of those sent as fast as they are taken, and how many came out.

    They go to a file, which nobody reads: it is the client that is measured.
    """
    with tempfile.TemporaryFile(dir="/dev/shm") as file:
        client = Client(command, file)
        marker = latitude(reports[-1])
        text = "".join(reports).encode()
        begin = time.perf_counter()
        sender = threading.Thread(target=client.socket.sendall, args=(text,), daemon=True)
        sender.start()
        while marker not in os.pread(file.fileno(), 1024, max(0, os.fstat(file.fileno()).st_size - 1024)):
            if time.perf_counter() - begin > DEADLINE:
                raise RuntimeError(f"{command[0]} did not write the last report")
            time.sleep(0.001)
        duration = time.perf_counter() - begin
        sender.join()
        client.close()
        file.seek(0)
        count = sum(line.count(b"lat") > 0 or line[:1].isdigit() for line in file)
    return len(reports) / duration, count
