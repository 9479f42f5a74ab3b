"""A Debian 12 in qemu, with its kernel, udev, gpsd and an enforced AppArmor, and with two receivers, one at a
serial port and one at USB.

Its disk is made the first time, and when something in it has changed. It is kept in .build/vm, with what the kernel
said in the last run. No run changes it.
"""

import fcntl
import hashlib
import json
import pathlib
import re
import select
import shlex
import socket
import struct
import subprocess
import sys
import termios
import threading
import time

PROJECT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = PROJECT / ".build/vm"
PACKAGES = "apparmor,e2fsprogs,gpsd,initramfs-tools,linux-image-amd64,procps,sudo,systemd-sysv,udev,zlib1g"

# As root in a Debian, of which the disk is made: what an administrator installs, and a shell for this script.
SETUP = r"""
set -eu
apt-get install --yes "$1" >/dev/null
install "$2" /usr/local/bin
useradd --create-home --shell /bin/bash --groups dialout owner
echo 'owner ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/owner
echo '127.0.0.1 localhost guest' >/etc/hosts
echo guest >/etc/hostname
cat >/etc/systemd/system/shell.service <<UNIT
[Unit]
Wants=dev-hvc0.device
After=dev-hvc0.device basic.target gpsd.socket
[Service]
ExecStart=/bin/sh -c 'stty raw -echo && printf "\\0360\\n" && exec sh 2>/dev/null'
StandardInput=tty
StandardOutput=tty
TTYPath=/dev/hvc0
UNIT
ln -s ../shell.service /etc/systemd/system/multi-user.target.wants
printf '%s\n' virtio_pci virtio_blk ext4 crc32c_generic >>/etc/initramfs-tools/modules
sed -i s/^MODULES=.*/MODULES=list/ /etc/initramfs-tools/initramfs.conf
update-initramfs -u >/dev/null
cp /vmlinuz /initrd.img "$3"
mount --bind / /mnt
mke2fs -q -t ext4 -d /mnt "$3/disk" 3G
"""

# Where the receivers are.
PLACE = "4807.3342,N,01131.0200,E"


class Failure(Exception):
    pass


