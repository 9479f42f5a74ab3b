import LocationCore

/// The strength of the signals from each part of the sky: 72 cells of azimuth by 18 of elevation, of 5
/// degrees each.
struct ObstructionMap: Hashable, Sendable {
  struct Cell: Hashable, Sendable {
    /// How often a satellite's signal was listed in this cell, and how often with a strength.
    fileprivate(set) var seen: UInt32 = 0
    fileprivate(set) var received: UInt32 = 0
    fileprivate var sum = 0.0

    /// The mean strength, in dBHz; `nil` if no signal was received.
    var mean: Double? { received > 0 ? sum / Double(received) : nil }
  }

  static let degrees = 5
  static let azimuths = 72
  static let elevations = 18

  private var cells: [Cell] = []
  private static let blank = Cell()

  var isEmpty: Bool { cells.isEmpty }

  subscript(azimuth azimuth: Int, elevation elevation: Int) -> Cell {
    cells.isEmpty ? Self.blank : cells[elevation * Self.azimuths + azimuth]
  }

  mutating func add(_ satellites: [Satellite]) {
    for satellite in satellites {
      guard let (elevation, azimuth) = satellite.direction else { continue }
      if cells.isEmpty {
        cells = Array(repeating: Self.blank, count: Self.azimuths * Self.elevations)
      }
      let row = min(Int(elevation) / Self.degrees, Self.elevations - 1)
      let index = row * Self.azimuths + Int(azimuth) / Self.degrees % Self.azimuths
      cells[index].seen &+= 1
      if let strength = satellite.receivedStrength {
        cells[index].received &+= 1
        cells[index].sum += strength
      }
    }
  }
}
