import re
import unittest
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
CODE = r"(?ms)^```.*?^```$|^(?: {4}|\t).*?$|^\.nf$.*?^\.fi$|``?[^`\n]*``?|\]\([^)]*\)"


def replaced():
    """The words that documents do not use, each with the word for the same thing: a table of Sources/README.md."""
    table = (ROOT / "Sources/README.md").read_text().split("| not | but |\n")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in row.split("|")[1:3]] for row in table.splitlines()[1:]]
    return {word: instead for words, instead in rows for word in words.split(", ")}


def documents():
    found = [ROOT / "README.md", *(ROOT / "Sources/LocwatchCLI/Documents").glob("*.[157]")]
    for folder in ("Sources", "Tests", "Fixtures"):
        found += (ROOT / folder).rglob("*.md")
    return [path for path in found if path.name not in ("FaultMatrix.md",)]


class Words(unittest.TestCase):
    def test_a_thing_has_one_word_in_all_documents(self):
        words = replaced()
        self.assertGreaterEqual(len(words), 8)
        wrong = []
        for document in documents():
            text = document.read_text().split("| not | but |")[0]
            text = re.sub(CODE, " ", text)
            for word, instead in words.items():
                if re.search(rf"(?i)\b{word}\b", text):
                    wrong.append(f"{document.relative_to(ROOT)}: '{word}'; write '{instead}'")
        self.assertEqual(wrong, [])
