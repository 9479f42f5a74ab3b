import re
import unittest
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def shell_lines(heading):
    """Returns the lines of the blocks for a shell under a heading of the README."""
    section = (ROOT / "README.md").read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [line for block in re.findall(r"(?s)\n```sh\n(.*?)```", section) for line in block.splitlines()]


class Workflow(unittest.TestCase):
    def test_runs_what_the_readme_tells_a_newcomer_to_run(self):
        workflow = (ROOT / ".github/workflows/ci.yml").read_text()
        steps = re.findall(r"(?m)^      - run: (.*)$", workflow)
        self.assertEqual(steps, [line for line in shell_lines("Install") + shell_lines("Contributing") if line.startswith("make ")])

    def test_every_target_that_a_workflow_makes_exists(self):
        makefiles = [ROOT / name for name in ("Makefile", "Tests/checks.mk", "Sources/Packaging/release.mk")]
        targets = {line.split(":")[0] for file in makefiles for line in file.read_text().splitlines() if " ## " in line}
        for workflow in (ROOT / ".github/workflows").iterdir():
            made = re.findall(r"(?m)^      - run: make (\S+)", workflow.read_text())
            self.assertTrue(made and targets.issuperset(made), f"{workflow.name}: {made}")

    def test_runs_on_the_systems_and_the_oldest_swift_that_the_readme_names(self):
        workflow = (ROOT / ".github/workflows/ci.yml").read_text()
        readme = (ROOT / "README.md").read_text()
        for name, image in [("Debian 12", "bookworm"), ("Ubuntu 24.04", "noble")]:
            self.assertIn(name, readme)
            self.assertRegex(workflow, rf"system: \[.*\b{image}\b.*\]")
        oldest = re.search(r"\[Swift\]\(\S*\) (\S+) or later", readme)[1]
        self.assertIn(f'swift: ["{oldest}-", ""]', workflow)
