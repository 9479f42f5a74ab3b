/// How strong the satellites in use are, in dBHz, and how high they are, in degrees: what is kept of a list.
package struct SkyStrengths: Hashable, Sendable {
  private(set) var (least, most, sum, count) = (Double.infinity, -Double.infinity, 0.0, 0)
  private var (lowest, highest) = (Double.infinity, -Double.infinity)
  /// How many are used without a signal or far below the horizon, and how many are heard, used or not.
  private(set) var (weak, below, heard) = (0, 0, 0)

  package init() {}

  init(_ satellites: [Satellite]) {
    for satellite in satellites {
      add(
        satellite.signalStrength, elevation: satellite.elevation, isUsed: satellite.isUsed)
    }
  }

  /// Adds a signal of a satellite.
  @inline(__always)
  mutating func add(_ strength: Double?, elevation: Double?, isUsed: Bool) {
    if let strength, strength > 0 { heard &+= 1 }
    guard isUsed else { return }
    if let elevation, elevation < SkyDoubt.horizon { below &+= 1 }
    guard let strength else { return }
    guard strength > 0 else {
      weak &+= 1
      return
    }
    least = min(least, strength)
    most = max(most, strength)
    sum += strength
    count &+= 1
    guard let elevation else { return }
    lowest = min(lowest, elevation)
    highest = max(highest, elevation)
  }

  var mean: Double { sum / Double(count) }
  var isEnough: Bool { count >= SkyDoubt.leastCount }
  var isAlike: Bool {
    isEnough && most - least <= SkyDoubt.alike && highest - lowest >= SkyDoubt.elevations
  }

  func hasRisen(from before: SkyStrengths) -> Bool {
    isEnough && before.isEnough && mean - before.mean >= SkyDoubt.rise
      && least - before.least >= SkyDoubt.riseOfEnds && most - before.most >= SkyDoubt.riseOfEnds
      && most - least <= SkyDoubt.risenSpread
  }
}
