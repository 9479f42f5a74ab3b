#!/usr/bin/env python3
"""Runs the live tests with the gpsds of several Debians, and LibGPSTests with their libgps, and prints a
table: a row for each test, a column for each version. Needs root, patchelf and a debug build of the tests.

usage: matrix.py [--short] SUITE...

--short runs the tests of a first fix, one that is lost and found again, an unplugged receiver, and a killed gpsd.
Where no Debian can be made, it says that these are skipped.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as XML

PROJECT = pathlib.Path(__file__).resolve().parents[2]
LIVE = (r"^EndToEndTests.*/(Fix|Daemon|TwoReceivers|PrivateGPSD|Class|Recording)Tests\.swift"
        "|GPSDProcessTests|SimulatedReceiverTests.*A real gpsd")
SHORT = r"^EndToEndTests.*(searches, and then|in a tunnel|was unplugged|a killed gpsd)"
LIBRARY = "^LibGPSTests"
BUILD_OPTIONS = ["--disable-index-store", "-debug-info-format", "none"]
CANNOT = 77  # the status of debian.sh


class Debian:
    """A Debian with gpsd and libgps, neither of which is run inside it."""

    def __init__(self, suite):
        debian = [PROJECT / "Tests/Checks/debian.sh", "--folder", suite, "gpsd,libgps-dev"]
        self.root = pathlib.Path(output(debian))
        self.folder = PROJECT / ".build/matrix" / suite
        # Debian 12 has its C library in /lib, which is a folder of its own there.
        folders = [folder for lib in ("lib", "usr/lib") for folder in (self.root / lib).glob("*-linux-gnu*")]
        self.libraries = folders[-1]
        self.loader = next(loader for folder in folders for loader in folder.glob("ld-linux*.so.*"))
        self.path = ":".join(map(str, folders))
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.gpsd = self.folder / "gpsd"
        shutil.copy(self.root / "usr/sbin/gpsd", self.gpsd)
        run(["patchelf", "--set-interpreter", self.loader, "--force-rpath",
             "--set-rpath", self.path, self.gpsd])
        self.version = output([self.gpsd, "-V"]).split()[1]

    def package_config(self):
        """A folder for pkg-config, with this libgps."""
        config = (self.libraries / "pkgconfig/libgps.pc").read_text()
        config = re.sub("^(include|lib)dir=.*", rf"\1dir={self.folder}", config, flags=re.MULTILINE)
        for file in self.root / "usr/include/gps.h", self.libraries / "libgps.so":
            shutil.copy(file, self.folder)
        (self.folder / "libgps.pc").write_text(config)
        return self.folder

    def live_tests(self, names):
        bind = 'mount --bind "$0" "$1" && shift && exec "$@"'
        gpsd = shutil.which("gpsd", path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")
        return self.tests(["unshare", "--mount", "sh", "-c", bind, self.gpsd, gpsd],
                          PROJECT / ".build", names, {})

    def library_tests(self):
        """This libgps may need a newer C library than the local one, so its own comes along."""
        linker = ["--allow-shlib-undefined", f"--dynamic-linker={self.loader}", "-rpath", self.path]
        scratch = PROJECT / ".build" / f"libgps-{self.version}"
        flags = ["--scratch-path", scratch]
        for word in linker:
            flags += ["-Xlinker", word]
        environment = {"PKG_CONFIG_PATH": str(self.package_config())}
        run(["swift", "build", "--product", "locwatchPackageTests", *BUILD_OPTIONS, *flags],
            env=os.environ | environment | {"LOCWATCH_TESTS": "LibGPSTests"})
        return self.tests([], scratch, LIBRARY, environment)

    def tests(self, prefix, scratch, names, environment):
        """What the tests of these files did: "passed", "failed" or "skipped" for each."""
        report = self.folder / "tests.xml"
        program = scratch / "debug/locwatchPackageTests.xctest"
        command = [*prefix, program, "--testing-library", "swift-testing", "--filter", names,
                   "--xunit-output", report]
        environment = {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "4"} | environment
        subprocess.run(command, env=os.environ | environment, stdout=sys.stderr)
        results = {}
        for case in XML.parse(report).iter("testcase"):
            suite, name = case.get("classname"), case.get("name")
            name = f"{suite.partition('.')[2]} {name.rpartition('(')[0]}".replace("`", "")
            results[name] = ("failed" if case.find("failure") is not None
                             else "skipped" if case.find("skipped") is not None else "passed")
        return results


def run(command, **options):
    subprocess.run(command, check=True, stdout=sys.stderr, **options)


def output(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def main():
    os.chdir(PROJECT)
    isShort = sys.argv[1] == "--short"
    suites = sys.argv[2:] if isShort else sys.argv[1:]
    try:
        debians = [Debian(suite) for suite in suites]
    except subprocess.CalledProcessError as error:
        if not isShort or error.returncode != CANNOT:
            raise
        print("skipped: the tests with other versions of gpsd, which need root and network")
        return
    columns = [debian.live_tests(SHORT) if isShort else debian.live_tests(LIVE) | debian.library_tests()
               for debian in debians]
    names = sorted(set().union(*columns))
    print("| test | " + " | ".join(debian.version for debian in debians) + " |")
    print("| --- |" + " --- |" * len(debians))
    for name in names:
        print(f"| {name} | " + " | ".join(column.get(name, "missing") for column in columns) + " |")
    if not names or any(set(column.values()) - {"passed", "skipped"} or column.keys() != set(names) for column in columns):
        sys.exit("some tests did not pass")


main()
