extension LocationProvider {
  /// Returns the most accurate current fix within a time, using a separate connection.
  ///
  /// ```swift
  /// let fix = try await provider.bestLocation(LocationRequest(desiredAccuracy: 10), within: .seconds(15))
  /// ```
  ///
  /// The first fix of the desired accuracy is returned at once. If there is none within the time, or the provider fails
  /// or ends before that, the most accurate fix so far is returned; of equally accurate ones, the last. It may be as old
  /// as `limit`. A fix without an accuracy is less accurate than any other.
  ///
  /// - Parameters:
  ///   - request: The fix to wait for. Every fix is considered that meets the request except for its desired accuracy;
  ///     without one, the whole time passes. The distance filter has no effect.
  ///   - limit: How long to wait by the provider's clock.
  ///   - retries: When to connect again after a failure. By default never.
  ///   - condition: A further condition that the fix must meet; none by default.
  /// - Throws: ``LocationError``, as ``currentLocation(_:timeout:retries:where:)`` does, if there is no such fix, or if
  ///   the task is cancelled.
  public func bestLocation(
    _ request: LocationRequest = LocationRequest(), within limit: Duration,
    retries: RetryPolicy = .never, where condition: (LocationFix) -> Bool = { _ in true }
  ) async throws(LocationError) -> LocationFix {
    // A provider may leave out fixes that the request excludes.
    var anyAccuracy = request
    anyAccuracy.desiredAccuracy = nil
    var best: LocationFix?
    do throws(LocationError) {
      return try await currentLocation(anyAccuracy, timeout: limit, retries: retries) { fix in
        guard condition(fix) else { return false }
        if fix.error <= best?.error ?? .infinity { best = fix }
        return request.desiredAccuracy.map { fix.error <= $0 } ?? false
      }
    } catch {
      guard let best, error.code != .cancelled else { throw error }
      return best
    }
  }
}

extension LocationFix {
  /// The accuracy; infinite if it is unknown.
  fileprivate var error: Double { horizontalError ?? .infinity }
}
