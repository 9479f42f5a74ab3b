import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parent / "expectations.py"
EXPECTED = [
    {"class": "SKY", "hdop": 1.5, "satellites": [{"PRN": 5, "el": 30.0, "used": True, "gnssid": 0, "svid": 5}]},
    {"class": "TPV", "mode": 3, "time": "T1", "lat": 48.5, "lon": 11.5, "track": 90.0, "magtrack": 93.0,
     "magvar": 3.0, "epx": 3.0, "epy": 4.0},
    {"class": "TPV", "mode": 3, "time": "T2", "lat": 48.6, "lon": 11.5},
]
FIXES = [
    {"time": "T1", "mode": 3, "lat": 48.5, "lon": 11.5, "track": 90.0, "magtrack": 87.0, "magvar": 3.0, "epx": 3.0,
     "epy": 4.0, "accuracy": 5.0, "hdop": 1.5, "satsUsed": 1,
     "satellites": [{"PRN": 5, "gnssid": 0, "svid": 5, "el": 30.0, "used": True}]},
    {"time": "T2", "mode": 3, "lat": 48.6, "lon": 11.5},
]


class Expectations(unittest.TestCase):
    def compare(self, fixes):
        """Returns the status and the lines, where locwatch writes these fixes."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ["log", "json"]:
                Path(folder, name).mkdir()
            Path(folder, "log/a.log.chk").write_text(
                "$GPGGA,\n" + "".join(json.dumps(report, separators=(",", ":")) + "\n" for report in EXPECTED))
            Path(folder, "json/a.jsonl").write_text('{"class":"VERSION","release":"3.22"}\n')
            Path(folder, "fixes").write_text("".join(json.dumps(fix) + "\n" for fix in fixes))
            names = {name: {} for fix in FIXES for name in fix}
            Path(folder, "schema").write_text(json.dumps({"$defs": {"fix": {"properties": names}}}))
            locwatch = Path(folder, "locwatch")
            locwatch.write_text(
                f'#!/bin/sh\n[ "$1" = --generate ] && exec cat "{folder}/schema"\nexec cat "{folder}/fixes"\n')
            locwatch.chmod(0o755)
            run = subprocess.run(
                [sys.executable, "-B", SCRIPT, locwatch, folder], capture_output=True, text=True, check=False)
            return run.returncode, [line.strip() for line in run.stdout.splitlines()[1:]]

    def test_numbers_that_differ_are_right_by_a_rule(self):
        self.assertEqual(self.compare(FIXES), (0, [
            "16  equal", "1  track minus variation, where gpsd adds them",
            "1  accuracy from epx and epy, where gpsd reports no eph"]))

    def test_another_number_is_an_error(self):
        for name, value in [("lat", 48.500001), ("magtrack", 93.1), ("hdop", 1.4), ("accuracy", 5.1)]:
            status, lines = self.compare([FIXES[0] | {name: value}, FIXES[1]])
            self.assertEqual(status, 1, name)
            self.assertIn(f"a: T1 {'eph' if name == 'accuracy' else name}: {value}, expected", "\n".join(lines))

    def test_a_number_of_a_satellite_is_an_error(self):
        satellite = FIXES[0]["satellites"][0] | {"el": 31.0}
        self.assertIn("a: T1 (5, None, 'el'): 31.0, expected [30.0]",
                      self.compare([FIXES[0] | {"satellites": [satellite]}, FIXES[1]])[1])

    def test_a_missing_number_and_a_missing_fix_are_errors(self):
        without_track = {name: value for name, value in FIXES[0].items() if name != "track"}
        self.assertEqual(self.compare([without_track])[1][-2:], ["a: T1 track: missing", "a: T2: no fix"])


if __name__ == "__main__":
    unittest.main()
