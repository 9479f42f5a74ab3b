internal import LocationCore

extension SKY {
  /// The members of the report, as they are spelled in it. Those before `nSat` are no numbers.
  package enum Field: Int, CaseIterable, CodingKey {
    case `class`, device, time, satellites
    case nSat, uSat, hdop, vdop, pdop, tdop, gdop, xdop, ydop
  }
}

/// A sky view, and what it takes to read its list.
struct SKYRecord: JSONRecord, Sendable {
  typealias Field = SKY.Field

  /// More signals than any receiver tracks.
  private static let mostSatellites = 184

  var sky = SKY()
  /// How many satellites were left out, of all reports.
  var dropped = 0
  private var keys = KeyTable()
  private let keepsList: Bool

  /// The list of the last report, in short.
  private(set) var summary = SkyListSummary()

  init(keepsList: Bool) { self.keepsList = keepsList }

  static var firstNumber: Int { SKY.Field.nSat.rawValue }

  mutating func removeAll() {
    sky.device = nil
    sky.time = nil
    sky.list.removeAll(keepingCapacity: true)
    sky.hasList = false
    summary = SkyListSummary()
    sky.quantities.removeAll()
  }

  @inline(__always)
  mutating func set(_ number: Double?, at member: Int) { sky.quantities[member] = number }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
    switch member {
    case SKY.Field.device.rawValue: sky.device = try names.read(line, &index)
    case SKY.Field.time.rawValue: sky.time = try line.timeValue(&index)
    case SKY.Field.satellites.rawValue: try readSatellites(of: line, &index, &names)
    default: try line.skipValue(&index, depth: 1)
    }
  }

  mutating func finish() throws(NotJSON) {
    sky.quantities.limit(SKY.Field.nSat.rawValue, to: 0...)
    sky.quantities.limit(SKY.Field.uSat.rawValue, to: 0...)
  }

  private mutating func readSatellites(
    of line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
    guard line.byte(index) == UInt8(ascii: "[") else {
      try line.skipValue(&index, depth: 1)
      return
    }
    sky.hasList = keepsList
    summary.hasList = true
    if keepsList {
      try readList(of: SatelliteRecord.self, line, &index, &names)
    } else {
      try readList(of: SatelliteGlance.self, line, &index, &names)
    }
  }

  @inline(never)
  private mutating func readList<Element: SatelliteElement>(
    of _: Element.Type, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
    keys.prepare(for: Element.Field.self)
    let blank = Element()
    var more = try line.open("[", "]", &index)
    while more {
      var element = blank
      try element.readMembers(
        of: line, &index, &keys, &names, more: try line.open("{", "}", &index),
        depth: Element.depth)
      if summary.count < Self.mostSatellites, element.isIdentified {
        summary.add(isUsed: element.isUsed, strength: element.signalStrength)
        element.append(to: &sky.list)
      } else {
        dropped += 1
      }
      more = try line.proceed(to: "]", &index)
    }
  }
}
