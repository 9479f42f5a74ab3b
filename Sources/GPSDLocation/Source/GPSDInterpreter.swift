public import LocationCore

/// Translates gpsd's reports into location events. A source of corrections is not a receiver.
struct GPSDInterpreter: Sendable {
  private let device: String?
  private let statistics: GPSDStatistics?
  /// The receiver named in the latest report.
  private var lastNamed: String?
  /// Whether the watch is unconfirmed. Until then, an error is the answer to the watch command.
  private var awaitsAck = true
  private var headings = RecentHeadings()
  private var heights = UndefinedHeights()

  /// Creates an interpreter for the reports of one connection.
  ///
  /// - Parameters:
  ///   - device: The requested receiver. Reports of others are filtered here as well, because a gpsd
  ///     that did not understand the request sends them all.
  ///   - statistics: Collects the receivers named in reports if a single one was requested.
  init(device: String?, statistics: GPSDStatistics? = nil) {
    // As reports name it.
    self.device = device?.withoutUserInfo
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
      for device in decoder.devices where isReceiver(device.path) {
        receivers.append(Receiver(device))
      }
      return .receivers(receivers)
    case .version:
      return .service(LocationService(name: "gpsd \(decoder.version.release)"))
    case .watch:
      awaitsAck = false
      guard let device, !isSamePath(decoder.watch.device, device) else { return nil }
      return .notice("gpsd does not confirm that it watches \(device) alone")
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
    var fix = LocationFix.blank
    guard tpv.fill(&fix, received: moment.wall) else { return .noFix(NoFix(tpv)) }
    heights.complete(&fix, from: line)
    headings.complete(&fix, at: moment)
    return .fix(fix)
  }

  /// Returns what is to be said of the reports, once.
  mutating func takeNotice() -> String? { heights.takeNotice() }

  /// Returns whether a path is that of a receiver that was requested.
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

extension LocationFix {
  /// Creates a fix from a report, without a receive time; `nil` if the mode is below 2D, or the
  /// latitude or longitude is missing.
  public init?(_ tpv: TPV) {
    self = .blank
    guard tpv.fill(&self, received: nil) else { return nil }
  }
}

extension TPV {
  /// Copies the report into a fix.
  ///
  /// - Returns: `false` if the report has no position; the fix is then unchanged.
  func fill(_ fix: inout LocationFix, received: Timestamp?) -> Bool {
    guard let mode = FixMode(rawValue: mode.rawValue), let lat, let lon,
      let coordinate = Coordinate(latitude: lat, longitude: lon)
    else { return false }
    fix.replace(
      coordinate, mode: mode, device: device, time: time, received: received,
      quantities: quantities.values.span, known: QuantitySet(rawValue: quantities.known.mask))
    fix.correctMagneticTrack()
    return true
  }
}

extension NoFix {
  /// Creates a value from a report without a position.
  public init(_ tpv: TPV) {
    self.init(
      device: tpv.device, time: tpv.time, isCertain: tpv.mode == .noFix,
      antenna: tpv[.ant].flatMap { Int(exactly: $0) }.flatMap(AntennaStatus.init(number:)),
      isAntennaPowered: tpv.isAntennaPowered,
      jam: tpv[.jam].flatMap { Int(exactly: $0) })
  }
}

extension TPV {
  /// Whether the antenna has power; `nil` if the report does not say so.
  fileprivate var isAntennaPowered: Bool? {
    switch self[.antPwr] {
    case 1: false
    case 2: true
    default: nil
    }
  }
}

extension SkyView {
  /// Creates a sky view from a report.
  public init(_ sky: SKY) { self.init(SkyValues(sky)) }
}

extension SkyValues {
  /// Creates the values of a sky view from a report.
  ///
  /// A list gives the numbers of satellites and of signals. Without a list there are only those of
  /// gpsd, which counts the elements of its own list.
  init(_ sky: SKY) {
    self.init(
      device: sky.device, time: sky.time, satellites: sky.satellites, count: sky.count,
      hdop: sky[.hdop], vdop: sky[.vdop], pdop: sky[.pdop])
    guard sky.count == nil else { return }
    isCounted = false
    let reportedUse = sky[.uSat].flatMap { Int(exactly: $0) }
    signalsSeen = sky[.nSat].flatMap { Int(exactly: $0) }
    signalsUsed = signalsSeen.flatMap { seen in reportedUse.map { min($0, seen) } } ?? reportedUse
    seen = signalsSeen
    used = signalsUsed
  }
}

extension Receiver {
  /// Creates a receiver from a report. It is active if gpsd reports when it opened the device.
  public init(_ device: DeviceReport) {
    let isActive = if case .opened = device.activated { true } else { false }
    self.init(
      path: device.path, driver: device.driver, subtype: device.subtype,
      bitsPerSecond: device.bps, cycle: device.cycle.flatMap(Duration.init(cycle:)),
      isActive: isActive)
  }
}

extension Duration {
  /// Creates the duration of a reporting cycle; `nil` if it is negative or longer than a day.
  fileprivate init?(cycle: Double) {
    guard (0...86_400).contains(cycle) else { return nil }
    self = .nanoseconds(Int64((cycle * 1e9).rounded()))
  }
}
