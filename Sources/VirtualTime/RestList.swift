/// What happens in a world when nothing in it is ready to run.
struct RestList: Sendable {
  /// Makes something ready. It must not be called while the world is locked.
  typealias Wake = @Sendable () -> Void

  private enum Rest {
    /// A task continues.
    case settled(id: Int, CheckedContinuation<Bool, Never>)
    /// The clock advances to its next deadline, and will do so again.
    case advance(id: Int, ManualClock)
  }

  private struct Limit {
    let id: Int
    /// The deadline by ``patientTime``.
    let deadline: Duration
    /// When the same time has passed in real time.
    let realDeadline: ContinuousClock.Instant
    let end: @Sendable (_ isReached: Bool) -> Void
  }

  /// In the order in which they began.
  private var rests: [Rest] = []
  /// The limits that end when nothing else can happen.
  private var limits: [Limit] = []
  private var lastID = 0
  /// How often a clock has advanced to its next deadline, without a limit of time.
  var advanceCount = 0
  /// How often a task continued in a row because everything waited, although nothing else had happened.
  var vainCount = 0
  /// How long the world has waited for limits although nothing in it could happen.
  private(set) var patientTime = Duration.zero

  mutating func makeID() -> Int {
    lastID += 1
    return lastID
  }

  /// Lets a task wait.
  mutating func add(_ id: Int, _ continuation: CheckedContinuation<Bool, Never>) {
    rests.append(.settled(id: id, continuation))
  }

  /// Removes a task that waits; `nil` if it does not wait.
  mutating func cancel(_ id: Int) -> CheckedContinuation<Bool, Never>? {
    for (place, rest) in rests.enumerated() {
      if case .settled(id, let continuation) = rest {
        rests.remove(at: place)
        return continuation
      }
    }
    return nil
  }

  /// Advances a clock again and again.
  mutating func add(_ clock: ManualClock) -> Int {
    let id = makeID()
    rests.append(.advance(id: id, clock))
    return id
  }

  mutating func stopAdvancing(_ id: Int) {
    rests.removeAll { if case .advance(id, _) = $0 { true } else { false } }
  }

  mutating func addLimit(
    at deadline: Duration, _ end: @escaping @Sendable (_ isReached: Bool) -> Void
  ) -> Int {
    let id = makeID()
    let realDeadline = ContinuousClock.now.advanced(by: deadline - patientTime)
    limits.append(Limit(id: id, deadline: deadline, realDeadline: realDeadline, end: end))
    return id
  }

  mutating func removeLimit(_ id: Int) { limits.removeAll { $0.id == id } }

  /// Returns what happens now that nothing is ready to run; `nil` for nothing, or if a limit has lasted for the same
  /// time in real time.
  ///
  /// - Parameter isOver: Whether the body of the world has returned.
  mutating func next(isOver: Bool) -> Wake? {
    if limits.contains(where: { $0.realDeadline <= .now }) { return nil }
    for _ in rests.indices {
      switch rests.removeFirst() {
      case .settled(_, let continuation):
        vainCount += 1
        return { continuation.resume(returning: !isOver) }
      case .advance(let id, let clock):
        // The clock stands still once the body has returned: nobody would end this.
        if isOver { continue }
        rests.append(.advance(id: id, clock))
        if clock.nextDeadline != nil {
          advanceCount += 1
          return { clock.wakeNext() }
        }
      }
    }
    return nil
  }

  /// Removes the first limit, and advances the time by which it is measured.
  ///
  /// - Parameter isOver: Whether the body of the world has returned.
  /// - Returns: Its end; `nil` if there is no limit.
  mutating func nextLimit(isOver: Bool) -> Wake? {
    let earliest = limits.indices.min {
      (limits[$0].deadline, limits[$0].id) < (limits[$1].deadline, limits[$1].id)
    }
    guard let earliest else { return nil }
    let limit = limits.remove(at: earliest)
    patientTime = max(patientTime, limit.deadline)
    return { limit.end(!isOver) }
  }
}
