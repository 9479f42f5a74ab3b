public import LocationCore

/// A provider that fails when it is used, for tests that expect no location request.
///
/// ```swift
/// let source = FailingLocationSource { Issue.record(Comment(rawValue: $0)) }  // Swift Testing
/// let source = FailingLocationSource { XCTFail($0) }                          // XCTest
/// ```
public struct FailingLocationSource: LocationProvider {
  private let report: @Sendable (String) -> Void

  /// Creates a provider that reports each use.
  ///
  /// - Parameter report: Called with a message about each use, for `Issue.record` or `XCTFail`.
  public init(_ report: @escaping @Sendable (String) -> Void = { _ in }) { self.report = report }

  /// Returns a connection that fails at its first read.
  public func connection(for request: LocationRequest) -> some LocationConnection {
    FailingConnection(report: report)
  }

  /// A connection that fails when it is read.
  struct FailingConnection: LocationConnection {
    fileprivate let report: @Sendable (String) -> Void

    /// Reports the use and fails.
    ///
    /// - Throws: `LocationError` with code `LocationError.Code.unscripted`, always.
    mutating func poll(at now: Moment) throws(LocationError) -> Polled<[TimedEvent]> {
      let message = "a location was requested, and the test does not expect it"
      report(message)
      throw LocationError(.unscripted, message)
    }

    mutating func wait() -> Wait { Wait() }

    /// Does nothing.
    mutating func close() {}
  }
}

extension LocationError.Code {
  /// The code of an error for a call that the test does not expect.
  public static let unscripted = LocationError.Code(rawValue: "unscripted")
}
