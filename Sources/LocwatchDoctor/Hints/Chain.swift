import LocationCore

/// The chain from gpsd to the satellites, as far as it is known on this connection, or in a recording.
struct Chain {
  /// The number of receivers whose reports count.
  private static let maximumReceivers = 4

  private var heard = Conversation()
  private var reporting: [String] = []
  /// Whether any receiver has reported.
  private(set) var hasReported = false
  private var skies = SkyMemory()
  /// The receiver that reported satellites last.
  private var watcher: String?
  private var hasSeenSatellites = false
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

  /// Forgets what was known of a connection that failed, but not why it failed.
  mutating func end(with failure: LocationError?) {
    self = Chain(request, isRecorded: isRecorded)
    heard.failure = failure
  }

  /// Why the last connection failed; `nil` if none did.
  var failure: LocationError? { heard.failure }

  /// What gpsd and its receivers said, for the checks.
  var conversation: Conversation { heard.completed(by: skies) }

  /// The last link of the chain that is there.
  var reach: Conversation.Reach { nearest == nil ? heard.reach : .fix }

  /// Whether gpsd has reported that it has no receiver, or that its receiver is gone.
  var hasNoReceiver: Bool { reach == .service && (heard.receivers != nil || heard.removed != nil) }

  /// Whether gpsd does not open the requested receiver.
  var isRefused: Bool { heard.refusal != nil }

  /// Whether no receiver has seen a satellite. gpsd 3.22 reports nothing of a sky without any.
  var seesNothing: Bool { !hasSeenSatellites }

  /// `13 satellites seen`, `9 used`, as far as it is known.
  var satellites: [String] { skies.summary(of: watcher).parts(withStrength: false) }

  mutating func record(_ event: LocationEvent) {
    switch event {
    case .receivers(let present) where !isRecorded:
      for path in heard.paths
      where !path.isEmpty && !present.contains(where: { isSamePath($0.path, path) }) {
        recordSilence(of: path)
      }
    case .removed(let path):
      guard !isRecorded else { return }
      recordSilence(of: path)
    case .sky(let sky):
      skies.record(sky)
      watcher = sky.device
      // A receiver can list satellites by its almanac that it does not receive.
      guard !hasSeenSatellites else { return }
      let summary = skies.summary(of: sky.device)
      hasSeenSatellites = summary.seen ?? 0 > 0 && summary.strongest != 0
      return
    case .service, .receivers, .receiver, .refused, .notice: break
    case .fix, .noFix, .other, .corrections, .disconnected, .selected: return
    }
    heard.record(event, at: .past)
  }

  mutating func record(_ change: StateChange) {
    if !isRecorded { skies.record(change) }
    switch (change.state, change.subject, change.loss) {
    case (.searching, .receiver(let device), .silence), (.lost, .receiver(let device), .silence):
      recordSilence(of: device ?? "")
    case (.searching, .receiver(let device), nil), (.lost, .receiver(let device), _):
      recordReport(of: device ?? "")
      if !isRecorded { nearest = nil }
    case (.noDevice, .receiver(let device), _) where change.reason == nil:
      record(.removed(path: device ?? ""))
    case (.connecting, _, _), (.noService, _, _), (.noDevice, _, _), (.searching, _, _),
      (.fix2D, _, _), (.fix3D, _, _), (.lost, _, _):
      break
    }
  }

  mutating func record(_ change: ReceiverChange) {
    switch change.kind {
    case .antenna, .jamming:
      recordReport(of: change.device ?? "")
      heard.record(change)
    case .quality, .doubt, .pulses, .corrections, .selected, .region: break
    }
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
    guard reporting.count < Self.maximumReceivers,
      !reporting.contains(where: { isSamePath($0, device) })
    else { return }
    reporting.append(device)
    heard.recordReport(of: device)
  }

  /// Records that a receiver no longer reports.
  private mutating func recordSilence(of path: String) {
    guard !isRecorded else { return }
    reporting.removeAll { isSamePath($0, path) }
    heard.recordSilence(of: path)
    nearest = nil
  }
}
