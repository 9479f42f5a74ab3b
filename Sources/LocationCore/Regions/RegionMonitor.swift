/// Decides which regions a receiver is in, and reports when it enters and leaves them.
///
/// The first fix decides by its position. After that, a fix must be beyond the edge by its ``LocationFix/accuracy`` to
/// change the presence, so that a receiver at the edge does not enter and leave again and again. To enter, it is enough
/// to be half as far from the edge as the centre is, so that a small region can be entered at all. All fixes during the
/// dwell time, 5 s by default, must be beyond the edge, so that a single wrong fix changes nothing. An unknown accuracy
/// counts as 20 m, and an accuracy below 5 m as 5 m.
///
/// Inaccurate fixes and fixes at exactly 0,0 (``Doubt/zero``) are ignored. If no other fix arrives for a grace
/// period, the presence becomes unknown.
///
/// Regions can be added and removed at any time. An encoded monitor contains its regions and their presences. After a
/// restart, the decoded monitor reports only what has changed since.
///
/// A monitor has no clock: pass it fixes with their moments, and call ``expire(at:)`` at its ``deadline``.
/// ``LocationProvider/regionEvents(_:maximumAccuracy:grace:dwell:staleAfter:retries:)`` does both.
public struct RegionMonitor: LocationMonitor {
  struct Watched: Sendable {
    var region: Region
    var depth: Double
    var dwell: Duration
    /// The presence that was reported last, or is assumed.
    var presence: RegionPresence
    /// Since when all fixes have shown another presence; `nil` if the last one does not.
    var since: Moment?

    /// Returns whether a fix that shows another presence decides.
    mutating func isDecided(at moment: Moment) -> Bool {
      guard presence != .unknown, dwell > .zero else { return true }
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

  /// Creates a monitor that knows nothing yet. Negative arguments and NaN count as zero.
  ///
  /// - Parameters:
  ///   - regions: The regions, each with an ID of its own.
  ///   - maximumAccuracy: The largest ``LocationFix/accuracy`` of a fix that counts, in metres. NaN counts as 0.
  ///   - grace: How long a presence is kept without a fix that counts.
  ///   - dwell: How long all fixes must be beyond the edge, except for the first presence; zero if a single fix is
  ///     enough.
  public init(
    _ regions: [Region], maximumAccuracy: Double = 100, grace: Duration = .seconds(30),
    dwell: Duration = .seconds(5)
  ) {
    // JSON has no infinity.
    self.maximumAccuracy = min(maximumAccuracy.asLimit, .greatestFiniteMagnitude)
    self.grace = grace.asLimit
    self.dwell = dwell.asLimit
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
    let new = Watched(
      region: region, depth: region.depth, dwell: dwell ?? self.dwell, presence: presence)
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
  public var deadline: Moment? { latest?.advanced(by: grace) }

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
    guard fix.counts(within: maximumAccuracy) else { return events }
    let accuracy = fix.cautiousAccuracy
    latest = moment
    for index in watched.indices {
      let region = watched[index].region
      let before = watched[index].presence
      let edge =
        switch before {
        case .unknown: 0.0
        case .inside: accuracy
        case .outside: -min(accuracy, watched[index].depth / 2)
        }
      let distance = region.signedDistance(to: fix.coordinate)
      let presence = distance <= edge ? RegionPresence.inside : .outside
      guard presence != before else {
        watched[index].since = nil
        continue
      }
      guard watched[index].isDecided(at: moment) else { continue }
      watched[index].since = nil
      watched[index].presence = presence
      events.append(RegionEvent(region, presence, previous: before, fix: fix, at: moment))
    }
    return events
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
        RegionEvent(watched[index].region, .unknown, previous: before, fix: nil, at: deadline))
    }
    return events
  }
}
