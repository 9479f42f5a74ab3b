import Foundation
import GPSDLocation
import GPSDProtocol
import LocationCore
import LocationTestKit
import Testing

@testable import LocationText
@testable import LocwatchDoctor
@testable import LocwatchReceivers
@testable import LocwatchSystem

/// How long gpsd is listened to.
@Suite struct DoctorTests {
  private static let events = SickMachine.events.dropLast().map(ScriptedLocationSource.Step.event)

  @Test(arguments: [(0, 5), (7, 5)])
  func `A receiver on the network that sends nothing that gpsd knows is given five seconds`(
    received: Int, seconds: Int
  ) async throws {
    let visit = await visitNetwork { elapsed in
      let isThere = elapsed >= .seconds(2)
      return (isThere: isThere, failure: nil, received: isThere ? received : 0)
    }
    #expect(visit.elapsed == .seconds(2 + seconds))
    let problem = visit.findings.first { $0.isWell == false }
    #expect(problem?.name == (received > 0 ? "sentences" : "network"))
  }

  @Test func `A gpsd that the doctor started is not asked for chrony's times`() async throws {
    let machine = try SickMachine()
    try machine.fake.remove("sys/class/pps/pps0/assert")
    let clock = ManualClock()
    let start = clock.now
    let source = ScriptedLocationSource(
      clock: clock.skippingWaits, scripts: Self.events + [.wait(.seconds(10))])
    var patient = Doctor.Patient(gpsd: source)
    patient.isPrivate = true
    _ = await Doctor(
      target: Target(named: SickMachine.port), machine: machine.fake.machine,
      segments: { TimeSegments() }
    ).findings(asking: patient)
    #expect(start.duration(to: clock.now) == .zero)
  }

