/// Decides which regions a receiver is in, and reports when it enters and leaves them.
///
/// The first fix decides by its position. After that, a fix must be beyond the edge by its
/// ``LocationFix/horizontalError`` to change the presence, so that a receiver at the edge does not enter and leave
/// again and again. To enter, it is enough to be half as far from the edge as the centre is, so that a small region can
/// be entered at all. All fixes during the dwell time, 5 s by default, must be beyond the edge, so that a single wrong
/// fix changes nothing. An unknown accuracy counts as 20 m, and an accuracy below 5 m as 5 m.
///
/// Inaccurate fixes and fixes at exactly 0,0 (``Doubt/zero``) are ignored. If no other fix arrives for a grace
/// period, the presence becomes unknown. The period is at least three intervals of the receiver's fixes, or 65 s until
/// the interval is known. After it, the first fix decides if it shows the last known presence. Otherwise, all fixes
/// during the dwell time must show the other one.
///
/// Regions can be added and removed at any time. An encoded monitor contains its regions and their presences. After a
/// restart, the decoded monitor reports only what has changed since.
///
/// A monitor has no clock: pass it fixes with their moments, and call ``expire(at:)`` at its ``deadline``.
/// ``LocationProvider/regionEvents(_:maximumAccuracy:grace:dwell:staleAfter:retries:)`` does both.
public struct RegionMonitor: Sendable {
  struct Watched: Sendable {
    var region: Region
    var depth: Double
    var dwell: Duration
    /// The presence that was reported last, or is assumed.
    var presence: RegionPresence
    /// The last presence that was not unknown, which only the dwell time refutes; unknown if there was none.
    var known: RegionPresence
    /// Since when all fixes have shown another presence than the known one; `nil` if the last one does not.
    var since: Moment?

    init(_ region: Region, dwell: Duration, presence: RegionPresence) {
      self.region = region
      depth = region.depth
      self.dwell = dwell
      self.presence = presence
      known = presence
    }

    /// Handles a fix that counts, and returns whether the presence changes.
    mutating func handle(_ fix: LocationFix, at moment: Moment) -> Bool {
      let accuracy = fix.cautiousAccuracy
      let edge =
        switch known {
        case .unknown: 0.0
        case .inside: accuracy
        case .outside: -min(accuracy, depth / 2)
        }
      let shown =
        region.signedDistance(to: fix.coordinate) <= edge ? RegionPresence.inside : .outside
      guard shown == known || isDecided(at: moment) else { return false }
      since = nil
      known = shown
      guard shown != presence else { return false }
      presence = shown
      return true
    }

    /// Returns whether a fix that shows another presence than the known one decides.
    private mutating func isDecided(at moment: Moment) -> Bool {
      guard known != .unknown, dwell > .zero else { return true }
      guard let since else {
        since = moment
        return false
      }
      return since.duration(to: moment) >= dwell
    }
  }

  private(set) var watched: [Watched] = []
  let maximumAccuracy: Double
  let grace: Duration
  let dwell: Duration
  /// When the last fix arrived that counts; `nil` if there was none for the grace period.
  private var latest: Moment?
  /// The silence after which a fix is no longer current; `nil` if that follows from the interval of the fixes.
  let staleAfter: Duration?
  /// When the last current fix arrived, whether or not it counted, and the time between these fixes.
  private var arrived: Moment?
  private var pace = ReportPace()

  /// Creates a monitor that knows nothing yet. Negative arguments and NaN count as zero.
  ///
  /// - Parameters:
  ///   - regions: The regions, each with an ID of its own.
  ///   - maximumAccuracy: The largest ``LocationFix/horizontalError`` of a fix that counts, in metres. NaN counts as 0.
  ///   - grace: How long a presence is kept without a fix that counts. It is kept for at least three intervals of the
  ///     fixes, and for at least 65 s until the interval is known.
  ///   - dwell: How long all fixes must be beyond the edge, except for the first presence; zero if a single fix is
  ///     enough.
  ///   - staleAfter: The silence after which a fix is no longer current. A presence is kept for at least as long; `nil`
  ///     if that follows from the interval of the fixes.
  public init(
    _ regions: [Region], maximumAccuracy: Double = 100, grace: Duration = .seconds(30),
    dwell: Duration = .seconds(5), staleAfter: Duration? = nil
  ) {
    // JSON has no infinity.
    self.maximumAccuracy = min(maximumAccuracy.asLimit, .greatestFiniteMagnitude)
    self.grace = grace.asLimit
    self.dwell = dwell.asLimit
    self.staleAfter = staleAfter?.asLimit
    for region in regions { add(region) }
  }

