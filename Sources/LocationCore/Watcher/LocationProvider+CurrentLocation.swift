extension LocationProvider {
  /// The first current fix, over a connection of its own.
  ///
  /// ```swift
  /// let fix = try await GPSDLocationSource().currentLocation(timeout: .seconds(20))
  /// ```
  ///
  /// - Parameters:
  ///   - timeout: How long to wait by the provider's clock; `nil` waits for ever.
  ///   - weakest: ``FixMode/threeD`` where a fix without a height does not count.
  ///   - desiredAccuracy: In metres. A fix that is worse does not count, and neither does one whose
  ///     accuracy is unknown. `nil` takes every fix.
  ///   - retries: When to try again a provider that fails; by itself its first failure is thrown.
  /// - Throws: ``LocationError``: the provider's own, and ``LocationError/Code/timedOut`` with
  ///   words on what there was instead, ``LocationError/Code/noSuchReceiver`` where the service
  ///   refuses the receiver, ``LocationError/Code/disconnected`` where the provider ends without a
  ///   fix, ``LocationError/Code/cancelled``.
  public func currentLocation(
    timeout: Duration? = .seconds(30), weakest: FixMode = .twoD, desiredAccuracy: Double? = nil,
    retries: RetryPolicy = .never
  ) async throws(LocationError) -> LocationFix {
    let deadline = timeout.map { clock.now.advanced(by: $0) }
    var gate = FixGate(weakest: weakest, desiredAccuracy: desiredAccuracy)
    var search = FixSearch()
    var watcher = LocationWatcher(self, retries: retries)
    watcher.needsAccuracy = desiredAccuracy != nil
    var updates = watcher.makeAsyncIterator()
    let result: Result<LocationFix, LocationError>
    do throws(LocationError) {
      result = .success(try await updates.firstFix(until: deadline, &gate, &search))
    } catch {
      let isLate = error.code == .timedOut
      result = .failure(isLate ? search.timedOut(after: timeout ?? .zero) : error)
    }
    await updates.close()
    return try result.get()
  }
}

extension LocationUpdateIterator {
  fileprivate mutating func firstFix(
    until deadline: Moment?, _ gate: inout FixGate, _ search: inout FixSearch
  ) async throws(LocationError) -> LocationFix {
    while true {
      switch try await next(until: deadline) {
      case .update(.fix(let fix), _) where fix.isCurrent && gate.admits(fix):
        return fix
      case .update(.report(.refused(let path, let reason)), _):
        throw LocationError(.noSuchReceiver, "\(path): \(reason)")
      case .update(let update, _):
        search.note(update)
      case .timedOut(let moment):
        if let deadline, deadline <= moment { throw LocationError(.timedOut) }
      case .ended:
        throw Task.isCancelled
          ? LocationError(.cancelled, "cancelled before there was a fix")
          : LocationError(.disconnected, "there is no more to come, and there was no fix")
      }
    }
  }
}
