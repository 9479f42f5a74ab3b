import ctypes
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent))
import receivers


class Sources(unittest.TestCase):
    def test_lines_become_those_of_source_packages(self):
        lines = (
            "# deb http://old.example/debian bookworm main\n"
            "deb [signed-by=/k.gpg arch=amd64] http://deb.example/debian bookworm main contrib\n"
            "deb-src http://deb.example/debian bookworm main\n"
            "deb cdrom:[Debian 12]/ bookworm main\n")
        self.assertEqual(
            receivers.of_sources(lines, "sources.list"),
            "deb-src [signed-by=/k.gpg arch=amd64] http://deb.example/debian bookworm main contrib\n"
            "deb-src http://deb.example/debian bookworm main\n")

    def test_types_become_those_of_source_packages(self):
        self.assertEqual(
            receivers.of_sources("Types: deb\nURIs: http://a.example\n\ntypes: deb deb-src\nSuites: x\n", "a.sources"),
            "Types: deb-src\nURIs: http://a.example\n\nTypes: deb-src\nSuites: x\n")


class Archive(unittest.TestCase):
    def test_only_logs_are_unpacked_and_no_path_leaves_the_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder, "gpsd.tar.gz")
            with tarfile.open(archive, "w:gz") as tar:
                for name in ["g/test/daemon/a.log", "g/test/daemon/a.log.chk", "g/test/daemon/a.txt",
                             "g/test/b.log", "../../g/test/daemon/c.log"]:
                    member = tarfile.TarInfo(name)
                    member.size = 1
                    tar.addfile(member, io.BytesIO(b"x"))
            receivers.unpack(archive, Path(folder, "log"))
            found = sorted(str(file.relative_to(folder)) for file in Path(folder).rglob("*.log*"))
            self.assertEqual(found, ["log/a.log", "log/a.log.chk", "log/c.log"])


class Play(unittest.TestCase):
    # Makes the shared memory of the gpsd that the real one starts, and says where.
    GPSFAKE = """#!{python}
import ctypes, sys
key = 0x47700000 + int(sys.argv[sys.argv.index("-P") + 1])
if ctypes.CDLL(None).shmget(key, 4096, 0o1600) < 0: sys.exit("no shared memory")
print(key)
sys.exit("it ends like that" if sys.argv[-1] == "bad.log" else None)
"""

    def test_leaves_no_shared_memory(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "gpsfake")
            program.write_text(self.GPSFAKE.format(python=sys.executable))
            program.chmod(0o755)
            recording = Path(folder, "a.jsonl")
            for log, error in (("good.log", ""), ("bad.log", "it ends like that")):
                with mock.patch.dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"):
                    self.assertEqual(receivers.play(log, recording, folder), error)
                key = int((recording.with_suffix(".new") if error else recording).read_text())
                self.assertEqual(ctypes.CDLL(None).shmget(key, 0, 0), -1)


class Command(unittest.TestCase):
    def test_says_in_one_line_why_tests_are_skipped(self):
        script = str(Path(__file__).parent / "receivers.py")
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run(
                [sys.executable, "-B", script, "--for-tests", f"{folder}/r"], capture_output=True, text=True,
                env={"PATH": "/nowhere"}, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"^skipped: recordings of real receivers: .*not Debian or Ubuntu\n$")
