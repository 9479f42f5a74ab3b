#!/usr/bin/env python3
"""Measures locwatch with many sources, which impostors in this process feed.

    fleet.py --locwatch PATH [--seconds 30] [--sources 1,10,100,1000]

The reports of a source have the moment of their sending as their time, so that the difference to the
moment when a record is read is the delay of the whole way. In the last row, one source more sends as fast as
it is read; the lost reports and the delays are those of the others. Prints a table in Markdown.
"""
import argparse
import asyncio
import datetime
import multiprocessing
import os
import random
import resource
import signal
import socket
import sys
import time

GREETING = b'{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n'
ANSWER = (
    b'{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox",'
    b'"activated":"2026-11-21T08:00:00.000Z"}]}\r\n{"class":"WATCH","enable":true,"json":true}\r\n'
)
REPORT = (
    '{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"%s","ept":0.005,"lat":48.118633333,'
    '"lon":11.517333333,"altHAE":592.300,"altMSL":545.400,"epx":3.101,"epy":4.202,"epv":23.000,'
    '"track":84.4000,"speed":11.524,"climb":0.020,"eps":1.00,"epc":46.00,"geoidSep":46.900,"eph":14.100}\r\n'
)


def iso(moment):
    time = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%S.%f") + "Z"


class Impostors:
    """Answers any number of clients like gpsd, and sends each the same number of reports a second."""

    def __init__(self, rate):
        self.rate = rate
        self.sent = 0
        self.clients = set()
        self.isOpen = True
        self.isSilent = False
        self.connects = []

    async def serve(self, reader, writer):
        if not self.isOpen:
            writer.close()
            return
        self.connects.append(time.monotonic())
        self.clients.add(writer)
        try:
            writer.write(GREETING)
            await reader.read(4096)
            writer.write(ANSWER)
            due = time.time() + random.random() / self.rate
            while not writer.is_closing():
                await asyncio.sleep(max(0, due - time.time()))
                due += 1 / self.rate
                if self.isSilent or writer.is_closing():
                    continue
                writer.write((REPORT % iso(time.time())).encode())
                self.sent += 1
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self.clients.discard(writer)
            writer.close()

    async def start(self):
        self.server = await asyncio.start_server(
            lambda reader, writer: self.serve(reader, writer), "127.0.0.1", 0, backlog=4096)
        return self.server.sockets[0].getsockname()[1]

    def hang_up(self):
        for client in list(self.clients):
            client.transport.abort()


def flood(listener, count):
    """Sends one client reports without pause, each with a time of its own."""
    head, tail = REPORT.split("%s")
    client, _ = listener.accept()
    try:
        client.sendall(GREETING)
        client.recv(4096)
        client.sendall(ANSWER)
        while True:
            second, microsecond = iso(time.time())[:-1].split(".")
            times = range(int(microsecond), min(int(microsecond) + 200, 1_000_000))
            client.sendall("".join(f"{head}{second}.{time:06}Z{tail}" for time in times).encode())
            count.value += len(times)
    except OSError:
        pass


