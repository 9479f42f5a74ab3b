"""Tests of suites.py, with a stand-in for the program of the tests; `make lint` runs them."""

import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path

import makers
from suites import Suites

PROGRAM = """#!/bin/sh
case $* in
  *--list-tests*) printf '%s\\n' 'CoreTests.Quick/a()' 'CoreTests.Broken/b()' 'CoreTests.Busy/c()'; exit ;;
esac
[ -z "$LOCWATCH_MUTANTS_SEEN" ] || echo 1 >>"$LOCWATCH_MUTANTS_SEEN"
case $* in
  *Broken*) kill -SEGV $$ ;;
  *Busy*) i=0; while [ $i -lt 1000000 ]; do i=$((i + 1)); done ;;
esac
[ -n "$LOCWATCH_MUTANT" ] || exit 0
first() { mkdir "$FOLDER/$1" 2>/dev/null; }
case $OUTCOME in
  crash) kill -SEGV $$ ;;
  crash-once) if first crash; then kill -SEGV $$; fi ;;
  fail) echo '✘ Test a() failed after 1 seconds with 1 issue.'; exit 1 ;;
  fail-once) if first fail; then echo '✘ Test a() failed after 1 seconds with 1 issue.'; exit 1; fi ;;
esac
exit 0
"""


class SuitesTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.program = Path(self.folder.name) / "tests"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)

    def suites(self, chosen="Quick", outcome="pass"):
        os.environ |= {"FOLDER": self.folder.name, "OUTCOME": outcome}
        suites = Suites(self.program, self.folder.name, chosen, slow=0.2, jobs=1)
        self.words = io.StringIO()
        with contextlib.redirect_stdout(self.words):
            suites.record()
        return suites

    def judged(self, outcome):
        mutant = makers.Mutant("Sources/Core/A.swift", "sign", 0, 1, "", [], number=1)
        suites = self.suites(outcome=outcome)
        with contextlib.redirect_stdout(self.words):
            return suites.judge(mutant).status

    def test_a_mutant_that_no_test_notices_survives(self):
        self.assertEqual(self.judged("pass"), "survived")

    def test_a_failure_and_a_crash_count_if_they_come_again(self):
        self.assertEqual(self.judged("fail"), "caught")
        self.assertEqual(self.judged("crash"), "crash")

    def test_what_comes_only_once_does_not_count(self):
        self.assertEqual(self.judged("fail-once"), "survived")
        self.assertEqual(self.judged("crash-once"), "survived")
        self.assertIn("a crash only once", self.words.getvalue())

    def test_suites_that_crash_without_a_mutant_are_left_out(self):
        self.assertEqual(list(self.suites("Quick|Broken").reached), ["CoreTests.Quick"])
        self.assertIn("ends with a crash without a mutant: CoreTests.Broken", self.words.getvalue())

    def test_suites_that_take_much_work_are_left_out(self):
        self.assertEqual(list(self.suites("Quick|Busy").reached), ["CoreTests.Quick"])
        self.assertIn("of processor time: CoreTests.Busy", self.words.getvalue())


if __name__ == "__main__":
    unittest.main()
