#!/usr/bin/env python3
"""Reads the lines of a file with Python's json, and prints what GPSDDecoder should make of each.

Usage: second_reader.py FILE MEMBERS

FILE holds lines, each after its length in four bytes, little-endian. MEMBERS is a JSON object that has
an object for each class with numbers: the names of those, of whole ones, and of other members, and the
ranges of numbers. A line of output is the kind of a line, and then its members in the form of
JSONReading.swift.

These are the rules of GPSDDecoder that go beyond JSON, and so all the differences from Python's json
that are allowed:

- A report is UTF-8 without a byte order mark, has no NaN or Infinity, and no half of a surrogate pair.
- It is an object with one member "class", which is a string; all levels of objects and lists are at
  most 16.
- No known member occurs twice, whatever its value. Of an unknown one any number is accepted.
- A device's name and the name of another class have at most 255 bytes.
- A DEVICES report has a list of objects. The list of satellites has objects only.
- A number whose magnitude is 1e15 or more is absent, and so is one out of range, or a fraction of a whole number.
- A text is cut after 1,024 bytes. An empty device is none.
"""

import json
import math
import struct
import sys

BLANK = b" \t\r\n"
TEXT = 1024
NAME = 255
DEPTH = 16
DEVICES = 64

DEVICE = ("class path activated flags driver subtype subtype1 sernum native bps parity stopbits "
          "cycle mincycle readonly").split()
SATELLITE = "used PRN gnssid svid sigid health freqid qual el az ss pr prRate prRes".split()
VERSION = "class release rev proto_major proto_minor remote".split()
WATCH = "class enable json nmea raw scaled timing split24 pps device remote".split()


def ranges(table):
    """Makes a table by names of one whose keys are several names."""
    return {name: limits for names, limits in table.items() for name in names.split()}


MAGNITUDE = (0, math.inf)
AZIMUTH = (0, 360)
DIRECTION = (-180, 360)
RANGES = {
    "TPV": {"lat": (-90, 90), "lon": (-180, 180)},
    "SKY": ranges({
        "nSat uSat": (0, 65535), "hdop vdop pdop tdop gdop xdop ydop": MAGNITUDE,
    }),
    "GST": ranges({
        "rms major minor lat lon alt ve vn vu": MAGNITUDE, "orient": DIRECTION,
    }),
    "ATT": ranges({
        "heading mheading": AZIMUTH, "pitch roll yaw": DIRECTION, "mag_len acc_len": MAGNITUDE,
        "temp": (-273.15, math.inf),
    }),
}


class Malformed(Exception):
    pass


class Object(list):
    """The members of an object, as pairs in their order."""

    def known(self, names):
        """Returns the known members; none of them may occur twice."""
        found = {}
        for name, value in self:
            if name in names:
                if name in found:
                    raise Malformed
                found[name] = value
        return found


def constant(name):
    raise Malformed


def check(value, depth):
    """Checks the depth of a value, and that each string can be UTF-8."""
    if isinstance(value, Object):
        if depth >= DEPTH:
            raise Malformed
        for name, member in value:
            name.encode()
            check(member, depth + 1)
    elif isinstance(value, list):
        if depth >= DEPTH:
            raise Malformed
        for element in value:
            check(element, depth + 1)
    elif isinstance(value, str):
        value.encode()


def number(value, least=-math.inf, most=math.inf):
    return value if isinstance(value, float) and abs(value) < 1e15 and least <= value <= most \
        else None


def integer(value):
    value = number(value)
    return int(value) if value is not None and value.is_integer() and -2.0**63 <= value < 2.0**63 \
        else None


def natural(value):
    return integer(value) if number(value, 0) is not None else None


def text(value):
    return value.encode()[:TEXT].decode(errors="ignore") if isinstance(value, str) else None


def device(value):
    if not isinstance(value, str):
        return None
    if len(value.encode()) > NAME:
        raise Malformed
    return value or None


def boolean(value):
    return value if isinstance(value, bool) else None


class Reading:
    def __init__(self, kind):
        self.words = [kind]

    def add(self, name, value):
        if value is None:
            return
        if isinstance(value, bool):
            value = str(value).lower()
        elif isinstance(value, float):
            value = format(struct.unpack(">Q", struct.pack(">d", value))[0], "x")
        elif isinstance(value, str):
            value = "'" + value.encode().hex()
        self.words.append(f"{name}={value}")