class Receiver(threading.Thread):
    """A receiver that sends once a second what it sees, by the local clock."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket, self.plug = socket.socketpair()
        self.socket.setblocking(False)

    def run(self):
        while True:
            time.sleep(1 - time.time() % 1)
            unread = fcntl.ioctl(self.socket, termios.TIOCOUTQ, bytes(4))
            try:
                # Like a real one, it does not wait for a reader.
                if struct.unpack("i", unread) == (0,):
                    self.socket.sendall(self.epoch())
                while self.socket.recv(4096):
                    pass
            except BlockingIOError:
                pass
            except OSError:
                return

    @staticmethod
    def epoch():
        now = time.gmtime()
        day, moment = time.strftime("%d%m%y", now), time.strftime("%H%M%S.00", now)
        satellites = [f"{number:02},{10 * number},{30 * number:03},{30 + number}" for number in range(1, 9)]
        sentences = [
            f"GPGGA,{moment},{PLACE},1,08,0.8,545.4,M,47.0,M,,",
            f"GPRMC,{moment},A,{PLACE},0.1,90.0,{day},,,A",
            "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.2,0.8,0.9",
            "GPGSV,2,1,08," + ",".join(satellites[:4]),
            "GPGSV,2,2,08," + ",".join(satellites[4:]),
        ]
        lines = []
        for sentence in sentences:
            checksum = 0
            for byte in sentence.encode():
                checksum ^= byte
            lines.append(f"${sentence}*{checksum:02X}\r\n")
        return "".join(lines).encode()


class Result:
    """What a command wrote, and its status."""

    def __init__(self, command, output, status):
        self.command, self.output, self.status = command, output, status

    def expect(self, status, *texts):
        """Returns this if it is as expected."""
        missing = [text for text in texts if text not in self.output]
        if self.status != status:
            missing.append(f"status {status}")
        if missing:
            raise Failure(f"{self.command}: no {', '.join(missing)}: status {self.status}\n{self.output}")
        return self


class Guest:
    """The machine in qemu. Sockets without names are its shell, its receivers and qemu's monitor."""

    def __init__(self):
        self.receivers = {"serial": Receiver(), "usb": Receiver()}
        self.shell, shell = socket.socketpair()
        self.monitor, monitor = socket.socketpair()
        ends = {name: receiver.plug for name, receiver in self.receivers.items()}
        ends |= {"shell": shell, "monitor": monitor}
        command = [
            # qemu ends with this script, however that ends.
            "setpriv", "--pdeathsig", "KILL",
            "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "1024",
            "-nodefaults", "-display", "none", "-no-reboot", "-snapshot",
            "-kernel", "vmlinuz", "-initrd", "initrd.img", "-drive", "file=disk,if=virtio,format=raw",
            "-append", "root=/dev/vda rw console=ttyS0 quiet systemd.getty_auto=0",
            "-serial", "file:console", "-serial", "chardev:serial",
            "-device", "virtio-serial", "-device", "virtconsole,chardev=shell",
            "-mon", "chardev=monitor,mode=control", "-device", "qemu-xhci,id=hub"]
        for name, end in ends.items():
            command += ["-chardev", f"socket,id={name},fd={end.fileno()}"]
        self.process = subprocess.Popen(
            command, cwd=FOLDER, stdin=subprocess.DEVNULL,
            pass_fds=[end.fileno() for end in ends.values()])
        for end in ends.values():
            end.close()
        for receiver in self.receivers.values():
            receiver.start()
        self.started = []
        self.read = {self.shell: b"", self.monitor: b""}
        self.ask("qmp_capabilities")
        self.plug()

    def until(self, what, source, pattern, within):
        """Returns the match of a pattern in what comes from qemu, and removes it: events can come before answers."""
        deadline = time.monotonic() + within
        while not (match := re.search(pattern, self.read[source], re.S)):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([source], [], [], left)[0]:
                # What comes later would be taken for the answer to something else.
                self.close()
                raise Failure(f"{what} did not end within {within} s: {self.read[source].decode(errors='replace')}")
            if not (piece := source.recv(65536)):
                raise Failure(f"{what}: the machine is gone")
            self.read[source] += piece
        self.read[source] = self.read[source][:match.start()] + self.read[source][match.end():]
        return match

    def ask(self, order, **arguments):
        """Has qemu obey an order."""
        self.monitor.sendall(json.dumps({"execute": order, "arguments": arguments}).encode())
        answer = self.until(order, self.monitor, rb'\{"(return|error)":[^\n]*\n', 30)
        if answer[1] == b"error":
            raise Failure(answer[0].decode())

    def plug(self):
        self.ask("device_add", driver="usb-serial", id="receiver", chardev="usb", bus="hub.0", port="1")

    def unplug(self):
        self.ask("device_del", id="receiver")
        self.until("unplugging", self.monitor, rb'DEVICE_DELETED[^\n]*"receiver"[^\n]*\n', 60)

    def booted(self):
        self.until("booting", self.shell, rb"\0360\n", 300)

    def run(self, command, user="root", within=120):
        """Runs a command as after a login. Its status is 124 if it takes longer than a number of seconds."""
        line = (f"timeout {within} runuser --login {user} --command {shlex.quote(command)} </dev/null 2>&1; "
                "printf '\\036%s\\n' $?\n")
        if self.process.poll() is not None:
            raise Failure("the machine is gone")
        self.shell.sendall(line.encode())
        match = self.until(command, self.shell, rb"(.*)\036(\d+)\n", within + 60)
        return Result(command, match[1].decode(errors="replace").strip(), int(match[2]))

    def do(self, command, user="root"):
        """Runs a command that has to succeed, and returns its output."""
        return self.run(command, user).expect(0).output

    def wait_for(self, condition, within=90):
        self.run(f"until {condition}; do sleep 0.2; done >/dev/null 2>&1", within=within).expect(0)

    def start(self, command, user="root"):
        """Starts a command in the background, which writes to ~/output, and returns its process."""
        process = int(self.do(f"{command} >~/output 2>&1 & echo $!", user))
        self.started.append(process)
        return process

    def end(self, count):
        """Ends the last commands that were started."""
        for _ in range(count):
            process = self.started.pop()
            self.run(f"kill {process} && tail --pid {process} --sleep-interval 0.2 --follow /dev/null")

    def hint(self, command, text, user="owner"):
        """Returns what a command writes, once a text is in it, with the names of the program removed."""
        self.start(command, user)
        self.wait_for(f"grep -q -F {shlex.quote(text)} ~{user}/output")
        self.end(1)
        return re.sub("^locwatch: ", "", self.do("cat ~/output", user), flags=re.M)

    def close(self):
        self.process.kill()
        self.process.wait()


def make_disk(package, receiver):
    """Makes the disk, unless the one there was made of the same."""
    parts = [pathlib.Path(path).read_bytes() for path in (package, receiver)] + [SETUP.encode(), PACKAGES.encode()]
    made = " ".join(hashlib.sha256(part).hexdigest() for part in parts)
    mark = FOLDER / "made"
    if mark.exists() and mark.read_text() == made:
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    mark.unlink(missing_ok=True)
    (FOLDER / "disk").unlink(missing_ok=True)
    debian = [PROJECT / "Tests/Checks/debian.sh", "bookworm", PACKAGES]
    setup = subprocess.run([*debian, "sh", "-c", SETUP, "setup", package, receiver, FOLDER], stdout=sys.stderr)
    if setup.returncode:
        sys.exit(setup.returncode)
    mark.write_text(made)
