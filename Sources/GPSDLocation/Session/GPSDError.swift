public import LocationCore

/// An error of a session with gpsd.
public struct GPSDError: Error, Hashable, Sendable {
  /// The kind of failure, which a program can act on.
  ///
  /// Codes may be added: a `switch` needs a `default`, and a custom session may define codes of its
  /// own.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name, as it is printed.
    public var rawValue: String

    /// Creates a code with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The address is invalid; no connection was attempted.
    public static let invalidEndpoint = Code(rawValue: "invalidEndpoint")
    /// The host's name cannot be resolved.
    public static let unknownHost = Code(rawValue: "unknownHost")
    /// The connection was refused, or there is no route or no answer in time.
    public static let cannotConnect = Code(rawValue: "cannotConnect")
    /// Sending a command failed.
    public static let cannotSend = Code(rawValue: "cannotSend")
    /// Reading the connection or a recording failed.
    public static let cannotRead = Code(rawValue: "cannotRead")
    /// gpsd ended the connection.
    public static let hungUp = Code(rawValue: "hungUp")
    /// There is no open connection.
    public static let notConnected = Code(rawValue: "notConnected")
    /// The task was cancelled before the connection was established.
    public static let cancelled = Code(rawValue: "cancelled")
  }

  /// The kind of failure.
  public var code: Code
  /// The error number of the system or of libgps; `nil` if there is none.
  public var systemError: SystemError?
  /// A message that a person can act on.
  public var detail: String

  /// Creates an error, in a session or in a test.
  ///
  /// - Parameters:
  ///   - code: What failed.
  ///   - systemError: The error number of the system or of libgps; `nil` if there is none.
  ///   - detail: A message that a person can act on.
  public init(_ code: Code, systemError: SystemError? = nil, _ detail: String) {
    self.code = code
    self.systemError = systemError
    self.detail = detail
  }
}

extension SystemError.Domain {
  /// The domain of numbers that `gps_open` returns, such as `NL_NOHOST`.
  public static let libgps = SystemError.Domain(rawValue: "libgps")
}

extension SystemError {
  /// Returns the error for a number that `gps_open` returned, such as `NL_NOHOST`.
  public static func libgps(_ number: Int32) -> SystemError { SystemError(.libgps, number) }
}

extension GPSDError.Code: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension GPSDError: CustomStringConvertible, CustomDebugStringConvertible {
  /// The message, which is ``detail``.
  public var description: String { detail }

  /// The code, number and message: `cannotConnect (errno 111): localhost:2947: connection refused`.
  public var debugDescription: String {
    code.rawValue + (systemError.map { " (\($0))" } ?? "") + (detail.isEmpty ? "" : ": \(detail)")
  }
}

extension LocationError {
  /// Creates a provider's error from a session's error. A code of a custom session keeps its name.
  package init(_ error: GPSDError) {
    let code: Code =
      switch error.code {
      case .invalidEndpoint, .cannotConnect: .unreachable
      case .unknownHost: .unknownHost
      case .cannotSend, .cannotRead, .notConnected, .hungUp: .disconnected
      case .cancelled: .cancelled
      default: Code(rawValue: error.code.rawValue)
      }
    self.init(code, systemError: error.systemError, error.detail)
  }
}
