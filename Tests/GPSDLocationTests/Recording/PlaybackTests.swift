import LocationCore
import Testing

@testable import GPSDLocation

/// Fault 107.
@Suite struct PlaybackTests {
  /// Reads a recording as a session does, by a clock that the test moves.
  private struct Reader {
    private static let wall = Timestamp(secondsSince1970: 1_795_158_300)

    var playback: Playback
    /// The seconds of the lines.
    let lines: [Double]
    private(set) var real = Moment(uptime: .seconds(1000))
    private(set) var next = 0
    /// How many passes have begun.
    private(set) var passes = 0

    init(_ lines: [Double], speed: Playback.Speed = .times(1), singlePassFile: String? = nil) {
      self.lines = lines
      playback = Playback(speed: speed, singlePassFile: singlePassFile, at: real)
      begin()
    }

    static func moment(_ seconds: Double) -> Moment {
      let time = Nanoseconds(nearestTo: seconds * 1e9)
      return Moment(uptime: .zero, wall: wall).later(by: time)
    }

    private mutating func begin() {
      passes += 1
      next = 0
      playback.beginPass(from: Playback.Progress(at: Self.moment(lines[0])), real: real)
    }

    /// Reads until a number of real seconds have passed, and at least as far as it can without a wait.
    mutating func run(_ seconds: Double = 0) {
      let end = real.later(by: Nanoseconds(nearestTo: seconds * 1e9))
      while next < lines.count || playback.needsPass {
        guard next < lines.count else {
          begin()
          continue
        }
        let moment = Self.moment(lines[next])
        switch playback.step(to: moment, before: moment, at: real) {
        case .pass:
          next += 1
          if next == lines.count { playback.endPass(at: real) }
        case .end: begin()
        case .wait(let due):
          guard let due, due <= end else {
            real = end
            return
          }
          real = due
        }
      }
      real = end
    }

    mutating func press(_ command: Playback.Command) {
      playback.handle(command, at: real)
      run()
    }

    var position: Double { playback.position(at: real).uptime.inSeconds }
    var status: Playback.Status { playback.status(at: real) }
    /// The second of the last line that was passed.
    var latest: Double? { next > 0 ? lines[next - 1] : nil }
  }

  private static let minute = (0...60).map(Double.init)

  @Test func `The time that is shown is never beyond the next line`() {
    var reader = Reader([0, 1, 30])
    reader.run(5)
    #expect(reader.position == 5 && reader.latest == 1)
    // Whoever reads is late.
    let late = reader.real.advanced(by: .seconds(100))
    #expect(reader.playback.position(at: late) == Reader.moment(30))
  }

  @Test func `A moment that was not passed yet is reached without another pass`() {
    var reader = Reader([0, 20, 50])
    reader.run(38)
    reader.press(.skip(.seconds(-10)))
    #expect(reader.passes == 1 && reader.position == 28 && reader.latest == 20)
    reader.run(21)
    #expect(reader.latest == 20)
    reader.run(1)
    #expect(reader.latest == 50)
  }

  @Test func `A key that is held down adds up, and the recording is read again once`() {
    var reader = Reader((0...7200).map(Double.init), speed: .maximum)
    reader.playback.handle(.slowDown, at: reader.real)
    for _ in 0..<8 { reader.playback.handle(.slowDown, at: reader.real) }
    reader.playback.handle(.skip(.seconds(7000)), at: reader.real)
    reader.run()
    #expect(reader.latest == 7000)
    for count in 1...100 {
      reader.playback.handle(.skip(.seconds(-10)), at: reader.real)
      #expect(reader.status.moment.uptime == .seconds(7000 - 10 * count))
    }
    for _ in 1...5 { reader.playback.handle(.skip(.seconds(10)), at: reader.real) }
    reader.run()
    #expect(reader.passes == 2 && reader.latest == 6050)
  }

