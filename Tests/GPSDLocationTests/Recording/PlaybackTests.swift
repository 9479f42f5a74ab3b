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
    /// The line after which a state changes.
    var transition: Int?

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
          if next == transition { playback.recordTransition(at: real) }
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
  /// Two minutes, an hour of nothing, and two minutes.
  private static let broken =
    (0...120).map(Double.init) + (0...120).map { Double($0 + 3720) }

  @Test func `From within a known silence, a step back goes exactly as far as requested`() {
    var reader = Reader(Self.broken)
    reader.run(100)
    reader.press(.pause)
    reader.press(.skip(.seconds(3630)))
    #expect(reader.position == 3730)
    reader.press(.skip(.seconds(-20)))
    #expect(reader.position == 110 && reader.passes == 2)
    reader.press(.skip(.seconds(590)))
    #expect(reader.position == 700)
    reader.press(.skip(.seconds(-10)))
    #expect(reader.position == 110 && reader.passes == 3)
  }

  // Speed and pause

  @Test(arguments: [(1.0, 10.0), (0.25, 2.5), (4, 40)])
  func `Lines are passed at the speed, and between them the time is shown`(
    speed: Double, seconds: Double
  ) {
    var reader = Reader(Self.minute, speed: .times(speed))
    reader.run(10)
    #expect(reader.latest == seconds.rounded(.down))
    #expect(reader.position == seconds)
    #expect(reader.status.moment.wall == Reader.moment(seconds).wall)
    #expect(
      reader.status == Playback.Status(moment: Reader.moment(seconds), speed: .times(speed)))
  }

  @Test func `At the highest speed there are no waits, and the time is the last line's`() {
    var reader = Reader(Self.minute, speed: .maximum)
    reader.run()
    #expect(reader.latest == 60 && reader.position == 60 && reader.status.speed == .maximum)
  }

  @Test func `The time that is shown is never beyond the next line`() {
    var reader = Reader([0, 1, 30])
    reader.run(5)
    #expect(reader.position == 5 && reader.latest == 1)
    // Whoever reads is late.
    let late = reader.real.advanced(by: .seconds(100))
    #expect(reader.playback.position(at: late) == Reader.moment(30))
  }

  @Test func `A pause holds the time, and the replay continues from there`() {
    var reader = Reader(Self.minute)
    reader.run(5.5)
    reader.press(.pause)
    #expect(reader.status.isPaused)
    reader.run(1000)
    #expect(reader.position == 5.5 && reader.latest == 5)
    reader.press(.pause)
    #expect(!reader.status.isPaused && reader.position == 5.5)
    reader.run(0.25)
    #expect(reader.position == 5.75 && reader.latest == 5)
    reader.run(0.25)
    #expect(reader.latest == 6)
  }

  @Test func `A change of speed counts from the moment that is shown`() {
    var reader = Reader(Self.minute)
    reader.run(3.5)
    reader.press(.speedUp)
    #expect(reader.status.speed == .times(2) && reader.position == 3.5)
    reader.run(2)
    #expect(reader.position == 7.5)
    reader.press(.pause)
    reader.press(.slowDown)
    reader.press(.pause)
    reader.run(2)
    #expect(reader.position == 9.5)
  }

  @Test func `Speeds are on a ladder`() {
    let ladder: [Double] = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    for (slow, fast) in zip(ladder, ladder.dropFirst()) {
      #expect(Playback.Speed.times(slow).faster == .times(fast))
      #expect(Playback.Speed.times(fast).slower == .times(slow))
    }
    #expect(Playback.Speed.times(1000).faster == .maximum)
    #expect(Playback.Speed.maximum.faster == .maximum)
    #expect(Playback.Speed.maximum.slower == .times(1000))
    for least in [0.25, 0.1] {
      #expect(Playback.Speed.times(least).slower == .times(least))
    }
    #expect(Playback.Speed.times(3).faster == .times(5))
    #expect(Playback.Speed.times(3).slower == .times(2))
    #expect(Playback.Speed.times(1e6).faster == .maximum)
    #expect(Playback.Speed.times(1e6).slower == .times(1000))
  }

  // Seeks

  @Test func `A jump forward passes the lines before it at once, and the replay continues`() {
    var reader = Reader(Self.minute)
    reader.run(3.5)
    reader.press(.skip(.seconds(10)))
    #expect(reader.latest == 13 && reader.position == 13.5 && reader.passes == 1)
    #expect(!reader.status.isSeeking)
    reader.run(0.5)
    #expect(reader.latest == 14)
    reader.run(2)
    #expect(reader.position == 16)
  }

  @Test func `Backward, the recording is read again up to the moment`() {
    var reader = Reader(Self.minute)
    reader.run(33.5)
    reader.playback.handle(.skip(.seconds(-10)), at: reader.real)
    #expect(reader.playback.needsPass && reader.status.isSeeking)
    #expect(reader.status.moment.uptime == .milliseconds(23_500))
    reader.run()
    #expect(reader.passes == 2 && reader.latest == 23 && reader.position == 23.5)
    #expect(!reader.playback.needsPass && !reader.status.isSeeking)
    reader.run(0.5)
    #expect(reader.latest == 24)
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

  @Test func `There is nothing before the beginning`() {
    var reader = Reader(Self.minute.map { $0 + 100 })
    reader.run(4)
    reader.press(.skip(.seconds(-10)))
    #expect(reader.passes == 2 && reader.position == 100 && reader.latest == 100)
    reader.press(.skip(.seconds(-600)))
    #expect(reader.passes == 2 && reader.position == 100 && !reader.status.isSeeking)
    reader.run(1)
    #expect(reader.latest == 101)
  }

  @Test func `While it is paused, another moment is shown, and the pause stays`() {
    var reader = Reader(Self.minute)
    reader.run(20)
    reader.press(.pause)
    for (step, second) in [(10, 30.0), (-10, 20), (-10, 10), (10, 20)] {
      reader.press(.skip(.seconds(step)))
      reader.run(100)
      #expect(reader.position == second && reader.latest == second)
      #expect(reader.status.isPaused && !reader.status.isSeeking)
    }
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

  @Test func `A step beyond the end stops at the end, from which only a step back leads`() {
    var reader = Reader(Self.minute)
    reader.run(55)
    reader.press(.skip(.seconds(10)))
    #expect(reader.latest == 60 && reader.position == 60 && !reader.status.isSeeking)
    reader.press(.skip(.seconds(10)))
    reader.press(.findTransition)
    reader.run(100)
    #expect(reader.position == 60 && !reader.status.isSeeking && reader.passes == 1)
    reader.press(.skip(.seconds(-10)))
    #expect(reader.passes == 2 && reader.position == 50)
    reader.run(100)
    #expect(reader.position == 60)
  }

  @Test func `A recording of one line has no other moment`() {
    var reader = Reader([7])
    reader.run()
    for step in [-10, 10, -600, 600] {
      reader.press(.skip(.seconds(step)))
      #expect(reader.position == 7 && !reader.status.isSeeking && reader.passes == 1)
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

  @Test func `A notice ends with the next key, and what was skipped with the recording`() {
    var reader = Reader(Self.minute + [3720, 3721])
    reader.run(60)
    #expect(reader.status.notice == .skipped(.seconds(3660)))
    reader.press(.pause)
    #expect(reader.status.notice == nil)
    reader.press(.pause)
    reader.press(.skip(.seconds(-10)))
    reader.run(10)
    #expect(reader.status.notice != nil)
    reader.run(1)
    #expect(reader.latest == 3721 && reader.status.notice == nil)
    var single = Reader(Self.minute, singlePassFile: "pipe")
    single.run(59.5)
    single.press(.skip(.seconds(-10)))
    single.run(0.5)
    #expect(single.latest == 60 && single.status.notice == .cannotGoBack("pipe"))
  }

  // Transitions

  @Test func `The next transition is looked for at full speed`() {
    var reader = Reader(Self.minute)
    reader.run(5)
    reader.transition = 40
    reader.press(.findTransition)
    #expect(reader.latest == 40 && reader.position == 40 && !reader.status.isSeeking)
    reader.run(1)
    #expect(reader.latest == 41)
  }

  @Test func `Without another transition the end is reached`() {
    var reader = Reader(Self.minute)
    reader.press(.findTransition)
    #expect(reader.latest == 60 && !reader.status.isSeeking)
  }

  @Test func `A transition that nobody looks for changes nothing`() {
    var reader = Reader(Self.minute)
    reader.run(5.5)
    reader.playback.recordTransition(at: reader.real)
    #expect(reader.position == 5.5)
    // Nor one on the way to a moment.
    reader.transition = 8
    reader.press(.skip(.seconds(10)))
    #expect(reader.position == 15.5)
  }

  // Silences

  @Test func `A silence of more than a minute is skipped and reported`() {
    var reader = Reader(Self.broken)
    reader.run(120)
    #expect(reader.latest == 3720)
    #expect(reader.status.notice == .skipped(.seconds(3600)))
    #expect(!reader.status.isSeeking && reader.position == 3720)
    reader.run(10)
    #expect(reader.position == 3730 && reader.latest == 3730)
    #expect(reader.status.notice == nil)
  }

  @Test(arguments: [(60.0, 0.0), (60.001, 60.001)])
  func `A silence of a minute is not skipped`(silence: Double, second: Double) {
    var reader = Reader([0, silence])
    reader.run(1)
    #expect(reader.latest == second)
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

  @Test func `A step back does not count silences`() {
    var reader = Reader(Self.broken)
    reader.run(120)
    reader.run(5)
    reader.press(.skip(.seconds(-10)))
    #expect(reader.position == 115 && reader.latest == 115)
    // The silence is skipped again.
    reader.run(5)
    #expect(reader.latest == 3720)
    reader.run(10)
    reader.press(.skip(.seconds(-10)))
    #expect(reader.position == 3720 && reader.latest == 3720)
  }

  @Test func `A step forward into a silence ends after it, or within it while paused`() {
    var reader = Reader(Self.broken)
    reader.run(115)
    reader.press(.skip(.seconds(10)))
    #expect(reader.latest == 3720)
    #expect(reader.status.notice == .skipped(.seconds(3595)))
    var paused = Reader(Self.broken)
    paused.run(115)
    paused.press(.pause)
    paused.press(.skip(.seconds(10)))
    #expect(paused.latest == 120 && paused.position == 125)
    #expect(paused.status.notice == nil)
    paused.press(.pause)
    #expect(paused.latest == 3720 && paused.position == 3720)
  }

  @Test func `At the highest speed no silence is reported`() {
    var reader = Reader(Self.broken, speed: .maximum)
    reader.run()
    #expect(reader.latest == 3840 && reader.status.notice == nil)
    reader.press(.skip(.seconds(-130)))
    #expect(reader.latest == 3840)
  }
}
