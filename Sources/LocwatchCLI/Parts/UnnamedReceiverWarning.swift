import LocationCore
import LocationFormats
import LocationText
import LocwatchDoctor
import LocwatchSystem

/// Warns about sources with several receivers whose records do not name the receiver, or whose tracks alternate
/// in a document.
struct UnnamedReceiverWarning: SourcePart {
  private let log: Log
  /// Whether the records of several receivers cannot be distinguished.
  private let isPossible: Bool
  /// Whether the tracks of several receivers alternate.
  private let alternates: Bool
  private let isOnce: Bool
  /// The name of one of several sources.
  private let source: String?
  /// What gpsd has, receivers and others.
  private var listed: [Receiver] = []
  private var first: String??
  private var isNoticed = false

  init?(_ options: Options, _ log: Log) {
    self.log = log
    let writesRecords = !options.view && !options.printsReport && !options.recordsToOutput
    isOnce = options.goal.once
    source = options.memberName
    // As text, the only record of --once has just a position.
    let namesReceivers =
      options.format.traits.contains(.receivers) && !(isOnce && options.format == .text)
    let hasAllReceivers = options.isOfFleet || options.device == nil
    // With --best, records of several receivers are intended.
    isPossible = writesRecords && !options.takesBest && hasAllReceivers && !namesReceivers
    // With several sources, the run prints the message.
    alternates =
      writesRecords && !options.isOfFleet && !options.takesBest && options.alternatesTracks
    guard isPossible || alternates else { return nil }
  }

  mutating func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> Passage {
    switch update {
    case .event(.receivers(let receivers)): listed = receivers
    case .event(.receiver(let receiver)): record(receiver)
    case .fix(let fix):
      if let warning = warning(before: fix) {
        try output.write("\(warning)", to: log, at: moment)
      }
    case .event, .retry, .state, .change: break
    }
    return .next
  }

  /// Records what gpsd has found out about one of its receivers.
  private mutating func record(_ receiver: Receiver) {
    guard let index = listed.firstIndex(where: { isSamePath($0.path, receiver.path) }) else {
      return
    }
    listed[index] = receiver
  }

  /// Records a fix that is written. Returns a warning before the first fix of a second receiver. It also
  /// returns one before the only fix, if other receivers could have been the first.
  private mutating func warning(before fix: LocationFix) -> String? {
    guard !isNoticed else { return nil }
    guard let first else {
      first = .some(fix.device)
      let others = listed.filter { $0.otherData == nil && !isSamePath($0.path, fix.device) }
        .map(\.path)
      guard isOnce, !others.isEmpty, let device = fix.device else { return nil }
      return warning(of: [device] + others)
    }
    guard !isSamePath(first, fix.device) else { return nil }
    return warning(of: [first ?? "a receiver", fix.device ?? "a receiver"])
  }

  private mutating func warning(of receivers: [String]) -> String {
    isNoticed = true
    let names = Text.list(receivers)
    if alternates { return Self.alternation(of: names) }
    let subject = source.map { "\($0): " } ?? ""
    return isOnce
      ? "\(subject)\(names) are connected, and the first to have a position was taken: choose one with --device"
      : "\(subject)\(names) are mixed in the output without their names: choose one with --device"
  }
}

extension UnnamedReceiverWarning {
  /// The warning about tracks that alternate.
  ///
  /// - Parameter names: The owners of the tracks.
  static func alternation(of names: String) -> String {
    "the tracks of \(names) alternate, about 60 points of each at a time: "
      + "--output DIR/ writes a file for each leg"
  }
}
