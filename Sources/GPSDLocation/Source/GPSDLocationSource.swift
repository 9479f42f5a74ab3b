// One import is enough: the public API of this module uses the types of LocationCore.
@_exported public import LocationCore

/// A provider that reports the locations of the receivers connected to a gpsd.
///
/// The module `LibGPS` adds an initializer for a running gpsd, a ``RecordedSession`` replays a recording, and a
/// `ScriptedGPSD` of the module `GPSDTestKit` follows the script of a test.
///
/// A connection fails with any error of reaching gpsd. It also fails with
/// `LocationError.Code.silent` if gpsd sends no first report within 15 s, or nothing for 20 s despite
/// being queried after 10 s; and with `LocationError.Code.notAService` if the peer is not a gpsd. A
/// connection to a recording ends when the recording does.
///
/// If gpsd runs on this machine, a silent receiver whose device has disappeared is reported as
/// removed. Nothing is sent to gpsd until the device returns, because a command would make gpsd 3.22
/// drop the receiver.
public struct GPSDLocationSource: LocationProvider {
  /// The clock of events and deadlines: the machine's or a recording's.
  public let clock: LocationClock
  private let endpoint: GPSDEndpoint
  private let device: String?
  private let kinds: Set<ServiceReport.Kind>
  private let satellites: Bool
  private let asksForLast: Bool
  private let statistics: GPSDStatistics?
  private let lookup: DeviceNode.Lookup
  private let executor: (any TaskExecutor)?
  private let makeSession: @Sendable () -> any GPSDSession

  /// Creates a source that uses any kind of session.
  ///
  /// - Parameters:
  ///   - endpoint: The address of gpsd.
  ///   - device: The path of the only receiver to report, on gpsd's machine; `nil` reports every
  ///     receiver.
  ///   - kinds: The reports to pass on as `LocationEvent.other(_:)`: any class of gpsd's reports.
  ///     `TOFF` and `PPS` are requested from gpsd, which otherwise sends none.
  ///   - statistics: Counts incoming reports and malformed lines.
  ///   - clock: The clock that the sessions use.
  ///   - makeSession: Returns a new session; called once for each connection.
  package init(
    endpoint: GPSDEndpoint = GPSDEndpoint(), device: String? = nil,
    kinds: Set<ServiceReport.Kind> = [], statistics: GPSDStatistics? = nil,
    clock: LocationClock = .live, makeSession: @escaping @Sendable () -> any GPSDSession
  ) {
    self.init(
      endpoint: endpoint, device: device, kinds: kinds, satellites: true, statistics: statistics,
      clock: clock, makeSession: makeSession)
  }

  /// Creates a source with control over satellite lists and device lookup.
  ///
  /// - Parameters:
  ///   - satellites: Whether sky views list the satellites. Otherwise they are only counted.
  ///   - asksForLast: Whether to ask gpsd for its last position, which is reported first if it is certainly current.
  ///   - lookup: Finds a receiver's device. It is called only if gpsd is on this machine.
  ///   - executor: Where connections are opened; `nil` for the shared thread pool.
  package init(
    endpoint: GPSDEndpoint = GPSDEndpoint(), device: String? = nil,
    kinds: Set<ServiceReport.Kind> = [], satellites: Bool, asksForLast: Bool = false,
    statistics: GPSDStatistics? = nil, clock: LocationClock = .live,
    lookup: @escaping DeviceNode.Lookup = DeviceNode.onThisMachine,
    executor: (any TaskExecutor)? = nil,
    makeSession: @escaping @Sendable () -> any GPSDSession
  ) {
    self.endpoint = endpoint
    self.device = device
    self.kinds = kinds
    self.satellites = satellites
    self.asksForLast = asksForLast
    self.statistics = statistics
    self.clock = clock
    self.lookup = endpoint.isLoopback ? lookup : DeviceNode.elsewhere
    self.executor = executor
    self.makeSession = makeSession
  }

  /// Returns a new connection with a session of its own. A connection to a recording ends when the recording does; a
  /// connection that fails throws `LocationError` once. It also passes on the requested kinds of reports.
  public func connection(for request: LocationRequest) -> some LocationConnection {
    GPSDConnection(
      session: makeSession(), endpoint: endpoint, device: device,
      kinds: kinds.union(request.reports),
      satellites: satellites, asksForLast: asksForLast, statistics: statistics, lookup: lookup,
      clock: clock,
      executor: executor)
  }

  /// Always `true`: only the first fixes of a receiver that gpsd has just opened lack a time.
  public var receiversReportTime: Bool { true }
}
