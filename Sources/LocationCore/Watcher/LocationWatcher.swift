/// Follows a provider through its states, and connects again when it fails.
///
/// ```swift
/// for try await update in LocationWatcher(GPSDLocationSource()) {
///   switch update {
///   case .fix(let fix): print(fix.coordinate)
///   case .state(let change): print(change.state)
///   case .retry, .report: break
///   }
/// }
/// ```
///
/// The sequence ends when the provider has no more to report, or when the iterating task is
/// cancelled. It throws ``LocationError`` only where its ``RetryPolicy`` gives up, after the
/// transition to ``LocationState/noDaemon``, or the ``LocationUpdate/retry(_:)``, that says why. Each iteration connects by itself.
public struct LocationWatcher<Provider: LocationProvider>: Sendable {
  let provider: Provider
  let stale: Duration?
  let retries: RetryPolicy
  let gate: FixGate
  /// Whether a fix without an accuracy waits until its epoch is over for a report that gives one. It does
  /// where there is a desired accuracy.
  package var needsAccuracy: Bool

  /// Connects to nothing before it is iterated.
  ///
  /// - Parameters:
  ///   - provider: What to follow: a `GPSDLocationSource`, or what a test puts in its place.
  ///   - stale: After how long without another a fix is no longer current; `nil` is the larger of
  ///     5 s and three of the receiver's own intervals.
  ///   - retries: When to try a provider again that failed.
  ///   - desiredAccuracy: In metres. A fix that is worse is left out, and so is one whose accuracy
  ///     is unknown; `nil` leaves none out. States follow every fix.
  ///   - distanceFilter: In metres. A fix nearer than this to the last one of its receiver is left
  ///     out; `nil` leaves none out.
  public init(
    _ provider: Provider, stale: Duration? = nil, retries: RetryPolicy = RetryPolicy(),
    desiredAccuracy: Double? = nil, distanceFilter: Double? = nil
  ) {
    self.provider = provider
    self.stale = stale
    self.retries = retries
    needsAccuracy = desiredAccuracy != nil
    gate = FixGate(desiredAccuracy: desiredAccuracy, distanceFilter: distanceFilter)
  }
}

extension LocationWatcher: AsyncSequence {
  /// Updates over connections of its own, which begin with the first `next()`.
  public func makeAsyncIterator() -> LocationUpdateIterator { LocationUpdateIterator(self) }
}
