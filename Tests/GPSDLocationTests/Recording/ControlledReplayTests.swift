import LocationCore
import LocationTestKit
import Synchronization
import TestSupport
import Testing
import VirtualTimeTesting

@testable import GPSDLocation

/// Sessions whose replay somebody controls.
/// Fault 107.
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A controlled replay` {
  private final class Arrivals: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock(\.self) }
    func add() { number.withLock { $0 += 1 } }
  }

  private let clock = ManualClock()

  private func control(_ speed: Playback.Speed) -> PlaybackControl {
    PlaybackControl(speed: speed, clock: clock.locationClock)
  }

  /// A recording with a line each second.
  private func file(_ seconds: ClosedRange<Int>, of sources: [String] = []) throws -> TemporaryFile
  {
    let lines = seconds.flatMap { second -> [String] in
      let time = #"{"class":"LOCWATCH","t":\#(second).000"#
      guard !sources.isEmpty else { return [time + "}", Lines.tpv(second)] }
      return sources.flatMap { [time + #","source":"\#($0)"}"#, Lines.tpv(second)] }
    }
    return try TemporaryFile(lines.map { $0 + "\r\n" }.joined())
  }

  private func session(
    _ file: TemporaryFile, _ control: PlaybackControl
  ) throws -> RecordedSession {
    try RecordedSession(
      [RecordingFile(path: FilePath(file.path))], pace: .recorded(), realClock: clock.locationClock,
      control: control)
  }

  /// Reads until a moment, or the end. Returns the seconds of the lines.
  private func seconds(
    _ session: RecordedSession, through last: Double = .infinity
  ) async throws -> [Double] {
    var seconds: [Double] = []
    while (seconds.last ?? -1) < last,
      case .value(_, let moment) = try await session.read(until: nil)
    {
      seconds.append(moment.uptime.inSeconds)
    }
    return seconds
  }

  @Test func `at the highest speed reads without a wait`() async throws {
    let file = try file(0...20)
    let session = try session(file, control(.maximum))
    try session.open(GPSDEndpoint())
    #expect(try await seconds(session) == (0...20).map(Double.init))
    #expect(clock.locationClock.now == ManualClock().locationClock.now)
    withExtendedLifetime(file) {}
  }

  @Test func `waits by the clock for lines and deadlines`() async throws {
    let file = try file(0...20)
    let session = try session(file, control(.times(2)))
    try session.open(GPSDEndpoint())
    #expect(try await seconds(session, through: 0) == [0])
    let reading = Task { try await session.read(until: Moment(uptime: .milliseconds(500))) }
    await clock.waitForSleepers()
    clock.jump(by: .milliseconds(250))
    #expect(try await reading.value == .timedOut(at: Moment(uptime: .milliseconds(500))))
    let next = Task { try await self.seconds(session, through: 1) }
    await clock.waitForSleepers()
    clock.jump(by: .milliseconds(250))
    #expect(try await next.value == [1])
    withExtendedLifetime(file) {}
  }

  @Test func `that is paused waits for a command, not for the clock`() async throws {
    let (file, control) = (try file(0...20), control(.times(1)))
    let session = try session(file, control)
    try session.open(GPSDEndpoint())
    control.handle(.pause)
    #expect(try await seconds(session, through: 0) == [0])
    let reading = Task { try await self.seconds(session, through: 10) }
    await clock.settle()
    clock.jump(by: .seconds(100))
    #expect(control.position == Moment(uptime: .zero) && control.status.isPaused)
    control.handle(.skip(.seconds(10)))
    #expect(try await reading.value == (1...10).map(Double.init))
    withExtendedLifetime(file) {}
  }

  @Test func `that is cancelled ends, even while it is paused`() async throws {
    let (file, control) = (try file(0...20), control(.times(1)))
    let session = try session(file, control)
    try session.open(GPSDEndpoint())
    control.handle(.pause)
    let reading = Task { try await self.seconds(session) }
    await clock.settle()
    reading.cancel()
    #expect(try await reading.value == [0])
    withExtendedLifetime(file) {}
  }

  @Test func `goes back in another pass, and says when it has arrived`() async throws {
    let (file, control, arrivals) = (try file(0...20), control(.times(1)), Arrivals())
    control.watch { arrivals.add() }
    let session = try session(file, control)
    try session.open(GPSDEndpoint())
    control.handle(.skip(.seconds(15)))
    #expect(try await seconds(session, through: 15).count == 16)
    #expect(arrivals.count == 0)
    let waiting = Task { try await self.seconds(session) }
    await clock.waitForSleepers()
    #expect(arrivals.count == 1)
    control.handle(.skip(.seconds(-10)))
    #expect(try await waiting.value == [])
    #expect(control.needsPass && control.status.isSeeking)
    try session.open(GPSDEndpoint())
    #expect(!control.needsPass && arrivals.count == 1)
    control.handle(.pause)
    let again = Task { try await self.seconds(session) }
    await clock.settle()
    #expect(arrivals.count == 2)
    #expect(!control.status.isSeeking && control.position == Moment(uptime: .seconds(5)))
    again.cancel()
    #expect(try await again.value == (0...5).map(Double.init))
    withExtendedLifetime(file) {}
  }

  @Test func `continues from a place to which it returns`() async throws {
    let (file, other, control) = (try file(0...20), try file(0...20), control(.times(1)))
    let session = RecordedSession(
      ReplayEngine(
        try [file, other].map { try RecordingFile(path: FilePath($0.path)) }, pace: .recorded(),
        realClock: clock.locationClock, control: control))
    try session.open(GPSDEndpoint())
    control.handle(.skip(.seconds(9)))
    #expect(try await seconds(session, through: 6).last == 6)
    let goBack = session.engine.save()
    #expect(control.reached == Moment(uptime: .seconds(6)) && control.wanted?.uptime == .seconds(9))
    control.handle(.skip(.seconds(600)))
    let rest = try await seconds(session)
    #expect(rest.first == 7 && rest.last == 40 && session.engine.isOver)
    for _ in 0..<2 {
      control.endPass()
      #expect(control.wanted == nil)
      control.handle(.skip(.seconds(-10)))
      #expect(control.needsPass && control.isGoingBack == false)
      goBack()
      #expect(!control.needsPass && control.isGoingBack && !session.engine.isOver)
      #expect(session.clock.now == Moment(uptime: .seconds(6)))
      #expect(control.reached == Moment(uptime: .seconds(6)))
      control.handle(.skip(.seconds(600)))
      #expect(try await seconds(session) == rest)
    }
    // What came before the place is still known.
    control.endPass()
    control.handle(.skip(.seconds(-6000)))
    #expect(control.wanted == Moment(uptime: .zero))
    withExtendedLifetime((file, other)) {}
  }

  @Test func `that finds a transition stops at it`() async throws {
    let (file, control, arrivals) = (try file(0...20), control(.times(1)), Arrivals())
    control.watch { arrivals.add() }
    let session = try session(file, control)
    try session.open(GPSDEndpoint())
    control.handle(.findTransition)
    #expect(try await seconds(session, through: 12).count == 13)
    control.recordTransition()
    control.recordTransition()
    #expect(arrivals.count == 1 && !control.status.isSeeking)
    let waiting = Task { try await self.seconds(session, through: 13) }
    await clock.waitForSleepers()
    clock.jump(by: .seconds(1))
    #expect(try await waiting.value == [13])
    withExtendedLifetime(file) {}
  }

  @Test func `without receive times goes by the reports`() async throws {
    let lines = [Lines.version] + (1...30).map { Lines.tpv($0) }
    let file = try TemporaryFile(lines.map { $0 + "\r\n" }.joined())
    let control = control(.times(1))
    let session = try session(file, control)
    try session.open(GPSDEndpoint())
    control.handle(.skip(.seconds(20)))
    // The first report is the beginning.
    #expect(try await seconds(session, through: 20).last == 20)
    #expect(control.status.moment.wall == nil)
    withExtendedLifetime(file) {}
  }

  @Test func `of a recording whose times go back continues`() async throws {
    let stamps = [0, 5, 3, 9, 1, 10].map { #"{"class":"LOCWATCH","t":\#($0).000}"# }
    let lines = stamps.enumerated().flatMap { [$0.element, Lines.tpv($0.offset)] }
    let file = try TemporaryFile(lines.map { $0 + "\r\n" }.joined())
    let control = control(.maximum)
    let session = try session(file, control)
    try session.open(GPSDEndpoint())
    #expect(try await seconds(session) == [0, 5, 5, 9, 9, 10])
    control.endPass()
    control.handle(.skip(.seconds(-2)))
    try session.open(GPSDEndpoint())
    control.handle(.pause)
    let again = Task { try await self.seconds(session) }
    await clock.settle()
    again.cancel()
    #expect(try await again.value == [0, 5, 5])
    withExtendedLifetime(file) {}
  }

  // Several sources

  @Test func `of several sources reads them in their order, and again`() async throws {
    let file = try file(0...10, of: ["a", "b"])
    let control = control(.maximum)
    let replay = FleetReplay([try RecordingFile(path: FilePath(file.path))], control: control)
    let pieces = try await replay.run().map { "\($0.source ?? "-") \($0.moment)" }
    #expect(pieces.count == 44 && replay.recording.isOver)
    control.endPass()
    control.handle(.skip(.seconds(-10)))
    #expect(control.needsPass)
    replay.recording.rewind()
    #expect(!replay.recording.isOver)
    let again = try await replay.run().map { "\($0.source ?? "-") \($0.moment)" }
    #expect(!control.needsPass && again.suffix(44) == pieces.suffix(44))
  }

  @Test func `of several sources halts all sessions, which then read the rest`() async throws {
    let file = try file(0...10, of: ["a", "b"])
    func read(isHalted: Bool) async throws -> [FleetReplay.Piece] {
      let control = control(.times(1))
      let replay = FleetReplay([try RecordingFile(path: FilePath(file.path))], control: control)
      let reading = Task { try await replay.run() }
      await clock.waitForSleepers()
      if isHalted {
        replay.recording.halt()
        clock.jump(by: .seconds(5))
        await clock.settle()
        replay.recording.resume()
      }
      control.handle(.skip(.seconds(600)))
      return try await reading.value
    }
    func text(_ piece: FleetReplay.Piece) -> String {
      "\(piece.source ?? "-") \(piece.moment) \(piece.text)"
    }
    let halted = try await read(isHalted: true)
    #expect(halted.filter { $0.moment == .past }.compactMap(\.source).sorted() == ["a", "b"])
    let whole = try await read(isHalted: false).map(text)
    #expect(halted.filter { $0.moment != .past }.map(text) == whole && whole.count == 44)
  }

  @Test func `of several sources returns to a place, with the sessions of it`() async throws {
    let file = try file(0...10, of: ["a", "b"])
    let control = control(.times(1))
    let engine = try ReplayEngine(
      [RecordingFile(path: FilePath(file.path))], pace: .asFastAsPossible,
      realClock: clock.locationClock, control: control, join: { _, _ in })
    try await engine.begin()
    let sessions = ["a", "b"].map { engine.session(of: $0) }
    func read() -> [Task<[String], any Error>] {
      sessions.map { session in
        Task {
          var pieces: [String] = []
          while true {
            switch try await session.read(until: nil) {
            case .value(let lines, let moment):
              pieces.append("\(moment.uptime.inSeconds) \(Lines.text(lines.bytes))")
            case .timedOut(.past), .ended: return pieces
            case .timedOut(let moment): pieces.append("\(moment.uptime.inSeconds)")
            }
          }
        }
      }
    }
    let begun = read()
    await clock.waitForSleepers()
    engine.halt()
    clock.jump(by: .seconds(5))
    for reading in begun { #expect(try await reading.value.count == 2) }
    engine.resume()
    let goBack = engine.save()
    var rests: [[String]] = []
    for _ in 0..<3 {
      control.handle(.skip(.seconds(600)))
      for reading in read() { rests.append(try await reading.value) }
      for session in sessions { await session.close() }
      #expect(engine.isOver && rests.last?.count == 20)
      control.endPass()
      control.handle(.skip(.seconds(-6)))
      goBack()
    }
    #expect(rests[2...3] == rests[0...1] && rests[4...5] == rests[0...1])
  }

  @Test func `of several sources ends the sessions of all to go back`() async throws {
    let file = try file(0...10, of: ["a", "b"])
    let control = control(.times(1))
    let replay = FleetReplay([try RecordingFile(path: FilePath(file.path))], control: control)
    let reading = Task { try await replay.run() }
    await clock.waitForSleepers()
    clock.jump(by: .seconds(1))
    await clock.waitForSleepers()
    #expect(control.position == Moment(uptime: .seconds(1)))
    control.handle(.skip(.seconds(-1)))
    let pieces = try await reading.value
    #expect(pieces.count == 8 && pieces.allSatisfy { $0.moment <= Moment(uptime: .seconds(1)) })
    #expect(replay.recording.isOver && control.needsPass)
  }
}
