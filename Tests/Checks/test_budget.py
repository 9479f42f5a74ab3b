"""Tests of the check of the lines of each target."""
import pathlib
import tempfile
import unittest

import budget


class BudgetTests(unittest.TestCase):
    def test_counts_swift_and_c_but_no_documentation(self):
        with tempfile.TemporaryDirectory() as root:
            folder = pathlib.Path(root)
            for name in ["a.swift", "Sub/b.c", "include/c.h", "A.docc/d.swift", "e.md"]:
                (folder / name).parent.mkdir(exist_ok=True)
                (folder / name).write_text("1\n2\n")
            self.assertEqual(budget.lines(folder), 6)

    def test_wants_a_limit_for_each_target_and_none_for_others(self):
        self.assertEqual(budget.problems({"A": 50}, {"A": 50}), [])
        self.assertEqual(
            budget.problems({"A": 1, "B": 1}, {"B": 1, "C": 1}),
            ["Sources/Budget.md has no limit for A", "Sources/Budget.md: there is no target C"])

    def test_names_a_target_that_has_too_many_lines(self):
        self.assertEqual(
            budget.problems({"A": 1051, "B": 50}, {"A": 1050, "B": 50}),
            ["A has 1,051 lines, 1 more than Sources/Budget.md allows: "
             "remove some, or raise its limit and say why"])

    def test_lowers_limits_and_raises_none(self):
        table = "| target | lines |\n| --- | --- |\n| `A` | 1,200 |\n| `B` | 50 |\n| `C` | 100 |\n"
        self.assertEqual(
            budget.lowered(table, {"A": 1001, "B": 51, "C": 100}), table.replace("1,200", "1,050"))


if __name__ == "__main__":
    unittest.main()
