/// The satellites over a receiver, and how well they are spread.
///
/// It is a value like any other, and as small as a reference: what it holds is shared by its copies
/// until one of them is changed.
public struct SkyView: Hashable, Sendable {
  /// Always one element, for the reasons that ``LocationFix`` has.
  private var shared: [SkyValues]

  package var values: SkyValues {
    _read { yield shared[0] }
    _modify { yield &shared[0] }
  }

  package init(_ values: SkyValues) { shared = [values] }

  /// Becomes another view, in the same place where nobody else holds it.
  package mutating func replace(_ values: SkyValues) { shared[0] = values }

  /// A view of which only so much is known; `nil` stands for the rest. Where there is a list and no
  /// count, ``seen`` and ``used`` are counted from it.
  public init(
    device: String = "", time: Timestamp? = nil, satellites: [Satellite]? = nil,
    seen: Int? = nil, used: Int? = nil, hdop: Double? = nil, vdop: Double? = nil,
    pdop: Double? = nil
  ) {
    shared = [
      SkyValues(
        device: device, time: time, satellites: satellites, seen: seen ?? satellites?.count,
        used: used ?? satellites?.count { $0.isUsed },
        strongest: satellites?.lazy.compactMap(\.signalStrength).max(), hdop: hdop, vdop: vdop,
        pdop: pdop)
    ]
  }

  /// The receiver's path; empty where gpsd names none.
  public var device: String {
    get { shared.span[0].device }
    set { values.device = newValue }
  }

  /// The instant of the view by the receiver's clock; `nil` where the report does not tell.
  public var time: Timestamp? {
    get { values.time }
    set { values.time = newValue }
  }

  /// `nil` where the report carried no list, which says nothing about how many there are, and where
  /// the source was told to leave it out.
  public var satellites: [Satellite]? {
    get { values.satellites }
    set { values.satellites = newValue }
  }

  /// How many satellites are in view; `nil` where the report does not tell.
  public var seen: Int? {
    get { values.seen }
    set { values.seen = newValue }
  }

  /// How many satellites the position is computed from; `nil` where the report does not tell.
  public var used: Int? {
    get { values.used }
    set { values.used = newValue }
  }

  /// The strongest signal in view, in dBHz; `nil` where the report does not tell.
  public var strongest: Double? {
    get { values.strongest }
    set { values.strongest = newValue }
  }

  /// Horizontal dilution of precision, without a unit; `nil` where the report does not tell.
  public var hdop: Double? {
    get { values.hdop }
    set { values.hdop = newValue }
  }

  /// Vertical dilution of precision, without a unit; `nil` where the report does not tell.
  public var vdop: Double? {
    get { values.vdop }
    set { values.vdop = newValue }
  }

  /// Position (3D) dilution of precision, without a unit; `nil` where the report does not tell.
  public var pdop: Double? {
    get { values.pdop }
    set { values.pdop = newValue }
  }
}

/// What a ``SkyView`` holds.
package struct SkyValues: Hashable, Sendable {
  package var device: String
  package var time: Timestamp?
  package var satellites: [Satellite]?
  package var seen: Int?
  package var used: Int?
  package var strongest: Double?
  package var hdop: Double?
  package var vdop: Double?
  package var pdop: Double?

  package init(
    device: String, time: Timestamp?, satellites: [Satellite]?, seen: Int?, used: Int?,
    strongest: Double?, hdop: Double?, vdop: Double?, pdop: Double?
  ) {
    self.device = device
    self.time = time
    self.satellites = satellites
    self.seen = seen
    self.used = used
    self.strongest = strongest
    self.hdop = hdop
    self.vdop = vdop
    self.pdop = pdop
  }
}
