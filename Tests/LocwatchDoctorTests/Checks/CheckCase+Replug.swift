import LocationCore

@testable import LocwatchDoctor
@testable import LocwatchSystem

extension CheckCase {
  private static let seen =
    "gpsd still has an unplugged /dev/ttyACM0 open, and reads nothing from"

  /// Has gpsd hold a device that was unplugged, as gpsd 3.22 does if the receiver was silent before.
  ///
  /// - Parameter path: The path by which gpsd knows it; `nil` if udev has added it.
  static func hold(
    _ gone: String = "/dev/ttyACM0", _ path: String? = nil, on machine: inout SickMachine
  ) throws {
    try machine.fake.run(
      "gpsd", as: 77, "-N -n \(path ?? "")",
      status: SickMachine.status(user: 998, groups: SickMachine.group),
      opening: "\(gone) (deleted)")
    machine.events = [
      SickMachine.answer, SickMachine.receivers(path ?? SickMachine.port, isActive: false),
    ]
  }

  /// Fault 135.
  static let ofReplug: [CheckCase] = [
    CheckCase(
      "replug",
      is: .wrong("\(seen) the one that is there", "Restart gpsd:", run: [restart])
    ) { try hold("/dev/ttyACM0", "/dev/ttyACM0", on: &$0) },
    CheckCase("replug", is: .wrong("\(seen) the one that is there", "Restart gpsd.")) {
      try $0.removeSystemd()
      try hold("/dev/ttyACM0", "/dev/ttyACM0", on: &$0)
    },
    // The kernel gives it another number. udev had added it.
    CheckCase(
      "replug",
      is: .wrong(
        "\(seen) /dev/ttyACM1", "Restart gpsd:",
        run: [restart, "sudo gpsdctl add /dev/ttyACM1"])
    ) {
      try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
      try $0.plug("ttyACM1")
      try hold(on: &$0)
    },
    // The name of the receiver stays.
    CheckCase("replug", is: .wrong("\(seen) /dev/ttyACM1", "Restart gpsd:", run: [restart])) {
      try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
      try $0.plug("ttyACM1", as: "usb-u-blox_7-if00")
      try hold("/dev/ttyACM0", "/dev/serial/by-id/usb-u-blox_7-if00", on: &$0)
    },
    // A pseudo-terminal, with a link to it
    CheckCase(
      "replug",
      is: .wrong(
        "gpsd still has an unplugged /dev/pts/2 open, and reads nothing from /dev/pts/3",
        "Restart gpsd:", run: [restart])
    ) {
      try $0.fake.write(to: "dev/pts/3")
      try $0.fake.link("dev/gps", to: "pts/3")
      try hold("/dev/pts/2", "/dev/gps", on: &$0)
    },
  ]
}
