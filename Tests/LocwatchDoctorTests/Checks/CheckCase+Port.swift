import Glibc
import LocationCore

@testable import LocwatchDoctor
@testable import LocwatchSystem

extension CheckCase {
  /// A receiver without a gpsd, which the user of the doctor may not use.
  ///
  /// - Parameters:
  ///   - mode: The mode of the device, which says who may use it.
  ///   - account: What the kernel says of the user.
  ///   - members: The members of the receiver's group in /etc/group; `nil` for none.
  private static func forbidden(
    _ mode: mode_t = 0o660, to account: String = user, members: String? = nil, is finding: Finding
  ) -> CheckCase {
    CheckCase("permissions", SickMachine.port, is: finding) {
      try $0.fake.protect("dev/ttyACM0", mode, group: SickMachine.group)
      try $0.fake.write(account, to: "proc/self/status")
      $0.events = []
      if let members {
        try $0.fake.write("dialout:x:\(SickMachine.group):\(members)\n", to: "etc/group")
      }
    }
  }

  /// A pseudo-terminal that the user of the doctor may not use.
  private static func forbiddenTerminal(_ mode: mode_t, _ words: Message) -> CheckCase {
    CheckCase(
      "permissions", "/dev/pts/4",
      is: .wrong("you cannot read and write /dev/pts/4", words)
    ) {
      try $0.fake.write(to: "dev/pts/4")
      try $0.fake.protect("dev/pts/4", mode, group: SickMachine.group)
      try $0.fake.write(user, to: "proc/self/status")
      $0.events = []
    }
  }

  private static let giving: [ShellText] = [
    "sudo chgrp dialout /dev/ttyACM0", "sudo chmod g+rw /dev/ttyACM0",
  ]
  private static let given = Finding.wrong(
    "you cannot read and write /dev/ttyACM0", "Give it to the group dialout:", run: giving)
  private static let givenAndJoined = Finding.wrong(
    "you cannot read and write /dev/ttyACM0",
    "Give it to the group dialout, join that group, then log out and log in again:",
    run: giving + ["sudo adduser pi dialout"])

  /// A program that talks to serial devices.
  ///
  /// - Parameters:
  ///   - property: What udev knows of the receiver.
  ///   - isSilent: Whether the receiver does not report.
  private static func probed(
    by program: String, _ property: String? = nil, isSilent: Bool = true, is finding: Finding
  ) -> CheckCase {
    CheckCase("probing", is: finding) {
      try $0.fake.run(program, as: 90)
      if let property { try $0.fake.write("E:\(property)\n", to: "run/udev/data/c166:0") }
      if isSilent { $0.events = silent }
    }
  }

  private static let modemManager = Finding.unknown(
    "ModemManager runs, and may talk to /dev/ttyACM0", "If you do not need it:",
    run: ["sudo systemctl disable --now ModemManager"])
  private static let brltty = Finding.unknown(
    "brltty runs, and may talk to /dev/ttyACM0", "If you do not need it:",
    run: ["sudo apt remove brltty"])
  private static let answersAnyway = Finding.well(
    "ModemManager runs, but the receiver reports anyway")

