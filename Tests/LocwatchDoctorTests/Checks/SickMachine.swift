import Foundation
import GPSDLocation
import GPSDProtocol
import Glibc
import LocationCore
import Testing

@testable import LocwatchDoctor
@testable import LocwatchReceivers
@testable import LocwatchSystem

/// A machine with all that the checks look at, in which all is well until a test changes it.
struct SickMachine {
  let fake: FakeMachine
  /// What gpsd says.
  var events: [LocationEvent] = Self.events
  var failure: LocationError?
  /// How long gpsd was listened to.
  var duration = Duration.seconds(16)
  /// The pulses of some seconds ago.
  var earlierPulses = ["pps0": "1800000000.0#7\n"]
  /// What was in the segments of shared memory at that time, and is now.
  var earlierSegments = TimeSegments(counts: [0: 4, 1: 0])
  var laterSegments = TimeSegments(counts: [0: 6, 1: 0])
  /// Whether the doctor started gpsd.
  var isPrivate = false
  var link: NetworkLink?

  static let port = "/dev/ttyACM0"
  static let group = FakeMachine.group
  static let refused = LocationError(
    .unreachable, systemError: .errno(ECONNREFUSED), "localhost:2947: connection refused")

  init() throws {
    fake = try FakeMachine()
    try plug("ttyACM0", as: "usb-u-blox_7-if00", number: "166:0", "1546", "01a7")
    try fake.run(
      "gpsd", as: 77, "-N -n /dev/ttyACM0", status: Self.status(user: 998, groups: Self.group),
      opening: "/dev/ttyACM0")
    try fake.run("chronyd", as: 78)
    try fake.write(Self.status(user: 4711, groups: Self.group), to: "proc/self/status")
    try fake.write("root:x:0:0:root\ngpsd:x:998:20::\npi:x:4711:4711:,,,\n", to: "etc/passwd")
    try fake.write("root:x:0:\ndialout:x:\(Self.group):\n", to: "etc/group")
    try fake.write("DEVICES=\"/dev/ttyACM0\"\nGPSD_OPTIONS=\"-n\"\n", to: "etc/default/gpsd")
    try fake.write(
      "[Socket]\n# ListenStream=0.0.0.0:2947\nListenStream=[::1]:2947\nListenStream=127.0.0.1:2947\n",
      to: "lib/systemd/system/gpsd.socket")
    try fake.write("00000000000000000000000000000001 01 80 10 80 lo\n", to: "proc/net/if_inet6")
    try listen("0100007F")
    try fake.write("BOOT_IMAGE=/vmlinuz console=tty1 quiet\n", to: "proc/cmdline")
    try fake.enforce()
    try fake.write(
      "# comment\nrefclock SHM 0 refid GPS offset 0.155\n", to: "etc/chrony/chrony.conf")
    try fake.write(to: "run/systemd/system/x")
    try fake.write("1800000003.0#10\n", to: "sys/class/pps/pps0/assert")
    try fake.write("#!/bin/sh\n", to: "usr/sbin/gpsd")
    try fake.write(Self.rules, to: "lib/udev/rules.d/60-gpsd.rules")
  }

  /// Plugs in a serial device.
  func plug(
    _ name: String, as id: String? = nil, number: String = "188:0", _ vendor: String = "0403",
    _ model: String = "6001", mode: mode_t = 0o660
  ) throws {
    try fake.plug(name, as: id)
    try fake.protect("dev/\(name)", mode, group: Self.group)
    try fake.write(number + "\n", to: "sys/class/tty/\(name)/dev")
    try fake.write(
      "S:x\nE:ID_VENDOR_ID=\(vendor)\nE:ID_MODEL_ID=\(model)\n", to: "run/udev/data/c\(number)")
  }

  /// Unplugs a serial device.
  func unplug(_ name: String, _ id: String? = nil) throws {
    try fake.remove("dev/\(name)")
    if let id { try fake.remove("dev/serial/by-id/\(id)") }
  }

  /// Has sockets listen on gpsd's port.
  func listen(_ addresses: String...) throws {
    let lines = addresses.enumerated().map { number, address in
      "   \(number): \(address):0B83 00000000:0000 0A 0:0 00:0 0 0 0 1 1 0 100 0 0 10 0\n"
    }
    let head = "  sl  local_address rem_address   st\n   9: 0100007F:0B83 0100007F:9999 01 0:0\n"
    try fake.write(head + lines.joined(), to: "proc/net/tcp")
  }