  @Test
  func `While the recording is read again, an earlier moment is waited for if it is not passed`() {
    var playback = Playback(speed: .times(1), at: .past)
    func pass(_ seconds: Double) -> Playback.Step {
      let moment = Reader.moment(seconds)
      return playback.step(to: moment, before: moment, at: .past)
    }
    playback.beginPass(from: Playback.Progress(at: Reader.moment(0)), real: .past)
    playback.handle(.skip(.seconds(30)), at: .past)
    #expect([0, 10, 20].allSatisfy { pass($0) == .pass })
    playback.handle(.skip(.seconds(-10)), at: .past)
    #expect(!playback.needsPass && playback.isSeeking)
    playback.handle(.skip(.seconds(-10)), at: .past)
    #expect(playback.needsPass && pass(30) == .end)
    // A moment after what was passed does not bring back the pass that was given up.
    playback.handle(.skip(.seconds(100)), at: .past)
    #expect(playback.needsPass && pass(30) == .end)
    playback.endPass(at: .past)
    #expect(playback.needsPass && playback.isSeeking)
  }

  @Test func `A pass that goes back has nothing to see until it has arrived, or ended`() {
    for target in [0, 10, 1000] {
      var playback = Playback(speed: .times(1), at: .past)
      func pass(_ seconds: Double) {
        let moment = Reader.moment(seconds)
        _ = playback.step(to: moment, before: moment, at: .past)
      }
      playback.beginPass(from: Playback.Progress(at: Reader.moment(0)), real: .past)
      #expect(!playback.isGoingBack)
      // On the way forward, nothing is taken back.
      playback.handle(.skip(.seconds(20)), at: .past)
      for second in [0, 10, 20] { pass(Double(second)) }
      #expect(playback.isSeeking && !playback.isGoingBack)
      playback.handle(.skip(.seconds(-20)), at: .past)
      playback.handle(.skip(.seconds(target)), at: .past)
      #expect(playback.needsPass && !playback.isGoingBack)
      playback.beginPass(from: Playback.Progress(at: Reader.moment(0)), real: .past)
      pass(0)
      #expect(playback.isGoingBack)
      if target < 1000 { pass(11) } else { playback.endPass(at: .past) }
      #expect(!playback.isGoingBack && !playback.isSeeking)
    }
  }

  @Test func `A recording that can be read only once does not go back, and says so`() {
    var reader = Reader(Self.minute, singlePassFile: "standard input")
    #expect(!reader.status.canGoBack)
    reader.run(20)
    reader.press(.skip(.seconds(-10)))
    #expect(reader.position == 20 && reader.passes == 1 && !reader.status.isSeeking)
    #expect(reader.status.notice == .cannotGoBack("standard input"))
    reader.run(7.9)
    #expect(reader.status.notice != nil)
    reader.run(0.1)
    #expect(reader.status.notice == nil)
    reader.press(.skip(.seconds(10)))
    #expect(reader.position == 38)
  }

  @Test func `Durations of any length do not overflow`() {
    var reader = Reader(Self.minute)
    reader.run(5)
    for step in [Duration.seconds(Int64.max), .seconds(Int64.min)] {
      reader.press(.skip(step))
      reader.press(.skip(step))
    }
    reader.run()
    #expect(reader.position == 0)
  }

  @Test func `A deadline in a silence passes at its moment`() {
    var playback = Playback(speed: .times(1), at: .past)
    let moments = [0, 5, 100].map(Reader.moment)
    playback.beginPass(from: Playback.Progress(at: moments[0]), real: .past)
    #expect(playback.step(to: moments[0], before: moments[0], at: .past) == .pass)
    #expect(playback.step(to: moments[1], before: moments[2], at: .past) == .pass)
    #expect(playback.position(at: .past) == moments[1])
    #expect(playback.step(to: moments[2], before: moments[2], at: .past) == .pass)
    #expect(playback.status(at: .past).notice == .skipped(.seconds(100)))
    let next = Reader.moment(101)
    let due = Moment.past.advanced(by: .seconds(1))
    #expect(playback.step(to: next, before: next, at: .past) == .wait(until: due))
  }

  @Test func `The time before the first line is not waited for`() {
    var playback = Playback(speed: .times(1), at: .past)
    let moments = [5, 100, 101].map(Reader.moment)
    playback.beginPass(from: Playback.Progress(at: Reader.moment(0)), real: .past)
    #expect(playback.step(to: moments[0], before: moments[1], at: .past) == .pass)
    #expect(playback.step(to: moments[1], before: moments[1], at: .past) == .pass)
    let due = Moment.past.advanced(by: .seconds(1))
    #expect(playback.step(to: moments[2], before: moments[2], at: .past) == .wait(until: due))
    #expect(playback.status(at: .past).notice == nil)
  }
}