  @Test func `The segments that gpsd writes to are found while the doctor listens`() async throws {
    let machine = try SickMachine()
    let source = ScriptedLocationSource(
      clock: ManualClock().skippingWaits,
      scripts: Self.events + [.event(SickMachine.offset(.milliseconds(160)))])
    // It writes when it is asked.
    let segments = { @Sendable in TimeSegments(counts: [0: source.calls.isEmpty ? 4 : 6]) }
    let findings = await Doctor(
      target: Target(named: "localhost"), machine: machine.fake.machine, segments: segments
    ).findings(asking: Doctor.Patient(gpsd: source))
    #expect(
      findings.first { $0.name == "chrony" }?.seen
        == "chrony reads SHM 0; times over the serial line are 0.160 s late")
  }

  @Test func `A problem of the machine prevents the start of a gpsd, but a doubt does not`()
    throws
  {
    let machine = try SickMachine()
    let doctor = Doctor(target: Target(named: SickMachine.port), machine: machine.fake.machine)
    // Only root can see who else reads the device, and AppArmor may be enforced or not.
    try machine.fake.end(77)
    try machine.fake.write(to: "proc/1/fd")
    #expect(doctor.obstacle == nil)
    try machine.unplug("ttyACM0", "usb-u-blox_7-if00")
    #expect(
      doctor.obstacle?.filter { $0.isWell == false }.map(\.seen) == ["/dev/ttyACM0 is not there"])
  }

  @Test(
    arguments: [
      (nil, 16, "network: tcp://phone:1 could not be reached within 16 s"),
      ("refused", 2, "network: cannot reach tcp://phone:1: refused"),
    ] as [(String?, Int, String)])
  func `A receiver on the network is waited for, unless it cannot be reached`(
    failure: String?, seconds: Int, finding: String
  ) async throws {
    let visit = await visitNetwork { _ in (isThere: false, failure: failure, received: 0) }
    #expect(visit.elapsed == .seconds(seconds))
    #expect(
      visit.findings.map { "\($0.name): \($0.seen)" }
        == [finding, "gpsd: gpsd 3.22 was started and answers"])
  }

  @Test func `A receiver on the network that can no longer be reached is left two seconds later`()
    async throws
  {
    // It is looked at every second.
    let visit = await visitNetwork { elapsed in
      (isThere: false, failure: elapsed < .milliseconds(4500) ? nil : "refused", received: 0)
    }
    #expect(visit.elapsed == .seconds(7))
  }

  @Test func `gpsd has five seconds from the first bytes of a receiver on the network`() async {
    let visit = await visitNetwork { elapsed in
      (isThere: true, failure: nil, received: elapsed < .seconds(3) ? 0 : 100)
    }
    #expect(visit.elapsed == .seconds(8))
  }

  /// Examines a receiver on the network, whose connection depends on the time that has passed.
  private func visitNetwork(
    _ link: @escaping @Sendable (Duration) -> (isThere: Bool, failure: String?, received: Int)
  ) async -> (findings: [Finding], elapsed: Duration) {
    let clock = ManualClock()
    let start = clock.now
    let source = ScriptedLocationSource(
      clock: clock.skippingWaits,
      scripts: [.event(SickMachine.answer), .event(.receivers([]))])
    var patient = Doctor.Patient(gpsd: source)
    patient.isPrivate = true
    patient.link = {
      let link = link(start.duration(to: clock.now))
      return NetworkLink(
        address: NetworkAddress(.tcp, host: "phone", port: 1), isThere: link.isThere,
        failure: link.failure, receivedCount: link.received)
    }
    let findings = await Doctor(
      target: Target(named: "tcp://phone:1"), machine: .empty, segments: { TimeSegments() }
    ).findings(asking: patient)
    return (findings, start.duration(to: clock.now))
  }

  @Test func `Without a gpsd there is nothing to ask`() async throws {
    let machine = try SickMachine()
    try machine.fake.end(77)
    let doctor = Doctor(
      target: Target(named: SickMachine.port), machine: machine.fake.machine,
      segments: { TimeSegments() })
    let findings = await doctor.findings(asking: nil)
    #expect(
      findings.last
        == Finding(
          name: "gpsd", isWell: nil, seen: "no gpsd has /dev/ttyACM0, and none was started",
          remedy: .none))
    #expect(findings.exitStatus == .doubt && doctor.obstacle == nil)
  }

  @Test func `A list that arrives at the last moment is read`() {
    var conversation = Conversation()
    conversation.record(.receivers([Receiver(path: "/dev/a")]), at: .start)
    conversation.record(.receiver(Receiver(path: "/dev/a", driver: "x")), at: .start)
    conversation.record(.receiver(Receiver(path: "/dev/b")), at: .start)
    #expect(conversation.receivers?.map(\.driver) == ["x", nil])
    conversation.record(.removed(path: "/dev/a"), at: .start)
    #expect(conversation.receivers?.map(\.path) == ["/dev/b"])
  }

  @Test func `The text that gpsd sends is limited`() {
    var conversation = Conversation()
    for number in 0..<200 {
      conversation.record(.receiver(Receiver(path: "/dev/\(number)")), at: .start)
      conversation.record(.noFix(NoFix(device: "/dev/\(number)")), at: .start)
      conversation.record(SickMachine.offset(.seconds(number)), at: .start)
    }
    #expect(conversation.receivers?.count == 64 && conversation.receptions.count == 64)
    #expect(conversation.receivers?.first?.path == "/dev/136")
    #expect(conversation.receptions.last?.path == "/dev/63")
    #expect(conversation.receptions[0].offsets.count == 64 && conversation.offset == 32)
    conversation.record(.receivers((0..<200).map { Receiver(path: "/dev/\($0)") }), at: .start)
    #expect(conversation.receivers?.count == 64 && conversation.receivers?.last?.path == "/dev/63")
  }

  @Test func `Only a fix, and only of the receiver that has it, is a fix`() {
    var conversation = Conversation()
    func reaches(_ event: LocationEvent, _ reach: Conversation.Reach) -> Bool {
      conversation.record(event, at: .start)
      return conversation.reach == reach
    }
    #expect(conversation.reach == .nothing)
    // A list by itself is an answer, and so is one without a list.
    #expect(reaches(.receivers([]), .service))
    #expect(reaches(.receiver(Receiver(path: "/dev/a", isActive: false)), .closedReceiver))
    #expect(!conversation.hasOpened)
    #expect(reaches(.receiver(Receiver(path: "/dev/b")), .receiver) && conversation.hasOpened)
    #expect(reaches(.removed(path: "/dev/b"), .closedReceiver) && conversation.hasOpened)
    #expect(reaches(.noFix(NoFix(device: "/dev/c")), .reports))
    // One that gpsd did not list counts because it reported, and only then.
    #expect(conversation.all.map(\.receiver.path) == ["/dev/a", "/dev/c"])
    #expect(conversation.all.map { $0.reception != nil } == [false, true])
    #expect(reaches(SickMachine.sky(of: "/dev/c", 46, used: 0), .reports))
    #expect(reaches(SickMachine.fix(of: "/dev/c"), .fix))
    #expect(reaches(.noFix(NoFix(device: "/dev/d")), .fix))
  }

  @Test func `The lateness of times is measured without the receiver's pulses`() {
    var conversation = Conversation()
    // It says nothing about a receiver that has reported nothing.
    conversation.record(SickMachine.offset(.seconds(1)), at: .start)
    #expect(conversation.offset == nil)
    for path in ["/dev/a", "/dev/b"] {
      conversation.record(.noFix(NoFix(device: path)), at: .start)
    }
    var pulse = ServiceReport(.pps, device: "/dev/b", clockOffset: .seconds(9), text: "{}")
    pulse.sharedMemory = "NTP3"
    conversation.record(.other(pulse), at: .start)
    #expect(conversation.offset == nil)
    conversation.record(
      .other(SickMachine.report(.seconds(2), of: "/dev/b", to: "NTP2")), at: .start)
    conversation.record(.other(SickMachine.report(.seconds(4), of: "/dev/b", to: nil)), at: .start)
    #expect(conversation.receptions.map(\.segment) == [nil, "NTP2"])
    #expect(conversation.receptions.map(\.offset) == [nil, 4])
    conversation.record(SickMachine.offset(.seconds(3)), at: .start)
    // For a segment that no receiver names, it is the first receiver's.
    #expect([2, 0].map(conversation.offset) == [4, 3])
  }

  @Test func `Signals count as falling if all of them fall, and at least four`() {
    func fall(_ skies: [Double?]...) -> Double? {
      var conversation = Conversation()
      for sky in skies {
        let satellites = sky.enumerated().map {
          Satellite(prn: $0.offset / 2, sigID: $0.offset % 2, signalStrength: $0.element)
        }
        conversation.record(.sky(SkyView(satellites: satellites)), at: .start)
      }
      return conversation.receptions.first?.commonFall
    }
    #expect(fall([40, 41, 42], [20, 20, 20]) == nil)
    #expect(fall([40, 30, 42, 33], [30, 24, 32, 24]) == 6)
    #expect(fall([40, 30, 42, 33], [30, 24, 42, 24]) == 0)
    #expect(fall([30, 30, 42, 33], [40, 40, 42, 43]) == 0)
    #expect(fall([40, 30, 42, 33], [nil, 0, nil, nil]) == 0)
  }
}

