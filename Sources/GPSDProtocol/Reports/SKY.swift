package import LocationCore

/// gpsd's `SKY` report: the satellites in view of a receiver.
///
/// A value that is not reported is `nil`, and so is an impossible one, such as a negative dilution of precision.
package struct SKY: Hashable, Sendable {
  /// The receiver's path on gpsd's machine.
  package var device: String?
  /// The instant of the report by the receiver's clock.
  package var time: Timestamp?
  /// The satellite signals; a satellite can have several. `nil` if the report has no list,
  /// which does not mean that
  /// there are none.
  package var satellites: [Satellite]? {
    get { hasList ? list : nil }
    set {
      hasList = newValue != nil
      list = newValue ?? []
      count = newValue.map(SatelliteCount.init)
    }
  }

  // Stored apart from `hasList`, so that an emptied list keeps its memory.
  var list: [Satellite] = []
  var hasList = false
  /// The counts of the report's list, even if the list is not kept.
  var count: SatelliteCount?
  var quantities = QuantitiesOfReport()

  /// Creates an empty report.
  package init() {}

  /// A number of the report, by its name in gpsd_json(5).
  package enum Quantity: Int, CaseIterable, Sendable {
    /// The number of satellite signals in view, as gpsd counts them.
    case nSat
    /// The number of satellite signals that the position is computed from, as gpsd counts them.
    ///
    /// With some receivers it is the number of satellites.
    case uSat
    /// A dilution of precision, without a unit: horizontal, vertical, and of the position (3D).
    case hdop, vdop, pdop
    /// A dilution of precision, without a unit: of the time, of place and time, along the longitude,
    /// and along the latitude.
    case tdop, gdop, xdop, ydop
  }

  /// A number by its name in gpsd_json(5); `nil` if it is not reported.
  package subscript(quantity: Quantity) -> Double? {
    get { quantities[quantity.rawValue] }
    set { quantities[quantity.rawValue] = newValue.within(Quantity.ranges[quantity.rawValue]) }
  }
}

/// A decoded `SKY` report, with the state to read its list.
struct SKYRecord: JSONRecord, Sendable {
  /// The members of the report that are not numbers.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, device, time, satellites
  }

  private(set) var sky = SKY()
  /// The number of satellites omitted, over all reports.
  private(set) var dropped = 0
  private var keys = KeyTable()
  /// The members of satellites, in the order that was learned from the last one that was read member by member.
  private var order: [KeyTable.Pattern] = []
  private let keepsList: Bool

  init(keepsList: Bool) { self.keepsList = keepsList }

  static var firstNumber: Int { Field.satellites.rawValue + 1 }
  static var otherMembers: [(name: String, number: Int)] {
    members(
      "nSat", "uSat", "hdop", "vdop", "pdop", "tdop", "gdop", "xdop", "ydop")
  }

  mutating func removeAll() {
    sky.device = nil
    sky.time = nil
    sky.list.removeAll(keepingCapacity: true)
    sky.hasList = false
    sky.count = nil
    sky.quantities.removeAll()
  }

  @inline(__always)
  mutating func set(_ number: Double?, at member: Int) {
    sky.quantities[member &- Self.firstNumber] = number
  }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch member {
    case Field.device.rawValue: sky.device = try names.read(line, &index)
    case Field.time.rawValue: sky.time = try line.timeValue(&index)
    case Field.satellites.rawValue: try readSatellites(of: line, &index, &names)
    default: try line.skipValue(&index, depth: 1)
    }
  }

  static func isPossible(_ number: Double, at member: Int) -> Bool {
    SKY.Quantity.ranges[member &- firstNumber].contains(number)
  }

  mutating func finish() throws(MalformedReport) -> Int {
    sky.quantities.removeImpossible(SKY.Quantity.ranges)
  }

  private mutating func readSatellites(
    of line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    guard line.byte(index) == UInt8(ascii: "[") else {
      try line.skipValue(&index, depth: 1)
      return
    }
    sky.hasList = keepsList
    var counter = SatelliteCounter()
    keys.prepare(for: SatelliteRecord.Field.self)
    var record = SatelliteRecord(readsAll: keepsList)
    var more = try line.open("[", "]", &index)
    while more {
      record.removeAll()
      let end = record.readInOrder(line, at: index, order)
      if end > index {
        index = end
      } else {
        // This reads again whatever was read already.
        try record.readMembers(
          of: line, &index, &keys, &names, more: try line.open("{", "}", &index),
          depth: SatelliteRecord.depth)
        keys.getOrder(&order)
      }
      if let prn = record.prn {
        record.count(prn, in: &counter)
        if keepsList { sky.list.append(record.satellite(prn)) }
      } else {
        dropped += 1
      }
      more = try line.proceed(to: "]", &index)
    }
    sky.count = counter.count
  }
}

