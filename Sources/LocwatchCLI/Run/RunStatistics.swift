import GPSDLocation
import Synchronization

/// The counts for each source of what its gpsd has sent.
final class RunStatistics: Sendable {
  private let sources = Mutex<[String: GPSDStatistics]>([:])
  private let gapCount = Mutex<@Sendable () -> RecordingGaps>({ RecordingGaps() })

  /// What a replay lacks of its recording.
  var gaps: RecordingGaps { gapCount.withLock(\.self)() }

  /// Sets the function that counts what a replay lacks.
  func countGaps(_ count: @escaping @Sendable () -> RecordingGaps) {
    gapCount.withLock { $0 = count }
  }

  /// Returns the counts of a source.
  ///
  /// - Parameter name: The name of one of several sources; `nil` for one without a name.
  func ofSource(_ name: String?) -> GPSDStatistics {
    sources.withLock { sources in
      if let known = sources[name ?? ""] { return known }
      let new = GPSDStatistics()
      sources[name ?? ""] = new
      return new
    }
  }

  /// Returns the counts of a source.
  ///
  /// - Parameter name: The name of one of several sources; `nil` for one without a name or, if there is none, for the
  ///   best of all, which has their sums.
  func counts(of name: String?) -> GPSDStatistics.Counts {
    let isBest = name == nil && sources.withLock { $0[""] == nil }
    return isBest ? counts : ofSource(name).counts
  }

  /// Sets all counts to zero.
  func reset() {
    for source in all { source.reset() }
  }

  /// The sums of the counts of all sources.
  var counts: GPSDStatistics.Counts {
    all.reduce(into: GPSDStatistics.Counts()) { $0.add($1.counts) }
  }

  /// The receivers that the sources have, although a single receiver was requested.
  var receivers: [String] {
    var receivers: [String] = []
    for path in all.flatMap(\.receivers) where !receivers.contains(path) { receivers.append(path) }
    return receivers
  }

  /// How many sources have connected.
  var sourceCount: Int { all.count { $0.counts.connections > 0 } }

  private var all: [GPSDStatistics] {
    sources.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
  }
}

/// What a replay lacks of its recording.
struct RecordingGaps: Sendable {
  /// The number of lines that are missing from the recording.
  var lostLines = 0
  /// The number of lines that locwatch wrote into it, and that are not understood.
  var unreadLines = 0
}

extension Replay {
  var gaps: RecordingGaps { RecordingGaps(lostLines: lostLines, unreadLines: unreadOwnLines) }
}
