/// The mean of the positions of a receiver that stands still.
package struct MeanPosition: Hashable, Sendable {
  /// The likely error of the mean itself, in metres: one standard deviation.
  package struct StandardError: Hashable, Sendable {
    /// Along the parallel, in metres; `nil` for a single fix.
    package var east: Double?
    /// Along the meridian, in metres; `nil` for a single fix.
    package var north: Double?
    /// Of the height, in metres; `nil` for fewer than two heights.
    package var up: Double?

    /// Creates an error, in metres; `nil` for what is unknown.
    package init(east: Double? = nil, north: Double? = nil, up: Double? = nil) {
      self.east = east
      self.north = north
      self.up = up
    }
  }

  /// The receiver's path; `nil` if it has none.
  package var device: String?
  /// The times of the first and of the last fix, by the receiver's clock; `nil` if unknown.
  package var start, end: Timestamp?
  /// The mean position, on WGS 84.
  package var coordinate: Coordinate
  /// The mean height above the ellipsoid, in metres; `nil` if the receiver does not report it.
  package var altHAE: Double?
  /// The mean height above mean sea level, in metres; `nil` if the receiver does not report it.
  package var altMSL: Double?
  /// The likely error of the mean, in metres: one standard deviation.
  package var standardError: StandardError
  /// The number of fixes in the mean.
  package var fixCount: Int
  /// The number of fixes that are excluded from the mean because they lie too far from the others.
  package var outlierCount: Int

  /// Creates a mean, with heights in metres; `nil` for what is unknown.
  package init(
    device: String? = nil, start: Timestamp? = nil, end: Timestamp? = nil, coordinate: Coordinate,
    altHAE: Double? = nil, altMSL: Double? = nil,
    standardError: StandardError = StandardError(), fixCount: Int, outlierCount: Int = 0
  ) {
    self.device = device
    self.start = start
    self.end = end
    self.coordinate = coordinate
    self.altHAE = altHAE
    self.altMSL = altMSL
    self.standardError = standardError
    self.fixCount = fixCount
    self.outlierCount = outlierCount
  }
}
