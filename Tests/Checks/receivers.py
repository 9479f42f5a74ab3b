#!/usr/bin/env python3
"""Makes recordings of real receivers: plays the logs of gpsd's own regression tests through the installed gpsd.

usage: receivers.py [--for-tests] FOLDER

The logs come from the source package of the installed gpsd, which apt fetches from the archive that this system uses,
and verifies. FOLDER is written once it is complete: FOLDER/log has what each receiver sent (.log) and what gpsd's
authors expect of it (.log.chk), FOLDER/json what gpsd reports of it (.jsonl), and FOLDER/version the version of the
package. Another version of gpsd makes the recordings again; an interrupted run continues.

With --for-tests it prints one line, or nothing if the recordings are there, and its status is always 0.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import time
from pathlib import Path

AT_ONCE = 8  # gpsfake mostly waits
ATTEMPTS = 3
LONGEST = 120  # seconds that a log may take; most take two

# Its own lists and cache: nothing outside of the folder is changed, and an ordinary user may do it.
APT = """
Dir::State "{0}";
Dir::State::Lists "{0}/lists";
Dir::Cache "{0}/cache";
Dir::Etc::SourceList "{0}/sources.list";
Dir::Etc::SourceParts "{0}/sources.list.d";
Acquire::Languages "none";
Acquire::Retries "0";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
Acquire::AllowInsecureRepositories "false";
APT::Get::AllowUnauthenticated "false";
APT::Sandbox::User "";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
"""


class Failure(Exception):
    """Why there are no recordings."""


def installed():
    """Returns the version of the source package that the installed gpsd was built from."""
    if not shutil.which("dpkg-query") or not shutil.which("apt-get"):
        raise Failure("the logs come from the source package of gpsd, and this is not Debian or Ubuntu")
    query = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${db:Status-Status} ${source:Version}", "gpsd"],
        capture_output=True, text=True, check=False)
    status, _, version = query.stdout.partition(" ")
    if query.returncode or status != "installed" or not shutil.which("gpsfake"):
        raise Failure("gpsd or gpsfake is not installed: 'make test-deps' installs them")
    return version


def of_sources(text, name):
    """Returns the lines of a file of apt's sources, for source packages instead of binary ones."""
    if name.endswith(".sources"):
        return re.sub(r"(?mi)^Types:.*$", "Types: deb-src", text)
    lines = (re.match(r"deb(?:-src)?(\s+(?!.*cdrom:).*)", line) for line in text.splitlines())
    return "".join(f"deb-src{line[1]}\n" for line in lines if line)


def run_apt(folder, *arguments):
    """Runs apt-get with the sources of this system and its own lists; returns its last complaint, if any."""
    apt = subprocess.run(
        ["apt-get", "--quiet=2", f"--config-file={folder}/apt.conf", *arguments], cwd=folder,
        env={**os.environ, "LC_ALL": "C"}, capture_output=True, text=True, check=False)
    complaints = re.findall(r"(?m)^[EW]: (.*)", apt.stderr)
    return complaints[0] if complaints else ""


def fetch(version, folder, say):
    """Fetches the source package of a version of gpsd; returns its archive."""
    (folder / "lists/partial").mkdir(parents=True, exist_ok=True)
    (folder / "sources.list.d").mkdir(exist_ok=True)
    (folder / "apt.conf").write_text(APT.format(folder))
    etc = Path("/etc/apt")
    for file in [etc / "sources.list", *etc.glob("sources.list.d/*.list"), *etc.glob("sources.list.d/*.sources")]:
        if file.exists():
            target = folder / file.relative_to(etc)
            target.write_text(of_sources(file.read_text(errors="replace"), file.name))
    say(f"fetching the source package of gpsd {version}")
    first = run_apt(folder, "update")
    second = run_apt(folder, "source", "--download-only", "--only-source", f"gpsd={version}")
    archives = [file for file in folder.glob("gpsd_*.orig.tar.*") if file.suffix != ".asc"]
    if not archives:
        raise Failure(f"apt-get does not fetch the source package of gpsd {version}: {first or second}")
    return archives[0]


