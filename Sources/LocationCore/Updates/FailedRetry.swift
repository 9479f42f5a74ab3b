/// A failed attempt to connect while the link is already ``LocationState/noService``.
public struct FailedRetry: Hashable, Sendable {
  /// The failure.
  public var error: LocationError
  /// The time until the next attempt to connect; `nil` if there is none.
  public var retryIn: Duration?
  /// When the attempt failed.
  public var moment: Moment

  /// Creates a failed attempt.
  ///
  /// - Parameters:
  ///   - error: The failure.
  ///   - retryIn: The time until the next attempt to connect; `nil` if there is none.
  ///   - moment: When the attempt failed.
  package init(_ error: LocationError, retryIn: Duration? = nil, at moment: Moment) {
    self.error = error
    self.retryIn = retryIn
    self.moment = moment
  }
}

extension FailedRetry: CustomStringConvertible {
  /// A text for logs and test failures, such as
  /// `failed at 3.0 seconds: connection refused, again in 2.0 seconds`. Its format may change.
  public var description: String {
    "failed at \(moment): \(error)" + (retryIn.map { ", again in \($0)" } ?? "")
  }
}
