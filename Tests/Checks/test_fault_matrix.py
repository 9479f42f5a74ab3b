"""Tests of fault-matrix.py, with a matrix and tests of its own; `make lint` runs them."""

import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).with_name("fault-matrix.py")
PAGE = """\
# Matrix of faults

| # | fault | how | what happens | tested in |
| --- | --- | --- | --- | --- |
| 2 | gpsd's `-b` | I | `lost` | LinkTests, TimeTests |
| 1 | a stop | G | a `no-daemon` | LinkTests, `make faults` |
| 4 | a machine | V | a hint | `make check-vm` |
"""
LINK = """\
/// Faults of the link: 7 are known. Faults 1 and 2.
@Suite struct `A link` {}
"""
TIME = """\
@Suite struct `Time` {
  @Test func `2: a time that stops`() {}
  @Test func `3 satellites are enough`() {}
}
"""


class FaultMatrixTests(unittest.TestCase):
    def run_script(self, page, *options, link=LINK, time=TIME):
        """Returns the status, the errors without their first word, and the page afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            tests = Path(folder) / "Tests"
            (tests / "CoreTests" / "Time").mkdir(parents=True)
            (tests / "FaultMatrix.md").write_text(page)
            (tests / "CoreTests" / "LinkTests.swift").write_text(link)
            (tests / "CoreTests" / "Time" / "TimeTests.swift").write_text(time)
            run = subprocess.run([SCRIPT, *options, folder], stderr=subprocess.PIPE, text=True)
            errors = [line.removeprefix("error: ") for line in run.stderr.splitlines() if line.startswith("error: ")]
            return run.returncode, errors, (tests / "FaultMatrix.md").read_text()

    def test_a_matrix_of_the_tests_is_right(self):
        self.assertEqual(self.run_script(PAGE), (0, [], PAGE))

    def test_a_file_that_is_missing_or_too_many_is_an_error(self):
        for cell in "LinkTests", "LinkTests, OldTests, TimeTests", "TimeTests, LinkTests":
            page = PAGE.replace("LinkTests, TimeTests", cell)
            self.assertEqual(self.run_script(page), (
                1, [f"fault 2: the matrix names '{cell}', the tests are 'LinkTests, TimeTests'"], page))

    def test_the_column_is_written_with_what_is_no_test(self):
        page = PAGE.replace("LinkTests, TimeTests", "OldTests").replace("LinkTests, `make", "`make")
        self.assertEqual(self.run_script(page, "--write"), (0, [], PAGE))

    def test_a_number_has_one_row(self):
        page = PAGE.replace("| 4 |", "| 1 |")
        self.assertEqual(self.run_script(page, "--write")[:2], (1, ["fault 1: 2 rows have this number"]))

    def test_a_test_of_a_fault_without_a_row_is_an_error(self):
        link = LINK.replace("1 and 2", "1 to 3, 5 and 9")
        self.assertEqual(self.run_script(PAGE, link=link)[:2], (1, [
            "fault 3: LinkTests provokes it, and no row has this number",
            "fault 5: LinkTests provokes it, and no row has this number",
            "fault 9: LinkTests provokes it, and no row has this number"]))

    def test_a_row_without_a_test_is_an_error(self):
        page = PAGE.replace("| `make check-vm` |", "| |")
        self.assertEqual(self.run_script(page)[:2], (1, ["fault 4: no test says that it provokes it"]))


if __name__ == "__main__":
    unittest.main()
