public final class DispatchQueue: Sendable {
  public static let main = DispatchQueue(label: "")

  public init(label: String) {}

  public static func global() -> DispatchQueue { main }

  public func async(execute work: @escaping @Sendable @convention(block) () -> Void) { work() }

  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }

  public func asyncAfter(
    deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void
  ) { work() }
}

public enum DispatchTimeInterval: Sendable {
  case seconds(Int)
  case milliseconds(Int)
  case nanoseconds(Int)
}

public struct DispatchTime: Sendable {
  public static func now() -> DispatchTime { DispatchTime() }

  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
}

public enum DispatchTimeoutResult {
  case success, timedOut
}

public enum DispatchPredicate {
  case onQueue(DispatchQueue)
}

public func dispatchPrecondition(condition: DispatchPredicate) {}

public final class DispatchSemaphore: Sendable {
  public init(value: Int) {}

  @discardableResult public func signal() -> Int { 0 }

  public func wait() {}

  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}
