import LocationCore
import LocationFormats
import LocationText
import LocwatchDoctor

/// Detects sources with several receivers whose records do not name the receiver, or whose tracks alternate
/// in a document.
struct UnnamedReceiverWarning: Sendable {
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

  init(_ options: Options) {
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
  }

  /// Records the receivers of gpsd's list.
  mutating func record(_ receivers: [Receiver]) {
    if isPossible { listed = receivers }
  }

  /// Records what gpsd has found out about one of its receivers.
  mutating func record(_ receiver: Receiver) {
    guard let index = listed.firstIndex(where: { isSamePath($0.path, receiver.path) }) else {
      return
    }
    listed[index] = receiver
  }

  /// Records a fix that is written. Returns a warning before the first fix of a second receiver. It also
  /// returns one before the only fix, if other receivers could have been the first.
  mutating func warning(before fix: LocationFix) -> String? {
    guard isPossible || alternates, !isNoticed else { return nil }
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
