public final class DispatchQueue: Sendable {
  public static let main = DispatchQueue()

  private init() {}

  public static func global() -> DispatchQueue { main }

  public func async(execute work: @escaping @Sendable @convention(block) () -> Void) { work() }
}

public final class DispatchSemaphore: Sendable {
  public init(value: Int) {}

  @discardableResult public func signal() -> Int { 0 }

  public func wait() {}
}
