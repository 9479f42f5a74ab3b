import LocationCore
import LocwatchSystem
import LocwatchTerminal

/// Decides which regions of `--region` contain each receiver of a source.
struct RegionChanges: SourcePart {
  private struct Receiver {
    var monitor: RegionMonitor
    /// The time of the last fix with a time, and when the fix arrived.
    var lastTime: (time: Timestamp, moment: Moment)?

    /// Returns a change, with the receiver's time.
    func change(_ event: RegionEvent, of device: String?) -> ReceiverChange {
      let elapsed = lastTime.map { $0.time.advanced(by: $0.moment.duration(to: event.moment)) }
      return ReceiverChange(
        .region(event.region.id, presence: event.presence, previous: event.previous), of: device,
        state: event.fix.map { $0.mode == .fix3D ? .fix3D : .fix2D },
        coordinate: event.fix?.coordinate, time: event.fix?.time ?? elapsed, at: event.moment)
    }
  }

  /// A monitor without any fixes.
  private let unused: RegionMonitor
  private var receivers = ReceiverTable<Receiver>()
  var isTimed: Bool { true }
  private(set) var deadline: Moment?

  init?(_ options: Options) {
    guard !options.regions.isEmpty else { return nil }
    var monitor = RegionMonitor(
      [], maximumAccuracy: options.criteria.request.desiredAccuracy ?? 100,
      staleAfter: options.stale)
    for region in options.regions { monitor.add(region, dwell: options.dwells[region.id]) }
    unused = monitor
  }

  mutating func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) -> Passage {
    guard case .fix(let fix) = update else { return .next }
    var receiver = receivers[fix.device] ?? Receiver(monitor: unused)
    let changes = receiver.monitor.handle(fix, at: moment).map {
      receiver.change($0, of: fix.device)
    }
    if let time = fix.time { receiver.lastTime = (time, moment) }
    receivers[fix.device] = receiver
    updateDeadline()
    return .after(changes)
  }

  /// Passes on the presences that are unknown because their receivers had no suitable fix for too long.
  mutating func expire(at moment: Moment, on output: inout SharedOutput) -> Passage {
    var changes: [ReceiverChange] = []
    for index in receivers.indices {
      let events = receivers.values[index].monitor.expire(at: moment)
      let receiver = receivers.values[index]
      changes += events.map { receiver.change($0, of: receivers.path(at: index)) }
    }
    updateDeadline()
    return .after(changes.sorted { $0.moment < $1.moment })
  }

  private mutating func updateDeadline() {
    deadline = receivers.values.lazy.compactMap(\.monitor.deadline).min()
  }
}
