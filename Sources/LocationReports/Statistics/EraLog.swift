import LocationCore

/// The eras of a receiver's dates. Dates jump by years if a receiver miscounts GPS's weeks, or does not know
/// them yet.
struct EraLog: Sendable {
  /// The maximum number of eras of a receiver's dates.
  private static let maximum = 8
  /// Dates that are at least this far apart belong to different eras.
  private static let gap = Nanoseconds.seconds(52 * 7 * 86_400)

  /// The eras in the order of their appearance; the first eight if there are more.
  private(set) var eras: [ReceiverReport.Era] = []

  /// - Parameter rollover: How many times 1,024 weeks the date is too early; `nil` if it is right or this is
  ///   unknown.
  mutating func add(_ time: Timestamp?, rollover: Int?) {
    guard let time else { return }
    let index = eras.lastIndex {
      $0.to.nanoseconds(to: time) < Self.gap && time.nanoseconds(to: $0.from) < Self.gap
    }
    if let index {
      eras[index].from = min(eras[index].from, time)
      eras[index].to = max(eras[index].to, time)
      eras[index].count += 1
      eras[index].rollover = rollover ?? eras[index].rollover
    } else if eras.count < Self.maximum {
      eras.append(ReceiverReport.Era(from: time, to: time, count: 1, rollover: rollover))
    }
  }
}
