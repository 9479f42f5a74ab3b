"""Writes gpsd's reports of a drive, or what a receiver sends during one, of which no two lines are alike.

Fields come and go, and 5 to 30 satellites are in view, so that nothing can be learned by heart. The
seed makes it the same drive each time.
"""

import math
import random
import time

ACCURACIES = ("ept", "epx", "epy", "epv", "eps", "epc", "eph", "sep")
BANNER = (
    '{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n'
    '{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox",'
    '"activated":"2026-11-20T07:08:35.301Z","native":0,"bps":9600,"parity":"N","stopbits":1,'
    '"cycle":1.00}]}\r\n'
)


def stamp(second):
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(1_700_000_000 + second))


class Car:
    """What moves: no position is farther from the one before than the speed explains."""

    def __init__(self, rng):
        self.rng = rng
        self.lat, self.lon, self.alt = 48 + rng.random(), 11 + rng.random(), rng.uniform(400, 600)
        self.track, self.speed = rng.uniform(0, 360), 0.0

    def drive(self):
        """Moves on by a second."""
        self.speed = self.rng.uniform(0, 30)
        self.track = (self.track + self.rng.uniform(-30, 30)) % 360
        metres, angle = self.speed * self.rng.uniform(0.5, 1), math.radians(self.track)
        self.lat += metres * math.cos(angle) / 111_320
        self.lon += metres * math.sin(angle) / 111_320
        # Between 400 and 600 m.
        self.alt += self.rng.uniform(-2, 2) - 0.01 * (self.alt - 500)


def tpv(car, second, share=0.9):
    """The position report of a second, with that share of the fields that may be missing."""
    rng = car.rng
    car.drive()
    fixed = [
        '"mode":3', f'"time":"{stamp(second)}"', f'"lat":{car.lat:.9f}', f'"lon":{car.lon:.9f}',
        f'"altHAE":{car.alt:.4f}',
    ]
    fields = [
        f'"altMSL":{car.alt - 45 + rng.uniform(-1, 1):.4f}', f'"geoidSep":{rng.uniform(40, 50):.3f}',
        f'"track":{car.track:.4f}', f'"magtrack":{rng.uniform(0, 360):.4f}',
        f'"magvar":{rng.uniform(0, 5):.1f}', f'"speed":{car.speed:.3f}',
        f'"climb":{rng.uniform(-1, 1):.3f}',
    ] + [f'"{name}":{rng.uniform(0, 40):.3f}' for name in ACCURACIES]
    known = [field for field in fields if rng.random() < share]
    return '{"class":"TPV","device":"/dev/ttyACM0",' + ",".join(fixed + known) + "}\r\n"


def sky(rng, second):
    satellites = ",".join(
        f'{{"PRN":{3 * n + 1},"gnssid":{rng.randint(0, 3)},"svid":{n + 1},'
        f'"az":{rng.uniform(0, 359):.1f},"el":{rng.uniform(0, 90):.1f},'
        f'"ss":{rng.uniform(10, 50):.1f},"used":{rng.choice(("true", "false"))}}}'
        for n in range(rng.randint(5, 30)))
    dops = ",".join(
        f'"{name}dop":{rng.uniform(0.5, 3):.2f}' for name in ("x", "y", "v", "t", "h", "g", "p"))
    return (f'{{"class":"SKY","device":"/dev/ttyACM0","time":"{stamp(second)}",{dops},'
            f'"satellites":[{satellites}]}}\r\n')


def drive(size, seed=5):
    """Position and sky reports in turn, at least `size` bytes in all."""
    rng = random.Random(seed)
    car = Car(rng)
    yield BANNER
    size -= len(BANNER)
    second = 0
    while size > 0:
        report = tpv(car, second) + sky(rng, second)
        yield report
        size -= len(report)
        second += 1


def positions(count, seed=7):
    """The given number of position reports, all with the same fields."""
    car = Car(random.Random(seed))
    return [tpv(car, second, share=1) for second in range(count)]


def sentence(text):
    """A sentence of NMEA with its checksum."""
    checksum = 0
    for byte in text.encode():
        checksum ^= byte
    return f"${text}*{checksum:02X}\r\n"


def angle(degrees, digits):
    """Degrees and minutes, with that many digits of degrees."""
    return f"{int(degrees):0{digits}}{degrees % 1 * 60:09.6f}"


def raw_log(count, seed=9):
    """The sentences of a receiver, for that many seconds of a drive."""
    rng = random.Random(seed)
    car = Car(rng)
    for second in range(count):
        car.drive()
        date, time_of_day = stamp(second).rstrip("Z").replace("-", "").replace(":", "").split("T")
        place = f"{angle(car.lat, 2)},N,{angle(car.lon, 3)},E"
        satellites = [
            f"{n + 1:02},{rng.randint(0, 90):02},{rng.randint(0, 359):03},{rng.randint(10, 50):02}"
            for n in range(rng.randint(5, 24))]
        used = [satellite[:2] for satellite in satellites][:12]
        hdop = rng.uniform(0.5, 3)
        yield sentence(f"GNRMC,{time_of_day},A,{place},{car.speed * 1.944:.3f},{car.track:.2f},"
                       f"{date[6:]}{date[4:6]}{date[2:4]},,,A")
        yield sentence(f"GNGGA,{time_of_day},{place},1,{len(used):02},{hdop:.2f},{car.alt:.1f},M,"
                       f"{rng.uniform(40, 50):.1f},M,,")
        yield sentence(f"GNGSA,A,3,{','.join(used + [''] * (12 - len(used)))},{hdop + 1:.2f},{hdop:.2f},"
                       f"{rng.uniform(0.5, 2):.2f}")
        parts = [satellites[start:start + 4] for start in range(0, len(satellites), 4)]
        for number, part in enumerate(parts):
            yield sentence(f"GPGSV,{len(parts)},{number + 1},{len(satellites):02},{','.join(part)}")
