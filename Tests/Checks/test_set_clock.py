"""Tests of Packaging/set-clock, with programs in the place of those that it runs: no clock is set."""

import os
import pathlib
import subprocess
import tempfile
import time
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "Sources/Packaging/set-clock"
YEAR = 31557600
WEEKS = 1024 * 7 * 86400
NOW = 1_800_000_000
STUBS = {
    "timedatectl": "echo ${SYNCHRONISED-no}",
    "setpriv": 'while [ "$1" != locwatch ]; do shift; done; exec "$@"',
    "locwatch": 'cat "$STUBS/fixes"',
    # Its time stands still; a date to set is written down.
    "date": """for word; do case $word in
      --set=@*) echo "${word#--set=@}" >"$STUBS/set"; exit ;;
      --date=*) exec /bin/date "$@" ;;
    esac; done
    case $1 in +%s.%N) echo $NOW.000 ;; *) echo $NOW ;; esac""",
    # No other file than the program is there, unless a test has made it.
    "stat": """for path; do :; done
    case $path in /usr/bin/locwatch) echo $BUILT ;; *) cat "$STUBS/$(basename "$path")" 2>/dev/null ;; esac""",
}


class SetClock(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in STUBS.items():
            (self.folder / name).write_text(f"#!/bin/sh\n{text}\n")
            (self.folder / name).chmod(0o755)

    def run_with(self, ages, built=NOW - YEAR, **variables):
        """What the clock is set to, if it is; the status and the message. An age is by how much the clock is ahead."""
        lines = [age if isinstance(age, str) else f"{age} true -" for age in ages]
        (self.folder / "fixes").write_text("".join(line + "\n" for line in lines))
        (self.folder / "set").unlink(missing_ok=True)
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "STUBS": str(self.folder),
                       "NOW": str(NOW), "BUILT": str(built), **variables}
        result = subprocess.run(["sh", SCRIPT, "localhost"], env=environment, capture_output=True, text=True, timeout=20)
        path = self.folder / "set"
        moment = float(path.read_text()) if path.exists() else None
        return moment, result.returncode, result.stdout + result.stderr

    def assert_left(self, ages, words, **options):
        moment, status, said = self.run_with(ages, **options)
        self.assertEqual((moment, status), (None, 1), said)
        self.assertIn(words, said)
        self.assertIn("the clock is left as it is", said)

    def assert_set(self, ages, expected, **options):
        moment, status, said = self.run_with(ages, **options)
        self.assertEqual((moment, status), (expected, 0), said)
        self.assertIn("the clock is set by five fixes of localhost", said)

    def test_sets_a_clock_that_is_slow_or_fast(self):
        self.assert_set([-3600.0] * 6, NOW + 3600)
        self.assert_set([86400.0] * 6, NOW - 86400)
        self.assert_set([-10 * YEAR] * 6, NOW + 10 * YEAR)

    def test_leaves_one_that_is_right_or_synchronised(self):
        self.assertEqual(self.run_with([0.4] * 6)[:2], (None, 0))
        self.assertEqual(self.run_with([-3600.0] * 6, SYNCHRONISED="yes")[:2], (None, 0))

    def test_sets_it_to_no_time_before_the_program_was_built(self):
        self.assert_left([WEEKS] * 6, "locwatch was built later")
        self.assert_left([YEAR + 60] * 6, "locwatch was built later")
        self.assert_set([YEAR - 60] * 6, NOW - YEAR + 60)

    def test_sets_it_to_no_time_15_years_after_that(self):
        self.assert_left([-WEEKS] * 6, "more than 15 years after locwatch was built")
        self.assert_left([-73 * YEAR] * 6, "more than 15 years after locwatch was built")
        self.assert_left([-14 * YEAR - 60] * 6, "more than 15 years")
        self.assert_set([-14 * YEAR + 60] * 6, NOW + 14 * YEAR - 60)

    def test_wants_all_fixes_but_the_first_to_agree(self):
        lie = -5.0 * YEAR
        self.assert_left([0.0] * 3 + [lie] * 3, "do not agree")
        self.assert_left([0.0] * 2 + [lie] * 4, "do not agree")
        self.assert_left([0.0] * 5 + [lie], "do not agree")
        self.assert_left([-100.0] * 5 + [-101.5], "do not agree")
        self.assert_left([-100.0] * 5, "do not agree")
        self.assert_left([-100.0] * 5 + ["-100 true jump"], "are doubted")
        self.assert_left([-100.0] * 5 + ["-100 false -"], "are doubted")
        self.assert_set([lie] + [-100.0] * 5, NOW + 100)
        self.assert_set([-100.0] * 5 + ["-100.9 true stored"], NOW + 100.9)

    def test_asks_no_file_that_a_wrong_clock_has_written(self):
        """After one lie of ten years, these are of ten years ahead: the truth must still be taken."""
        for name in "clock", "chrony.drift", "fake-hwclock.data", "clock-epoch":
            (self.folder / name).write_text(str(NOW + 10 * YEAR))
        self.assert_set([10 * YEAR - 3600] * 6, NOW + 3600, NOW=str(NOW + 10 * YEAR))


if __name__ == "__main__":
    unittest.main()
