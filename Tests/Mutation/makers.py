"""Makes mutants of Swift code by text.

A mutant is one small mistake. All mutants of a file are compiled together, each behind a switch: `§` in a text
below stands for its number, and `mutant(§)` is true if that number was chosen when the program started.
An operator becomes one of the file's own, which is either the right or the wrong one; that needs no knowledge
of where its operands begin and end.
"""

import re
from dataclasses import dataclass

import swift_text
import switched


@dataclass
class Mutant:
    """A mistake: how it is compiled, and how it reads."""

    path: str
    kind: str
    start: int
    end: int
    wrong: str
    """What a person would have written from `start` to `end`."""
    edits: list
    """Ranges of the text and what takes their place, in order."""
    helper: str = ""
    """Declarations that the edits use, for the end of the file."""
    likelihood: float = 1
    """How often it is to be chosen, compared with others."""
    number: int = 0
    line: int = 0
    height: int = 0
    """The number of its lines after the first."""
    before: str = ""
    after: str = ""
    status: str = ""
    test: str = ""

    def overlaps(self, other):
        """Whether the edits of both cannot be made together. Insertions around another mutant can."""
        return any(
            a < d and c < b or a == c and (a < b) == (c < d)
            for a, b, _ in self.edits for c, d, _ in other.edits)


_BINARY = re.compile(
    r"(?<=\s)(?:<=|>=|==|!=|<|>|&&|\|\||\+=|-=|\+|-|\*|/|%|\?\?)(?=\s+[^\s{])"
    r"|(?<=[\w)\]])(?:\.\.<|\.\.\.)(?=[\w(.$])")
_PREFIX = re.compile(r"(?<=[\s(\[{])[!-](?=[\w($])")
_NUMBER = re.compile(r"(?<![\w.$\"<])\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?(?![\w\"])")
_BOOL = re.compile(r"(?<![\w.])(?<!while )(?:true|false)\b(?!:)")

_KEYWORDS = set(
    "let var func return if guard for while repeat switch case default defer do catch throw break continue "
    "import init deinit subscript struct class enum extension protocol typealias actor associatedtype else "
    "public package internal fileprivate private static final mutating nonisolated lazy weak unowned inout "
    "in where is as operator precedencegroup infix prefix postfix indirect convenience required override "
    "fallthrough yield super get set willSet didSet _read _modify".split())
_STATEMENT = re.compile(r"(?:(?:try|await|unsafe) )*(?P<target>[A-Za-z_`][\w.`]*|\$\d)")
_ASSIGNMENT = re.compile(r" (?:[-+*/%&|^]|<<|>>|&[-+*])?= ")


class Code:
    """The text of a file, and what is known of it."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.masked = swift_text.mask(text)
        self.pairs = swift_text.brackets(self.masked)
        self.excluded = sorted(swift_text.declarations(self.masked, self.pairs))
        self.blocks = sorted(
            (start, end, swift_text.header(self.masked, start))
            for start, end in self.pairs.items() if self.masked[start] == "{")
        self.uninitialised = set(re.findall(r"^ *(?:let|var) (\w+)(?:: [^={\n]+)?$", self.masked, re.M))

    def is_excluded(self, offset):
        return any(start <= offset < end for start, end in self.excluded)

    def line(self, offset):
        return self.text.count("\n", 0, offset) + 1

    def enclosing(self, offset):
        """Returns the headers of the blocks around an offset, the innermost last."""
        return [header for start, end, header in self.blocks if start < offset < end]

    def is_in_brackets(self, offset):
        """Whether the innermost bracket around an offset is no brace."""
        around = [(start, end) for start, end in self.pairs.items() if start < offset < end]
        return bool(around) and self.masked[max(around)[0]] != "{"


def mutants(path, text):
    """Returns all mutants of a file's text, in the order of the text."""
    code = Code(path, text)
    found = []
    for maker in (_operators, _prefixes, _constants, _opposites, _conditions, _statements, _pairs, _swaps, _others):
        found += maker(code)
    found = [m for m in found if not code.is_excluded(m.start)]
    found.sort(key=lambda m: (m.start, m.end, m.kind, m.wrong))
    lines = text.split("\n")
    for mutant in found:
        mutant.line = code.line(mutant.start)
        mutant.height = text.count("\n", mutant.start, mutant.end)
        mutant.before = lines[mutant.line - 1].strip()
        mutated = text[: mutant.start] + mutant.wrong + text[mutant.end :]
        mutant.after = mutated.split("\n")[mutant.line - 1].strip()
    return found