class Flood:
    """A source that floods, in a process of its own."""

    def __init__(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        self.count = multiprocessing.Value("q", 0)
        self.process = multiprocessing.Process(target=flood, args=(listener, self.count))
        self.process.start()


def status(pid):
    fields = {}
    for line in open(f"/proc/{pid}/status"):
        name, _, value = line.partition(":")
        fields[name] = value.strip()
    stat = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
    ticks = os.sysconf("SC_CLK_TCK")
    return {
        "rss": int(fields["VmRSS"].split()[0]),
        "threads": int(fields["Threads"]),
        "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
        "cpu": (int(stat[11]) + int(stat[12])) / ticks,
    }


async def run(locwatch, sources, rate, seconds, hangs_up, floods=False):
    flooding = Flood() if floods else None
    impostors = Impostors(rate)
    port = await impostors.start()
    targets = "".join(f"s{number}=127.0.0.1:{port}\n" for number in range(sources))
    if flooding:
        targets += f"flood=127.0.0.1:{flooding.port}\n"
    path = f"/tmp/fleet-targets.{os.getpid()}"
    with open(path, "w") as file:
        file.write(targets)
    (end, start) = os.pipe() if flooding else (None, asyncio.subprocess.PIPE)
    process = await asyncio.create_subprocess_exec(
        locwatch, "--json", "--no-events", "--targets", path, stdout=start, limit=1 << 20)
    output = process.stdout
    if flooding:
        # This process could not read the flood's records as fast as they come.
        others = await asyncio.create_subprocess_exec(
            "grep", "--line-buffered", "-vF", '"source":"flood"', stdin=end, stdout=asyncio.subprocess.PIPE,
            limit=1 << 20)
        output = others.stdout
        os.close(start)
        os.close(end)
    delays, count, threads = [], 0, 0
    measuring = False

    async def read():
        nonlocal count
        async for line in output:
            now = time.time()
            count += 1
            if measuring:
                start = line.index(b'"time":"') + 8
                end = line.index(b'"', start)
                text = line[start:end].decode().rstrip("Z")
                sent = datetime.datetime.fromisoformat(text + "+00:00").timestamp()
                delays.append(now - sent)

    reading = asyncio.create_task(read())
    while len(impostors.clients) < sources:
        threads = max(threads, status(process.pid)["threads"])
        await asyncio.sleep(0.005)
    await asyncio.sleep(3)
    before, sent, measuring = status(process.pid), impostors.sent, True
    flooded = flooding.count.value if flooding else 0
    await asyncio.sleep(seconds)
    after, sent, measuring = status(process.pid), impostors.sent - sent, False
    result = {
        "sources": sources, "rate": rate, "threads": after["threads"], "connecting": threads,
        "descriptors": after["descriptors"], "rss": after["rss"],
        "cpu": (after["cpu"] - before["cpu"]) / sent * 1e6,
        "p50": sorted(delays)[len(delays) // 2] * 1e3,
        "p99": sorted(delays)[len(delays) * 99 // 100] * 1e3,
    }
    if flooding:
        result["flooded"] = (flooding.count.value - flooded) / seconds
        flooding.process.terminate()
        await asyncio.sleep(1)
    impostors.isSilent = True
    await asyncio.sleep(0.5)
    result["lost"] = impostors.sent - count
    impostors.isSilent = False
    if hangs_up:
        before = status(process.pid)
        impostors.connects.clear()
        ended = time.monotonic()
        impostors.hang_up()
        while len(impostors.connects) < sources:
            await asyncio.sleep(0.01)
        await asyncio.sleep(1)
        after = status(process.pid)
        result["back"] = max(impostors.connects) - ended
        result["back cpu"] = after["cpu"] - before["cpu"]
        result["more descriptors"] = after["descriptors"] - before["descriptors"]
    process.send_signal(signal.SIGTERM)
    await reading
    await process.wait()
    impostors.server.close()
    os.unlink(path)
    return result


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--locwatch", required=True)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--sources", default="1,10,100,1000")
    arguments = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    one = await run(arguments.locwatch, 1, 1, arguments.seconds, False)
    fast = await run(arguments.locwatch, 1, 1000, arguments.seconds, False)
    print("| sources | Hz | lost | p50 ms | p99 ms | CPU us a report | beside one at 1000 Hz "
          "| KiB a source | threads; connecting | descriptors | all back after | CPU of that | descriptors more |")
    print("| --- " * 13 + "|")
    for sources in [0] + [int(number) for number in arguments.sources.split(",")]:
        result = fast if sources == 0 else await run(
            arguments.locwatch, sources, 1, arguments.seconds, True)
        more = max(1, result["sources"] - 1)
        back = " | | "
        if "back" in result:
            back = f"{result['back']:.2f} s | {result['back cpu']:.2f} s | {result['more descriptors']}"
        print(
            f"| {result['sources']} | {result['rate']} | {result['lost']} | {result['p50']:.2f} "
            f"| {result['p99']:.2f} | {result['cpu']:.1f} | {result['cpu'] / fast['cpu']:.2f} "
            f"| {(result['rss'] - one['rss']) / more:.1f} | {result['threads']}; {result['connecting']} "
            f"| {result['descriptors']} | {back} |", flush=True)
    result = await run(arguments.locwatch, 999, 1, arguments.seconds, False, floods=True)
    print(f"| 999, and one with {result['flooded'] / 1000:.0f} k/s | 1 | {result['lost']} | {result['p50']:.2f} "
          f"| {result['p99']:.2f} | | | | {result['threads']}; {result['connecting']} "
          f"| {result['descriptors']} | | | |", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
