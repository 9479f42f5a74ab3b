"""Tests of fault-matrix.py; `make lint` runs them."""

import importlib.util
import tempfile
import unittest
from pathlib import Path

spec = importlib.util.spec_from_file_location("matrix", Path(__file__).with_name("fault-matrix.py"))
matrix = importlib.util.module_from_spec(spec)
spec.loader.exec_module(matrix)

PAGE = """\
| # | fault | how | what happens |
| --- | --- | --- | --- |
| 2 | gpsd's `-b` | I | `lost` |
| 1 | a stop | G | a `no-daemon` |
| 4 | a machine | `make check-vm` | a hint |
"""
FILES = {1: {"LinkTests"}, 2: {"LinkTests", "TimeTests"}}


class FaultMatrixTests(unittest.TestCase):
    def test_the_numbers_of_names_and_comments_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            tests = Path(folder) / "Tests" / "CoreTests"
            tests.mkdir(parents=True)
            (tests / "LinkTests.swift").write_text(
                "/// Faults of the link: 7 are known. Faults 1, 4 to 6 and 2.\n@Suite struct `A link` {}\n")
            (tests / "TimeTests.swift").write_text(
                "  @Test func `2: a time that stops`() {}\n  @Test func `3 satellites are enough`() {}\n")
            (tests / "end.session").write_text("# Fault 7.\n== An end.\n  - Fault 8.\n")
            link, time = "Tests/CoreTests/LinkTests.swift", "Tests/CoreTests/TimeTests.swift"
            end = "Tests/CoreTests/end.session"
            self.assertEqual(
                matrix.tagged(Path(folder)), {1: {link}, 2: {link, time}, 4: {link}, 5: {link}, 6: {link}, 7: {end}})

    def test_a_matrix_of_the_tests_is_right(self):
        self.assertEqual(matrix.mistakes(PAGE, FILES), [])

    def test_a_number_has_one_row(self):
        self.assertEqual(
            matrix.mistakes(PAGE.replace("| 4 |", "| 1 |"), FILES), ["fault 1: 2 rows have this number"])

    def test_a_test_of_a_fault_without_a_row_is_an_error(self):
        self.assertEqual(matrix.mistakes(PAGE, FILES | {9: {"A", "B"}}), [
            "fault 9: A, B provokes it, and no row has this number"])

    def test_a_row_without_a_test_or_a_command_is_an_error(self):
        self.assertEqual(matrix.mistakes(PAGE.replace("`make check-vm`", "V"), FILES), [
            "fault 4: no test and no command provokes it"])


if __name__ == "__main__":
    unittest.main()
