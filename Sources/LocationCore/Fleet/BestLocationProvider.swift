/// A provider that merges several others into one, and reports the fixes of the best.
///
/// A fix without ``LocationFix/doubts`` is better than any fix with doubts. Then the quality decides: RTK fixed, RTK
/// float, DGPS, 3D, 2D, and last dead reckoning, simulations and the like. Among fixes of equal quality, the one with
/// the smallest ``LocationFix/horizontalError`` is the best. A source with several receivers is as good as the best of
/// them, and has a fix as long as one of them has. A source that has lost its fix is dropped at once, and so is a
/// doubted source if another one is believed. Otherwise, a better source is selected after it was better for 10 s. Each
/// change is an event ``LocationEvent/selected(_:previous:)``, which updates report as a ``LocationUpdate/change(_:)``.
/// If sources are equally good and report at the same moment, the one that is read first is selected.
///
/// The provider appears as a single receiver without a path. As long as one source has a fix, a change of the source
/// does not change the state.
///
/// A connection watches all providers, each with its own retries, and only while it is read: what follows from the end
/// of a provider has the moment at which that was noticed. It ends when all have ended. If all have failed, it
/// throws the last error; if at least one has ended without a failure, it throws none.
public struct BestLocationProvider: LocationProvider {
  /// The clock of the events.
  public let clock: LocationClock
  private let members: [Member]
  private let observers: Observers

  /// A provider's updates, under a name.
  fileprivate struct Member: Sendable {
    let name: String
    let updates: LocationUpdates
  }

  /// What is called with something of a member, and the name of the member.
  package struct Observers: Sendable {
    /// Called with a state that has changed.
    package var didChange: @Sendable (StateChange, String) -> Void = { _, _ in }
    /// Called as that of ``PolledSources/Observer``.
    package var timePassed: @Sendable (Moment, String) -> Void = { _, _ in }
    /// Called as that of ``PolledSources/Observer``.
    package var linkFailed: @Sendable (StateChange, String) -> Void = { _, _ in }

    package init() {}
  }

  /// Creates a provider of the best of several.
  ///
  /// - Parameters:
  ///   - providers: The providers and their names.
  ///   - staleAfter: The silence after which a fix is no longer current. `nil` means 5 s or three of
  ///     the receiver's own intervals, whichever is longer, and 65 s until its second report.
  ///   - retries: When to connect again after a failure.
  ///   - clock: The clock of the events and deadlines, which all providers must share; `nil` for the clock of the
  ///     first provider.
  public init(
    _ providers: [(name: String, provider: any LocationProvider)], staleAfter: Duration? = nil,
    retries: RetryPolicy = RetryPolicy(), clock: LocationClock? = nil
  ) {
    self.init(
      of: providers.map { name, provider in
        (name, provider.updates(staleAfter: staleAfter, retries: retries))
      }, clock: clock ?? providers.first?.provider.clock ?? .live)
  }

  package init(
    of members: [(name: String, updates: LocationUpdates)], clock: LocationClock,
    observers: Observers = Observers()
  ) {
    self.members = members.map { Member(name: $0.name, updates: $0.updates) }
    self.clock = clock
    self.observers = observers
  }

  /// Whether the receivers of all providers share the clock.
  public var receiversShareClock: Bool { members.allSatisfy(\.updates.sharesClock) }

  /// Returns a new connection, which connects to all providers on its first read. It ignores the request, because
  /// the best provider is chosen among all fixes.
  public func connection(for request: LocationRequest) -> some LocationConnection {
    BestConnection(members, observers)
  }

  /// A connection to all providers.
  struct BestConnection: LocationConnection {
    private let members: [Member]
    private var sources = PolledSources(hearing: Listener())
    private let observers: Observers
    private var isStarted = false
    private var live: Int
    private var best = BestSource()
    /// The name that was reported last.
    private var selectedName: String?
    private var hasReported = false
    private var failures = 0
    private var lastFailure: LocationError?
    private var events: [TimedEvent] = []

