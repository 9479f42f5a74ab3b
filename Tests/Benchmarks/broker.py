#!/usr/bin/env python3
"""Measures many sources in one locwatch that publish to a broker, which is killed and started again, as in the recipe MQTT.

    broker.py --locwatch PATH [--seconds 20] [--away 5] [--sources 100,1000]

Impostors in this process feed the sources, once a second each. A subscriber has a session that the broker keeps. Prints
a table in Markdown: what was reported, what locwatch wrote, and what the subscriber got.
"""
import argparse
import asyncio
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
from fleet import Impostors, status  # noqa: E402

PORT = 1884
SETTINGS = """listener {port} 127.0.0.1
allow_anonymous true
user root
persistence true
persistence_location {folder}/
autosave_on_changes true
autosave_interval 1000
max_queued_messages {queued}
"""


async def start_broker(folder):
    process = await asyncio.create_subprocess_exec("mosquitto", "-c", f"{folder}/conf", stderr=asyncio.subprocess.DEVNULL)
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", PORT)
            writer.close()
            return process
        except OSError:
            await asyncio.sleep(0.05)


def distinct(path):
    """The messages in a file, and how many of them are different ones."""
    lines = [line for line in open(path) if line.startswith('{"type":"fix"')]
    return len(lines), len(set(lines))


async def run(locwatch, sources, seconds, away, queued):
    folder = tempfile.mkdtemp(prefix="locwatch-broker-")
    with open(f"{folder}/conf", "w") as file:
        file.write(SETTINGS.format(port=PORT, folder=folder, queued=queued))
    impostors = Impostors(1)
    port = await impostors.start()
    with open(f"{folder}/targets", "w") as file:
        file.writelines(f"s{number:04}=127.0.0.1:{port}\n" for number in range(sources))
    broker = await start_broker(folder)
    start = asyncio.create_subprocess_exec
    subscribe = (f"while mosquitto_sub -c -i check -q 1 -p {PORT} -t '#'; sleep 0.1; do :; done", folder + "/got")
    publish = (f"'{locwatch}' -j --no-events --targets {folder}/targets | tee {folder}/wrote | "
               f"mosquitto_pub -l -q 1 -p {PORT} -t gps", folder + "/errors")
    running = []
    for script, output in subscribe, publish:
        running.append(await start("bash", "-c", script, stdout=open(output, "w"), stderr=open(folder + "/errors", "a"),
                                   start_new_session=True))
        await asyncio.sleep(0.5)
    while len(impostors.clients) < sources:
        await asyncio.sleep(0.2)
    await asyncio.sleep(seconds)
    broker.kill()
    await broker.wait()
    await asyncio.sleep(away)
    broker = await start_broker(folder)
    await asyncio.sleep(seconds)
    find = await start("pgrep", "-g", str(running[1].pid), "-x", "locwatch", stdout=asyncio.subprocess.PIPE)
    used = status(int((await find.communicate())[0]))
    sent = impostors.sent
    impostors.isSilent = True
    await asyncio.sleep(5)
    wrote, _ = distinct(folder + "/wrote")
    got, different = distinct(folder + "/got")
    for process in running:
        os.killpg(process.pid, 9)
    broker.kill()
    await broker.wait()
    shutil.rmtree(folder)
    length = 2 * seconds + away
    print(f"| {sources} | {queued} | {sent} | {wrote} | {different} | {got - different} | {used['rss'] / 1024:.1f} MB "
          f"| {used['cpu'] / length * 100:.0f} % |", flush=True)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--locwatch", required=True)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--away", type=float, default=5)
    parser.add_argument("--sources", default="100,1000")
    options = parser.parse_args()
    print("| sources | max_queued_messages | reported | written | arrived | twice | memory | processor |")
    print("| --- " * 8 + "|")
    for sources in map(int, options.sources.split(",")):
        for queued in 1000, 100_000:
            await run(options.locwatch, sources, options.seconds, options.away, queued)


asyncio.run(main())
