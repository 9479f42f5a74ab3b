"""Runs the tests of a build with mutants, suite by suite."""

import os
import re
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

_FAILURE = re.compile(
    r"✘ Test (?!run with )(.+?) (?:with \d+ test cases? )?(?:recorded an issue|failed after)")
_TRAP = re.compile(r"Fatal error: .*")
_COLOUR = re.compile(r"\x1b\[[\d;]*m")


@dataclass
class Outcome:
    """How a run ended: `passed`, `caught` by a test, `crash` or `hang`."""

    status: str
    test: str
    seconds: float
    """By the clock."""
    work: float = 0
    """Processor time in seconds."""


class Suites:
    """The suites of a test program, what they reach, and how long they take."""

    def __init__(self, program, folder, chosen, slow, jobs):
        self.program, self.folder, self.slow, self.jobs = program, folder, slow, jobs
        listed = subprocess.run(
            [program, "--testing-library", "swift-testing", "--list-tests"], cwd=folder, check=True,
            stdout=subprocess.PIPE, text=True).stdout
        self.names = {}
        for test in filter(re.compile(chosen).search, listed.splitlines()):
            if match := re.match(r"\w+\.(?:`[^`]*`|[^/]*)", test):
                self.names.setdefault(match.group(), []).append(test)
        self.seconds = {}
        self.work = {}
        self.reached = {}
        """The numbers of the mutants that a suite runs through."""
        self.unreliable = set()
        """Tests that failed without a mutant, or only once with it."""

    def record(self):
        """Runs each suite by itself without a mutant. Those that take too much work, or crash, are left out."""
        with ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(self._record, self.names))

    def _record(self, suite):
        with tempfile.NamedTemporaryFile(mode="r") as seen:
            limit = 60 + 10 * self.slow
            outcome = self._run([suite], limit, LOCWATCH_MUTANTS_SEEN=seen.name)
            recorded = outcome
            reached = {int(number) for number in seen.read().split()}
        while outcome.status == "caught":
            print(f"  fails without a mutant, and is ignored: {suite}/{outcome.test}", flush=True)
            self.unreliable.add(outcome.test)
            outcome = self._run([suite], limit)
        if outcome.status == "crash":
            outcome = self._run([suite], limit)
        if outcome.status in ("crash", "hang"):
            print(f"  not run, for it ends with a {outcome.status} without a mutant: {suite}", flush=True)
        elif outcome.work > self.slow:
            print(f"  not run, for it takes {outcome.work:.0f} s of processor time: {suite}", flush=True)
        else:
            self.seconds[suite] = max(recorded.seconds, outcome.seconds)
            self.work[suite] = outcome.work
            self.reached[suite] = reached

    def reaching(self, mutant):
        return [suite for suite, numbers in self.reached.items() if mutant.number in numbers]

    def judge(self, mutant):
        """Runs the suites that reach a mutant: first quick ones of its own target, then the others."""
        suites = self.reaching(mutant)
        target = mutant.path.split("/")[1] + "Tests."
        suites.sort(key=lambda suite: (not suite.startswith(target), self.work[suite]))
        first, total = [], 0.0
        for suite in suites:
            total += self.work[suite]
            if first and (total > 3 or suite.startswith(target) != suites[0].startswith(target)):
                break
            first.append(suite)
        for some in (first, suites[len(first):]):
            if some and (outcome := self._judge(mutant, some)).status != "passed":
                return outcome
        return Outcome("survived" if suites else "not reached", "", 0)

    def _judge(self, mutant, suites):
        seconds = [self.seconds[suite] for suite in suites]
        limit = 20 + sum(seconds) + 4 * max(seconds)
        while True:
            outcome = self._run(suites, limit, LOCWATCH_MUTANT=str(mutant.number))
            if outcome.status == "passed":
                return outcome
            # What fails, crashes or takes long because the machine is busy does not do so again.
            tests = self._tests(outcome.test, suites) if outcome.status == "caught" else suites
            again = self._run(tests, limit, LOCWATCH_MUTANT=str(mutant.number))
            if again.status != "passed":
                return outcome
            if outcome.status != "caught":
                print(f"  a {outcome.status} only once, which does not count: mutant {mutant.number}", flush=True)
                return again
            print(f"  failed only once, and is ignored from here on: {outcome.test}", flush=True)
            self.unreliable.add(outcome.test)

    def _tests(self, name, suites):
        """Returns the tests of a name as it is printed, or all if there are none."""
        plain = re.sub(r'^"|"$|\(.*\)$', "", name)
        tests = [test for suite in suites for test in self.names[suite]
                 if re.sub(r"`|\(.*\)$", "", test.split("/")[-1]) == plain]
        return tests or suites

    def _run(self, tests, limit, **environment):
        """Runs tests until the first fails."""
        # The limit holds even if this script is killed.
        command = ["timeout", "--signal=KILL", f"{limit:.1f}", self.program]
        command += ["--testing-library", "swift-testing"]
        for test in tests:
            command += ["--filter", "^" + re.sub(r"[^\w ]", ".", test)]
        environment = os.environ | {"NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no"} | environment
        begin = time.monotonic()
        process = subprocess.Popen(
            command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
        failed, trap, ignored = "", "", False
        with process:
            for line in process.stdout:
                if match := _FAILURE.search(_COLOUR.sub("", line)):
                    if match[1] not in self.unreliable:
                        failed = match[1]
                        os.killpg(process.pid, signal.SIGKILL)
                        break
                    ignored = True
                elif match := _TRAP.search(line):
                    trap = match.group()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds, work = time.monotonic() - begin, usage.ru_utime + usage.ru_stime
        if failed:
            return Outcome("caught", failed, seconds, work)
        if seconds >= limit and process.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL):
            return Outcome("hang", f"no end within {limit:.0f} s", seconds, work)
        if process.returncode and not ignored:
            return Outcome("crash", trap or f"the tests end with status {process.returncode}", seconds, work)
        return Outcome("passed", "", seconds, work)
