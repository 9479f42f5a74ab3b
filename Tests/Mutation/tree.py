"""A copy of the tree in which the mutants are compiled. The working tree is never changed."""

import json
import os
import re
import stat
import subprocess
import sys
import time
from pathlib import Path

import makers

# Those of the Makefile.
_OPTIONS = ["--disable-index-store", "-debug-info-format", "none"]
_MANIFEST = """
package.targets.append(.target(name: "CMutation", path: "Tests/Mutation/CMutation"))
for target in package.targets
where target.name != "CMutation" && target.type != .system && target.type != .test
  && target.path?.hasPrefix("Tests") != true
{
  target.dependencies.append("CMutation")
}
"""


class Tree:
    """A copy of the files that git knows, with a `.build` of its own that is kept for the next time."""

    def __init__(self, root, copy):
        self.root, self.copy = Path(root), Path(copy)
        self.texts = {}

    def text(self, path):
        """Returns the text of a file as it was when it was first asked for: a person may change it meanwhile."""
        if path not in self.texts:
            self.texts[path] = (self.root / path).read_text()
        return self.texts[path]

    @property
    def tests(self):
        """The program that runs the tests."""
        return next((self.copy / ".build/debug").glob("*.xctest"))

    def mirror(self):
        """Brings the copy up to date, all files but those that are mutated."""
        names = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=self.root, check=True,
            stdout=subprocess.PIPE).stdout.decode().split("\0")
        kept = {self.copy / name for name in names if name and (self.root / name).is_file()}
        for copied in kept:
            name = str(copied.relative_to(self.copy))
            if name == "Package.swift":
                self._write(name, (self.text(name) + _MANIFEST).encode())
            elif name not in self.texts:
                self._write(name, (self.root / name).read_bytes())
        for copied in self.copy.rglob("*"):
            parts = copied.relative_to(self.copy).parts
            if parts[0] != ".build" and copied.is_file() and copied not in kept:
                copied.unlink()

    def mutate(self, mutants):
        """Writes the files that were looked at, with all of the mutants in them."""
        for path in self.texts:
            if path.endswith(".swift") and path != "Package.swift":
                of_file = [mutant for mutant in mutants if mutant.path == path]
                self._write(path, makers.apply(self.text(path), of_file).encode())

    def _write(self, name, content):
        """Writes a file if its content is another one, so that what has not changed is not built again."""
        copied = self.copy / name
        copied.parent.mkdir(parents=True, exist_ok=True)
        if not copied.is_file() or copied.read_bytes() != content:
            copied.write_bytes(content)
        copied.chmod(stat.S_IMODE((self.root / name).stat().st_mode))

    def tests_reaching(self, mutants, live_tests, is_live):
        """Returns the test targets that depend on what the mutants are in; live ones only where they are to run."""
        manifest = json.loads(subprocess.run(
            ["swift", "package", "dump-package"], cwd=self.root, check=True, stdout=subprocess.PIPE).stdout)
        needs = {target["name"]: {_name(d) for d in target["dependencies"]} for target in manifest["targets"]}
        reached = {mutant.path.split("/")[1] for mutant in mutants}
        while more := {name for name, needed in needs.items() if needed & reached} - reached:
            reached |= more
        tests = sorted(target["name"] for target in manifest["targets"]
                       if target["type"] == "test" and target["name"] in reached)
        # What documents say is compared with a build that has no mutants.
        return [name for name in tests
                if name != "DocumentationTests" and (is_live or not re.search(live_tests, name))]

    def build(self, mutants, tests):
        """Builds the test targets with all of the mutants that compile, and returns those; the others' status says
        that they do not compile."""
        self.mirror()
        # Mutants are full of code that is never reached: a warning.
        environment = os.environ | {"LOCWATCH_TESTS": " ".join(tests), "LOCWATCH_OPTIMIZED": "1"}
        environment.pop("LOCWATCH_WARNINGS_AS_ERRORS", None)
        while True:
            self.mutate(mutants)
            begin = time.monotonic()
            build = subprocess.run(
                ["swift", "build", "--product", "locwatchPackageTests", *_OPTIONS], cwd=self.copy, env=environment,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
            if build.returncode == 0:
                return mutants
            wrong = _culprits(mutants, _errors(build.stdout, self.copy))
            if not wrong:
                sys.exit(build.stdout[-5000:] + "\nmutate: the copy does not build")
            print(
                f"  {len(wrong)} do not compile and are left out ({time.monotonic() - begin:.0f} s)",
                flush=True)
            for mutant in wrong:
                mutant.status = "does not compile"
            mutants = [mutant for mutant in mutants if not mutant.status]


def _name(dependency):
    """Returns the name of the target of a dependency in a manifest."""
    return next(iter(dependency.values()))[0]


def _errors(output, copy):
    """Returns the places of the compiler's errors, as path and line."""
    pattern = re.compile(rf"^{re.escape(str(copy.resolve()))}/(.+?):(\d+):\d+: error: ", re.MULTILINE)
    return {(match[1], int(match[2])) for match in pattern.finditer(output)}


def _culprits(mutants, errors):
    """Returns the mutants on the lines of the errors, or the nearest ones of the file: what a function lacks
    is often said at its end."""
    wrong = []
    for path, line in sorted(errors):
        of_file = [mutant for mutant in mutants if mutant.path == path]
        on_line = [m for m in of_file if m.line <= line <= m.line + m.height]
        before = [mutant for mutant in of_file if mutant.line < line]
        if on_line:
            wrong += on_line
        elif not any(p == path and m.path == path and m.line <= l <= m.line + m.height
                     for p, l in errors for m in of_file):
            wrong += [max(before, key=lambda m: m.line)] if before else of_file[:1]
    return list({mutant.number: mutant for mutant in wrong}.values())
