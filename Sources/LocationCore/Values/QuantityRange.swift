/// The numbers that a quantity can be. Any other number, NaN included, is unknown: it becomes `nil`, not the nearest
/// possible number, because a receiver, a service or a program that reports it does not know the quantity.
///
/// Each row of ``LocationFix/Quantity/rows``, and of the tables for gpsd's reports, names a range. Decoded, set and
/// computed numbers are checked here and nowhere else.
@usableFromInline
package struct QuantityRange: Hashable, Sendable {
  @usableFromInline package let lowest: Double
  @usableFromInline package let highest: Double
  /// Whether the quantity is a direction, in degrees: numbers that differ by 360 mean the same.
  @usableFromInline package let isCyclic: Bool
  /// Whether the quantity is a whole number: one with a fraction does not mean the nearest one.
  @usableFromInline package let isWhole: Bool

  @inlinable
  init(_ range: ClosedRange<Double>, isCyclic: Bool = false, isWhole: Bool = false) {
    lowest = range.lowerBound
    highest = range.upperBound
    self.isCyclic = isCyclic
    self.isWhole = isWhole
  }

  @inlinable @inline(__always)
  package func contains(_ number: Double) -> Bool {
    // A range of whole numbers is one of Int64. To convert is faster than to round, which calls a function.
    lowest <= number && number <= highest && (!isWhole || Double(Int64(number)) == number)
  }

  /// The lower end; `nil` if the quantity has none of its own.
  package var minimum: Double? { lowest > Self.signed.lowest ? lowest : nil }
  /// The upper end; `nil` if the quantity has none of its own.
  package var maximum: Double? { highest < Self.signed.highest ? highest : nil }
}

extension Double {
  /// The number; `nil` if it is not in the range.
  @inlinable @inline(__always)
  package func within(_ range: QuantityRange) -> Double? { range.contains(self) ? self : nil }

  /// The number; `nil` if its magnitude is 1e15 or more, or it is NaN. See ``QuantityRange/signed``.
  package var ifMeasurable: Double? { within(.signed) }
}

// Each range, with its source. They are computed, so that a comparison with a range is two comparisons with numbers.
extension QuantityRange {
  /// A height, a component of a vector, a rate or a bias: less than 1e15 in magnitude, with either sign.
  ///
  /// No quantity in gpsd's units comes near 1e15. Squares, sums and conversions of smaller numbers are finite, so that
  /// nothing that is computed of a fix can be infinite.
  @inlinable package static var signed: QuantityRange {
    QuantityRange((-1e15).nextUp...1e15.nextDown)
  }

  /// A length, a speed, an age, a ratio, an estimated error or a dilution of precision.
  ///
  /// None of them can be negative: they are magnitudes, standard deviations and square roots of sums of squares
  /// (gpsd_json(5), "TPV", "SKY" and "GST"). Programs write -1 for unknown, and Core Location documents a negative
  /// accuracy, speed or course as invalid.
  @inlinable package static var magnitude: QuantityRange { QuantityRange(0...1e15.nextDown) }

  /// Degrees north of the equator.
  @inlinable package static var latitude: QuantityRange { QuantityRange(-90...90) }

  /// Degrees east of Greenwich.
  @inlinable package static var longitude: QuantityRange {
    QuantityRange(-180...180, isCyclic: true)
  }

  /// A direction from north, in degrees. NMEA 0183 and gpsd_json(5) count clockwise from 0; receivers that round send 360.
  @inlinable package static var azimuth: QuantityRange { QuantityRange(0...360, isCyclic: true) }

  /// A direction that gpsd passes on as the receiver sends it, in degrees: some count from -180, some to 360.
  @inlinable package static var direction: QuantityRange {
    QuantityRange(-180...360, isCyclic: true)
  }

  /// The magnetic variation, in degrees: the difference of two directions, and so up to half a circle either way.
  @inlinable package static var variation: QuantityRange {
    QuantityRange(-180...180, isCyclic: true)
  }

  /// An angle above the horizon, in degrees. gpsd reports -91 for unknown.
  @inlinable package static var elevation: QuantityRange { QuantityRange(-90...90) }

  /// The height of the geoid above the ellipsoid, in metres: -107 to 86 in EGM2008, and a few more in coarser models.
  @inlinable package static var geoidSeparation: QuantityRange { QuantityRange(-200...200) }

  /// A number of satellites or signals. No receiver has more channels than UInt16 counts.
  @inlinable package static var count: QuantityRange {
    QuantityRange(0...65_535, isWhole: true)
  }

  /// The number of a station: no standard limits those of all services.
  @inlinable package static var station: QuantityRange {
    QuantityRange(0...1e15.nextDown, isWhole: true)
  }

  /// The strength of a signal, in dBHz: an unsigned byte in UBX-NAV-SAT, of which 255 is unknown to gpsd_json(5).
  @inlinable package static var signalStrength: QuantityRange { QuantityRange(0...254) }

  /// The health of a satellite: unknown, healthy or unhealthy (gpsd_json(5)).
  @inlinable package static var health: QuantityRange {
    QuantityRange(0...2, isWhole: true)
  }

  /// The number of a GLONASS frequency, counted from 0 for the channel -7 (gpsd_json(5), UBX-NAV-SAT).
  @inlinable package static var frequencyNumber: QuantityRange {
    QuantityRange(0...13, isWhole: true)
  }

  /// How well a signal is tracked: three bits of UBX-NAV-SAT.
  @inlinable package static var trackingQuality: QuantityRange {
    QuantityRange(0...7, isWhole: true)
  }

  /// A number that stands for a state: an enumeration of gpsd, or a byte of the receiver's.
  @inlinable package static var code: QuantityRange {
    QuantityRange(0...255, isWhole: true)
  }

  /// GPS time minus UTC, in seconds: eight bits with a sign (IS-GPS-200, 20.3.3.5.2.4).
  @inlinable package static var leapSeconds: QuantityRange {
    QuantityRange(-128...127, isWhole: true)
  }

  /// A temperature in degrees Celsius: above absolute zero.
  @inlinable package static var temperature: QuantityRange {
    QuantityRange(-273.15...1e15.nextDown)
  }
}

/// The arguments of a program follow another rule, because an argument cannot be unknown: a limit that is negative or
/// NaN counts as 0, the nearest valid one.
extension Double {
  /// The number as a limit: an accuracy, a radius, a distance or a speed.
  package var asLimit: Double { self > 0 ? self : 0 }
}

extension Duration {
  /// The duration as a limit: not less than zero.
  package var asLimit: Duration { max(self, .zero) }
}

extension Double? {
  /// The number; `nil` if it is unknown or not in the range.
  @inlinable @inline(__always)
  package func within(_ range: QuantityRange) -> Double? { flatMap { $0.within(range) } }
}

extension Int? {
  /// The number; `nil` if it is unknown or not in the range.
  @inlinable @inline(__always)
  package func within(_ range: QuantityRange) -> Int? {
    flatMap { range.contains(Double($0)) ? $0 : nil }
  }
}
