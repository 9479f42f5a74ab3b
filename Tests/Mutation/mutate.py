#!/usr/bin/env python3
"""Measures how many small mistakes in the code the tests notice; see README.md."""

import argparse
import os
import random
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True

import makers
from suites import Suites
from tree import Tree

ROOT = Path(__file__).resolve().parents[2]
CAUGHT = ("caught", "crash", "hang")


def main():
    arguments = parse()
    begin = time.monotonic()

    def say(words):
        print(f"[{time.monotonic() - begin:4.0f} s] {words}", flush=True)

    tree = Tree(ROOT, ROOT / ".build/mutation")
    mutants = choose(candidates(arguments, tree), arguments.count, arguments.seed)
    if not mutants:
        sys.exit("mutate: there is no Swift code in Sources to mutate in what was named")
    say(f"building {len(mutants)} mutants")
    built = tree.build(mutants, tree.tests_reaching(mutants, arguments.live_tests, arguments.live))
    say(f"running the unit tests to see which of {len(built)} mutants they reach")
    # What documents say is compared with a build that has no mutants.
    others = f"^(?!.*(?:{arguments.live_tests}|^DocumentationTests))"
    unit = Suites(tree.tests, tree.copy, others, arguments.slow, arguments.jobs)
    unit.record()
    say("running the unit tests with each mutant")
    judge(built, unit, arguments.jobs)
    if arguments.live:
        rest = [mutant for mutant in built if mutant.status not in CAUGHT]
        say(f"running the live tests to see which of {len(rest)} mutants they reach")
        live = Suites(tree.tests, tree.copy, arguments.live_tests, 10 * arguments.slow, arguments.jobs)
        live.record()
        say("running the live tests with each mutant")
        judge(rest, live, 1)
    say("done")
    write(mutants, ROOT / ".build/mutants.txt")
    score = report(mutants)
    if arguments.floor is not None and score < arguments.floor:
        sys.exit(f"mutate: the score is below {arguments.floor} %")


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", help="folders and files of Sources; all of it without any")
    parser.add_argument("--since", help="only the lines that changed since this commit")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--slow", type=float, default=30, help="seconds of processor time of a suite that is left out")
    parser.add_argument("--live", action="store_true", help="run the live tests for what survives")
    parser.add_argument("--live-tests", default="EndToEndTests|LibGPSTests", help="which tests are live")
    parser.add_argument("--floor", type=float, help="the least score in percent")
    return parser.parse_args()


def candidates(arguments, tree):
    """Returns all mutants of the chosen lines. No test has been looked at here."""
    changed = changed_lines(arguments.since) if arguments.since else None
    found = []
    for path in files(arguments.paths or ["Sources"]):
        if changed is None:
            found += makers.mutants(path, tree.text(path))
        elif path in changed:
            found += [m for m in makers.mutants(path, tree.text(path)) if m.line in changed[path]]
    return found


def files(paths):
    """Returns the Swift files of folders and files, relative to the root; a path may leave out `Sources`."""
    found = []
    for path in paths:
        place = next((p for p in (ROOT / path, ROOT / "Sources" / path) if p.exists()), None)
        if place is None:
            sys.exit(f"mutate: there is no {path}")
        found += sorted(place.rglob("*.swift")) if place.is_dir() else [place]
    names = [str(file.resolve().relative_to(ROOT)) for file in found]
    return list(dict.fromkeys(name for name in names if name.startswith("Sources/") and ".docc/" not in name))


def changed_lines(revision):
    """Returns the numbers of the lines that changed since a revision, by path."""
    changed = {path: range(1, sys.maxsize) for path in git("ls-files", "-o", "--exclude-standard", "Sources")}
    lines = set()
    for line in git("diff", "--unified=0", "--no-prefix", "--no-color", revision, "--", "Sources"):
        if line.startswith("+++ "):
            lines = changed.setdefault(line[4:], set())
        elif match := re.match(r"@@ \S+ \+(\d+)(?:,(\d+))? @@", line):
            first = int(match[1])
            lines.update(range(first, first + int(match[2] or 1)))
    return changed


def git(*arguments):
    """Returns the lines that git prints."""
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def choose(candidates, count, seed):
    """Returns mutants of lines chosen at random, of a line a second one only when each has one."""
    chance = random.Random(seed)
    lines = {}
    for mutant in candidates:
        if chance.random() < mutant.likelihood:
            lines.setdefault((mutant.path, mutant.line), []).append(mutant)
    lines = list(lines.values())
    chance.shuffle(lines)
    chosen, by_path = [], {}
    while lines and len(chosen) < count:
        for line in lines[:]:
            if len(chosen) == count:
                break
            mutant = line.pop(chance.randrange(len(line)))
            if not line:
                lines.remove(line)
            others = by_path.setdefault(mutant.path, [])
            if not any(mutant.overlaps(other) for other in others):
                others.append(mutant)
                chosen.append(mutant)
    chosen.sort(key=lambda mutant: (mutant.path, mutant.start, mutant.end))
    for number, mutant in enumerate(chosen, 1):
        mutant.number = number
    return chosen


def judge(mutants, suites, jobs):
    def run(mutant):
        outcome = suites.judge(mutant)
        mutant.status, mutant.test = outcome.status, outcome.test
        print(f"  {mutant.number:3} {mutant.status:11} {mutant.path}:{mutant.line} {mutant.test}", flush=True)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, mutants))


def write(mutants, path):
    """Writes a line for each mutant, its columns separated by tabs."""
    with open(path, "w") as file:
        for m in mutants:
            print(m.number, m.status, m.path, m.line, m.kind, m.before, m.after, m.test, sep="\t", file=file)


def report(mutants):
    """Prints what survived, what does not compile and the scores, and returns the score of all."""
    for title, statuses in (
        ("Survivors", ("survived", "not reached")), ("Not compiled", ("does not compile",)),
    ):
        if chosen := [mutant for mutant in mutants if mutant.status in statuses]:
            print(f"\n{title}:")
        for mutant in chosen:
            print(f"{mutant.path}:{mutant.line}: {mutant.kind}, {mutant.status}")
            print(f"  - {mutant.before}\n  + {mutant.after}")
    print()
    folders = {}
    for mutant in mutants:
        if mutant.status != "does not compile":
            folders.setdefault(str(Path(mutant.path).parent), []).append(mutant.status in CAUGHT)
    everything = [is_caught for folder in folders.values() for is_caught in folder]
    for folder, caught in sorted(folders.items()) + [("in all", everything)]:
        percent = 100 * sum(caught) / max(1, len(caught))
        print(f"{sum(caught):4} of {len(caught):3} caught ({percent:3.0f} %)  {folder}")
    return percent


if __name__ == "__main__":
    main()
