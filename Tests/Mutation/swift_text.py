"""What mutate.py has to know of Swift's syntax: comments, strings, brackets, and where declarations end."""

import re

OPENING = {"(": ")", "[": "]", "{": "}"}


def mask(text):
    """Returns the text with comments as spaces and strings as quotation marks, at the same offsets."""
    masked = list(text)
    position = 0
    while position < len(text):
        start = position
        if text.startswith("//", position):
            position = _end(text, "\n", position)
            _fill(masked, start, position, " ")
        elif text.startswith("/*", position):
            position = _end_of_comment(text, position)
            _fill(masked, start, position, " ")
        elif match := re.compile(r'#*"').match(text, position):
            position = _end_of_string(text, position, match.end() - position - 1)
            _fill(masked, start, position, '"')
        else:
            position += 1
    return "".join(masked)


def _fill(masked, start, end, character):
    masked[start:end] = [c if c == "\n" else character for c in masked[start:end]]


def _end(text, what, position):
    found = text.find(what, position)
    return len(text) if found < 0 else found


def _end_of_comment(text, position):
    depth = 0
    for match in re.compile(r"/\*|\*/").finditer(text, position):
        depth += 1 if match.group() == "/*" else -1
        if depth == 0:
            return match.end()
    return len(text)


def _end_of_string(text, position, hashes):
    """Returns the end of the string at `position`, after as many `#` and one or three quotation marks."""
    position += hashes
    quote = '"""' if text.startswith('"""', position) else '"'
    position += len(quote)
    escape, end = "\\" + "#" * hashes, quote + "#" * hashes
    while position < len(text):
        if text.startswith(end, position):
            return position + len(end)
        if text.startswith(escape + "(", position):
            position = _end_of_interpolation(text, position + len(escape))
        elif text.startswith(escape, position):
            position += len(escape) + 1
        else:
            position += 1
    return position


def _end_of_interpolation(text, position):
    depth = 0
    while position < len(text):
        if match := re.compile(r'#*"').match(text, position):
            position = _end_of_string(text, position, match.end() - position - 1)
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
        if depth == 0:
            break
    return position


def brackets(masked):
    """Returns the offset of the closing bracket for that of each opening one."""
    pairs, stack = {}, []
    for offset, character in enumerate(masked):
        if character in OPENING:
            stack.append(offset)
        elif stack and character == OPENING[masked[stack[-1]]]:
            pairs[stack.pop()] = offset
    return pairs


def split(masked, pairs, start, end, separator=","):
    """Returns the trimmed ranges between the separators that are inside no bracket."""
    ranges, first, position = [], start, start
    while position < end:
        if masked[position] == separator:
            ranges.append((first, position))
            first = position + 1
        position = pairs.get(position, position) + 1
    ranges.append((first, end))
    return [trim(masked, *range) for range in ranges]


def trim(masked, start, end):
    while start < end and masked[start].isspace():
        start += 1
    while end > start and masked[end - 1].isspace():
        end -= 1
    return start, end


def find(pattern, masked, pairs, start):
    """Returns the first match of a pattern from `start` on that is inside no bracket."""
    position = start
    while position <= len(masked) and masked[position : position + 1] not in (")", "]", "}"):
        if match := pattern.match(masked, position):
            return match
        position = pairs.get(position, position) + 1
    return None


def header(masked, brace):
    """Returns the text that belongs to an opening brace: the declaration or statement before it."""
    start = masked.rfind("\n", 0, brace) + 1
    indent = re.compile(r" *").match(masked, start).group()
    while masked.startswith(indent + ")", start) and start > 0:
        before = masked.rfind("\n" + indent, 0, start - 1)
        while before >= 0 and masked[before + 1 + len(indent)] in " \n":
            before = masked.rfind("\n" + indent, 0, before)
        start = before + 1
    return masked[start:brace].strip()


_MODIFIERS = (
    r"(?:public|package|internal|fileprivate|private|static|final|mutating|nonmutating|nonisolated"
    r"|consuming|borrowing|convenience|required|override|indirect|isolated|prefix|postfix|infix"
    r"|(?:private|fileprivate|package)\(set\)|nonisolated\(\w+\))")
_DECLARATION = re.compile(
    r"^[ ]*(?:@\w+(?:\([^)\n]*\))?\s+)*(?:" + _MODIFIERS + r"\s+)*"
    r"(?:func|init|subscript|extension|struct|class|enum|protocol|actor|typealias|associatedtype"
    r"|operator|precedencegroup|import|deinit)\b", re.MULTILINE)
_LABEL = re.compile(r"^[ ]*(?:indirect +)?case\b", re.MULTILINE)
_END_OF_HEAD = re.compile(r"\{|\n(?! *(?:where\b|->|async\b|throws\b|\)|\.))|\Z")
_END_OF_LABEL = re.compile(r":|\n(?= *[\w@}])|\Z")
_LINE = re.compile(r"^[ ]*#\w+.*$|@\w+(?:\([^)\n]*\))?", re.MULTILINE)
_TRAP = re.compile(r"\b(?:precondition|preconditionFailure|assert|assertionFailure|fatalError)\(")


def declarations(masked, pairs):
    """Returns the ranges that are no code to mutate: heads of declarations, patterns of cases, directives,
    attributes, and conditions that only a programmer's mistake breaks."""
    ranges = [match.span() for match in _LINE.finditer(masked)]
    for match in _DECLARATION.finditer(masked):
        end = find(_END_OF_HEAD, masked, pairs, match.end())
        ranges.append((match.start(), end.start() if end else match.end()))
    for match in _LABEL.finditer(masked):
        end = find(_END_OF_LABEL, masked, pairs, match.end())
        ranges.append((match.start(), end.start() if end else match.end()))
    for match in _TRAP.finditer(masked):
        ranges.append((match.start(), pairs.get(match.end() - 1, match.end())))
    return ranges


_DIRECTIVE = re.compile(r"^[ ]*#(if|elseif|else|endif)\b *(.*)$", re.MULTILINE)
_HERE = {"os(Linux)": True, "canImport(Glibc)": True, "canImport(Musl)": False, "canImport(Darwin)": False}


def elsewhere(masked):
    """Returns the ranges that only other systems compile."""
    ranges, levels = [], []
    for match in _DIRECTIVE.finditer(masked):
        word, condition = match.groups()
        if word == "if":
            levels.append((False, None))
        if not levels:
            continue
        is_decided, start = levels.pop()
        if start is not None:
            ranges.append((start, match.start()))
        if word != "endif":
            is_here = None if word == "else" else _HERE.get(condition.strip())
            is_absent = is_decided or is_here is False
            levels.append((is_decided or is_here is True, match.end() if is_absent else None))
    return ranges
