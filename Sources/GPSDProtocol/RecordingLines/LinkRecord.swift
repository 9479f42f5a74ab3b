import LocationCore

/// A line that gpsd does not send: locwatch adds it to a recording when the connection to gpsd fails, so that
/// a replay knows from when on nothing could come.
///
/// `{"class":"LOCWATCH_LINK","state":"lost","error":"disconnected","reason":"closed by gpsd","retry":1.094}`
package struct LinkRecord: JSONRecord, Sendable {
  /// The class of the line.
  package static let className = "LOCWATCH_LINK"
  /// The longest believable time until the next attempt, in seconds.
  private static let maximumRetry = 1e6

  /// The members of the line, by name.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, state, error, reason, retry
  }

  private var state: String?
  private var error: String?
  private var reason: String?
  private var retry: Double?

  /// What the line says; `nil` if its state is unknown.
  var failure: LocationEvent? {
    guard state == "lost" else { return nil }
    let code = error.map(LocationError.Code.init(rawValue:)) ?? .disconnected
    let retryIn = retry.flatMap { seconds -> Duration? in
      guard (0...Self.maximumRetry).contains(seconds) else { return nil }
      return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
    return .disconnected(LocationError(code, reason ?? ""), retryIn: retryIn)
  }

  mutating func removeAll() { self = LinkRecord() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch Field(rawValue: member) {
    case .state: state = try line.textValue(&index)
    case .error: error = try line.textValue(&index)
    case .reason: reason = try line.textValue(&index)
    case .retry: retry = try line.numberValue(&index)
    case .class, nil: try line.skipValue(&index, depth: 1)
    }
  }
}
