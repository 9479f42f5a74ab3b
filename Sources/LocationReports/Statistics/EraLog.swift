import LocationCore

/// The eras in which a receiver's dates are: one that miscounts GPS's weeks, or does not know them yet, jumps by
/// years.
struct EraLog: Sendable {
  /// The maximum number of eras of a receiver's dates.
  private static let maximum = 8
  /// Dates that are so far apart are of different eras.
  private static let gap = Nanoseconds.seconds(52 * 7 * 86_400)

  /// In the order of their appearance; of more than eight the first.
  private(set) var eras: [ReceiverReport.Era] = []

  /// - Parameter rollover: How many times 1,024 weeks the date is too early; `nil` if it is not, or if that is
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