def apply(text, mutants):
    """Returns the text with all of the mutants in it, each behind its switch."""
    if not mutants:
        return text
    edits = [
        (start, end, -mutant.end if start == end == mutant.start else mutant.start,
         switched.numbered(new, mutant.number))
        for mutant in mutants for start, end, new in mutant.edits]
    # At one offset, what ends comes first, and the outer insertion stands outside.
    pieces, position = [], 0
    for start, end, _, new in sorted(edits, key=lambda e: (e[0], e[1], e[2])):
        pieces += [text[position:start], new]
        position = end
    helpers = "".join(switched.numbered(mutant.helper, mutant.number) for mutant in mutants)
    return "".join(pieces) + text[position:] + "\ninternal import CMutation\n" + helpers


def _operators(code):
    for match in _BINARY.finditer(code.masked):
        operator = match.group()
        for kind, wrong, helper in switched.OPERATORS[operator]:
            yield Mutant(
                code.path, kind, match.start(), match.end(), wrong,
                [(match.start(), match.end(), operator + "¤")], helper)


def _prefixes(code):
    for match in _PREFIX.finditer(code.masked):
        operator = match.group()
        kind, signature = (
            ("negation", "(a: Bool) -> Bool") if operator == "!"
            else ("sign", "<T: SignedNumeric>(a: T) -> T"))
        helper = (
            f"prefix operator {operator}¤\n"
            f"private prefix func {operator}¤ {signature} {{ mutant(§) ? a : {operator}a }}\n")
        yield Mutant(
            code.path, kind, match.start(), match.end(), "",
            [(match.start(), match.end(), operator + "¤")], helper)


def _constants(code):
    for match in _NUMBER.finditer(code.masked):
        right = match.group()
        wrong = repr(float(right.replace("_", "")) + 1) if re.search("[.eE]", right) else str(
            int(right.replace("_", "")) + 1)
        yield Mutant(
            code.path, "constant", match.start(), match.end(), wrong,
            [(match.start(), match.end(), f"(mutant(§) ? {wrong} : {right})")])
    for match in _BOOL.finditer(code.masked):
        wrong, new = ("false", "!mutant(§)") if match.group() == "true" else ("true", "mutant(§)")
        yield Mutant(
            code.path, "constant", match.start(), match.end(), wrong, [(match.start(), match.end(), new)])


def _opposites(code):
    for pattern, wrong, helper in switched.OPPOSITES:
        for match in pattern.finditer(code.masked):
            yield Mutant(
                code.path, "opposite", match.start(), match.end(), wrong,
                [(match.start(), match.end(), "mutant§")], helper + "\n")


def _conditions(code):
    """The branch of an `if` never taken, and a condition among several, or of a `guard`, dropped."""
    masked = code.masked
    for match in re.finditer(r"(?<![\w.`#])(if|guard) (?!#)", masked):
        keyword = match.group(1)
        end = swift_text.find(
            re.compile(r"\{" if keyword == "if" else r"\belse\b"), masked, code.pairs, match.end())
        if not end:
            continue
        clauses = swift_text.split(masked, code.pairs, match.end(), end.start())
        if keyword == "if":
            stop = clauses[-1][1]
            yield Mutant(
                code.path, "branch", clauses[0][0], stop, "false", [(stop, stop, ", !mutant(§)")])
            if len(clauses) == 1:
                continue
        for start, stop in clauses:
            if re.match(r"(?:let|var|case|#|\()\b|.*\b(?:try|await)\b", masked[start:stop], re.S):
                continue
            yield Mutant(
                code.path, "condition", start, stop, "true",
                [(start, start, "(mutant(§) || ("), (stop, stop, "))")])


