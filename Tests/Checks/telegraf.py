#!/usr/bin/env python3
"""A stand-in for telegraf, which Debian does not have: it runs the configuration of the recipe for InfluxDB
by the rules of telegraf's documentation (inputs.execd, the parser json_v2, outputs.influxdb), and refuses
everything else. Each number becomes a float, and a list or an object, which json_v2 would split into several
points, is an error unless it is excluded.

Usage: telegraf.py --config FILE
"""
import datetime
import json
import subprocess
import sys
import threading
import time
import tomllib
import urllib.parse
import urllib.request

# The only layout that it knows: RFC 3339, in Go's words.
LAYOUT = "2006-01-02T15:04:05Z07:00"


class Configuration:
    def __init__(self, text):
        def only(table, *names):
            assert set(table) == set(names), f"{set(table) ^ set(names)}"
            return [table[name] for name in names]

        agent, inputs, outputs = only(tomllib.loads(text), "agent", "inputs", "outputs")
        [flush] = only(agent, "flush_interval")
        self.seconds = float(flush.removesuffix("s"))
        [[execd]] = only(inputs, "execd")
        self.command, kind, [parser] = only(execd, "command", "data_format", "json_v2")
        self.measurement, [found] = only(parser, "measurement_name", "object")
        path, self.tags, self.moment, layout, self.excluded = only(
            found, "path", "tags", "timestamp_key", "timestamp_format", "excluded_keys")
        [[influxdb]] = only(outputs, "influxdb")
        [self.server], self.database = only(influxdb, "urls", "database")
        assert (kind, path, layout) == ("json_v2", "@this", LAYOUT)

    def point(self, record):
        """A record as a line of InfluxDB's protocol."""
        tags, fields, moment = [], [], time.time_ns()
        for name, value in record.items():
            if name in self.excluded:
                continue
            assert not isinstance(value, (dict, list)), f"{name} would become several points: {value}"
            if name == self.moment:
                parsed = datetime.datetime.fromisoformat(value)
                moment = round(parsed.timestamp() * 1000) * 1_000_000
            elif name in self.tags:
                tags.append(f",{escaped(name)}={escaped(str(value))}")
            else:
                fields.append(f"{escaped(name)}={field(value)}")
        return f"{self.measurement}{''.join(sorted(tags))} {','.join(fields)} {moment}" if fields else None


def escaped(text):
    for character in (",", "=", " "):
        text = text.replace(character, "\\" + character)
    return text


def field(value):
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value).lower() if isinstance(value, bool) else repr(float(value))


class Output:
    """Sends points until the server takes them, and keeps the last 10,000 meanwhile."""

    def __init__(self, configuration):
        self.points, self.lock = [], threading.Lock()
        self.server, self.database = configuration.server, urllib.parse.quote(configuration.database)

    def add(self, point):
        with self.lock:
            self.points = (self.points + [point])[-10_000:]

    def flush(self):
        with self.lock:
            points = list(self.points)
        try:
            if points:
                self.post("query?q=" + urllib.parse.quote(f'CREATE DATABASE "{self.database}"'), b"")
                self.post(f"write?db={self.database}", "\n".join(points).encode())
        except OSError as error:
            print(f"E! {error}", file=sys.stderr, flush=True)
            return
        with self.lock:
            self.points = self.points[len(points):]

    def post(self, request, body):
        urllib.request.urlopen(urllib.request.Request(f"{self.server}/{request}", body, method="POST"), timeout=5)


def main():
    option, path = sys.argv[1:]
    assert option == "--config"
    with open(path) as file:
        configuration = Configuration(file.read())
    output = Output(configuration)

    def flush():
        while True:
            time.sleep(configuration.seconds)
            output.flush()

    threading.Thread(target=flush, daemon=True).start()
    while True:
        with subprocess.Popen(configuration.command, stdout=subprocess.PIPE, stdin=subprocess.PIPE) as command:
            for line in command.stdout:
                if point := configuration.point(json.loads(line)):
                    output.add(point)
        time.sleep(10)


if __name__ == "__main__":
    main()