  /// Has gpsd hold a device that was unplugged, as gpsd 3.22 does if the receiver was silent before.
  ///
  /// - Parameter path: The path by which gpsd knows it; `nil` if udev has added it.
  mutating func hold(_ gone: String, _ path: String? = nil) throws {
    try fake.run(
      "gpsd", as: 77, "-N -n \(path ?? "")", status: Self.status(user: 998, groups: Self.group),
      opening: "\(gone) (deleted)")
    events = [Self.answer, Self.receivers(path ?? Self.port, isActive: false)]
  }

  /// Has a locwatch read the receiver with a private gpsd, and no other gpsd run.
  mutating func readByLocwatch(_ process: pid_t = 75) throws {
    try fake.run("locwatch", as: process, "/dev/ttyACM0")
    try fake.write("76 (sh) S \(process) 76\n", to: "proc/76/stat")
    try fake.write("77 (gpsd) S 76 77\n", to: "proc/77/stat")
    events = []
  }

  /// Has another program than systemd start the others.
  func removeSystemd() throws {
    try FileManager.default.removeItem(atPath: "\(fake.root)/run/systemd")
  }

  /// What is found.
  func findings(_ target: String = "localhost") -> [Finding] {
    var conversation: Conversation?
    if !events.isEmpty || failure != nil {
      var said = Conversation()
      for event in events {
        said.record(event, at: Moment(uptime: .zero, wall: Samples.time(1, 0)))
      }
      said.failure = failure
      said.duration = duration
      conversation = said
    }
    return Check.findings(
      of: Examination(
        of: Target(named: target), conversation, on: fake.machine, isPrivate: isPrivate, link: link,
        earlierPulses: earlierPulses, earlierSegments: earlierSegments,
        laterSegments: laterSegments))
  }

  static func status(user: uid_t, groups: gid_t...) -> String {
    "Name:\tx\nUid:\t\(user)\t\(user)\t0\t0\nGid:\t5\t6\t5\t5\n"
      + "Groups:\t\(groups.map { "\($0)" }.joined(separator: " ")) \nVmPeak:\t 12 kB\n"
  }

  private static let rules = """
    # ATTRS{idVendor}=="0403", ATTRS{idProduct}=="6001", SYMLINK+="gps%n"
    ATTRS{idVendor}=="1546", ATTRS{idProduct}=="01a7", SYMLINK+="gps%n"

    """
}

extension SickMachine {
  static let answer = LocationEvent.service(LocationService(name: "gpsd 3.22"))

  static func receivers(
    _ path: String = port, driver: String? = "u-blox", speed: Int? = 9600, isActive: Bool = true
  ) -> LocationEvent {
    .receivers([
      Receiver(path: path, driver: driver, bitsPerSecond: speed, isActive: isActive)
    ])
  }

  /// - Parameter strengths: Those of as many satellites.
  static func sky(
    of device: String = port, _ strengths: Double..., used: Int
  ) -> LocationEvent {
    let satellites = strengths.enumerated().map { number, strength in
      Satellite(prn: number + 1, signalStrength: strength, isUsed: number < used)
    }
    return .sky(SkyView(device: device, satellites: satellites))
  }

  /// - Parameter device: The receiver.
  static func fix(
    of device: String = port, jam: Int? = 12, late: Duration = .milliseconds(200)
  ) -> LocationEvent {
    var fix = Samples.position(48, 11, .fix3D)
    fix.device = device
    fix.time = Samples.time(1, 0)
    fix.received = fix.time?.advanced(by: late)
    fix.interference = jam
    return .fix(fix)
  }

  /// - Parameter segment: Where gpsd says that it writes the time.
  static func offset(_ offset: Duration, to segment: String? = nil) -> LocationEvent {
    .other(report(offset, of: segment == nil ? nil : port, to: segment))
  }

  static func report(
    _ offset: Duration, of device: String?, to segment: String?
  ) -> ServiceReport {
    var report = ServiceReport(.toff, device: device, clockOffset: offset, text: "{}")
    report.sharedMemory = segment
    return report
  }

  static let noFix = LocationEvent.noFix(NoFix(device: port))

  /// What gpsd says if all is well.
  static let events = [
    answer, receivers(), sky(46, 40, 38, 30, 20, used: 4), fix(), offset(.milliseconds(160)),
  ]
}

extension FakeMachine {
  /// Has a process show nothing of its files.
  func hideFiles(of process: pid_t) throws {
    try remove("proc/\(process)/fd")
    try write(to: "proc/\(process)/fd")
  }
}
