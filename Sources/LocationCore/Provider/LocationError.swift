/// An error that a ``LocationProvider`` throws or reports.
public struct LocationError: Error, Hashable, Sendable {
  /// The kind of failure.
  ///
  /// Providers may define codes of their own, and later versions may add some: a `switch` needs a
  /// `default`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name, as it is printed.
    public var rawValue: String

    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing answers at the address: the connection was refused or timed out, or there is no
    /// route.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The host name cannot be resolved.
    public static let unknownHost = Code(rawValue: "unknownHost")
    /// The connection ended.
    public static let disconnected = Code(rawValue: "disconnected")
    /// The service is connected but sends nothing.
    public static let silent = Code(rawValue: "silent")
    /// The address belongs to something other than a location service.
    public static let notAService = Code(rawValue: "notAService")
    /// The service does not have the requested receiver, or has no permission to open it.
    public static let noSuchReceiver = Code(rawValue: "noSuchReceiver")
    /// The user denied access to the location. A provider of Core Location throws this code, and gpsd never does.
    public static let denied = Code(rawValue: "denied")
    /// The system does not allow access to the location, for example because of parental controls. The user cannot
    /// change this in the program's settings.
    public static let restricted = Code(rawValue: "restricted")
    /// Nothing was recorded for some time. Only a replay reports this code; it says nothing about the service.
    public static let notRecorded = Code(rawValue: "notRecorded")
    /// No receiver has a position at the moment. Updates continue.
    public static let locationUnknown = Code(rawValue: "locationUnknown")
    /// There was no fix by the deadline.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The provider, such as a ``LocationHub``, was stopped.
    public static let stopped = Code(rawValue: "stopped")
    /// The task was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
  }

  /// The kind of failure.
  public var code: Code
  /// The underlying error number; `nil` if there is none.
  package var systemError: SystemError?
  /// A message for people; empty if the code explains the failure.
  ///
  /// It may contain text from the network: escape it before you show it in a terminal or as HTML.
  public var detail: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - detail: A message for people; empty if the code explains the failure.
  public init(_ code: Code, _ detail: String = "") {
    self.init(code, systemError: nil, detail)
  }

  /// Creates an error with the underlying error number; `nil` if there is none.
  package init(_ code: Code, systemError: SystemError?, _ detail: String = "") {
    self.code = code
    self.systemError = systemError
    self.detail = detail
  }
}

extension LocationError.Code: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension LocationError: CustomStringConvertible, CustomDebugStringConvertible {
  /// ``detail``, or the code's name if it is empty.
  public var description: String { detail.isEmpty ? code.rawValue : detail }

  /// The code, the error number and the message, such as
  /// `unreachable (errno 111): localhost:2947: connection refused`.
  public var debugDescription: String {
    code.rawValue + (systemError.map { " (\($0))" } ?? "") + (detail.isEmpty ? "" : ": \(detail)")
  }
}
