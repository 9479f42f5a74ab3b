"""Tests of makers.py and swift_text.py; `make lint` runs them."""

import unittest

import makers
import mutate
import swift_text


def mistakes(code, kind=None):
    """Returns how the mutants of some code read, each as its kind and line."""
    return [(m.kind, m.after) for m in makers.mutants("a.swift", code) if kind in (None, m.kind)]


def compiled(code, after):
    """Returns the code with the one mutant that reads so, and its helper."""
    [mutant] = [m for m in makers.mutants("a.swift", code) if m.after == after]
    mutant.number = 17
    text = makers.apply(code, [mutant])
    return text.split("\ninternal import CMutation\n")


class MaskTests(unittest.TestCase):
    def test_comments_are_spaces_and_strings_are_quotation_marks(self):
        self.assertEqual(swift_text.mask('a // b\n"c" /* /* d */ */ e'), 'a     \n"""               e')

    def test_an_interpolation_belongs_to_its_string(self):
        self.assertEqual(swift_text.mask(r'"\(a("b") + 1)" + c'), '"' * 15 + " + c")

    def test_raw_and_multiline_strings_end_where_they_should(self):
        self.assertEqual(swift_text.mask('#"a"b\\"# < c'), '"' * 8 + " < c")
        self.assertEqual(swift_text.mask('"""\n"a" < 1\n""" < c'), '"""\n"""""""\n\"\"\" < c')


class MakerTests(unittest.TestCase):
    def test_a_comparison_has_a_boundary_and_an_opposite(self):
        self.assertEqual(
            mistakes("x = a < b", "boundary") + mistakes("x = a < b", "comparison"),
            [("boundary", "x = a <= b"), ("comparison", "x = a >= b")])

    def test_both_sides_of_a_conjunction_can_be_dropped(self):
        self.assertEqual(
            [after for _, after in mistakes("let x = a && b")],
            ["let x = a && /* dropped */ b", "let x = a /* dropped */ && b", "let x = a || b"])

    def test_a_negation_and_a_sign_can_be_dropped(self):
        self.assertEqual(
            mistakes("let x = [!a, -b]"), [("negation", "let x = [a, -b]"), ("sign", "let x = [!a, b]")])

    def test_constants_are_one_more_or_the_other(self):
        self.assertEqual(
            [after for _, after in mistakes("let x = [0, 1.5, true, a.0, $0, a1, 0xff]")],
            ["let x = [1, 1.5, true, a.0, $0, a1, 0xff]", "let x = [0, 2.5, true, a.0, $0, a1, 0xff]",
             "let x = [0, 1.5, false, a.0, $0, a1, 0xff]"])

    def test_what_only_other_systems_compile_has_none(self):
        code = """#if os(Linux)
          let a = 1
          #if canImport(Dispatch)
            let b = 2
          #else
            let c = 3
          #endif
        #else
          let d = 4
        #endif
        #if canImport(Darwin)
          let e = 5
        #elseif canImport(Glibc)
          let f = 6
        #else
          let g = 7
        #endif
        let h = 8"""
        self.assertEqual(
            [after for _, after in mistakes(code)], ["let a = 2", "let b = 3", "let c = 4", "let f = 7", "let h = 9"])

    def test_strings_comments_heads_of_declarations_patterns_and_traps_have_none(self):
        for code in (
            'let x = "a < 1"', "// a < 1", "func f(a: Int = 1) where T == Int", "@available(macOS 15, *)",
            "#if compiler(>=6.3)", "    case 0..<5 where a < 1:", "precondition(a < 1)", "import A",
            "extension A where B == C", "enum A: Int { case a }", "let a: B<C>",
        ):
            self.assertEqual(mistakes(code), [], code)

    def test_the_body_of_a_declaration_has_some(self):
        self.assertEqual(mistakes("func f() -> Bool { a == b }"), [
            ("comparison", "func f() -> Bool { a != b }")])

    def test_a_statement_is_dropped_if_it_is_one_of_its_own(self):
        code = "func f() {\n  a = b\n  g()\n  let c = h(\n    i())\n  return\n}"
        self.assertEqual([m.line for m in makers.mutants("a.swift", code) if m.kind == "statement"], [2, 3, 6])

    def test_what_is_needed_is_no_statement_to_drop(self):
        for code in (
            "init() {\n  a = b\n  c = d\n}", "func f() -> Int {\n  g()\n}", "guard a else {\n  return\n}",
            "f(\n  g()\n)", "x = a\n  + f()", "let a: Int\na = f()", "f(\n  a)\n  .g()",
        ):
            self.assertEqual(mistakes(code, "statement"), [], code)

    def test_a_branch_is_never_taken_and_a_condition_is_dropped(self):
        self.assertEqual(
            mistakes("if let a, b { c() }"),
            [("branch", "if false { c() }"), ("condition", "if let a, true { c() }")])
        self.assertEqual(
            mistakes("guard a(x) else { return }", "condition"),
            [("condition", "guard true else { return }")])

    def test_neighbouring_arguments_are_swapped(self):
        self.assertEqual(mistakes("f(x: a.b, y: c.b, nil)", "swap"), [("swap", "f(x: c.b, y: a.b, nil)")])
        self.assertEqual(mistakes("func f(_ a: A, _ b: B)", "swap"), [])
        self.assertEqual(mistakes("x = max(a.b, c.b)", "swap"), [])

    def test_two_neighbouring_statements_are_dropped_or_exchanged(self):
        code = "func f() {\n  a = b\n  g()\n\n  h()\n  return\n}"
        found = [m for m in makers.mutants("a.swift", code) if m.kind in ("statements", "order")]
        self.assertEqual(
            [(m.kind, m.wrong) for m in found],
            [("order", "g()\n  a = b"), ("statements", "/* both dropped */")])
        self.assertEqual([m.line for m in found], [2, 2])

    def test_what_stands_twice_has_no_other_order(self):
        self.assertEqual(mistakes("func f() {\n  g()\n  g()\n}", "order"), [])

    def test_a_parameter_is_another_one_of_its_type(self):
        code = "func f(from start: Moment, to end: Moment, by: Int) -> Moment {\n  g(start: start, by)\n}"
        self.assertEqual(mistakes(code, "other value"), [("other value", "g(start: end, by)")])

    def test_a_property_is_another_one_where_it_is_read(self):
        code = (
            "struct A {\n  let first: Moment?\n  var last: Moment?\n  func f() -> Bool {\n"
            "    last = nil\n    return last == b.first\n  }\n}")
        self.assertEqual(mistakes(code, "other value"), [("other value", "return first == b.first")])

    def test_a_case_is_another_one_of_its_enumeration(self):
        code = "enum A {\n  case a, b\n  case c(Int)\n  static let x = [A.a, f(.b), .c(1)]\n}"
        self.assertEqual(mistakes(code, "other value"), [("other value", "static let x = [A.a, f(.a), .c(1)]")])