def read_device(members, reading):
    reading.add("path", device(members.get("path")) or "")
    for name in ["flags", "native", "bps", "stopbits"]:
        reading.add(name, integer(members.get(name)))
    for name in ["driver", "subtype", "subtype1", "sernum", "parity"]:
        reading.add(name, text(members.get(name)))
    for name in ["cycle", "mincycle"]:
        reading.add(name, number(members.get(name)))
    flag = members.get("readonly")
    reading.add("readonly", {"true": True, "false": False}.get(flag) if isinstance(flag, str)
                else boolean(flag))
    if members.get("activated") == 0.0 and number(members.get("activated")) is not None:
        reading.add("closed", True)


def read_satellites(value, reading):
    if not isinstance(value, list) or isinstance(value, Object):
        return
    count = 0
    for element in value:
        if not isinstance(element, Object):
            raise Malformed
        members = element.known(SATELLITE)
        prn = natural(members.get("PRN"))
        if prn is None:
            continue
        count += 1
        reading.add("PRN", prn)
        for name in ["gnssid", "svid", "sigid"]:
            reading.add(name, natural(members.get(name)))
        for name, most in [("health", 2), ("freqid", 13), ("qual", 7)]:
            reading.add(name, natural(number(members.get(name), 0, most)))
        reading.add("el", number(members.get("el"), -90, 90))
        reading.add("az", number(members.get("az"), 0, 360))
        reading.add("ss", number(members.get("ss"), 0, 254))
        for name in ["pr", "prRate", "prRes"]:
            reading.add(name, number(members.get(name)))
        reading.add("used", boolean(members.get("used")) or False)
    reading.add("satellites", count)


def read(line, classes):
    if not line.strip(BLANK):
        return "blank"
    report = json.loads(line.decode(), parse_int=float, parse_float=float, parse_constant=constant,
                        object_pairs_hook=Object)
    if not isinstance(report, Object):
        raise Malformed
    # Only what a line contains has to be looked for.
    if b"\\u" in line or line.count(b"[") + line.count(b"{") > DEPTH:
        check(report, 0)
    kind = report.known(["class"]).get("class")
    if not isinstance(kind, str):
        raise Malformed
    if kind in classes:
        known = classes[kind]
        limits, whole = {**known["ranges"], **RANGES[kind]}, known["whole"]
        members = report.known(set(known["numbers"] + known["others"]))
        reading = Reading(kind)
        reading.add("device", device(members.get("device")))
        for name in known["numbers"]:
            value = number(members.get(name), *limits.get(name, ()))
            reading.add(name, value if name not in whole or value is None or value.is_integer() else None)
        if kind == "SKY":
            read_satellites(members.get("satellites"), reading)
    elif kind == "DEVICE":
        reading = Reading(kind)
        read_device(report.known(DEVICE), reading)
    elif kind == "DEVICES":
        reading = Reading(kind)
        elements = report.known(["class", "devices"]).get("devices")
        if not isinstance(elements, list) or isinstance(elements, Object):
            raise Malformed
        for index, element in enumerate(elements):
            if not isinstance(element, Object):
                raise Malformed
            read_device(element.known(DEVICE), reading if index < DEVICES else Reading(kind))
    elif kind == "VERSION":
        members = report.known(VERSION)
        reading = Reading(kind)
        reading.add("release", text(members.get("release")) or "")
        reading.add("rev", text(members.get("rev")))
        reading.add("remote", text(members.get("remote")))
        reading.add("proto_major", integer(members.get("proto_major")))
        reading.add("proto_minor", integer(members.get("proto_minor")))
    elif kind == "WATCH":
        members = report.known(WATCH)
        reading = Reading(kind)
        for name in ["enable", "json", "nmea", "scaled", "timing", "split24", "pps"]:
            reading.add(name, boolean(members.get(name)))
        reading.add("raw", integer(members.get("raw")))
        reading.add("device", device(members.get("device")))
        reading.add("remote", text(members.get("remote")))
    elif kind == "ERROR":
        reading = Reading(kind)
        reading.add("message", text(report.known(["class", "message"]).get("message")) or "")
    else:
        reading = Reading("other")
        reading.add("class", device(kind) or "")
    return " ".join(reading.words)


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    classes = json.loads(sys.argv[2])
    place = 0
    readings = []
    while place < len(data):
        (length,) = struct.unpack_from("<I", data, place)
        place += 4
        try:
            readings.append(read(data[place:place + length], classes))
        except (Malformed, ValueError, RecursionError):
            readings.append("malformed")
        place += length
    sys.stdout.write("\n".join(readings) + "\n")


main()
