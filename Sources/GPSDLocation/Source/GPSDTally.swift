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

  private struct State {
    // The classes that come all the time are counted without looking up their names.
    var tpv = 0
    var sky = 0
    var counts = Counts()
  }

  private let state = Mutex(State())

  /// A tally that has counted nothing.
  public init() {}

  /// What was counted so far. It can be asked from any thread at any time.
  public var counts: Counts {
    state.withLock { state in
      var counts = state.counts
      if state.tpv > 0 { counts.reports["TPV"] = state.tpv }
      if state.sky > 0 { counts.reports["SKY"] = state.sky }
      return counts
    }
  }

  func count(_ body: (inout Counts) -> Void) { state.withLock { body(&$0.counts) } }

  func count(_ kind: GPSDDecoder.Kind, otherClass: @autoclosure () -> String) {
    switch kind {
    case .tpv: state.withLock { $0.tpv += 1 }
    case .sky: state.withLock { $0.sky += 1 }
    case .gst: count(class: "GST")
    case .att: count(class: "ATT")
    case .device: count(class: "DEVICE")
    case .devices: count(class: "DEVICES")
    case .version: count(class: "VERSION")
    case .watch: count(class: "WATCH")
    case .error: count(class: "ERROR")
    case .other: count(class: otherClass())
    case .malformed: count { $0.badLines += 1 }
    case .blank: break
    }
  }

  private func count(class name: String) {
    count { counts in
      let isNew = counts.reports[name] == nil
      let name = isNew && counts.reports.count >= Self.mostClasses ? "other" : name
      counts.reports[name, default: 0] += 1
    }
  }
}
