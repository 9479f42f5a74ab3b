/// A source of locations, such as gpsd, a recording or a test script.
///
/// A provider makes independent connections. ``events()`` and
/// ``updates(_:staleAfter:retries:)`` are built on them.
/// Connections are pull-based: nothing is produced before it is requested, and no event is dropped.
///
/// To turn an `AsyncSequence` of events into a provider, wrap it in an ``EventSequenceProvider``.
public protocol LocationProvider: Sendable {
  /// The type of the provider's connections.
  associatedtype Connection: LocationConnection

  /// Returns a new connection, which connects on its first read.
  ///
  /// A provider may leave out fixes that the request excludes, and kinds of reports that it does not name. It has
  /// to report every other event, so it may also ignore the request.
  func connection(for request: LocationRequest) -> Connection

  /// The clock of the provider's events and deadlines.
  ///
  /// The default is the machine's own clock; a replay uses the clock of its recording.
  var clock: LocationClock { get }

  /// Whether the provider's receivers eventually report the time. The default is `false`.
  ///
  /// A receiver that was just opened may report a position before it knows the time. If this is
  /// `true`, updates hold such a fix for up to 2 s, and the first fix with a time replaces it.
  var receiversReportTime: Bool { get }
}

extension LocationProvider {
  /// The machine's own clock.
  public var clock: LocationClock { .live }
  /// `false`: a fix without a time is reported immediately.
  public var receiversReportTime: Bool { false }

  /// Returns a new connection for every fix, which connects on its first read.
  public func connection() -> Connection { connection(for: LocationRequest()) }

  /// Returns the events that the provider reports from now on. Each iteration opens its own
  /// connection.
  public func events() -> LocationEvents {
    LocationEvents { connection() }
  }
}
