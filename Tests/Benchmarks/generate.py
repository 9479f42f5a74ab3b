"""Writes gpsd's reports of a drive, of which no two lines are alike.

Fields come and go, and 5 to 30 satellites are in view, so that nothing can be learned by heart. The
seed makes it the same drive each time.
"""

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


def tpv(rng, second, share=0.9):
    """The position report of a second, with that share of the fields that may be missing."""
    fixed = [
        '"mode":3', f'"time":"{stamp(second)}"',
        f'"lat":{48 + rng.random():.9f}', f'"lon":{11 + rng.random():.9f}',
        f'"altHAE":{rng.uniform(400, 600):.4f}',
    ]
    fields = [
        f'"altMSL":{rng.uniform(400, 600):.4f}', f'"geoidSep":{rng.uniform(40, 50):.3f}',
        f'"track":{rng.uniform(0, 360):.4f}', f'"magtrack":{rng.uniform(0, 360):.4f}',
        f'"magvar":{rng.uniform(0, 5):.1f}', f'"speed":{rng.uniform(0, 30):.3f}',
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
    yield BANNER
    size -= len(BANNER)
    second = 0
    while size > 0:
        report = tpv(rng, second) + sky(rng, second)
        yield report
        size -= len(report)
        second += 1


def positions(count, seed=7):
    """So many position reports, all of them with the same fields."""
    rng = random.Random(seed)
    return [tpv(rng, second, share=1) for second in range(count)]
