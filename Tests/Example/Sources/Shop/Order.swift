/// Sends an order until it is accepted.
public struct Order: Sendable {
  public enum Outcome: Hashable, Sendable {
    case accepted(attempts: Int)
    case timedOut
  }

  private let clock: any Clock<Duration>
  private let send: @Sendable () async -> Bool

  /// - Parameter send: Sends the order, and returns whether it was accepted.
  public init(clock: any Clock<Duration>, send: @escaping @Sendable () async -> Bool) {
    self.clock = clock
    self.send = send
  }

  /// Tries again after 1, 2, 4 … seconds, until the limit. An answer that comes at the limit counts.
  public func place(limit: Duration = .seconds(30)) async -> Outcome {
    await withTaskGroup(of: Outcome?.self) { group in
      group.addTask(name: "attempts") {
        var pause = Duration.seconds(1)
        for attempt in 1... {
          if await send() { return .accepted(attempts: attempt) }
          if (try? await clock.sleep(for: pause)) == nil { break }
          pause *= 2
        }
        return nil
      }
      group.addTask(name: "limit") {
        try? await clock.sleep(for: limit)
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      // Both may have ended at the same moment.
      let second = await group.next() ?? nil
      return first ?? second ?? .timedOut
    }
  }
}
