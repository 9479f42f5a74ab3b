import LocationCore

/// What gpsd said within some seconds.
struct Conversation: Sendable {
  /// The last link of the chain that is there.
  enum Reach: Comparable { case nothing, service, receiver, reports, fix }

  /// Why it ended early; `nil` if it did not.
  var failure: LocationError?
  /// How long it lasted.
  var duration = Duration.zero
  /// What answered, such as `gpsd 3.22`; `nil` if nothing did.
  private(set) var service: String?
  /// `nil` until gpsd has listed its receivers or announced one.
  private(set) var receivers: [Receiver]?
  /// Why gpsd does not open the requested receiver.
  private(set) var refusal: String?
  /// The first message.
  private(set) var notice: String?
  /// The paths of the receivers that reported, in order.
  private(set) var reporting: [String] = []
  private(set) var fix: LocationFix?
  private(set) var sky = SkySummary()
  private(set) var antenna: AntennaStatus?
  /// The highest level of jamming, of 255.
  private(set) var jam: Int?
  /// How late the times came over the serial line, in seconds.
  private(set) var offsets: [Double] = []
  /// How many pulses gpsd reported.
  private(set) var pulses = 0
  /// The last time that a receiver said, and when that came.
  private(set) var time: (receiver: Timestamp, machine: Timestamp)?
  /// How strong each signal was received at its best, and at last, in dBHz.
  private var strengths: [Signal: (best: Double, last: Double)] = [:]

  private struct Signal: Hashable {
    var satellite: Int
    var number: Int?
  }

  /// The most elements of each list.
  private static let maximum = 64

  var reach: Reach {
    if fix != nil { return .fix }
    if !reporting.isEmpty { return .reports }
    if receivers?.isEmpty == false { return .receiver }
    return service == nil && receivers == nil ? .nothing : .service
  }

  /// Whether satellites are counted.
  var hasSky: Bool { sky.seen != nil }

  /// The median of ``offsets``; `nil` if there is none.
  var offset: Double? { offsets.isEmpty ? nil : offsets.sorted()[offsets.count / 2] }

  /// By how much the four or more signals all fell, in dB; `nil` if they did not.
  var commonFall: Double? {
    guard strengths.count >= 4 else { return nil }
    return strengths.values.map { $0.best - $0.last }.min()
  }

  mutating func record(_ event: LocationEvent, at moment: Moment) {
    switch event {
    case .service(let service): self.service = service.name
    case .receivers(let present): receivers = Array(present.prefix(Self.maximum))
    case .receiver(let receiver): record(receiver)
    case .removed(let path): receivers?.removeAll { isSamePath($0.path, path) }
    case .refused(_, let reason): refusal = refusal ?? reason
    case .fix(let fix):
      recordReport(of: fix.device)
      self.fix = fix
      record(antenna: fix.antenna, jam: fix.jam)
      record(time: fix.time, at: fix.received ?? moment.wall)
    case .noFix(let noFix):
      recordReport(of: noFix.device)
      record(antenna: noFix.antenna, jam: noFix.jam)
      record(time: noFix.time, at: moment.wall)
    case .sky(let sky):
      recordReport(of: sky.device)
      self.sky.add(sky)
      for satellite in sky.satellites ?? [] { record(satellite) }
    case .other(let report): record(report)
    case .notice(let text): notice = notice ?? text
    case .corrections, .selected: break
    }
  }

  private mutating func record(_ receiver: Receiver) {
    var present = receivers ?? []
    if let index = present.firstIndex(where: { isSamePath($0.path, receiver.path) }) {
      present[index] = receiver
    } else if present.count < Self.maximum {
      present.append(receiver)
    }
    receivers = present
  }

  private mutating func recordReport(of device: String?) {
    let path = device ?? ""
    guard reporting.count < Self.maximum, !reporting.contains(where: { isSamePath($0, path) })
    else { return }
    reporting.append(path)
  }

  private mutating func record(antenna: AntennaStatus?, jam: Int?) {
    self.antenna = antenna ?? self.antenna
    if let jam { self.jam = max(jam, self.jam ?? 0) }
  }

  private mutating func record(time: Timestamp?, at received: Timestamp?) {
    if let time, let received { self.time = (time, received) }
  }

  private mutating func record(_ satellite: Satellite) {
    guard let strength = satellite.signalStrength, strength > 0 else { return }
    let signal = Signal(satellite: satellite.prn, number: satellite.sigID)
    let known = strengths[signal]
    guard known != nil || strengths.count < Self.maximum else { return }
    strengths[signal] = (max(strength, known?.best ?? strength), strength)
  }

  private mutating func record(_ report: ServiceReport) {
    switch report.kind {
    case .pps: pulses += 1
    default:
      guard let offset = report.clockOffset, offsets.count < Self.maximum else { return }
      offsets.append(offset.inSeconds)
    }
  }

  /// Returns whether a receiver reports.
  func reports(_ path: String) -> Bool { reporting.contains { isSamePath($0, path) } }
}
