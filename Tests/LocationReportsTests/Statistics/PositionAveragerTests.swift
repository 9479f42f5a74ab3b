import LocationCore
import LocationSamples
import Testing

@testable import LocationReports

@Suite struct `The average of positions` {
  /// Fixes a second apart, at offsets in metres from a place.
  private func average(
    _ offsets: [(east: Double, north: Double, up: Double?)],
    at place: (latitude: Double, longitude: Double) = (48, 11)
  ) throws -> MeanPosition {
    var average = PositionAverager()
    let origin = try #require(Coordinate(latitude: place.latitude, longitude: place.longitude))
    for (second, offset) in offsets.enumerated() {
      var fix = Samples.position(
        0, 0, offset.up == nil ? .fix2D : .fix3D, at: Samples.time(0, Int64(second)))
      fix.coordinate = origin.moved(by: offset.north, bearing: 0).moved(
        by: offset.east, bearing: 90)
      fix.ellipsoidalAltitude = offset.up.map { 500 + $0 }
      fix.altitude = offset.up.map { 450 + $0 }
      average.add(fix)
    }
    #expect(average.fixCount == offsets.count)
    return try #require(average.mean)
  }

  @Test func `of no fix is unknown`() { #expect(PositionAverager().mean == nil) }

  @Test(arguments: [
    (FixQuality.timeOnly, false), (.simulated, false), (.rtkFixed, true), (.deadReckoning, true),
  ])
  func `of a surveyed or simulated position has no error`(
    quality: FixQuality, hasError: Bool
  ) throws {
    var average = PositionAverager()
    for second in 0..<20 {
      var fix = Samples.position(48, 11, .fix3D, at: Samples.time(0, Int64(second)))
      fix.ellipsoidalAltitude = 500
      if second == 10 { fix.quality = quality }
      average.add(fix)
    }
    let error = try #require(average.mean).standardError
    #expect(
      error
        == (hasError
          ? MeanPosition.StandardError(east: 0, north: 0, up: 0) : MeanPosition.StandardError()))
  }

  @Test func `of one fix is that fix, without an error`() throws {
    let mean = try average([(0, 0, 1)])
    #expect(mean.coordinate == Coordinate(latitude: 48, longitude: 11))
    #expect(mean.altHAE == 501)
    #expect(mean.altMSL == 451)
    #expect(mean.standardError == MeanPosition.StandardError())
    #expect(mean.fixCount == 1)
    #expect(mean.outlierCount == 0)
    #expect(mean.device == Samples.device)
  }

  @Test(arguments: [(48.0, 11.0), (-70, -179.999_99), (0, 180), (89.9, 0)])
  func `lies in the middle, with the error of independent fixes`(
    latitude: Double, longitude: Double
  ) throws {
    let mean = try average([(-3, 1, -2), (5, 3, 4)], at: (latitude, longitude))
    let origin = try #require(Coordinate(latitude: latitude, longitude: longitude))
    let middle = origin.moved(by: 2, bearing: 0).moved(by: 1, bearing: 90)
    #expect(mean.coordinate.distance(to: middle) < 0.002)
    // The deviation of two from their mean is half of their difference, and so is the error.
    #expect(abs(try #require(mean.standardError.east) - 4) < 0.001)
    #expect(abs(try #require(mean.standardError.north) - 1) < 0.002)
    #expect(mean.standardError.up == 3)
    #expect(mean.altHAE == 501)
    #expect(mean.altMSL == 451)
    #expect(mean.start == Samples.time(0, 0))
    #expect(mean.end == Samples.time(0, 1))
  }

  @Test func `of independent fixes has an error that falls with the root of their number`() throws {
    var gauss = Gauss(seed: 3)
    let offsets = (0..<4096).map { _ in
      (gauss.next() * 2, gauss.next() * 2, gauss.next() * 4 as Double?)
    }
    let error = try average(offsets).standardError
    // 2 m over 64, and the largest of ten estimates of it.
    #expect((0.03...0.06).contains(try #require(error.east)))
    #expect((0.03...0.06).contains(try #require(error.north)))
    #expect((0.06...0.12).contains(try #require(error.up)))
  }

  @Test func `of correlated fixes has the error of the independent ones among them`() throws {
    var gauss = Gauss(seed: 4)
    // 64 errors of 2 m that last 64 fixes each: 2 m over 8, where the number of fixes would give 2 m over 64.
    let offsets = (0..<64).flatMap { _ in
      Array(repeating: (gauss.next() * 2, gauss.next() * 2, nil as Double?), count: 64)
    }
    let error = try average(offsets).standardError
    #expect((0.2...0.5).contains(try #require(error.east)))
    #expect((0.2...0.5).contains(try #require(error.north)))
    #expect(error.up == nil)
  }

