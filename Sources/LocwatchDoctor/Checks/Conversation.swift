package import LocationCore

/// What gpsd reported within some seconds.
package struct Conversation: Sendable {
  /// The last link of the chain that works.
  package enum Reach: Comparable { case nothing, service, closedReceiver, receiver, reports, fix }

  /// Why it ended early; `nil` if it did not.
  package var failure: LocationError?
  /// How long it lasted.
  package var duration = Duration.zero
  /// What answered, such as `gpsd 3.22`; `nil` if nothing did.
  private(set) var service: String?
  /// `nil` until gpsd has listed its receivers or announced one.
  private(set) var receivers: [Receiver]?
  /// Whether gpsd has had a receiver open, which it may have closed again.
  private(set) var hasOpened = false
  /// Why gpsd does not open the requested receiver.
  private(set) var refusal: String?
  /// The first message.
  private(set) var notice: String?
  /// What each receiver reported, in the order of their first reports.
  private(set) var receptions: [Reception] = []
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
    case .receivers(let present): receivers = Array(present.prefix(Self.maximum))
    case .receiver(let receiver): record(receiver)
    case .removed(let path): receivers?.removeAll { isSamePath($0.path, path) }
    case .refused(_, let reason): refusal = refusal ?? reason
    case .fix(let fix): edit(fix.device, at: moment) { $0.record(fix, at: moment) }
    case .noFix(let noFix): edit(noFix.device, at: moment) { $0.record(noFix, at: moment) }
    case .sky(let sky): edit(sky.device, at: moment) { $0.record(sky) }
    case .other(let report): record(report)
    case .notice(let text): notice = notice ?? text
    case .corrections, .disconnected, .selected: break
    }
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