/// A decoded element of the list of satellites.
struct SatelliteRecord: JSONRecord {
  /// The members of the element, by name. All but `used` are numbers; `PRN` to `svid` identify the satellite.
  enum Field: Int, CaseIterable, CodingKey {
    case used
    case PRN, gnssid, svid
    case ss, el
    // These are only for a list.
    case sigid, health, freqid, qual, az, pr, prRate, prRes
  }

  /// The nesting depth of the members: the report, its list and the element.
  static var depth: Int { 3 }
  static var firstNumber: Int { Field.PRN.rawValue }
  let firstUnread: Int

  /// Whether the position is computed from this signal.
  private var isUsed = false
  /// The number of the satellite; `nil` if it is not identified.
  private(set) var prn: Int?
  private var gnssID: Int?
  private var svID: Int?
  private var quantities = QuantitiesOfReport()

  /// - Parameter readsAll: Whether to read what ``satellite(_:)`` needs, and not only what is counted.
  init(readsAll: Bool) { firstUnread = readsAll ? .max : Field.sigid.rawValue }

  /// Reads an element whose members are some of `order`, in that order, as those of most satellites are.
  ///
  /// - Returns: The end of the element; `start` if it is any other. The record may then hold a part of it.
  @inline(never)
  mutating func readInOrder(_ line: Span<UInt8>, at start: Int, _ order: [KeyTable.Pattern]) -> Int
  {
    guard line.byte(start) == UInt8(ascii: "{") else { return start }
    let firstUnread = firstUnread
    var index = start &+ 1
    for name in order {
      guard let value = name.end(in: line, at: index) else { continue }
      let end: Int
      if name.member >= firstUnread {
        let shortEnd = line.endOfShortNumber(at: value)
        end = shortEnd > value ? shortEnd : line.signedPlainNumber(at: value).end
        guard end > value else { return start }
      } else if name.member > Field.svid.rawValue {
        let number: Double
        (number, end) = line.shortNumber(at: value) ?? line.signedPlainNumber(at: value)
        guard end > value else { return start }
        quantities[name.member] = number
      } else if name.member >= Self.firstNumber {
        if let short = line.shortInteger(at: value) {
          setID(short.integer, at: name.member)
          end = short.end
        } else {
          let number: Double
          (number, end) = line.signedPlainNumber(at: value)
          guard end > value else { return start }
          setID(Self.natural(number), at: name.member)
        }
      } else {
        guard let flag = line.plainBoolean(at: value) else { return start }
        isUsed = flag.flag
        end = flag.end
      }
      index = end &+ 1
      let next = line.byte(end)
      if next == UInt8(ascii: "}") { return index }
      guard next == UInt8(ascii: ",") else { return start }
    }
    return start
  }

  @inline(never)
  func count(_ prn: Int, in counter: inout SatelliteCounter) {
    counter.add(
      SatelliteID(prn: prn, gnssID: gnssID, svID: svID),
      isUsed: isUsed, signalStrength: signalStrength, elevation: elevation)
  }

  @inline(never)
  func satellite(_ prn: Int) -> Satellite {
    Satellite(
      prn: prn, gnssID: gnssID, svID: svID, sigID: natural(.sigid),
      elevation: elevation, azimuth: quantities[Field.az.rawValue],
      signalStrength: signalStrength, isUsed: isUsed, health: natural(.health),
      freqID: natural(.freqid), trackingQuality: natural(.qual),
      pseudorange: quantities[Field.pr.rawValue],
      pseudorangeRate: quantities[Field.prRate.rawValue],
      pseudorangeResidual: quantities[Field.prRes.rawValue])
  }

  // Out of range, these are unknown to gpsd as well.
  private var elevation: Double? { quantities[Field.el.rawValue].within(.elevation) }

  /// The signal strength, in dBHz.
  private var signalStrength: Double? { quantities[Field.ss.rawValue].within(.signalStrength) }

  mutating func removeAll() {
    isUsed = false
    (prn, gnssID, svID) = (nil, nil, nil)
    quantities.removeAll()
  }

  @inline(__always)
  mutating func set(_ number: Double?, at member: Int) {
    if member > Field.svid.rawValue {
      quantities[member] = number
    } else {
      setID(Self.natural(number), at: member)
    }
  }

  @inline(__always)
  private mutating func setID(_ number: Int?, at member: Int) {
    switch member {
    case Field.PRN.rawValue: prn = number
    case Field.gnssid.rawValue: gnssID = number
    default: svID = number
    }
  }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    isUsed = try line.booleanValue(&index, depth: Self.depth) ?? false
  }

  // Inlined, because a call would copy the whole record.
  @inline(__always)
  private func natural(_ field: Field) -> Int? { Self.natural(quantities[field.rawValue]) }

  /// Returns an integer; `nil` if it is negative, which stands for "unknown", or has a fraction.
  private static func natural(_ number: Double?) -> Int? {
    guard let number, number >= 0, number < 0x1p63 else { return nil }
    let integer = Int(number)
    return Double(integer) == number ? integer : nil
  }
}
