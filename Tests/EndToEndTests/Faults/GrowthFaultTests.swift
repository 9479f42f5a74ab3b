import DaemonHarness
import Glibc
import Synchronization
import Testing

/// Faults of input without end, by their numbers in the fault matrix.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `Of what has no end` {
  private static let count = 30_000

  @Test(.takesLong) func `39: a reader slower than the stream`() async throws {
    let (sent, end) = (Gate(), Gate())
    let generated = Mutex(0)
    let impostor = try Impostor([
      .sendLines(Reports.version),
      .generate { number in
        generated.withLock { $0 = number }
        return number < 20 * Self.count ? Self.line("TPV", number) : nil
      }, .open(sent), .wait(end), .sendLines(Reports.fix(600_000)), .hold,
    ])
    let locwatch = try Locwatch.start("--json", "-v", "127.0.0.1:\(impostor.port)")
    var transcript = Transcript(of: locwatch)
    try await transcript.fix()
    var memory: [Int] = []
    while !sent.isOpen {
      // A piece of what was written, and then nothing for 20,000 reports.
      locwatch.output.pause()
      let next = generated.withLock(\.self) + 20_000
      try await waitUntil("reports") { sent.isOpen || generated.withLock { $0 >= next } }
      let known = locwatch.output.bytes.count
      locwatch.output.resume()
      try await waitUntil("output") { locwatch.output.bytes.count > known }
      memory.append(try locwatch.usage().residentBytes)
    }
    locwatch.output.resume()
    // The queue is full after a third of the time.
    let settled = memory.prefix(memory.count / 3).max() ?? 0
    #expect((memory.max() ?? 0) - settled < 1_000_000, "\(memory)")
    end.open()
    _ = try await transcript.next { $0.time == Reports.time(600_000) }
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    let fixes = try locwatch.output.records().count(where: \.isFix)
    let drops = try #require(
      locwatch.errors.lines.compactMap { line in
        line.wholeMatch(of: /locwatch: records dropped for a slow reader: (\d+)/)
      }.first.flatMap { Int($0.output.1) })
    #expect(drops > 0)
    #expect(fixes + drops == 20 * Self.count + 1)
  }

  @Test(
    .takesLong, arguments: ["DEVICE", "TPV", "SKY", "class"],
    [
      [], ["--min-move", "1", "--interval", "1s", "--satellites", "--verbose"],
      ["--device", Reports.device],
    ])
  func `41: ever new names`(kind: String, options: [String]) async throws {
    let (third, sent) = (Gate(), Gate())
    let output = try TemporaryFile()
    let impostor = try Impostor(
      [
        .sendLines(Reports.version, Reports.fix(0)),
        .generate { $0 < Self.count / 3 ? Self.line(kind, $0, isNew: true) : nil }, .open(third),
        .generate {
          $0 < Self.count ? Self.line(kind, Self.count + $0, isNew: true) : nil
        }, .open(sent),
      ]
        // As long as 64 others may have a position. It has moved, for --min-move.
        + (1...30).flatMap {
          [
            .sendLines(Reports.fix(10 * $0).replacing("11.517", with: "11.518")),
            .pause(.seconds(1)),
          ]
        }
        + [.hold] as [ImpostorStep])
    let locwatch = try Locwatch.start(
      ["--json"] + options + ["127.0.0.1:\(impostor.port)"], output: .file(output.path))
    try await waitUntil("a third", timeout: .seconds(100)) { third.isOpen }
    let before = try locwatch.usage()
    try await waitUntil("all", timeout: .seconds(200)) { sent.isOpen }
    let after = try locwatch.usage()
    #expect(after.residentBytes - before.residentBytes < 1_000_000)
    // The receiver that reports is found among them.
    try await waitUntil("a fix after them") {
      output.text.split(separator: "\n").contains {
        $0.hasPrefix(#"{"type":"fix","device":"\#(Reports.device)""#)
          && !$0.contains(Reports.time(0))
      }
    }
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
  }

  /// A report that goes by its number and, if it is to be new, names a receiver that none did before.
  @Sendable private static func line(_ kind: String, _ index: Int, isNew: Bool = false) -> [UInt8] {
    let name = isNew ? "/dev/new\(index)" : Reports.device
    let line =
      switch kind {
      case "TPV": Reports.fix(index, device: name)
      case "SKY": #"{"class":"SKY","device":"\#(name)","satellites":[{"PRN":\#(index % 99)}]}"#
      case "DEVICE": #"{"class":"DEVICE","path":"\#(name)","driver":"u-blox","cycle":1.00}"#
      default: #"{"class":"NEW\#(index)","device":"\#(name)"}"#
      }
    return Array("\(line)\r\n".utf8)
  }
}
