import GPSDProtocol
import LocationCore

/// Translates gpsd's reports into location events. A source of corrections is not a receiver.
struct GPSDInterpreter: Sendable {
  private let device: String?
  private let isRecorded: Bool
  private let statistics: GPSDStatistics?
  /// The receiver named in the latest report.
  private var lastNamed: String?
  /// Whether the watch is unconfirmed. Until then, an error is the answer to the watch command.
  private var awaitsAck = true
  /// The first list of a recorded connection, until the next report: gpsd lists all receivers before it confirms which
  /// it watches.
  private var list: (receivers: [Receiver], moment: Moment)?
  /// The only receiver that the recorded run watched, until a position of another one contradicts it: a gpsd that
  /// reads another gpsd passes on what that one confirms.
  private var onlyWatched: String?
  private var headings = RecentHeadings()
  private var heights = UndefinedHeights()
  private var sharedTimes = SharedTimes()

  /// Creates an interpreter for the reports of one connection.
  ///
  /// - Parameters:
  ///   - device: The requested receiver. Reports of others are filtered here as well, because a gpsd
  ///     that did not understand the request sends them all.
  ///   - isRecorded: Whether the reports are recorded: the lists of a run that watched one receiver are of that one.
  ///   - statistics: Collects the receivers named in reports if a single one was requested.
  init(device: String?, isRecorded: Bool = false, statistics: GPSDStatistics? = nil) {
    // Reports contain the name in this form.
    self.device = device?.withoutUserInfo
    self.isRecorded = isRecorded
    self.statistics = statistics
  }

  /// Returns the event that a report stands for; `nil` if it has no meaning for a location.
  ///
  /// - Parameters:
  ///   - decoder: The decoder that holds the report. It is only read; `inout` avoids a copy of its
  ///     records.
  ///   - line: The report as gpsd sent it.
  ///   - moment: When the report was received.
  mutating func event(
    of kind: GPSDDecoder.Kind, in decoder: inout GPSDDecoder, _ line: ArraySlice<UInt8>,
    at moment: Moment
  ) -> LocationEvent? {
    switch kind {
    case .tpv:
      return event(of: decoder.tpv, line, at: moment)
    case .sky:
      guard isReceiver(decoder.sky.device) else { return nil }
      return .sky(SkyView(decoder.sky))
    case .device:
      guard isReceiver(decoder.device.path) else { return nil }
      return decoder.device.activated == .closed
        ? .removed(path: decoder.device.path) : .receiver(Receiver(decoder.device))
    case .devices:
      var receivers: [Receiver] = []
      for listed in decoder.devices where isReceiver(listed.path) {
        receivers.append(Receiver(listed))
      }
      guard isRecorded, device == nil, awaitsAck else { return .receivers(watched(receivers)) }
      list = (receivers, moment)
      return nil
    case .version:
      if isRecorded { (onlyWatched, awaitsAck) = (nil, true) }
      return .service(LocationService(name: "gpsd \(decoder.version.release)"))
    case .watch:
      defer { awaitsAck = false }
      if isRecorded, device == nil, awaitsAck { onlyWatched = decoder.watch.device }
      if let list = takeList() { return list.event }
      guard let device, !isSamePath(decoder.watch.device, device) else { return nil }
      return .notice("gpsd does not confirm that it watches only \(device)")
    case .error:
      guard let device, awaitsAck else { return .notice(decoder.error.message) }
      awaitsAck = false
      return .refused(path: device, reason: decoder.error.message)
    case .att:
      if isReceiver(decoder.att.device) { headings.record(decoder.att, at: moment) }
      return nil
    case .gst, .other, .blank, .malformed:
      return nil
    }
  }

  private mutating func event(
    of tpv: TPV, _ line: ArraySlice<UInt8>, at moment: Moment
  ) -> LocationEvent? {
    guard isReceiver(tpv.device) else { return nil }
    if onlyWatched != nil, tpv.device != nil, !isSamePath(tpv.device, onlyWatched) {
      onlyWatched = nil
    }
    var fix = LocationFix.blank
    guard tpv.fill(&fix, received: moment.wall) else { return .noFix(NoFix(tpv)) }
    heights.complete(&fix, from: line)
    headings.complete(&fix, at: moment)
    sharedTimes.record(fix)
    return .fix(fix)
  }

  /// Returns the first list of a recorded connection, once.
  mutating func takeList() -> TimedEvent? {
    list.take().map { TimedEvent(.receivers(watched($0.receivers)), at: $0.moment) }
  }

  /// Returns those of the receivers that the recorded run watched.
  private func watched(_ receivers: [Receiver]) -> [Receiver] {
    onlyWatched == nil ? receivers : receivers.filter { isSamePath($0.path, onlyWatched) }
  }

  /// Returns a notice about the reports, once.
  mutating func takeNotice() -> String? { heights.takeNotice() ?? sharedTimes.takeNotice() }

  /// Returns how many positions since the last call came under the time of another one.
  mutating func takeLeftOutPositions() -> Int { sharedTimes.takeCount() }

  /// Returns whether a receiver with this path was requested.
  private mutating func isReceiver(_ path: String?) -> Bool {
    path?.isSourceOfCorrections != true && isWanted(path)
  }

  /// Returns whether a device was requested. A report that names none is accepted.
  mutating func isWanted(_ path: String?) -> Bool {
    device == nil || isWantedOne(path ?? "")
  }

  private mutating func isWantedOne(_ path: String) -> Bool {
    let isRequested = path.isEmpty || isSamePath(path, device)
    if !path.isSourceOfCorrections, !isSamePath(path, lastNamed) {
      lastNamed = path
      statistics?.record(receiver: path, isRequested: isRequested)
    }
    return isRequested
  }
}
