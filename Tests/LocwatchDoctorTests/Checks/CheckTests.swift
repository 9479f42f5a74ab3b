import LocationCore
import Testing

@testable import LocationText
@testable import LocwatchDoctor
@testable import LocwatchSystem

/// Fault 115.
@Suite struct CheckTests {
  @Test(arguments: CheckCase.all)
  func `A problem is reported with its remedy`(example: CheckCase) throws {
    var machine = try SickMachine()
    try example.change(&machine)
    let findings = machine.findings(example.target)
    let finding = findings.first { $0.name == example.check }.map {
      Finding(isWell: $0.isWell, seen: $0.seen, remedy: $0.remedy)
    }
    #expect(finding == example.finding)
  }

  /// Those of other gpsds say nothing about the own one.
  @Test func `A gpsd that the doctor started needs no options, and has no other clients`() throws {
    var machine = try SickMachine()
    try machine.fake.run("cat", as: 90, opening: "/dev/ttyACM0")
    machine.isPrivate = true
    let names = Set(machine.findings("/dev/ttyACM0").map(\.name))
    #expect(names.isDisjoint(with: ["startup", "devices", "binary", "client"]))
    try machine.hold("/dev/ttyACM0")
    machine.isPrivate = true
    #expect(machine.findings("/dev/ttyACM0").allSatisfy { $0.name != "replug" })
  }

  @Test func `Each check has a distinct name`() {
    let names = Check.all.map(\.name)
    #expect(Set(names).count == names.count)
  }
}

/// Unexpected files.
@Suite struct HostileMachineTests {
  private static let paths = [
    "etc/default/gpsd", "etc/group", "etc/passwd", "etc/chrony/chrony.conf", "proc/cmdline",
    "proc/net/tcp", "proc/net/if_inet6", "proc/sysvipc/shm", "proc/77/cmdline", "proc/77/comm",
    "proc/77/status", "proc/self/status", "lib/systemd/system/gpsd.socket",
    "sys/class/tty/ttyACM0/dev", "run/udev/data/c166:0", "sys/class/pps/pps0/assert",
    "etc/apparmor.d/usr.sbin.gpsd", "sys/kernel/security/apparmor/profiles",
    "lib/udev/rules.d/60-gpsd.rules",
  ]

  @Test(arguments: [
    "", "\n", "\0\0\0", "\u{ff}\u{fe}\n=\n:::\n", "=", "A=", "99999999999999999999 9 9 9 9 9 9 9\n",
    String(repeating: "9", count: 20_000), String(repeating: ":\n", count: 20_000),
    "Uid:\t1\nGid:\nGroups: x -1 4294967296\n", "-S 99999 -S -s", "refclock SHM offset offset",
    "refclock SHM 99999999999999999999 offset nan\n", "166:99999999999999999999", "4096:1048576",
  ])
  func `never end the program`(text: String) throws {
    for path in Self.paths {
      let machine = try SickMachine()
      try machine.fake.write(text, to: path)
      _ = machine.findings()
      _ = machine.findings("/dev/ttyACM0")
    }
  }

  @Test func `are bytes, folders and endless devices as well`() throws {
    for path in Self.paths {
      var machine = try SickMachine()
      try machine.fake.write("", to: path)
      try machine.fake.remove(path)
      try machine.fake.link(path, to: "/dev/zero")
      machine.events = [SickMachine.answer, .receivers([])]
      _ = machine.findings()
      try machine.fake.remove(path)
      try machine.fake.write("", to: path + "/folder")
      _ = machine.findings()
    }
  }

  @Test func `are shown without control characters`() throws {
    var machine = try SickMachine()
    machine.events = [
      SickMachine.answer, SickMachine.receivers("/dev/\u{1b}[2J\n\u{202e}x", isActive: false),
    ]
    let report = DoctorReport(findings: machine.findings())
    for text in [report.text(TerminalStyle()).string, report.json.string] {
      #expect(
        text.unicodeScalars.allSatisfy {
          $0 == "\n" || $0.properties.generalCategory != .control && $0 != "\u{202e}"
        })
    }
    #expect(report.text(TerminalStyle()).string.contains(#"/dev/\u{1b}[2J\u{a}\u{202e}x"#))
  }
}
