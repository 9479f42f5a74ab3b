#!/usr/bin/env python3
"""Writes a recording of a drive of 25 minutes with a stop, for the picture of a report in the README."""

import json
import math

DEVICE = "/dev/ttyACM0"
START = (2026, 11, 20)
# PRN, elevation, azimuth and signal strength, of GPS, Galileo and GLONASS.
SATELLITES = [
    (0, 5, 74, 201, 46), (0, 13, 61, 88, 44), (0, 15, 48, 295, 43), (0, 20, 41, 130, 41),
    (0, 24, 37, 255, 40), (0, 29, 33, 43, 38), (0, 2, 27, 318, 36), (0, 12, 15, 171, 27),
    (2, 11, 66, 330, 43), (2, 25, 44, 60, 41), (2, 3, 30, 215, 37), (2, 8, 12, 110, 26),
    (6, 7, 52, 160, 40), (6, 8, 25, 350, 34), (6, 23, 9, 280, 22),
]


def speed(second):
    """The speed in metres per second: a town, a stop of 4 minutes, a road, and a town again."""
    if 520 <= second < 760:
        return 0.0
    top = 27.0 if 860 <= second < 1240 else 13.0
    edges = [second, abs(second - 520), abs(second - 760), abs(second - 860), abs(second - 1240), 1500 - second]
    near = min(edges) / 12
    bend = 0.75 + 0.25 * math.sin(second / 23)
    return top * bend * min(1, max(near, 0.25))


def course(second):
    return (70 + 75 * math.sin(second / 170) + 35 * math.sin(second / 47)) % 360


def write(**members):
    print(json.dumps(members, separators=(",", ":")))


def main():
    latitude, longitude = 48.12, 11.51
    day = "%d-%02d-%02dT" % START
    write(**{"class": "LOCWATCH", "t": 0.0, "start": day + "07:29:59.800Z"})
    write(**{"class": "VERSION", "release": "3.22", "rev": "3.22", "proto_major": 3, "proto_minor": 14})
    device = {"class": "DEVICE", "path": DEVICE, "driver": "u-blox", "activated": day + "07:29:59.000Z"}
    write(**{"class": "DEVICES", "devices": [device]})
    for second in range(1501):
        write(**{"class": "LOCWATCH", "t": round(second + 0.2, 3)})
        if second % 20 == 0:
            write(**{"class": "SKY", "device": DEVICE, "hdop": 0.8, "vdop": 1.1, "pdop": 1.4, "satellites": [
                {"PRN": number, "gnssid": system, "svid": number, "el": elevation + second / 150,
                 "az": (azimuth + second / 60) % 360, "ss": strength + 3 * math.sin(second / 90 + number),
                 "used": elevation > 14}
                for system, number, elevation, azimuth, strength in SATELLITES]})
        now, heading = speed(second), math.radians(course(second))
        latitude += now * math.cos(heading) / 111_200
        longitude += now * math.sin(heading) / 74_200
        clock = 7 * 3600 + 30 * 60 + second
        noise = 0.4 * math.sin(second * 1.7), 0.4 * math.sin(second * 2.3 + 1)
        write(**{
            "class": "TPV", "device": DEVICE, "mode": 3, "speed": round(now, 3), "track": round(course(second), 2),
            "time": "%s%02d:%02d:%02d.000Z" % (day, clock // 3600, clock // 60 % 60, clock % 60),
            "lat": round(latitude + noise[0] / 111_200, 9), "lon": round(longitude + noise[1] / 74_200, 9),
            "altMSL": round(545 + 35 * math.sin(second / 420) + noise[0], 2), "eph": 2.1, "epv": 3.4})


main()
