/// A report of the service that is not a location, as the service sent it.
///
/// A provider passes on the requested kinds as ``LocationEvent/other(_:)``.
public struct ServiceReport: Hashable, Sendable {
  /// The kind of a report, which has the service's name for it.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The name, such as `PPS`.
    public var rawValue: String

    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A pulse per second: ``ReceiverChange/Kind/pulses(_:previous:)`` reports when a receiver's pulses
    /// begin and end.
    public static let pps = Kind(rawValue: "PPS")
  }

  /// The kind of report.
  public var kind: Kind
  /// The path of the receiver or sensor; `nil` if the service names none.
  public var device: String?
  /// When this machine received the report, by its own clock; `nil` in a replay of a recording without
  /// receive times.
  package var received: Timestamp?
  /// How far the clock of the service's machine is ahead of the receiver's; negative if it is behind, `nil`
  /// if the report does not compare them.
  package var clockOffset: Duration?
  /// The segment of shared memory by which NTP receives the receiver's time, such as `NTP0`; `nil` if the report
  /// names none.
  package var sharedMemory: String?
  /// The report as the service sent it, without its line end. A report of gpsd is a JSON object; NDJSON has any other
  /// text as a string.
  public var text: String

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - kind: What is reported.
  ///   - device: The path of the receiver or sensor; `nil` if the service names none.
  ///   - received: When this machine received the report, by its own clock; `nil` if unknown.
  ///   - clockOffset: How far the clock of the service's machine is ahead of the receiver's; `nil` if the
  ///     report does not compare them.
  ///   - text: The report as the service sent it, without its line end.
  package init(
    _ kind: Kind, device: String? = nil, received: Timestamp? = nil, clockOffset: Duration? = nil,
    text: String
  ) {
    self.kind = kind
    self.device = device
    self.received = received
    self.clockOffset = clockOffset
    self.text = text
  }
}

extension ServiceReport.Kind: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}

extension ServiceReport: CustomStringConvertible {
  /// The ``text``.
  public var description: String { text }
}
