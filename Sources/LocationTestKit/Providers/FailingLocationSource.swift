public import LocationCore

/// A provider that nobody should ask: the test that does without one proves it so.
///
/// ```swift
/// let source = FailingLocationSource { Issue.record(Comment(rawValue: $0)) }  // Swift Testing
/// let source = FailingLocationSource { XCTFail($0) }                          // XCTest
/// ```
public struct FailingLocationSource: LocationProvider {
  private let report: @Sendable (String) -> Void

  /// - Parameter report: Takes what was asked and was not expected.
  public init(_ report: @escaping @Sendable (String) -> Void = { _ in }) { self.report = report }

  /// A sequence that fails with its first event.
  public func events() -> LocationEvents<Connection> { LocationEvents { connection() } }

  /// A connection that fails with its first wait.
  public func connection() -> Connection { Connection(report: report) }

  /// A connection that fails whoever reads it.
  public struct Connection: LocationConnection {
    fileprivate let report: @Sendable (String) -> Void

    /// Reports that it was asked.
    ///
    /// - Throws: `LocationError` with code `LocationError.Code.unscripted`, always.
    public mutating func next(until deadline: Moment?) async throws(LocationError) -> LocationRead {
      let words = "a location was asked for, and the test expects that none is"
      report(words)
      throw LocationError(.unscripted, words)
    }

    /// Does nothing.
    public mutating func close() async {}
  }
}
