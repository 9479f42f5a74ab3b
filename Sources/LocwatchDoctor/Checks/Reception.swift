import LocationCore

/// What one receiver said within some seconds.
struct Reception: Sendable {
  /// As gpsd names it; empty if gpsd does not.
  let path: String
  /// When it first reported.
  let start: Moment
  /// How many times it reported that it has no position, and its satellites.
  private(set) var (misses, skies) = (0, 0)
  private(set) var fix: LocationFix?
  private(set) var sky = SkySummary()
  /// The signals that were received last; `nil` if there were none.
  private(set) var signals: SignalRange?
  private(set) var antenna: AntennaStatus?
  /// The highest level of jamming, of 255.
  private(set) var jam: Int?
  /// Whether something disturbs the signals; only a run knows it without the level.
  private(set) var isDisturbed = false
  /// How late the times came over the serial line, in seconds.
  private(set) var offsets: [Double] = []
  /// The segment of shared memory to which gpsd writes its times, such as `NTP0`; `nil` if it does not say.
  private(set) var segment: String?
  /// The last time that the receiver said, and when that came.
  private(set) var time: (receiver: Timestamp, machine: Timestamp)?
  /// How strong each signal was received at its best, and at last, in dBHz.
  private var strengths: [Signal: (best: Double, last: Double)] = [:]

  private struct Signal: Hashable {
    var satellite: Int
    var number: Int?
  }

  init(of path: String, since start: Moment) {
    self.path = path
    self.start = start
  }

  /// Whether the receiver has seen a satellite: without one, its clock may show any time.
  var hasSeenSatellites: Bool { fix != nil || sky.seen ?? 0 > 0 }

  /// Whether satellites are counted.
  var hasSky: Bool { sky.seen != nil }

  /// The median of ``offsets``; `nil` if there is none.
  var offset: Double? { offsets.isEmpty ? nil : offsets.sorted()[offsets.count / 2] }

  /// By how much the four or more signals all fell, in dB; `nil` if they did not.
  var commonFall: Double? {
    guard strengths.count >= 4 else { return nil }
    return strengths.values.map { $0.best - $0.last }.min()
  }

  mutating func record(_ fix: LocationFix, at moment: Moment) {
    self.fix = fix
    record(antenna: fix.antenna, jam: fix.interference)
    record(time: fix.time, at: fix.received ?? moment.wall)
  }

  mutating func record(_ noFix: NoFix, at moment: Moment) {
    misses += 1
    record(antenna: noFix.antenna, jam: noFix.interference)
    record(time: noFix.time, at: moment.wall)
  }

  mutating func record(_ sky: SkyView) {
    self.sky.add(sky)
    skies += 1
    guard let satellites = sky.satellites else { return }
    signals = SignalRange(of: satellites)
    for satellite in satellites { record(satellite) }
  }

  /// Records what a run knows of the satellites.
  mutating func record(_ skies: SkyMemory) {
    let device = path.isEmpty ? nil : path
    sky = skies.summary(of: device)
    signals = skies.satellites(of: device).flatMap(SignalRange.init)
  }

  /// Records what a run knows of the antenna.
  mutating func record(_ change: ReceiverChange.Kind) {
    switch change {
    case .antenna(let status, _): antenna = status
    case .jamming(let isOn): isDisturbed = isOn
    case .quality, .doubt, .pulses, .corrections, .selected, .region: break
    }
  }

  /// - Parameter segment: The segment of shared memory to which gpsd writes the time; `nil` if it does not say.
  mutating func record(offset: Duration, to segment: String?) {
    self.segment = segment ?? self.segment
    guard offsets.count < Conversation.maximum else { return }
    offsets.append(offset.inSeconds)
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
    guard known != nil || strengths.count < Conversation.maximum else { return }
    strengths[signal] = (max(strength, known?.best ?? strength), strength)
  }
}