@Suite struct GPSDArgumentsTests {
  @Test(arguments: [
    ("-N -n /dev/ttyS0", "Nn", ["/dev/ttyS0"], 2947),
    ("-bnG -S 3000 /dev/a /dev/b", "GSbn", ["/dev/a", "/dev/b"], 3000),
    ("-nS3000", "Sn", [], 3000), ("-F /run/x -D 5 - tcp://x", "DF", ["-", "tcp://x"], 2947),
    ("-S", "S", [], 2947), ("-S 99999", "S", [], 2947), ("", "", [], 2947),
  ])
  func `gpsd's arguments are options, their values, and devices`(
    line: String, options: String, devices: [String], port: UInt16
  ) {
    let arguments = GPSDArguments(line.split(separator: " ").map(String.init))
    #expect(String(arguments.options.sorted()) == options)
    #expect(arguments.devices == devices && arguments.port == port)
  }
}

@Suite struct DoctorReportTests {
  private static let findings = [
    Finding(name: "port", isWell: true, seen: "/dev/ttyACM0 is there", remedy: .none),
    Finding(
      name: "permissions", isWell: false,
      seen: "you cannot use /dev/ttyACM0, which belongs to the group dialout of this machine",
      remedy: Remedy("Join that group:", run: ["sudo adduser pi dialout", "b \"c\""])),
    Finding(name: "sharing", isWell: nil, seen: "who reads it", remedy: .root),
  ]

  @Test func `A record names the receiver, and a long text is cut off`() {
    let report = DoctorReport(findings: [
      Finding(
        name: "sky", isWell: nil, seen: String(repeating: "x ", count: 1000), remedy: .none,
        device: "/dev/a")
    ])
    #expect(
      report.json.string.hasPrefix(#"{"type":"check","name":"sky","ok":null,"seen":"x x "#)
        && report.json.string.hasSuffix(" \",\"device\":\"/dev/a\"}\n"))
    #expect(report.text(TerminalStyle()).string.count { $0 == "x" } == 512)
  }

  @Test func `A terminal can lack UTF-8, or have colours`() {
    var style = TerminalStyle()
    style.showsUTF8 = false
    let report = DoctorReport(findings: Self.findings)
    let lines = report.text(style).string.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(
      lines == [
        "ok port        /dev/ttyACM0 is there",
        "NO permissions you cannot use /dev/ttyACM0, which belongs to the group dialout",
        "?? sharing     who reads it",
      ])
    style.showsUTF8 = true
    style.usesColor = true
    #expect(
      report.text(style).string.hasPrefix(
        "\u{1b}[32m✓\u{1b}[0m port        /dev/ttyACM0 is there\n\u{1b}[31m✗\u{1b}[0m permissions ")
    )
  }
}

@Suite struct `The doctor's output in the README` {
  @Test func `is the actual output`() throws {
    let machine = try SickMachine()
    try machine.fake.run("cat", as: 90, opening: "/dev/ttyACM0")
    let text = DoctorReport(findings: machine.findings()).text(TerminalStyle()).string
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../README.md")
    let readme = try String(contentsOf: file, encoding: .utf8)
    let sample = try #require(readme.components(separatedBy: "$ locwatch --doctor\n").last)
    let shown = sample.components(separatedBy: "…\n")[0].split(separator: "\n")
    let written = text.split(separator: "\n")
    #expect(shown.count == 4)
    #expect(shown.filter { !written.contains($0) } == [])
  }
}
