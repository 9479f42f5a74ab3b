import GPSDProtocol
import LocationCore
import Synchronization

/// Counters of the input that a ``GPSDLocationSource`` receives, over all its connections.
public final class GPSDStatistics: Sendable {
  /// The values of the counters at one moment.
  public struct Counts: Hashable, Sendable {
    /// The number of reports of each class, including classes that are not decoded.
    public internal(set) var reports: [String: Int] = [:]
    /// The number of lines that are not a valid report: not JSON, truncated, or nested too deeply.
    public internal(set) var badLines = 0
    /// The number of lines that were too long, or cut off by the end of a connection.
    package internal(set) var discards = 0
    /// The total size of the discarded lines, in bytes.
    package internal(set) var discardedBytes = 0
    /// The number of satellites and devices omitted from lists that were too long.
    package internal(set) var droppedElements = 0
    /// The number of values that count as unknown because they are impossible, such as a negative error, a latitude
    /// of 91 or 1e300.
    package internal(set) var impossibleNumbers = 0
    /// The number of positions that were left out because another one of the receiver has the same time, and is more
    /// than 10 m away.
    package internal(set) var leftOutPositions = 0
    /// The number of connection attempts.
    package internal(set) var connections = 0

    package init() {}

    /// Adds the counts of another source.
    package mutating func add(_ other: Counts) {
      reports.merge(other.reports, uniquingKeysWith: +)
      badLines += other.badLines
      discards += other.discards
      discardedBytes += other.discardedBytes
      droppedElements += other.droppedElements
      impossibleNumbers += other.impossibleNumbers
      leftOutPositions += other.leftOutPositions
      connections += other.connections
    }
  }

  /// Further classes count as `other`, because a malicious gpsd could invent any number.
  private static let maximumClasses = 64

  private struct State {
    /// The counts of decoded classes, by raw value, so that counting needs no name.
    var decoded = [Int](repeating: 0, count: ReportClass.allCases.count)
    var counts = Counts()
    var receivers = ReceiverTable<Void>()
  }

  private let state = Mutex(State())

  /// Creates counters that are all zero.
  public init() {}

  /// The current values. They can be read from any thread at any time.
  public var counts: Counts {
    state.withLock { state in
      var counts = state.counts
      for name in ReportClass.allCases where state.decoded[name.rawValue] > 0 {
        counts.reports[name.stringValue] = state.decoded[name.rawValue]
      }
      return counts
    }
  }

  /// The paths of receivers named in reports while a single receiver was requested: that one, and the
  /// first others, at most 64. An empty path stands for reports that named none.
  package var receivers: [String] {
    state.withLock { state in
      state.receivers.indices.compactMap { state.receivers.path(at: $0) }
    }
  }

  func record(receiver path: String, isRequested: Bool) {
    state.withLock { state in
      if isRequested || !state.receivers.isFull { state.receivers[path] = () }
    }
  }

  /// Sets all counts to zero.
  package func reset() { state.withLock { $0 = State() } }

  func count(_ body: (inout Counts) -> Void) { state.withLock { body(&$0.counts) } }

  func count(_ kind: GPSDDecoder.Kind, otherClass: @autoclosure () -> String) {
    if let name = kind.reportClass { return state.withLock { $0.decoded[name.rawValue] += 1 } }
    switch kind {
    case .malformed: count { $0.badLines += 1 }
    case .other: count(class: otherClass())
    default: break
    }
  }

  private func count(class name: String) {
    count { counts in
      let isNew = counts.reports[name] == nil
      let name = isNew && counts.reports.count >= Self.maximumClasses ? "other" : name
      counts.reports[name, default: 0] += 1
    }
  }
}
