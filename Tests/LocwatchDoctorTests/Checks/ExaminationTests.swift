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
