import LocationCore

/// How the loop asks the system what is ready.
struct Sleep: Equatable {
  /// Whether it waits for something: there are no jobs.
  var waits: Bool
  /// What the timer is set to before; `nil` if it is set.
  var ring: Int64?
}

/// A descriptor to wait for.
package struct WaitSource: Equatable, Sendable {
  package var descriptor: CInt
  package var interest: WaitPoint.Interest

  package init(_ descriptor: CInt, for interest: WaitPoint.Interest = .reading) {
    self.descriptor = descriptor
    self.interest = interest
  }
}

/// Where a task waits: an index, and how often that was used before.
struct WaitPlace: Hashable, Sendable {
  var index: UInt32
  var use: UInt32

  init(index: Int, use: UInt32) {
    self.index = UInt32(index)
    self.use = use
  }

  init(_ token: UInt64) {
    index = UInt32(truncatingIfNeeded: token)
    use = UInt32(truncatingIfNeeded: token >> 32)
  }

  var token: UInt64 { UInt64(use) << 32 | UInt64(index) }
}

/// What waits at a place, and is to be woken once.
@safe enum Waiting: Sendable {
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
  /// What one ``WaitPlace`` holds.
  struct Wait {
    var use: UInt32
    var source: WaitSource?
    /// Whether the system watches the descriptor.
    var isWatched = false
    var waiting: Waiting?
    /// When the wait ends by itself, in nanoseconds of uptime.
    var deadline = Int64.max
    /// Whether a signal came while no task waited.
    var isSignalled = false
  }

  struct State {
    /// Jobs that have not run yet, in the order in which they came.
    var jobs: [UnownedJob] = []
    /// Those that were signalled before they waited; they are woken with the next turn.
    var ready: [Waiting] = []
    /// No wait ends by itself before.
    var earliest = Int64.max
    /// When the timer rings.
    var ring = Int64.max
    var isAsleep = false
    var isFinished = false
    private var waits: [Wait] = []
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

    mutating func addPlace(_ source: WaitSource?) -> WaitPlace {
      if let index = free.popLast() {
        waits[index].source = source
        return WaitPlace(index: index, use: waits[index].use)
      }
      waits.append(Wait(use: 0, source: source))
      return WaitPlace(index: waits.count - 1, use: 0)
    }

    mutating func removePlace(_ place: WaitPlace) {
      guard let index = index(of: place) else { return }
      waits[index] = Wait(use: place.use &+ 1)
      free.append(index)
    }

    /// Returns what waited at the place before.
    mutating func begin(_ waiting: Waiting, at place: WaitPlace, until deadline: Int64) -> Waiting?
    {
      guard let index = index(of: place), !waits[index].isSignalled else {
        if let index = index(of: place) { waits[index].isSignalled = false }
        ready.append(waiting)
        return nil
      }
      defer { waits[index].waiting = waiting }
      waits[index].deadline = deadline
      earliest = min(earliest, deadline)
      return waits[index].waiting
    }

    /// Returns the descriptor of a place that is to be watched from now on.
    mutating func beginWatch(at place: WaitPlace) -> WaitSource? {
      guard let index = index(of: place), waits[index].waiting != nil, !waits[index].isWatched
      else { return nil }
      waits[index].isWatched = waits[index].source != nil
      return waits[index].source
    }

    /// Whether the system watches the descriptor of a place.
    func watches(_ place: WaitPlace) -> Bool {
      index(of: place).map { waits[$0].isWatched } ?? false
    }

    /// Returns the descriptor of a place that is no longer to be watched.
    mutating func endWatch(at place: WaitPlace) -> CInt? {
      guard let index = index(of: place), waits[index].isWatched else { return nil }
      waits[index].isWatched = false
      return waits[index].source?.descriptor
    }

    mutating func refuseWatch(at place: WaitPlace) {
      _ = endWatch(at: place)
      if let waiting = takeWaiting(at: place) { ready.append(waiting) }
    }

    /// What a report of the system leads to.
    enum Report {
      case wake(Waiting)
      case endWatch(CInt)
      case nothing
    }

    mutating func report(_ place: WaitPlace) -> Report {
      if let waiting = takeWaiting(at: place) { return .wake(waiting) }
      return endWatch(at: place).map { .endWatch($0) } ?? .nothing
    }

    /// Ends the next wait at a place at once.
    mutating func keepSignal(at place: WaitPlace) {
      if let index = index(of: place) { waits[index].isSignalled = true }
    }

    mutating func takeWaiting(at place: WaitPlace) -> Waiting? {
      guard let index = index(of: place) else { return nil }
      waits[index].deadline = .max
      return waits[index].waiting.take()
    }

    /// Returns those whose deadline has passed, in their order, after the timer rang.
    mutating func takeDue(at now: Int64) -> [Waiting] {
      var due: [Wait] = []
      ring = .max
      earliest = .max
      for index in waits.indices {
        if waits[index].deadline <= now {
          if waits[index].waiting != nil { due.append(waits[index]) }
          waits[index].waiting = nil
          waits[index].deadline = .max
        }
        earliest = min(earliest, waits[index].deadline)
      }
      if due.count > 1 { due.sort { $0.deadline < $1.deadline } }
      return due.compactMap(\.waiting)
    }

    private func index(of place: WaitPlace) -> Int? {
      let index = Int(place.index)
      return waits[index].use == place.use ? index : nil
    }
  }
}
