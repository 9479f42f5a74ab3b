import Synchronization

/// Regions that can be added and removed while a sequence reports who enters and leaves them.
///
/// ```swift
/// let regions = WatchedRegions(RegionMonitor([harbour]))
/// let task = Task {
///   for try await event in provider.events(of: regions) { print(event) }
/// }
/// regions.add(.circle("island", around: island, radius: 300))
/// ```
///
/// Changes count from the next fix on. ``monitor`` is what to encode in order to go on after a restart. A
/// provider's sequence is one iteration: a second one over the same regions would mix two receivers.
public final class WatchedRegions: LocationMonitor {
  private let state: Mutex<RegionMonitor>

  /// Creates regions from a monitor, such as one that was decoded.
  public init(_ monitor: RegionMonitor) { state = Mutex(monitor) }

  /// The monitor as it is now, with the regions and their presences.
  public var monitor: RegionMonitor { state.withLock { $0 } }

  /// Adds a region, as ``RegionMonitor/add(_:assuming:dwell:)`` does.
  public func add(
    _ region: Region, assuming presence: RegionPresence = .unknown, dwell: Duration? = nil
  ) {
    state.withLock { $0.add(region, assuming: presence, dwell: dwell) }
  }

  /// Removes a region. Nothing is reported of it any more.
  ///
  /// - Returns: The region; `nil` if there is none with this ID.
  @discardableResult
  public func remove(_ id: Region.ID) -> Region? { state.withLock { $0.remove(id) } }

  /// When the presences become unknown unless a fix arrives; `nil` if they are unknown.
  public var deadline: Moment? { state.withLock { $0.deadline } }

  /// Handles a fix, as ``RegionMonitor/handle(_:at:)`` does.
  public func handle(_ fix: LocationFix, at moment: Moment) -> [RegionEvent] {
    state.withLock { $0.handle(fix, at: moment) }
  }

  /// Makes the presences unknown if the grace period is over.
  ///
  /// - Returns: The regions whose presence changes, in their order.
  public func expire(at moment: Moment) -> [RegionEvent] {
    state.withLock { $0.expire(at: moment) }
  }
}
