/// The number that tells a satellite from all others.
package struct SatelliteID: Hashable, Sendable {
  /// The constellation; `nil` if only the PRN is known.
  package let gnssID: Int?
  /// The number within the constellation, or the PRN.
  package let number: Int

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
  /// Satellites of which at least one signal is used.
  package fileprivate(set) var used = 0
  package fileprivate(set) var signalsSeen = 0
  package fileprivate(set) var signalsUsed = 0
  /// In dBHz.
  package fileprivate(set) var strongest: Double?

  package init() {}

  package init(_ satellites: [Satellite]) {
    var counter = SatelliteCounter()
    counter.begin()
    for satellite in satellites {
      counter.add(
        satellite.id, isUsed: satellite.isUsed, signalStrength: satellite.signalStrength)
    }
    self = counter.count
  }
}

/// Counts the satellites of lists that have an element for each signal.
///
/// The memory is reused, so a list allocates nothing unless it is longer than all before it.
package struct SatelliteCounter: Sendable {
  private struct Slot: Sendable {
    var satellite = SatelliteID(prn: 0, gnssID: nil, svID: nil)
    /// The list that had the satellite. Slots of earlier lists are free.
    var list = 0
    var isUsed = false
  }

  /// A hash table, whose size is a power of two and at least twice the number of satellites.
  private var slots = [Slot](repeating: Slot(), count: 64)
  private var list = 0
  // Random, so that nobody can send satellites that all have the same place.
  private let factors = (UInt64.random(in: 0 ... .max) | 1, UInt64.random(in: 0 ... .max) | 1)
  package private(set) var count = SatelliteCount()

  package init() {}

  /// Starts a new list.
  package mutating func begin() {
    list &+= 1
    count = SatelliteCount()
  }

  /// Adds a signal.
  package mutating func add(_ satellite: SatelliteID, isUsed: Bool, signalStrength: Double?) {
    let place = place(of: satellite)
    if slots[place].list != list {
      slots[place] = Slot(satellite: satellite, list: list)
      count.seen += 1
    }
    count.signalsSeen += 1
    if isUsed {
      count.signalsUsed += 1
      if !slots[place].isUsed { count.used += 1 }
      slots[place].isUsed = true
    }
    if let signalStrength {
      count.strongest = max(signalStrength, count.strongest ?? signalStrength)
    }
    if count.seen * 2 > slots.count { grow() }
  }

  /// Returns the slot of a satellite, or a free one.
  private func place(of satellite: SatelliteID) -> Int {
    let hash =
      UInt64(truncatingIfNeeded: satellite.number) &* factors.0
      &+ UInt64(truncatingIfNeeded: satellite.gnssID ?? -1) &* factors.1
    // The highest bits depend on all bits of the number.
    var place = Int(truncatingIfNeeded: hash &>> UInt64(64 - slots.count.trailingZeroBitCount))
    while slots[place].list == list, slots[place].satellite != satellite {
      place = (place + 1) & (slots.count - 1)
    }
    return place
  }

  private mutating func grow() {
    let earlier = slots
    slots = [Slot](repeating: Slot(), count: earlier.count * 2)
    for slot in earlier where slot.list == list { slots[place(of: slot.satellite)] = slot }
  }
}
