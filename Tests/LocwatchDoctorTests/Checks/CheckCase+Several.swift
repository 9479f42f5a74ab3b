import LocationCore

@testable import LocwatchDoctor
@testable import LocwatchSystem

extension CheckCase {
  /// A second device in gpsd's settings.
  private static func plugSecond(on machine: SickMachine, mode: Int = 0o660) throws {
    try machine.plug("ttyUSB0", mode: .init(mode))
    try machine.fake.run(
      "gpsd", as: 77, "-n /dev/ttyACM0 /dev/ttyUSB0",
      status: SickMachine.status(user: 998, groups: SickMachine.group), opening: "/dev/ttyACM0")
  }

  /// Both devices, of which gpsd has opened one or none.
  private static func both(isFirstOpen: Bool) -> [LocationEvent] {
    let first = Receiver(path: SickMachine.port, driver: "u-blox", isActive: isFirstOpen)
    return [
      SickMachine.answer, .receivers([first, Receiver(path: "/dev/ttyUSB0", isActive: false)]),
    ]
  }

  /// What can be wrong with one of two.
  static let ofSeveral: [CheckCase] = [
    CheckCase("port", is: .well("/dev/ttyACM0 and /dev/ttyUSB0 are there")) {
      try plugSecond(on: $0)
    },
    // The one that is there is not named instead of the other.
    CheckCase("port", is: .wrong("/dev/ttyUSB0 is not there", "Plug the receiver in.")) {
      try plugSecond(on: $0)
      try $0.unplug("ttyUSB0")
    },
    CheckCase("port", is: .well("/dev/ttyACM0 is there")) {
      try $0.fake.run("gpsd", as: 77, "-n tcp://x:1 /dev/pps0 /dev/ttyACM0")
    },
    CheckCase(
      "permissions",
      is: .wrong(
        "gpsd cannot read and write /dev/ttyUSB0", "Give it to the group dialout:",
        run: ["sudo chgrp dialout /dev/ttyUSB0", "sudo chmod g+rw /dev/ttyUSB0"])
    ) {
      try plugSecond(on: $0, mode: 0o600)
      $0.events = both(isFirstOpen: false)
    },
    // It has opened the first one, which it could not do again.
    CheckCase("permissions", is: .well("gpsd can read and write /dev/ttyUSB0")) {
      try plugSecond(on: $0)
      try $0.fake.protect("dev/ttyACM0", 0o600, group: SickMachine.group)
      $0.events = both(isFirstOpen: true)
    },
    CheckCase(
      "apparmor",
      is: .wrong(
        "AppArmor does not let gpsd open /dev/ttySC0", "Allow it:",
        run: [
          "echo '/dev/ttySC0 rw,' | sudo tee -a /etc/apparmor.d/local/usr.sbin.gpsd",
          "sudo apparmor_parser -r /etc/apparmor.d/usr.sbin.gpsd", restart,
        ])
    ) {
      try $0.plug("ttySC0")
      try $0.fake.run("gpsd", as: 77, "-n /dev/ttyACM0 /dev/ttySC0")
    },
    CheckCase(
      "console",
      is: .wrong(
        "the kernel writes its messages to /dev/ttyUSB0",
        "Remove console=ttyUSB0 from the kernel's command line, and reboot.")
    ) {
      try plugSecond(on: $0)
      try $0.fake.write("console=ttyUSB0", to: "proc/cmdline")
    },
    CheckCase(
      "probing",
      is: .unknown(
        "ModemManager runs, and may talk to /dev/ttyUSB0", "If you do not need it:",
        run: ["sudo systemctl disable --now ModemManager"])
    ) {
      try plugSecond(on: $0)
      try $0.fake.run("ModemManager", as: 90)
    },
    CheckCase(
      "probing", is: .well("ModemManager runs, but the receiver reports anyway")
    ) {
      // The silent one is ignored.
      try plugSecond(on: $0)
      try $0.fake.run("ModemManager", as: 90)
      try $0.fake.write("E:ID_MM_DEVICE_IGNORE=1\n", to: "run/udev/data/c188:0")
    },
    // What ModemManager ignores is no matter for another program.
    CheckCase(
      "probing",
      is: .unknown(
        "brltty runs, and may talk to /dev/ttyACM0", "If you do not need it:",
        run: ["sudo apt remove brltty"])
    ) {
      try $0.fake.run("brltty", as: 90)
      try $0.fake.write("E:ID_MM_DEVICE_IGNORE=1\n", to: "run/udev/data/c166:0")
      $0.events = silent
    },
    CheckCase(
      "sharing",
      is: .wrong(
        "/dev/ttyUSB0 is open in cat (process 90)", "End that process:", run: ["sudo kill 90"])
    ) {
      try plugSecond(on: $0)
      try $0.fake.run("cat", as: 90, opening: "/dev/ttyUSB0")
    },
    // Another gpsd has a device of its own, and one that is not there.
    CheckCase("sharing", is: .well("no other process reads /dev/ttyACM0")) {
      try $0.plug("ttyUSB0")
      try $0.fake.run("gpsd", as: 90, "-S 3000 /dev/gone /dev/ttyUSB0")
    },
    // One device by two paths
    CheckCase("sharing", is: .well("no other process reads /dev/ttyACM0")) {
      try $0.fake.run(
        "gpsd", as: 77, "-n /dev/serial/by-id/usb-u-blox_7-if00", opening: "/dev/ttyACM0")
    },
    CheckCase(
      "devices",
      is: .wrong(
        "/dev/ttyACM0 (usb-u-blox_7-if00), /dev/ttyUSB0, /dev/ttyUSB1 and /dev/ttyUSB2 are "
          + "there, but unknown to gpsd",
        "Add the one that is the receiver, such as the first:",
        run: setDevices("/dev/serial/by-id/usb-u-blox_7-if00"))
    ) {
      for number in 0..<4 { try $0.plug("ttyUSB\(number)", number: "188:\(number)") }
      try $0.fake.run("gpsd", as: 77, "-n")
      $0.events = noReceivers
    },
    // A rule for another product of the same maker
    CheckCase(
      "devices",
      is: .wrong(
        "/dev/ttyACM0 (usb-u-blox_7-if00) is there, but unknown to gpsd, and its udev rules leave that one "
          + "out", "Add it:", run: setDevices("/dev/serial/by-id/usb-u-blox_7-if00"))
    ) {
      try $0.plug("ttyACM0", number: "166:0", "1546", "01a8")
      try $0.fake.run("gpsd", as: 77, "-n")
      $0.events = noReceivers
    },
    CheckCase("devices", is: .well("gpsd has a receiver and /dev/ttyUSB0")) {
      $0.events = [
        SickMachine.answer, .receivers([Receiver(path: ""), Receiver(path: "/dev/ttyUSB0")]),
      ]
    },
    CheckCase("pps", is: .well("pulses come on pps0")) {
      $0.earlierPulses["pps1"] = "0.000000000#0\n"
      try $0.fake.write("0.000000000#0\n", to: "sys/class/pps/pps1/assert")
    },
    // Their ends count as well.
    CheckCase("pps", is: .well("pulses come on pps0")) {
      $0.earlierPulses = ["pps0": "1800000003.0#10\n"]
      try $0.fake.write("1800000003.1#10\n", to: "sys/class/pps/pps0/clear")
    },
    CheckCase(
      "pps",
      is: .wrong(
        "no pulse came on /dev/pps0",
        "Is the receiver's PPS pin connected to the pin that the driver reads?")
    ) {
      $0.earlierPulses = ["pps0": "1800000003.0#10\n", "pps1": "0.0#0\n"]
      try $0.fake.write("0.0#0\n", to: "sys/class/pps/pps1/assert")
      try $0.fake.write("refclock SHM 3 refid PPS\n", to: "etc/chrony/conf.d/a.conf")
    },
    CheckCase("binary", is: .well("gpsd leaves the protocol of /dev/ttyUSB0 alone (-b)")) {
      $0.events = [
        SickMachine.answer,
        .receivers([
          Receiver(path: SickMachine.port, driver: "NMEA0183"),
          Receiver(path: "/dev/ttyUSB0", driver: "SiRF binary"),
        ]),
      ]
      try $0.fake.run("gpsd", as: 77, "-b /dev/ttyACM0")
    },
  ]
}
