/// The satellites in view of a receiver, with their dilutions of precision.
///
/// An impossible number, such as a negative count or dilution of precision, is stored as `nil`.
///
/// A sky view is a copy-on-write value that is as small as a reference.
public struct SkyView: Hashable, Sendable {
  /// One element always: an array gives copy-on-write storage without unsafe code.
  private var shared: ContiguousArray<SkyValues>

  package var values: SkyValues {
    _read { yield shared[0] }
    _modify { yield &shared[0] }
  }

  package init(_ values: SkyValues) { shared = [values] }

  /// Creates a sky view. Arguments that are left out are unknown, except that the numbers of satellites and signals
  /// and ``strongest`` are computed from `satellites` if it is passed. Impossible numbers count as unknown. Dilutions
  /// of precision have no unit.
  package init(
    device: String? = nil, time: Timestamp? = nil, satellites: [Satellite]? = nil,
    seen: Int? = nil, used: Int? = nil, signalsSeen: Int? = nil, signalsUsed: Int? = nil,
    hdop: Double? = nil, vdop: Double? = nil, pdop: Double? = nil
  ) {
    var values = SkyValues(
      device: device, time: time, satellites: satellites,
      count: satellites.map(SatelliteCount.init), hdop: hdop, vdop: vdop, pdop: pdop)
    values.seen = seen ?? values.seen
    values.used = used ?? values.used
    values.signalsSeen = signalsSeen ?? values.signalsSeen
    values.signalsUsed = signalsUsed ?? values.signalsUsed
    values.removeImpossible()
    shared = [values]
  }

  /// The receiver's path; `nil` if the service names none.
  public var device: String? {
    get { shared.span[0].device }
    set { values.device = newValue }
  }

  /// The time of the view, by the receiver's clock; `nil` if unknown.
  package var time: Timestamp? {
    get { values.time }
    set { values.time = newValue }
  }

  /// The satellite signals; a satellite can have several. `nil` if the report had no list,
  /// which does not mean that there are none. Setting it changes neither the numbers nor ``strongest``.
  package var satellites: [Satellite]? {
    get { values.satellites }
    set { values.satellites = newValue }
  }

  /// The number of satellites in view; `nil` if unknown.
  ///
  /// Signals of one satellite count once. If gpsd reports no list, it reports only numbers of signals, which are then
  /// used as numbers of satellites.
  public var seen: Int? {
    get { values.seen }
    set { values.seen = newValue.within(.count) }
  }

  /// The number of satellites used to compute the position: satellites with at least one signal that is
  /// used. `nil` if unknown. See ``seen``.
  public var used: Int? {
    get { values.used }
    set { values.used = newValue.within(.count) }
  }

  /// The number of signals in view; `nil` if unknown.
  package var signalsSeen: Int? {
    get { values.signalsSeen }
    set { values.signalsSeen = newValue.within(.count) }
  }

  /// The number of signals used to compute the position; `nil` if unknown.
  package var signalsUsed: Int? {
    get { values.signalsUsed }
    set { values.signalsUsed = newValue.within(.count) }
  }

  /// The strength of the strongest signal in view, in dBHz; `nil` if unknown.
  package var strongest: Double? {
    get { values.strongest }
    set { values.strongest = newValue }
  }

  /// Horizontal dilution of precision, dimensionless; `nil` if unknown.
  package var hdop: Double? {
    get { values.hdop }
    set { values.hdop = newValue.within(.magnitude) }
  }

  /// Vertical dilution of precision, dimensionless; `nil` if unknown.
  package var vdop: Double? {
    get { values.vdop }
    set { values.vdop = newValue.within(.magnitude) }
  }

  /// Position (3D) dilution of precision, dimensionless; `nil` if unknown.
  package var pdop: Double? {
    get { values.pdop }
    set { values.pdop = newValue.within(.magnitude) }
  }
}

/// The storage of a ``SkyView``.
package struct SkyValues: Hashable, Sendable {
  package var device: String?
  package var time: Timestamp?
  package var satellites: [Satellite]?
  package var seen: Int?
  package var used: Int?
  package var signalsSeen: Int?
  package var signalsUsed: Int?
  /// Whether the numbers are of satellites; `false` for a service that counts signals.
  package var isCounted = true
  package var strongest: Double?
  /// The signal strengths of a view without a list; `nil` with a list.
  package var strengths = Uncompared<SkyStrengths?>(nil)
  package var hdop: Double?
  package var vdop: Double?
  package var pdop: Double?

  package init(
    device: String?, time: Timestamp?, satellites: [Satellite]?, count: SatelliteCount?,
    hdop: Double?, vdop: Double?, pdop: Double?
  ) {
    self.device = device
    self.time = time
    self.satellites = satellites
    seen = count?.seen
    used = count?.used
    signalsSeen = count?.signalsSeen
    signalsUsed = count?.signalsUsed
    strongest = count?.strongest
    strengths.value = satellites == nil ? count?.strengths : nil
    self.hdop = hdop
    self.vdop = vdop
    self.pdop = pdop
  }

  /// Removes the numbers that are out of their ranges. Numbers of reports and lists are always within theirs.
  mutating func removeImpossible() {
    seen = seen.within(.count)
    used = used.within(.count)
    signalsSeen = signalsSeen.within(.count)
    signalsUsed = signalsUsed.within(.count)
    strongest = strongest.within(.signalStrength)
    hdop = hdop.within(.magnitude)
    vdop = vdop.within(.magnitude)
    pdop = pdop.within(.magnitude)
  }
}

/// A part of a value that is ignored when values are compared.
package struct Uncompared<Value: Sendable>: Hashable, Sendable {
  package var value: Value

  package init(_ value: Value) { self.value = value }

  package static func == (one: Self, other: Self) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

extension SkyView: CustomStringConvertible {
  /// A text for logs and test failures, such as
  /// `12 seen, 8 used at 2026-11-20T07:05:12.000Z of /dev/ttyACM0, hdop 1.3`. Its format may
  /// change.
  public var description: String {
    var text = (seen.map { "\($0) seen" } ?? "sky") + (used.map { ", \($0) used" } ?? "")
    if let time { text += " at \(time)" }
    if let device { text += " of \(device)" }
    // Most receivers have one signal of each satellite.
    let hasMoreSignals = signalsSeen != seen || signalsUsed != used
    let parts = [
      hasMoreSignals ? signalsSeen.map { "\($0) signals seen" } : nil,
      hasMoreSignals ? signalsUsed.map { "\($0) signals used" } : nil,
      strongest.map { "strongest \($0) dBHz" }, hdop.map { "hdop \($0)" },
      vdop.map { "vdop \($0)" }, pdop.map { "pdop \($0)" }, satellites.map { "\($0)" },
    ]
    return ([text] + parts.compactMap(\.self)).joined(separator: ", ")
  }
}
