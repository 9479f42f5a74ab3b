"""Tests of run-tests.py, with a stand-in for the program of the tests; `make lint` runs them."""

import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

SCRIPT = Path(__file__).with_name("run-tests.py")
PASSED = """\
◇ Test run started.
◇ Suite "Lines" started.
◇ Test "is one" started.
noise
◇ Test case passing 1 argument a → 1 to "is one" started.
\x1b[32m✔\x1b[0m Test "is one" with 1 test case passed after 0.001 seconds.
➜ Test "needs root" skipped: "only root may do that"
➜ Suite "Slow" skipped.
✔ Suite "Lines" passed after 0.001 seconds.
━ Test run with 1 test in 1 suite passed after 0.002 seconds with 1 known issue.
"""
FAILED = """\
◇ Test "is two" started.
✘ Test "is two" recorded an issue with 1 argument a → 1 at A.swift:3:5: Expectation failed: 1 == 2
↳ this is why
another line of it
✘ Test "is two" failed after 0.001 seconds with 1 issue.
✘ Test run with 1 test in 1 suite failed after 0.002 seconds with 1 issue.
"""
CRASHED = """\
◇ Test "ends" started.
✔ Test "ends" passed after 0.001 seconds.
◇ Test "crashes" started.
Fatal error: Index out of range
"""


def state(pid):
    """The state of a process, as proc(5) has it: T is a stopped one."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def end(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class RunTests(unittest.TestCase):
    def run_tests(self, output, end):
        """Returns the status, what is printed, and the log, of tests that print and end so."""
        with tempfile.TemporaryDirectory() as folder:
            program, log = Path(folder) / "tests", Path(folder) / "log" / "tests.log"
            program.write_text(f"#!/bin/sh\ncat <<'OUTPUT'\n{output}OUTPUT\necho \"$@\" >'{folder}/words'\n{end}\n")
            program.chmod(0o755)
            run = subprocess.run([SCRIPT, log, program, "--filter", "a b"], stdout=subprocess.PIPE, text=True)
            self.assertEqual(
                (Path(folder) / "words").read_text(), "--testing-library swift-testing --filter a b\n")
            return run.returncode, run.stdout.replace(str(log), "LOG").splitlines(), log.read_text()

    def test_what_passes_is_one_line_beside_what_was_skipped(self):
        status, lines, log = self.run_tests(PASSED, "exit 0")
        self.assertEqual(status, 0)
        self.assertEqual(lines, [
            "", 'skipped: Suite "Slow"', 'skipped: Test "needs root": only root may do that',
            "tests and suites that were skipped: 2", "The whole output is in LOG.",
            "Test run with 1 test in 1 suite passed after 0.002 seconds with 1 known issue."])
        self.assertEqual(log, PASSED.replace("\x1b[32m", "").replace("\x1b[0m", ""))

    def test_what_fails_is_printed_with_its_output(self):
        status, lines, _ = self.run_tests(FAILED, "exit 1")
        self.assertEqual(status, 1)
        self.assertEqual(lines[:4], ["", *FAILED.splitlines()[1:4]])
        self.assertEqual(lines[-1], "Test run with 1 test in 1 suite failed after 0.002 seconds with 1 issue.")

    def test_a_crash_names_what_was_under_way(self):
        status, lines, _ = self.run_tests(CRASHED, "kill -SEGV $$")
        self.assertEqual(status, 139)
        self.assertIn("  Fatal error: Index out of range", lines)
        self.assertEqual([line for line in lines if "under way" in line], ['error: was under way: "crashes"'])
        self.assertEqual(lines[-1], "No test run came to its end.")

    def test_an_end_before_the_last_test_is_a_failure(self):
        self.assertEqual(self.run_tests(CRASHED, "exit 0")[0], 1)

    def test_tests_that_are_stopped_end_with_the_script(self):
        with tempfile.TemporaryDirectory() as folder:
            program, pid = Path(folder) / "tests", Path(folder) / "pid"
            program.write_text(f"#!/bin/sh\necho '{CRASHED}'\necho $$ >'{pid}'\nkill -STOP $$\n")
            program.chmod(0o755)
            run = subprocess.Popen([SCRIPT, Path(folder) / "tests.log", program], stdout=subprocess.PIPE, text=True)
            self.addCleanup(run.stdout.close)
            deadline = time.monotonic() + 30
            while not (pid.exists() and (text := pid.read_text()) and state(int(text)) == "T"):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.01)
            self.addCleanup(end, int(text))
            run.terminate()
            self.addCleanup(run.kill)
            lines = run.communicate(timeout=30)[0].splitlines()
            self.assertEqual(run.returncode, 143)
            self.assertIn('error: was under way: "crashes"', lines)

    def test_the_beginning_of_a_long_failure_is_printed(self):
        words = FAILED.replace("another line of it\n", "another line of it\n" * 100)
        _, lines, _ = self.run_tests(words, "exit 1")
        self.assertEqual(lines.count("another line of it"), 58)
        self.assertIn("(42 more lines are in the log)", lines)


if __name__ == "__main__":
    unittest.main()