    fileprivate init(_ members: [Member], _ observers: Observers) {
      self.members = members
      self.observers = observers
      live = members.count
    }

    /// Returns the next events of the best provider.
    ///
    /// - Throws: ``LocationError`` once, if all providers have failed: the error of the last one.
    mutating func poll(at now: Moment) throws(LocationError) -> Polled<[TimedEvent]> {
      start()
      sources.gather(at: now)
      while let (news, moment) = sources.next() { handle(news, at: moment) }
      if !events.isEmpty {
        defer { events = [] }
        return .received(events)
      }
      guard live == 0 else { return .quiet(at: now) }
      close()
      if failures == members.count, let failure = lastFailure.take() { throw failure }
      return .ended
    }

    mutating func wait() -> Wait { Wait(at: sources.listener, until: sources.deadline) }

    /// Ends the connections to all providers.
    mutating func close() {
      isStarted = true
      live = 0
      sources.close()
    }

    private mutating func start() {
      guard !isStarted else { return }
      isStarted = true
      for member in members {
        sources.add(
          member.updates,
          PolledSources.Observer(
            timePassed: { [observers] in observers.timePassed($0, member.name) },
            linkFailed: { [observers] in observers.linkFailed($0, member.name) }))
      }
    }

    private mutating func handle(_ news: SourceNews, at moment: Moment) {
      switch news {
      case .ended(let error, let member):
        live -= 1
        if let error {
          failures += 1
          lastFailure = error
        }
        recordSelection(isChanged: best.recordLoss(of: member), at: moment)
      case .update(.fix(let fix), let member):
        let receiver = BestSource.Receiver(source: member, path: fix.device)
        if fix.isCurrent, best.record(fix, of: receiver, at: moment) {
          recordSelection(isChanged: true, at: moment)
        } else if best.selected == receiver {
          report(fix, at: moment)
        }
      case .update(.state(let change), let member):
        observers.didChange(change, members[member].name)
        if !change.state.hasFix { lose(change.subject, of: member, at: moment) }
        if change.state == .searching, best.selected == nil { reportNoFix(at: moment) }
      case .update(.event(.sky(var sky)), let member):
        guard let selected = best.selected, selected.source == member,
          sky.device == nil || isSamePath(sky.device, selected.path)
        else { break }
        sky.device = nil
        report(.sky(sky), at: moment)
      case .update(.event(.service(let service)), _):
        if !hasReported { report(.service(service), at: moment) }
      case .update: break
      }
    }

    /// Records that a receiver of a member has no fix, or the link to all of them.
    private mutating func lose(
      _ subject: StateChange.Subject, of member: Int, at moment: Moment
    ) {
      let isChanged =
        switch subject {
        case .link: best.recordLoss(of: member)
        case .receiver(let path):
          best.recordLoss(of: BestSource.Receiver(source: member, path: path))
        }
      recordSelection(isChanged: isChanged, at: moment)
    }

    /// Reports which source is the best now, and its last fix.
    private mutating func recordSelection(isChanged: Bool, at moment: Moment) {
      guard isChanged else { return }
      guard let member = best.selected?.source, let fix = best.selectedFix else {
        return reportNoFix(at: moment)
      }
      let name = members[member].name
      if name != selectedName { report(.selected(name, previous: selectedName), at: moment) }
      selectedName = name
      report(fix, at: moment)
    }

    private mutating func reportNoFix(at moment: Moment) {
      report(.noFix(NoFix()), at: moment)
    }

    private mutating func report(_ fix: LocationFix, at moment: Moment) {
      var fix = fix
      fix.device = nil
      report(.fix(fix), at: moment)
    }

    private mutating func report(_ event: LocationEvent, at moment: Moment) {
      hasReported = true
      events.append(TimedEvent(event, at: moment))
    }
  }
}
