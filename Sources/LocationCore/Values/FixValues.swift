/// What a ``LocationFix`` holds.
package struct FixValues: Sendable {
  package var coordinate: Coordinate
  package var mode: FixMode
  package var device: String
  package var time: Timestamp?
  package var received: Timestamp?
  package var isCurrent = true
  package var timeJump: Duration?
  package var satellitesUsed: UInt8?
  package var satellitesSeen: UInt8?
  /// Bit *n* is set where the quantity with the raw value *n* is known.
  package private(set) var known: UInt32 = 0
  private var quantities = InlineArray<24, Double>(repeating: 0)

  package init(coordinate: Coordinate, mode: FixMode, device: String, time: Timestamp?) {
    self.coordinate = coordinate
    self.mode = mode
    self.device = device
    self.time = time
  }

  /// Replaces all quantities by finite ones, in the order of their raw values.
  ///
  /// - Parameter known: Which of them are known, as in ``known``.
  mutating func replaceQuantities(with values: Span<Double>, known: UInt32) {
    for index in values.indices { quantities[index] = values[index] }
    self.known = known
  }

  /// The quantity, `nil` where it is unknown. What is not finite is unknown.
  package subscript(quantity: LocationFix.Quantity) -> Double? {
    get { known & quantity.bit == 0 ? nil : quantities[Int(quantity.rawValue)] }
    set {
      if let newValue, newValue.isFinite {
        quantities[Int(quantity.rawValue)] = newValue
        known |= quantity.bit
      } else {
        known &= ~quantity.bit
      }
    }
  }
}

extension FixValues: Hashable {
  package static func == (lhs: FixValues, rhs: FixValues) -> Bool {
    guard
      lhs.coordinate == rhs.coordinate, lhs.mode == rhs.mode, lhs.device == rhs.device,
      lhs.time == rhs.time, lhs.received == rhs.received, lhs.isCurrent == rhs.isCurrent,
      lhs.timeJump == rhs.timeJump, lhs.satellitesUsed == rhs.satellitesUsed,
      lhs.satellitesSeen == rhs.satellitesSeen, lhs.known == rhs.known
    else { return false }
    return LocationFix.Quantity.allCases.allSatisfy { lhs[$0] == rhs[$0] }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(coordinate)
    hasher.combine(mode)
    hasher.combine(device)
    hasher.combine(time)
    hasher.combine(known)
  }
}
