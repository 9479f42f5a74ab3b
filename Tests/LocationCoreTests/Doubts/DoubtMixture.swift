import LocationCore

/// Fixes of a receiver at a given rate, of which a share is false, and which of them are believed.
struct DoubtMixture {
  /// What a false fix is like.
  enum Lie: String, CaseIterable {
    /// At one place, at any, at exactly 0,0; at one place with a speed of 500 km/s, of 7.9 km/s, with an error of
    /// 1,000 km and of 900 m; 8.5 km higher with an error of 100 km.
    case onePlace, manyPlaces, zero, faster, fast, vague, vaguer, high
  }

  var lie = Lie.onePlace
  /// Which fixes are false.
  var isFalse: [Bool]
  var rate = 1
  var seed: UInt64 = 1

  static let home = Coordinate(latitude: 48, longitude: 11.5)!

  /// The false ones are as far apart as they can be.
  static func regular(_ share: Double, count: Int) -> [Bool] {
    (0..<count).map { Int(Double($0 + 1) * share) > Int(Double($0) * share) }
  }

  /// Returns whether each fix is believed.
  func believed() -> [Bool] {
    var machine = DoubtMachine()
    var random = SplitMix(state: seed)
    return isFalse.indices.map { index in
      let second = Double(index) / Double(rate)
      let fix = fix(second, isFalse: isFalse[index], random: &random)
      _ = machine.handle(fix, at: Reports.moment(second))
      return machine.doubts.isEmpty
    }
  }

  /// Returns how many of the true and of the false fixes after the first minute are believed, and how many there are.
  func count() -> (true: (believed: Int, all: Int), false: (believed: Int, all: Int)) {
    let after = zip(isFalse, believed()).dropFirst(60 * rate)
    func count(_ wanted: Bool) -> (Int, Int) {
      let those = after.filter { $0.0 == wanted }
      return (those.count { $0.1 }, those.count)
    }
    return (count(false), count(true))
  }

  private func fix(_ second: Double, isFalse: Bool, random: inout SplitMix) -> LocationFix {
    let error = (random.next() * 5, random.next() * 360)
    var fix = LocationFix(
      coordinate: Self.home.moved(by: error.0, bearing: error.1), mode: .fix3D, device: "a",
      time: Reports.time(second), horizontalError: 5)
    (fix.speed, fix.ellipsoidalAltitude, fix.climbRate, fix.verticalError) = (0, 500, 0, 9)
    guard isFalse else { return fix }
    let there = Self.home.moved(by: 14_000, bearing: 60).moved(by: error.0, bearing: error.1)
    if lie != .high { fix.coordinate = there }
    switch lie {
    case .onePlace: break
    case .manyPlaces:
      fix.coordinate = Self.home.moved(by: 2000 + random.next() * 60_000, bearing: error.1)
    case .zero: fix.coordinate = Coordinate(latitude: 0, longitude: 0)!
    case .faster: fix.speed = 500_000
    case .fast: fix.speed = 7900
    case .vague: fix[.eph] = 1e6
    case .vaguer: fix[.eph] = 900
    case .high: (fix.ellipsoidalAltitude, fix.verticalError) = (9000, 1e5)
    }
    return fix
  }
}

/// Random numbers from 0 to 1 that are the same in each run.
struct SplitMix {
  var state: UInt64

  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ (bits >> 31)) >> 11) / 9_007_199_254_740_992
  }

  /// Returns `count` flags, of which a share is true.
  mutating func flags(_ share: Double, count: Int) -> [Bool] {
    (0..<count).map { _ in next() < share }
  }
}