def unpack(archive, folder):
    """Unpacks the logs of receivers, and what is expected of them."""
    new = folder.with_name("log.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isfile() and re.search(r"/test/daemon/[^/]+\.log(\.chk)?$", member.name):
                (new / Path(member.name).name).write_bytes(tar.extractfile(member).read())
    new.rename(folder)


def free_port():
    """Returns a port that was free a moment ago, as gpsfake does."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def play(log, recording, programs):
    """Plays a log through gpsd, and keeps what gpsd reports; returns an error, or nothing."""
    port = free_port()
    # At the speed at which gpsd's expectations were recorded.
    command = ["gpsfake", "-1", "-p", "-q", "-s", "38400", "-P", str(port),
               "-r", '?WATCH={"enable":true,"json":true}', str(log)]
    new = recording.with_suffix(".new")
    with open(new, "wb") as output:
        # In a session of its own: ctrl-C lets it end, and a hang is ended with its gpsd.
        fake = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, text=True,
            start_new_session=True, env={**os.environ, "GPSD_HOME": str(programs)})
        try:
            errors = fake.communicate(timeout=LONGEST)[1]
        except subprocess.TimeoutExpired:
            os.killpg(fake.pid, signal.SIGKILL)
            fake.communicate()
            return f"gpsfake did not end in {LONGEST} s"
        finally:
            # A gpsd of root leaves its shared memory, of which a machine has 4,096. gpsfake derives the key.
            subprocess.run(["ipcrm", "-M", f"0x4770{port:04x}"], stderr=subprocess.DEVNULL, check=False)
    if fake.returncode or not new.stat().st_size:
        return errors.strip().rpartition("\n")[2] or f"gpsfake ended with {fake.returncode}"
    new.rename(recording)
    return ""


def record(folder, say):
    """Plays all logs that have no recording."""
    logs = [
        log for log in sorted((folder / "log").glob("*.log")) if not (folder / f"json/{log.stem}.jsonl").exists()]
    say(f"playing {len(logs)} logs through gpsd, {AT_ONCE} at a time")
    (folder / "json").mkdir(exist_ok=True)
    # An enforced profile of AppArmor lets gpsd read no pseudo-terminal. It is for /usr/sbin/gpsd, not for a copy.
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    shutil.copy(shutil.which("gpsd", path=f"{os.environ['PATH']}:/usr/sbin") or "/usr/sbin/gpsd", programs)

    def attempt(log):
        error = ""
        for _ in range(ATTEMPTS):
            error = play(log, folder / f"json/{log.stem}.jsonl", programs)
            if not error:
                return ""
        return f"{log.name}: {error}"

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        futures = [pool.submit(attempt, log) for log in logs]
        try:
            failed = [error for error in (future.result() for future in futures) if error]
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    if failed:
        raise Failure(f"{len(failed)} logs were not played; {failed[0]}")
    shutil.rmtree(programs)


def make(folder, say):
    """Makes the recordings, unless they are there; returns how many were made."""
    version = installed()
    if (folder / "version").exists() and (folder / "version").read_text().strip() == version:
        return 0
    under_way = folder.with_name(f"{folder.name}.{version}")
    if not (under_way / "log").exists():
        unpack(fetch(version, under_way, say), under_way / "log")
    record(under_way, say)
    for name in ["lists", "cache", "sources.list.d"]:
        shutil.rmtree(under_way / name, ignore_errors=True)
    for file in under_way.iterdir():
        if file.is_file():
            file.unlink()
    (under_way / "version").write_text(f"{version}\n")
    shutil.rmtree(folder, ignore_errors=True)
    under_way.rename(folder)
    return len(list((folder / "json").glob("*.jsonl")))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--for-tests", action="store_true")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    say = (lambda text: None) if options.for_tests else (lambda text: print(text, flush=True))
    start = time.monotonic()
    try:
        count = make(options.folder.absolute(), say)
    except Failure as failure:
        if options.for_tests:
            print(f"skipped: recordings of real receivers: {failure}")
            return 0
        print(f"receivers.py: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    if count:
        print(f"{count} recordings of real receivers in {options.folder}, made in {time.monotonic() - start:.0f} s")
    else:
        say(f"the recordings of real receivers are in {options.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
