package import LocationCore

/// What gpsd reported: to the doctor within some seconds, or to a run.
package struct Conversation: Sendable {
  /// The last link of the chain that works.
  package enum Reach: Comparable { case nothing, service, closedReceiver, receiver, reports, fix }

  /// Why it ended early; `nil` if it did not.
  package var failure: LocationError?
  /// How long the doctor listened; `nil` for a run, which does not measure it.
  package var duration: Duration?
  /// What answered, such as `gpsd 3.22`; `nil` if nothing did.
  private(set) var service: String?
  /// `nil` until gpsd has listed its receivers or announced one.
  private(set) var receivers: [Receiver]?
  /// Whether gpsd has had a receiver open, which it may have closed again.
  private(set) var hasOpened = false
  /// The requested receiver, and why gpsd does not open it.
  private(set) var refusal: (path: String, reason: String)?
  /// The receiver that was removed last.
  private(set) var removed: String?
  /// The first message.
  private(set) var notice: String?
  /// What each receiver reported, in the order of their first reports.
  private(set) var receptions: [Reception] = []
  /// The receivers that have reported, and fell silent.
  private var silenced: [String] = []
  /// Since when gpsd has no receiver; `nil` if it has one, or has not said so.
  private(set) var emptySince: Moment?
  /// Since when gpsd has each receiver open, or recognised, or not.
  private var standings = ReceiverTable<Standing>()

  private struct Standing {
    var isOpen: Bool
    var isRecognised: Bool
    var since: Moment
  }

  package init() {}

  /// The maximum number of elements of each list.
  static let maximum = 64

  /// The farthest link that any receiver has reached.
  var reach: Reach {
    if receptions.contains(where: { $0.fix != nil }) { return .fix }
    if !receptions.isEmpty { return .reports }
    if let receivers, !receivers.isEmpty {
      return receivers.contains(where: \.isActive) ? .receiver : .closedReceiver
    }
    return service == nil && receivers == nil ? .nothing : .service
  }

  /// The receivers that gpsd has, each with its reports. One that gpsd has not listed counts if it reported.
  var all: [(receiver: Receiver, reception: Reception?)] {
    let listed = (receivers ?? []).map { ($0, reception(of: $0.path)) }
    let others = receptions.filter { reception in
      !listed.contains { isSamePath($0.0.path, reception.path) }
    }
    return listed + others.map { (Receiver(path: $0.path), $0) }
  }

  /// The paths of the receivers that gpsd has.
  var paths: [String] { (receivers ?? []).map(\.path) }

  /// How late the times arrived, in seconds, for the receiver whose times gpsd writes to a segment of memory, or else
  /// for the first receiver with a known delay; `nil` if there is none.
  func offset(in segment: Int) -> Double? {
    let named = receptions.first { $0.segment == "NTP\(segment)" }
    return named?.offset ?? offset
  }

  /// How late the first receiver's times arrived, in seconds; `nil` if this is not known for any receiver.
  var offset: Double? { receptions.lazy.compactMap(\.offset).first }

  /// Returns what a receiver reported; `nil` if it reported nothing.
  func reception(of path: String) -> Reception? {
    receptions.first { isSamePath($0.path, path) }
  }

  package mutating func record(_ event: LocationEvent, at moment: Moment) {
    defer { recordStandings(at: moment) }
    switch event {
    case .service(let service): self.service = service.name
    case .receivers(let present):
      let gone = receivers?.last { receiver in
        !receiver.path.isEmpty && !present.contains { isSamePath($0.path, receiver.path) }
      }
      removed = gone?.path ?? removed
      receivers = Array(present.prefix(Self.maximum))
    case .receiver(let receiver): record(receiver)
    case .removed(let path):
      removed = path
      receivers?.removeAll { isSamePath($0.path, path) }
    case .refused(let path, let reason): refusal = refusal ?? (path, reason)
    case .fix(let fix): edit(fix.device, at: moment) { $0.record(fix, at: moment) }
    case .noFix(let noFix): edit(noFix.device, at: moment) { $0.record(noFix, at: moment) }
    case .sky(let sky): edit(sky.device, at: moment) { $0.record(sky) }
    case .other(let report): record(report)
    case .notice(let text): notice = notice ?? text
    case .corrections, .disconnected, .selected: break
    }
  }

  /// Records that a receiver reports, for a run, whose updates have no reports without a position.
  mutating func recordReport(of path: String) {
    silenced.removeAll { isSamePath($0, path) }
    if receptions.count < Self.maximum, reception(of: path) == nil {
      receptions.append(Reception(of: path, since: .past))
    }
    // gpsd may not have listed it.
    if receivers?.contains(where: { isSamePath($0.path, path) }) != true {
      record(Receiver(path: path))
    }
  }

  /// Records that a receiver no longer reports.
  mutating func recordSilence(of path: String) {
    guard let index = receptions.firstIndex(where: { isSamePath($0.path, path) }) else { return }
    receptions.remove(at: index)
    if silenced.count < Self.maximum { silenced.append(path) }
  }

  /// Whether any receiver has reported.
  var hasReported: Bool { !receptions.isEmpty || !silenced.isEmpty }

  /// Whether gpsd has read a receiver, which may be silent now.
  func isRecognised(_ receiver: Receiver) -> Bool {
    receiver.driver != nil || silenced.contains { isSamePath($0, receiver.path) }
  }

  mutating func record(_ change: ReceiverChange) {
    let path = change.device ?? ""
    guard let index = receptions.firstIndex(where: { isSamePath($0.path, path) }) else { return }
    receptions[index].record(change.kind)
  }

  /// Returns this conversation with the satellites of each receiver.
  func completed(by skies: SkyMemory) -> Conversation {
    var completed = self
    for index in receptions.indices { completed.receptions[index].record(skies) }
    return completed
  }

  private mutating func record(_ receiver: Receiver) {
    var present = receivers ?? []
    if let index = present.firstIndex(where: { isSamePath($0.path, receiver.path) }) {
      present[index] = receiver
    } else {
      if present.count >= Self.maximum { present.removeFirst() }
      present.append(receiver)
    }
    receivers = present
  }

  /// Returns since when gpsd has had a receiver open, or recognised, or not: as it has it now.
  func standing(of receiver: Receiver) -> Moment? { standings[receiver.path]?.since }

  private mutating func recordStandings(at moment: Moment) {
    emptySince = receivers?.isEmpty == true && receptions.isEmpty ? emptySince ?? moment : nil
    for receiver in receivers ?? [] {
      hasOpened = hasOpened || receiver.isActive
      let now = Standing(
        isOpen: receiver.isActive, isRecognised: receiver.driver != nil, since: moment)
      let known = standings[receiver.path]
      if known?.isOpen != now.isOpen || known?.isRecognised != now.isRecognised {
        standings[receiver.path] = now
      }
    }
  }

  private mutating func edit(
    _ device: String?, at moment: Moment, _ change: (inout Reception) -> Void
  ) {
    let path = device ?? ""
    if let index = receptions.firstIndex(where: { isSamePath($0.path, path) }) {
      change(&receptions[index])
    } else if receptions.count < Self.maximum {
      var reception = Reception(of: path, since: moment)
      change(&reception)
      receptions.append(reception)
    }
  }

  private mutating func record(_ report: ServiceReport) {
    guard report.kind != .pps, let offset = report.clockOffset else { return }
    let index = receptions.firstIndex { reception in
      report.device.map { isSamePath($0, reception.path) } ?? true
    }
    // gpsd compares clocks by the times that a receiver has reported.
    if let index { receptions[index].record(offset: offset, to: report.sharedMemory) }
  }
}