  /// What can be wrong with a machine and its ports.
  static let ofPorts: [CheckCase] = [
    CheckCase(
      "container",
      is: .wrong(
        "this is a container (docker), without a gpsd; its localhost is not the host's",
        "Start the container with --network host, or name the host: 'locwatch --doctor HOST'.")
    ) {
      try $0.fake.write(to: ".dockerenv")
      try $0.fake.remove("usr/sbin/gpsd")
      ($0.events, $0.failure) = ([], SickMachine.refused)
    },
    CheckCase(
      "container",
      is: .well("this is a container (lxc), and localhost:2947 is reached from it")
    ) { try $0.fake.write("lxc\n", to: "run/systemd/container") },
    CheckCase(
      "ipv6",
      is: .wrong(
        "IPv6 is off, so gpsd.socket, which listens on [::1], fails",
        "Have systemd listen on IPv4 only:", run: listen("ListenStream=127.0.0.1:2947"))
    ) {
      try $0.fake.remove("proc/net/if_inet6")
      ($0.events, $0.failure) = ([], SickMachine.refused)
    },
    CheckCase("ipv6", is: .well("IPv6 is off, but gpsd answers anyway")) {
      try $0.fake.write(to: "proc/net/if_inet6")
    },
    CheckCase("ipv6", is: .well("gpsd.socket needs no IPv6")) {
      try $0.fake.write(
        "[Socket]\nListenStream\nListenStream=127.0.0.1:2947\nListenStream",
        to: "lib/systemd/system/gpsd.socket")
    },
    CheckCase(
      "port",
      is: .unknown(
        "/dev/tty\u{fffd} is not UTF-8, so locwatch cannot look for it",
        "Name the receiver by another path.")
    ) {
      try $0.fake.run(
        "gpsd", as: 77, "-N -n /dev/tty\u{fffd}",
        status: SickMachine.status(user: 998, groups: SickMachine.group))
    },
    CheckCase(
      "port",
      is: .wrong(
        "/dev/ttyACM0 is not there, but /dev/ttyACM1 (usb-u-blox_7-if00) is", "Read that one:",
        run: setDevices("/dev/serial/by-id/usb-u-blox_7-if00"))
    ) {
      try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
      try $0.plug("ttyACM1", as: "usb-u-blox_7-if00", number: "166:1")
    },
    CheckCase(
      "port", "/dev/ttyACM0",
      is: .wrong(
        "/dev/ttyACM0 is not there, but /dev/ttyUSB0 is", "Name that one:",
        run: ["locwatch /dev/ttyUSB0"])
    ) {
      try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
      try $0.plug("ttyUSB0")
    },
    CheckCase("port", is: .wrong("/dev/ttyACM0 is not there", "Plug the receiver in.")) {
      try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
    },
    CheckCase(
      "port",
      is: .wrong(
        "/dev/ttyACM0 is not there",
        "Plug the receiver in, and pass it to this container, as with --device of docker and podman."
      )
    ) {
      try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
      try $0.fake.write(to: ".dockerenv")
    },
    CheckCase(
      "uart",
      is: .wrong(
        "/dev/ttyAMA0 belongs to Bluetooth; the pins are /dev/serial0", "Read that one:",
        run: setDevices("/dev/serial0"))
    ) { try $0.becomePi(reading: "/dev/ttyAMA0") },
    CheckCase(
      "uart", "/dev/ttyAMA0",
      is: .wrong(
        "/dev/ttyAMA0 belongs to Bluetooth; the pins are /dev/serial0", "Read that one:",
        run: ["locwatch /dev/serial0"])
    ) { try $0.becomePi(reading: "/dev/ttyAMA0") },
    CheckCase(
      "uart",
      is: .wrong(
        "/dev/serial0 is not there: the serial port of the pins is off", "Turn it on:",
        run: ["sudo raspi-config nonint do_serial_hw 0", "sudo reboot"])
    ) {
      try $0.becomePi(reading: "/dev/serial0")
      try $0.fake.remove("dev/serial0")
    },
    CheckCase(
      "uart",
      is: .wrong(
        "/dev/ttyAMA0 belongs to Bluetooth, and the serial port of the pins is off",
        "Turn it on, and read /dev/serial0:",
        run: [
          "sudo raspi-config nonint do_serial_hw 0", setDevices("/dev/serial0")[0], "sudo reboot",
        ])
    ) {
      try $0.becomePi(reading: "/dev/ttyAMA0")
      try $0.fake.remove("dev/serial0")
    },
    CheckCase("uart", is: .well("/dev/ttyS0 is the serial port of the pins")) {
      try $0.becomePi(reading: "/dev/ttyS0")
    },
    forbidden(
      is: .wrong(
        "you cannot use /dev/ttyACM0, which belongs to the group dialout",
        "Join that group, then log out and log in again:", run: ["sudo adduser pi dialout"])),
    forbidden(
      members: "a,pi",
      is: .wrong(
        "you cannot use /dev/ttyACM0, which belongs to the group dialout: you belong to it "
          + "from your next login", "Log out and log in again.")),
    CheckCase(
      "permissions",
      is: .wrong(
        "gpsd cannot read and write /dev/ttyACM0", "Give it to the group dialout:", run: giving)
    ) {
      try $0.fake.protect("dev/ttyACM0", 0o640, group: SickMachine.group)
      $0.events = [SickMachine.answer, SickMachine.receivers(driver: nil, isActive: false)]
    },
    forbidden(0o600, is: givenAndJoined),
    forbidden(
      0o600, to: SickMachine.status(user: 4711, groups: SickMachine.group), is: given),
    forbidden(0o600, members: "a,pi", is: given),
    // Whoever joins the group may still not write.
    forbidden(0o640, is: givenAndJoined),
    forbiddenTerminal(0o600, "Only its user has access."),
    forbiddenTerminal(0o620, "Only its user and its group have access."),
    // gpsd opened it while it was root.
    CheckCase("permissions", is: .well("gpsd can read and write /dev/ttyACM0")) {
      try $0.fake.protect("dev/ttyACM0", 0o600, group: SickMachine.group)
      $0.events = silent
    },
    CheckCase("permissions", "/dev/ttyACM0", is: .well("you can read and write /dev/ttyACM0")) {
      try $0.fake.end(77)
      $0.events = []
    },
    CheckCase(
      "apparmor", "/dev/ttySC0",
      is: .wrong(
        "AppArmor does not let gpsd open /dev/ttySC0", "Allow it:",
        run: [
          "echo '/dev/ttySC0 rw,' | sudo tee -a /etc/apparmor.d/local/usr.sbin.gpsd",
          "sudo apparmor_parser -r /etc/apparmor.d/usr.sbin.gpsd", restart,
        ])
    ) { try $0.plug("ttySC0") },
    CheckCase(
      "apparmor", "/dev/ttySC0",
      is: .hidden("gpsd's AppArmor profile does not allow /dev/ttySC0, if it is enforced")
    ) {
      try $0.plug("ttySC0")
      try $0.fake.remove("sys/kernel/security/apparmor/profiles")
      try $0.fake.write(to: "sys/module/apparmor/x")
    },
    CheckCase(
      "apparmor", "/dev/ttySC0",
      is: .wrong(
        "a deny rule of gpsd's AppArmor profile forbids /dev/ttySC0",
        "Remove the rule from the profile or /etc/apparmor.d/local/usr.sbin.gpsd, and load it again:",
        run: ["sudo apparmor_parser -r /etc/apparmor.d/usr.sbin.gpsd", restart])
    ) {
      try $0.plug("ttySC0")
      try $0.fake.write(
        "/dev/ttySC0 rw,\ndeny /dev/ttySC0 w,\n", to: "etc/apparmor.d/local/usr.sbin.gpsd")
    },
    CheckCase(
      "apparmor", "/dev/ttySC0", is: .well("AppArmor does not enforce gpsd's profile")
    ) {
      try $0.plug("ttySC0")
      try $0.fake.write("x (enforce)\n", to: "sys/kernel/security/apparmor/profiles")
    },
    CheckCase(
      "console", "/dev/ttyS0",
      is: .wrong(
        "the kernel writes its messages to /dev/ttyS0", "Remove it, and reboot:",
        run: [
          "sudo sed -i 's|console=serial0,115200 *||' /boot/firmware/cmdline.txt", "sudo reboot",
        ])
    ) {
      try $0.becomePi(reading: "/dev/serial0")
      try $0.fake.write("console=serial0,115200 console=tty1 root=x\n", to: "proc/cmdline")
    },
    CheckCase(
      "console", "/dev/ttyACM0",
      is: .wrong(
        "the kernel writes its messages to /dev/ttyACM0",
        "Remove console=ttyACM0 from the kernel's command line, and reboot.")
    ) { try $0.fake.write("quiet console=ttyACM0", to: "proc/cmdline") },
    CheckCase(
      "console",
      is: .wrong(
        "agetty (process 90) waits for a login on /dev/ttyACM0", "Stop it:",
        run: ["sudo systemctl disable --now serial-getty@ttyACM0.service"])
    ) {
      try $0.fake.run("agetty", as: 90, "-o - vt220")
      // 166:0, in the form of the kernel
      try $0.fake.write("90 (agetty) (x) S 1 90 90 42496 90 0\n", to: "proc/90/stat")
    },
    probed(by: "ModemManager", is: modemManager),
    probed(
      by: "ModemManager", "ID_USB_DRIVER=option",
      is: .unknown(
        "/dev/ttyACM0 belongs to a modem, whose receiver may be off",
        "Have ModemManager start it, and leave the port to gpsd:",
        run: ["sudo mmcli -m any --location-enable-gps-unmanaged"])),
    probed(by: "ModemManager", "ID_USB_DRIVER=option", isSilent: false, is: answersAnyway),
    probed(by: "brltty", "ID_USB_DRIVER=option", is: brltty),
    probed(by: "ModemManager", "ID_USB_DRIVER=cdc_acm", is: modemManager),
    probed(by: "brltty", is: brltty),
    probed(
      by: "ModemManager", "ID_MM_DEVICE_IGNORE=1",
      is: .well("ModemManager is set to ignore /dev/ttyACM0")),
    probed(by: "ModemManager", isSilent: false, is: answersAnyway),
    CheckCase(
      "sharing",
      is: .wrong(
        "/dev/ttyACM0 is open in cat (process 90) as well as in gpsd", "End that process:",
        run: ["sudo kill 90"])
    ) { try $0.fake.run("cat", as: 90, opening: "/dev/ttyACM0") },
    CheckCase(
      "sharing",
      is: .wrong(
        "/dev/ttyACM0 is open in gpsd (process 12) and cat (process 90) as well as in gpsd",
        "End these processes:", run: ["sudo kill 12 90"])
    ) {
      try $0.fake.run("gpsd", as: 12, "-S 3000 /dev/ttyACM0", opening: "/dev/ttyACM0")
      try $0.fake.run("cat", as: 90, opening: "/dev/ttyACM0")
    },
    CheckCase(
      "sharing",
      is: .wrong(
        "/dev/ttyACM0 is open in ModemManager (process 90)", "End that process:",
        run: ["sudo systemctl disable --now ModemManager"])
    ) {
      try $0.fake.end(77)
      try $0.fake.run("ModemManager", as: 90, opening: "/dev/ttyACM0")
    },
    CheckCase(
      "sharing",
      is: .wrong(
        "/dev/ttyACM0 is open in ModemManager (process 90)", "End that process:",
        run: ["sudo kill 90"])
    ) {
      try $0.fake.end(77)
      try $0.fake.run("ModemManager", as: 90, opening: "/dev/ttyACM0")
      try $0.removeSystemd()
    },
    CheckCase(
      "sharing",
      is: .wrong(
        "gpsd (process 90) reads the same device",
        "End one of the two, or start it without that device.")
    ) { try $0.fake.run("gpsd", as: 90, "-S3000 /dev/serial/by-id/usb-u-blox_7-if00") },
    CheckCase(
      "sharing", "/dev/ttyACM0",
      is: .wrong(
        "/dev/ttyACM0 is open in gpsd (process 77)",
        "Ask that gpsd: 'locwatch --doctor localhost:3000'.")
    ) {
      try $0.fake.run("gpsd", as: 77, "-S 3000 /dev/ttyACM0", opening: "/dev/ttyACM0")
      $0.events = []
    },
    CheckCase(
      "sharing", "/dev/ttyACM0",
      is: .wrong("/dev/ttyACM0 is open in gpsd (process 77)", "Ask that gpsd: 'locwatch --doctor'.")
    ) { $0.events = [] },
    CheckCase(
      "sharing", "/dev/ttyACM0",
      is: .wrong(
        "/dev/ttyACM0 is open in gpsd (process 77) of locwatch (process 75)",
        "End that locwatch, or read its output.")
    ) { try $0.readByLocwatch() },
    // Its files are hidden.
    CheckCase(
      "sharing", "/dev/ttyACM0",
      is: .wrong(
        "gpsd (process 77) of locwatch (process 75) reads the same device",
        "End that locwatch, or read its output.")
    ) {
      try $0.readByLocwatch()
      try $0.fake.hideFiles(of: 77)
    },
    CheckCase(
      "sharing", "/dev/ttyACM0",
      is: .wrong(
        "gpsd (process 77) reads the same device", "Ask that gpsd: 'locwatch --doctor'.")
    ) {
      try $0.fake.hideFiles(of: 77)
      $0.events = []
    },
    CheckCase(
      "sharing",
      is: .wrong(
        "/dev/ttyACM0 is open in gpsd (process 77) of locwatch (process 75) as well as in gpsd",
        "End that locwatch, or read its output.")
    ) {
      try $0.readByLocwatch()
      try $0.fake.run("gpsd", as: 90, "-n /dev/ttyACM0", opening: "/dev/ttyACM0")
      $0.events = SickMachine.events
    },
    // The own gpsd is none of the others, whatever its number.
    CheckCase("sharing", "/dev/ttyACM0", is: .well("no other process reads /dev/ttyACM0")) {
      try $0.readByLocwatch(getpid())
      ($0.events, $0.isPrivate) = (SickMachine.events, true)
    },
    CheckCase(
      "sharing", "/dev/ttyACM0",
      is: .wrong(
        "gpsd (process 77) of locwatch (process 75) reads the same device",
        "End that locwatch, or read its output.")
    ) {
      try $0.readByLocwatch()
      try $0.fake.hideFiles(of: 77)
      try $0.fake.run("gpsd", as: 90, "-n /dev/ttyACM0", opening: "/dev/ttyACM0")
      try $0.fake.write("90 (gpsd) S \(getpid()) 90\n", to: "proc/90/stat")
      ($0.events, $0.isPrivate) = (SickMachine.events, true)
    },
    CheckCase(
      "sharing", "/dev/pts/4",
      is: .wrong("/dev/pts/4 is open in cat (process 90)", "End that process.")
    ) {
      try $0.fake.write(to: "dev/pts/4")
      // The other end may well have this one open, too.
      try $0.fake.run("socat", as: 89, opening: "/dev/pts/4")
      try $0.fake.write("pos:\t0\ntty-index:\t4\n", to: "proc/89/fdinfo/3")
      try $0.fake.run("cat", as: 90, opening: "/dev/pts/4")
      try $0.fake.write("tty-index:\t5\n", to: "proc/90/fdinfo/3")
      $0.events = []
    },
    // What locwatch has started itself
    CheckCase("sharing", is: .well("no other process reads /dev/ttyACM0")) {
      try $0.fake.run("gpsd", as: 90, "-S 3000", opening: "/dev/ttyACM0")
      try $0.fake.write("90 (gpsd) S 89 90\n", to: "proc/90/stat")
      try $0.fake.write("89 (sh) S \(getpid()) 89\n", to: "proc/89/stat")
    },
    CheckCase("sharing", is: .hidden("which other processes read /dev/ttyACM0")) {
      try $0.fake.write(to: "proc/1/fd")
    },
    CheckCase(
      "container",
      is: .well("this is a container (podman), and localhost:2947 is reached from it")
    ) { try $0.fake.write(to: "run/.containerenv") },
  ]
}
