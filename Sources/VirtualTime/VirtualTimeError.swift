/// An error of virtual time itself, not of the code under test.
public struct VirtualTimeError: Error, Hashable, Sendable {
  /// What went wrong.
  public struct Code: Hashable, Sendable {
    private let number: Int

    /// The runtime lacks a hook that virtual time needs.
    public static let unavailable = Code(number: 1)
    /// Another library uses a hook of the runtime that virtual time needs.
    public static let hookTaken = Code(number: 2)
    /// The code under test slept in real time, with `Task.sleep`.
    public static let realSleep = Code(number: 3)
  }

  /// What went wrong.
  public let code: Code
  private let detail: String

  init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }
}

extension VirtualTimeError: CustomStringConvertible {
  /// A text for failures of tests. Its format may change.
  public var description: String { "virtual time: \(detail)" }
}
