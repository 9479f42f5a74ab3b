import Synchronization

/// Counts what a ``GPSDLocationSource`` was sent, over all its connections.
public final class GPSDTally: Sendable {
  /// The numbers at one moment.
  public struct Counts: Hashable, Sendable {
    /// Reports by gpsd's class, those that are not decoded included.
    public internal(set) var reports: [String: Int] = [:]
    /// Lines that are no report: not JSON, torn, or nested too deep.
    public internal(set) var badLines = 0
    /// How often a line was too long, or cut off by the end of a connection.
    public internal(set) var discards = 0
    /// The bytes of those.
    public internal(set) var discardedBytes = 0
    /// Satellites and devices left out of lists that were too long.
    public internal(set) var droppedElements = 0
    /// Connections that were tried.
    public internal(set) var connections = 0
  }

  /// An ill-meaning gpsd could make up ever new classes; further ones count as `other`.
  private static let mostClasses = 64
  private static let mostReceivers = 64

  private struct State {
    /// The classes that are decoded, by their place: their names are looked up when they are wanted.
    var decoded = [Int](repeating: 0, count: ReportClass.allCases.count)
    var counts = Counts()
    var receivers: [String] = []
  }

  private let state = Mutex(State())

  /// A tally that has counted nothing.
  public init() {}

  /// What was counted so far. It can be asked from any thread at any time.
  public var counts: Counts {
    state.withLock { state in
      var counts = state.counts
      for name in ReportClass.allCases where state.decoded[name.rawValue] > 0 {
        counts.reports[name.stringValue] = state.decoded[name.rawValue]
      }
      return counts
    }
  }

  /// Those that reports named while one receiver was asked for, by their paths, 64 at the most; an empty
  /// one where reports named none.
  package var receivers: [String] { state.withLock(\.receivers) }

  func note(receiver path: String) {
    state.withLock { state in
      guard state.receivers.count < Self.mostReceivers, !state.receivers.contains(path) else {
        return
      }
      state.receivers.append(path)
    }
  }

  func count(_ body: (inout Counts) -> Void) { state.withLock { body(&$0.counts) } }

  func count(_ kind: GPSDDecoder.Kind, otherClass: @autoclosure () -> String) {
    switch kind {
    case .blank: break
    case .malformed: count { $0.badLines += 1 }
    case .other: count(class: otherClass())
    case .tpv: count(.TPV)
    case .sky: count(.SKY)
    case .gst: count(.GST)
    case .att: count(.ATT)
    case .device: count(.DEVICE)
    case .devices: count(.DEVICES)
    case .version: count(.VERSION)
    case .watch: count(.WATCH)
    case .error: count(.ERROR)
    }
  }

  private func count(_ name: ReportClass) {
    state.withLock { $0.decoded[name.rawValue] += 1 }
  }

  private func count(class name: String) {
    count { counts in
      let isNew = counts.reports[name] == nil
      let name = isNew && counts.reports.count >= Self.mostClasses ? "other" : name
      counts.reports[name, default: 0] += 1
    }
  }
}
