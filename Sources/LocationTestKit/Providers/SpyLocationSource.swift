public import LocationCore
import Synchronization

/// A provider that records the calls to another provider, and forwards them.
///
/// ```swift
/// let spy = SpyLocationSource(SimulatedRoute(gpx: drive, clock: clock.locationClock))
/// let coordinator = LocationCoordinator(spy)
/// …
/// #expect(spy.calls == [.connect(LocationRequest(desiredAccuracy: 100)), .close])
/// ```
public final class SpyLocationSource<Base: LocationProvider>: LocationProvider {
  private let base: Base
  private let recorded = ProviderCalls()

  /// Creates a provider that records calls and forwards them.
  ///
  /// - Parameter base: The provider that receives the calls.
  public init(_ base: Base) { self.base = base }

  /// The calls so far, in order.
  public var calls: [ProviderCall] { recorded.all }

  /// The clock of the base.
  public var clock: LocationClock { base.clock }

  /// The value of the base.
  public var receiversReportTime: Bool { base.receiversReportTime }

  /// The value of the base.
  public var receiversShareClock: Bool { base.receiversShareClock }

  /// Records the request, and returns a connection to the base.
  public func connection(for request: LocationRequest) -> some LocationConnection {
    recorded.record(.connect(request))
    return SpyConnection(base: base.connection(for: request), calls: recorded)
  }

  /// A connection to the base, which records that it is closed.
  struct SpyConnection: LocationConnection {
    fileprivate var base: Base.Connection
    fileprivate let calls: ProviderCalls
    private var isClosed = false

    init(base: Base.Connection, calls: ProviderCalls) {
      self.base = base
      self.calls = calls
    }

    /// Waits as the base does.
    mutating func next(
      until deadline: Moment?
    ) async throws(LocationError) -> TimedRead<[TimedEvent]> {
      try await base.next(until: deadline)
    }

    /// Records the first call, and closes the connection of the base.
    mutating func close() async {
      if !isClosed { calls.record(.close) }
      isClosed = true
      await base.close()
    }
  }
}

/// A call to a ``ScriptedLocationSource`` or a ``SpyLocationSource``.
public enum ProviderCall: Hashable, Sendable {
  /// A connection was made for a request.
  case connect(LocationRequest)
  /// A connection was closed by its reader, for the first time.
  case close
}

/// The calls of a provider and its connections, in their order.
final class ProviderCalls: Sendable {
  private let recorded = Mutex<[ProviderCall]>([])

  var all: [ProviderCall] { recorded.withLock(\.self) }

  func record(_ call: ProviderCall) { recorded.withLock { $0.append(call) } }
}
