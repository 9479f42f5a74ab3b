import Foundation
import LocationCore
import LocationTestKit
import Synchronization
import TestSupport
import Testing
import VirtualTimeTesting

@testable import GPSDLocation

/// Fault 86.
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A recording of several sources` {
  private func line(_ seconds: Int) -> String {
    #"{"class":"TPV","device":"/dev/x","mode":3,"time":"2026-11-20T07:05:0\#(seconds).000Z","#
      + #""lat":48,"lon":11,"altHAE":1,"altMSL":1,"speed":1,"track":1,"climb":0,"eph":1,"epv":1}"#
  }

  @Test func `names the source in its time stamps`() {
    let stamp = RecordingTimestamp(elapsed: .milliseconds(12_345), source: #"a "b" \ c"#)
    var bytes: [UInt8] = []
    stamp.append(to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"class":"LOCWATCH","t":12.345,"source":"a \"b\" \\ c"}"# + "\r\n")
    #expect(RecordingTimestamp(line: bytes[...]) == stamp)
  }

  private func file(_ lines: [String]) throws -> TemporaryFile {
    try TemporaryFile(lines.map { $0 + "\r\n" }.joined())
  }

  private func stamp(_ seconds: Double, _ source: String) -> String {
    let (whole, rest) = Int(seconds * 1000).quotientAndRemainder(dividingBy: 1000)
    return
      #"{"class":"LOCWATCH","t":\#(whole).\#(String(rest + 1000).dropFirst()),"source":"\#(source)"}"#
  }

  /// The source and the second of each piece, with the second of its report.
  private func summary(_ pieces: [FleetReplay.Piece]) -> [String] {
    pieces.map { piece in
      let report = piece.text.firstRange(of: "07:05:").map { range in
        " " + piece.text[range.upperBound...].prefix(2)
      }
      return "\(piece.source ?? "-") \(piece.moment.uptime.inSeconds)\(report ?? "")"
    }
  }

  @Test func `of endlessly many sources says how many lines were left out`() async throws {
    #expect(ReplayEngine.maximumSources == 1024)
    let file = try file(
      (0..<26).flatMap { [stamp(0, "s\($0)"), line(1), line(2)] } + [stamp(1, "s0"), line(3)])
    let replay = FleetReplay(
      [try RecordingFile(path: FilePath(file.path))], maximumSources: 16)
    let pieces = try await replay.run()
    #expect(Set(pieces.map(\.source)).count == 16)
    #expect(pieces.reduce(0) { $0 + $1.text.split(separator: "\r\n").count } == 33)
    #expect(summary(pieces.suffix(2)) == ["s0 1.0", "s0 1.0 03"])
    #expect(replay.recording.linesLeftOut == 20)
    #expect(replay.recording.isOver)
  }

  @Test func `says to each source that nothing was recorded for some time`() async throws {
    let start = { (time: String) in
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T\#(time).000Z","source":"b"}"#
    }
    let file = try file([
      start("07:05:00"), line(0), stamp(1, "a"), line(1), start("08:05:00"), line(5), stamp(1, "a"),
      line(6),
    ])
    let pieces = try await FleetReplay([file.path]).run().filter { !$0.text.isEmpty }
    #expect(
      summary(pieces) == ["b 0.0 00", "a 1.0 01", "b 1.0", "a 1.0", "b 3600.0 05", "a 3601.0 06"])
    #expect(
      pieces.map(\.text).filter { $0.contains("LOCWATCH") }
        == Array(
          repeating: #"{"class":"LOCWATCH_LINK","state":"lost","error":"notRecorded","#
            + #""reason":"not recorded"}"# + "\n", count: 2))
  }

  @Test func `gives the next source its turn when one is closed`() async throws {
    // While a source handles its lines, no other has any.
    let file = try file([
      stamp(0, "a"), stamp(0, "b"), stamp(1, "a"), line(1), stamp(1, "b"), line(1),
      stamp(2, "a"), line(2), stamp(2, "b"), line(2), stamp(3, "a"), line(3),
    ])
    #expect(
      summary(try await FleetReplay([file.path], count: 3).run())
        == ["a 0.0", "b 0.0", "a 1.0", "a 1.0 01", "b 1.0", "b 1.0 01"])
    #expect(
      summary(try await FleetReplay([file.path], count: 1).run()) == ["a 0.0", "b 0.0"])
  }

  @Test func `finds a source that appears when all others are closed`() async throws {
    let lines =
      [stamp(0, "a"), line(0)] + (1..<400).flatMap { [stamp(Double($0) / 1000, "a"), line(1)] }
      + [stamp(5, "b"), line(5), stamp(6, "c"), line(6), stamp(7, "a"), line(7)]
    let file = try file(lines)
    let replay = try FleetReplay([file.path], count: 2)
    #expect(!replay.recording.isOver)
    #expect(
      summary(try await replay.run()) == [
        "a 0.0", "a 0.0 00", "b 5.0", "b 5.0 05", "c 6.0", "c 6.0 06",
      ])
    #expect(replay.recording.isOver)
    #expect(replay.recording.clock.now.uptime == .seconds(7))
  }

  @Test func `has a session of a source again after one was closed`() async throws {
    let file = try file([stamp(0, "a"), line(0), stamp(1, "a"), line(1)])
    let recording = ReplayEngine(
      [try RecordingFile(path: FilePath(file.path))], pace: .asFastAsPossible, realClock: .live
    ) { _, _ in }
    try await recording.begin()
    let first = recording.session(of: "a")
    #expect(try await first.read(until: nil) == .timedOut(at: .at(0)))
    await first.close()
    let second = recording.session(of: "a")
    guard case .value(let lines, let moment) = try await second.read(until: nil) else {
      Issue.record("no lines")
      return
    }
    #expect(lines.map(Lines.text) == [line(0) + "\r\n"] && moment == .at(0))
    #expect(recording.clock(of: "a").now == .at(0))
    // That of a source without lines is that of the next ones.
    #expect(recording.clock(of: "b").now == .at(0))
    #expect(try await second.read(until: nil) == .timedOut(at: .at(1)))
    #expect(recording.clock(of: "a").now == .at(1))
    guard case .value = try await second.read(until: nil) else {
      Issue.record("no lines")
      return
    }
    #expect(try await second.read(until: nil) == .ended)
    #expect(try await second.read(until: nil) == .ended)
    #expect(recording.failure == nil)
  }

  @Test(arguments: [(1, [2, 7.5]), (2, [1, 3.75])] as [(Double, [Double])])
  func `is replayed at a speed, from its first line`(
    speed: Double, waits: [Double]
  ) async throws {
    let file = try file([
      stamp(3600, "a"), line(0), stamp(3602, "b"), line(2), stamp(3607.5, "a"), line(7),
    ])
    let clock = ManualClock()
    let times = Mutex<[Double]>([])
    let start = clock.locationClock.now
    let hurried = LocationClock(
      now: { clock.locationClock.now },
      sleepUntil: {
        clock.jump(by: clock.locationClock.now.duration(to: $0))
        times.withLock { $0.append(start.duration(to: clock.locationClock.now).inSeconds) }
      })
    let pieces = try await FleetReplay([file.path], speed: speed, realClock: hurried).run()
    #expect(pieces.count == 6)
    #expect(times.withLock(\.self) == waits)
  }

  @Test func `ends with an error where a file has vanished`() async throws {
    let first = try file([stamp(0, "a"), line(0), stamp(1, "b"), line(1)])
    var second: TemporaryFile? = try file([stamp(2, "a"), line(2)])
    let files = try [first.path, second?.path ?? ""].map { try RecordingFile(path: FilePath($0)) }
    for file in files { file.release() }
    let path = second?.path ?? ""
    second = nil
    let replay = FleetReplay(files)
    #expect(
      summary(try await replay.run()) == ["a 0.0", "a 0.0 00", "b 1.0", "b 1.0 01"])
    let failure = LocationError(
      .disconnected, systemError: .errno(ENOENT), "\(path): No such file or directory")
    #expect(replay.recording.failure == failure)
    #expect(replay.recording.isOver)
    let none = FleetReplay([files[1]])
    await #expect(throws: failure) { try await none.run() }
    withExtendedLifetime(first) {}
  }

  @Test func `reports a line that is too long to its source`() async throws {
    let long = String(repeating: "x", count: 70_000)
    let file = try file([stamp(0, "a"), long, line(0), stamp(0, "b"), line(0)])
    let pieces = try await FleetReplay([file.path]).run().filter {
      !$0.text.isEmpty || $0.discardedBytes > 0
    }
    #expect(pieces.map(\.source) == ["a", "a", "a", "b"])
    #expect(pieces.map(\.discardedBytes) == [65_536, 70_002 - 65_536, 0, 0])
    #expect(pieces.map { $0.received?.uptime } == [.zero, .zero, .zero, .zero])
  }

  @Test func `has clocks that cannot be waited for`() async throws {
    let file = try file([stamp(7, "a"), line(0)])
    let recording = ReplayEngine(
      [try RecordingFile(path: FilePath(file.path))], pace: .asFastAsPossible, realClock: .live
    ) { _, _ in }
    try await recording.begin()
    for clock in [recording.clock, recording.clock(of: "a"), recording.clock(of: nil)] {
      #expect(clock.now == .at(7))
      #expect(await !clock.sleep(until: .at(8)))
    }
  }

  @Test func `knows what its files contain`() async throws {
    let files = [
      try file([stamp(0, "a"), line(0)]), try file([]), try file(["no report"]),
      try file([stamp(1, "a"), Lines.version]),
    ]
    let replay = try FleetReplay(files.map(\.path))
    _ = try await replay.run()
    let contents = replay.recording.contents
    #expect(contents.map(\.name) == files.map(\.path))
    #expect(contents.map(\.isEmpty) == [false, true, false, false])
    #expect(contents.map(\.hasReports) == [true, false, false, true])
    #expect(contents.map(\.isOfReceivers) == [true, false, false, false])
    #expect(
      contents.map { $0.foreign.map { Lines.text($0[...]) } } == [nil, nil, "no report\r\n", nil])
  }

  @Test func `replays the sources in their turns`() async throws {
    let lines = [
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z","source":"a"}"#,
      #"{"class":"LOCWATCH","t":0.000,"source":"b"}"#,
      #"{"class":"LOCWATCH","t":1.000,"source":"b"}"#, line(1),
      #"{"class":"LOCWATCH","t":1.000,"source":"a"}"#, line(1), line(2),
      #"{"class":"LOCWATCH","t":8.000,"source":"a"}"#,
      #"{"class":"LOCWATCH","t":9.000,"source":"b"}"#, line(9),
    ]
    let path = "/tmp/locwatch-fleet-\(UInt64.random(in: .min ... .max))"
    try lines.map { $0 + "\r\n" }.joined().write(toFile: path, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try RecordingFile(path: FilePath(path))
    #expect(try await file.namesSource())

    let updates = FleetUpdates()
    let names = Mutex<[String]>([])
    let recording = ReplayEngine([file], pace: .asFastAsPossible, realClock: .live) {
      recording, name in
      names.withLock { $0.append(name ?? "") }
      let source = GPSDLocationSource(
        clock: recording.clock(of: name), makeSession: { recording.session(of: name) })
      updates.add(source.updates(), on: nil)
    }
    try await recording.begin()
    var story: [String] = []
    var ended = 0
    while ended < 2, case .value(let news, _) = await updates.next(until: nil, by: .live) {
      let name = news.member.map { names.withLock(\.self)[$0] } ?? ""
      switch news {
      case .update(.state(let change), _): story.append("\(name) \(change.state.rawValue)")
      case .update(.fix(let fix), _):
        story.append("\(name) \((fix.received?.description ?? "").dropFirst(17))")
      case .ended: ended += 1
      case .update, .interrupted: break
      }
    }
    // Without an executor, members begin in any order.
    #expect(Set(story.prefix(2)) == ["a connecting", "b connecting"])
    // The loss of a's fix comes before b's last fix, although nothing came from a.
    #expect(
      story.dropFirst(2) == [
        "b fix-3d", "b 01.000Z", "a fix-3d", "a 01.000Z", "a 01.000Z", "a lost", "b 09.000Z",
      ])
  }
}