  @Test func `uses blocks of two only if there are at least eight of them`() throws {
    // Pairs of 0 and 2: the pairs are alike, so that blocks of two err more than single fixes.
    let pairs = [0.0, 0, 2, 2, 0, 0, 2, 2, 0, 0, 2, 2, 0, 0, 2, 2]
    let single = (1.0 / 15).squareRoot()
    let double = (1.0 / 7).squareRoot()
    func error(_ norths: [Double]) throws -> Double {
      try #require(try average(norths.map { (0, $0, nil) }).standardError.north)
    }
    #expect(abs(try error(pairs) - double) < 0.001)
    #expect(
      abs(try error(Array(pairs.prefix(15))) - (14.0 / 15 * 16 / 15 / 14).squareRoot()) < 0.001)
    #expect(double > single)
  }

  @Test func `leaves out fixes that are far from the others, and counts them`() throws {
    var offsets = (0..<9).map { index -> (Double, Double, Double?) in
      (Double(index % 3) - 1, Double(index / 3) - 1, 0)
    }
    offsets += [(500, 0, 0), (0, 0, 90)]
    let mean = try average(offsets)
    #expect(mean.fixCount == 9)
    #expect(mean.outlierCount == 2)
    #expect(
      mean.coordinate.distance(to: try #require(Coordinate(latitude: 48, longitude: 11))) < 0.001)
    #expect(mean.altHAE == 500)
  }

  @Test(arguments: [(7, 0), (8, 1)])
  func `leaves out an outlier of eight fixes, and none of fewer`(count: Int, outliers: Int) throws {
    let offsets = (1..<count).map { (Double($0 % 2), 0.0, nil as Double?) } + [(100, 0, nil)]
    #expect(try average(offsets).outlierCount == outliers)
  }

  @Test(arguments: [(0.09, 0), (0.11, 1)])
  func `treats no fix within ten centimetres as an outlier`(north: Double, outliers: Int) throws {
    let still = Array(repeating: (0.0, 0.0, nil as Double?), count: 9)
    #expect(try average(still + [(0, north, nil)]).outlierCount == outliers)
  }

  /// Three quarters of the fixes are within a metre.
  @Test(arguments: [(3.59, 0), (3.62, 1)])
  func `has a limit of six deviations`(north: Double, outliers: Int) throws {
    let ring = (0..<8).map { index -> (Double, Double, Double?) in
      index % 2 == 0 ? (0, index % 4 == 0 ? 1 : -1, nil) : (index % 4 == 1 ? 1 : -1, 0, nil)
    }
    #expect(try average([(0, 0, nil)] + ring + [(0, north, nil)]).outlierCount == outliers)
  }

  @Test(arguments: [(5.2, 0), (5.23, 1)])
  func `has a limit of six deviations of heights`(up: Double, outliers: Int) throws {
    let heights = [0.0, 1, -1, 1, -1, 1, -1, 1, -1, up]
    #expect(try average(heights.map { (0, 0, $0) }).outlierCount == outliers)
  }

  @Test(arguments: [90.0, -90])
  func `leaves out heights above and below the others`(up: Double) throws {
    let offsets = (0..<9).map { (Double($0 % 3), 0.0, 0 as Double?) } + [(1, 0, up)]
    #expect(try average(offsets).outlierCount == 1)
  }

  @Test func `counts an outlier several times if it does not keep all fixes`() throws {
    var average = PositionAverager(keeping: 16)
    for second in 0..<64 {
      average.add(Samples.position(second % 16 == 4 ? 49 : 48, 11, at: Samples.time(0, 0)))
    }
    // Every fourth one is kept.
    let mean = try #require(average.mean)
    #expect(mean.outlierCount == 4 * 4 && mean.fixCount == 48)
    #expect(mean.coordinate == Coordinate(latitude: 48, longitude: 11))
  }

  @Test func `ends with the last fix that has a time`() throws {
    var average = PositionAverager()
    average.add(Samples.position(1, 2, at: Samples.time(0, 5)))
    var untimed = Samples.position(1, 2)
    untimed.time = nil
    average.add(untimed)
    #expect(average.mean?.end == Samples.time(0, 5) && average.mean?.fixCount == 2)
  }

  @Test func `has the height that the receiver reports, and only the heights of 3D fixes`() throws {
    var average = PositionAverager()
    for (altMSL, mode) in [(nil, FixMode.fix2D), (99.0, .fix2D), (20.0, .fix3D), (22, .fix3D)]
      as [(Double?, FixMode)]
    {
      var fix = Samples.position(1, 2, mode)
      fix.altitude = altMSL
      average.add(fix)
    }
    let mean = try #require(average.mean)
    #expect(mean.altMSL == 21)
    #expect(mean.altHAE == nil)
    #expect(mean.standardError.up == 1)
    #expect(mean.fixCount == 4)
    #expect(mean.start == nil)
  }

  @Test func `tolerates absurd heights and places far apart`() throws {
    var average = PositionAverager()
    for latitude in [-90.0, 90, 0, 45, 89, -89, 1, 2, 3] {
      var fix = Samples.position(latitude, latitude * 2)
      fix.ellipsoidalAltitude = latitude * 1e13
      average.add(fix)
    }
    let mean = try #require(average.mean)
    #expect(mean.fixCount + mean.outlierCount == 9)
  }
}
