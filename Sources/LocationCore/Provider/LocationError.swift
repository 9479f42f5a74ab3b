/// Why a ``LocationProvider`` stopped, or gave nothing.
public struct LocationError: Error, Hashable, Sendable {
  /// What failed, for a program to decide by.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// Nothing answers at the address: refused, no route, too late.
    case unreachable
    /// The host's name cannot be resolved.
    case unknownHost
    /// The connection ended.
    case disconnected
    /// The connection stands, and nothing comes.
    case silent
    /// Something answers that is not a location service.
    case notAService
    /// The service does not have the receiver that was asked for, or may not open it.
    case noSuchReceiver
    /// The receivers have no position now. They are still followed, and may have one later.
    case locationUnknown
    /// No fix came in time.
    case timedOut
    /// The task was cancelled.
    case cancelled
    /// A fake was asked for something that its test did not tell it.
    case unscripted
  }

  /// What failed.
  public var code: Code
  /// The system's error number behind it; 0 where there is none.
  public var number: Int32
  /// Words that a person can act on. They may hold text from the network: escape them where that
  /// matters.
  public var detail: String

  /// An error as a provider, or a test, makes it.
  ///
  /// - Parameters:
  ///   - code: What failed.
  ///   - number: The system's error number behind it; 0 where there is none.
  ///   - detail: Words that a person can act on.
  public init(_ code: Code, number: Int32 = 0, _ detail: String = "") {
    self.code = code
    self.number = number
    self.detail = detail
  }
}

extension LocationError: CustomStringConvertible {
  /// ``detail``, else the name of the ``code``.
  public var description: String { detail.isEmpty ? code.rawValue : detail }
}