def _statements(code):
    """A statement of one line dropped."""
    for _, start, stop in _single_statements(code):
        yield Mutant(
            code.path, "statement", start, stop, "/* dropped */",
            [(start, start, "if !mutant(§) { "), (stop, stop, " }")])


def _pairs(code):
    """Two statements on neighbouring lines, both dropped, or exchanged."""
    found = [one for one in _single_statements(code) if code.text[one[1] : one[2]] not in _LEAVING]
    for (line, a, b), (next_line, c, d) in zip(found, found[1:]):
        if next_line != line + 1:
            continue
        first, second = code.text[a:b], code.text[c:d]
        yield Mutant(
            code.path, "statements", a, d, "/* both dropped */",
            [(a, a, "if !mutant(§) { "), (d, d, " }")], likelihood=0.5)
        if first != second:
            yield Mutant(
                code.path, "order", a, d, second + code.text[b:c] + first,
                [(a, a, "if !mutant(§) { "), (b, b, " }"), (d, d, f"; if mutant(§) {{ {first} }}")],
                likelihood=0.5)


_LEAVING = ("return", "continue", "break")


def _single_statements(code):
    """Statements of one line that are an assignment or a call, or leave a block: line, start and end of each."""
    lines, offset = code.masked.split("\n"), 0
    for index, line in enumerate(lines):
        start, offset = offset + len(line) - len(line.lstrip()), offset + len(line) + 1
        text = line.strip()
        stop = start + len(text)
        if text in _LEAVING:
            enclosing = code.enclosing(start)
            if enclosing and re.search(r"\belse$|^guard\b", enclosing[-1]):
                continue
        else:
            if not _is_droppable(code, text, start, stop) or not _stands_alone(lines, index):
                continue
        yield index, start, stop


def _is_droppable(code, text, start, stop):
    match = _STATEMENT.match(text)
    if not match or match["target"].split(".")[0] in _KEYWORDS or match["target"].endswith(".init"):
        return False
    # Brackets that close on other lines belong to a longer statement.
    for offset in range(start, stop):
        if code.masked[offset] in "([{" and code.pairs.get(offset, stop) >= stop:
            return False
    if sum(map(text.count, "([{")) != sum(map(text.count, ")]}")) or code.is_in_brackets(start):
        return False
    if _ASSIGNMENT.search(text):
        # What is set for the first time cannot be left out.
        target = match["target"].removeprefix("self.")
        return not (
            target in code.uninitialised
            or any(re.search(r"\binit[?!]?[(<]", header) for header in code.enclosing(start)))
    return text[-1] in ")}" and "(" in text or text[-1] == "}"


def _stands_alone(lines, index):
    """Whether a line is a statement of its own, and not the value of its block."""
    before = next((line.strip() for line in reversed(lines[:index]) if line.strip()), "")
    after = next((line.strip() for line in lines[index + 1 :] if line.strip()), "")
    if re.search(r"[-+*/%<>=&|,.?(\[^]$", before) or re.match(r"[.?:{)\]&|<>=+*/%,-]|else\b|as\b", after):
        return False
    if before.endswith(":") and not re.match(r"case\b|default\b|@unknown\b|.*\bwhere\b", before):
        return False
    is_only = re.search(r"\{$|\bin$", before) and after.startswith("}")
    if is_only and not _ASSIGNMENT.search(lines[index]):
        return bool(re.match(r"(?:\} )?(?:if|else|for|while|defer|do)\b", before)) or (
            bool(re.search(r"\bfunc\b|^\)", before)) and "->" not in before)
    return True


