import LocationCore
import LocationTestKit

/// What one gpsd sends and does, with the times between: the reports of one or more receivers.
struct FuzzScript {
  enum Step {
    case wait(Duration)
    /// A line without its end.
    case line(String)
    /// gpsd closes the connection, and accepts the next one or refuses it.
    case hangUp, refuse
    /// The local clock is set.
    case setClock(by: Duration)
  }

  private(set) var steps: [Step] = []
  /// How many lines there are.
  private(set) var lines = 0
  /// Whether clocks, numbers and pauses may be such as never occur.
  private(set) var isOdd = false
  private var receivers: [FuzzReceiver]
  /// Another receiver, all of whose reports have to arrive; `nil` without one.
  private(set) var neighbour: Neighbour?

  /// - Parameters:
  ///   - name: What the receivers' paths begin with.
  ///   - isOdd: See ``isOdd``.
  ///   - epochs: About how many reports of a position there are; `nil` for any number.
  ///   - neighbour: A receiver between whose reports the others are.
  ///   - geoidSeparation: What all receivers report; `nil` for anything.
  init(
    name: String = "/dev/gps", isOdd: Bool, epochs: Int? = nil, neighbour: Neighbour? = nil,
    geoidSeparation: Double? = nil, _ random: inout SeededRandom
  ) {
    self.isOdd = isOdd
    self.neighbour = neighbour
    let count = random.pick([1, 1, 1, 2, 3])
    let start = ReceiverClock.ordinaryTime(&random)
    receivers = (0..<count).map { number in
      FuzzReceiver(
        path: "\(name)\(number)", from: start, isOdd: isOdd, geoidSeparation: geoidSeparation,
        &random)
    }
    add(#"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#)
    let paths = receivers.map { "{\"class\":\"DEVICE\",\"path\":\"\($0.path)\"}" }
    add("{\"class\":\"DEVICES\",\"devices\":[\(paths.joined(separator: ","))]}")
    let lengths = [3, 20, 60, 120, 200, 400, 1500]
    let epochs = epochs ?? random.pick(lengths)
    var due = receivers.map(\.interval)
    var last = [Duration](repeating: .zero, count: count)
    var now = Duration.zero
    // An observation of a month is an hour between some of the epochs.
    let longPause = random.pick([0, 0, 1, 60, 3600, 40_000])
    for _ in 0..<epochs {
      let next = due.indices.min { due[$0] < due[$1] } ?? 0
      if due[next] > now {
        steps.append(.wait(due[next] - now))
        now = due[next]
      }
      let start = now
      for line in receivers[next].epoch(after: start - last[next], &random) {
        if line.pause > .zero { steps.append(.wait(line.pause)) }
        now += line.pause
        add(line.text)
      }
      last[next] = start
      due[next] = max(due[next] + receivers[next].interval, now)
      if random.happens(onceIn: 2), let line = self.neighbour?.next() { add(line) }
      now += interlude(longPause: longPause, isOdd: isOdd, &random)
    }
  }

  /// Creates a script of certain lines, without pauses.
  init(lines: [String]) {
    receivers = []
    for line in lines { add(line) }
  }

  /// Creates a script of certain lines.
  init(lines: [String], _ random: inout SeededRandom) {
    receivers = []
    for line in lines {
      add(line)
      if random.happens(onceIn: 2) {
        steps.append(.wait(.milliseconds(Int.random(in: 0...1000, using: &random))))
      }
    }
  }

  private mutating func add(_ line: String) {
    steps.append(.line(line))
    lines += 1
  }

  /// Adds what may happen between two epochs. Returns how long it takes.
  private mutating func interlude(
    longPause: Int, isOdd: Bool, _ random: inout SeededRandom
  ) -> Duration {
    let pause: Duration
    switch Int.random(in: 0..<400, using: &random) {
    case 0...3 where longPause > 0:
      pause = .seconds(Int.random(in: 0...2 * longPause, using: &random))
    case 4: pause = .seconds(Int.random(in: 5...25, using: &random))
    case 5:
      steps.append(.hangUp)
      return .zero
    case 6:
      steps += [.hangUp, .refuse]
      return .zero
    case 7 where isOdd:
      let seconds = Int.random(in: -700_000_000...700_000_000, using: &random)
      steps.append(.setClock(by: .seconds(seconds)))
      return .zero
    case 8 where isOdd: pause = .seconds(Int.random(in: 0...400_000_000, using: &random))
    case 9 where isOdd:
      add(random.pick(HostileLines.text))
      return .zero
    default: return .zero
    }
    steps.append(.wait(pause))
    return pause
  }
}
