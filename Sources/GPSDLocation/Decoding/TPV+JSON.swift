extension TPV {
  /// The members of the report, as they are spelled in it. Those before `mode` are no numbers.
  package enum Field: Int, CaseIterable, CodingKey {
    case `class`, device, time, datum
    case mode, status
    case lat, lon
    // In the order of `LocationFix.Quantity`, so that they are copied in one go.
    case altHAE, altMSL, geoidSep, speed, track, climb, eph, epx, epy, epv, ept, eps, epd, epc,
      sep, magtrack, magvar, velN, velE, velD, dgpsAge
    case dgpsSta, dgpsRatio, baseS, baseE, baseN, baseU, baseL, baseC, relN, relE,
      relD, relH, relL, ecefx, ecefy, ecefz, ecefpAcc, ecefvx, ecefvy, ecefvz, ecefvAcc,
      clockbias, clockdrift, leapseconds, depth, temp, wtemp, wanglem, wangler, wanglet,
      wspeedr, wspeedt, ant, antPwr, jam
  }
}

extension TPV: JSONRecord {
  static var firstNumber: Int { Field.mode.rawValue }

  @inline(__always)
  mutating func set(_ number: Double?, at member: Int) { quantities[member] = number }

  mutating func removeAll() {
    device = nil
    time = nil
    datum = nil
    quantities.removeAll()
  }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
    switch member {
    case Field.device.rawValue: device = try names.read(line, &index)
    case Field.time.rawValue: time = try line.timeValue(&index)
    case Field.datum.rawValue: datum = try line.textValue(&index)
    default: try line.skipValue(&index, depth: 1)
    }
  }

  mutating func finish() throws(NotJSON) {
    quantities.limit(Field.lat.rawValue, to: -90...90)
    quantities.limit(Field.lon.rawValue, to: -180...180)
    quantities.limit(Field.track.rawValue, to: 0...360)
    quantities.limit(Field.magtrack.rawValue, to: 0...360)
    quantities.limit(Field.dgpsAge.rawValue, to: 0...)
    quantities.limit(Field.dgpsSta.rawValue, to: 0...)
  }
}