def _swaps(code):
    """Two neighbouring arguments of a call, exchanged."""
    masked = code.masked
    for match in re.finditer(r"(?<![\w`@#.])(?:[\w`]+\??!?\.)*[\w`]+\(|\.\w+\(", masked):
        opening = match.end() - 1
        if opening not in code.pairs or re.match(
                r"(?:func|init|case|if|while|switch)\b", masked[match.start() : opening]):
            continue
        arguments = []
        for start, stop in swift_text.split(masked, code.pairs, opening + 1, code.pairs[opening]):
            label = re.compile(r"\w+:\s+").match(masked, start, stop)
            arguments.append((label.end() if label else start, stop))
        for (a, b), (c, d) in zip(arguments, arguments[1:]):
            first, second = code.text[a:b], code.text[c:d]
            if first == second or not _may_have_one_type(masked[a:b], masked[c:d]):
                continue
            yield Mutant(
                code.path, "swap", a, d, second + code.text[b:c] + first,
                [(a, b, f"(mutant(§) ? {second} : {first})"), (c, d, f"(mutant(§) ? {first} : {second})")],
                likelihood=1 if _last_word(first) == _last_word(second) else 0.1)


# A parameter, or a property, and its type.
_TYPED = re.compile(
    r"(?<![\w.])(\w+): (?:inout |borrowing |consuming )?(\[?[A-Z][\w.<>?\[\]]*)(?= *(?:[,)=\n{]|$))")


def _others(code):
    """A parameter or a property read where another of the same type could be meant, or another case of the enum."""
    masked = code.masked
    for start, end, header in code.blocks:
        if re.search(r"\bfunc\b|\binit\b|\bsubscript\b", header):
            yield from _other_names(code, header, start, end)
        elif re.search(r"\b(?:struct|class|actor)\b", header):
            yield from _other_names(code, _level(code, start, end), start, end)
        elif re.search(r"\benum\b", header):
            yield from _other_cases(code, _level(code, start, end))


def _level(code, start, end):
    """Returns the text of a block without the blocks in it."""
    inner = [(a, b) for a, b, _ in code.blocks if start < a and b < end]
    pieces, position = [], start + 1
    for a, b in inner:
        if a >= position:
            pieces.append(code.masked[position:a])
            position = b
    return "".join(pieces) + code.masked[position:end]


def _other_names(code, declarations, start, end):
    by_type = {}
    for match in _TYPED.finditer(declarations):
        by_type.setdefault(match[2], []).append(match[1])
    for names in by_type.values():
        names = list(dict.fromkeys(names))
        for name, other in zip(names, names[1:] + names[:1]) if len(names) > 1 else ():
            # Read, and neither declared, a label, a member of something else, nor assigned to.
            read = re.compile(
                rf"(?<![\w.&@#`])(?<!let )(?<!var )(?<!func ){name}(?![\w`(]|:|\s*[-+*/]?=[^=]|\s*,? in\b)")
            for match in read.finditer(code.masked, start, end):
                yield Mutant(
                    code.path, "other value", match.start(), match.end(), other,
                    [(match.start(), match.end(), f"(mutant(§) ? {other} : {name})")], likelihood=0.3)


def _other_cases(code, declarations):
    names = [name for line in re.findall(r"^ *case ([\w`, ]+)$", declarations, re.M) for name in line.split(", ")]
    for name, other in zip(names, names[1:] + names[:1]) if len(names) > 1 else ():
        for match in re.finditer(rf"(?<![\w.)\]?!])\.{name}(?![\w(.:])", code.masked):
            yield Mutant(
                code.path, "other value", match.start(), match.end(), f".{other}",
                [(match.start(), match.end(), f"(mutant(§) ? .{other} : .{name})")], likelihood=0.3)


def _last_word(text):
    """Returns the last word of a name, or what kind of literal it is: a hint of its type."""
    if re.match(r"[\d-]", text):
        return "1"
    words = re.findall(r"[A-Z]?[a-z]+", text)
    return words[-1].lower() if words else text


def _may_have_one_type(first, second):
    for text in (first, second):
        if not text or "\n" in text or re.search(r"&|\{|\b(?:let|var|try|await|in|self)\b|#|^\.?\w+:", text):
            return False
        if re.fullmatch(r"[\"#]*|nil|true|false|[^\w\"]+", text):
            return False
    return True
