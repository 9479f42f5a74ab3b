extension LocationProvider {
  /// Returns the first current fix, using a separate connection.
  ///
  /// ```swift
  /// let fix = try await GPSDLocationSource().currentLocation(timeout: .seconds(20))
  /// ```
  ///
  /// ```swift
  /// let fix = try await provider.currentLocation(timeout: .seconds(60)) {
  ///   $0.coordinate.distance(to: pier) < 50
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: The fix to wait for. The distance filter has no effect.
  ///   - timeout: How long to wait by the provider's clock; `nil` waits without a limit.
  ///   - retries: When to connect again after a failure. By default the first failure is thrown.
  ///   - condition: A further condition that the fix must meet; none by default.
  /// - Throws: ``LocationError``: ``LocationError/Code/timedOut``, with a message about what was
  ///   received instead; ``LocationError/Code/noSuchReceiver`` if the service refuses the receiver;
  ///   ``LocationError/Code/disconnected`` if the provider ends without a fix;
  ///   ``LocationError/Code/cancelled`` if the task is cancelled; otherwise the provider's error.
  public func currentLocation(
    _ request: LocationRequest = LocationRequest(), timeout: Duration? = .seconds(30),
    retries: RetryPolicy = .never, where condition: (LocationFix) -> Bool = { _ in true }
  ) async throws(LocationError) -> LocationFix {
    var search = FixSearch(UpdateFilter(request))
    var updates = updates(
      staleAfter: nil, retries: retries, unfilteredFor: request
    ).makeAsyncIterator()
    updates.makeConnection()
    let deadline = timeout.map { clock.now.advanced(by: $0) }
    let result: Result<LocationFix, LocationError>
    do throws(LocationError) {
      result = .success(try await updates.firstFix(until: deadline, &search, where: condition))
    } catch {
      let isLate = error.code == .timedOut
      result = .failure(isLate ? search.timedOut(after: timeout ?? .zero) : error)
    }
    updates.close()
    return try result.get()
  }
}

extension LocationUpdates.AsyncIterator {
  fileprivate mutating func firstFix(
    until deadline: Moment?, _ search: inout FixSearch, where condition: (LocationFix) -> Bool
  ) async throws(LocationError) -> LocationFix {
    while true {
      switch try await next(until: deadline) {
      case .value(let update, _):
        if let fix = try search.handle(update, where: condition) { return fix }
      case .timedOut(let moment):
        if let deadline, deadline <= moment { throw LocationError(.timedOut) }
      case .ended:
        throw FixSearch.ended
      }
    }
  }
}

/// A search for one fix. It remembers the reports, for the message if no fix is found.
struct FixSearch: Sendable {
  private var filter: UpdateFilter
  private var service: String?
  private var latest: StateChange?
  private var sky = SkySummary()
  /// Whether a fix arrived that did not meet a condition.
  private var hasRefused = false

  init(_ filter: UpdateFilter) { self.filter = filter }

  /// The error of a search that ended without a fix.
  static var ended: LocationError {
    Task.isCancelled
      ? LocationError(.cancelled, "cancelled before there was a fix")
      : LocationError(.disconnected, "the source ended without a fix")
  }

  /// Handles an update.
  ///
  /// - Returns: The fix, if it is the one that is searched for; `nil` to continue the search.
  /// - Throws: ``LocationError/Code/noSuchReceiver`` if the service refuses the receiver.
  mutating func handle(
    _ update: LocationUpdate, where condition: (LocationFix) -> Bool
  ) throws(LocationError) -> LocationFix? {
    switch update {
    case .fix(let fix) where fix.isCurrent && filter.admits(fix):
      if condition(fix) { return fix }
      hasRefused = true
      return nil
    case .event(.refused(let path, let reason)):
      throw LocationError(.noSuchReceiver, "\(path): \(reason)")
    default:
      record(update)
      return nil
    }
  }

  private mutating func record(_ update: LocationUpdate) {
    switch update {
    case .state(let change): latest = change
    case .event(.service(let service)): self.service = service.name
    case .event(.sky(let sky)): self.sky.add(sky)
    case .retry(let retry): latest?.reason = retry.error.description
    case .change, .event, .fix: break
    }
  }

  func timedOut(after timeout: Duration) -> LocationError {
    let clauses = [service.map { "\($0) answers" }, stateClause, skyClause].compactMap { $0 }
    let explanation = clauses.isEmpty ? "" : ": " + clauses.joined(separator: ", ")
    let wanted = hasRefused ? "no such fix" : "no fix"
    return LocationError(.timedOut, "\(wanted) within \(timeout)\(explanation)")
  }

  private var stateClause: String? {
    guard let latest else { return nil }
    let receiver = latest.device ?? "the receiver"
    return switch latest.state {
    case .connecting: service == nil ? "no answer yet" : nil
    case .noService: latest.reason ?? "nothing answers"
    case .noDevice: latest.subject == .link ? "there is no receiver" : "\(receiver) is gone"
    case .searching, .lost: "\(receiver) has no position"
    case .fix2D, .fix3D: "\(receiver) has no fix that is good enough"
    }
  }

  private var skyClause: String? {
    guard let seen = sky.seen else { return nil }
    return "\(seen) satellites seen" + (sky.used.map { ", \($0) used" } ?? "")
  }
}
