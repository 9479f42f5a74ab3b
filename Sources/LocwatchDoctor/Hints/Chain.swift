import LocationCore
import LocationText
import LocwatchSystem

/// The chain from gpsd to the satellites, as far as it is known on this connection, or in a recording.
struct Chain {
  /// The number of receivers that a message names.
  private static let maximumNamedMembers = 4

  /// What gpsd said of itself and of its receivers, for the checks of a machine too.
  private(set) var conversation = Conversation()
  private var reporting: [String] = []
  /// The receiver that was removed last.
  private(set) var removed: String?
  /// Whether any receiver has reported.
  private(set) var hasReported = false
  private var skies = SkyMemory()
  /// The receiver that reported satellites last.
  private var watcher: String?
  private var hasSeenSatellites = false
  /// The antenna, and whether something disturbs the signals, from the receiver's last report.
  private var antenna: AntennaStatus?
  private var isDisturbed = false
  /// The fix that was closest to the request, since the last one that met it.
  private(set) var nearest: NearestFix?

  private let request: LocationRequest
  private let isRecorded: Bool

  /// - Parameters:
  ///   - request: What is asked of a fix.
  ///   - isRecorded: Whether a recording is read. What it had counts to its end: nobody can plug in what
  ///     is gone.
  init(_ request: LocationRequest = LocationRequest(), isRecorded: Bool = false) {
    self.request = request
    self.isRecorded = isRecorded
  }

  /// Forgets what was known of a connection that failed.
  mutating func forget() { self = Chain(request, isRecorded: isRecorded) }

  /// The last link of the chain that is there.
  var reach: Conversation.Reach {
    if nearest != nil { return .fix }
    return reporting.isEmpty ? conversation.reach : .reports
  }

  /// Whether gpsd has reported that it has no receiver, or that its receiver is gone.
  var hasNoReceiver: Bool { reach == .service && (conversation.receivers != nil || removed != nil) }

  /// Whether gpsd has recognised each device that it has open as something else than a receiver.
  var hasOnlyOthers: Bool {
    let open = (conversation.receivers ?? []).filter(\.isActive)
    return !open.isEmpty && open.allSatisfy { $0.otherData != nil }
  }

  /// Whether gpsd had read a receiver that it does not read any more, although it still lists it.
  var hasLostReceiver: Bool {
    hasReported || conversation.receivers?.contains { $0.driver != nil && !$0.isActive } == true
  }

  mutating func record(_ event: LocationEvent) {
    switch event {
    case .service, .receiver: keep(event)
    case .receivers(let present):
      for path in paths + reporting
      where !path.isEmpty && !present.contains(where: { isSamePath($0.path, path) }) {
        recordRemoval(of: path)
      }
      keep(event)
    case .removed(let path): recordRemoval(of: path)
    case .sky(let sky):
      skies.record(sky)
      watcher = sky.device
      // A receiver can list satellites by its almanac that it does not receive.
      guard !hasSeenSatellites else { return }
      let reception = reception
      hasSeenSatellites = reception.seen ?? 0 > 0 && reception.strongest != 0
    case .fix, .noFix, .refused, .other, .notice, .corrections, .disconnected, .selected: break
    }
  }

  /// Keeps what gpsd says of itself or of its receivers.
  private mutating func keep(_ event: LocationEvent) { conversation.record(event, at: .past) }

  mutating func record(_ change: StateChange) {
    if !isRecorded { skies.record(change) }
    switch (change.state, change.subject, change.loss) {
    case (.searching, .receiver(let device), .silence), (.lost, .receiver(let device), .silence):
      recordSilence(of: device ?? "")
    case (.searching, .receiver(let device), nil), (.lost, .receiver(let device), _):
      recordLoss(of: device ?? "")
    case (.noDevice, .receiver(let device), _) where change.reason == nil:
      recordRemoval(of: device ?? "")
    case (.connecting, _, _), (.noService, _, _), (.noDevice, _, _), (.searching, _, _),
      (.fix2D, _, _), (.fix3D, _, _), (.lost, _, _):
      break
    }
  }

  private mutating func recordRemoval(of path: String) {
    guard !isRecorded else { return }
    removed = path
    keep(.removed(path: path))
    recordSilence(of: path)
  }

  /// Records that a receiver no longer reports.
  private mutating func recordSilence(of path: String) {
    guard !isRecorded else { return }
    reporting.removeAll { isSamePath($0, path) }
    nearest = nil
    if reporting.isEmpty { (antenna, isDisturbed) = (nil, false) }
  }

