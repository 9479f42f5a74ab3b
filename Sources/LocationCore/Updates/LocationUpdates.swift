/// An asynchronous sequence of a provider's state changes, fixes and other reports.
///
/// ``LocationProvider/updates(_:staleAfter:retries:)``
/// returns one:
///
/// ```swift
/// for try await update in GPSDLocationSource().updates() {
///   switch update {
///   case .fix(let fix): print(fix.coordinate)
///   case .state(let change): print(change.state)
///   case .change, .retry, .event: break
///   @unknown default: break
///   }
/// }
/// ```
///
/// When a connection fails, the sequence connects again according to its ``RetryPolicy``. It ends when the provider
/// has nothing more to report or the iterating task is cancelled. If the policy gives up, the sequence throws the
/// ``LocationError`` of the last failure, after an update that reports it: a change to ``LocationState/noService``,
/// or a ``LocationUpdate/retry(_:)``. Each iteration opens its own connections.
public struct LocationUpdates: AsyncSequence, Sendable {
  let connect: @Sendable () -> any LocationConnection
  /// The clock of the provider.
  package let clock: LocationClock
  let staleAfter: Duration?
  let retries: RetryPolicy
  let filter: UpdateFilter
  let needs: FixNeeds
  /// See ``LocationProvider/receiversShareClock``.
  let sharesClock: Bool
  private let correctsDates: Bool

  init(
    of provider: some LocationProvider, staleAfter: Duration?, retries: RetryPolicy,
    filter: UpdateFilter, request: LocationRequest
  ) {
    connect = { provider.connection(for: request) }
    clock = provider.clock
    self.staleAfter = staleAfter
    self.retries = retries
    self.filter = filter
    needs = FixNeeds(accuracy: request.desiredAccuracy != nil, time: provider.receiversReportTime)
    sharesClock = provider.receiversShareClock
    correctsDates = request.correctsDates
  }

  /// Corrects dates; `nil` leaves them as they are. In a replay, the clock of the machine that made the recording
  /// is used, which the time stamps contain, unless they say that nothing kept it right.
  var dates: DateCorrection? {
    guard correctsDates else { return nil }
    return DateCorrection(clockError: clock.recordedError ?? clock.wallError)
  }

  /// Returns an iterator that connects on its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension LocationProvider {
  /// Returns the provider's state changes and fixes, reconnecting after failures.
  ///
  /// The sequence connects when it is iterated.
  ///
  /// ```swift
  /// let updates = provider.updates(LocationRequest(desiredAccuracy: 20, distanceFilter: 5))
  /// ```
  ///
  /// - Parameters:
  ///   - request: The fixes to report. It does not affect states, which follow every fix.
  ///   - staleAfter: The silence after which a fix is no longer current. `nil` means 5 s or three of
  ///     the receiver's own intervals, whichever is longer, and 65 s until its second report.
  ///   - retries: When to connect again after a failure.
  public func updates(
    _ request: LocationRequest = LocationRequest(), staleAfter: Duration? = nil,
    retries: RetryPolicy = RetryPolicy()
  ) -> LocationUpdates {
    LocationUpdates(
      of: self, staleAfter: staleAfter, retries: retries, filter: UpdateFilter(request),
      request: request)
  }

  /// Returns all updates, for a reader that filters them itself.
  ///
  /// - Parameter request: What the reader filters by. With a desired accuracy, a fix without an
  ///   accuracy is held until the end of its epoch, in case another report gives one.
  package func updates(
    staleAfter: Duration?, retries: RetryPolicy, unfilteredFor request: LocationRequest
  ) -> LocationUpdates {
    LocationUpdates(
      of: self, staleAfter: staleAfter, retries: retries, filter: UpdateFilter(), request: request)
  }
}
