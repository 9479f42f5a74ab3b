import LocationCore

/// Decides which of the regions of `--region` each receiver of a source is in.
struct RegionWatch: Sendable {
  /// A monitor that knows nothing yet; `nil` without regions.
  private let unused: RegionMonitor?
  private var monitors = ReceiverTable<RegionMonitor>()
  /// When ``expire(at:)`` is to be called.
  private(set) var deadline: Moment?

  init(_ options: Options) {
    unused =
      options.regions.isEmpty
      ? nil : RegionMonitor(options.regions, maximumAccuracy: options.accuracy ?? 100)
  }

  /// Takes a fix, and returns the changes of its receiver's presence.
  mutating func take(_ fix: LocationFix, at moment: Moment) -> [ReceiverChange] {
    guard let unused else { return [] }
    var monitor = monitors[fix.device] ?? unused
    let events = monitor.take(fix, at: moment)
    monitors[fix.device] = monitor
    noteDeadline()
    return events.map { ReceiverChange($0, of: fix.device) }
  }

  /// Returns the presences that are unknown because their receivers had no suitable fix for too long.
  mutating func expire(at moment: Moment) -> [ReceiverChange] {
    guard let deadline, deadline <= moment else { return [] }
    var changes: [ReceiverChange] = []
    for index in monitors.indices {
      let events = monitors.values[index].expire(at: moment)
      changes += events.map { ReceiverChange($0, of: monitors.path(at: index)) }
    }
    noteDeadline()
    return changes.sorted { $0.moment < $1.moment }
  }

  private mutating func noteDeadline() {
    deadline = monitors.values.lazy.compactMap(\.deadline).min()
  }
}

extension ReceiverChange {
  fileprivate init(_ event: RegionEvent, of device: String?) {
    self.init(
      .region(event.region.id, event.presence, previous: event.previous), of: device,
      state: event.fix.map { $0.mode == .fix3D ? .fix3D : .fix2D }, time: event.fix?.time,
      at: event.moment)
  }
}