  /// Adds a region, and replaces the one with the same ID.
  ///
  /// The first fix that counts decides where the receiver is. An assumed presence is treated as if it had been
  /// reported: nothing is reported as long as fixes agree with it.
  ///
  /// - Parameters:
  ///   - region: The region.
  ///   - presence: The assumed presence of the receiver.
  ///   - dwell: How long all fixes must be beyond the edge; `nil` for the monitor's dwell time.
  public mutating func add(
    _ region: Region, assuming presence: RegionPresence = .unknown, dwell: Duration? = nil
  ) {
    let new = Watched(region, dwell: dwell ?? self.dwell, presence: presence)
    if let index = watched.firstIndex(where: { $0.region.id == region.id }) {
      watched[index] = new
    } else {
      watched.append(new)
    }
  }

  /// Removes a region. Nothing more is reported about it.
  ///
  /// - Returns: The region; `nil` if there is none with this ID.
  @discardableResult
  public mutating func remove(_ id: Region.ID) -> Region? {
    watched.firstIndex { $0.region.id == id }.map { watched.remove(at: $0).region }
  }

  /// The regions.
  public var regions: [Region] { watched.map(\.region) }

  /// When the presence becomes unknown unless a fix arrives; `nil` if it is unknown.
  public var deadline: Moment? {
    let (grace, stale) = (Nanoseconds(grace), staleAfter.map { Nanoseconds($0) })
    return latest?.later(by: stale.map { max(grace, $0) } ?? pace.silence(atLeast: grace))
  }

  /// Returns whether the receiver is inside a region.
  ///
  /// The presence is unknown if there is no such region, and until a fix counts. This is so after a restart, too,
  /// because the receiver may have moved in the meantime.
  public func presence(in id: Region.ID) -> RegionPresence {
    guard latest != nil else { return .unknown }
    return watched.first { $0.region.id == id }?.presence ?? .unknown
  }

  /// Handles a fix.
  ///
  /// - Parameters:
  ///   - fix: The fix. One that is not current is ignored.
  ///   - moment: When the fix arrived.
  /// - Returns: The regions whose presence changes, in their order.
  public mutating func handle(_ fix: LocationFix, at moment: Moment) -> [RegionEvent] {
    var events = expire(at: moment)
    guard fix.isCurrent else { return events }
    if let arrived { pace.add(max(.zero, arrived.nanoseconds(to: moment))) }
    arrived = moment
    guard fix.counts(within: maximumAccuracy) else { return events }
    latest = moment
    for index in watched.indices {
      let before = watched[index].presence
      guard watched[index].handle(fix, at: moment) else { continue }
      let (region, presence) = (watched[index].region, watched[index].presence)
      events.append(RegionEvent(region, presence: presence, previous: before, fix: fix, at: moment))
    }
    return events
  }

  /// Returns an event with an error for each region if the presence is unknown.
  func unknown(_ error: LocationError, at moment: Moment) -> [RegionEvent] {
    guard latest == nil else { return [] }
    return watched.map {
      var event = RegionEvent(
        $0.region, presence: .unknown, previous: .unknown, fix: nil, at: moment)
      event.error = error
      return event
    }
  }

  /// Makes the presence unknown if the grace period is over.
  ///
  /// - Returns: The regions whose presence changes, in their order.
  public mutating func expire(at moment: Moment) -> [RegionEvent] {
    guard let deadline, deadline <= moment else { return [] }
    latest = nil
    var events: [RegionEvent] = []
    for index in watched.indices where watched[index].presence != .unknown {
      let before = watched[index].presence
      watched[index].presence = .unknown
      watched[index].since = nil
      events.append(
        RegionEvent(
          watched[index].region, presence: .unknown, previous: before, fix: nil, at: deadline))
    }
    return events
  }
}

extension LocationFix {
  /// The accuracy, or 20 m if it is unknown.
  private var presumedAccuracy: Double { horizontalError ?? 20 }

  /// The accuracy by which a region is entered and left: at least 5 m.
  fileprivate var cautiousAccuracy: Double { max(presumedAccuracy, 5) }

  /// Whether the fix counts, if an accuracy is required. What is reported instead of a position does not.
  fileprivate func counts(within maximumAccuracy: Double) -> Bool {
    isCurrent && presumedAccuracy <= maximumAccuracy && !doubtSet.contains(.zero)
  }
}