class ApplyTests(unittest.TestCase):
    def test_an_operator_becomes_one_of_the_file(self):
        text, helper = compiled("let x = a < b", "let x = a <= b")
        self.assertEqual(text, "let x = a <│┤ b")
        self.assertIn("infix operator <│┤: ComparisonPrecedence", helper)
        self.assertIn("{ mutant(17) ? a <= b : a < b }", helper)

    def test_a_statement_is_inside_a_condition(self):
        text, _ = compiled("func f() {\n  a = b\n}", "/* dropped */")
        self.assertEqual(text, "func f() {\n  if !mutant(17) { a = b }\n}")

    def test_statements_are_exchanged(self):
        code = "func f() {\n  a = b\n  g()\n}"
        [mutant] = [m for m in makers.mutants("a.swift", code) if m.kind == "order"]
        mutant.number = 17
        self.assertEqual(
            makers.apply(code, [mutant]).split("\ninternal")[0],
            "func f() {\n  if !mutant(17) { a = b }\n  g(); if mutant(17) { a = b }\n}")

    def test_mutants_stand_inside_each_other(self):
        code = "func f() {\n  a = b - 1\n}"
        chosen = makers.mutants("a.swift", code)
        for number, mutant in enumerate(chosen, 1):
            mutant.number = number
        self.assertEqual(
            makers.apply(code, chosen).split("\n")[1],
            "  if !mutant(1) { a = b -┌ (mutant(3) ? 2 : 1) }")
        self.assertFalse(chosen[0].overlaps(chosen[1]))

    def test_two_of_one_operator_exclude_each_other(self):
        first, second = makers.mutants("a.swift", "let x = a < b")
        self.assertTrue(first.overlaps(second))

    def test_lines_stay_where_they_are(self):
        code = "func f() {\n  if a, b < 1 {\n    c = d\n  }\n}"
        text, _ = compiled(code, "if false {")
        self.assertEqual(text, "func f() {\n  if a, b < 1, !mutant(17) {\n    c = d\n  }\n}")


class ChoiceTests(unittest.TestCase):
    CODE = "let x = a < b && c\nlet y = -1\nlet z = true\n"

    def test_a_seed_chooses_the_same_mutants_again(self):
        first, second, other = (
            [m.after for m in mutate.choose(makers.mutants("a.swift", self.CODE), 2, seed)]
            for seed in (1, 1, 2))
        self.assertEqual(first, second)
        self.assertNotEqual(first, other)

    def test_a_line_has_a_second_one_only_when_each_has_one(self):
        for seed in range(20):
            chosen = mutate.choose(makers.mutants("a.swift", self.CODE), 3, seed)
            self.assertEqual([m.line for m in chosen], [1, 2, 3])
            self.assertEqual([m.number for m in chosen], [1, 2, 3])

    def test_all_that_stand_beside_each_other_are_chosen_if_there_is_room(self):
        chosen = mutate.choose(makers.mutants("a.swift", self.CODE), 99, 1)
        self.assertEqual([m.start for m in chosen], [10, 14, 27, 28, 38])


if __name__ == "__main__":
    unittest.main()
