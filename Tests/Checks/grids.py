#!/usr/bin/env python3
"""Compares UTM, UPS and MGRS coordinates with GeoConvert, of GeographicLib, on 10,000 points: the
poles, the borders of zones and bands, the exceptions of Norway and Svalbard, and random ones.

Usage: grids.py LOCWATCH
"""
import json
import random
import subprocess
import sys

POINTS = 10_000
MOST = 0.001  # metres; half a millimetre of it is the rounding of what locwatch writes


def points():
    """The places where the grids change, and random places."""
    by = (-1e-9, 0, 1e-9)
    borders = [
        (latitude + d, longitude + e)
        for latitude in [*range(-80, 80, 8), 84] for longitude in range(-180, 181, 30)
        for d in by for e in by
    ]
    exceptions = [
        (latitude + d, longitude + e)
        for latitude in (56, 60, 64, 72, 78, 84) for longitude in (0, 3, 6, 9, 12, 21, 33, 42)
        for d in by for e in by
    ]
    poles = [
        (side * (90 - d), longitude)
        for side in (-1, 1) for d in (0, 1e-9, 0.001, 1, 5, 5.9, 9.9) for longitude in range(-180, 181, 15)
    ]
    places = [p for p in borders + exceptions + poles if abs(p[0]) <= 90 and abs(p[1]) <= 180]
    print(f"{len(places)} points on and beside borders")
    generator = random.Random(1)
    while len(places) < POINTS:
        latitude = generator.choice(
            [generator.uniform(-90, 90), generator.uniform(80, 90), generator.uniform(-90, -79)])
        places.append((latitude, generator.uniform(-180, 180)))
    return [(round(latitude, 9), round(longitude, 9)) for latitude, longitude in places]


def run(command, text):
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{command[0]}: {result.stderr}")
    return result.stdout.splitlines()


def main():
    places = points()
    reports = "".join(
        json.dumps({
            "class": "TPV", "device": "/dev/gps0", "mode": 2, "lat": latitude, "lon": longitude,
            "time": f"2026-11-20T{7 + i // 3600:02}:{i // 60 % 60:02}:{i % 60:02}.000Z",
        }) + "\n" for i, (latitude, longitude) in enumerate(places))
    ours = run([sys.argv[1], "--replay", "-", "--format", "%utm %mgrs"], reports)
    text = "".join(f"{latitude:.9f} {longitude:.9f}\n" for latitude, longitude in places)
    theirs = run(["GeoConvert", "-u", "-p", "6"], text)
    references = run(["GeoConvert", "-m", "-p", "0"], text)
    if not len(ours) == len(theirs) == len(references) == POINTS:
        sys.exit(f"{len(ours)} lines for {POINTS} points")
    most, failures = 0, 0
    for place, our, their, reference in zip(places, ours, theirs, references):
        band, easting, northing, mgrs = our.split()
        zone, east, north = their.split()
        difference = max(abs(float(easting) - float(east)), abs(float(northing) - float(north)))
        most = max(most, difference)
        hemisphere = zone[:-1] + ("n" if band[-1] >= "N" else "s")
        if difference >= MOST or zone != hemisphere or mgrs != reference \
                or not mgrs.startswith(band):
            failures += 1
            print(f"{place}: {our}, by GeoConvert {their} {reference}", file=sys.stderr)
    print(f"{POINTS} points: {failures} differ from GeoConvert; at most {most * 1000:.4f} mm")
    sys.exit(failures > 0)


main()
