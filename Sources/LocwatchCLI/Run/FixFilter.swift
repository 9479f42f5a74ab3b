import LocationCore

/// Which fixes count, and which of those are written.
struct FixFilter {
  /// More receivers than a gpsd has: names that change for ever fill no memory.
  private static let maximumReceivers = 64

  /// What becomes of a fix.
  enum Verdict {
    /// It does not count.
    case tooWeak
    /// It counts, and is too near to the last one written, in place or in time.
    case leftOut
    /// It counts, and is to be written.
    case wanted
  }

  /// What is remembered of a receiver.
  private struct Receiver {
    var path: String
    var latest: Moment
    var pace = FixPace()
    var written: (coordinate: Coordinate, instant: FixInstant)?
  }

  private let weakest: FixMode
  private let accuracy: Double?
  private let minMove: Double?
  private let interval: Nanoseconds?
  private var receivers: [Receiver] = []
  private var current = 0

  init(_ options: Options) {
    weakest = options.weakestFix
    accuracy = options.accuracy
    minMove = options.minMove
    interval = options.interval.map(Nanoseconds.init)
  }

  /// Says what becomes of a fix. It is to be asked about every fix there is, so that it knows how far
  /// apart they are.
  mutating func judge(_ fix: LocationFix, at moment: Moment) -> Verdict {
    let isGoodEnough = fix.isAtLeast(weakest, within: accuracy)
    guard minMove != nil || interval != nil else { return isGoodEnough ? .wanted : .tooWeak }
    let index = index(of: fix.device, at: moment)
    let instant = FixInstant(time: fix.time, moment: moment)
    receivers[index].latest = moment
    receivers[index].pace.note(instant)
    guard isGoodEnough else { return .tooWeak }
    guard let written = receivers[index].written else { return .wanted }
    if let minMove, written.coordinate.distance(to: fix.coordinate) <= minMove { return .leftOut }
    guard let interval else { return .wanted }
    let elapsed = written.instant.elapsed(to: instant)
    // After a clock that was set back nothing would be due for as long.
    let isDue = elapsed < .zero || elapsed >= interval
    // Fixes come in steps: the one that is due is the nearest, and neither clock is exact.
    let slack = receivers[index].pace.interval / 2
    return isDue || elapsed > interval - slack ? .wanted : .leftOut
  }

  /// Notes that a fix was written: those after it are compared with it.
  mutating func noteWritten(_ fix: LocationFix, at moment: Moment) {
    guard minMove != nil || interval != nil else { return }
    let instant = FixInstant(time: fix.time, moment: moment)
    receivers[index(of: fix.device, at: moment)].written = (fix.coordinate, instant)
  }

  /// The place of a receiver's memory. That of the one that has been quiet for longest makes room.
  private mutating func index(of path: String, at moment: Moment) -> Int {
    if current < receivers.count, receivers[current].path == path { return current }
    if let index = receivers.firstIndex(where: { $0.path == path }) {
      current = index
    } else if receivers.count < Self.maximumReceivers {
      receivers.append(Receiver(path: path, latest: moment))
      current = receivers.count - 1
    } else if let oldest = receivers.indices.min(by: {
      receivers[$0].latest < receivers[$1].latest
    }) {
      receivers[oldest] = Receiver(path: path, latest: moment)
      current = oldest
    }
    return current
  }
}
