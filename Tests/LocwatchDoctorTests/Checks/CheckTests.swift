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

  @Test func `A healthy machine has no findings`() throws {
    let findings = try SickMachine().findings()
    #expect(
      findings.map { "\($0.name): \($0.seen)" } == [
        "ipv6: IPv6 is on, which gpsd.socket needs",
        "port: /dev/ttyACM0 is there",
        "permissions: gpsd can read and write /dev/ttyACM0",
        "apparmor: gpsd's AppArmor profile lists /dev/ttyACM0",
        "console: no login and no kernel messages on /dev/ttyACM0",
        "probing: neither ModemManager nor brltty runs",
        "sharing: no other process reads /dev/ttyACM0",
        "gpsd: gpsd 3.22 answers at localhost:2947",
        "startup: gpsd reads the receiver without a client (-n), as chrony needs it",
        "devices: gpsd has /dev/ttyACM0",
        "receiver: /dev/ttyACM0 (u-blox, 9600 bps) reports",
        "jamming: the receiver reports no interference (12 of 255)",
        "sky: the receiver has a 3D fix, 5 satellites seen, 4 used, the strongest at 46 dBHz",
        "date: the receiver's date agrees with this machine's",
        "pps: pulses come on pps0",
        "chrony: chrony reads SHM 0; times over the serial line are 0.160 s late",
        "client: gpsd gives positions to any program that connects to it",
      ])
    #expect(findings.allSatisfy { $0.isWell == true && $0.remedy.isEmpty })
    #expect(findings.exitStatus == .success)
  }

  private static let silences: [(String, @Sendable (inout SickMachine) throws -> Void)] = [
    // One that is installed may just not run.
    (
      "container",
      {
        try $0.fake.write(to: ".dockerenv")
        ($0.events, $0.failure) = ([], SickMachine.refused)
      }
    ),
    ("ipv6", { try $0.removeSystemd() }),
    // The pins of a Raspberry Pi have a check of their own.
    (
      "port",
      {
        try $0.becomePi(reading: "/dev/serial0")
        try $0.fake.remove("dev/serial0")
      }
    ),
    ("uart", { try $0.fake.run("gpsd", as: 77, "-n /dev/ttyS0") }),
    // Nothing was plugged in again, or another device.
    (
      "replug",
      {
        try $0.unplug("ttyACM0", "usb-u-blox_7-if00")
        try $0.plug("ttyUSB0")
        try CheckCase.hold(on: &$0)
      }
    ),
    // gpsd reads the new one. What it still has of the old one harms nobody.
    (
      "replug",
      {
        try $0.fake.run(
          "gpsd", as: 77, "-n /dev/ttyACM0", opening: "/dev/ttyACM0 (deleted)", "/dev/ttyACM0")
      }
    ),
    (
      "replug",
      {
        try $0.fake.run(
          "gpsd", as: 77, "-n /dev/ttyACM0", opening: "/dev/shm/x (deleted)", "/x (deleted)")
      }
    ),
    ("startup", { $0.isPrivate = true }),
    ("listening", { _ in }),
    (
      "listening",
      {
        try $0.fake.run("gpsd", as: 77, "-nG /dev/ttyACM0", opening: "/dev/ttyACM0")
        try $0.listen()
      }
    ),
    ("devices", { $0.isPrivate = true }),
    ("receiver", { $0.events = CheckCase.silent }),
    ("speed", { _ in }),
    ("speed", { $0.events = [SickMachine.answer, SickMachine.receivers()] }),
    (
      "speed",
      { $0.events = [SickMachine.answer, SickMachine.receivers(driver: nil, isActive: false)] }
    ),
    ("binary", { _ in }),
    (
      "binary",
      {
        try $0.fake.run("cat", as: 90, opening: "/dev/ttyACM0")
        $0.isPrivate = true
      }
    ),
    // A receiver that has not seen a satellite may have any date.
    (
      "date",
      {
        var noFix = NoFix(device: SickMachine.port)
        noFix.time = Samples.time(1, 0).advanced(by: .seconds(2 * 86_400))
        $0.events = [
          SickMachine.answer, SickMachine.receivers(), SickMachine.sky(used: 0), .noFix(noFix),
        ]
      }
    ),
    // Before, there were none.
    ("pps", { $0.earlierPulses = [:] }),
    ("pps", { try $0.fake.remove("sys/class/pps/pps0/assert") }),
    // chrony takes them from no segment of pulses.
    (
      "pps",
      {
        $0.earlierPulses = ["pps0": "1800000003.0#10\n"]
        try $0.fake.write("refclock SHM 2\n", to: "etc/chrony/conf.d/a.conf")
      }
    ),
    (
      "chrony",
      { try $0.fake.write("refclock SHM 1 refid PPS\n", to: "etc/chrony/chrony.conf") }
    ),
    ("chrony", { $0.events.removeLast() }),
    ("client", { $0.isPrivate = true }),
  ]

  @Test(arguments: silences.indices)
  func `A check says nothing if its problem cannot occur`(number: Int) throws {
    let (check, change) = Self.silences[number]
    var machine = try SickMachine()
    try change(&machine)
    #expect(machine.findings().first { $0.name == check } == nil)
  }

  @Test func `A healthy boat with AIS has no problem`() throws {
    var machine = try SickMachine()
    try machine.plug("ttyUSB0")
    try machine.fake.run("ModemManager", as: 90)
    machine.events = SickMachine.eventsOfBoat
    #expect(machine.findings().filter { $0.isWell != true } == [])
  }

  /// Fault 135.
  @Test(arguments: ["/dev/ttyACM0", nil])
  func `A device that gpsd holds explains what else seems wrong`(configured: String?) throws {
    var machine = try SickMachine()
    try machine.unplug("ttyACM0", "usb-u-blox_7-if00")
    try machine.plug("ttyACM1")
    try CheckCase.hold("/dev/ttyACM0", configured, on: &machine)
    #expect(machine.findings().filter { $0.isWell != true }.map(\.name) == ["replug"])
    // The gpsd of locwatch has its own descriptors.
    machine.isPrivate = true
    #expect(machine.findings("/dev/ttyACM1").allSatisfy { $0.name != "replug" })
  }

  @Test func `A problem of one receiver explains nothing about another`() throws {
    var machine = try SickMachine()
    var jammed = NoFix(device: SickMachine.port)
    jammed.interference = 200
    machine.events = [
      SickMachine.answer,
      .receivers([Receiver(path: SickMachine.port), Receiver(path: "/dev/b")]),
      SickMachine.sky(used: 0), .noFix(jammed),
      SickMachine.sky(of: "/dev/b", used: 0), .noFix(NoFix(device: "/dev/b")),
    ]
    let findings = machine.findings().filter { $0.isWell == false }
    #expect(
      findings.map { [$0.name, $0.device, $0.seen] } == [
        [
          "jamming", "/dev/ttyACM0",
          "/dev/ttyACM0: the receiver reports interference (200 of 255)",
        ],
        ["sky", "/dev/b", "/dev/b: the receiver has no position, 0 satellites seen, 0 used"],
      ])
  }

  /// gpsd turns any serial line into a source of pulses.
  @Test func `Unwanted pulses may be missing, and may have other readers`() throws {
    var machine = try SickMachine()
    try machine.fake.write("0.000000000#0\n", to: "sys/class/pps/pps0/assert")
    machine.earlierPulses = ["pps0": "0.000000000#0\n"]
    try machine.fake.plug("pps0")
    try machine.fake.run(
      "gpsd", as: 77, "-n /dev/ttyACM0 /dev/pps0", opening: "/dev/ttyACM0", "/dev/pps0")
    try machine.fake.run("chronyd", as: 78, opening: "/dev/pps0")
    let findings = machine.findings()
    #expect(!findings.contains { $0.name == "pps" })
    #expect(findings.exitStatus == .success)
  }

  @Test func `Each check has a case in which it finds something, and a distinct name`() {
    let names = Check.all.map(\.name)
    #expect(Set(names).count == names.count)
    let wrong = Set(CheckCase.all.filter { $0.finding.isWell != true }.map(\.check))
    // That of other clients cannot see them.
    #expect(Set(names).subtracting(wrong) == ["client"])
  }

  @Test func `Findings come in the order of the chain, even if three things are wrong`() throws {
    var machine = try SickMachine()
    try machine.fake.run("cat", as: 90, opening: "/dev/ttyACM0")
    try machine.fake.run("gpsd", as: 77, "/dev/ttyACM0", opening: "/dev/ttyACM0")
    machine.events.append(SickMachine.fix(jam: 200))
    let findings = machine.findings()
    let order = Check.all.map(\.name).filter { name in findings.contains { $0.name == name } }
    #expect(findings.map(\.name) == order)
    #expect(
      findings.filter { $0.isWell == false }.map(\.name)
        == ["sharing", "startup", "binary", "jamming"])
    #expect(findings.exitStatus == .wrong)
  }

  @Test func `Nothing beyond a missing link of the chain is reported`() throws {
    func links(_ events: [LocationEvent]) throws -> [String] {
      var machine = try SickMachine()
      machine.events = events
      machine.failure = events.isEmpty ? SickMachine.refused : nil
      let names = machine.findings().map(\.name)
      return Array(names.drop { $0 != "gpsd" })
    }
    #expect(try links([]) == ["gpsd", "startup"])
    let answer = SickMachine.answer
    #expect(try links([answer, .receivers([])]) == ["gpsd", "startup", "devices"])
    #expect(
      try links([answer, SickMachine.receivers()])
        == ["gpsd", "startup", "devices", "receiver"])
    #expect(
      try links([answer, SickMachine.receivers(), SickMachine.noFix])
        == ["gpsd", "startup", "devices", "receiver", "sky", "pps"])
  }

  @Test func `A remote gpsd is examined only by its reports`() throws {
    let findings = try SickMachine().findings("boat")
    #expect(
      findings.map(\.name) == ["gpsd", "devices", "receiver", "jamming", "sky", "date", "client"])
  }

  @Test(arguments: [
    ([true, true], ExitStatus.success), ([], .success), ([true, nil], .doubt),
    ([nil, false, true], .wrong),
  ])
  func `The worst finding determines the status`(are: [Bool?], status: LocwatchSystem.ExitStatus) {
    let findings = are.map { Finding(name: "x", isWell: $0, seen: "", remedy: .none) }
    #expect(findings.exitStatus == status)
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
