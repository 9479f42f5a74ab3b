import Foundation
import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchDoctor
@testable import LocwatchSystem

/// What the checks look at, and what they may name.
@Suite struct ExaminationTests {
  private func finding(
    _ name: String, _ target: String = "localhost", on machine: SickMachine
  ) -> Finding? {
    machine.findings(target).first { $0.name == name }
  }

  @Test(arguments: ["permissions", "sharing", "console", "apparmor"])
  func `A problem of a device names the device for programs`(check: String) throws {
    var machine = try SickMachine()
    machine.events = [SickMachine.answer, SickMachine.receivers(isActive: false)]
    switch check {
    case "permissions": try machine.plug("ttyACM0", number: "166:0", mode: 0o600)
    case "sharing": try machine.fake.run("cat", as: 90, opening: "/dev/ttyACM0")
    case "console": try machine.fake.write("console=ttyACM0", to: "proc/cmdline")
    default: try machine.fake.enforce("")
    }
    let finding = finding(check, on: machine)
    #expect(finding?.isWell == false && finding?.device == "/dev/ttyACM0")
  }

  /// Such as one in a container of its own.
  @Test func `Serial devices are not those of a gpsd that cannot be seen`() throws {
    var machine = try SickMachine()
    try machine.fake.end(77)
    try machine.fake.write("DEVICES=\"\"\n", to: "etc/default/gpsd")
    let unseen = machine.findings().map(\.name)
    #expect(!unseen.contains("sharing") && !unseen.contains("console"))
    // What does not answer may be the one that they are for.
    machine.events = []
    machine.failure = SickMachine.refused
    let silent = machine.findings().map(\.name)
    #expect(silent.contains("sharing") && silent.contains("console"))
  }

  @Test func `A gpsd that the doctor started has no address`() throws {
    var machine = try SickMachine()
    machine.isPrivate = true
    #expect(
      finding("gpsd", "/dev/ttyACM0", on: machine)?.seen == "gpsd 3.22 was started and answers"
    )
    machine.isPrivate = false
    #expect(
      finding("gpsd", "/dev/ttyACM0", on: machine)?.seen
        == "gpsd 3.22 answers at localhost:2947")
  }

  @Test func `The remedy for a failure of the doctor's own gpsd is not to start one`() throws {
    var machine = try SickMachine()
    machine.events = []
    machine.failure = SickMachine.refused
    machine.isPrivate = true
    let own = finding("gpsd", "/dev/ttyACM0", on: machine)
    #expect(own?.isWell == false && own?.remedy.isEmpty == true)
    machine.isPrivate = false
    #expect(finding("gpsd", on: machine)?.remedy.commands.isEmpty == false)
  }

  @Test func `Without systemd no command restarts gpsd`() throws {
    func commands(hasSystemd: Bool) throws -> [ShellText]? {
      var machine = try SickMachine()
      try machine.fake.run("gpsd", as: 77, "/dev/ttyACM0", opening: "/dev/ttyACM0")
      if !hasSystemd { try FileManager.default.removeItem(atPath: "\(machine.fake.root)/run") }
      machine.events = [SickMachine.answer, SickMachine.receivers()]
      return finding("startup", on: machine)?.remedy.commands
    }
    #expect(try commands(hasSystemd: true)?.contains("sudo systemctl restart gpsd") == true)
    #expect(try commands(hasSystemd: false) == [])
  }

  @Test(arguments: [
    ("azAZ09/._-+:,@=", true), ("", false), ("`", false), ("{", false), ("[", false), (";", false),
    ("<", false), ("\\", false), ("^", false), (" ", false), ("é", false), ("$", false),
    ("'", false), ("*", false), ("~", false), ("\n", false),
  ])
  func `A shell takes letters, digits and a few signs as they are`(text: String, isPlain: Bool) {
    #expect(text.isPlainInShell == isPlain)
  }

  @Test func `A path in a command is plain, and leads to a plain one in dev`() throws {
    let fake = try FakeMachine()
    try fake.plug("ttyACM0")
    func text(_ path: String) -> String? { SerialPath(path, on: fake.machine)?.shellText }
    #expect(text("/dev/ttyACM0") == "/dev/ttyACM0")
    for (name, target) in [
      ("dev/a b", "ttyACM0"), ("dev/$x", "ttyACM0"), ("home/x", "../dev/ttyACM0"),
    ] {
      try fake.link(name, to: target)
    }
    #expect(text("/dev/a b") == nil && text("/dev/$x") == nil)
    try fake.plug("tty;x")
    try fake.link("dev/plain", to: "tty;x")
    #expect(text("/dev/plain") == nil)
    #expect(text("ttyACM0") == nil && text("/dev/ttyACM1") == nil)
  }

  /// As in /proc/PID/stat, where the minor number is in two parts.
  @Test(
    arguments: [
      ("188:0", 48_128, true), ("4:64", 1088, true), ("4:65", 1088, false),
      ("188:300", 1_096_748, true), ("4095:1048575", 4_294_967_295, true),
      ("4096:0", 1_048_576, false), ("4:1048576", 4_294_968_320, false),
    ] as [(String, UInt64, Bool)])
  func `A login is known by the number of its terminal`(
    number: String, terminal: UInt64, isFound: Bool
  ) throws {
    let fake = try FakeMachine()
    try fake.plug("ttyS0")
    try fake.write(number + "\n", to: "sys/class/tty/ttyS0/dev")
    try fake.run("agetty", as: 90)
    try fake.write("90 (agetty) S 1 90 90 \(terminal) 90 0\n", to: "proc/90/stat")
    #expect(fake.machine.login(on: "ttyS0")?.id == (isFound ? 90 : nil))
    // A line that is cut off has no terminal.
    try fake.write("90 (agetty) S 1 90 90", to: "proc/90/stat")
    #expect(fake.machine.login(on: "ttyS0") == nil)
  }
}
