import LocationCore

/// How the loop asks the system what is ready.
struct Sleep: Equatable {
  /// Whether it waits for something: there are no jobs.
  var waits: Bool
  /// What the timer is set to before; `nil` if it is set.
  var ring: Int64?
}

/// A descriptor to wait for.
package struct AwaitedDescriptor: Equatable, Sendable {
  package var descriptor: CInt
  package var interest: WaitPoint.Interest

  package init(_ descriptor: CInt, for interest: WaitPoint.Interest = .reading) {
    self.descriptor = descriptor
    self.interest = interest
  }
}

/// What waits at a point, and is to be woken once.
@safe enum Sleeper: Sendable {
  /// A suspended task.
  case task(UnsafeContinuation<WaitOutcome, Never>)
  /// A listener, with the number that it is told.
  case listener(Listener, Int)

  func wake(_ outcome: WaitOutcome) {
    switch self {
    case .task(let continuation): unsafe continuation.resume(returning: outcome)
    case .listener(let listener, let number): listener.hear(number)
    }
  }
}

extension EventLoop {
  /// What the loop knows of a ``WaitPoint``.
  struct Point {
    var use: UInt32
    var source: AwaitedDescriptor?
    /// Whether the system watches the descriptor.
    var isWatched = false
    var sleeper: Sleeper?
    /// When the wait ends by itself, in nanoseconds of uptime.
    var deadline = Int64.max
    /// Whether a signal came while no task waited.
    var isSignalled = false
  }

  struct State {
    /// Jobs that have not run yet, in the order in which they came.
    var jobs: [UnownedJob] = []
    /// Those that were signalled before they waited; they are woken with the next turn.
    var ready: [Sleeper] = []
    /// No wait ends by itself before.
    var earliest = Int64.max
    /// When the timer rings.
    var ring = Int64.max
    var isAsleep = false
    var isFinished = false
    private var points: [Point] = []
    private var free: [Int] = []

    /// Returns how to sleep; `nil` to end.
    mutating func beginSleep() -> Sleep? {
      guard !isFinished else { return nil }
      isAsleep = isIdle
      guard earliest < ring else { return Sleep(waits: isAsleep) }
      ring = earliest
      return Sleep(waits: isAsleep, ring: ring)
    }

    /// Returns whether the loop was asleep, and so has to be woken.
    mutating func endSleep() -> Bool {
      defer { isAsleep = false }
      return isAsleep
    }

    /// Whether there is nothing to run.
    var isIdle: Bool { jobs.isEmpty && ready.isEmpty }

    /// Whether the loop has something to do before it may sleep on.
    var needsTurn: Bool { !ready.isEmpty || earliest < ring }

    mutating func addPoint(_ source: AwaitedDescriptor?) -> WaitPoint.ID {
      if let index = free.popLast() {
        points[index].source = source
        return WaitPoint.ID(index: index, use: points[index].use)
      }
      points.append(Point(use: 0, source: source))
      return WaitPoint.ID(index: points.count - 1, use: 0)
    }

    mutating func removePoint(_ point: WaitPoint.ID) {
      guard let index = index(of: point) else { return }
      points[index] = Point(use: point.use &+ 1)
      free.append(index)
    }

    /// Returns what waited at the point before.
    mutating func begin(_ sleeper: Sleeper, at point: WaitPoint.ID, until deadline: Int64)
      -> Sleeper?
    {
      guard let index = index(of: point), !points[index].isSignalled else {
        if let index = index(of: point) { points[index].isSignalled = false }
        ready.append(sleeper)
        return nil
      }
      defer { points[index].sleeper = sleeper }
      points[index].deadline = deadline
      earliest = min(earliest, deadline)
      return points[index].sleeper
    }

    /// Returns the descriptor of a point that is to be watched from now on.
    mutating func beginWatch(at point: WaitPoint.ID) -> AwaitedDescriptor? {
      guard let index = index(of: point), points[index].sleeper != nil, !points[index].isWatched
      else { return nil }
      points[index].isWatched = points[index].source != nil
      return points[index].source
    }

    /// Whether the system watches the descriptor of a point.
    func watches(_ point: WaitPoint.ID) -> Bool {
      index(of: point).map { points[$0].isWatched } ?? false
    }

    /// Returns the descriptor of a point that is no longer to be watched.
    mutating func endWatch(at point: WaitPoint.ID) -> CInt? {
      guard let index = index(of: point), points[index].isWatched else { return nil }
      points[index].isWatched = false
      return points[index].source?.descriptor
    }

    mutating func refuseWatch(at point: WaitPoint.ID) {
      _ = endWatch(at: point)
      if let sleeper = takeSleeper(at: point) { ready.append(sleeper) }
    }

    /// What a report of the system leads to.
    enum Report {
      case wake(Sleeper)
      case endWatch(CInt)
      case nothing
    }

    mutating func report(_ point: WaitPoint.ID) -> Report {
      if let sleeper = takeSleeper(at: point) { return .wake(sleeper) }
      return endWatch(at: point).map { .endWatch($0) } ?? .nothing
    }

    /// Ends the next wait at a point at once.
    mutating func keepSignal(at point: WaitPoint.ID) {
      if let index = index(of: point) { points[index].isSignalled = true }
    }

    mutating func takeSleeper(at point: WaitPoint.ID) -> Sleeper? {
      guard let index = index(of: point) else { return nil }
      points[index].deadline = .max
      return points[index].sleeper.take()
    }

    /// Returns those whose deadline has passed, in their order, after the timer rang.
    mutating func takeDue(at now: Int64) -> [Sleeper] {
      var due: [Point] = []
      ring = .max
      earliest = .max
      for index in points.indices {
        if points[index].deadline <= now {
          if points[index].sleeper != nil { due.append(points[index]) }
          points[index].sleeper = nil
          points[index].deadline = .max
        }
        earliest = min(earliest, points[index].deadline)
      }
      if due.count > 1 { due.sort { $0.deadline < $1.deadline } }
      return due.compactMap(\.sleeper)
    }

    private func index(of point: WaitPoint.ID) -> Int? {
      let index = Int(point.index)
      return points[index].use == point.use ? index : nil
    }
  }
}
