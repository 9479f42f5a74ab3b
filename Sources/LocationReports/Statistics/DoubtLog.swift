import LocationCore

/// When a receiver was doubted, for how long, and why.
struct DoubtLog: Sendable {
  /// The maximum number of doubts that are listed. Beyond it, the longest are kept.
  static let maximum = 1000

  /// The doubts that have not ended, in the order in which they began.
  private var open: [ReceiverReport.DoubtfulTime] = []
  /// The doubts that have ended; the longest ones if there are more than 1,000.
  private var ended: [ReceiverReport.DoubtfulTime] = []
  private var endedCount = 0
  /// How long there was any doubt.
  private(set) var duration = Duration.zero

  var count: Int { endedCount + open.count }

  /// All doubts, in the order in which they ended.
  var times: [ReceiverReport.DoubtfulTime] { ended + open }

  /// Adds time during which there was a fix.
  mutating func add(_ time: Duration) {
    guard !open.isEmpty else { return }
    duration += time
    for index in open.indices { open[index].duration += time }
  }

  /// Records that the doubts have changed.
  ///
  /// - Parameter detail: The detail of the first new doubt.
  mutating func handle(_ doubts: [Doubt], detail: String?, at time: Timestamp?) {
    for former in open where !doubts.contains(former.doubt) {
      endedCount += 1
      ended.append(former, keepingLongest: Self.maximum, by: \.duration)
    }
    // Of removeAll(where:) here, Swift 6.2 makes other machine code for arm64 in one of many builds.
    open = open.filter { doubts.contains($0.doubt) }
    var detail = detail
    for doubt in doubts where !open.contains(where: { $0.doubt == doubt }) {
      open.append(
        ReceiverReport.DoubtfulTime(
          doubt: doubt, from: time, duration: .zero, detail: detail.take()))
    }
  }
}
