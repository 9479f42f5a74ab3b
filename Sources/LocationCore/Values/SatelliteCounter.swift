/// The number that identifies a satellite.
@usableFromInline
package struct SatelliteID: Hashable, Sendable {
  /// The constellation; `nil` if only the PRN is known.
  @usableFromInline package let gnssID: Int?
  /// The number within the constellation, or the PRN.
  @usableFromInline package let number: Int

  @inlinable
  package init(prn: Int, gnssID: Int?, svID: Int?) {
    if let gnssID, let svID {
      self.gnssID = gnssID
      number = svID
    } else {
      self.gnssID = nil
      number = prn
    }
  }
}

/// The numbers of satellites and signals in a list, and the strongest signal.
package struct SatelliteCount: Hashable, Sendable {
  /// Satellites, however many signals each of them has.
  package fileprivate(set) var seen = 0
  /// Satellites with at least one signal that is used.
  package fileprivate(set) var used = 0
  package fileprivate(set) var signalsSeen = 0
  package fileprivate(set) var signalsUsed = 0
  /// In dBHz.
  package fileprivate(set) var strongest: Double?
  package fileprivate(set) var strengths = SkyStrengths()

  package init() {}

  package init(_ satellites: [Satellite]) {
    var counter = SatelliteCounter()
    for satellite in satellites {
      counter.add(
        satellite.id, isUsed: satellite.isUsed, signalStrength: satellite.signalStrength,
        elevation: satellite.elevation)
    }
    self = counter.count
  }
}

/// Counts the satellites of a list that has an element for each signal.
package struct SatelliteCounter: Sendable {
  private var seen = SatelliteSet()
  private var used = SatelliteSet()
  package private(set) var count = SatelliteCount()

  package init() {}

  /// Adds a signal.
  package mutating func add(
    _ satellite: SatelliteID, isUsed: Bool, signalStrength: Double?, elevation: Double?
  ) {
    count.strengths.add(signalStrength, elevation: elevation, isUsed: isUsed)
    count.signalsSeen &+= 1
    if seen.insert(satellite) { count.seen &+= 1 }
    if isUsed {
      count.signalsUsed &+= 1
      if used.insert(satellite) { count.used &+= 1 }
    }
    if let signalStrength {
      count.strongest = max(signalStrength, count.strongest ?? signalStrength)
    }
  }
}

/// A set of satellites. Those with ordinary numbers take a bit each.
struct SatelliteSet: Sendable {
  // As the numbers of ``LocationFix/Quantity``.
  #if os(Linux)
    /// A bit for each satellite with an ordinary number.
    private var bits = InlineArray<40, UInt64>(repeating: 0)
  #else
    private var bits = ContiguousArray<UInt64>(repeating: 0, count: 40)
  #endif
  private var others: Set<SatelliteID> = []

  /// Adds a satellite. Returns `false` if the set has it already.
  @inline(__always)
  mutating func insert(_ satellite: SatelliteID) -> Bool {
    guard let place = Self.place(of: satellite) else { return others.insert(satellite).inserted }
    let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: place)
    let isNew = bits[place &>> 6] & bit == 0
    bits[place &>> 6] |= bit
    return isNew
  }

  /// Returns the place of a number below 256 of one of eight constellations, or of a PRN below 512.
  @inline(__always)
  private static func place(of satellite: SatelliteID) -> Int? {
    guard let gnssID = satellite.gnssID else {
      return 0..<512 ~= satellite.number ? 2048 + satellite.number : nil
    }
    guard 0..<8 ~= gnssID, 0..<256 ~= satellite.number else { return nil }
    return gnssID << 8 | satellite.number
  }
}
