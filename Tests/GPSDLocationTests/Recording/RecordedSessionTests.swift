import Foundation
import GPSDLocation
import LocationCore
import LocationTestKit
import TestSupport
import Testing
import VirtualTimeTesting

/// Fault 85.
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Recorded session` {
  fileprivate static let timed = [
    #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, Lines.version,
    #"{"class":"LOCWATCH","t":1.250}"#, Lines.tpv(1), Lines.sky(),
    #"{"class":"LOCWATCH","t":2.250}"#, Lines.tpv(2),
  ]

  private func reads(_ session: RecordedSession) async throws -> [Polled<GPSDLines>] {
    session.restart()
    var reads: [Polled<GPSDLines>] = []
    repeat { reads.append(try await session.read(by: session.clock)) } while reads.last != .ended
    return reads
  }

  private func text(_ reads: [Polled<GPSDLines>]) -> String {
    reads.map { if case .received(let lines) = $0 { Lines.text(lines.bytes) } else { "" } }.joined()
  }

  private func received(_ reads: [Polled<GPSDLines>]) -> [Double?] {
    reads.compactMap { read -> Double?? in
      guard case .received(let lines) = read else { return .none }
      return .some(lines.received?.uptime.inSeconds)
    }
  }

  @Test func `returns the lines of a moment together, at their time`() async throws {
    let session = RecordedSession(lines: Self.timed)
    let reads = try await reads(session)
    #expect(text(reads) == [1, 3, 4, 6].map { Self.timed[$0] + "\n" }.joined())
    #expect(received(reads) == [0, 1.25, 2.25])
    guard case .received(let last) = reads[2] else {
      Issue.record("\(reads[2]) are no lines")
      return
    }
    let wall = Lines.start.advanced(by: .milliseconds(2250))
    #expect(last.received?.wall == wall)
    #expect(session.clock.now == last.received)
  }

  @Test(arguments: [
    (0, 2_250_000), (-3, 2_250_000), (1e-30, 2_250_000), (-.infinity, 2_250_000), (.nan, 2.25),
    (1e9, 0.000_000_002), (1e30, 0), (.infinity, 0),
  ])
  func `has a pace for every speed`(speed: Double, seconds: Double) async throws {
    let clock = hurriedClock()
    let session = RecordedSession(
      lines: Self.timed, pace: .recorded(speed: speed), realClock: clock)
    #expect(try await reads(session).count == 4)
    #expect(clock.now.uptime == .nanoseconds(Int64(seconds * 1e9)))
    try await session.clock.sleep(until: .at(1e9))
  }

  @Test(
    arguments: [
      (.asFastAsPossible, 200), (.recorded(), 200), (.recorded(speed: 100), 2),
    ] as [(RecordedSession.Pace, Int)])
  func `a wait for its clock takes as long as the pace says, and time goes by`(
    pace: RecordedSession.Pace, seconds: Int
  ) async throws {
    for isOpen in [true, false] {
      let clock = hurriedClock()
      let session = RecordedSession(lines: Self.timed, pace: pace, realClock: clock)
      if isOpen { session.restart() }
      try await session.clock.sleep(until: .at(200))
      #expect(clock.now.uptime == .seconds(seconds))
      #expect(session.clock.now == .at(200))
      #expect(session.clock.now.wall == Lines.start.advanced(by: .seconds(200)))
      // It does not go back for lines that came before.
      while case .received = try await session.read(by: session.clock) {}
      #expect(session.clock.now == .at(200))
    }
  }

  @Test func `paced, a wait ends at its deadline in the recording's time`() async throws {
    let session = RecordedSession(lines: Self.timed, pace: .recorded(), realClock: hurriedClock())
    session.restart()
    _ = try await session.read(by: session.clock)
    guard case .quiet(let moment) = try await session.read(until: .at(0.5), by: session.clock)
    else {
      Issue.record("no time-out")
      return
    }
    #expect(moment.uptime == .milliseconds(500))
    #expect(session.clock.now.uptime == .milliseconds(500))
    guard case .received(let lines) = try await session.read(until: .at(1.25), by: session.clock)
    else {
      Issue.record("no lines")
      return
    }
    #expect(lines.map(Lines.text) == [Lines.tpv(1) + "\n", Lines.sky() + "\n"])
  }

  @Test func `each open starts from the beginning`() async throws {
    let session = RecordedSession(lines: Self.timed)
    #expect(try await reads(session) == reads(session))
  }

  @Test func `a cancelled wait for its clock ends as cancelled`() async {
    let session = RecordedSession(lines: Self.timed)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await session.clock.sleep(until: .at(3600))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

/// A clock that is where somebody waits for it to be.
private func hurriedClock() -> LocationClock {
  let clock = ManualClock()
  return LocationClock(
    now: { clock.locationClock.now },
    sleepUntil: { clock.jump(by: clock.locationClock.now.duration(to: $0)) })
}

/// A thread waits for the pipe, which virtual time does not know.
@Suite(.timeLimit(.minutes(5))) struct `Recorded session from a pipe` {
  private static let ended = `Recorded session`.timed + [#"{"class":"LOCWATCH","t":10.000}"#]

  @Test func `lasts as long as one from a file`() async throws {
    for pace in [RecordedSession.Pace.asFastAsPossible, .recorded()] {
      let pipe = Pipe()
      try pipe.fileHandleForWriting.write(
        contentsOf: Data(Self.ended.map { $0 + "\r\n" }.joined().utf8))
      let file = RecordingFile(
        pipe: dup(pipe.fileHandleForReading.fileDescriptor), name: "a pipe")
      let session = RecordedSession([file], pace: pace, realClock: hurriedClock())
      session.restart()
      for _ in 1...3 { _ = try await session.read(by: session.clock) }
      #expect(try await session.read(until: .past, by: session.clock) == .quiet(at: .at(2.25)))
      try pipe.fileHandleForWriting.close()
      waitUntilOver(try #require(file.input))
      #expect(try await session.read(by: session.clock) == .ended)
      #expect(session.clock.now == .at(10))
    }
  }
}
