import Foundation
import LocationCore
import LocationTestKit
import LocwatchCLI
import LocwatchDoctor
import LocwatchSystem

/// Machines and gpsds that lie, with control characters in every text: no text of theirs is in a command, begins
/// a line, or reaches a terminal as it is.
package struct LiesTarget: FuzzTarget {
  /// In each lie, so that it is found wherever it gets to.
  private static let mark = "FORGED"
  private static let parts = [
    "\n", "\r\n", "\r", "\u{85}", "\u{2028}", "\u{1b}[2J", "\u{9b}31m", "\u{202E}", "\0", "\t", ";",
    "`",
    "$(", ")", "' ; ", "\" ", "\\", "/dev/", "ttyACM0", "/etc/shadow", "-rf /", " sudo kill 1 ",
    "locwatch: ",
    "ntrip://u:p@h/", "✗ port", String(repeating: "x", count: 200),
  ]

  package init() {}

  package func round(seed: UInt64, into tally: inout FuzzTally) async throws -> String? {
    var random = SeededRandom(seed: seed)
    let folder = try FuzzFolder()
    try furnish(folder, &random)
    let updates = (0..<Int.random(in: 1...8, using: &random)).map { _ in update(&random) }
    let failure =
      random.happens(onceIn: 3)
      ? LocationError(
        random.pick([.unreachable, .unknownHost, .silent, .disconnected, .notAService]),
        lie(&random))
      : nil
    let target = random.pick([[], ["boat"], ["/dev/ttyACM0"]])
    let options = try Options(arguments: target.map(Argument.init), environment: [:])
    let said = try Consultation(
      options.question, root: folder.path(""), updates: updates, failure: failure,
      messages: FilePath(folder.path("messages")))
    tally.lines += updates.count
    let messages = String(decoding: folder.read("messages"), as: UTF8.self)
    for (text, name) in [(said.report, "report"), (messages, "messages")] {
      tally.checks += 1
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if let complaint = complaint(about: line) { return "\(complaint) in the \(name):\n\(text)" }
      }
    }
    for line in messages.split(separator: "\n") where !line.hasPrefix("locwatch: ") {
      return "a line without the name of the program:\n\(messages)"
    }
    for command in said.commands {
      tally.checks += 1
      if command.contains(Self.mark) || command.contains(where: \.isNewline) {
        return "a lie in a command: \(command)"
      }
      if target == ["boat"] { return "a command for another machine: \(command)" }
      if command.split(separator: " ").starts(with: ["sudo", "kill", "1"]) {
        return "the first process is to end: \(command)"
      }
    }
    return nil
  }

  private func complaint(about line: Substring) -> String? {
    // What a line of the report has no room for is indented below it.
    let text = line.trimmingPrefix("locwatch: ")
    if text.hasPrefix(Self.mark) { return "a line that a lie begins" }
    let isPlain = line.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
    return isPlain ? nil : "a control character"
  }

  /// Something that is not so, each line of which begins with the mark.
  private func lie(_ random: inout SeededRandom) -> String {
    (0...Int.random(in: 1...5, using: &random)).map { _ in
      random.pick(Self.parts) + Self.mark
    }.joined()
  }

  /// Puts the files of a machine into a folder, of which another user's processes lie.
  private func furnish(_ folder: FuzzFolder, _ random: inout SeededRandom) throws {
    func write(_ text: String, to path: String) throws {
      try folder.makeFolder(path.split(separator: "/").dropLast().joined(separator: "/"))
      try folder.write(Array(text.utf8), to: path)
    }
    func run(_ name: String, as id: Int, _ arguments: String, user: Int) throws {
      try write(name + "\n", to: "proc/\(id)/comm")
      try write("/usr/sbin/gpsd\0\(arguments)\0", to: "proc/\(id)/cmdline")
      try write("Uid:\t\(user)\t\(user)\t0\t0\nGid:\t1\t1\t1\t1\n", to: "proc/\(id)/status")
      try write("", to: "proc/\(id)/fd/0")
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("proc/\(id)/fd/3"), withDestinationPath: "/dev/ttyACM0")
    }
    try write("", to: "dev/ttyACM0")
    try write("166:0\n", to: "sys/class/tty/ttyACM0/dev")
    try write("root:x:0:\ndialout:x:20:\n", to: "etc/group")
    try write("root:x:0:0:root\n", to: "etc/passwd")
    try write("Uid:\t4711\t4711\t0\t0\nGid:\t1\t1\t1\t1\n", to: "proc/self/status")
    if random.happens(onceIn: 2) { try run("gpsd", as: 77, "-n\0/dev/ttyACM0", user: 0) }
    if random.happens(onceIn: 2) { try run("gpsd", as: 5, lie(&random), user: 4242) }
    if random.happens(onceIn: 2) { try run(lie(&random), as: 90, lie(&random), user: 4242) }
    if random.happens(onceIn: 2) { try run("init", as: 1, "", user: 0) }
    if random.happens(onceIn: 2) {
      try write("console=\(lie(&random))\n", to: "proc/cmdline")
    }
  }

  private func update(_ random: inout SeededRandom) -> LocationUpdate {
    let path = random.happens(onceIn: 3) ? "/dev/ttyACM0" : lie(&random)
    let receiver = Receiver(
      path: path, driver: random.happens(onceIn: 2) ? lie(&random) : nil,
      isActive: random.happens(onceIn: 2))
    let failure = LocationError(.disconnected, lie(&random))
    return random.pick([
      .event(.service(LocationService(name: lie(&random)))), .event(.receivers([receiver])),
      .event(.receivers([])), .event(.receiver(receiver)), .event(.removed(path: path)),
      .event(.refused(path: path, reason: lie(&random))), .event(.notice(lie(&random))),
      .event(.noFix(NoFix(device: path))), .event(.sky(SkyView(device: path))),
      .event(.corrections(Corrections(.lost, of: lie(&random), reason: lie(&random)))),
      .event(.other(ServiceReport(.pps, device: path, text: lie(&random)))),
      .state(
        StateChange(
          .noService, reason: failure.detail, error: failure, at: Moment(uptime: .zero))),
      .state(
        StateChange(.lost, of: .receiver(path), loss: .silence, at: Moment(uptime: .zero))),
      .retry(FailedRetry(failure, at: Moment(uptime: .zero))),
    ])
  }
}