  mutating func record(_ change: ReceiverChange) {
    switch change.kind {
    case .antenna(let status, _): antenna = status
    case .jamming(let isOn): isDisturbed = isOn
    case .quality, .doubt, .pulses, .corrections, .selected, .region: break
    }
  }

  /// Records that a receiver reports but no longer has a position.
  private mutating func recordLoss(of path: String) {
    recordReport(of: path)
    if !isRecorded { nearest = nil }
  }

  mutating func record(_ fix: LocationFix) {
    recordReport(of: fix.device ?? "")
    hasSeenSatellites = true
    let next = NearestFix(fix, of: request)
    if let nearest, !nearest.isWanted, !next.isNearer(than: nearest) { return }
    nearest = next
  }

  private mutating func recordReport(of device: String) {
    hasReported = true
    guard reporting.count < Self.maximumNamedMembers,
      !reporting.contains(where: { isSamePath($0, device) })
    else { return }
    reporting.append(device)
    // gpsd may not have listed the receiver, and the message names it if it falls silent.
    if !paths.contains(where: { isSamePath($0, device) }) {
      keep(.receiver(Receiver(path: device)))
    }
  }

  private var reception: SkySummary { skies.summary(of: watcher) }

  /// The signals that were received last; `nil` if there were none.
  private var signals: SignalRange? { skies.satellites(of: watcher).flatMap(SignalRange.init) }

  /// Whether the receiver never saw a satellite. gpsd 3.22 reports nothing of a sky without any.
  var seesNothing: Bool { !hasSeenSatellites }

  /// The paths of the receivers that gpsd has, or had.
  var paths: [String] { (conversation.receivers ?? []).map(\.path) }

  /// What to try if a receiver reports, but has no position.
  var skyHint: Message {
    if isDisturbed { return "the receiver reports interference. \(Hint.interference)" }
    if let fault = Hint.fault(of: antenna) { return "\(fault.seen). \(fault.remedy)" }
    if reception.isStrong { return Hint.strongSignals }
    if let signals, signals.isTooWeak { return Hint.weak(signals) }
    // Without a list of satellites, the message before has the strength.
    if signals == nil, reception.seen ?? 0 > 0, let strongest = reception.strongest, strongest > 0,
      strongest < SignalRange.weakest
    {
      return Hint.weakSignals
    }
    guard seesNothing else { return Hint.noFix }
    return reception.seen == nil ? Hint.unknownSatellites : Hint.noSatellites
  }

  /// `gpsd 3.22 answers, /dev/ttyACM0 reports, 2 satellites seen, 0 used`
  var message: String {
    var parts = ["\(conversation.service ?? "gpsd") answers"]
    switch reach {
    case .nothing: return "no answer yet"
    case .service: parts.append(removed.map { "\($0) is gone" } ?? "but it has no receiver")
    case .closedReceiver, .receiver:
      for receiver in (conversation.receivers ?? []).prefix(Self.maximumNamedMembers) {
        let name = receiver.path.isEmpty ? "the receiver" : receiver.path
        let sent = receiver.otherData.map { "sends \($0)" }
        parts.append("\(name) \(receiver.isActive ? sent ?? "is silent" : "is not open")")
      }
    case .reports, .fix:
      let names = reporting.map { $0.isEmpty ? "the receiver" : $0 }
      parts.append(names.joined(separator: ", ") + (names.count > 1 ? " report" : " reports"))
      parts += reception.parts(withStrength: false)
    }
    return parts.joined(separator: ", ")
  }
}

extension SkySummary {
  /// A strength in dBHz that an antenna without a view of the sky does not reach.
  private static let strong = 40.0

  /// Whether the satellites are enough for a fix, and the strongest is received as under a clear sky.
  var isStrong: Bool {
    guard let seen, seen >= 4, let strongest else { return false }
    return strongest >= Self.strong
  }

  /// `5 satellites seen`, `0 used`, `the strongest at 22 dBHz`, as far as it is known.
  ///
  /// - Parameter withStrength: Whether to include the strongest signal even if satellites are used.
  func parts(withStrength: Bool) -> [String] {
    var parts: [String] = []
    if let seen { parts.append("\(seen) satellite\(seen == 1 ? "" : "s") seen") }
    if let used { parts.append("\(used) used") }
    if let strongest, seen != 0, withStrength || used == 0 {
      parts.append("the strongest at \(Text.rounded(strongest, places: 0)) dBHz")
    }
    return parts
  }
}
