#!/usr/bin/env python3
"""Checks the Debian package on a whole machine: Debian 12 in qemu, with its kernel, udev, gpsd and an enforced
AppArmor, and with two receivers, one at a serial port and one at USB, which is unplugged. Prints a table with a row
for each check; the status is 1 if one fails. It needs root, but no KVM.

usage: vm.py PACKAGE SIMULATED-RECEIVER [CHECK...]
"""

import json
import os
import pathlib
import re
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from guest import Failure, Guest, make_disk  # noqa: E402

# Where the receivers are, in the words of locwatch.
FIX = "48.122236667 11.517 545.4"
LINKS = "/dev/serial/by-id/*"


def machine(guest):
    """a USB receiver that udev has named, and an enforced profile of gpsd"""
    guest.wait_for(f"ls {LINKS}")
    guest.run("cat /sys/kernel/security/apparmor/profiles").expect(0, "/usr/sbin/gpsd (enforce)")
    link = guest.do(f"ls {LINKS}")
    return f"Linux {guest.do('uname -r')}, {guest.do('gpsd -V').split(' (')[0]}, {link}"


def left_out(guest):
    """a receiver that the udev rules of gpsd leave out, and the command that the hint names"""
    product = guest.do("udevadm info --query property /dev/ttyUSB0 | sed -n 's/^ID_USB_.*_ID=//p' | sort")
    hint = guest.hint("locwatch", "unknown to gpsd")
    command = re.search("'(locwatch [^']*)'", hint)[1]
    guest.run(f"{command} --once", "owner").expect(0, FIX)
    return f"{':'.join(product.split())}: unknown to gpsd; {command} has a fix"


def own_gpsd(guest):
    """a gpsd of its own on a serial port and on USB, by path and by link"""
    paths = ["/dev/ttyS1", "/dev/ttyUSB0", guest.do(f"ls {LINKS}")]
    for path in paths:
        guest.run(f"locwatch --once {path}", "owner").expect(0, FIX)
    return ", ".join(paths)


def raw_log(guest):
    """what a receiver sent, replayed through a confined gpsd"""
    guest.do("stty -F /dev/ttyS1 raw && head -n 50 /dev/ttyS1 >log.nmea", "owner")
    fixes = guest.run("locwatch --replay log.nmea --no-events", "owner").expect(0, FIX).output.splitlines()
    return f"50 lines, {len(fixes)} fixes"


def refused(guest, path):
    """Expects the hint that AppArmor refuses a device; does what it says."""
    hint = guest.hint(f"locwatch {path}", "apparmor_parser")
    guest.do(hint.partition("Allow it:\n")[2], "owner")
    guest.run(f"locwatch --once {path}", "owner").expect(0, " 545.4")
    return f"{path}: refused; with the rule of the hint, a fix"


def simulated(guest):
    """the receiver of the demo, at a pseudo-terminal that AppArmor refuses"""
    # In /tmp itself, the kernel lets nobody else follow a user's link.
    guest.do("mkdir /tmp/demo", "owner")
    guest.start("simulated-receiver --scenario still --link /tmp/demo/gps0", "owner")
    guest.wait_for("test -e /tmp/demo/gps0")
    return refused(guest, "/tmp/demo/gps0")


def uncommon(guest):
    """a device with a name that AppArmor refuses"""
    number = guest.do("stat --format '%Hr %Lr' /dev/ttyUSB0")
    guest.do(f"mknod --mode 660 /dev/gnss0 c {number} && chgrp dialout /dev/gnss0")
    return refused(guest, "/dev/gnss0")


def group(guest):
    """a user who is not in the group of serial devices, and the command that the hint names"""
    guest.do("gpasswd --delete owner dialout")
    result = guest.run("locwatch --once /dev/ttyUSB0", "owner").expect(66, "Permission denied")
    command = re.search("'(sudo [^']*)'", result.output)[1]
    guest.do(command, "owner")
    guest.run("locwatch --once /dev/ttyUSB0", "owner").expect(0, FIX)
    return f"refused; after '{command}', a fix"


def held(guest):
    """a second gpsd and a login console that have the device open, named with their processes"""
    process = guest.start("gpsd -N -n -S 2948 /dev/ttyUSB0")
    guest.wait_for(f"ls -l /proc/{process}/fd | grep -q ttyUSB0")
    guest.hint("locwatch /dev/ttyUSB0", f"already open in gpsd (process {process})", "root")
    guest.do("systemctl start serial-getty@ttyS1")
    console = "systemctl show --property MainPID --value serial-getty@ttyS1"
    guest.wait_for(f"ls -l /proc/$({console})/fd | grep -q ttyS1")
    process = guest.do(console)
    guest.hint("locwatch /dev/ttyS1", f"already open in agetty (process {process})", "root")
    # It has taken the device away from its group, until the next start.
    guest.do("systemctl stop serial-getty@ttyS1 && udevadm trigger --settle --action add /dev/ttyS1")
    return "gpsd, agetty"


