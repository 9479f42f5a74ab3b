/// All that a receiver knows at one instant.
package struct ReceiverEpoch: Hashable, Sendable {
  package var time: ReceiverTime
  package var fix: ReceiverFix
  /// Where the receiver is. `nil` without a fix.
  package var place: ReceiverPlace?
  package var satellites: [SimulatedSatellite]
  /// Whether the fix was corrected.
  package var isDifferential = false

  /// The satellites that the fix is made of.
  package var used: [SimulatedSatellite] {
    satellites.filter(\.isUsed)
  }

  package var dilution: Dilution {
    switch fix {
    case .none: Dilution(horizontal: 99.99, vertical: 99.99, position: 99.99)
    case .twoDimensional: Dilution(horizontal: 2.4, vertical: 1.0, position: 2.6)
    case .threeDimensional: Dilution(horizontal: 0.9, vertical: 1.2, position: 1.5)
    }
  }
}

package enum ReceiverFix: Hashable, Sendable {
  case none, twoDimensional, threeDimensional

  /// gpsd's `mode`, too.
  var gsaMode: String {
    switch self {
    case .none: "1"
    case .twoDimensional: "2"
    case .threeDimensional: "3"
    }
  }
}

/// Dilutions of precision; position squared is horizontal squared plus vertical squared.
package struct Dilution: Hashable, Sendable {
  package var horizontal: Double
  package var vertical: Double
  package var position: Double
}

package struct ReceiverPlace: Hashable, Sendable {
  /// Degrees, north and east positive (WGS 84).
  package var latitude: Double
  package var longitude: Double
  /// Metres above mean sea level.
  package var altitudeMSL: Double
  /// Metres of mean sea level above the ellipsoid.
  package var geoidSeparation: Double
  /// Metres per second over ground.
  package var speed: Double
  /// Degrees clockwise from true north, 0 to less than 360.
  package var course: Double
}
