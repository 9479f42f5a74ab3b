#!/usr/bin/env python3
"""Draws what a terminal shows, from `tmux capture-pane -p -e` on standard input, as an SVG picture.

Usage: picture.py COLUMNS TITLE

Braille is drawn as dots and block elements as rectangles, because few fonts have them in the width of
their letters.
"""

import re
import sys
from xml.sax.saxutils import escape

# The size of a cell in user units, the distance from its top to the base line, and the margin.
WIDTH, HEIGHT, BASE, MARGIN = 8.4, 18, 13.5, 14
BACKGROUND, FOREGROUND = "#16191d", "#d8dee4"
NAMED = ["#3b4148", "#e06c5c", "#7fb86b", "#d9a441", "#5b9bd5", "#c184c4", "#52b0b0", "#c8ced4"]
BRIGHT = ["#7d858d", "#f08a7a", "#9bd088", "#efc067", "#7fb5e6", "#d8a4da", "#78cccc", "#ffffff"]


def palette(number):
    if number < 8:
        return NAMED[number]
    if number < 16:
        return BRIGHT[number - 8]
    if number < 232:
        number -= 16
        levels = [number // 36, number // 6 % 6, number % 6]
        return "#%02x%02x%02x" % tuple(55 + 40 * level if level else 0 for level in levels)
    return "#%02x%02x%02x" % ((8 + 10 * (number - 232),) * 3)


class Style:
    def __init__(self):
        self.color, self.bold, self.dim, self.reverse = None, False, False, False

    def apply(self, codes):
        codes = [int(code or 0) for code in codes]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.__init__()
            elif code == 1:
                self.bold = True
            elif code == 2:
                self.dim = True
            elif code == 7:
                self.reverse = True
            elif code == 22:
                self.bold = self.dim = False
            elif code == 27:
                self.reverse = False
            elif code == 38 and codes[:1] == [5]:
                self.color, codes = palette(codes[1]), codes[2:]
            elif code == 38 and codes[:1] == [2]:
                self.color, codes = "#%02x%02x%02x" % tuple(codes[1:4]), codes[4:]
            elif 30 <= code <= 37:
                self.color = NAMED[code - 30]
            elif code == 39:
                self.color = None
            elif 90 <= code <= 97:
                self.color = BRIGHT[code - 90]

    def key(self):
        return (self.color or FOREGROUND, self.bold, self.dim, self.reverse)


def cells(line):
    """Yields the column, the character and the style of each cell that is not blank."""
    style, column = Style(), 0
    for part in re.split(r"(\x1b\[[\d;]*m)", line):
        if part.startswith("\x1b["):
            style.apply(part[2:-1].split(";"))
            continue
        for character in part:
            if character != " " or style.reverse:
                yield column, character, style.key()
            column += 1


def braille(code, x, y):
    # The bits of the dots, column by column from the top.
    places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
    dots = [places[bit] for bit in range(8) if code >> bit & 1]
    return "".join(
        "M%.1f %.1fh.01" % (x + (column + 0.5) * WIDTH / 2, y + (row + 0.5) * HEIGHT / 4)
        for column, row in dots)


def block(character, x, y):
    """Returns the rectangle of a block element."""
    code = ord(character)
    if 0x2581 <= code <= 0x2588:
        part = (code - 0x2580) / 8
        return "M%.1f %.1fh%.1fv%.1fh-%.1fz" % (
            x, y + HEIGHT * (1 - part), WIDTH + 0.1, HEIGHT * part, WIDTH + 0.1)
    part = (0x2590 - code) / 8
    return "M%.1f %.1fh%.1fv%.1fh-%.1fz" % (x, y + 3, WIDTH * part + 0.1, HEIGHT - 6, WIDTH * part + 0.1)


def picture(lines, columns, title):
    dots, blocks, texts, backs = {}, {}, [], []
    for row, line in enumerate(lines):
        y = MARGIN + row * HEIGHT
        run = None
        for column, character, key in cells(line):
            x = MARGIN + column * WIDTH
            color, bold, dim, reverse = key
            if reverse:
                backs.append((color, "M%.1f %.1fh%.1fv%dh-%.1fz" % (x, y, WIDTH, HEIGHT, WIDTH)))
            if 0x2800 <= ord(character) <= 0x28FF:
                dots.setdefault((color, dim), []).append(braille(ord(character) - 0x2800, x, y))
            elif 0x2581 <= ord(character) <= 0x258F:
                blocks.setdefault((color, dim), []).append(block(character, x, y))
            elif run and run[0] == key and run[1] + len(run[2]) in (column, column - 1):
                run[2] += " " * (column - run[1] - len(run[2])) + character
            else:
                run = [key, column, character]
                texts.append((y, run))
    width, height = 2 * MARGIN + columns * WIDTH, 2 * MARGIN + len(lines) * HEIGHT
    yield '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" role="img">' % (width, height)
    yield "<title>%s</title>" % escape(title)
    yield '<rect width="100%%" height="100%%" rx="8" fill="%s"/>' % BACKGROUND
    for color, path in backs:
        yield '<path fill="%s" d="%s"/>' % (color, path)
    for (color, dim), paths in blocks.items():
        yield '<path fill="%s"%s d="%s"/>' % (color, ' opacity=".6"' if dim else "", "".join(paths))
    for (color, dim), paths in dots.items():
        yield '<path stroke="%s"%s stroke-width="2.4" stroke-linecap="round" d="%s"/>' % (
            color, ' opacity=".6"' if dim else "", "".join(paths))
    yield '<g font-family="ui-monospace,DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14" xml:space="preserve">'
    for y, ((color, bold, dim, reverse), column, text) in texts:
        yield '<text x="%.1f" y="%.1f" textLength="%.1f" lengthAdjust="spacingAndGlyphs" fill="%s"%s%s>%s</text>' % (
            MARGIN + column * WIDTH, y + BASE, len(text) * WIDTH, BACKGROUND if reverse else color,
            ' font-weight="bold"' if bold else "", ' opacity=".6"' if dim else "", escape(text))
    yield "</g></svg>"


print("\n".join(picture(sys.stdin.read().splitlines(), int(sys.argv[1]), sys.argv[2])))