def replugged(guest):
    """a receiver that is unplugged and gets another number, watched by its link"""
    link = guest.do(f"ls {LINKS}")
    guest.start(f"locwatch --events {link}", "owner")
    guest.wait_for("grep -q fix-3d ~owner/output")
    # As long as it is open somewhere, its number is taken.
    guest.start("sleep 1000 </dev/ttyUSB0")
    guest.unplug()
    guest.wait_for("grep -q no-device ~owner/output")
    guest.plug()
    guest.wait_for("grep -c fix-3d ~owner/output | grep -qx 2")
    events = [line.split()[1] for line in guest.do("grep -v ^locwatch: ~owner/output").splitlines()]
    if (path := guest.do(f"realpath {link}")) != "/dev/ttyUSB1":
        raise Failure(f"the receiver is {path} again")
    return f"{' '.join(events)}; /dev/ttyUSB0 is {path}"


def diagnosis(guest, target, user):
    """The doctor's status, and the checks that found something wrong."""
    result = guest.run(f"locwatch --doctor --json {target}", user)
    findings = [json.loads(line) for line in result.output.splitlines() if line.startswith("{")]
    return result, [finding for finding in findings if finding["ok"] is False]


def mended(guest, name, target="", user="owner"):
    """Expects the doctor to find one thing wrong, and a fix after the commands that it names."""
    result, wrong = diagnosis(guest, target, user)
    if [finding["name"] for finding in wrong] != [name] or not wrong[0].get("commands"):
        raise Failure(f"not {name} alone, with commands: {result.output}")
    result.expect(1)
    for command in wrong[0]["commands"]:
        guest.do(command, user)
    guest.run(f"locwatch --once {target}", user).expect(0, FIX)
    return f"{wrong[0]['seen']}; {'; '.join(wrong[0]['commands'])}: a fix"


def doctor_of_devices(guest):
    """the doctor's commands help: gpsd does not know the receiver"""
    return mended(guest, "devices")


def doctor_of_sharing(guest):
    """the doctor's commands help: another process has the receiver open"""
    guest.start(f"sleep 1000 <$(ls {LINKS})")
    return mended(guest, "sharing", user="root")


def doctor_of_permissions(guest):
    """the doctor's commands help: the user is not in the group of serial devices"""
    guest.do("gpasswd --delete owner dialout")
    return mended(guest, "permissions", "/dev/ttyS1")


def doctor_of_apparmor(guest):
    """the doctor's commands help: AppArmor refuses the device"""
    guest.do("mknod --mode 660 /dev/gnss1 c 4 65 && chgrp dialout /dev/gnss1")
    return mended(guest, "apparmor", "/dev/gnss1")


def doctor_of_health(guest):
    """the doctor finds nothing wrong once all is repaired"""
    statuses = []
    for user in "root", "owner":
        result, wrong = diagnosis(guest, "", user)
        if wrong or result.status not in (0, 2):
            raise Failure(f"{user}: {result.output}")
        statuses.append(f"{user}: status {result.status}")
    return ", ".join(statuses)


CHECKS = [
    machine, left_out, own_gpsd, raw_log, simulated, uncommon, group, held, replugged, doctor_of_devices,
    doctor_of_sharing, doctor_of_permissions, doctor_of_apparmor, doctor_of_health]


def row(check, guest):
    """What a check found, as a row of the table."""
    start = time.monotonic()
    try:
        try:
            result, seen = "ok", check(guest)
        finally:
            guest.end(len(guest.started))
    except Failure as failure:
        result, seen = "FAILED", str(failure)
    took = f"{time.monotonic() - start:.0f} s"
    print(f"{result}: {check.__doc__} ({took}): {seen}", flush=True)
    return [check.__doc__, result, took, seen.partition("\n")[0].replace("|", "\\|")]


def main(package, receiver, names):
    begin = time.monotonic()
    make_disk(package, receiver)
    rows = [["check", "result", "took", "seen"], ["---"] * 4]
    checks = [check for check in CHECKS if not names or check.__name__ in names]
    guest = Guest()
    try:
        guest.booted()
        print(f"booted after {time.monotonic() - begin:.0f} s", flush=True)
        rows += [row(check, guest) for check in checks]
    finally:
        guest.close()
    print()
    for cells in rows:
        print(f"| {' | '.join(cells)} |")
    print(f"\n{time.monotonic() - begin:.0f} s in all")
    if any(cells[1] == "FAILED" for cells in rows):
        sys.exit("some checks failed")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:])
